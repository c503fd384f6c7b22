public import DovetailModel

extension Schema {
    /// A property that leads to another model: of a class one that holds other objects, of other models
    /// an attribute that holds a key (`@Attribute(.references(Team.self))`).
    public struct Relationship: SchemaProperty {
        /// What becomes of the others. Of an attribute that holds a key it is what becomes of its own
        /// row when the one that it refers to is deleted.
        public typealias DeleteRule = DovetailModel.DeleteRule
        /// What `@Relationship` can say without a label.
        public typealias Option = RelationshipOption

        /// The name of the property in Swift.
        public let name: String
        /// The name that it had in an earlier version, where `originalName:` says one; otherwise the name
        /// in documents.
        public let originalName: String
        /// What `hashModifier:` says.
        public let hashModifier: String?
        /// The type of the property, such as `Team?.self`.
        public let valueType: Any.Type
        /// Whether it may be nil.
        public let isOptional: Bool
        /// Whether no two rows lead to the same one.
        public let isUnique: Bool
        /// What is said without a label.
        public let options: [Option]
        /// The name of the entity that it leads to; of a relationship to a protocol that of the protocol.
        public let destination: String
        /// What becomes of the others, or of its own row: see ``DeleteRule``.
        public let deleteRule: DeleteRule
        /// The property.
        public var keypath: AnyKeyPath { path }
        /// The name of the property that leads back; nil without one.
        public let inverseName: String?
        /// The property that leads back; nil without one.
        public var inverseKeyPath: AnyKeyPath? { inversePath }
        /// Whether it leads to one row at most.
        public let isToOneRelationship: Bool
        /// How few it may hold; 0 for any number.
        public let minimumModelCount: Int?
        /// How many it may hold; 0 for any number, and 1 where it leads to one row.
        public let maximumModelCount: Int?

        let path: any AnyKeyPath & Sendable
        private let inversePath: (any AnyKeyPath & Sendable)?

        /// Always false.
        public var isAttribute: Bool { false }
        /// Always true.
        public var isRelationship: Bool { true }

        /// - Returns: nil for an attribute that refers to nothing.
        init?(_ attribute: ModelAttribute) {
            guard let reference = attribute.reference else { return nil }
            name = attribute.property
            originalName = attribute.originalName ?? attribute.name
            hashModifier = attribute.hashModifier
            valueType = attribute.valueType
            isOptional = attribute.isOptional
            isUnique = attribute.isUnique
            options = attribute.isUnique ? [.unique] : []
            destination = reference.target.typeName
            deleteRule = reference.deleteRule
            inverseName = nil
            isToOneRelationship = true
            minimumModelCount = attribute.isOptional ? 0 : 1
            maximumModelCount = 1
            path = attribute.keyPath
            inversePath = nil
        }

        /// The relationships of a class: of the parts of one to a protocol the first that is known.
        static func all(_ links: [ModelRelationships.Link]) -> [Relationship] {
            var all: [ModelRelationships.Link] = []
            for link in links {
                // The parts follow each other.
                let isSame = all.last.map { last in
                    last.owner == link.owner && last.relationship.slot == link.relationship.slot
                }
                if isSame != true {
                    all.append(link)
                } else if all[all.count - 1].isStranger, !link.isStranger {
                    all[all.count - 1] = link
                }
            }
            return all.map { Relationship($0) }
        }

        private init(_ link: ModelRelationships.Link) {
            let relationship = link.relationship
            let inverse = link.inverse.map { relationship.target.modelRelationships[$0] }
            name = relationship.name
            originalName = relationship.originalName ?? relationship.name
            hashModifier = relationship.hashModifier
            valueType = type(of: relationship.keyPath as AnyKeyPath).valueType
            isOptional = relationship.isOptional
            isUnique = relationship.options.contains(.unique)
            options = relationship.options
            destination =
                relationship.part?.requirements.protocolName ?? relationship.target.typeName
            deleteRule = relationship.deleteRule
            inverseName = inverse?.name
            isToOneRelationship = !relationship.isToMany
            let least = relationship.isToMany || relationship.isOptional ? 0 : 1
            minimumModelCount = relationship.minimumModelCount ?? least
            maximumModelCount = relationship.maximumModelCount ?? (relationship.isToMany ? 0 : 1)
            path = relationship.keyPath
            inversePath = inverse?.keyPath
        }

        /// Whether both are the same property.
        public static func == (left: Relationship, right: Relationship) -> Bool {
            left.keypath == right.keypath
        }

        /// Agrees with `==`.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
