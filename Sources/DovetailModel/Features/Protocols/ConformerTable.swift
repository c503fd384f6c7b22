/// The conformers of one protocol by their names and by their types.
///
/// Built from the models of the program at the first use, and again when an unknown name is met
/// after more modules were loaded. Looking up is a hash and a comparison.
public final class ConformerTable<Value>: Sendable {
    /// Reads a value of one conforming type.
    public typealias Decode = (inout ModelReader) throws -> Value

    @usableFromInline let names: ConformerNames

    /// Used by generated code.
    ///
    /// - Parameters:
    ///   - name: the protocol's name, for messages.
    ///   - only: the closed list of conformers; nil when all models that conform are.
    ///   - cast: gives how to read a type if it conforms.
    public init(
        _ name: String,
        tagging: ConformerTagging,
        only list: (@Sendable () -> [Any.Type])? = nil,
        cast: @escaping @Sendable (any Model.Type) -> Decode?
    ) {
        names = ConformerNames(name, of: Value.self, tagging: tagging, only: list) { model in
            cast(model).map { ConformerDecoder(model, of: name, tagging, $0) }
        }
    }

    /// The names of all conformers without their aliases, sorted.
    public var knownNames: [String] { names.known }

    @inlinable
    func decode(from reader: inout ModelReader) throws -> Value {
        guard names.isInternal else { return try decodeContent(from: &reader) }
        // In a row the cursor is nowhere before the column's document is entered.
        let start = reader.source == .json ? reader.cursor : nil
        let depth = reader.remainingDepth
        let conformer = try names.findTypeKey(&reader)
        do {
            return try decode(conformer, &reader)
        } catch {
            throw names.explain(error, at: start, depth: depth, in: &reader)
        }
    }

    @usableFromInline
    func decodeContent(from reader: inout ModelReader) throws -> Value {
        var scope = try names.enterContent(&reader)
        // Nobody else takes what a conformer did not.
        defer { reader.state.besideTag = nil }
        let value = try decode(scope.conformer, &reader)
        try names.leaveContent(&scope, &reader)
        return value
    }

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
        // Every conformer in `names` was made by the closure in `init`, and lives as long as it.
        try conformer._withUnsafeGuaranteedRef {
            try unsafeDowncast($0, to: ConformerDecoder<Value>.self).decode(&reader)
        }
    }
}
