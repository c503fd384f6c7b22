import DovetailModel
import DovetailSQL
import DovetailStore

extension SQLiteConnection {
    /// Gives each of the rows a value in its unique columns that no other row has: the smallest
    /// number that its place in the list leads to, or a text or bytes with that number. Which columns
    /// are unique is asked of the database, since others may have added some
    /// (https://sqlite.org/pragma.html#pragma_index_list).
    ///
    /// A history has this as a change of its own, before that which gives the row its values.
    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        let columns = try uniqueColumns(of: entity)
        guard !columns.isEmpty else { return }
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
