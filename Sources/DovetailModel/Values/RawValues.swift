// Models that are a single raw value: enums with `@Model` and typed identifiers.

extension ModelValue where Self: RawRepresentable, RawValue: ModelValue {
    /// Stored as its raw value.
    public static var columnType: ColumnType { RawValue.columnType }

    /// Reads the raw value.
    ///
    /// - Throws: ``ModelDecodingError`` when no case has it (`unknownCase`), and what the raw type
    ///   throws.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        let start = reader.cursor
        let rawValue = try RawValue(modelValue: &reader)
        guard let value = Self(rawValue: rawValue) else {
            throw reader.unknownCase(of: Self.self, at: start)
        }
        self = value
    }

    /// Writes the raw value.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        try rawValue.encode(to: &writer)
    }
}

/// An identifier with a type of its own over a plain value, so that a box and its owner cannot be
/// mixed up. It is written and stored as the plain value.
///
/// ```swift
/// struct BoxID: TypedIdentifier { let rawValue: Int64 }
///
/// @Model struct Box: Identifiable {
///     var id: BoxID
///     var label: String
/// }
/// ```
///
/// As the key of a dictionary it is a field name. It is `Codable`, as its raw value, because
/// `#Predicate` asks that of what it compares with: `#Predicate<Box> { $0.id == id }`.
public protocol TypedIdentifier: RawRepresentable, Hashable, Codable, Sendable, ModelValue, ModelKey
where RawValue: ModelValue & Hashable & Codable & Sendable & ModelKey {}
