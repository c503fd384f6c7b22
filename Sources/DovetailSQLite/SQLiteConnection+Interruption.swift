import CSQLite
import DovetailStore
import Foundation

extension SQLiteConnection {
    /// Makes SQLite look for an interruption every thousand steps of its machine, which is some
    /// microseconds (https://sqlite.org/c3ref/progress_handler.html), or not at all.
    ///
    /// With a handler each call of `sqlite3_step` begins with a division, so there is one only while
    /// something may interrupt. It stays until a caller comes whom nothing can.
    func watchProgress(_ watches: Bool) {
        watchesProgress = watches
        guard watches else { return sqlite3_progress_handler(handle, 0, nil, nil) }
        sqlite3_progress_handler(
            handle,
            1000,
            { context in
                context.map { SQLiteConnection.of($0).interruption?.reason != nil } == true ? 1 : 0
            },
            // Invariant, also below: the connection closes the database before it goes.
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Makes SQLite wait for a lock, and look for an interruption meanwhile.
    func watchLocks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(
            handle,
            { context, attempt in
                context.map { SQLiteConnection.of($0).waits(attempt) } == true ? 1 : 0
            },
            context
        )
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> SQLiteConnection {
        Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
    }

    /// Waits for a lock, a little longer each time; false when it was long enough, or has to end.
    private func waits(_ attempt: Int32) -> Bool {
        let now = ContinuousClock.now
        if attempt == 0 { waitsSince = now }
        guard interruption?.reason == nil, now - waitsSince < busyTimeout else { return false }
        let milliseconds = min(Double(attempt + 1), 25)
        let left = busyTimeout - (now - waitsSince)
        let rest = Double(left.components.seconds) + Double(left.components.attoseconds) / 1e18
        Thread.sleep(forTimeInterval: min(milliseconds / 1000, rest))
        return true
    }

    /// Runs `body` again while another connection holds the database, as long as `busyTimeout`. For
    /// statements that SQLite refuses at once, without the busy handler.
    ///
    /// - Throws: what `body` throws; `locked` when it took too long.
    func waitingForLock(_ body: () throws -> Void) throws {
        var attempt: Int32 = 0
        while true {
            do {
                return try body()
            } catch let error as StoreError where error.kind == .locked {
                guard waits(attempt) else { throw error }
                attempt += 1
            }
        }
    }

    /// Runs `body` for a caller that may be interrupted.
    func serving<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = interruption
        interruption = StoreInterruption.current
        if watchesProgress, interruption == nil { watchProgress(false) }
        defer { interruption = outer }
        return try body()
    }
}
