public import DovetailModel

/// A stored property of a model: ``Schema/Attribute`` or ``Schema/Relationship``.
public protocol SchemaProperty: Hashable, Sendable {
    /// The name of the property in Swift.
    var name: String { get }
    /// The name that it had in an earlier version, where the declaration says one; otherwise the name
    /// under which the value is stored.
    var originalName: String { get }
    /// What tells two versions of it from each other; nil where the declaration says nothing.
    var hashModifier: String? { get }
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
            /// The value is large. It is stored as others are.
            public static let externalStorage = Option(description: "externalStorage")
            /// The value stays in the history of deleted rows, as all values do.
            public static let preserveValueOnDeletion = Option(
                description: "preserveValueOnDeletion"
            )
            /// The value is to be found by a search, of which there is none.
            public static let spotlight = Option(description: "spotlight")
            /// The value is to be encrypted in iCloud. Nothing is synchronized.
            public static let allowsCloudEncryption = Option(description: "allowsCloudEncryption")
            /// A `ValueTransformer` makes the column.
            public static let transformable = Option(description: "transformable")
            /// The property is observed and not stored. No attribute of a schema has it.
            public static let ephemeral = Option(description: "ephemeral")
        }

        /// How the attribute is stored, and where its value is.
        public let attribute: ModelAttribute

        init(_ attribute: ModelAttribute) {
            self.attribute = attribute
        }

        /// The name of the property in Swift.
        public var name: String { attribute.property }
        /// The name that it had in an earlier version, where `originalName:` says one; otherwise the name
        /// of the column, which is also the name in documents.
        public var originalName: String { attribute.originalName ?? attribute.name }
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

        /// What `hashModifier:` says.
        public var hashModifier: String? { attribute.hashModifier }

        /// The options, in a fixed order.
        public var options: [Option] {
            (attribute.isUnique ? [.unique] : []) + (attribute.isPrimaryKey ? [.primaryKey] : [])
                + (attribute.isGenerated ? [.generated] : [])
                + attribute.marks.map { Option(description: $0.rawValue) }
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
}

extension ModelAttribute {
    /// The type of the property.
    var valueType: Any.Type {
        type(of: keyPath as AnyKeyPath).valueType
    }
}

extension Schema.Entity {
    /// The attributes that are values only, and then the relationships.
    ///
    /// - Complexity: linear in the number of attributes.
    public var storedProperties: [any SchemaProperty] {
        attributes.filter { $0.reference == nil }.map { $0 as any SchemaProperty }
            + relationships.map { $0 as any SchemaProperty }
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
