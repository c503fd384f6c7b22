package import DovetailModel
package import DovetailStore

/// What the histories of SQL databases have in common: for each table another one, with the columns of its
/// rows and what happened to them.
///
/// The verb is a ``HistoryChange/Verb``, or `base` or `none` for a row that is no change: what the other side
/// of a merge has in another form. The changed columns are their positions, each after a comma.
package enum SQLHistory {
    /// The name of the table with the changes of another one, for databases that cut names off after 63
    /// bytes: a long one ends in a number that is made of all of it.
    package static func shortName(
        of table: String,
        _ prefix: String = "dovetail_history_"
    ) -> String {
        let name = prefix + table
        return name.utf8.count > 63 ? SQLRenderer.fitting(name, numberOf: table) : name
    }

    /// The change that a row of such a table tells.
    ///
    /// - Parameters:
    ///   - row: Its first columns are those of the entity.
    ///   - verb: What happened, as it is written.
    ///   - changed: The positions of the changed columns, as they are written.
    /// - Throws: ``ModelDecodingError`` for a row that holds something else than its kinds say.
    package static func change(
        _ row: any RowSource,
        of entity: EntityBinding,
        verb: String,
        changed: String
    ) throws -> HistoryChange {
        let attributes = entity.attributes
        let values = try entity.values(of: row)
        let verb = HistoryChange.Verb(rawValue: verb) ?? .update
        let columns = changed.split(separator: ",").compactMap { Int($0) }
        return HistoryChange(
            table: entity.table,
            verb: verb,
            key: entity.keyColumns.map { values[$0] },
            changedColumns: verb == .insert
                ? attributes.map(\.name)
                : columns.filter { attributes.indices.contains($0) }.map { attributes[$0].name },
            values: values
        )
    }

    /// The base that such a row is of the first change of its key.
    ///
    /// - Throws: as ``change(_:of:verb:changed:)``, for the key alone: a row that another program has made
    ///   unreadable is none to go back to.
    package static func base(
        _ row: any RowSource,
        of entity: EntityBinding,
        verb: String
    ) throws -> BaseRow {
        let isNew = ["insert", "none"].contains(verb)
        let values = isNew ? nil : try? entity.values(of: row)
        return BaseRow(key: try entity.key(of: row), values: values)
    }

    /// The values of the row that stands for a base: those of a key alone where there was no row.
    package static func values(of base: BaseRow, _ entity: EntityBinding) -> [QueryValue] {
        var values = base.values ?? Array(repeating: .null, count: entity.columnCount)
        for (column, value) in zip(entity.keyColumns, base.key) { values[column] = value }
        return values
    }

    /// How the row of a base is marked.
    package static func verb(of base: BaseRow) -> String { base.values == nil ? "none" : "base" }
}
