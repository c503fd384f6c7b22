import DovetailModel
import DovetailSQL
import DovetailStore

extension SQLiteConnection {
    /// Gives each of the rows a value in its unique columns that no other row has: the smallest
    /// number that its place in the list leads to, or a text or bytes with that number. Which columns
    /// are unique is asked of the database, since others may have added some
    /// (https://sqlite.org/pragma.html#pragma_index_list).
    ///
    /// A history has this as a change of its own, until ``unpark(_:)``.
    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        parkedHistory[entity.table] = nil
        let columns = try uniqueColumns(of: entity)
        guard !columns.isEmpty else { return }
        let before = try lastInHistory(of: entity)
        let parameter = "?\(entity.keyColumns.count + 1)"
        let parked = entity.description.parked(columns)
        let all = entity.description.columns
        let changes = parked.values.map { index in
            let column = all[index]
            let name = quoted(column.name)
            let value =
                switch column.type {
                case .boolean, .integer: "-9223372036854775807 + \(parameter)"
                case .double: "-1e308 + \(parameter) * 1e293"
                case .text, .decimal, .date, .document: "'dovetail parks ' || \(parameter)"
                case .data: "CAST('dovetail parks ' || \(parameter) AS BLOB)"
                }
            return "\(name) = \(value)"
        }
        let nulls = parked.nulls.map { "\(quoted(all[$0].name)) = NULL" }
        let key = entity.keyColumns.enumerated().map { position, column in
            renderer.keyCondition(column, entity, parameter: "?\(position + 1)")
        }
        let statement = try statement(
            "UPDATE \(quoted(entity.table)) SET \((changes + nulls).joined(separator: ", ")) "
                + "WHERE \(key.joined(separator: " AND "))",
            entity.table
        )
        for (number, key) in keys.enumerated() {
            try statement.bind(key + [.integer(Int64(number))])
            _ = try statement.step()
            statement.reset()
        }
        guard let before, let last = try lastInHistory(of: entity) else { return }
        parkedHistory[entity.table] = (before, last)
    }

    /// The number of the last row of a history; nil where there is none.
    private func lastInHistory(of entity: EntityBinding) throws -> Int64? {
        guard try hasHistory(of: entity) else { return nil }
        return try text(
            "SELECT seq FROM sqlite_sequence WHERE name = ?1",
            [.text(SQLiteHistory.name(of: entity.table))]
        )
        .flatMap { Int64($0) } ?? 0
    }

    /// Makes one change of each row that was parked and written again: what it was before it was parked, and which
    /// columns it has others in now.
    func unpark(_ entity: EntityBinding) throws {
        guard let (first, last) = parkedHistory.removeValue(forKey: entity.table) else { return }
        let names = entity.description.columns.map { quoted($0.name) }
        let history = quoted(SQLiteHistory.name(of: entity.table))
        func same(_ one: String, _ other: String) -> String {
            entity.keyColumns.map { "\(one).\(names[$0]) IS \(other).\(names[$0])" }
                .joined(separator: " AND ")
        }
        let changed = names.enumerated()
            .map { "iif(u.\($1) IS NOT t.\($1), ',\($0)', '')" }.joined(separator: " || ")
        let isLater = "u.dovetail_sequence > \(last)"
        let isUpdated = "\(isLater) AND u.dovetail_verb = 'update'"
        try execute(
            """
            UPDATE \(history) AS u SET \(names.map { "\($0) = p.\($0)" }.joined(separator: ", "))
            FROM (
                SELECT * FROM \(history) WHERE dovetail_sequence > \(first) AND dovetail_sequence <= \(last)
            ) AS p
            WHERE \(isLater) AND u.dovetail_verb <> 'insert' AND \(same("u", "p"));
            UPDATE \(history) AS u SET dovetail_changed = \(changed) FROM \(quoted(entity.table)) AS t
            WHERE \(isUpdated) AND \(same("t", "u"));
            DELETE FROM \(history) WHERE dovetail_sequence > \(first) AND dovetail_sequence <= \(last);
            DELETE FROM \(history) AS u WHERE \(isUpdated) AND u.dovetail_changed = ''
            """
        )
    }

    /// The columns of unique indexes that are no part of the key.
    private func uniqueColumns(
        of entity: EntityBinding
    ) throws -> [Int] {
        let statement = try statement(
            """
            SELECT DISTINCT c.name FROM pragma_index_list(?1) l, pragma_index_info(l.name) c
            WHERE l."unique" AND c.name IS NOT NULL
            """
        )
        try statement.bind([.text(entity.table)])
        defer { statement.reset() }
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0).lowercased()) }
        return entity.description.columns.indices
            .filter { !entity.keyColumns.contains($0) }
            .filter { names.contains(entity.description.columns[$0].name.lowercased()) }
    }
}
