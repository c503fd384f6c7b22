import Foundation

// How plain `Decodable` types ask for members and elements.

/// The members of an object. Of several with one name the last one counts.
struct KeyedDocument<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: DocumentNode
    let path: CodablePath?
    let isPropertyList: Bool

    var codingPath: [any CodingKey] { CodablePath.keys(of: path) }

    private func inner(_ value: ModelDocument, _ key: some CodingKey) -> DocumentDecoder {
        DocumentDecoder(
            document: value,
            isPropertyList: isPropertyList,
            place: CodablePlace(outer: path, key: key)
        )
    }

    var allKeys: [Key] {
        var seen: Set<String> = []
        return node.keys.compactMap { seen.insert($0).inserted ? Key(stringValue: $0) : nil }
    }

    func contains(_ key: Key) -> Bool { node.lastPlace(of: key.stringValue) != nil }

    /// The decoder of a member.
    private func member(_ key: Key) throws -> DocumentDecoder {
        if let value = node.value(of: key.stringValue) { return inner(value, key) }
        throw DecodingError.keyNotFound(
            key,
            DecodingError.Context(codingPath: codingPath, debugDescription: "no such member")
        )
    }

    /// The same of one that may be absent or null.
    private func present(_ key: Key) -> DocumentDecoder? {
        guard let value = node.value(of: key.stringValue), !value.isNull else { return nil }
        return inner(value, key)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).document.isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).bool() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try member(key).string()
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try member(key).float(type)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try member(key).float(type)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).integer(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try member(key).integer(type)
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try member(key).integer(type)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try member(key).integer(type)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try member(key).integer(type)
    }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try member(key).integer(type)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try member(key).integer(type)
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try member(key).integer(type)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try member(key).integer(type)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try member(key).integer(type)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try member(key).integer(type)
    }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try member(key).integer(type)
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).value(type)
    }

    // Those that most optional properties have; the others look a member up three times.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key)?.bool()
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key)?.string()
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key)?.float(type)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key)?.integer(type)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key)?.value(type)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> { try member(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try member(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { inner(CodableKey.super) }
    func superDecoder(forKey key: Key) -> any Decoder { inner(key) }

    private func inner(_ key: some CodingKey) -> any Decoder {
        inner(node.value(of: key.stringValue) ?? .null, key)
    }
}

/// The elements of an array.
struct UnkeyedDocument: UnkeyedDecodingContainer {
    private let node: DocumentNode
    private let path: CodablePath?
    private let isPropertyList: Bool
    private(set) var currentIndex = 0

    init(node: DocumentNode, path: CodablePath?, isPropertyList: Bool) {
        self.node = node
        self.path = path
        self.isPropertyList = isPropertyList
    }

    var codingPath: [any CodingKey] { CodablePath.keys(of: path) }
    var count: Int? { node.count }
    var isAtEnd: Bool { currentIndex >= node.count }

    /// Reads the element that is next, and stays before it where that fails.
    private mutating func next<Value>(
        _ type: Any.Type,
        _ body: (DocumentDecoder) throws -> Value
    ) throws -> Value {
        let key = CodableKey(intValue: currentIndex)
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: codingPath + [key],
                    debugDescription: "no more elements"
                )
            )
        }
        let element = DocumentDecoder(
            document: node.value(at: currentIndex),
            isPropertyList: isPropertyList,
            place: CodablePlace(outer: path, key: key)
        )
        let value = try body(element)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { return try next(Any?.self) { _ in true } }
        guard node.value(at: currentIndex).isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool() } }
    mutating func decode(_ type: String.Type) throws -> String {
        try next(type) { try $0.string() }
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try next(type) { try $0.float(type) }
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try next(type) { try $0.float(type) }
    }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.integer(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: UInt.Type) throws -> UInt {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try next(type) { try $0.integer(type) }
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { try $0.value(type) }
    }

    mutating func nestedContainer<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        try next(KeyedDecodingContainer<Key>.self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next((any Decoder).self) { $0 } }
}
