package import DovetailModel

/// Where the rows of a class keep one relationship: its own, or that of a class which refers to it.
package enum ModelRelationshipColumns: Sendable {
    /// The key of the other object, in a column of this class.
    ///
    /// - Parameters:
    ///   - index: The relationship among those of the class.
    ///   - column: The column.
    case key(index: Int, column: Int)
    /// What a relationship to several of another class keeps in the rows of this one.
    ///
    /// - Parameters:
    ///   - owner: The class of the relationship.
    ///   - index: The relationship among those of that class.
    ///   - key: The column of the owner's key, where no property of this class leads back.
    ///   - order: The column of the place in its order.
    case member(owner: any ManagedModel.Type, index: Int, key: Int?, order: Int)
}

/// The relationships of some classes, each with the one that leads back.
///
/// A property leads back to another one when either names it (`inverse:`), or when neither names
/// any and there is one such property on each side.
package struct ModelRelationships: Sendable {
    /// One relationship.
    package struct Link: Sendable {
        /// What the class says.
        package let relationship: ModelRelationship
        /// The relationship of the target that leads back, by its index; nil without one.
        package let inverse: Int?
        /// Whether a column of the class itself holds the key of the other object.
        package let holdsKey: Bool
        /// The join table, where both sides hold several objects; nil for others.
        package let join: JoinColumns?
    }

    private let models: [any ManagedModel.Type]
    private let links: [ObjectIdentifier: [Link]]
    /// What is wrong, if anything is.
    package let problem: StoreError?

    /// Looks at some models, and at those that they refer to.
    ///
    /// - Complexity: linear in the number of relationships, times that of those of their targets.
    package init(_ types: [any Model.Type]) {
        models = types.compactMap { $0 as? any ManagedModel.Type }
        var links: [ObjectIdentifier: [Link]] = [:]
        var problem: StoreError?
        for model in models {
            do {
                links[ObjectIdentifier(model)] = try Self.links(of: model)
            } catch {
                problem = problem ?? error
                links[ObjectIdentifier(model)] = []
            }
        }
        self.links = links
        self.problem = problem
    }

    /// The relationships of a class.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema` where two properties could lead back.
    package static func links(of model: any ManagedModel.Type) throws(StoreError) -> [Link] {
        let all = model.modelRelationships
        var links: [Link] = []
        for (index, relationship) in all.enumerated() {
            let inverse = try inverse(of: index, in: all, of: model)
            var join: JoinColumns?
            if relationship.isToMany, let inverse,
                relationship.target.modelRelationships[inverse].isToMany
            {
                join = JoinColumns(model, index, relationship, inverse: inverse)
            }
            links.append(
                Link(
                    relationship: relationship,
                    inverse: inverse,
                    holdsKey: holdsKey(relationship, of: model, inverse),
                    join: join
                )
            )
        }
        return links
    }

    /// Which property of the target leads back.
    private static func inverse(
        of index: Int,
        in all: [ModelRelationship],
        of model: any ManagedModel.Type
    ) throws(StoreError) -> Int? {
        let relationship = all[index]
        let others = relationship.target.modelRelationships
        let isSame = relationship.target == model
        if let written = relationship.inverse {
            guard let found = others.firstIndex(where: { $0.keyPath as AnyKeyPath == written })
            else {
                throw StoreError(
                    .invalidSchema,
                    table: model.modelTable,
                    column: relationship.name,
                    explanation: "the inverse is no relationship of \(relationship.target)"
                )
            }
            return found
        }
        let path = relationship.keyPath as AnyKeyPath
        if let found = others.firstIndex(where: { other in
            other.inverse.map { $0 as AnyKeyPath == path } ?? false
        }) {
            return found
        }
        let candidates = others.indices.filter { other in
            others[other].target == model && !(isSame && other == index)
                && isFree(other, others, of: relationship.target)
        }
        let rivals = all.indices.filter { other in
            all[other].target == relationship.target && isFree(other, all, of: model)
        }
        if candidates.isEmpty { return nil }
        // Two properties of one class that refer to the class lead back to each other.
        if candidates.count == 1, rivals.count == (isSame ? 2 : 1) { return candidates[0] }
        let names =
            (isSame ? rivals.map { all[$0].name } : candidates.map { others[$0].name })
            .joined(separator: " and ")
        throw StoreError(
            .invalidSchema,
            table: model.modelTable,
            column: relationship.name,
            explanation: candidates.count > 1 || isSame
                ? "\(names) of \(relationship.target) could both be the inverse; say which with "
                    + "@Relationship(inverse:)"
                : "\(rivals.map { all[$0].name }.joined(separator: " and ")) of \(model) could both "
                    + "be the inverse of \(names) of \(relationship.target); say which with "
                    + "@Relationship(inverse:)"
        )
    }

    /// Whether neither a relationship nor anyone else says what leads back from it.
    private static func isFree(
        _ index: Int,
        _ all: [ModelRelationship],
        of model: any ManagedModel.Type
    ) -> Bool {
        guard all[index].inverse == nil else { return false }
        let path = all[index].keyPath as AnyKeyPath
        return !all[index].target.modelRelationships.contains { other in
            other.inverse.map { $0 as AnyKeyPath == path } ?? false
        }
    }

    /// Whether the rows of a class hold the key: of two objects that have one another, those of the
    /// one that is deleted with the other.
    private static func holdsKey(
        _ relationship: ModelRelationship,
        of model: any ManagedModel.Type,
        _ inverse: Int?
    ) -> Bool {
        guard !relationship.isToMany else { return false }
        guard let inverse else { return true }
        let other = relationship.target.modelRelationships[inverse]
        if other.isToMany { return true }
        if relationship.deleteRule == .cascade { return false }
        if other.deleteRule == .cascade { return true }
        return (model.modelTable, relationship.name) <= (relationship.target.modelTable, other.name)
    }

    /// The relationships of a class among these; none for other models.
    func links(of type: any Model.Type) -> [Link] { links[ObjectIdentifier(type)] ?? [] }

    /// The join tables, those of one class together.
    var joinTables: [any JoinModel.Type] {
        models.flatMap { links(of: $0) }.compactMap(\.join).filter(\.isOwner).map(\.table)
    }

    /// The columns that a class has beside its attributes.
    func columns(
        of type: any Model.Type,
        after count: Int
    ) -> (attributes: [ModelAttribute], relationships: [ModelRelationshipColumns]) {
        guard let managed = type as? any ManagedModel.Type else { return ([], []) }
        var attributes: [ModelAttribute] = []
        var columns: [ModelRelationshipColumns] = []
        for (index, link) in (links[ObjectIdentifier(managed)] ?? []).enumerated()
        where link.holdsKey {
            let relationship = link.relationship
            columns.append(.key(index: index, column: count + attributes.count))
            attributes.append(
                ModelAttribute(
                    hidden: relationship.name,
                    relationship.keyPath,
                    type: relationship.target.keyColumn?.columnType ?? .integer,
                    isOptional: relationship.isOptional,
                    reference: AttributeReference(
                        target: relationship.target,
                        deleteRule: deleteRule(of: link)
                    ),
                    isUnique: relationship.options.contains(.unique),
                    originalName: relationship.originalName
                )
            )
        }
        for owner in models {
            for (index, link) in (links[ObjectIdentifier(owner)] ?? []).enumerated()
            where link.relationship.isToMany && link.join == nil
                && link.relationship.target == managed
            {
                let name = "\(owner.modelTable)$\(link.relationship.name)"
                var key: Int?
                if link.inverse == nil {
                    key = count + attributes.count
                    attributes.append(
                        ModelAttribute(
                            hidden: name,
                            \Never.self,
                            type: owner.keyColumn?.columnType ?? .integer,
                            isOptional: true,
                            reference: AttributeReference(
                                target: owner,
                                deleteRule: link.relationship.deleteRule
                            )
                        )
                    )
                }
                columns.append(
                    .member(
                        owner: owner,
                        index: index,
                        key: key,
                        order: count + attributes.count
                    )
                )
                attributes.append(
                    ModelAttribute(
                        hidden: name + "$order",
                        \Never.self,
                        type: .integer,
                        isOptional: true
                    )
                )
            }
        }
        if let key = managed.hiddenKey { attributes.append(key) }
        return (attributes, columns)
    }

    /// What becomes of a row that holds the key of one that is deleted: what the property that leads
    /// back says. Where none does, the property becomes nil if it can.
    private func deleteRule(of link: Link) -> DeleteRule {
        let relationship = link.relationship
        guard let inverse = link.inverse else { return relationship.isOptional ? .nullify : .deny }
        let rule = relationship.target.modelRelationships[inverse].deleteRule
        return rule == .nullify && !relationship.isOptional ? .deny : rule
    }
}
