public import DovetailModel

extension Schema {
    /// What a schema says of one model, in SwiftData's words.
    ///
    /// ```swift
    /// let entity = schema.entitiesByName["User"]
    /// entity?.attributes.map(\.name)          // ["id", "name", "teamID"]
    /// entity?.relationships.map(\.destination)    // ["Team"]
    /// entity?.table                           // "User", of the binding
    /// ```
    ///
    /// It also has what its ``binding`` has, such as `table`, `type` and `description`: a store reads
    /// the columns there. Two entities are equal when they are of one model.
    @dynamicMemberLookup
    public struct Entity: Hashable, Sendable {
        /// The model, its table and its columns.
        public let binding: EntityBinding

        /// Describes a model.
        ///
        /// - Complexity: O(1).
        public init(_ binding: EntityBinding) {
            self.binding = binding
        }

        /// The model's name in documents and stores: ``Schema/entityName(for:)``.
        public var name: String { binding.type.typeName }

        /// The stored properties, in the order of their columns. One that holds the key of another
        /// model is among them, and is the name of one of the ``relationships``. The columns that a class
        /// has for its relationships and its key are not.
        ///
        /// - Complexity: linear in their number.
        public var attributes: [Attribute] {
            binding.classColumns.map { Attribute(binding.attributes[$0]) }
        }

        /// The name of the entity of the superclass; nil without one with `@Model`.
        public var superentityName: String? {
            (binding.type as? any ManagedModel.Type)?.modelSuperclass?.typeName
        }

        /// The attributes by the names of their properties.
        ///
        /// - Complexity: linear in their number.
        public var attributesByName: [String: Attribute] {
            Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// What leads to other models: attributes that hold a key, in the order of their columns, and
        /// the relationships of a class in the order of their declaration.
        ///
        /// - Complexity: linear in the number of attributes.
        public var relationships: [Relationship] {
            binding.classColumns.compactMap { Relationship(binding.attributes[$0]) }
                + Relationship.all(binding.links)
        }

        /// The relationships by the names of their properties.
        ///
        /// - Complexity: linear in the number of attributes.
        public var relationshipsByName: [String: Relationship] {
            Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The groups of properties that no two rows share: those of `@Attribute(.unique)` first,
        /// then those of `#Unique`. The key is none of them.
        ///
        /// - Complexity: linear in the number of attributes and groups.
        public var uniquenessConstraints: [[String]] {
            (attributes.map(\.attribute) + binding.attributes.dropFirst(binding.declaredCount))
                .filter(\.isUnique).map { [$0.property] }
                + binding.type.modelIndexes.filter(\.isUnique).map(\.properties)
        }

        /// The lists of properties of `#Index`, in their order.
        ///
        /// - Complexity: linear in their number.
        public var indices: [[String]] {
            binding.type.modelIndexes.filter { !$0.isUnique }.map(\.properties)
        }

        /// What the binding has of this name.
        public subscript<Member>(dynamicMember path: KeyPath<EntityBinding, Member>) -> Member {
            binding[keyPath: path]
        }

        /// Whether both are of one model.
        public static func == (left: Entity, right: Entity) -> Bool {
            left.binding.type == right.binding.type
        }

        /// Agrees with `==`.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(binding.type))
        }
    }

    /// The entities, in the order in which they were given. Join tables are none; a store makes its
    /// tables of the ``bindings``.
    ///
    /// - Complexity: linear in their number; nothing of their attributes is copied.
    public var entities: [Entity] {
        (bindings.filter { !($0.type is any JoinModel.Type) } + subclasses).map { Entity($0) }
    }

    /// The entities by their names. Of two with one name, which ``validate()`` refuses, it has the
    /// first.
    ///
    /// - Complexity: linear in their number.
    public var entitiesByName: [String: Entity] {
        Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name of a model's entity, which does not depend on a schema.
    ///
    /// ```swift
    /// Schema.entityName(for: LibraryV1.Book.self)     // "Book"
    /// ```
    public static func entityName(for type: any Model.Type) -> String { type.typeName }

    /// The entity of a model; nil when the schema was made without it.
    ///
    /// - Complexity: O(1).
    public func entity(for type: any Model.Type) -> Entity? {
        (try? entity(type)).map { Entity($0) }
    }
}

extension Schema: Hashable {
    /// Whether both have the same models in the same order, and the same version.
    public static func == (left: Schema, right: Schema) -> Bool {
        left.version == right.version && left.entities == right.entities
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(version)
        hasher.combine(entities)
    }
}
