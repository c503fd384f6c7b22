import DovetailModel

// What a row has in several columns, and is one value. Relationships to protocols: one column for each class,
// at most one of which holds a key. Flattened enums and optionals: the columns of one case hold something, or
// none.

extension EntityBinding {
    /// Some columns, and with each of a relationship to a protocol, or of a flattened enum or optional, all
    /// others of it: who sets one of them says what the others hold.
    package func withChoices(_ columns: ColumnSet) -> ColumnSet {
        var all = columns
        for property in flattenedProperties where columns.meets(property.columns) {
            all = all.union(property.columns)
        }
        guard let choices = description.choices else { return all }
        for choice in choices where choice.columns.contains(where: { columns.contains($0) }) {
            for column in choice.columns { all.insert(column) }
        }
        return all
    }

    /// The column that stands for all that are one value, the first one; another column is its own.
    package func leader(of column: Int) -> Int {
        if let property = flattenedProperty(of: column) {
            return property.columns.first(where: { _ in true }) ?? column
        }
        return description.choices?.first { $0.columns.contains(column) }?.columns.first ?? column
    }

    private func flattenedProperty(of column: Int) -> (name: String, columns: ColumnSet)? {
        flattenedProperties.first { $0.columns.contains(column) }
    }

    /// What a column is called where rows are compared: its name, or that of the property of whose value it is
    /// a part.
    package func comparedName(of column: Int) -> String {
        if let property = flattenedProperty(of: column) { return property.name }
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
