import DovetailModel
import Foundation

// Casts to classes that share a table with others: `$0 is BusinessTrip` asks the row for its class.

extension QueryTranslator {
    /// What the rows of an entity are that are of a type.
    ///
    /// - Throws: ``QueryError`` for a type that is neither a model nor a protocol.
    func cast(
        _ entity: EntityBinding,
        to type: Any.Type,
        in node: Any
    ) throws -> RowOperand {
        guard let table = entity.classTable, let own = entity.type as? any ManagedModel.Type else {
            guard let answer = ModelRegistry.isModel(entity.type, type) else {
                throw unsupported(node)
            }
            return answer ? .row : .missing
        }
        let all = table.classes.filter { $0.inherits(from: own) }
        let wanted = type as? any ManagedModel.Type
        let some = try all.filter { model in
            if let wanted { return model.inherits(from: wanted) }
            if let answer = ModelRegistry.isModel(model, type) {
                return answer
                    || model.modelSuperclass.map { above in
                        ModelRegistry.isModel(above, type) ?? false
                    } ?? false
            }
            throw unsupported(node)
        }
        if some.isEmpty { return .missing }
        if some.count == all.count { return .row }
        let names = some.flatMap { $0.typeAliases + [$0.typeName] }
        let condition = QueryExpression.isIn(
            .attribute(table.typeColumn, isOptional: false),
            QueryList(names.map { .text($0) })
        )
        return .cast(try wanted.flatMap { try schema?.entity($0) } ?? entity, condition)
    }

    /// The same translator for rows that are of a class below that of the entity.
    func cast(to entity: EntityBinding) -> QueryTranslator {
        var inner = self
        inner.entity = entity
        return inner
    }

    /// The object that a cast of another one is; nil for what is none.
    func object<Input: PredicateExpression>(
        _ input: Input,
        castTo type: Any.Type,
        in node: Any
    ) throws -> RelatedObject? {
        guard var object = try object(input) else { return nil }
        switch try cast(object.entity, to: type, in: node) {
        case .row: break
        case .missing: object.key = .value(.null)
        case .cast(let entity, let condition):
            object.key = .conditional(object.value(condition), object.key, .value(.null))
            object.entity = entity
        }
        return object
    }
}

extension PredicateExpressions.ConditionalCast: ObjectOperand {
    /// `$0.trip as? BusinessTrip`.
    func object(for translator: QueryTranslator) throws -> RelatedObject? {
        try translator.object(input, castTo: Desired.self, in: self)
    }
}

extension PredicateExpressions.ForceCast: ObjectOperand {
    /// `$0.trip as! BusinessTrip`, which is missing where Swift ends the program.
    func object(for translator: QueryTranslator) throws -> RelatedObject? {
        try translator.object(input, castTo: Desired.self, in: self)
    }
}
