/// The coding of `any P` for a protocol with `@ModelProtocol`.
///
/// The macro writes the conformance beside the protocol, as a type named after it (`AssetModel` for
/// `Asset`).
public protocol ProtocolCoding: ModelCoding {
    /// How conformers are told apart in documents.
    static var tagging: ModelTagging { get }
    /// The conformers, found once.
    static var conformers: ConformerTable<Value> { get }
}

extension ProtocolCoding {
    /// Reads the type key, finds the conformer and lets it read the object.
    ///
    /// - Complexity: linear; what stands before the type key is gone over twice.
    /// - Throws: ``ModelDecodingError`` without a known type key, and what the conformer throws.
    @inlinable
    public static func decode(from reader: inout ModelReader) throws -> Value {
        try conformers.decode(from: &reader)
    }
}

/// How the conformers of a protocol are told apart in documents.
public struct ModelTagging: Sendable {
    /// The name of the field that holds the type's name.
    public let typeKey: StaticString
    /// The field as it is written: quotes, escapes and colon included.
    @usableFromInline let token: StaticString

    /// Used by generated code.
    public init(typeKey: StaticString, token: StaticString) {
        self.typeKey = typeKey
        self.token = token
    }

    /// The tagging of protocols that name none: `$type` inside the object.
    public static let standard = ModelTagging(typeKey: "$type", token: "\"$type\":")
}

// A protocol without a type key of its own has its parent's. Generated code asks for the parent's
// coding with the same overload set that properties use; a parent that is no model protocol ends
// at the last overload.

/// The answer for protocols that are no models.
public enum _NoCoding {
    /// There is none to inherit.
    public static var tagging: ModelTagging? { nil }
}

/// Chosen when a parent is no model protocol.
@_disfavoredOverload
@inlinable
public func _dovetailCoding<Value>(_: Value?) -> _NoCoding.Type { _NoCoding.self }

extension ProtocolCoding {
    /// The tagging of the first parent that has one. Called by generated code.
    public static func _inherited(_ parents: ModelTagging?...) -> ModelTagging {
        parents.lazy.compactMap { $0 }.first ?? .standard
    }
}
