import DovetailModel
import Foundation

extension QueryTranslator {
    /// Whether rows have relationships.
    var hasRelationships: Bool {
        leadsToOthers || around != nil || !objects.isEmpty || !lists.isEmpty
    }

    /// The translation of a property that is a relationship, or one of an object to which one leads;
    /// nil for all others.
    ///
    /// - Throws: ``QueryError`` for what cannot be asked of several objects.
    func relationship<Root: PredicateExpression>(
        _ keyPath: AnyKeyPath,
        of root: Root,
        in node: Any
    ) throws -> QueryExpression? {
        if let objects = try objects(keyPath, of: root) { return objects.identifier }
        if let members = try members(root) {
            let counted = Root.Output.self as? any CountedCollection.Type
            switch counted?.property(keyPath) {
            case .count?: return members.answer(.count) { _ in .value(.null) }
            case .isEmpty?: return members.isEmpty
            default: throw unsupported(node)
            }
        }
        guard let objects = try objects(root) else { return nil }
        return try objects.value { object in
            let body = try translator(of: object, objects).attribute(at: keyPath)
            if case .attribute(let column, _) = body, object.entity.keyColumns == [column] {
                return object.identifier
            }
            return object.value(body)
        }
    }

    /// A translator for the rows of one table.
    func translator(
        of object: RelatedObject,
        _ objects: RelatedObjects
    ) -> QueryTranslator {
        QueryTranslator(object.entity, in: schema ?? Schema([]), as: objects.requirements)
    }

    /// The object that a part of a predicate is; nil for what is none.
    func objects<Node: PredicateExpression>(_ node: Node) throws -> RelatedObjects? {
        guard hasRelationships else { return nil }
        if let outer = outer(of: node) { return try outer.objects(node) }
        if let variable = node as? PredicateExpressions.Variable<Node.Output> {
            return objects[variable.key]
        }
        return try (node as? any ObjectOperand)?.objects(for: self)
    }

    /// The object that a property is.
    func objects<Root: PredicateExpression>(
        _ keyPath: AnyKeyPath,
        of root: Root
    ) throws -> RelatedObjects? {
        try related(keyPath, of: root, isToMany: false) { holder, wrap, index, target in
            var object = RelatedObject(of: holder, index, target)
            if let key = object?.key { object?.key = wrap(key) }
            return object
        }
    }

    /// The objects that a part of a predicate is; nil for what is none.
    func members<Node: PredicateExpression>(_ node: Node) throws -> RelatedObjects? {
        guard hasRelationships else { return nil }
        if let outer = outer(of: node) { return try outer.members(node) }
        if let variable = node as? PredicateExpressions.Variable<Node.Output> {
            return lists[variable.key]
        }
        return try (node as? any ListOperand)?.members(for: self)
    }

    /// The objects that a property is.
    func members<Root: PredicateExpression>(
        _ keyPath: AnyKeyPath,
        of root: Root
    ) throws -> RelatedObjects? {
        try related(keyPath, of: root, isToMany: true) { holder, wrap, index, target in
            let key = wrap(.attribute(holder.keyColumns[0], isOptional: false))
            if let columns = holder.links[index].join, let table = try schema?.entity(columns.table)
            {
                return RelatedObject(
                    entity: target,
                    column: target.keyColumns[0],
                    key: key,
                    join: (table, columns)
                )
            }
            let column: Int?
            if let inverse = holder.links[index].inverse {
                column = target.keyColumn(of: inverse)
            } else {
                column =
                    target.relationshipColumns.lazy.compactMap { part in
                        guard case .member(let owner, let other, let key, _) = part,
                            other == index, owner == holder.links[index].owner
                        else { return nil as Int? }
                        return key
                    }
                    .first
            }
            return column.map { RelatedObject(entity: target, column: $0, key: key) }
        }
    }

    /// What is asked of the objects of a relationship, for which a variable stands; nil for what is no
    /// relationship.
    ///
    /// - Throws: ``QueryError``.
    func members<Node: PredicateExpression>(
        _ question: QueryRelation.Question,
        of sequence: Node,
        _ variable: PredicateExpressions.VariableID,
        _ body: some PredicateExpression
    ) throws -> QueryExpression? {
        guard let members = try members(sequence) else { return nil }
        return try members.answer(question) { object in
            try inside(object, of: members, variable).expression(body)
        }
    }

