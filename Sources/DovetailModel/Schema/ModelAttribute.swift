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
    /// The name as a reader hands it to generated code.
    @usableFromInline let fieldName: StaticString

    /// Describes the attribute at `keyPath`. Called by generated code.
    public init<Root, Value>(
        _ name: StaticString,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        primaryKey: Bool = false,
        aliases: [any AnyKeyPath & Sendable] = []
    ) {
        self.name = name.description
        self.fieldName = name
        self.keyPath = keyPath
        self.aliases = aliases
        self.isPrimaryKey = primaryKey
        self.columnType = (Value.self as? any ModelValue.Type)?.columnType ?? .document
        self.isOptional = Value.self is any OptionalValue.Type
    }
}

/// Tells optionals from other types at run time.
protocol OptionalValue {}
extension Optional: OptionalValue {}
