/// What is known of one conformer of a protocol: its names, how its type is written, and, in the
/// subclass, how it is read.
///
/// Not generic, so that looking it up is not: unspecialized generic code would ask for metadata at
/// every element.
///
/// Invariant of `@unchecked`: nothing changes after `init`, and `token` is freed in `deinit`.
@usableFromInline
class Conformer: @unchecked Sendable {
    final let type: any Model.Type
    final let typeName: String
    /// The name and its aliases.
    final let names: [String]
    /// How the names are written: `"Circle"`, or `3`.
    final let writtenNames: [[UInt8]]
    /// What comes before the value: the type key with its comma, or the field around the value.
    @usableFromInline final let token: UnsafeBufferPointer<UInt8>
    /// Whether values are elements that were kept as they are.
    final let isUnknown: Bool
    /// Whether the type key stands inside the object.
    @usableFromInline final let isInternal: Bool
    /// Whether nothing but the type key has to be written.
    @usableFromInline final let isPlain: Bool
    /// For an enum without a raw type, whose cases nobody lists: what the field of a case may not
    /// start with, as it would be read as the type key.
    final let refusedCases: [[UInt8]]
    /// What stands between the type key and the case: the version with its comma, or nothing.
    final let writtenVersion: [UInt8]
    /// Why values of the type cannot be written.
    @usableFromInline final let failure: ModelEncodingError?
    /// Where the name of the type stands, and in which fields.
    final let form: ConformerTagging.Form
    final let typeKey: StaticString
    final let content: StaticString
    /// Whether the name is written as a whole number.
    final let isNumber: Bool
    /// Whether the name is written as true or false.
    final let isBoolean: Bool
    /// Whether values are objects or arrays, by the kind of their column.
    final let isDocument: Bool
    /// Whether a list of names may stand in place of the name.
    final let takesNameLists: Bool
    /// Whether values keep such a list among their undeclared fields.
    final let keepsNameLists: Bool
    /// What becomes of members beside an adjacent or external tag: what the type does with fields
    /// that it does not declare.
    final let besideTag: UnknownPolicy
    /// The type key and its aliases.
    private final let keys: [TypeKey]
    /// Whether the type has a field named like the type key.
    final let declaresTypeKey: Bool

    struct TypeKey {
        let code: UInt64
        let name: StaticString
        /// Whether the type has a field of this name.
        let isDeclared: Bool

        func matches(_ key: FieldKey) -> Bool { key.code == code && key.matches(name) }
    }

    init(_ type: any Model.Type, of protocolName: String, _ tagging: ConformerTagging) {
        self.type = type
        typeName = type.typeName
        isUnknown = type is any UnknownModel.Type
        isInternal = tagging.form == .internal
        form = tagging.form
        typeKey = tagging.typeKey
        content = tagging.content
        isNumber = tagging.kind == .integer && tagging.form != .external
        isBoolean = tagging.kind == .boolean && tagging.form != .external
        isDocument = type.columnType == .document
        takesNameLists = tagging.form == .internal && tagging.kind == .stringOrList
        keepsNameLists = takesNameLists && type.unknownFieldsPolicy == .preserve
        besideTag = tagging.form == .internal ? .skip : type.unknownFieldsPolicy
        var names: [String] = []
        var failure: ModelEncodingError?
        for name in isUnknown ? [] : [type.typeName] + type.typeAliases {
            if let written = Self.written(name, tagging) {
                if !names.contains(written) { names.append(written) }
            } else if name == type.typeName {
                let kind = tagging.kind == .integer ? "whole numbers" : "true and false"
                failure = ModelEncodingError(
                    reason: .notRepresentable,
                    explanation: "\(type) is named \"\(name)\", but the conformers of "
                        + "\(protocolName) are told apart by \(kind)"
                )
            }
        }
        self.names = names
        self.failure = failure
        let isWord = isNumber || isBoolean
        writtenNames = names.map { name in
            isWord ? Array(name.utf8) : ModelWriter.bytes { $0.appendQuoted(name) }
        }
        let fields = isInternal ? type.modelAttributes.map(\.name) : []
        refusedCases =
            isInternal && isDocument && fields.isEmpty && !isUnknown
            ? ([tagging.typeKey] + tagging.aliases).map { key in
                ModelWriter.bytes { writer in
                    writer.appendQuoted(key.description)
                    writer.append(0x3A)
                }
            } : []
        let version = type.modelVersion
        writtenVersion =
            version > 1 ? Array("\"\(VersionField.name)\":\(version),".utf8) : []
        keys = ([tagging.typeKey] + tagging.aliases).map { key in
            TypeKey(
                code: FieldKey(key).code,
                name: key,
                isDeclared: fields.contains(key.description)
            )
        }
        declaresTypeKey = keys.first?.isDeclared ?? false
        isPlain =
            isInternal && failure == nil && !declaresTypeKey && refusedCases.isEmpty && !isUnknown
        let name = writtenNames.first ?? []
        let token = ModelWriter.bytes { writer in
            if tagging.form != .external {
                writer.appendQuoted(tagging.typeKey.description)
                writer.append(0x3A)
            }
            name.withUnsafeBufferPointer { writer.append($0) }
            if tagging.form != .external { writer.append(0x2C) }
            if tagging.form == .adjacent { writer.appendQuoted(tagging.content.description) }
            if tagging.form != .internal { writer.append(0x3A) }
        }
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: token.count)
        _ = copy.initialize(from: token)
        self.token = UnsafeBufferPointer(copy)
    }

    /// How a name is compared; nil for one that the protocol's kind of tag cannot hold.
    private static func written(_ name: String, _ tagging: ConformerTagging) -> String? {
        // Names of fields are strings.
        if tagging.form == .external { return name }
        return switch tagging.kind {
        case .string, .stringOrList: name
        case .integer: Int64(name).map { "\($0)" }
        case .boolean: Bool(name).map { "\($0)" }
        }
    }

    deinit {
        token.deallocate()
    }

    /// The type key, or the alias of it, that a field is; nil for others and for one that the type
    /// declares as a field of its own.
    final func typeKey(named key: FieldKey) -> StaticString? {
        for typeKey in keys where typeKey.matches(key) && !typeKey.isDeclared {
            return typeKey.name
        }
        return nil
    }
}

/// A ``Conformer`` with how it is read as `any P`.
///
/// Invariant of the unchecked `Sendable`: nothing of it changes after `init`.
@usableFromInline
final class ConformerDecoder<Value>: Conformer, @unchecked Sendable {
    /// Generated code makes it, and captures nothing but the metatype of a model, which is Sendable
    /// although `any P.Type` cannot say so.
    @usableFromInline final let decode: ConformerTable<Value>.Decode

    init(
        _ type: any Model.Type,
        of protocolName: String,
        _ tagging: ConformerTagging,
        _ decode: @escaping ConformerTable<Value>.Decode
    ) {
        self.decode = decode
        super.init(type, of: protocolName, tagging)
    }
}
