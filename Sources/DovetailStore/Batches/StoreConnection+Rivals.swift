public import DovetailModel

extension StoreQuerying {
    /// An error with the key of the row that was refused and, where that was for a unique value, after it
    /// the keys of the rows that have the value.
    ///
    /// - Parameter row: The row, as far as its key and its unique values.
    /// - Complexity: a look into each unique index, for such an error alone.
    package func naming(
        _ row: RowImage,
        in error: StoreError,
        of entity: EntityBinding
    ) -> StoreError {
        // What cannot be made a key was refused before.
        guard error.keys.isEmpty, let key = try? entity.key(of: row) else { return error }
        var keys = [key]
        if error.kind == .uniqueViolation {
            for index in entity.description.indexes where index.isUnique {
                // The error says more than what was not found in addition.
                let others = try? rivals(of: row, in: index.columns, of: entity)
                for other in others ?? [] where !keys.contains(other) { keys.append(other) }
            }
        }
        return error.naming(all: keys)
    }

    /// The keys of the rows that have the values of a row in columns of which no two have the same.
    private func rivals(
        of row: RowImage,
        in columns: [Int],
        of entity: EntityBinding
    ) throws -> [[QueryValue]] {
        let values = try entity.values(of: row, in: columns)
        if values.contains(.null) { return [] }
        let cursor = try rows(of: Query(entity, filter: entity.filter(of: [values], in: columns)))
        defer { cursor.close() }
        var keys: [[QueryValue]] = []
        while try cursor.next() { keys.append(try entity.key(of: cursor)) }
        return keys
    }

    /// The same for a value, where the error is one of a store.
    @usableFromInline
    func naming<Value: Model>(
        _ value: Value,
        in error: any Error,
        of entity: EntityBinding
    ) -> any Error {
        guard let error = error as? StoreError else { return error }
        var columns = entity.keyColumns
        if error.kind == .uniqueViolation {
            columns += entity.description.indexes.lazy.filter(\.isUnique).flatMap(\.columns)
        }
        guard let row = try? entity.row(of: value, columns: columns) else { return error }
        return naming(row, in: error, of: entity)
    }
}

extension EntityBinding {
    /// A row that has some columns of a value, and NULL in its others.
    fileprivate func row<Value: Model>(of value: Value, columns: [Int]) throws -> RowImage {
        let row = RowImage(columns: attributes.count)
        try ModelWriter.writeColumns(
            columns,
            of: CollectionOfOne(value),
            to: row,
            attributes: attributes
        ) { _ in }
        return row
    }

    /// A row that has the key of a value, and NULL in its other columns.
    @usableFromInline
    package func keyRow<Value: Model>(of value: Value) throws -> RowImage {
        try row(of: value, columns: keyColumns)
    }
}
