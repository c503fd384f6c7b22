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
        /// The class that declares it: the class itself, or one above it.
        package let owner: any ManagedModel.Type
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

    /// Looks at some models, at those that they refer to, and at their superclasses.
    ///
    /// - Complexity: linear in the number of relationships, times that of those of their targets.
    package init(_ types: [any Model.Type]) {
        var models: [any ManagedModel.Type] = []
        var known: Set<ObjectIdentifier> = []
        for case let model as any ManagedModel.Type in types {
            var chain: [any ManagedModel.Type] = []
            var next: (any ManagedModel.Type)? = model
            while let model = next, known.insert(ObjectIdentifier(model)).inserted {
                chain.append(model)
                next = model.modelSuperclass
            }
            models += chain.reversed()
        }
        self.models = models
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
            // What a class inherits leads where it does for the class that declares it.
            let owner = relationship.owner(in: model)
            let own = owner == model ? all : owner.modelRelationships
            let isPart = relationship.part != nil
            let isStranger =
                isPart && known?.contains(ObjectIdentifier(relationship.target)) == false
            var inverse: Int?
            do throws(StoreError) {
                if !isStranger { inverse = try Self.inverse(of: index, in: own, of: owner) }
            } catch {
                // A container without the class has nothing to do with it.
                if known != nil || !isPart { throw error }
            }
            var join: JoinColumns?
            if relationship.isToMany, let inverse,
                relationship.target.modelRelationships[inverse].isToMany
            {
                join = JoinColumns(owner, index, relationship, inverse: inverse)
            }
            links.append(
                Link(
                    relationship: relationship,
                    owner: owner,
                    inverse: inverse,
                    holdsKey: !isStranger && holdsKey(relationship, of: owner, inverse),
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
        // What it inherits was asked of the class that declares it.
        let own = links.filter { $0.owner == model }
        let known = Set(own.lazy.filter { !$0.isStranger }.map(\.relationship.slot))
        for relationship in own.map(\.relationship) {
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
            // Both would read the rows that the one property refers to.
            let rival = all.first { other in
                other.slot != relationship.slot && other.inverse != nil && other.part == nil
                    && relationship.part == nil && other.target == relationship.target
                    && other.names(others[found])
            }
            if let rival {
                throw StoreError(
                    .invalidSchema,
                    table: model.modelTable,
                    column: relationship.name,
                    explanation:
                        "\([rival.name, relationship.name].sorted().joined(separator: " and ")) of "
                        + "\(model) have the same inverse, \(others[found].name) of "
                        + "\(relationship.target); each needs one of its own"
                )
            }
            let owner = others[found].owner(in: relationship.target)
            guard owner == relationship.target, others[found].target == model else {
                throw StoreError(
                    .invalidSchema,
                    table: model.modelTable,
                    column: relationship.name,
                    explanation:
                        "the inverse \(others[found].name) belongs to \(owner) and leads to "
                        + "\(others[found].target); it has to belong to \(relationship.target) and "
                        + "lead to \(model)"
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
                && others[other].owner(in: relationship.target) == relationship.target
                && relationship.mayLeadBack(from: others[other])
                && isFree(other, others, of: relationship.target)
        }
        let rivals = all.indices.filter { other in
            all[other].target == relationship.target && all[other].owner(in: model) == model
                && isFree(other, all, of: model)
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
        return (model.ownTable, relationship.name) <= (relationship.target.ownTable, other.name)
    }

    /// The relationships of a class among these; none for other models.
    func links(of type: any Model.Type) -> [Link] { links[ObjectIdentifier(type)] ?? [] }

    /// The join tables, those of one class together.
    var joinTables: [any JoinModel.Type] {
        models.flatMap { model in links(of: model).filter { $0.owner == model && !$0.isStranger } }
            .compactMap(\.join).filter(\.isOwner).map(\.table)
    }

    /// The classes of these that inherit from a class, and that class itself, which comes first: each
    /// after the one above it, and those of one class in the order of their names.
    func hierarchy(of root: any ManagedModel.Type) -> [any ManagedModel.Type] {
        let below = models.filter { $0.modelSuperclass.map { $0 == root } ?? false }
        return [root]
            + below.sorted { $0.typeName < $1.typeName }.flatMap { hierarchy(of: $0) }
    }

    /// A column that rows have for a relationship.
    struct Column {
        /// The class whose objects have it.
        let model: any ManagedModel.Type
        let attribute: ModelAttribute
    }

    /// Where the rows of a class keep a relationship.
    struct Part {
        /// The class whose objects have it, and those below that class.
        let model: any ManagedModel.Type
        let columns: ModelRelationshipColumns
    }

    /// The columns that a table of some classes has beside their attributes.
    ///
    /// - Parameters:
    ///   - classes: The classes, that at the top first.
    ///   - count: How many columns the table has for attributes.
    func columns(
        of classes: [any ManagedModel.Type],
        after count: Int
    ) -> (columns: [Column], parts: [Part]) {
        var columns: [Column] = []
        var parts: [Part] = []
        for model in classes {
            for (index, link) in links(of: model).enumerated()
            where link.holdsKey && link.owner == model {
                let relationship = link.relationship
                parts.append(
                    Part(model: model, columns: .key(index: index, column: count + columns.count))
                )
                let attribute = ModelAttribute(
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
                columns.append(Column(model: model, attribute: attribute))
            }
        }
        for owner in models {
            for (index, link) in links(of: owner).enumerated()
            where link.relationship.isToMany && link.join == nil && link.owner == owner {
                guard let model = classes.first(where: { $0 == link.relationship.target }) else {
                    continue
                }
                let name = "\(owner.ownTable)$\(link.relationship.name)"
                var key: Int?
                if link.inverse == nil {
                    key = count + columns.count
                    let attribute = ModelAttribute(
                        hidden: name,
                        \Never.self,
                        type: owner.keyColumn?.columnType ?? .integer,
                        isOptional: true,
                        reference: AttributeReference(
                            target: owner,
                            deleteRule: link.relationship.deleteRule
                        )
                    )
                    columns.append(Column(model: model, attribute: attribute))
                }
                let order = count + columns.count
                parts.append(
                    Part(
                        model: model,
                        columns: .member(owner: owner, index: index, key: key, order: order)
                    )
                )
                let attribute = ModelAttribute(
                    hidden: name + "$order",
                    \Never.self,
                    type: .integer,
                    isOptional: true
                )
                columns.append(Column(model: model, attribute: attribute))
            }
        }
        return (columns, parts)
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
        return "\(originalName)$\(target.ownTable)"
    }
}
