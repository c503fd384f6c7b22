/// What is known of one conformer of one protocol: its names, how its type is written, and, in the
/// subclass ``ConformerDecoder``, how it is read.
///
/// Everything that depends on the type alone is computed here, once, so that writing a value is a
/// look-up and a copy of bytes. ``ConformerIndex`` owns it and keeps it as long as it lives itself.
///
/// It is not generic, so that looking it up is not: unspecialized generic code would ask for
/// metadata at every element.
///
/// Invariant of `@unchecked`: every property is a constant. The bytes of `token` are written in
/// `init`, before anybody else has the object, and freed in `deinit`.
@usableFromInline
class Conformer: @unchecked Sendable {
    /// A model, or `any P` of a protocol that is a conformer (``ProtocolLevel``).
    final let type: Any.Type
    /// The conformers of the protocol, where the type is one.
    final let level: ConformerIndex?
    /// ``Model/typeName`` of the type.
    final let typeName: String
    /// Whether documents lead to it by way of a level alone, so that its names are none here.
    final let isBelowLevel: Bool
    /// The tags of the levels above, and the names inside of a type key that is a path.
    final let outer: [OuterTag]
    final let path: [StaticString]
    /// Whether the tags go into the object that the value writes, as it has fields at their places.
    @usableFromInline final let mergesTags: Bool
    /// The name and its aliases, as the protocol's kind of tag compares them; the name is first.
    /// Empty for elements that were kept.
    final let names: [String]
    /// How the names are written in JSON: `"Circle"`, or `3`.
    final let writtenNames: [[UInt8]]
    /// What JSON has before the value, which is appended as it is: `"$type":"Circle",` inside the
    /// object, `"t":"Circle","c":` beside it, `"Circle":` around it.
    @usableFromInline final let token: UnsafeBufferPointer<UInt8>
    /// Whether values are elements that were kept as they are (``UnknownModel``).
    final let isUnknown: Bool
    /// Whether the type key is a field of the object (``ModelTagging/internal``).
    @usableFromInline final let isInternal: Bool
    /// Whether the writer only has to put `token` at the start of the object. All other forms take
    /// the slow path of ``ProtocolCoding/encode(_:to:)``.
    @usableFromInline final let isPlain: Bool
    /// For an enum without a raw type: what the field of a case may not start with, as it would be
    /// read as the type key. Its cases are in no list, so the written bytes are checked. A struct
    /// without attributes cannot be told apart and has them too.
    final let refusedCases: [[UInt8]]
    /// What JSON has between the type key and the case: the version with its comma, or nothing.
    final let writtenVersion: [UInt8]
    /// Why values of the type cannot be written; nil when they can. A conformer may have a name
    /// that the kind of tag does not hold, and is an error only when somebody writes it.
    @usableFromInline final let failure: ModelEncodingError?
    /// Where documents have the name of the type, and in which fields.
    final let form: ConformerTagging.Form
    final let typeKey: StaticString
    final let content: StaticString
    /// Whether the name is written as a whole number.
    final let isNumber: Bool
    /// Whether the name is written as true or false.
    final let isBoolean: Bool
    /// Whether the name is written as a number with a fraction.
    final let isFraction: Bool
    /// Whether values may be objects, told by the kind of their column. A raw enum is none, and
    /// says so itself when it is read from an object.
    final let isDocument: Bool
    /// Whether a document may have a list of names instead of the name
    /// (``ModelTagKind/stringOrList``).
    final let takesNameLists: Bool
    /// Whether values keep such a list among their undeclared fields.
    final let keepsNameLists: Bool
    /// Whether values keep an alias of the type's name there.
    final let keepsAliases: Bool
    /// What becomes of members beside an adjacent or external tag: what the type does with fields
    /// that it does not declare.
    final let besideTag: UnknownPolicy
    /// The type key and its aliases.
    private final let keys: [TypeKey]
    /// Whether the type has a field named like the type key, which then holds the name too.
    final let declaresTypeKey: Bool

    /// Whether the type has to see its type key, which others are resumed after.
    final var meetsTypeKey: Bool { declaresTypeKey || keepsAliases }

    /// A field name that may hold the name of the type, with the code of its ``FieldKey``.
    struct TypeKey {
        let code: UInt64
        let name: StaticString
        /// Whether the type has a field of this name.
        let isDeclared: Bool
        /// Whether it is the key of a level above, which nobody looks at any more.
        var isOuter = false

        func matches(_ key: FieldKey) -> Bool { key.code == code && key.matches(name) }
    }

