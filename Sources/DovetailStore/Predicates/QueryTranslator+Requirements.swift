import DovetailModel
package import Foundation

// Predicates over a model protocol, for the rows of one conformer.

/// What a predicate over a model protocol says of the rows of one conformer.
package enum ConformerFilter: Equatable {
    /// All of them fulfil it.
    case all
    /// None of them can, so nobody has to ask the store.
    case none
    /// Those for which the condition holds.
    case some(QueryExpression)
}

extension QueryTranslator {
    /// Translates a predicate over a model protocol for the rows of one conformer. What it asks of
    /// the type is answered here.
    ///
    /// - Complexity: linear in the size of the predicate.
    /// - Throws: ``QueryError`` for parts that no store understands, and for a requirement that the
    ///   conformer has no column for.
    package func filter<Input>(ofConformer predicate: Predicate<Input>) throws -> ConformerFilter {
        let filter = try filter(predicate)
        if filter == .yes { return .all }
        return filter.neverHolds ? .none : .some(filter)
    }

    /// Whether a constant decides a part of a predicate, so that the other parts need no translation: a
    /// conformer of a model protocol may have no column for them, and a captured nil has no member.
    func isDecided(_ expression: QueryExpression, by value: QueryValue) -> Bool {
        if case .value(value) = expression { true } else { false }
    }

    /// The column of a property: one of the model, or a requirement of the protocol that the
    /// predicate is over. Nil for a property of the model that has none.
    ///
    /// - Throws: ``QueryError`` for a requirement without a column.
    func storedColumn(of path: AnyKeyPath) throws -> Int? {
        if let column = entity.column(of: path) { return column }
        guard let requirements, type(of: path).rootType != entity.type else { return nil }
        let name = try requirements.name(of: path)
        let required = type(of: path).valueType
        // Another class of the table may have a property of the name.
        let own = entity.attributes.indices.filter { !entity.foreignColumns.contains($0) }
        if let column = own.first(where: { entity.attributes[$0].satisfied.contains(name) }) {
            let stored = type(of: entity.attributes[column].keyPath as AnyKeyPath).valueType
            guard Self.isForm(stored, of: required) else {
                throw differentType(name, stored, required)
            }
            return column
        }
        guard let column = own.first(where: { entity.attributes[$0].property == name }) else {
            throw QueryError(
                expression: "\(entity.type).\(name)",
                explanation: "is computed, so its table has no column for it; name the stored "
                    + "property that stands for it: @Attribute(satisfies: "
                    + "\\(any \(requirements.protocolName)).\(name))"
            )
        }
        let stored = type(of: entity.attributes[column].keyPath as AnyKeyPath).valueType
        // Another type of the same name is another property, and the requirement is elsewhere.
        guard stored == required else { throw differentType(name, stored, required) }
        return column
    }

    private func differentType(
        _ name: String,
        _ stored: Any.Type,
        _ required: Any.Type
    ) -> QueryError {
        QueryError(
            expression: "\(entity.type).\(name)",
            explanation: "is stored as \(stored), and "
                + "\(requirements?.protocolName ?? "the protocol") requires \(required); store it as "
                + "that, or name another stored property by satisfies:"
        )
    }

    /// Whether a column of a type has the values of a required one: of the same type, of what it
    /// wraps as an optional, or of a raw value.
    private static func isForm(_ stored: Any.Type, of required: Any.Type) -> Bool {
        if stored == required { return true }
        if let optional = required as? any OptionalValue.Type {
            let form = (stored as? any OptionalValue.Type)?.wrapped ?? stored
            return isForm(form, of: optional.wrapped)
        }
        return rawValue(of: required) == stored || rawValue(of: stored) == required
    }

    private static func rawValue(of type: Any.Type) -> Any.Type? {
        func raw<Value: RawRepresentable>(_ type: Value.Type) -> Any.Type { Value.RawValue.self }
        return (type as? any RawRepresentable.Type).map { raw($0) }
    }

    /// What a part of a predicate has to do with the row; nil for nothing.
    func row<Root: PredicateExpression>(_ expression: Root) throws -> RowOperand? {
        if isModel(expression) { return .row }
        guard NodeType.of(Root.self).mayBeRow else { return nil }
        return try (expression as? any RowExpression)?.row(for: self)
    }
}

/// A part of a predicate that is the row, or would be if the row were of another type.
enum RowOperand {
    /// It is the row.
    case row
    /// It is nothing, as the row is no value of the type that it is cast to.
    case missing
    /// It is the row, seen as another class, where a condition about that holds; otherwise nothing.
    case cast(EntityBinding, QueryExpression)
}

/// An expression that may be the row: a cast of it.
protocol RowExpression {
    func row(for translator: QueryTranslator) throws -> RowOperand?
}

extension QueryTranslator {
    /// A cast of the row.
    fileprivate func cast<Input: PredicateExpression>(
        _ input: Input,
        to type: Any.Type,
        in node: Any
    ) throws -> RowOperand? {
        switch try row(input) {
        case nil: return nil
        case .missing: return .missing
        case .row: return try cast(entity, to: type, in: node)
        case .cast(let known, let condition):
            switch try cast(known, to: type, in: node) {
            case .row: return .cast(known, condition)
            case .missing: return .missing
            case .cast(let entity, let other): return .cast(entity, .and(condition, other))
            }
        }
    }
}

extension PredicateExpressions.ConditionalCast: RowExpression {
    /// `$0 as? Photo`.
    func row(for translator: QueryTranslator) throws -> RowOperand? {
        try translator.cast(input, to: Desired.self, in: self)
    }
}

extension PredicateExpressions.ForceCast: RowExpression {
    /// `$0 as! Photo`, which is missing where Swift ends the program.
    func row(for translator: QueryTranslator) throws -> RowOperand? {
        try translator.cast(input, to: Desired.self, in: self)
    }
}

extension PredicateExpressions.ForcedUnwrap: RowExpression {
    /// `($0 as? Photo)!`.
    func row(for translator: QueryTranslator) throws -> RowOperand? { try translator.row(inner) }
}

extension PredicateExpressions.TypeCheck: QueryTranslatable {
    /// `$0 is Photo`, which is known for the rows of one model, and asks a row of several classes.
    func translated(by translator: QueryTranslator) throws -> QueryExpression {
        if let objects = try translator.objects(input, castTo: Desired.self, in: self) {
            return .not(objects.isNothing)
        }
        switch try translator.cast(input, to: Desired.self, in: self) {
        case .row: return .yes
        case .missing: return .no
        case .cast(_, let condition): return condition
        case nil: throw translator.unsupported(self, of: Input.Output.self)
        }
    }
}
