/// One stored attribute of a model: its name in documents, where it lives and how it is stored.
public struct ModelAttribute: Sendable {
    /// The name in documents, which is also the name of the column.
    public let name: String
    /// The property that holds the value.
    public let keyPath: any AnyKeyPath & Sendable
    /// Further properties that stand for the same column: the generated `id` of a primary key.
    public let aliases: [any AnyKeyPath & Sendable]
    /// The kind of its column.
    public let columnType: ColumnType
    /// Whether the attribute may be absent.
    public let isOptional: Bool
    /// Whether the attribute is (part of) the primary key.
    public let isPrimaryKey: Bool
    /// How constants are compared with the column, when a transform stands between the two.
    public let transform: AttributeTransform?
    /// The name as a reader hands it to generated code.
    @usableFromInline let fieldName: StaticString
    /// The path in documents as errors print it.
    let path: String

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
        self.fieldName = name
        self.path = path?.description ?? DocumentPath.component(of: name.description)
        self.keyPath = keyPath
        self.aliases = aliases
        self.isPrimaryKey = primaryKey
        self.columnType = coding.column.type
        self.isOptional = coding.column.isOptional
        self.transform = AttributeTransform(coding)
    }
}

/// What a store has to know of a transform: how a value of the property looks in the column.
public struct AttributeTransform: Sendable {
    /// What becomes of a value that is written and read again.
    public enum Rounding: Sendable {
        /// It comes back, or nobody can tell.
        case exact
        /// A smaller one comes back.
        case down
        /// A larger one comes back.
        case up
        /// Another one comes back, and there is no order.
        case other
    }

    /// Whether columns are in the order of the values.
    public let keepsOrder: Bool
    private let write: @Sendable (Any, any RowSink) throws -> Bool
    private let round: (@Sendable (Any) throws -> Rounding)?

    init<Coding: ModelCoding>(_ coding: Coding.Type) {
        keepsOrder = coding.column.keepsOrder
        round = coding.column.rounding
        write = { value, sink in
            guard let value = value as? Coding.Value else { return false }
            var writer = ModelWriter(row: sink)
            writer.column = 0
            try coding.encode(value, to: &writer)
            return true
        }
    }

    /// Writes a value of the property's type as column 0 of a row; false for another type.
    ///
    /// - Throws: what the transform throws, and ``ModelEncodingError``.
    public func write(_ value: Any, to sink: any RowSink) throws -> Bool {
        try write(value, sink)
    }

    /// What becomes of a value that is written and read again.
    ///
    /// - Throws: what the transform throws.
    public func rounding(of value: Any) throws -> Rounding {
        try round?(value) ?? .exact
    }
}

/// Tells optionals from other types at run time.
protocol OptionalValue {}
extension Optional: OptionalValue {}
