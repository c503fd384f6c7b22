import DovetailModel
import Foundation

/// An object that a relationship leads to, as predicates see it: the row of a table that holds a value
/// in a column.
struct RelatedObject {
    /// The entity of the row.
    var entity: EntityBinding
    /// The column.
    let column: Int
    /// The value, for the row from which the relationship leads.
    var key: QueryExpression
    /// The join table between both; nil where one of them holds the key of the other.
    var join: (table: EntityBinding, columns: JoinColumns)?

    /// What the row says.
    func value(_ body: QueryExpression) -> QueryExpression {
        .related(QueryRelation(entity, column: column, .value), key, body)
    }

    /// What several rows say.
    func answer(_ question: QueryRelation.Question, _ body: QueryExpression) -> QueryExpression {
        guard let join else {
            return .related(QueryRelation(entity, column: column, question), key, body)
        }
        // A row of the join table stands for one of the other.
        let isCount = question == .count
        let other = QueryExpression.related(
            QueryRelation(entity, column: column, .any),
            .attribute(join.columns.other, isOptional: false),
            body
        )
        return .related(
            QueryRelation(join.table, column: join.columns.own, question),
            key,
            isCount ? body : other
        )
    }

    /// The key of the row, which needs no look at it where that is known.
    var identifier: QueryExpression {
        guard entity.keyColumns != [column] else { return key }
        return value(.attribute(entity.keyColumns[0], isOptional: false))
    }
}

extension QueryTranslator {
    /// Whether rows have relationships.
    var hasRelationships: Bool {
        schema != nil
            && (!entity.links.isEmpty || !objects.isEmpty || entity.classTable != nil)
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
        if let object = try object(keyPath, of: root) { return object.identifier }
        if let members = try members(root) {
            let count = members.answer(.count, .value(.null))
            let counted = Root.Output.self as? any CountedCollection.Type
            switch counted?.property(keyPath) {
            case .count?: return count
            case .isEmpty?: return .equal(count, .value(.integer(0)))
            default: throw unsupported(node)
            }
        }
        guard let object = try object(root) else { return nil }
        var inner = QueryTranslator(object.entity, in: schema ?? Schema([]))
        inner.rowVariable = rowVariable
        let body = try inner.attribute(at: keyPath)
        if case .attribute(let column, _) = body, object.entity.keyColumns == [column] {
            return object.identifier
        }
        return object.value(body)
    }

    /// The object that a part of a predicate is; nil for what is none.
    func object<Node: PredicateExpression>(_ node: Node) throws -> RelatedObject? {
        guard hasRelationships else { return nil }
        if let variable = node as? PredicateExpressions.Variable<Node.Output> {
            return objects[variable.key]
        }
        return try (node as? any ObjectOperand)?.object(for: self)
    }

    /// The object that a property is.
    func object<Root: PredicateExpression>(
        _ keyPath: AnyKeyPath,
        of root: Root
    ) throws -> RelatedObject? {
        guard let (holder, wrap) = try holder(root),
            let index = holder.links.firstIndex(where: {
                $0.relationship.keyPath as AnyKeyPath == keyPath && !$0.relationship.isToMany
            }),
            let target = try target(of: holder.links[index])
        else { return nil }
        if holder.links[index].holdsKey {
            guard let column = holder.keyColumn(of: index), target.keyColumns.count == 1 else {
                return nil
            }
            let key = QueryExpression.attribute(
                column,
                isOptional: holder.attributes[column].isOptional
            )
            return RelatedObject(entity: target, column: target.keyColumns[0], key: wrap(key))
        }
        guard let inverse = holder.links[index].inverse, let column = target.keyColumn(of: inverse)
        else { return nil }
        return RelatedObject(
            entity: target,
            column: column,
            key: wrap(.attribute(holder.keyColumns[0], isOptional: false))
        )
    }

    /// The objects that a part of a predicate is; nil for what is none.
    private func members<Node: PredicateExpression>(_ node: Node) throws -> RelatedObject? {
        guard hasRelationships, let path = node as? any PathOperand else { return nil }
        return try path.members(for: self)
    }

