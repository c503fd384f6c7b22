public import DovetailModel

/// A stored property of a model: ``Schema/Attribute`` or ``Schema/Relationship``.
public protocol SchemaProperty: Hashable, Sendable {
    /// The name of the property in Swift.
    var name: String { get }
    /// The name under which the value is stored.
    var originalName: String { get }
    /// The type of the property, such as `String?.self`.
    var valueType: Any.Type { get }
    /// Whether it may be nil.
    var isOptional: Bool { get }
    /// Whether no two rows have the same value.
    var isUnique: Bool { get }
    /// Whether it is kept out of the store. Such properties are in no schema.
    var isTransient: Bool { get }
    /// Whether it is a value.
    var isAttribute: Bool { get }
    /// Whether it leads to another model.
    var isRelationship: Bool { get }
}

extension SchemaProperty {
    /// No property of a schema is.
    public var isTransient: Bool { false }
}

extension Schema {
    /// A stored property with a value.
    ///
    /// It also has what the ``ModelAttribute`` has that it is made of, such as `columnType` and
    /// `isPrimaryKey`.
    @dynamicMemberLookup
    public struct Attribute: SchemaProperty {
        /// What is true of an attribute beside its type.
        public struct Option: Hashable, Sendable, CustomStringConvertible {
            /// The option's name, as it is written in `@Attribute`.
            public let description: String

            /// No two rows have the same value.
            public static let unique = Option(description: "unique")
            /// The attribute is the key of the row, or a part of it.
            public static let primaryKey = Option(description: "primaryKey")
            /// The database gives the value.
            public static let generated = Option(description: "generated")
        }

        /// How the attribute is stored, and where its value is.
        public let attribute: ModelAttribute

        init(_ attribute: ModelAttribute) {
            self.attribute = attribute
        }

        /// The name of the property in Swift.
        public var name: String { attribute.property }
        /// The name of the column, which is also the name in documents.
        public var originalName: String { attribute.name }
        /// The type of the property, such as `String?.self`.
        public var valueType: Any.Type { attribute.valueType }
        /// Whether it may be nil.
        public var isOptional: Bool { attribute.isOptional }
        /// Whether no two rows have the same value.
        public var isUnique: Bool { attribute.isUnique }
        /// Always true.
        public var isAttribute: Bool { true }
        /// Always false.
        public var isRelationship: Bool { false }

        /// The options, in a fixed order.
        public var options: [Option] {
            (attribute.isUnique ? [.unique] : []) + (attribute.isPrimaryKey ? [.primaryKey] : [])
                + (attribute.isGenerated ? [.generated] : [])
        }

        /// What the ``ModelAttribute`` has of this name.
        public subscript<Member>(dynamicMember path: KeyPath<ModelAttribute, Member>) -> Member {
            attribute[keyPath: path]
        }

        /// Whether both are the same property.
        public static func == (left: Attribute, right: Attribute) -> Bool {
            left.attribute.keyPath == right.attribute.keyPath
        }

        /// Agrees with `==`.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// A property that leads to another model: an attribute that holds its key
    /// (`@Attribute(.references(Team.self))`), or a property of a class that holds its objects.
    public struct Relationship: SchemaProperty {
        /// What becomes of this row when the one that it refers to is deleted; of a property of a class,
        /// what becomes of the other objects when its own is deleted.
        public typealias DeleteRule = DovetailModel.DeleteRule

        /// The name of the property in Swift.
        public let name: String
        /// The name of the column, which is also the name in documents.
        public let originalName: String
        /// The property.
        private let path: any AnyKeyPath & Sendable
        /// Whether it may be nil.
        public let isOptional: Bool
        /// Whether no two rows have the same value.
        public let isUnique: Bool
        /// The name of the entity that it leads to.
        public let destination: String
        /// What becomes of this row when the one that it refers to is deleted; of a property of a class,
        /// what becomes of the other objects when its own is deleted.
        public let deleteRule: DeleteRule
        /// The property that leads back; nil where none does, as with every reference by key.
        public let inverseName: String?
        private let inversePath: (any AnyKeyPath & Sendable)?
        /// Whether it leads to one row at most, as every reference does.
        public let isToOneRelationship: Bool

        /// - Returns: nil for an attribute that refers to nothing.
        init?(_ attribute: ModelAttribute) {
            guard let reference = attribute.reference else { return nil }
            name = attribute.property
            originalName = attribute.name
            path = attribute.keyPath
            isOptional = attribute.isOptional
            isUnique = attribute.isUnique
            destination = reference.target.typeName
            deleteRule = reference.deleteRule
            inverseName = nil
            inversePath = nil
            isToOneRelationship = true
        }

        init(_ link: ModelRelationships.Link) {
            let relationship = link.relationship
            let inverse = link.inverse.map { relationship.target.modelRelationships[$0] }
            name = relationship.name
            originalName = relationship.name
            path = relationship.keyPath
            isOptional = relationship.isOptional
            isUnique = false
            destination = relationship.target.typeName
            deleteRule = relationship.deleteRule
            inverseName = inverse?.name
            inversePath = inverse?.keyPath
            isToOneRelationship = !relationship.isToMany
        }

        /// The type of the property, such as `String?.self`.
        public var valueType: Any.Type { type(of: keypath).valueType }
        /// Always false.
        public var isAttribute: Bool { false }
        /// Always true.
        public var isRelationship: Bool { true }
        /// The property.
        public var keypath: AnyKeyPath { path }
        /// The property that leads back; nil where none does, as with every reference by key.
        public var inverseKeyPath: AnyKeyPath? { inversePath }

        /// Whether both are the same property.
        public static func == (left: Relationship, right: Relationship) -> Bool {
            left.keypath == right.keypath
        }

        /// Agrees with `==`.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}

extension ModelAttribute {
    /// The type of the property.
    fileprivate var valueType: Any.Type {
        type(of: keyPath as AnyKeyPath).valueType
    }
}

extension Schema.Entity {
    /// The attributes that are values only, and then the relationships.
    ///
    /// - Complexity: linear in the number of attributes.
    public var storedProperties: [any SchemaProperty] {
        attributes.filter { $0.attribute.reference == nil } + relationships
    }

    /// The stored properties by their names.
    ///
    /// - Complexity: linear in the number of attributes.
    public var storedPropertiesByName: [String: any SchemaProperty] {
        Dictionary(
            storedProperties.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
