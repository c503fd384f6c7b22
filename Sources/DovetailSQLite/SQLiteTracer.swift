import CSQLite
import DovetailStore

/// Counts rows and times of the statements of one connection, for its ``StoreTrace``.
///
/// Belongs to the connection, which keeps it alive until SQLite calls it no more; used on the thread
/// that has the connection (https://sqlite.org/c3ref/trace_v2.html).
final class SQLiteTracer {
    private let trace: StoreTrace
    /// The rows that statements have given, which are running.
    private var rows: [OpaquePointer: Int] = [:]

    init(_ trace: StoreTrace) {
        self.trace = trace
    }

    /// Starts to listen to a connection. The tracer has to live as long as that.
    func listen(to handle: OpaquePointer) {
        let events = UInt32(SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW)
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_trace_v2(
            handle,
            events,
            { event, context, statement, nanoseconds in
                guard let context, let statement else { return 0 }
                // Invariant: the connection holds the tracer that it has given to SQLite.
                let tracer = Unmanaged<SQLiteTracer>.fromOpaque(context).takeUnretainedValue()
                let handle = OpaquePointer(statement)
                if event == UInt32(SQLITE_TRACE_ROW) {
                    tracer.rows[handle, default: 0] += 1
                } else if let nanoseconds {
                    // A profile event brings a 64-bit number of nanoseconds.
                    let time = nanoseconds.assumingMemoryBound(to: Int64.self).pointee
                    tracer.report(handle, .nanoseconds(time))
                }
                return 0
            },
            context
        )
    }

    private func report(_ statement: OpaquePointer, _ duration: Duration) {
        let count = rows.removeValue(forKey: statement) ?? 0
        var sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
        if trace.showsValues, let expanded = sqlite3_expanded_sql(statement) {
            sql = String(cString: expanded)
            sqlite3_free(expanded)
        }
        trace.report(StoreTrace.Statement(sql: sql, duration: duration, rows: count))
    }
}
