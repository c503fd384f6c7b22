/// One stored attribute of a model: its name in documents, its property and how it is stored.
/// ``Model/modelAttributes`` lists them, and a store makes a column of each.
public struct ModelAttribute: Sendable {
    /// The name in documents, which is also the name of the column.
    public private(set) var name: String
    /// The name of the property that holds the value.
    public private(set) var property: String
    /// The property that holds the value.
    public private(set) var keyPath: any AnyKeyPath & Sendable
    /// Further properties that mean the same column: the generated `id` of a primary key. A
    /// predicate may name either.
    public private(set) var aliases: [any AnyKeyPath & Sendable]
    /// The kind of its column.
    public let columnType: ColumnType
    /// Whether the attribute may be absent, and its column NULL.
    public private(set) var isOptional: Bool
    /// Whether the attribute is (part of) the primary key.
    public private(set) var isPrimaryKey: Bool
    /// Whether no two rows may hold the same value. NULL is equal to no other one.
    public private(set) var isUnique = false
    /// Whether the database gives the value when a row is inserted without one.
    public private(set) var isGenerated = false
    /// Whether an object may be without the value until somebody reads the property.
    package private(set) var isDeferrable = false
    /// The model whose key the attribute holds; nil for others.
    public private(set) var reference: AttributeReference?
    /// The options of `@Attribute` that a schema keeps and a store does not look at.
    public private(set) var marks: [AttributeMark] = []
    /// The name that it had in an earlier version; nil where the declaration gives none.
    public private(set) var originalName: String?
    /// What tells two versions of it from each other; nil where the declaration gives none.
    public private(set) var hashModifier: String?
    /// The names of the requirements of model protocols that the attribute stands for:
    /// `@Attribute(satisfies: \(any Boxed).boxId)`. That of the property itself is not among them.
    public private(set) var satisfied: [String] = []
    /// The flattened property of whose value it is a part, where that is an enum or an optional: what its
    /// columns hold is one value, or none. Nil for others.
    package private(set) var flattenedProperty: FlattenedProperty?
    /// Whether it holds the date on which the row was deleted, and is no property.
    @usableFromInline private(set) var isDeletionMark = false
    /// Whether its store keeps whole microseconds of dates: they are rounded before they come into a row, a key or
    /// a condition, so that what is compared with stored rows is equal to what came of it.
    @usableFromInline package private(set) var roundsDates = false
    /// How a store compares constants with the column when the attribute has a transform; nil for
    /// others.
    public let transform: AttributeTransform?
    /// The name as a literal, of which `RowFields` makes the key that generated code compares.
    @usableFromInline let fieldName: StaticString
    /// The path in documents as errors print it.
    package private(set) var path: String

    /// Describes the attribute at `keyPath`. Called by generated code.
    ///
    /// - Parameter path: the path in documents, when it is not just the name.
    public init<Root, Value>(
        _ name: StaticString,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        path: StaticString? = nil,
        primaryKey: Bool = false,
        aliases: [any AnyKeyPath & Sendable] = []
    ) {
        self.name = name.description
        self.property = name.description
        self.fieldName = name
        self.path = path?.description ?? DocumentPath.component(of: name.description)
        self.keyPath = keyPath
        self.aliases = aliases
        self.isPrimaryKey = primaryKey
        self.columnType = (Value.self as? any ModelValue.Type)?.columnType ?? .document
        self.isOptional = Value.self is any OptionalValue.Type
        self.transform = nil
    }

    /// Describes the attribute at `keyPath`, which is read and written through a transform. Called
    /// by generated code.
    public init<Root, Coding: ModelCoding>(
        _ name: StaticString,
        _ keyPath: any KeyPath<Root, Coding.Value> & Sendable,
        by coding: Coding.Type,
        path: StaticString? = nil,
        primaryKey: Bool = false,
        aliases: [any AnyKeyPath & Sendable] = []
    ) {
        self.name = name.description
        self.property = name.description
        self.fieldName = name
        self.path = path?.description ?? DocumentPath.component(of: name.description)
        self.keyPath = keyPath
        self.aliases = aliases
        self.isPrimaryKey = primaryKey
        self.columnType = coding.column.type
        self.isOptional = coding.column.isOptional
        self.transform = AttributeTransform(coding)
    }

