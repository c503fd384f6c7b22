// How plain `Encodable` types give a value of each kind: as a whole, as a member and as an element.

extension DocumentEncoder: SingleValueEncodingContainer {
    func encodeNil() { put(ModelDocument.null) }
    func encode(_ value: Bool) { put(.bool(value)) }
    func encode(_ value: String) { put(.string(value)) }
    func encode(_ value: Double) { put(.double(value)) }
    func encode(_ value: Float) { put(number(value)) }
    func encode(_ value: Int) { put(.integer(value)) }
    func encode(_ value: Int8) { put(.integer(value)) }
    func encode(_ value: Int16) { put(.integer(value)) }
    func encode(_ value: Int32) { put(.integer(value)) }
    func encode(_ value: Int64) { put(.integer(value)) }
    func encode(_ value: Int128) { put(.integer(value)) }
    func encode(_ value: UInt) { put(.integer(value)) }
    func encode(_ value: UInt8) { put(.integer(value)) }
    func encode(_ value: UInt16) { put(.integer(value)) }
    func encode(_ value: UInt32) { put(.integer(value)) }
    func encode(_ value: UInt64) { put(.integer(value)) }
    func encode(_ value: UInt128) { put(.integer(value)) }
    func encode<Value: Encodable>(_ value: Value) throws { try put(value: value) }
}

/// Takes the members of an object.
struct KeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let object: EncodedObject
    let encoder: DocumentEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func set(_ document: ModelDocument, _ key: Key) {
        object.set(.value(document), key.stringValue)
    }

    /// Puts a container into the object, unless that is too deep.
    private func set(_ part: DocumentEncoder.Part, _ key: some CodingKey) {
        if !encoder.isDeepest { object.set(part, key.stringValue) }
    }

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { set(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) { set(.double(value), key) }
    func encode(_ value: Float, forKey key: Key) { set(encoder.number(value), key) }
    func encode(_ value: Int, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: Int8, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: Int16, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: Int32, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: Int64, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: Int128, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: UInt, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: UInt8, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: UInt16, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: UInt32, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: UInt64, forKey key: Key) { set(.integer(value), key) }
    func encode(_ value: UInt128, forKey key: Key) { set(.integer(value), key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        object.set(try encoder.part(of: value, key), key.stringValue)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        let inner: EncodedObject
        if case .object(let known) = object[key.stringValue] {
            inner = known
        } else {
            inner = EncodedObject()
            set(.object(inner), key)
        }
        return KeyedEncodingContainer(
            KeyedEncoder<Inner>(object: inner, encoder: encoder.nested(key))
        )
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let inner: EncodedArray
        if case .array(let known) = object[key.stringValue] {
            inner = known
        } else {
            inner = EncodedArray()
            set(.array(inner), key)
        }
        return UnkeyedEncoder(array: inner, encoder: encoder.nested(key))
    }

    func superEncoder() -> any Encoder { inner(CodableKey.super) }
    func superEncoder(forKey key: Key) -> any Encoder { inner(key) }

    private func inner(_ key: some CodingKey) -> any Encoder {
        let inner = encoder.nested(key)
        set(.encoder(inner), key)
        return inner
    }
}

/// Takes the elements of an array.
struct UnkeyedEncoder: UnkeyedEncodingContainer {
    let array: EncodedArray
    let encoder: DocumentEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { array.parts.count }
    private var key: CodableKey { CodableKey(intValue: count) }

    private func add(_ document: ModelDocument) { array.parts.append(.value(document)) }

    /// Puts a container into the array, unless that is too deep.
    private func add(_ part: DocumentEncoder.Part) {
        if !encoder.isDeepest { array.parts.append(part) }
    }

    func encodeNil() { add(.null) }
    func encode(_ value: Bool) { add(.bool(value)) }
    func encode(_ value: String) { add(.string(value)) }
    func encode(_ value: Double) { add(.double(value)) }
    func encode(_ value: Float) { add(encoder.number(value)) }
    func encode(_ value: Int) { add(.integer(value)) }
    func encode(_ value: Int8) { add(.integer(value)) }
    func encode(_ value: Int16) { add(.integer(value)) }
    func encode(_ value: Int32) { add(.integer(value)) }
    func encode(_ value: Int64) { add(.integer(value)) }
    func encode(_ value: Int128) { add(.integer(value)) }
    func encode(_ value: UInt) { add(.integer(value)) }
    func encode(_ value: UInt8) { add(.integer(value)) }
    func encode(_ value: UInt16) { add(.integer(value)) }
    func encode(_ value: UInt32) { add(.integer(value)) }
    func encode(_ value: UInt64) { add(.integer(value)) }
    func encode(_ value: UInt128) { add(.integer(value)) }
    func encode<Value: Encodable>(_ value: Value) throws {
        array.parts.append(try encoder.part(of: value, key))
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let (inner, nested) = (EncodedObject(), encoder.nested(key))
        add(.object(inner))
        return KeyedEncodingContainer(KeyedEncoder<Key>(object: inner, encoder: nested))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let (inner, nested) = (EncodedArray(), encoder.nested(key))
        add(.array(inner))
        return UnkeyedEncoder(array: inner, encoder: nested)
    }

    func superEncoder() -> any Encoder {
        let inner = encoder.nested(key)
        add(.encoder(inner))
        return inner
    }
}