    /// Asks the type for its names, attributes and version.
    ///
    /// - Complexity: linear in the type's attributes. Called once for each type and protocol.
    ///
    /// - Parameter level: the tagging of the level below the protocol that the type belongs to; nil
    ///   where it is a conformer of the protocol itself.
    init(
        _ type: any Model.Type,
        of protocolName: String,
        _ tagging: ConformerTagging,
        below level: ConformerTagging? = nil
    ) {
        let tagging = level ?? tagging
        self.type = type
        self.level = nil
        typeName = type.typeName
        isBelowLevel = level != nil
        outer = tagging.outer
        path = tagging.path
        isUnknown = type is any UnknownModel.Type
        isInternal = tagging.form == .internal
        form = tagging.form
        typeKey = tagging.typeKey
        content = tagging.content
        let word = tagging.wordKind(of: type.typeName)
        isNumber = word == .integer
        isBoolean = word == .boolean
        isFraction = word == .scalar
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
                    kind: .notRepresentable,
                    explanation: "\(type) is named \"\(name)\", but the conformers of "
                        + "\(protocolName) are told apart by \(kind)"
                )
            }
        }
        self.names = names
        if tagging.isMisplaced {
            failure = ModelEncodingError(
                kind: .notRepresentable,
                explanation: "\(protocolName) has a type key at two levels, one of which is "
                    + "beside or around the object, or inside of another one; use .internal "
                    + "tagging and plain keys"
            )
        }
        keepsAliases =
            isInternal && tagging.path.isEmpty && names.count > 1 && type.keepsTypeName
            && type.unknownFieldsPolicy == .preserve
        writtenNames = names.map { name in
            tagging.wordKind(of: name) != nil
                ? Array(name.utf8) : ModelWriter.bytes { $0.appendQuoted(name) }
        }
        let fields = isInternal ? type.modelAttributes.map(\.name) : []
        let outerKeys = tagging.outer.flatMap { [$0.key] + $0.aliases }
        refusedCases =
            isInternal && isDocument && fields.isEmpty && !isUnknown
            ? (outerKeys + [tagging.typeKey] + tagging.aliases).map { key in
                ModelWriter.bytes { writer in
                    writer.appendQuoted(key.description)
                    writer.append(0x3A)
                }
            } : []
        let version = type.modelVersion
        writtenVersion =
            version > 1 ? Array("\"\(VersionField.name)\":\(version),".utf8) : []
        let fullKey = ([tagging.typeKey] + tagging.path).map(\.description)
            .joined(separator: ".")
        let inside = fields.contains { $0.hasPrefix(tagging.typeKey.description + ".") }
        let isDeclared = tagging.path.isEmpty ? fields.contains(fullKey) : inside
        keys =
            ([tagging.typeKey] + tagging.aliases).enumerated().map { index, key in
                TypeKey(
                    code: FieldKey(key).code,
                    name: key,
                    isDeclared: index == 0 ? isDeclared : fields.contains(key.description)
                )
            }
            + outerKeys.map { key in
                TypeKey(
                    code: FieldKey(key).code,
                    name: key,
                    isDeclared: fields.contains(key.description),
                    isOuter: true
                )
            }
        declaresTypeKey = isDeclared
        let keepsFields = type.unknownFieldsPolicy == .preserve
        mergesTags =
            tagging.path.isEmpty
            ? !tagging.outer.isEmpty && keys.contains { $0.isDeclared } : inside || keepsFields
        if !tagging.path.isEmpty, inside, !fields.contains(fullKey),
            type.unknownFieldsPolicy != .skip
        {
            failure = ModelEncodingError(
                kind: .notRepresentable,
                explanation: "\(type) has attributes beside the type key \"\(fullKey)\" and "
                    + "looks at fields that it does not declare; declare a property of that name"
            )
        }
        self.failure = failure
        isPlain =
            isInternal && failure == nil && !declaresTypeKey && refusedCases.isEmpty && !isUnknown
            && !mergesTags
        token = Self.token(of: writtenNames.first ?? [], tagging)
    }

    /// Describes a protocol that is a conformer of another one. Values are never written as it: each
    /// has a conformer of its own, with the tags of all levels.
    ///
    /// - Parameters:
    ///   - existential: `any P` of the protocol.
    ///   - level: the conformers of the protocol.
    ///   - name: its name as a conformer.
    ///   - tagging: that of the protocol which it refines.
    init(
        _ existential: Any.Type,
        level: ConformerIndex,
        named name: String,
        _ tagging: ConformerTagging
    ) {
        type = existential
        self.level = level
        typeName = name
        isBelowLevel = false
        outer = tagging.outer
        path = tagging.path
        mergesTags = false
        isUnknown = false
        isInternal = tagging.form == .internal
        form = tagging.form
        typeKey = tagging.typeKey
        content = tagging.content
        let word = tagging.wordKind(of: name)
        (isNumber, isBoolean, isFraction) = (word == .integer, word == .boolean, word == .scalar)
        (isDocument, takesNameLists, keepsNameLists, keepsAliases) = (true, false, false, false)
        besideTag = .skip
        names = Self.written(name, tagging).map { [$0] } ?? []
        writtenNames = []
        (refusedCases, writtenVersion, failure) = ([], [], nil)
        (keys, declaresTypeKey, isPlain) = ([], false, false)
        token = Self.token(of: [], tagging)
    }

    /// What JSON has before the value, in memory that `deinit` frees.
    private static func token(
        of name: [UInt8],
        _ tagging: ConformerTagging
    ) -> UnsafeBufferPointer<UInt8> {
        let token = ModelWriter.bytes { writer in
            for tag in tagging.outer {
                writer.appendQuoted(tag.key.description)
                writer.append(0x3A)
                writer.append(word: tag.name.description, tag.kind)
                writer.append(0x2C)
            }
            if tagging.form != .external {
                writer.appendQuoted(tagging.typeKey.description)
                writer.append(0x3A)
            }
            for name in tagging.path {
                writer.append(0x7B)
                writer.appendQuoted(name.description)
                writer.append(0x3A)
            }
            name.withUnsafeBufferPointer { writer.append($0) }
            for _ in tagging.path { writer.append(0x7D) }
            if tagging.form != .external { writer.append(0x2C) }
            if tagging.form == .adjacent { writer.appendQuoted(tagging.content.description) }
            if tagging.form != .internal { writer.append(0x3A) }
        }
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: token.count)
        _ = copy.initialize(from: token)
        return UnsafeBufferPointer(copy)
    }

    /// How a name is compared; nil for one that the protocol's kind of tag cannot hold. Numbers are
    /// compared in their shortest form, so `@Model(typeName: "03")` is 3.
    private static func written(_ name: String, _ tagging: ConformerTagging) -> String? {
        // Names of fields are strings.
        if tagging.form == .external { return name }
        return switch tagging.kind {
        case .string, .stringOrList: name
        case .scalar: ConformerTagging.scalar(name)
        case .integer: Int64(name).map { "\($0)" }
        case .boolean: Bool(name).map { "\($0)" }
        }
    }

    deinit {
        token.deallocate()
    }

    /// The type key, or the alias of it, that a field is, also of a level above; nil for other
    /// fields, and for one that the type declares as a field of its own.
    final func typeKey(named key: FieldKey) -> StaticString? {
        for typeKey in keys where typeKey.matches(key) && !typeKey.isDeclared {
            return typeKey.name
        }
        return nil
    }

    /// The same without those of levels above, which may be there beside the one that was read.
    final func ownTypeKey(named key: FieldKey) -> StaticString? {
        for typeKey in keys where typeKey.matches(key) && !typeKey.isDeclared && !typeKey.isOuter {
            return typeKey.name
        }
        return nil
    }
}

/// A ``Conformer`` together with how it is read as `any P`.
///
/// A table of the protocol P holds only these, with `any P` as `Value`: ``ConformerTable`` relies
/// on it when it casts without a check.
///
/// Invariant of the unchecked `Sendable`: its one property is a constant.
@usableFromInline
final class ConformerDecoder<Value>: Conformer, @unchecked Sendable {
    /// Reads a value. The closure of generated code captures nothing but the metatype of a model,
    /// which is Sendable although `any P.Type` cannot say so.
    @usableFromInline final let decode: ConformerTable<Value>.Decode

    init(
        _ type: any Model.Type,
        of protocolName: String,
        _ tagging: ConformerTagging,
        below level: ConformerTagging?,
        _ decode: @escaping ConformerTable<Value>.Decode
    ) {
        self.decode = decode
        super.init(type, of: protocolName, tagging, below: level)
    }

    /// Describes a protocol that is a conformer of another one.
    init(
        _ existential: Any.Type,
        level: ConformerIndex,
        named name: String,
        _ tagging: ConformerTagging,
        _ decode: @escaping ConformerTable<Value>.Decode
    ) {
        self.decode = decode
        super.init(existential, level: level, named: name, tagging)
    }
}
