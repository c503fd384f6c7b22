import DovetailModel
import Foundation
import Synchronization

// Members of plain `Codable` values, which a column holds as the JSON that Foundation writes. The key of
// a member is the name of its property, as where nobody has written keys of their own; a type that names
// it otherwise is refused, since nothing tells its key.

extension QueryTranslator {
    /// Whether Foundation's coders write values of a type, and no model does.
    static func isPlainCodable(_ type: Any.Type) -> Bool {
        type is any (Encodable & Decodable).Type && !(type is any ModelValue.Type)
            && !(type is any ManagedModel.Type)
    }

    /// A member of a plain `Codable` value: `$0.address.city`.
    ///
    /// - Parameter base: The value.
    /// - Throws: ``QueryError`` for what is no stored property of a struct, or has another key or form in
    ///   its JSON than the property says.
    static func member<Owner>(
        _ keyPath: AnyKeyPath,
        of owner: Owner.Type,
        _ base: QueryExpression
    ) throws -> QueryExpression {
        guard let path = keyPath as? PartialKeyPath<Owner>,
            MemoryLayout<Owner>.offset(of: path) != nil,
            let member = member(named: name(of: path), type(of: keyPath).valueType, of: owner, base)
        else {
            throw QueryError(
                expression: "\(keyPath)",
                explanation: "is no member that can be found in what \(owner) is stored as; write "
                    + "@Model at \(owner)"
            )
        }
        return member
    }

    /// The same by the name; nil for what is not there.
    static func member(
        named name: String,
        _ type: Any.Type,
        of owner: Any.Type,
        _ base: QueryExpression
    ) -> QueryExpression? {
        guard let owner = owner as? any Decodable.Type, CodableKeys.of(owner).contains(name),
            hasOneForm(type), let kind = kind(of: type)
        else { return nil }
        return base.member([.name(name)], kind)
    }

    /// Whether `Codable` writes values of a type as columns and documents hold them.
    private static func hasOneForm(_ type: Any.Type) -> Bool {
        if let optional = type as? any OptionalValue.Type { return hasOneForm(optional.wrapped) }
        if let list = type as? any CodableList.Type { return list.elements.allSatisfy(hasOneForm) }
        if type == Duration.self { return false }
        return !(type is any Model.Type) || isRawModel(type)
    }
}

/// Collections that have elements of other types in them.
private protocol CodableList {
    /// The types of what stands in it as it is written.
    static var elements: [Any.Type] { get }
}

extension Array: CodableList {
    static var elements: [Any.Type] { [Element.self] }
}

extension Set: CodableList {
    static var elements: [Any.Type] { [Element.self] }
}

extension Dictionary: CodableList {
    /// With other keys than texts it is written as an array, which no column of ours holds.
    static var elements: [Any.Type] { Key.self == String.self ? [Value.self] : [Duration.self] }
}

/// The keys under which a type writes its members, as far as it says.
private final class CodableKeys: Sendable {
    private let isKey: @Sendable (String) -> Bool

    init(isKey: @escaping @Sendable (String) -> Bool) {
        self.isKey = isKey
    }

    func contains(_ name: String) -> Bool { isKey(name) }

    /// Types live as long as the program.
    private static let known = Mutex<[ObjectIdentifier: CodableKeys]>([:])

    /// The keys of a type, for which its initializer is called once, up to where it asks for them.
    static func of(_ type: any Decodable.Type) -> CodableKeys {
        let identifier = ObjectIdentifier(type)
        if let known = known.withLock({ $0[identifier] }) { return known }
        // Outside of the lock, as it runs code of the type.
        let probe = KeyProbe()
        _ = try? type.init(from: probe)
        let new = probe.keys ?? CodableKeys { _ in false }
        known.withLock { $0[identifier] = new }
        return new
    }
}

/// A decoder that has nothing, and notes by which keys it is asked.
private final class KeyProbe: Decoder {
    private struct Nothing: Error {}

    private(set) var keys: CodableKeys?

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        // Keys of which any text is one say nothing.
        let isOpen = Key(stringValue: "\u{0}") != nil
        keys = keys ?? CodableKeys { !isOpen && Key(stringValue: $0)?.stringValue == $0 }
        throw Nothing()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Nothing() }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Nothing() }
}