    /// The objects of a relationship for which a condition holds, for which a variable stands; nil for what is
    /// no relationship.
    ///
    /// - Throws: ``QueryError``.
    fileprivate func members<Node: PredicateExpression>(
        of sequence: Node,
        _ variable: PredicateExpressions.VariableID,
        where condition: some PredicateExpression
    ) throws -> RelatedObjects? {
        guard var members = try members(sequence) else { return nil }
        members.parts = try members.parts.map { object in
            let new = try inside(object, of: members, variable).expression(condition)
            var object = object
            object.condition = object.condition.map { .and($0, new) } ?? new
            return object
        }
        return members
    }

    /// The rows to which a property leads, of each class of which the holder may be, and of each that it
    /// may lead to; nil for what is no relationship.
    ///
    /// - Parameter find: Says where the rows are: of a holder, with what makes an expression about it one
    ///   about the row, its relationship, and the entity to which this leads.
    private func related<Root: PredicateExpression>(
        _ keyPath: AnyKeyPath,
        of root: Root,
        isToMany: Bool,
        _ find: (
            EntityBinding, (QueryExpression) -> QueryExpression, Int, EntityBinding
        ) throws -> RelatedObject?
    ) throws -> RelatedObjects? {
        guard let schema else { return nil }
        var found: RelatedObjects?
        func add(
            _ holder: EntityBinding,
            _ requirements: RequirementIndex?,
            _ wrap: @escaping (QueryExpression) -> QueryExpression
        ) throws {
            for index in try holder.links(at: keyPath, requirements)
            where holder.links[index].relationship.isToMany == isToMany {
                let link = holder.links[index]
                let part = link.relationship.part
                found =
                    found
                    ?? RelatedObjects(
                        parts: [],
                        requirements: part.map { RequirementIndex($0.requirements) }
                    )
                if link.isStranger { continue }
                let target = try schema.entity(link.relationship.target)
                if let object = try find(holder, wrap, index, target) {
                    found?.parts.append(object)
                } else if part == nil {
                    return found = nil
                }
            }
        }
        switch try row(root) {
        case .row: try add(entity, requirements) { $0 }
        case .cast(let entity, let condition):
            try add(entity, requirements) { .conditional(condition, $0, .value(.null)) }
        case .missing, nil:
            guard let objects = try objects(root) else { return nil }
            for object in objects.parts {
                try add(object.entity, objects.requirements, object.value)
            }
        }
        return found
    }
}

extension EntityBinding {
    /// The relationships of a property, or of a requirement of a protocol to which the class conforms:
    /// several where it leads to a protocol.
    ///
    /// - Throws: ``QueryError`` for what is no requirement.
    fileprivate func links(
        at keyPath: AnyKeyPath,
        _ requirements: RequirementIndex?
    ) throws -> [Int] {
        let own = links.indices.filter { links[$0].relationship.keyPath as AnyKeyPath == keyPath }
        let type = Swift.type(of: keyPath)
        guard own.isEmpty, let requirements, !links.isEmpty, type.rootType != self.type else {
            return own
        }
        let name = try requirements.name(of: keyPath)
        return links.indices.filter { index in
            let relationship = links[index].relationship
            return relationship.name == name
                && Swift.type(of: relationship.keyPath as AnyKeyPath).valueType == type.valueType
        }
    }
}

