// Tags of several levels: a model protocol that refines another one and has a key and a name of its
// own is one of the other's conformers. `{"object":"block","type":"paragraph"}` is read by `any Object`
// as a block, and by the blocks as a paragraph.

/// The coding of a model protocol that is a conformer of the one it refines, by the name that
/// `@ModelProtocol(typeKey:typeName:)` gives it. The macro writes the conformance.
public protocol ProtocolLevel {
    /// Where it is a conformer: at most one for each protocol that it refines.
    static var parents: [LevelParent?] { get }
}

/// A model protocol as a conformer of another one. Made by generated code.
public struct LevelParent: Sendable {
    /// The `any P` of the protocol that is refined.
    let existential: ObjectIdentifier
    /// The conformers of the refining protocol.
    let names: ConformerIndex
    /// Makes the conformer by whose name documents lead to the refining protocol.
    let makeConformer: @Sendable (ConformerTagging) -> Conformer

    /// Describes a refining protocol to the one it refines. Called by generated code.
    ///
    /// - Parameters:
    ///   - name: its name as a conformer.
    ///   - decode: reads a value of the refining protocol.
    public init<Coding: ProtocolCoding, Parent: ProtocolCoding>(
        _ coding: Coding.Type,
        named name: StaticString,
        of parent: Parent.Type,
        decode: @escaping @Sendable (inout ModelReader) throws -> Parent.Value
    ) {
        let names = Coding.conformers.names
        existential = ObjectIdentifier(Parent.Value.self)
        self.names = names
        makeConformer = { tagging in
            ConformerDecoder(
                Coding.Value.self,
                level: names,
                named: name.description,
                tagging,
                decode
            )
        }
    }
}

/// A protocol of which another one is a conformer. Called by generated code.
public func _level<Coding: ProtocolCoding, Parent: ProtocolCoding>(
    _ coding: Coding.Type,
    named name: StaticString,
    of parent: Parent.Type,
    decode: @escaping @Sendable (inout ModelReader) throws -> Parent.Value
) -> LevelParent? {
    LevelParent(coding, named: name, of: parent, decode: decode)
}

/// A protocol that is refined and no model protocol. Called by generated code.
public func _level<Coding: ProtocolCoding>(
    _ coding: Coding.Type,
    named name: StaticString,
    of parent: _NoCoding.Type,
    decode: (inout ModelReader) throws -> Coding.Value
) -> LevelParent? { nil }

/// A tag that comes before that of a protocol: the key and the name of a level above.
struct OuterTag: Sendable {
    let key: StaticString
    let aliases: [StaticString]
    let name: StaticString
    let kind: ModelTagKind
}
