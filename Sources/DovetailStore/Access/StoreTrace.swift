/// Reports each statement that a store has run.
///
/// ```swift
/// var configuration = ModelConfiguration()
/// configuration.trace = StoreTrace { print($0.duration, $0.rows, $0.sql) }
/// // 0.000021 seconds 1 SELECT "id", "name" FROM "User" WHERE ("id" = ?1)
/// ```
///
/// Values are left out of the text unless they are asked for, so that it can go into a log.
public struct StoreTrace: Sendable {
    /// A statement that has ended.
    public struct Statement: Sendable {
        /// Its text, with the values in it where the trace asks for them.
        public let sql: String
        /// How long it ran, from its first step to its last.
        public let duration: Duration
        /// How many rows it gave.
        public let rows: Int

        /// Makes a report, for stores of your own.
        public init(sql: String, duration: Duration, rows: Int) {
            self.sql = sql
            self.duration = duration
            self.rows = rows
        }
    }

    /// Whether ``Statement/sql`` shows values.
    public let showsValues: Bool
    /// Called on the thread that ran the statement, while it has the connection: it must not use the
    /// store.
    public let report: @Sendable (Statement) -> Void

    /// Makes a trace. It costs about a microsecond for each statement, and what `report` does.
    public init(
        showsValues: Bool = false,
        _ report: @escaping @Sendable (Statement) -> Void
    ) {
        self.showsValues = showsValues
        self.report = report
    }
}