    /// Describes a column that no attribute of a document stands for: the key that the library gives
    /// the instances of a class, and the columns of relationships.
    ///
    /// - Parameters:
    ///   - keyPath: The property that predicates name; the column has none of its own otherwise.
    ///   - reference: The model whose key it holds.
    ///   - isUnique: Whether no two rows may hold the same value.
    ///   - originalName: The name that it had in an earlier version.
    package init(
        hidden name: String,
        _ keyPath: any AnyKeyPath & Sendable,
        aliases: [any AnyKeyPath & Sendable] = [],
        type: ColumnType,
        isOptional: Bool,
        primaryKey: Bool = false,
        reference: AttributeReference? = nil,
        isUnique: Bool = false,
        originalName: String? = nil
    ) {
        self.name = name
        self.property = name
        self.fieldName = ""
        self.path = name
        self.keyPath = keyPath
        self.aliases = aliases
        self.isPrimaryKey = primaryKey
        self.columnType = type
        self.isOptional = isOptional
        self.transform = nil
        self.reference = reference
        self.isUnique = isUnique
        self.originalName = originalName
    }

    /// The column with the date on which a row was deleted, of a model whose rows are marked.
    package static var deletionMark: ModelAttribute {
        var attribute = ModelAttribute(
            hidden: "$deleted",
            \Never.self,
            type: .date,
            isOptional: true
        )
        attribute.isDeletionMark = true
        return attribute
    }

    /// The same attribute with what few attributes have. Called by generated code; each parameter of
    /// the initializers costs the compiler time at every attribute.
    ///
    /// - Parameters:
    ///   - property: the property's name, when it is not the name in documents.
    ///   - traits: what a store has to keep true.
    ///   - satisfies: the requirements that it stands for.
    public func with(
        property: StaticString? = nil,
        traits: [AttributeTrait] = [],
        satisfies: [StaticString] = []
    ) -> ModelAttribute {
        var attribute = self
        attribute.satisfied = satisfies.map(\.description)
        if let property { attribute.property = property.description }
        attribute.isUnique = traits.contains(where: \.isUnique)
        attribute.isGenerated = traits.contains(where: \.isGenerated)
        attribute.isDeferrable =
            traits.contains(where: \.isDeferrable)
            && Swift.type(of: keyPath as AnyKeyPath).valueType is any DeferrableValue.Type
        attribute.reference = traits.lazy.compactMap(\.reference).first
        attribute.marks = traits.compactMap(\.mark)
        attribute.originalName = traits.lazy.compactMap(\.formerName).first
        attribute.hashModifier = traits.lazy.compactMap(\.modifier).first
        return attribute
    }
}

extension ModelAttribute {
    /// Whether a property with a value is stored in it, and no column that the library has made: a hidden key,
    /// a relationship, a place in a list.
    package var isDeclared: Bool { fieldName.utf8CodeUnitCount > 0 }

    /// The same attribute in a store that keeps whole microseconds of dates.
    package var roundingDates: ModelAttribute {
        var attribute = self
        attribute.roundsDates = true
        return attribute
    }

    /// The same key as a class names it that has subclasses or is one.
    package func identifying(_ model: any ManagedModel.Type) -> ModelAttribute {
        let identity = model.modelIdentity
        guard isPrimaryKey, identity.count == 2 else { return self }
        var attribute = self
        if isDeclared {
            attribute.aliases.append(identity[0])
        } else {
            attribute.keyPath = identity[0]
            if !aliases.isEmpty { attribute.aliases = [identity[1]] }
        }
        return attribute
    }

    /// The same attribute of another class that has it.
    package func at(_ keyPath: any AnyKeyPath & Sendable) -> ModelAttribute {
        var attribute = self
        attribute.keyPath = keyPath
        return attribute
    }

    /// The same attribute where its model is flattened in another one.
    ///
    /// - Parameters:
    ///   - outer: The property that holds the model.
    ///   - property: Its name.
    ///   - prefix: What is put before the name.
    ///   - isOptional: Whether the property is an optional.
    ///   - identifier: The `id` of the other model, where the key of this one is its key.
    func flattened(
        in outer: any AnyKeyPath & Sendable,
        property: String,
        prefix: String?,
        isOptional: Bool,
        identifier: (any AnyKeyPath & Sendable)?
    ) -> ModelAttribute {
        var attribute = self
        if let prefix {
            attribute.name = FlattenedField.join(prefix, name)
            attribute.path = DocumentPath.component(of: attribute.name)
        }
        attribute.property = "\(property).\(self.property)"
        attribute.keyPath = Self.path(keyPath, in: outer)
        attribute.isOptional = self.isOptional || isOptional
        if isOptional || flattenedProperty?.name.isEmpty == true {
            attribute.flattenedProperty = FlattenedProperty(name: property, path: outer)
        } else {
            attribute.flattenedProperty = flattenedProperty.map { inner in
                FlattenedProperty(
                    name: "\(property).\(inner.name)",
                    path: Self.path(inner.path, in: outer)
                )
            }
        }
        attribute.isPrimaryKey = isPrimaryKey && identifier != nil && !isOptional
        attribute.aliases =
            attribute.isPrimaryKey
            ? identifier.map { [$0] } ?? [] : aliases.map { Self.path($0, in: outer) }
        return attribute
    }

