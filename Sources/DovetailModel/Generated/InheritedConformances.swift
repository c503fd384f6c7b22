// What a class that others may inherit from is made to conform to, in an extension that nobody may use:
// protocols of enums, which the macro may add to a declaration. The compiler needs to find them there.

extension RawModel where Self: ManagedModel {
    /// Nobody calls it: the conformance is unavailable.
    ///
    /// - Throws: always.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "\(Self.self) is no raw value"
            )
        )
    }

    /// Nobody calls it: the conformance is unavailable.
    ///
    /// - Throws: always.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: "\(Self.self) is no raw value"
            )
        )
    }
}

extension ModelKey where Self: ManagedModel {
    /// Nobody calls it: the conformance is unavailable.
    public init?(modelKey: String) { return nil }

    /// Nobody calls it: the conformance is unavailable.
    public var modelKey: String { "" }
}

/// Tells of a class that inherits from another one. The runtime has a record of this conformance, and none of
/// those that the class inherits: so it is found as a conformer of the protocols of the class above it. Called
/// by generated code.
public protocol _InheritedModel {
    /// The class.
    static var model: any Model.Type { get }
}
