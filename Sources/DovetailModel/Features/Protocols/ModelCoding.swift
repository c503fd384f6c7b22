/// How a type is read and written that is no ``ModelValue`` itself: one that is or holds `any P`,
/// or has a ``ModelTransform``.
///
/// Codings are types without values, put together by the compiler: for `[String: any Asset]?`
/// generated code names `OptionalCoding<DictionaryCoding<String, AssetModel>>`. Nothing is made or
/// looked up at run time. Macros name codings; a program only does so at the root of a document:
///
/// ```swift
/// let table = RootCoding(CompositionCoding<VehicleModel, any Vehicle & Insured>.self)
/// ```
public protocol ModelCoding: SendableMetatype {
    /// The type that is read and written.
    associatedtype Value
    /// Reads the value under the cursor of `reader`.
    ///
    /// - Throws: ``ModelDecodingError`` when the document holds something else.
    static func decode(from reader: inout ModelReader) throws -> Value
    /// Writes a value.
    ///
    /// - Throws: ``ModelEncodingError`` when the value has no form in the writer's format.
    static func encode(_ value: Value, to writer: inout ModelWriter) throws
    /// Whether a field with this value is left out of its object; nil is.
    static func isAbsent(_ value: Value) -> Bool
    /// Whether null is one of the values, as ``ModelValue/readsNull`` says of a type.
    static var readsNull: Bool { get }
    /// The kinds of document values that are read, as ``ModelValue/documentKinds`` says of a type.
    static var documentKinds: DocumentKinds { get }
    /// How a store keeps the value.
    static var column: CodedColumn { get }
    /// Whether a collection leaves out elements that cannot be read, instead of failing.
    static var skipsUnknown: Bool { get }
}

/// The column of what a ``ModelCoding`` writes.
public struct CodedColumn: Sendable {
    /// Its kind, which a dialect maps to a type of its database.
    public var type: ColumnType
    /// Whether it may be NULL.
    public var isOptional = false
    /// Whether the order of the column is that of the values. Without it `<` and sorting are errors
    /// in predicates.
    public var keepsOrder = false
    /// How a transform changes a value that its stored form cannot hold; nil without a transform.
    /// Predicates ask it about constants.
    var rounding: (@Sendable (Any) throws -> AttributeTransform.Rounding)?

    /// An embedded document, kept as JSON.
    public static let document = CodedColumn(type: .document)
}

extension ModelCoding {
    /// No value is left out. ``OptionalCoding`` says otherwise.
    @inlinable
    public static func isAbsent(_ value: Value) -> Bool { false }

    /// Any kind but null.
    @inlinable
    public static var documentKinds: DocumentKinds { .any }

    /// Null is no value.
    @inlinable
    public static var readsNull: Bool { false }

    /// An embedded document.
    public static var column: CodedColumn { .document }

    /// No element is left out.
    @inlinable
    public static var skipsUnknown: Bool { false }
}

/// The coding of `T?`, made of the coding of `T`.
public enum OptionalCoding<Wrapped: ModelCoding>: ModelCoding {
    /// Reads null or a value, as an optional of a ``ModelValue`` does.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Wrapped.Value? {
        if Wrapped.readsNull {
            return try reader.isAbsentColumn() ? nil : Wrapped.decode(from: &reader)
        }
        return try reader.readNull() ? nil : Wrapped.decode(from: &reader)
    }

    /// Writes null or the value.
    @inlinable
    public static func encode(_ value: Wrapped.Value?, to writer: inout ModelWriter) throws {
        guard let value else { return try writer.writeNull() }
        guard Wrapped.readsNull else { return try Wrapped.encode(value, to: &writer) }
        try writer.embed { try Wrapped.encode(value, to: &$0) }
    }

    /// Null, and what the wrapped coding reads.
    @inlinable
    public static var documentKinds: DocumentKinds { Wrapped.documentKinds.union(.null) }

    /// Null is nil.
    @inlinable
    public static var readsNull: Bool { true }

    /// Nil is left out.
    @inlinable
    public static func isAbsent(_ value: Wrapped.Value?) -> Bool { value == nil }

    /// The column of the wrapped value, or a document where null is one of its values; it may be
    /// NULL.
    public static var column: CodedColumn {
        var column = Wrapped.readsNull ? .document : Wrapped.column
        column.isOptional = true
        return column
    }
}

