/// The conformers of one protocol by their names and by their types.
///
/// A model protocol has one, as ``ProtocolCoding/conformers``:
///
/// ```swift
/// AssetModel.conformers.knownNames    // ["ColorAsset", "SoundAsset"]
/// ```
///
/// It is built from the models of the program at the first use, and again when an unknown name or
/// type is met after more modules were loaded. A look-up is a hash and a comparison, without lock.
public final class ConformerTable<Value>: Sendable {
    /// Reads a value of one conforming type.
    public typealias Decode = (inout ModelReader) throws -> Value

    @usableFromInline let names: ConformerIndex
    /// `names` without a count of references, which costs as much as a look-up: this table keeps it, and
    /// tables are static properties.
    private let unmanagedNames: Unmanaged<ConformerIndex>

    /// The conformer of a type, to write a value of it, as ``ConformerIndex/conformer(of:)``.
    @usableFromInline
    func conformer(of type: Any.Type) throws -> Unmanaged<Conformer> {
        try unmanagedNames._withUnsafeGuaranteedRef { try $0.conformer(of: type) }
    }

    /// Makes the table of a protocol. It is empty until somebody asks for a conformer. Called by
    /// generated code.
    ///
    /// - Parameters:
    ///   - tagging: how documents name the conformers.
    ///   - name: the protocol's name, for messages.
    ///   - only: the closed list of conformers; nil when all models that conform are.
    ///   - absent: the conformer of objects without a type key; nil when they are an error.
    ///   - cast: gives how to read a type if it conforms.
    public init(
        _ name: String,
        tagging: ConformerTagging,
        only list: (@Sendable () -> [Any.Type])? = nil,
        absent: (@Sendable () -> any Model.Type)? = nil,
        cast: @escaping @Sendable (any Model.Type) -> Decode?
    ) {
        names = ConformerIndex(
            name,
            of: Value.self,
            tagging: tagging,
            only: list,
            absent: absent,
            conforms: { cast($0) != nil },
            make: { model, level in
                cast(model).map { ConformerDecoder(model, of: name, tagging, below: level, $0) }
            }
        )
        unmanagedNames = .passUnretained(names)
    }

    /// The names of all conformers without their aliases, sorted.
    ///
    /// - Complexity: linear in the images of the program, to see whether one was loaded; the first
    ///   use, and the first one after that, goes over the program's conformances.
    public var knownNames: [String] { names.known }

    /// Finds the conformer that the object names, and lets it read the value.
    ///
    /// The search does not check what comes before the type key. So when the conformer fails,
    /// ``ConformerIndex/explain(_:at:depth:in:)`` decides which error to throw.
    @inlinable
    func decode(from reader: inout ModelReader) throws -> Value {
        guard names.isInternal else { return try decodeContent(from: &reader) }
        // In a row the cursor means nothing before the column's document is entered.
        let start =
            reader.source == .json || reader.source == .tagged ? reader.cursor : nil
        let depth = reader.remainingDepth
        let conformer = try names.findTypeKey(&reader)
        do {
            return try decode(conformer, &reader)
        } catch {
            throw names.explain(error, at: start, depth: depth, in: &reader)
        }
    }

    /// Reads a value with adjacent or external tagging: enters the object around it, lets the
    /// conformer read, and leaves the object.
    @usableFromInline
    func decodeContent(from reader: inout ModelReader) throws -> Value {
        if names.tagging.form == .untagged { return try decodeUntagged(from: &reader) }
        var scope = try names.enterContent(&reader)
        // Nobody else takes what a conformer did not.
        defer { reader.state.besideTag = nil }
        let value = try decode(scope.conformer, &reader)
        try names.leaveContent(&scope, &reader)
        return value
    }

    /// Reads a value that nothing says the type of.
    private func decodeUntagged(from reader: inout ModelReader) throws -> Value {
        let list = try names.listed(&reader)
        var union = try reader.beginUnion()
        for (place, shape) in list.shapes.shapes.enumerated() { union.add(place, shape.kinds) }
        reader.narrow(&union) { list.shapes }
        while let place = union.next() {
            let conformer = Unmanaged.passUnretained(list.conformers[place])
            let value = try reader.attempt(&union, place) { try decode(conformer, &$0) }
            if let value { return value }
        }
        let names = list.conformers.map(\.typeName)
        throw reader.noCase(of: Value.self, union, names, list.shapes)
    }

    /// Reads a value whose type is named outside of the document.
    @inlinable
    func decode(typeName name: String, from reader: inout ModelReader) throws -> Value {
        try decode(names.conformer(named: name, &reader), &reader)
    }

    @inlinable
    @inline(__always)
    func decode(
        _ conformer: Unmanaged<Conformer>,
        _ reader: inout ModelReader
    ) throws -> Value {
        // Invariant: the closure in `init` makes every conformer in `names`, so each is a
        // `ConformerDecoder<Value>`, and `names` keeps it as long as the table lives.
        try conformer._withUnsafeGuaranteedRef {
            try unsafeDowncast($0, to: ConformerDecoder<Value>.self).decode(&reader)
        }
    }
}