extension QueryExpression {
    /// The same, with what is made of a value of another row asked there: what SQL has no form for is
    /// evaluated with the columns of one row.
    var askedInside: QueryExpression {
        func inside(
            _ value: QueryExpression,
            _ make: (QueryExpression) -> QueryExpression
        ) -> QueryExpression {
            guard case .related(let relation, let key, let body) = value,
                relation.question == .value
            else { return self }
            return .related(relation, key, make(body).askedInside)
        }
        func isConstant(_ expression: QueryExpression) -> Bool {
            if case .value = expression { true } else { false }
        }
        switch self {
        case .call(let function, let arguments):
            guard let first = arguments.first, arguments.dropFirst().allSatisfy(isConstant) else {
                return self
            }
            return inside(first) { .call(function, [$0] + arguments.dropFirst()) }
        case .member(let base, let path, let kind): return inside(base) { $0.member(path, kind) }
        case .arithmetic(let operation, let left, let right) where isConstant(right):
            return inside(left) { .arithmetic(operation, $0, right) }
        case .arithmetic(let operation, let left, let right) where isConstant(left):
            return inside(right) { .arithmetic(operation, left, $0) }
        case .quantified(let quantifier, let array, let element, let body)
        where body.columns.isEmpty && !body.isRelated && !body.asksOuterRows:
            return inside(array) { .quantified(quantifier, $0, element: element, body) }
        default: return self
        }
    }
}

/// A part of a predicate that may be an object.
protocol ObjectOperand: PredicateExpression {
    func objects(for translator: QueryTranslator) throws -> RelatedObjects?
}

/// A part of a predicate that may be the objects of a relationship.
protocol ListOperand: PredicateExpression {
    func members(for translator: QueryTranslator) throws -> RelatedObjects?
}

extension PredicateExpressions.KeyPath: ObjectOperand, ListOperand {
    func objects(for translator: QueryTranslator) throws -> RelatedObjects? {
        try translator.objects(keyPath, of: root)
    }

    func members(for translator: QueryTranslator) throws -> RelatedObjects? {
        try translator.members(keyPath, of: root)
    }
}

extension PredicateExpressions.ForcedUnwrap: ObjectOperand, ListOperand {
    /// `$0.owner!`.
    func objects(for translator: QueryTranslator) throws -> RelatedObjects? {
        try translator.objects(inner)
    }

    /// `$0.items!`.
    func members(for translator: QueryTranslator) throws -> RelatedObjects? {
        try translator.members(inner)
    }
}

extension PredicateExpressions.NilCoalesce: ListOperand {
    /// `$0.items ?? []`, whose right side is asked for nothing: a list is not missing.
    func members(for translator: QueryTranslator) throws -> RelatedObjects? {
        guard let members = try translator.members(lhs), let other = rhs as? any EmptyOperand,
            other.isEmptyList
        else { return nil }
        return members
    }
}

extension PredicateExpressions.Filter: ListOperand {
    /// `$0.items.filter { $0.isDone }`.
    func members(for translator: QueryTranslator) throws -> RelatedObjects? {
        try translator.members(of: sequence, variable.key, where: filter)
    }
}

/// A constant that may be an empty list.
private protocol EmptyOperand {
    var isEmptyList: Bool { get }
}

extension EmptyOperand where Self: ConstantExpression {
    var isEmptyList: Bool { (value as? any Collection)?.isEmpty == true }
}

extension PredicateExpressions.Value: EmptyOperand {}
extension PredicateExpressions.Constant: EmptyOperand {}

extension PredicateExpressions.OptionalFlatMap: ObjectOperand, ListOperand {
    /// `$0.owner?.items`.
    func members(for translator: QueryTranslator) throws -> RelatedObjects? {
        var inner = translator
        guard let objects = try translator.objects(wrapped) else { return nil }
        inner.objects[variable.key] = objects
        guard var members = try inner.members(transform) else { return nil }
        members.isHolderMissing = objects.isNothing
        return members
    }

    /// `$0.owner?.friend`.
    func objects(for translator: QueryTranslator) throws -> RelatedObjects? {
        if let outer = try translator.holder(of: wrapped) { return try outer.objects(self) }
        // `($0 as? BusinessTrip)?.owner`
        switch try translator.row(wrapped) {
        case .row: return try translator.naming(variable.key).objects(transform)
        case .cast(let entity, let condition):
            return try translator.naming(variable.key).cast(to: entity).objects(transform)?
                .where(condition)
        case .missing, nil: break
        }
        var inner = translator
        guard let objects = try translator.objects(wrapped) else { return nil }
        inner.objects[variable.key] = objects
        return try inner.objects(transform)
    }
}