    /// The same attribute as the column of a case of an enum, which becomes a part of the property that the
    /// enum is flattened in.
    func asCase() -> ModelAttribute {
        var attribute = self
        attribute.flattenedProperty = FlattenedProperty(name: "", path: \Never.self)
        return attribute
    }

    /// The path to a member; one that leads nowhere where the member has no path.
    private static func path(
        _ member: any AnyKeyPath & Sendable,
        in outer: any AnyKeyPath & Sendable
    ) -> any AnyKeyPath & Sendable {
        guard let path = (outer as AnyKeyPath).appendingMember(member as AnyKeyPath) else {
            return \Never.self
        }
        // Invariant: `Sendable` is a marker without a form at run time. Key paths do not change, and
        // both parts are paths of stored properties, which capture nothing.
        return unsafeBitCast(path, to: (any AnyKeyPath & Sendable).self)
    }

    /// The same attribute as a column of a table that several classes share.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - isOptional: Whether rows may lack it, which are of other classes.
    package func inTable(named name: String, isOptional: Bool) -> ModelAttribute {
        var attribute = self
        attribute.name = name
        attribute.isOptional = isOptional
        return attribute
    }

    /// Whether equal values have one form in the columns of both, so that these can be compared with
    /// each other, and one be read as the other.
    package func isStored(like other: ModelAttribute) -> Bool {
        columnType == other.columnType && transform?.identity == other.transform?.identity
    }
}

/// A flattened enum or optional, whose columns hold nothing sensible but together.
package struct FlattenedProperty: Sendable {
    /// Its name, with those of the properties that it is inside of.
    package let name: String
    /// The property.
    package let path: any AnyKeyPath & Sendable
}

/// What a store has to know of a transform: how a value of the property looks in the column.
public struct AttributeTransform: Sendable {
    /// How a value changes that is written and read again. A predicate needs it for a constant that
    /// the stored form cannot hold.
    public enum Rounding: Sendable {
        /// The value itself comes back, or nothing is known.
        case exact
        /// A smaller one comes back.
        case down
        /// A larger one comes back.
        case up
        /// Another one comes back, and there is no order.
        case other
    }

    /// Whether the columns are in the order of the values, so that `<` and sorting can be SQL.
    public let keepsOrder: Bool
    /// What tells transforms from each other: the columns of one are compared with each other.
    package let identity: ObjectIdentifier
    private let write: @Sendable (Any, inout ModelWriter) throws -> Bool
    private let read: @Sendable (inout ModelReader) throws -> Any
    private let round: (@Sendable (Any) throws -> Rounding)?

    init<Coding: ModelCoding>(_ coding: Coding.Type) {
        keepsOrder = coding.column.keepsOrder
        identity = ObjectIdentifier(coding)
        round = coding.column.rounding
        read = { try coding.decode(from: &$0) }
        write = { value, writer in
            guard let value = value as? Coding.Value else { return false }
            try coding.encode(value, to: &writer)
            return true
        }
    }

    /// Writes a value of the property's type as column 0 of a row; false for a value of another
    /// type. A store binds a constant of a predicate with it.
    ///
    /// - Throws: what the transform throws, and ``ModelEncodingError``.
    public func write(_ value: Any, to sink: any RowSink) throws -> Bool {
        var writer = ModelWriter(row: sink)
        writer.column = 0
        return try write(value, &writer)
    }

    /// The same as the column at which a writer is.
    func write(_ value: Any, to writer: inout ModelWriter) throws -> Bool {
        try write(value, &writer)
    }

    /// Reads a value and writes it again.
    ///
    /// - Throws: what the transform throws, ``ModelDecodingError`` and ``ModelEncodingError``.
    func copy(from reader: inout ModelReader, to writer: inout ModelWriter) throws {
        _ = try write(read(&reader), &writer)
    }

    /// The value of a column of a row, which has the type of the property.
    ///
    /// - Throws: what the transform throws, and ``ModelDecodingError``.
    package func readColumn(_ column: Int, of row: any RowSource) throws -> Any {
        var reader = ModelReader(column, of: row, fields: RowFields([]))
        return try read(&reader)
    }

    /// How `value` changes when it is written and read again.
    ///
    /// - Throws: what the transform throws.
    public func rounding(of value: Any) throws -> Rounding {
        try round?(value) ?? .exact
    }
}

/// Tells optionals from other types at run time.
package protocol OptionalValue {
    /// The type without the option to be nil.
    static var wrapped: Any.Type { get }
    /// Whether it is nil.
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    package static var wrapped: Any.Type { Wrapped.self }
    package var isNil: Bool { self == nil }
}
