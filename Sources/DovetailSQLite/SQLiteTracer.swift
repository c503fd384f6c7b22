import CSQLite
import DovetailStore

/// Counts rows and times of the statements of one connection, for its ``StoreTrace``.
///
/// Belongs to the connection, which keeps it alive until SQLite calls it no more; used on the thread
/// that has the connection (https://sqlite.org/c3ref/trace_v2.html).
final class SQLiteTracer {
    private let trace: StoreTrace
    /// When the statements that run have begun, and how many rows they have given. SQLite's own
    /// times are whole milliseconds.
    private var running: [OpaquePointer: (start: ContinuousClock.Instant, rows: Int)] = [:]

    init(_ trace: StoreTrace) {
        self.trace = trace
    }

    /// Starts to listen to a connection. The tracer has to live as long as that.
    func listen(to handle: OpaquePointer) {
        let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW)
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_trace_v2(
            handle,
            events,
            { event, context, statement, _ in
                guard let context, let statement else { return 0 }
                // Invariant: the connection holds the tracer that it has given to SQLite.
                let tracer = Unmanaged<SQLiteTracer>.fromOpaque(context).takeUnretainedValue()
                tracer.take(Int32(event), OpaquePointer(statement))
                return 0
            },
            context
        )
    }

    private func take(_ event: Int32, _ statement: OpaquePointer) {
        switch event {
        // A trigger inside of a statement begins, too.
        case SQLITE_TRACE_STMT:
            if running[statement] == nil { running[statement] = (.now, 0) }
        case SQLITE_TRACE_ROW: running[statement]?.rows += 1
        default: report(statement)
        }
    }

    private func report(_ statement: OpaquePointer) {
        guard let (start, count) = running.removeValue(forKey: statement) else { return }
        let duration = ContinuousClock.now - start
        var sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
        if trace.showsValues, let expanded = sqlite3_expanded_sql(statement) {
            sql = String(cString: expanded)
            sqlite3_free(expanded)
        }
        trace.report(StoreTrace.Statement(sql: sql, duration: duration, rows: count))
    }
}
