import DovetailModel

// Relationships to protocols, of which a row has several columns: one for each class, at most one of which
// holds a key.

extension EntityBinding {
    /// Some columns, and with each of a relationship to a protocol all others of it: who sets one of
    /// them says that the others are NULL.
    package func withChoices(_ columns: ColumnSet) -> ColumnSet {
        guard let choices = description.choices else { return columns }
        var all = columns
        for choice in choices where choice.columns.contains(where: { columns.contains($0) }) {
            for column in choice.columns { all.insert(column) }
        }
        return all
    }

    /// The column that stands for all of a relationship to a protocol, the first one; another column is its
    /// own.
    package func leader(of column: Int) -> Int {
        description.choices?.first { $0.columns.contains(column) }?.columns.first ?? column
    }

    /// What a column is called where rows are compared: its name, or that of the relationship to a protocol
    /// that it is a part of.
    package func comparedName(of column: Int) -> String {
        guard description.choices?.contains(where: { $0.columns.contains(column) }) == true else {
            return attributes[column].name
        }
        for case .key(let index, column) in relationshipColumns {
            return links[index].relationship.name
        }
        return classTable?.relationshipName(of: column) ?? attributes[column].name
    }

    /// Whether a column, or the relationship to a protocol that it is a part of, has to hold a key in a row.
    ///
    /// - Throws: ``ModelDecodingError`` for a row without the name of its class.
    package func requires(_ column: Int, in row: RowImage) throws -> Bool {
        if !attributes[column].isOptional { return true }
        var name: String?
        if let classTable {
            let column = classTable.typeColumn
            if case .text(let text) = try QueryValue(row, column, attributes[column]) {
                name = text
            }
        }
        if let name, description.classes?.required[name]?.contains(column) == true { return true }
        guard let choice = description.choices?.first(where: { $0.columns.contains(column) }),
            choice.isRequired
        else { return false }
        return choice.classes.map { all in name.map(all.contains) ?? false } ?? true
    }

    /// Whether another column of the same relationship to a protocol holds a key in a row.
    package func hasOtherChoice(_ column: Int, in row: RowImage) -> Bool {
        description.choices?.first { $0.columns.contains(column) }?.columns
            .contains { $0 != column && !row.isNull($0) } ?? false
    }

    /// The columns of a relationship to a protocol; none for another key path.
    package func choiceColumns(of keyPath: AnyKeyPath) -> [Int] {
        relationshipColumns.compactMap { part in
            guard case .key(let index, let column) = part,
                links[index].relationship.part != nil,
                links[index].relationship.keyPath as AnyKeyPath == keyPath
            else { return nil }
            return column
        }
    }
}
