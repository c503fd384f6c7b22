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
/// any and there is one such property on each side. To a property that holds objects of a protocol only
/// what the protocol requires leads back by itself.
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
        /// Whether it is part of a relationship to a protocol, and leads to a class that is not among
        /// the models.
        package let isStranger: Bool
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
        let known = Set(models.map { ObjectIdentifier($0) })
        var links: [ObjectIdentifier: [Link]] = [:]
        var problem: StoreError?
        for model in models {
            do {
                let all = try Self.links(of: model, among: known)
                try Self.requireClasses(all, of: model)
                links[ObjectIdentifier(model)] = all
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
    /// - Parameter known: The models; nil where nobody knows them, as of an object without a container.
    ///   Of a relationship to a protocol only the parts to these are looked at.
    /// - Throws: ``StoreError`` of kind `invalidSchema` where two properties could lead back.
    package static func links(
        of model: any ManagedModel.Type,
        among known: Set<ObjectIdentifier>? = nil
    ) throws(StoreError) -> [Link] {
        let all = model.modelRelationships
        var links: [Link] = []
        for (index, relationship) in all.enumerated() {
            let isPart = relationship.part != nil
            let isStranger =
                isPart && known?.contains(ObjectIdentifier(relationship.target)) == false
            var inverse: Int?
            do throws(StoreError) {
                if !isStranger { inverse = try Self.inverse(of: index, in: all, of: model) }
            } catch {
                // A container without the class has nothing to do with it.
                if known != nil || !isPart { throw error }
            }
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
                    holdsKey: !isStranger && holdsKey(relationship, of: model, inverse),
                    join: join,
                    isStranger: isStranger
                )
            )
        }
        return links
    }

    /// Checks that there are objects which a relationship to a protocol can hold, where it cannot be nil.
    private static func requireClasses(
        _ links: [Link],
        of model: any ManagedModel.Type
    ) throws(StoreError) {
        let known = Set(links.lazy.filter { !$0.isStranger }.map(\.relationship.slot))
        for relationship in links.map(\.relationship) {
            guard let part = relationship.part, !relationship.isToMany, !relationship.isOptional,
                !known.contains(relationship.slot)
            else { continue }
            throw StoreError(
                .invalidSchema,
                table: model.modelTable,
                column: relationship.name,
                explanation: "the container was made without a class that conforms to "
                    + "\(part.requirements.protocolName); name some in ModelContainer(for:)"
            )
        }
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
        if relationship.inverse != nil {
            let found = others.firstIndex { other in
                relationship.names(other) && (other.part == nil || other.target == model)
            }
            guard let found else {
                throw StoreError(
                    .invalidSchema,
                    table: model.modelTable,
                    column: relationship.name,
                    explanation: "the inverse is no relationship of \(relationship.target)"
                        + (relationship.part == nil ? "" : " that leads to \(model)")
                )
            }
            return found
        }
        if let found = others.firstIndex(where: { other in
            other.names(relationship) && (other.part == nil || other.target == model)
        }) {
            return found
        }
        let candidates = others.indices.filter { other in
            others[other].target == model && !(isSame && other == index)
                && relationship.mayLeadBack(from: others[other])
                && isFree(other, others, of: relationship.target)
        }
        let rivals = all.indices.filter { other in
            all[other].target == relationship.target && isFree(other, all, of: model)
                && (candidates.count != 1 || isSame && other == candidates[0]
                    || all[other].mayLeadBack(from: others[candidates[0]]))
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
        return !all[index].target.modelRelationships.contains { other in
            other.names(all[index]) && (other.part == nil || other.target == model)
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
        // What leads to a protocol has its keys in one place, where at most one of them is.
        if (relationship.part != nil) != (other.part != nil) { return relationship.part != nil }
        return (model.modelTable, relationship.name) <= (relationship.target.modelTable, other.name)
    }

    /// The relationships of a class among these; none for other models.
    func links(of type: any Model.Type) -> [Link] { links[ObjectIdentifier(type)] ?? [] }

    /// The join tables, those of one class together.
    var joinTables: [any JoinModel.Type] {
        models.flatMap { links(of: $0) }.filter { !$0.isStranger }.compactMap(\.join).filter(
            \.isOwner
        ).map(\.table)
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
                    hidden: relationship.columnName,
                    // No column is that of a property which has several.
                    relationship.part == nil ? relationship.keyPath : \Never.self,
                    type: relationship.target.keyColumn?.columnType ?? .integer,
                    isOptional: relationship.isOptional || relationship.part != nil,
                    reference: AttributeReference(
                        target: relationship.target,
                        deleteRule: deleteRule(of: link)
                    ),
                    isUnique: relationship.options.contains(.unique),
                    originalName: relationship.originalColumn
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

extension ModelRelationship {
    /// Whether it says that a relationship of its target leads back.
    fileprivate func names(_ other: ModelRelationship) -> Bool {
        if let name = part?.inverse { return other.name == name }
        return inverse.map { $0 as AnyKeyPath == other.keyPath as AnyKeyPath } ?? false
    }

    /// Whether a relationship of its target may be the one that leads back although neither says so: of
    /// objects of a protocol, only what that requires.
    fileprivate func mayLeadBack(from other: ModelRelationship) -> Bool {
        part?.requires(other.name) != false && other.part?.requires(name) != false
    }

    /// The name that its column had in an earlier version.
    fileprivate var originalColumn: String? {
        guard part != nil, let originalName else { return originalName }
        return "\(originalName)$\(target.modelTable)"
    }
}
