import CSQLite
import DovetailStore

extension SQLiteConnection: StoreTransactions {
    /// The outermost transaction takes the write lock at once (`BEGIN IMMEDIATE`,
    /// https://sqlite.org/lang_transaction.html), so that it cannot fail half-way because another
    /// connection took it. Inner ones are savepoints (https://sqlite.org/lang_savepoint.html),
    /// named by their depth. A file that is only read has no such lock: it is read in one state, beside the
    /// other files of a container, and what is to be written to it is refused by its statement.
    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result {
        let name = "dovetail_\(transactionDepth)"
        let isOuter = transactionDepth == 0
        try requireTransaction()
        if isOuter { try requireFile() }
        let isReadOnly = isReadOnly
        let beginning = isReadOnly ? "BEGIN" : "BEGIN IMMEDIATE"
        try execute(isOuter ? beginning : "SAVEPOINT \(name)")
        transactionDepth += 1
        defer {
            transactionDepth -= 1
            if isOuter { author = nil }
        }
        do {
            let history = isOuter && keeping && !isReadOnly ? history : nil
            let number = try history?.begin(author)
            let changes = sqlite3_total_changes64(handle)
            let result = try body()
            // Nobody waits for it any more.
            if isOuter, keeping { try interruption?.check() }
            try requireTransaction()
            if isOuter { lastCommitNumber = nil }
            if let history, let number {
                let hasChanges = sqlite3_total_changes64(handle) != changes
                if try history.end(number, hasChanges: hasChanges) { lastCommitNumber = number }
            }
            if keeping {
                try isOuter ? commit() : execute("RELEASE \(name)")
                if let history, let number { history.pruneSometimes(after: number) }
            } else {
                try undo(isOuter, name)
            }
            return result
        } catch {
            holder?.forgetHeld()
            holder = nil
            // The first error is the one to report; an error of undoing after it is dropped.
            try? undo(isOuter, name)
            throw error
        }
    }

    /// SQLite counts what other connections commit (https://sqlite.org/pragma.html#pragma_data_version), which are
    /// those of other processes and containers: those that read with this one commit nothing.
    func noteForeignCommits() throws -> Bool {
        if file == nil { return false }
        let version = try text("PRAGMA data_version")
        defer { dataVersion = version }
        return dataVersion != nil && dataVersion != version
    }

    /// Ends the outermost transaction.
    ///
    /// - Throws: ``StoreError``; `foreignKeyViolation` with table and column, which have to be found
    ///   before what violates the key is undone.
    private func commit() throws {
        let code = sqlite3_exec(handle, "COMMIT", nil, nil, nil)
        guard code != SQLITE_OK else { return }
        let error = error(code)
        guard error.kind == .foreignKeyViolation else { throw error }
        // https://sqlite.org/pragma.html#pragma_foreign_key_check
        let statement = try statement(
            """
            SELECT c."table", f."from"
            FROM pragma_foreign_key_check c, pragma_foreign_key_list(c."table") f
            WHERE f.id = c.fkid LIMIT 1
            """
        )
        defer { statement.reset() }
        guard try statement.step() else { throw error }
        throw StoreError(
            .foreignKeyViolation,
            table: statement.text(0),
            column: statement.text(1),
            explanation: error.explanation,
            code: error.code
        )
    }

    /// Rolls back. Some errors, such as a full disk, end the transaction by themselves; SQLite is
    /// then in autocommit mode, and `ROLLBACK` would be an error.
    private func undo(_ isOuter: Bool, _ name: String) throws {
        if isOuter {
            if sqlite3_get_autocommit(handle) == 0 { try execute("ROLLBACK") }
        } else {
            try execute("ROLLBACK TO \(name); RELEASE \(name)")
        }
    }
}
