import CSQLite
import DovetailStore

/// The function by which all rows of a query are read (``SQLiteQueryCursor``): an aggregate, of which each row is
/// a call, with the columns as its arguments.
///
/// SQLite gives arguments in one array, where a row of `SELECT` has to be asked for each of its columns, and it
/// does not come back to its caller after each row.
final class SQLiteRowFunction {
    /// Its name in SQL.
    static let name: StaticString = "dovetail_rows"

    /// Where the rows go; nil while no query runs. Invariant: ``run(_:columns:for:_:)`` keeps it.
    @exclusivity(unchecked) private var receiver: Unmanaged<Receiver>?

    /// A class with constants, which calls them without retaining anything for each row.
    private final class Receiver {
        let cursor: SQLiteQueryCursor
        let columns: Int32
        let body: () throws -> Void
        var error: (any Error)?

        init(_ cursor: SQLiteQueryCursor, columns: Int, _ body: @escaping () throws -> Void) {
            self.cursor = cursor
            self.columns = Int32(columns)
            self.body = body
        }
    }

    /// Adds the function to a connection that was just opened, and that keeps this object alive.
    func register(on handle: OpaquePointer) {
        let name = UnsafeRawPointer(Self.name.utf8Start).assumingMemoryBound(to: CChar.self)
        sqlite3_create_function_v2(
            handle,
            name,
            -1,
            SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passUnretained(self).toOpaque(),
            nil,
            { context, count, values in
                guard let function = sqlite3_user_data(context) else { return }
                // Invariant: the connection that runs the statement keeps the function.
                Unmanaged<SQLiteRowFunction>.fromOpaque(function)._withUnsafeGuaranteedRef {
                    $0.take(values, count, context)
                }
            },
            { sqlite3_result_null($0) },
            nil
        )
    }

    /// Runs a statement whose only column is the function, and calls `body` at each row, whose columns the cursor
    /// has during the call.
    ///
    /// - Throws: ``StoreError``, and what `body` throws.
    func run(
        _ statement: SQLiteStatement,
        columns: Int,
        for cursor: SQLiteQueryCursor,
        _ body: () throws -> Void
    ) throws {
        // A body may read rows, too.
        let outer = receiver
        try withoutActuallyEscaping(body) { body in
            let receiver = Receiver(cursor, columns: columns, body)
            self.receiver = Unmanaged.passUnretained(receiver)
            defer { self.receiver = outer }
            try withExtendedLifetime(receiver) {
                do {
                    while try statement.step() {}
                } catch {
                    throw receiver.error ?? error
                }
            }
        }
    }

    /// Hands a row on. Without a query of ours somebody else has called the function.
    private func take(
        _ values: UnsafeMutablePointer<OpaquePointer?>?,
        _ count: Int32,
        _ context: OpaquePointer?
    ) {
        guard let receiver else { return }
        receiver._withUnsafeGuaranteedRef { receiver in
            guard receiver.columns == count else { return }
            receiver.cursor.arguments = values
            do {
                try receiver.body()
            } catch {
                receiver.error = error
                sqlite3_result_error_code(context, SQLITE_ABORT)
            }
        }
    }
}