/// The coding of `[T]`, made of the coding of `T`.
public enum ArrayCoding<Element: ModelCoding>: ModelCoding {
    /// An array.
    @inlinable
    public static var documentKinds: DocumentKinds { .array }

    /// Reads an array.
    ///
    /// - Complexity: linear. At the root of JSON the capacity is estimated from the 64th element
    ///   on, by the bytes that are left of the document.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> [Element.Value] {
        if Element.skipsUnknown { return try decodeSkipping(from: &reader) }
        var values: [Element.Value] = []
        var array = try reader.beginArray()
        while try reader.nextElement(in: &array) {
            if values.count == values.capacity, values.count >= 64 {
                values.reserveCapacity(reader.capacity(after: values.count, of: array))
            }
            values.append(try Element.decode(from: &reader))
        }
        return values
    }

    /// Reads an array without the elements that cannot be read, which the reader reports when it
    /// was asked to (``SkippedElement``).
    @inlinable
    static func decodeSkipping(from reader: inout ModelReader) throws -> [Element.Value] {
        var values: [Element.Value] = []
        var array = try reader.beginArray()
        while try reader.nextElement(in: &array) {
            if let value = try reader.element({ try Element.decode(from: &$0) }) {
                values.append(value)
            }
        }
        return values
    }

    /// Writes an array.
    @inlinable
    public static func encode(_ value: [Element.Value], to writer: inout ModelWriter) throws {
        let scope = try writer.beginArray()
        for element in value {
            try Element.encode(element, to: &writer)
            writer.putComma()
        }
        try writer.endArray(scope)
    }
}

/// The coding of `Set<T>`, made of the coding of `T`.
public enum SetCoding<Element: ModelCoding>: ModelCoding where Element.Value: Hashable {
    /// An array.
    @inlinable
    public static var documentKinds: DocumentKinds { .array }

    /// Reads an array; equal elements become one.
    public static func decode(from reader: inout ModelReader) throws -> Set<Element.Value> {
        Set(try ArrayCoding<Element>.decode(from: &reader))
    }

    /// Writes an array. The order of its elements depends on what they are and on nothing else, so
    /// equal sets are equal documents; in JSON it is that of their bytes.
    ///
    /// - Complexity: O(n log n) in the number of elements.
    public static func encode(
        _ value: Set<Element.Value>,
        to writer: inout ModelWriter
    ) throws {
        let scope = try writer.beginArray()
        var starts: [Int] = []
        for element in value {
            starts.append(writer.elementPosition)
            try Element.encode(element, to: &writer)
            writer.putComma()
        }
        writer.sortElements(from: starts)
        try writer.endArray(scope)
    }
}

/// The coding of `[K: T]`, made of the coding of `T`.
public enum DictionaryCoding<Key: ModelKey, Element: ModelCoding>: ModelCoding {
    /// An object.
    @inlinable
    public static var documentKinds: DocumentKinds { .object }

    /// Reads an object, each member as a key and a value.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no object, for a name that is no `Key`, and for
    ///   a key that comes twice.
    public static func decode(from reader: inout ModelReader) throws -> [Key: Element.Value] {
        try reader.readDictionary { try decodeMember(from: &$0) }
    }

    /// Reads the value of a field; nil for one that is left out.
    @inlinable
    static func decodeMember(from reader: inout ModelReader) throws -> Element.Value? {
        guard Element.skipsUnknown else { return .some(try Element.decode(from: &reader)) }
        return try reader.element { try Element.decode(from: &$0) }
    }

    /// Writes an object, its members in the order of their names.
    ///
    /// - Complexity: O(n log n) in the number of members.
    public static func encode(_ value: [Key: Element.Value], to writer: inout ModelWriter) throws {
        try writer.writeDictionary(value) { try Element.encode($0, to: &$1) }
    }
}
