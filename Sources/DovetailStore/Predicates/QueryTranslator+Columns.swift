import DovetailModel
import Foundation

extension QueryTranslator {
    /// The number at a key path.
    ///
    /// - Throws: ``QueryError`` for what is stored nowhere, and for what is no number.
    package func number(at keyPath: AnyKeyPath) throws -> QueryExpression {
        let expression = try attribute(at: keyPath)
        switch expression.kind(in: entity) {
        case .integer?, .double?, .decimal?: return expression
        default: throw QueryError(expression: "\(keyPath)", explanation: "is no number")
        }
    }

    /// The number at a key path whose average is a floating point number.
    ///
    /// - Throws: ``QueryError`` for decimals, such as those of a duration, and what ``number(at:)``
    ///   throws.
    package func binaryNumber(at keyPath: AnyKeyPath) throws -> QueryExpression {
        let expression = try number(at: keyPath)
        guard expression.kind(in: entity) != .decimal else {
            throw QueryError(
                expression: "\(keyPath)",
                explanation: "has decimals, whose average is one that only a Decimal holds"
            )
        }
        return expression
    }

    /// What a store has of the value at a key path, which is the stored form of an attribute with a transform.
    ///
    /// - Throws: ``QueryError`` for what is stored nowhere.
    package func stored(at keyPath: AnyKeyPath) throws -> QueryExpression {
        try transformedColumn(at: keyPath).map { attribute($0) } ?? attribute(at: keyPath)
    }

    /// What rows are ordered by for a key path. Stored forms will do, where a transform keeps their
    /// order.
    ///
    /// - Throws: ``QueryError`` for a transform that does not, and what ``ordered(at:)`` throws.
    package func order(at keyPath: AnyKeyPath) throws -> QueryExpression {
        guard let column = try storedColumn(of: keyPath) else { return try ordered(at: keyPath) }
        try requireOrder(of: column)
        guard entity.attributes[column].columnType != .document else {
            throw Self.noDocumentOrder(of: "\(keyPath)")
        }
        return attribute(column)
    }

    /// The value at a key path that has an order.
    ///
    /// - Throws: ``QueryError`` for what is stored nowhere, for documents, and for enums with a raw
    ///   type.
    private func ordered(at keyPath: AnyKeyPath) throws -> QueryExpression {
        let expression = try attribute(at: keyPath)
        guard !Self.isRawModel(type(of: keyPath).valueType) else {
            throw Self.noOrder(of: "\(keyPath)")
        }
        guard expression.kind(in: entity) != .document else {
            throw Self.noDocumentOrder(of: "\(keyPath)")
        }
        return expression
    }

    private static func noDocumentOrder(of expression: String) -> QueryError {
        QueryError(
            expression: expression,
            explanation: "a store has no order for embedded documents"
        )
    }

    /// The column of a property that can be set in all rows of a query.
    ///
    /// - Throws: ``QueryError`` for what has no column of its own, and for the key.
    package func settable(_ keyPath: AnyKeyPath) throws -> Int {
        let column = try column(of: keyPath)
        guard !entity.keyColumns.contains(column) else {
            throw QueryError(
                expression: "\(keyPath)",
                explanation: "is part of the key, which stays"
            )
        }
        return column
    }

    /// What a column holds after it is set: the value, and in rows where the optional is nil that it is a flattened
    /// part of, nothing, as `shop.address?.zip = "9"` does.
    ///
    /// - Throws: ``QueryError`` for nil where the part has to have a value.
    package func assigned(
        _ value: QueryValue,
        to column: Int,
        at keyPath: AnyKeyPath
    ) throws -> QueryExpression {
        guard let part = innermostPart(of: entity.attributes[column]) else { return .value(value) }
        guard value != .null || !part.isRequired else {
            throw QueryError(
                expression: "\(keyPath)",
                explanation:
                    "cannot be nil in a value of \(part.name); set all of that to nil in the values"
            )
        }
        let columns = entity.attributes.indices.filter {
            entity.attributes[$0].property.hasPrefix(part.name + ".")
        }
        let isThere = columns.map { QueryExpression.not(.equal(self.attribute($0), .value(.null))) }
        let any = isThere.dropFirst().reduce(isThere[0]) { .or($0, $1) }
        return .conditional(any, .value(value), .value(.null))
    }

    /// The innermost optional that is flattened and holds an attribute, and whether the attribute has to have a value
    /// in it; nil for an attribute that is in none.
    private func innermostPart(
        of attribute: ModelAttribute
    ) -> (name: String, isRequired: Bool)? {
        guard var part = attribute.flattenedProperty else { return nil }
        var name = part.name
        while true {
            let type = Swift.type(of: part.path as AnyKeyPath).valueType
            let model = ((type as? any OptionalValue.Type)?.wrapped ?? type) as? any Model.Type
            let rest = attribute.property.dropFirst(name.count + 1)
            guard let inner = model?.modelAttributes.first(where: { $0.property == rest }) else {
                return (name, false)
            }
            guard let next = inner.flattenedProperty else { return (name, !inner.isOptional) }
            part = next
            name += "." + next.name
        }
    }

    /// What a row holds for a constant that its `Codable` writes, through the transform of its column where that has
    /// one.
    ///
    /// - Throws: ``QueryError`` for a value that the column cannot hold.
    package func codedConstant(
        _ value: some Encodable,
        in node: Any,
        for column: Int
    ) throws -> QueryValue {
        if entity.attributes[column].transform != nil || value is any ModelValue {
            return try constant(value, in: node, for: column)
        }
        if (value as? any OptionalValue)?.isNil == true { return .null }
        do {
            return try QueryValue(coded: value)
        } catch let error as ModelEncodingError {
            throw QueryError(expression: "\(node)", explanation: error.explanation)
        }
    }

    /// What a row holds for a constant, through the transform of its column.
    ///
    /// - Throws: ``QueryError`` for a value that the column cannot hold.
    package func constant(_ value: Any, in node: Any, for column: Int) throws -> QueryValue {
        guard let transform = entity.attributes[column].transform else {
            return try constant(value, in: node)
        }
        do {
            if let stored = try QueryValue(value, by: transform) { return entity.compared(stored) }
        } catch let error as ModelEncodingError {
            throw QueryError(expression: "\(node)", explanation: error.explanation)
        }
        throw unsupported(node)
    }
}
