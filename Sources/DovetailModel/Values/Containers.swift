import Foundation

extension Optional: ModelValue where Wrapped: ModelValue {
    /// The column kind of the wrapped value, or a document where null is one of its values; the
    /// column may be NULL.
    public static var columnType: ColumnType { Wrapped.readsNull ? .document : Wrapped.columnType }

    /// Null is nil.
    @inlinable
    public static var readsNull: Bool { true }

    /// Null, and what the wrapped type reads.
    @inlinable
    public static var documentKinds: DocumentKinds { Wrapped.documentKinds.union(.null) }

    /// Reads null or a value. Where null is a value of the wrapped type, as in `Int??` and
    /// `ModelDocument?`, it is read as that: nil is then an absent field, and NULL in a row.
    ///
    /// - Throws: what the wrapped type throws.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        if Wrapped.readsNull {
            self = try reader.isAbsentColumn() ? nil : Wrapped(modelValue: &reader)
        } else {
            self = try reader.readNull() ? nil : Wrapped(modelValue: &reader)
        }
    }

    /// Writes null or the value. As a field of a model nil is left out instead, unless another
    /// default makes null necessary.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        guard let self else { return try writer.writeNull() }
        guard Wrapped.readsNull else { return try self.encode(to: &writer) }
        try writer.embed { try self.encode(to: &$0) }
    }
}

extension Array: ModelValue where Element: ModelValue {
    /// An array.
    @inlinable
    public static var documentKinds: DocumentKinds { .array }

    /// Reads an array.
    ///
    /// - Complexity: linear in the elements. An array at the root of a JSON document reserves by
    ///   the size of the elements so far, others grow by doubling.
    /// - Throws: ``ModelDecodingError`` when there is no array, and what an element throws, with
    ///   its index in the path.
    @inlinable
    public init(modelValue reader: inout ModelReader) throws {
        self = []
        var array = try reader.beginArray()
        while try reader.nextElement(in: &array) {
            if count == capacity, count >= 64 {
                reserveCapacity(reader.capacity(after: count, of: array))
            }
            append(try Element(modelValue: &reader))
        }
    }

    /// Writes an array; in a row the column is JSON: `[1,2]`.
    ///
    /// - Throws: what an element throws.
    @inlinable
    public func encode(to writer: inout ModelWriter) throws {
        let scope = try writer.beginArray()
        for element in self { try writer.element(element) }
        try writer.endArray(scope)
    }
}

extension Set: ModelValue where Element: ModelValue {
    /// An array.
    @inlinable
    public static var documentKinds: DocumentKinds { .array }

    /// Reads an array; equal elements become one.
    ///
    /// - Throws: ``ModelDecodingError`` when there is no array, and what an element throws.
    public init(modelValue reader: inout ModelReader) throws {
        self = Set(try [Element](modelValue: &reader))
    }

    /// Writes an array, its elements in the order of their bytes, so that equal sets give equal
    /// documents.
    ///
    /// - Complexity: O(n log n) for n elements, which are copied once.
    /// - Throws: what an element throws.
    public func encode(to writer: inout ModelWriter) throws {
        let scope = try writer.beginArray()
        var starts: [Int] = []
        for element in self {
            starts.append(writer.elementPosition)
            try writer.element(element)
        }
        writer.sortElements(from: starts)
        try writer.endArray(scope)
    }
}

/// A type whose values are field names: the keys of a dictionary that is written as an object.
///
/// Strings, integers, UUIDs and raw values of these are keys. Others say how:
///
/// ```swift
/// struct CountryCode: ModelKey {
///     let letters: String
///     init?(modelKey: String) {
///         guard modelKey.count == 2 else { return nil }
///         letters = modelKey
///     }
///     var modelKey: String { letters }
/// }
/// ```
///
/// A key must read what it writes. Two names that read as one key are a repeated field.
public protocol ModelKey: Hashable {
    /// The key of a field name; nil when it is none, which is a ``ModelDecodingError``.
    init?(modelKey: String)
    /// The field name.
    var modelKey: String { get }
}

