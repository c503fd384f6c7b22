import DovetailModel

extension EntityBinding {
    /// The filter that takes the rows with some keys.
    ///
    /// - Complexity: linear in the number of keys; of one column they are one list.
    package func filter(of keys: [[QueryValue]]) -> QueryExpression {
        filter(of: keys, in: keyColumns)
    }

    /// Keys in parts, for each of which one query is asked: all keys of one column are one list. Of several
    /// columns each is by itself: rows would be compared with each key of a part, and not every store finds
    /// them by their keys then.
    package func parts(of keys: [RowKey]) -> [[[QueryValue]]] {
        if keyCount > 1 { return keys.map { [$0.values] } }
        return keys.isEmpty ? [] : [keys.map(\.values)]
    }

    /// The filter that takes the rows with some values in columns.
    ///
    /// - Complexity: linear in the number of values; of one column they are one list. A connection keeps a
    ///   statement for each number of values of several columns, so a caller asks for many in parts.
    package func filter(of values: [[QueryValue]], in columns: [Int]) -> QueryExpression {
        let attributes = columns.map {
            QueryExpression.attribute($0, isOptional: self.attributes[$0].isOptional)
        }
        func equality(_ values: [QueryValue]) -> QueryExpression {
            let parts = zip(attributes, values).map { QueryExpression.equal($0, .value($1)) }
            return parts.dropFirst().reduce(parts[0]) { .and($0, $1) }
        }
        // A list is another table to SQLite, which one value need not be.
        if values.count == 1, !values[0].contains(.null) { return equality(values[0]) }
        if attributes.count == 1 {
            return .isIn(attributes[0], QueryList(values.compactMap(\.first)))
        }
        guard let first = values.first else { return .isIn(attributes[0], QueryList([])) }
        return values.dropFirst().reduce(equality(first)) { .or($0, equality($1)) }
    }
}
