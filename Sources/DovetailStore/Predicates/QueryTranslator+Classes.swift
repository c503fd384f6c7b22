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
            // What a class inherits it has no record of.
            var next: (any ManagedModel.Type)? = model
            while let model = next {
                guard let answer = ModelRegistry.isModel(model, type) else {
                    throw unsupported(node)
                }
                if answer { return true }
                next = model.modelSuperclass
            }
            return false
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

    /// The objects that a cast of others is: those of each table that are of the type. Nil for what is none.
    ///
    /// - Throws: ``QueryError`` for a type that is neither a model nor a protocol.
    func objects<Input: PredicateExpression>(
        _ input: Input,
        castTo type: Any.Type,
        in node: Any
    ) throws -> RelatedObjects? {
        guard var objects = try objects(input) else { return nil }
        objects.parts = try objects.parts.compactMap { part in
            var part = part
            switch try cast(part.entity, to: type, in: node) {
            case .row:
                if let other = type as? any ManagedModel.Type { part.entity = try related(other) }
            case .missing: return nil
            case .cast(let entity, let condition):
                part.key = .conditional(part.value(condition), part.key, .value(.null))
                part.entity = entity
            }
            return part
        }
        return objects
    }

    /// The entity of a class to which rows of the schema are cast.
    private func related(_ model: any ManagedModel.Type) throws -> EntityBinding {
        try schema.map { try $0.entity(model) } ?? entity
    }
}

extension RelatedObjects {
    /// The same, with nothing where a condition about the row does not hold from which they are seen.
    func `where`(_ condition: QueryExpression) -> RelatedObjects {
        var objects = self
        objects.parts = parts.map { part in
            var part = part
            part.key = .conditional(condition, part.key, .value(.null))
            return part
        }
        return objects
    }
}

extension PredicateExpressions.ConditionalCast: ObjectOperand {
    /// `$0.trip as? BusinessTrip`.
    func objects(for translator: QueryTranslator) throws -> RelatedObjects? {
        try translator.objects(input, castTo: Desired.self, in: self)
    }
}

extension PredicateExpressions.ForceCast: ObjectOperand {
    /// `$0.trip as! BusinessTrip`, which is missing where Swift ends the program.
    func objects(for translator: QueryTranslator) throws -> RelatedObjects? {
        try translator.objects(input, castTo: Desired.self, in: self)
    }
}