    /// The objects that a property is.
    func members<Root: PredicateExpression>(
        _ keyPath: AnyKeyPath,
        of root: Root
    ) throws -> RelatedObject? {
        guard let (holder, wrap) = try holder(root),
            let index = holder.links.firstIndex(where: {
                $0.relationship.keyPath as AnyKeyPath == keyPath && $0.relationship.isToMany
            }),
            let target = try target(of: holder.links[index])
        else { return nil }
        let key = wrap(.attribute(holder.keyColumns[0], isOptional: false))
        if let columns = holder.links[index].join, let table = try schema?.entity(columns.table) {
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
                    guard case .member(let owner, let other, let key, _) = part, other == index,
                        owner == holder.links[index].owner
                    else { return nil as Int? }
                    return key
                }
                .first
        }
        return column.map { RelatedObject(entity: target, column: $0, key: key) }
    }

    /// What is asked of the objects of a relationship, for which a variable stands; nil for what is no
    /// relationship.
    ///
    /// - Throws: ``QueryError``, also for a variable of a predicate around it.
    func members<Node: PredicateExpression>(
        _ question: QueryRelation.Question,
        of sequence: Node,
        _ variable: PredicateExpressions.VariableID,
        _ body: some PredicateExpression
    ) throws -> QueryExpression? {
        guard let members = try members(sequence) else { return nil }
        var inner = QueryTranslator(members.entity, in: schema ?? Schema([]))
        inner.rowVariable = variable
        return members.answer(question, try inner.expression(body))
    }

    /// The entity of what a part of a predicate is, and what makes an expression about it one about
    /// the row; nil for what is no object.
    private func holder<Root: PredicateExpression>(
        _ root: Root
    ) throws -> (EntityBinding, (QueryExpression) -> QueryExpression)? {
        guard schema != nil else { return nil }
        switch try row(root) {
        case .row: return (entity, { $0 })
        case .cast(let entity, let condition):
            return (entity, { .conditional(condition, $0, .value(.null)) })
        case .missing, nil: break
        }
        return try object(root).map { object in (object.entity, object.value) }
    }

    /// The entity to which a relationship leads.
    private func target(of link: ModelRelationships.Link) throws -> EntityBinding? {
        try schema?.entity(link.relationship.target)
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
        where body.columns.isEmpty && !body.isRelated:
            return inside(array) { .quantified(quantifier, $0, element: element, body) }
        default: return self
        }
    }
}

extension EntityBinding {
    /// The column that holds the key of a relationship.
    fileprivate func keyColumn(of index: Int) -> Int? {
        for case .key(index, let column) in relationshipColumns { return column }
        return nil
    }
}

/// A part of a predicate that may be an object.
protocol ObjectOperand: PredicateExpression {
    func object(for translator: QueryTranslator) throws -> RelatedObject?
}

/// A property.
protocol PathOperand: PredicateExpression {
    func members(for translator: QueryTranslator) throws -> RelatedObject?
}

extension PredicateExpressions.KeyPath: ObjectOperand, PathOperand {
    func object(for translator: QueryTranslator) throws -> RelatedObject? {
        try translator.object(keyPath, of: root)
    }

    func members(for translator: QueryTranslator) throws -> RelatedObject? {
        try translator.members(keyPath, of: root)
    }
}

extension PredicateExpressions.ForcedUnwrap: ObjectOperand {
    /// `$0.owner!`.
    func object(for translator: QueryTranslator) throws -> RelatedObject? {
        try translator.object(inner)
    }
}

extension PredicateExpressions.OptionalFlatMap: ObjectOperand {
    /// `$0.owner?.friend`.
    func object(for translator: QueryTranslator) throws -> RelatedObject? {
        // `($0 as? BusinessTrip)?.owner`
        switch try translator.row(wrapped) {
        case .row: return try translator.object(transform)
        case .cast(let entity, let condition):
            guard var object = try translator.cast(to: entity).object(transform) else { return nil }
            object.key = .conditional(condition, object.key, .value(.null))
            return object
        case .missing, nil: break
        }
        var inner = translator
        guard let object = try translator.object(wrapped) else { return nil }
        inner.objects[variable.key] = object
        return try inner.object(transform)
    }
}
