import Foundation

// How plain `Decodable` types are read: from a tree of the value, which the reader of the format has made. A type of
// this kind asks for its fields in any order, and for some of them more than once.

/// Reads a plain `Decodable` type from a document.
///
/// What JSON has no kind for is text there: dates as ISO 8601, data as base64, addresses as they are; numbers are of
/// no type. A property list has dates and data of its own, and the rest is what the types make of themselves.
struct DocumentDecoder: Decoder {
    let document: ModelDocument
    /// Whether the document is one of a property list.
    let isPropertyList: Bool
    let place: CodablePlace

    var codingPath: [any CodingKey] { place.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let node) = document.storage else {
            throw mismatch([String: Any].self, "an object")
        }
        return KeyedDecodingContainer(
            KeyedDocument<Key>(node: node, path: place.path, isPropertyList: isPropertyList)
        )
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let node) = document.storage else {
            throw mismatch([Any].self, "an array")
        }
        return UnkeyedDocument(node: node, path: place.path, isPropertyList: isPropertyList)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    // MARK: Values

    /// The error that the document is no value of a type.
    func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
        if case .null = document.storage {
            return .valueNotFound(type, context("expected \(expected), found null"))
        }
        return .typeMismatch(type, context("expected \(expected), found \(document.kind)"))
    }

    func corrupted(_ why: String) -> DecodingError { .dataCorrupted(context(why)) }

    private func context(_ why: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: why)
    }

    func bool() throws -> Bool {
        guard case .bool(let value) = document.storage else {
            throw mismatch(Bool.self, "a truth value")
        }
        return value
    }

    func string() throws -> String {
        guard case .string(let value) = document.storage else {
            throw mismatch(String.self, "a string")
        }
        return value
    }

    func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        guard case .number(let number) = document.storage else {
            throw mismatch(type, "a number")
        }
        if let value = number.exactly(type) { return value }
        throw corrupted("a number that \(type) does not hold")
    }

    func float<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Value.Type
    ) throws -> Value {
        guard case .number(let number) = document.storage else {
            throw mismatch(type, "a number")
        }
        switch number {
        case .integer(let value): return Value(value)
        case .double(let value):
            let result = Value(value)
            if result.isFinite || !value.isFinite { return result }
        case .decimal, .text:
            if let result = Value(number.text), result.isFinite { return result }
        }
        throw corrupted("a number that \(type) does not hold")
    }

    /// A value of any type. Those that have a form of their own in a document are read here; others read themselves.
    func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == String.self, let value = try string() as? Value { return value }
        if type == Date.self, let value = try date() as? Value { return value }
        if type == Data.self, let value = try data() as? Value { return value }
        if type == ModelDocument.self, let value = document as? Value { return value }
        if !isPropertyList {
            if type == URL.self, let value = try url() as? Value { return value }
            if type == Decimal.self, let value = try decimal() as? Value { return value }
        }
        return try type.init(from: self)
    }

    private func date() throws -> Date {
        switch document.storage {
        case .date(let value): return value
        case .string(let text) where !isPropertyList:
            if let date = DateText.date(iso8601: text) { return date }
            throw corrupted("not ISO 8601")
        default: throw mismatch(Date.self, "a date")
        }
    }

    private func data() throws -> Data {
        switch document.storage {
        case .data(let value): return value
        case .string(let text) where !isPropertyList:
            if let data = Data(base64Encoded: text) { return data }
            throw corrupted("not base64")
        default: throw mismatch(Data.self, "data")
        }
    }

    private func url() throws -> URL {
        if let url = URL(string: try string()) { return url }
        throw corrupted("no URL")
    }

    private func decimal() throws -> Decimal {
        guard case .number(let number) = document.storage else {
            throw mismatch(Decimal.self, "a number")
        }
        if let value = number.decimal { return value }
        throw corrupted("a number that Decimal does not hold")
    }
}

extension DocumentNumber {
    /// The number as a type of whole numbers, if it is one and fits, however it is written: `2.0`, `2e1`.
    ///
    /// - Complexity: linear in the digits, O(1) for plain ones.
    fileprivate func exactly<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        switch self {
        case .integer(let value): return Value(exactly: value)
        case .double(let value): return Value(exactly: value)
        case .decimal, .text:
            let text = text
            return Value(text) ?? int.flatMap { Value(exactly: $0) }
        }
    }
}

extension DocumentDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { document.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try bool() }
    func decode(_ type: String.Type) throws -> String { try string() }
    func decode(_ type: Double.Type) throws -> Double { try float(type) }
    func decode(_ type: Float.Type) throws -> Float { try float(type) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
}
