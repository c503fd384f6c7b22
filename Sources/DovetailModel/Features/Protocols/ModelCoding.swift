/// Stands for a type that is no ``ModelValue`` itself, because it is or holds `any P`.
///
/// Generated code names the coding of a property by its type; nothing here is made at run time.
public protocol ModelCoding: SendableMetatype {
    /// The type that is read and written.
    associatedtype Value
    /// Reads the value at which `reader` stands.
    static func decode(from reader: inout ModelReader) throws -> Value
    /// Writes a value.
    static func encode(_ value: Value, to writer: inout ModelWriter) throws
    /// Whether a field with this value is left out.
    static func isAbsent(_ value: Value) -> Bool
    /// How a store keeps the value.
    static var column: CodedColumn { get }
    /// Whether a collection leaves out elements that cannot be read.
    static var skipsUnknown: Bool { get }
}

/// The column of what a ``ModelCoding`` writes.
public struct CodedColumn: Sendable {
    /// Its kind.
    public var type: ColumnType
    /// Whether it may be NULL.
    public var isOptional = false
    /// Whether rows are in the order of the values.
    public var keepsOrder = false
    /// How a transform changes a value that its stored form cannot hold.
    var rounding: (@Sendable (Any) throws -> AttributeTransform.Rounding)?

    /// An embedded document.
    public static let document = CodedColumn(type: .document)
}

extension ModelCoding {
    /// Only nil is left out.
    @inlinable
    public static func isAbsent(_ value: Value) -> Bool { false }

    /// An embedded document.
    public static var column: CodedColumn { .document }

    /// No element is left out.
    @inlinable
    public static var skipsUnknown: Bool { false }
}

/// The coding of `T?`, made of the coding of `T`.
public enum OptionalCoding<Wrapped: ModelCoding>: ModelCoding {
    /// Reads null or a value.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Wrapped.Value? {
        try reader.readNull() ? nil : Wrapped.decode(from: &reader)
    }

    /// Writes null or the value.
    @inlinable
    public static func encode(_ value: Wrapped.Value?, to writer: inout ModelWriter) throws {
        guard let value else { return try writer.writeNull() }
        try Wrapped.encode(value, to: &writer)
    }

    /// Nil is left out.
    @inlinable
    public static func isAbsent(_ value: Wrapped.Value?) -> Bool { value == nil }

    /// The column of the wrapped value; it may be NULL.
    public static var column: CodedColumn {
        var column = Wrapped.column
        column.isOptional = true
        return column
    }
}

/// The coding of `[T]`, made of the coding of `T`.
public enum ArrayCoding<Element: ModelCoding>: ModelCoding {
    /// Reads an array.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> [Element.Value] {
        if Element.skipsUnknown { return try decodeSkipping(from: &reader) }
        var values: [Element.Value] = []
        var array = try reader.beginArray()
        while try reader.nextElement(in: &array) {
            if values.count == values.capacity, values.count >= 64 {
                values.reserveCapacity(reader.capacity(behind: values.count, of: array))
            }
            values.append(try Element.decode(from: &reader))
        }
        return values
    }

    /// Reads an array without the elements that cannot be read.
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
    /// Reads an array; equal elements become one.
    public static func decode(from reader: inout ModelReader) throws -> Set<Element.Value> {
        Set(try ArrayCoding<Element>.decode(from: &reader))
    }

    /// Writes an array, its elements in the order of their bytes.
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
    /// Reads an object.
    public static func decode(from reader: inout ModelReader) throws -> [Key: Element.Value] {
        try reader.readDictionary { try decodeMember(from: &$0) }
    }

    /// Reads the value of a field; nil for one that is left out.
    @inlinable
    static func decodeMember(from reader: inout ModelReader) throws -> Element.Value? {
        guard Element.skipsUnknown else { return .some(try Element.decode(from: &reader)) }
        return try reader.element { try Element.decode(from: &$0) }
    }

    /// Writes an object.
    public static func encode(_ value: [Key: Element.Value], to writer: inout ModelWriter) throws {
        try writer.writeDictionary(value) { try Element.encode($0, to: &$1) }
    }
}
