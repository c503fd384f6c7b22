import CSQLite
import DovetailStore
import Foundation

/// Copies a database to a new file while others use it (https://sqlite.org/backup.html).
struct SQLiteBackup {
    let source: SQLiteConnection

    /// Copies to a file beside the wanted one, and gives it its name when it is whole.
    ///
    /// - Throws: ``StoreError``: `cannotOpen` when there is a file already or none can be made there,
    ///   `unsupported` inside of a transaction of the same connection, `storageFailure`, and what
    ///   interrupts it.
    func write(to url: URL) throws {
        guard try !FileManager.default.fileExists(atPath: SQLiteConnection.path(of: url)) else {
            throw StoreError(
                .cannotOpen,
                location: url.path,
                explanation: "a backup goes to a file that does not exist yet"
            )
        }
        guard sqlite3_get_autocommit(source.handle) != 0 else {
            throw StoreError(
                .unsupported,
                location: url.path,
                explanation: "a database in memory cannot be copied inside of its own transaction"
            )
        }
        let part = url.appendingPathExtension("part-" + UUID().uuidString)
        // After an error SQLite may leave files of its own beside it.
        defer {
            for suffix in ["", "-journal", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: part.path + suffix)
            }
        }
        do {
            let target = try SQLiteConnection(path: part.path, SQLiteOptions())
            try copy(to: target)
            // The copy says that it is in WAL mode. As a file of its own it must not be: what is
            // still in the log would stay behind when the file gets its name.
            guard try target.text("PRAGMA journal_mode = DELETE") == "delete" else {
                throw StoreError(
                    .storageFailure,
                    location: url.path,
                    explanation: "the backup cannot be completed"
                )
            }
        }
        do {
            try FileManager.default.moveItem(at: part, to: url)
        } catch {
            throw StoreError(
                .cannotOpen,
                location: url.path,
                explanation: "the backup cannot be given its name",
                detail: "\(error)"
            )
        }
    }

    private func copy(to target: SQLiteConnection) throws {
        // Within a transaction all pages are of one moment, also between the steps.
        try source.execute("BEGIN")
        defer { try? source.execute("COMMIT") }
        try source.execute("SELECT count(*) FROM sqlite_schema")
        guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
            throw target.error(sqlite3_errcode(target.handle))
        }
        var code = SQLITE_OK
        while code == SQLITE_OK, source.interruption?.reason == nil {
            code = sqlite3_backup_step(backup, 1000)
        }
        let end = sqlite3_backup_finish(backup)
        if let reason = source.interruption?.reason, code != SQLITE_DONE {
            throw StoreInterruption.error(reason)
        }
        guard code == SQLITE_DONE, end == SQLITE_OK else {
            throw target.error(code == SQLITE_DONE ? end : code)
        }
    }
}
