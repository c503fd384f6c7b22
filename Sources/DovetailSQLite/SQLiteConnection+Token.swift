import DovetailStore

extension SQLiteConnection {
    /// The name in `dovetail_store` of the token of an entity.
    private func name(_ entity: EntityBinding) -> QueryValue { .text("token \(entity.table)") }

    /// Runs a statement over the row of a token.
    private func run(_ sql: String, _ values: [QueryValue]) throws -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.text(0) : nil
    }

    func token(of entity: EntityBinding) throws -> String? {
        guard try hasTable("dovetail_store") else { return nil }
        return try run("SELECT value FROM dovetail_store WHERE name = ?1", [name(entity)])
    }

    func setToken(_ token: String?, of entity: EntityBinding) throws {
        guard try hasTable("dovetail_store") else {
            throw StoreError(
                .unsupported,
                table: entity.table,
                location: location,
                explanation: "another program has made the database, which keeps no token"
            )
        }
        guard let token else {
            _ = try run("DELETE FROM dovetail_store WHERE name = ?1", [name(entity)])
            return
        }
        _ = try run(
            "INSERT INTO dovetail_store VALUES (?1, ?2) "
                + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [name(entity), .text(token)]
        )
    }
}
