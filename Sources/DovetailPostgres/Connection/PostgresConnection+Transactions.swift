import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore

extension PostgresConnection: StoreTransactions {
    /// The outermost transaction is SERIALIZABLE
    /// (https://www.postgresql.org/docs/current/transaction-iso.html): what it has read is true when it
    /// ends, or it throws `serializationFailure`. Inner ones are savepoints, named by their depth.
    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result {
        let name = "dovetail_\(transactionDepth)"
        let isOuter = transactionDepth == 0
        try writeHeld()
        try requireTransaction()
        try isOuter ? begin(keeping: keeping) : ahead.append("SAVEPOINT \(name)")
        transactionDepth += 1
        if isOuter { lostTo = nil }
        defer {
            transactionDepth -= 1
            if isOuter { author = nil }
        }
        do {
            let result = try body()
            try writeHeld()
            try requireTransaction()
            if keeping {
                try isOuter ? commit() : release(name)
            } else {
                undo(isOuter, name)
            }
            return result
        } catch {
            held.forget()
            undo(isOuter, name)
            throw error
        }
    }

    var missesForeignCommits: Bool { true }

    /// Ends an inner transaction, which is forgotten where nothing has run in it.
    private func release(_ name: String) {
        if let place = ahead.firstIndex(of: "SAVEPOINT \(name)") {
            ahead.removeSubrange(place...)
        } else {
            ahead.append("RELEASE \(name)")
        }
    }

    /// Runs `body` in a READ COMMITTED transaction, for tables and histories: it sees what others have stored
    /// while it waited for a lock, as its statements do not share a snapshot.
    func plainTransaction(_ body: () throws -> Void) throws {
        guard PQtransactionStatus(handle) == PQTRANS_IDLE else { return try body() }
        try begin("ISOLATION LEVEL READ COMMITTED")
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        do {
            try body()
            try execute("COMMIT")
        } catch {
            undo(true, "")
            throw error
        }
    }

    /// Rolls back, as far as there is something. What goes wrong ends the connection, and with it the
    /// transaction.
    func undo(_ isOuter: Bool, _ name: String) {
        // What becomes of its rows has no meaning any more.
        try? endCopy()
        if let place = ahead.firstIndex(of: isOuter ? Self.beginning : "SAVEPOINT \(name)") {
            // The server knows nothing of it.
            ahead.removeSubrange(place...)
            return
        }
        ahead.removeAll()
        let outer = interruption
        interruption = nil
        defer { interruption = outer }
        let status = PQtransactionStatus(handle)
        guard status == PQTRANS_INTRANS || status == PQTRANS_INERROR else { return }
        try? execute(isOuter ? "ROLLBACK" : "ROLLBACK TO \(name); RELEASE \(name)")
    }

    /// Does nothing while the transaction that its caller has opened is open, and no statement of it has
    /// failed: the server refuses everything after that, until it is undone.
    ///
    /// - Throws: ``StoreError`` of kind `storageFailure`, or what interrupted the transaction or was in its way.
    func requireTransaction() throws {
        guard transactionDepth > 0, ahead.first != Self.beginning, copying == nil,
            PQtransactionStatus(handle) != PQTRANS_INTRANS
        else { return }
        if let reason = interruption?.reason { throw StoreInterruption.error(reason) }
        // The same may succeed when it is begun again, also where the first error was not thrown on.
        if let lostTo { throw lostTo }
        throw StoreError(
            .storageFailure,
            location: location,
            explanation: "an error before this one has undone the whole transaction; begin it again"
        )
    }

    /// Runs `body`, which may fail without ending the transaction: in a savepoint where one is open.
    func inSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
        guard transactionDepth > 0 else { return try body() }
        return try transaction(keeping: true, body)
    }

    func setToken(_ token: String?, of entity: EntityBinding) throws {
        try keep(token, "token \(entity.table)", of: entity)
    }

    /// Keeps a text under a name in `dovetail_store`, or forgets it.
    ///
    /// - Throws: ``StoreError``, of kind `unsupported` in a database of another program.
    func keep(_ value: String?, _ name: String, of entity: EntityBinding) throws {
        guard try hasTable("dovetail_store") else {
            throw StoreError(
                .unsupported,
                table: entity.table,
                location: location,
                explanation:
                    "another program has made the database, which keeps nothing about lists"
            )
        }
        guard let value else {
            try run(
                "DELETE FROM dovetail_store WHERE name = $1",
                PostgresFields.of([.value(.text(name))])
            )
            return
        }
        try run(
            "INSERT INTO dovetail_store VALUES ($1, $2) "
                + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            PostgresFields.of([.value(.text(name)), .value(.text(value))])
        )
    }
}
