import DovetailStore

extension SQLiteConnection {
    /// What the store keeps of itself under a name; nil for nothing.
    func kept(_ name: String) throws -> String? {
        guard try hasTable("dovetail_store") else { return nil }
        return try text("SELECT value FROM dovetail_store WHERE name = ?1", [.text(name)])
    }

    /// Keeps a text under a name, or forgets it.
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
            _ = try text("DELETE FROM dovetail_store WHERE name = ?1", [.text(name)])
            return
        }
        _ = try text(
            "INSERT INTO dovetail_store VALUES (?1, ?2) "
                + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [.text(name), .text(value)]
        )
    }

    func token(of entity: EntityBinding) throws -> String? { try kept("token \(entity.table)") }

    func setToken(_ token: String?, of entity: EntityBinding) throws {
        try keep(token, "token \(entity.table)", of: entity)
    }

    /// Whether a history has the changes of an entity, and it can be kept which of them count.
    private func keepsBases(of entity: EntityBinding) throws -> Bool {
        try hasTable("dovetail_store") && hasHistory(of: entity)
    }

    /// Whether there is a history of an entity, whoever has made it.
    func hasHistory(of entity: EntityBinding) throws -> Bool {
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1"
        return try text(sql, [.text(SQLiteHistory.name(of: entity.table))]) != nil
    }

    func bases(of entity: EntityBinding) throws -> ChangedRows? {
        guard try keepsBases(of: entity) else { return nil }
        return try SQLiteBases(self, entity).all()
    }

    func setBases(_ bases: [BaseRow], of entity: EntityBinding) throws {
        guard try keepsBases(of: entity) else {
            throw StoreError(
                .historyDisabled,
                table: entity.table,
                location: location,
                explanation: "set `history` in the configuration to keep one"
            )
        }
        try SQLiteBases(self, entity).set(bases)
    }
}
