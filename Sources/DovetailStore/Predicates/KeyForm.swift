public import DovetailModel
package import Foundation

/// How an identifier looks in the key column of its model.
@usableFromInline
package enum KeyForm {
    /// Sets the first columns of a sink to the forms that an identifier has in the key columns. Integers and text,
    /// which most keys are, are compared with by their types, which is a constant where this is
    /// specialized.
    ///
    /// - Returns: false where no row can have it: nil, and what a transform cannot keep exactly.
    /// - Throws: as ``values(of:of:)``.
    @inlinable
    package static func write<ID>(
        _ id: ID,
        of entity: EntityBinding,
        to sink: any RowSink
    ) throws -> Bool {
        if entity.hasPlainIdentifier {
            // Both types are the same one where a cast is made.
            if ID.self == Int.self {
                try sink.set(0, integer: Int64(unsafeBitCast(id, to: Int.self)))
                return true
            }
            if ID.self == String.self {
                var text = unsafeBitCast(id, to: String.self)
                try text.withUTF8 { try sink.set(0, text: $0) }
                return true
            }
        }
        return try writeAny(id, of: entity, to: sink)
    }

    @usableFromInline
    static func writeAny(
        _ id: Any,
        of entity: EntityBinding,
        to sink: any RowSink
    ) throws -> Bool {
        if let column = entity.identifierColumn {
            return try write(id, of: entity, column: column, to: sink)
        }
        guard let values = try values(of: id, of: entity) else { return false }
        for (column, value) in values.enumerated() { try value.set(column, of: sink) }
        return true
    }

    /// The forms that an identifier has in the key columns; nil where no row can have it. Of a key of several
    /// columns, the identifier has a member for each, with the name of its property.
    ///
    /// - Throws: ``QueryError`` where it has not, and for what has no form in a column.
    @usableFromInline
    package static func values(of id: Any, of entity: EntityBinding) throws -> [QueryValue]? {
        let sink = ValueSink(columns: 1)
        func value(_ part: Any, _ column: Int) throws -> QueryValue? {
            guard try write(part, of: entity, column: column, to: sink) else { return nil }
            return sink.values[0] == .null ? nil : sink.values[0]
        }
        if let column = entity.identifierColumn { return try value(id, column).map { [$0] } }
        var values: [QueryValue] = []
        values.reserveCapacity(entity.keyCount)
        for (column, part) in zip(entity.keyColumns, try parts(of: id, of: entity)) {
            guard let value = try value(part, column) else { return nil }
            values.append(value)
        }
        return values
    }

    /// The members of an identifier that are the parts of the key, in the order of its columns.
    private static func parts(of id: Any, of entity: EntityBinding) throws -> [Any] {
        // To look at a value's members by their names takes as long as to fetch a row.
        if let id = id as? any CompositeIdentifier { return id._parts }
        let members = Mirror(reflecting: id).children
        return try entity.keyColumns.map { column in
            let property = entity.attributes[column].property
            guard let member = members.first(where: { $0.label == property }) else {
                throw QueryError(
                    expression: "\(entity.type).id",
                    explanation: "has no member `\(property)`, which is part of the key; name the "
                        + "members like the properties"
                )
            }
            return member.value
        }
    }

    /// Sets column 0 of a sink to the form that a value has in a column.
    ///
    /// - Returns: as ``write(_:of:to:)``.
    package static func write(
        _ id: Any,
        of entity: EntityBinding,
        column: Int,
        to sink: any RowSink
    ) throws -> Bool {
        do {
            guard let transform = entity.attributes[column].transform else {
                if let value = id as? any OptionalValue, value.isNil { return false }
                if let identifier = id as? any StoredIdentifier {
                    try entity.compared(identifier.queryValue).set(0, of: sink)
                    return true
                }
                if let value = id as? any ModelValue {
                    try entity.compared(QueryValue(value)).set(0, of: sink)
                } else if let value = id as? any (Encodable & RawRepresentable) {
                    try entity.compared(QueryValue(coded: value)).set(0, of: sink)
                } else {
                    throw unknown(id, entity)
                }
                return true
            }
            guard try transform.rounding(of: id) == .exact else { return false }
            guard try transform.write(id, to: sink) else { throw unknown(id, entity) }
            return true
        } catch let error as ModelEncodingError {
            throw QueryError(
                expression: "\(entity.type).id",
                explanation: error.explanation
            )
        }
    }

    private static func unknown(_ id: Any, _ entity: EntityBinding) -> QueryError {
        QueryError(
            expression: "\(entity.type)",
            explanation: "an identifier of \(type(of: id)) has no form in a column"
        )
    }
}

/// The name of an object, which stands for the key of its row.
package protocol StoredIdentifier {
    var queryValue: QueryValue { get }
}

/// A predicate that says no more than what one attribute is, `$0.id == 7`, whose parts can be had
/// without a translation.
///
/// To ask each part what it is took longer than all the rest of a fetch by key. So the type of the
/// whole is looked at, and what it was found to be is kept: the type spells the whole form.
package protocol AttributeEquality {
    /// The property.
    ///
    /// - Parameter expression: one of this type, which the caller has compared; so in the other
    ///   function.
    static func attribute(of expression: any PredicateExpression) -> AnyKeyPath

    /// Sets column 0 of a sink to the constant, as ``KeyForm`` does.
    static func writeConstant(
        of expression: any PredicateExpression,
        _ entity: EntityBinding,
        to sink: any RowSink
    ) throws -> Bool
}

/// A property of the model itself.
package protocol AttributeOperand: PredicateExpression {
    var attributePath: AnyKeyPath { get }
}

/// The model.
package protocol ModelOperand: PredicateExpression {}

/// A value that was captured.
package protocol ConstantOperand: PredicateExpression {
    var constant: Output { get }
}

extension PredicateExpressions.Variable: ModelOperand {}

extension PredicateExpressions.KeyPath: AttributeOperand where Root: ModelOperand {
    package var attributePath: AnyKeyPath { keyPath }
}

extension PredicateExpressions.Value: ConstantOperand {
    package var constant: Output { value }
}

extension PredicateExpressions.Equal: AttributeEquality
where LHS: AttributeOperand, RHS: ConstantOperand {
    package static func attribute(of expression: any PredicateExpression) -> AnyKeyPath {
        same(expression).lhs.attributePath
    }

    package static func writeConstant(
        of expression: any PredicateExpression,
        _ entity: EntityBinding,
        to sink: any RowSink
    ) throws -> Bool {
        try KeyForm.write(same(expression).rhs.constant, of: entity, to: sink)
    }

    /// The expression, as what it is.
    private static func same(_ expression: any PredicateExpression) -> Self {
        // Invariant: the type of `expression` is this one, by which the caller has found it.
        func cast(_ expression: some PredicateExpression) -> Self {
            unsafeBitCast(expression, to: Self.self)
        }
        return cast(expression)
    }
}