extension String: ModelKey {
    /// The name itself.
    public init?(modelKey: String) { self = modelKey }
    /// The string itself.
    public var modelKey: String { self }
}

extension FixedWidthInteger where Self: ModelKey {
    /// The number that the name writes in decimal digits; leading zeros and a sign are read, too.
    public init?(modelKey: String) { self.init(modelKey, radix: 10) }
    /// The number's decimal digits.
    public var modelKey: String { description }
}

extension Int: ModelKey {}
extension Int8: ModelKey {}
extension Int16: ModelKey {}
extension Int32: ModelKey {}
extension Int64: ModelKey {}
extension UInt: ModelKey {}
extension UInt8: ModelKey {}
extension UInt16: ModelKey {}
extension UInt32: ModelKey {}
extension UInt64: ModelKey {}

extension RawRepresentable where Self: ModelKey, RawValue: ModelKey {
    /// The value whose raw value the name is.
    public init?(modelKey: String) {
        guard let rawValue = RawValue(modelKey: modelKey) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// The raw value's name.
    public var modelKey: String { rawValue.modelKey }
}

extension Dictionary: ModelValue where Key: ModelKey, Value: ModelValue {
    /// An object.
    @inlinable
    public static var documentKinds: DocumentKinds { .object }

    /// Reads an object.
    ///
    /// - Complexity: linear in the size of the object.
    /// - Throws: ``ModelDecodingError`` when there is no object, for a name that is no key, for a
    ///   key that is repeated, and what a value throws.
    public init(modelValue reader: inout ModelReader) throws {
        self = try reader.readDictionary { reader -> Value? in
            .some(try Value(modelValue: &reader))
        }
    }

    /// Writes an object, its fields in the order of their names, so that equal dictionaries give
    /// equal documents. In a row the column is JSON: `{"a":1}`.
    ///
    /// - Complexity: O(n log n) for n fields, by the sorting.
    /// - Throws: what a value throws.
    public func encode(to writer: inout ModelWriter) throws {
        try writer.writeDictionary(self) { try $0.encode(to: &$1) }
    }
}

extension ModelReader {
    /// Reads an object as a dictionary. The type key of `any P` is no member.
    ///
    /// - Parameter readValue: gives nil for a value that is left out.
    package mutating func readDictionary<Key: ModelKey, Value>(
        _ readValue: (inout ModelReader) throws -> Value?
    ) throws -> [Key: Value] {
        var result: [Key: Value] = [:]
        var object = try beginObject()
        while let field = try nextMember(in: &object) {
            let name = field.text
            guard let key = Key(modelKey: name) else {
                throw error(
                    .typeMismatch,
                    expected: "\(Key.self)",
                    found: "\"\(name.prefix(DocumentExcerpt.limit))\"",
                    at: cursor
                )
            }
            let start = cursor
            guard let value = try readValue(&self) else { continue }
            if result.updateValue(value, forKey: key) != nil {
                throw error(
                    .repeatedField,
                    expected: "each field once",
                    found: "\"\(name.prefix(DocumentExcerpt.limit))\" again",
                    at: start
                )
            }
        }
        return result
    }
}

extension ModelWriter {
    /// Writes an object, its fields in the order of their names.
    mutating func writeDictionary<Key: ModelKey, Value>(
        _ dictionary: [Key: Value],
        _ writeValue: (Value, inout ModelWriter) throws -> Void
    ) throws {
        let scope = try beginObject()
        var names = dictionary.keys.map(\.modelKey)
        let values = Array(dictionary.values)
        for place in Self.order(of: names) {
            try names[place].withUTF8 { try beginField(named: $0) }
            try writeValue(values[place], &self)
            putComma()
        }
        try endObject(scope)
    }

    /// The places of names in their order.
    ///
    /// Not of names with their values: a sort of pairs of types that are known only where it is called took ten
    /// times as long.
    private static func order(of names: [String]) -> [Int] {
        names.indices.sorted { names[$0] < names[$1] }
    }
}
