/// The fields of a document that a model does not declare, kept by
/// `@Model(unknownFields: .preserve)`, which adds the property `unknownFields` to the model.
///
/// ```swift
/// @Model(unknownFields: .preserve)
/// struct User: Identifiable { var id: Int; var name: String }
///
/// var user = try User(decoding: data, as: .json)    // {"plan":"pro","id":1,"name":"Ann"}
/// user.unknownFields["plan"]                        // "pro"
/// try user.encoded(as: .json)                       // {"id":1,"name":"Ann","plan":"pro"}
/// ```
///
/// They are written back after the declared ones, in their order, numbers with their text. What was
/// in an object around attributes (`@Attribute(name: "a.b")`) is in the member `a`, which is there too
/// when that object was empty or null. A list of type names (`@ModelProtocol(tagKind: .stringOrList)`) is
/// kept under the type key and written there.
///
/// A row has them as JSON in one column, the last one:
/// `INSERT INTO "User" ("id", "name", "$unknownFields") VALUES (?1, ?2, ?3)`.
public struct UnknownFields: Hashable, Sendable {
    /// The fields in the order of the document, both of a repeated one.
    public var members: [ModelDocument.Member]
    /// Where the type's name stands beside or around the object (`tagging: .adjacent` or
    /// `.external`), the members beside it, in their order: `id` of `{"t":"A","c":{},"id":7}`.
    ///
    /// They are written after the object wherever it is written in such a form, but for those that
    /// are named like the tag, the content or a conformer. Where the type is not told in this way
    /// there is no place for them, and they are not written.
    public var besideTag: [ModelDocument.Member]

    /// Makes fields of members; none unless some are given.
    public init(
        _ members: [ModelDocument.Member] = [],
        besideTag: [ModelDocument.Member] = []
    ) {
        self.members = members
        self.besideTag = besideTag
    }

    /// Whether there are none, also beside a tag.
    public var isEmpty: Bool { members.isEmpty && besideTag.isEmpty }

    /// The last field of this name in the object. Complexity: linear in the number of fields.
    public subscript(name: String) -> ModelDocument? {
        members.last { ExactText.areSame($0.key, name) }?.value
    }

    /// The fields in an object around attributes.
    func inner(_ path: [String]) -> [ModelDocument.Member] {
        var members = members
        for name in path {
            members = members.first { ExactText.areSame($0.key, name) }?.value.members ?? []
        }
        return members
    }

    /// The value at the path of an object around attributes.
    func value(at path: [String]) -> ModelDocument? {
        guard let name = path.last else { return nil }
        return inner(path.dropLast()).first { ExactText.areSame($0.key, name) }?.value
    }

    /// Adds a field to an object around attributes, in time that does not depend on how many it has.
    fileprivate static func add(
        _ member: ModelDocument.Member,
        under path: ArraySlice<String>,
        to members: inout [ModelDocument.Member]
    ) {
        guard let name = path.first else { return members.append(member) }
        // The one that others were added to before is mostly the last.
        let found = members.lastIndex { ExactText.areSame($0.key, name) }
        if found == nil { members.append(.init(key: name, value: .object([]))) }
        var node = members[found ?? members.endIndex - 1].value.objectNode()
        for name in path.dropFirst() {
            let place = node.lastPlace(of: name)
            if place == nil { node.append(name, .object([])) }
            node = node.modify(at: place ?? node.count - 1) { $0.objectNode() }
        }
        node.append(member.key, member.value)
    }
}

extension ModelDocument {
    /// The members of an object, which nobody else has; the value becomes one where it is none.
    fileprivate mutating func objectNode() -> DocumentNode {
        if kind == .object, let node = uniqueNode() { return node }
        let node = DocumentNode()
        self = ModelDocument(.object(node))
        return node
    }
}

extension UnknownFields {
    /// Whether both hold the same. As in an object, the order matters only among members of one
    /// name.
    ///
    /// - Complexity: linear in the size of the fields.
    public static func == (left: UnknownFields, right: UnknownFields) -> Bool {
        ModelDocument.object(left.members) == ModelDocument.object(right.members)
            && ModelDocument.object(left.besideTag) == ModelDocument.object(right.besideTag)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ModelDocument.object(members))
        hasher.combine(ModelDocument.object(besideTag))
    }
}

extension UnknownFields {
    /// All of them as one value: an object of the fields, or a list of that object and another one
    /// with the members beside the tag, if there are any.
    var document: ModelDocument {
        let fields = ModelDocument.object(members)
        return besideTag.isEmpty ? fields : .array([fields, .object(besideTag)])
    }

    /// Reads what ``document`` gives, and null as no fields; nil for anything else.
    init?(_ document: ModelDocument) {
        if document.isNull {
            self.init()
        } else if let fields = document.members {
            self.init(fields)
        } else if let parts = document.arrayValue, parts.count == 2,
            let fields = parts[0].members, let beside = parts[1].members
        {
            self.init(fields, besideTag: beside)
        } else {
            return nil
        }
    }
}

extension UnknownFields: ModelValue {
    /// Reads all fields of an object, or of a list of two objects, of which the second one has the
    /// members beside a tag: the column of a row that holds them. Null has none.
    ///
    /// - Complexity: linear in the size of the value.
    /// - Throws: ``ModelDecodingError`` when there is neither.
    public init(modelValue reader: inout ModelReader) throws {
        let start = reader.cursor
        let document = try ModelDocument(modelValue: &reader)
        guard let fields = UnknownFields(document) else {
            throw reader.error(.typeMismatch, expected: "object", at: start)
        }
        self = fields
    }

    /// Writes the fields as an object, or as a list of two objects when there are members beside a
    /// tag.
    ///
    /// - Complexity: linear in the size of the fields.
    /// - Throws: ``ModelEncodingError`` for what the writer's format has no form for.
    public func encode(to writer: inout ModelWriter) throws {
        try document.encode(to: &writer)
    }

    /// The column of a row that holds the fields.
    public static var columnName: StaticString { "$unknownFields" }
}

extension ModelReader {
    /// The undeclared fields that were met before the object was entered: those beside its tag.
    /// Called by generated code.
    ///
    /// - Complexity: O(1).
    public mutating func unknownFields(in object: ObjectScope) -> UnknownFields {
        // What is nested in a conformer that is written by hand does not get them.
        guard let beside = state.besideTag, beside.content == object.start else {
            return UnknownFields()
        }
        state.besideTag = nil
        return UnknownFields(besideTag: beside.members)
    }

    /// Keeps the value of a field that is not declared, unless it is the type key or the version,
    /// which are no fields of the model. Called by generated code.
    ///
    /// - Parameter path: the names of the objects around it.
    /// - Complexity: linear in the size of the field.
    /// - Throws: ``ModelDecodingError`` for what is no value, and for a second type key.
    @inline(never)
    public mutating func keepField(
        _ key: FieldKey,
        in object: ObjectScope,
        under path: [String] = [],
        _ fields: inout UnknownFields
    ) throws {
        guard !path.isEmpty || !isReserved(key, in: object) else {
            if try keepNames(key, in: object, &fields) { return }
            if try keepBesideName(key, in: object, &fields) { return }
            return try skipField(key, in: object)
        }
        let name = key.text
        let value = try ModelDocument(modelValue: &self)
        UnknownFields.add(.init(key: name, value: value), under: path[...], to: &fields.members)
    }

    /// Keeps a type key that holds a list of names, which the type's name alone could not bring
    /// back.
    ///
    /// - Returns: false for every other field, which is not read then.
    private mutating func keepNames(
        _ key: FieldKey,
        in object: ObjectScope,
        _ fields: inout UnknownFields
    ) throws -> Bool {
        guard let tag = object.tag else { return false }
        let conformer = tag.conformer.takeUnretainedValue()
        guard keepsNames(key, of: conformer) else { return false }
        try expectNoTypeKey(key, beside: tag)
        if let names = try keptNames(key, of: conformer) { fields.members.append(names) }
        return true
    }

    /// Whether the model keeps what a field has: the type key with names that its own would not bring back.
    func keepsNames(_ key: FieldKey, of conformer: Conformer) -> Bool {
        guard conformer.ownTypeKey(named: key) != nil else { return false }
        return valueKind == .array ? conformer.keepsNameLists : conformer.keepsAliases
    }

    /// Reads such a field; nil for the name that is written anyway.
    mutating func keptNames(
        _ key: FieldKey,
        of conformer: Conformer
    ) throws -> ModelDocument.Member? {
        let names = try ModelDocument(modelValue: &self)
        let kind: ModelTagKind =
            conformer.isNumber ? .integer : conformer.isBoolean ? .boolean : .string
        if names == ConformerTagging.document(of: conformer.typeName, kind) { return nil }
        return conformer.ownTypeKey(named: key).map { .init(key: $0.description, value: names) }
    }

    /// Keeps what is beside the name in the object around a type key that is a path.
    ///
    /// - Returns: false for every other field, which is not read then.
    private mutating func keepBesideName(
        _ key: FieldKey,
        in object: ObjectScope,
        _ fields: inout UnknownFields
    ) throws -> Bool {
        guard let tag = object.tag else { return false }
        let conformer = tag.conformer.takeUnretainedValue()
        guard !conformer.path.isEmpty, key.matches(conformer.typeKey) else { return false }
        try expectNoTypeKey(key, beside: tag)
        let value = try ModelDocument(modelValue: &self)
        if let rest = conformer.withoutName(value) {
            fields.members.append(.init(key: conformer.typeKey.description, value: rest))
        }
        return true
    }

    /// Refuses a field that is not declared. Called by generated code.
    ///
    /// - Parameter isInner: whether it is in an object around attributes, which has neither type
    ///   key nor version.
    /// - Throws: ``ModelDecodingError`` with the kind `unknownField`.
    @inline(never)
    public mutating func refuseField(
        _ key: FieldKey,
        in object: ObjectScope,
        isInner: Bool = false
    ) throws {
        if !isInner && isReserved(key, in: object) {
            return try skipField(key, in: object)
        }
        throw unknownField(key)
    }

    mutating func unknownField(_ key: FieldKey) -> ModelDecodingError {
        error(
            .unknownField,
            expected: "a declared field",
            found: "\"\(key.text.prefix(DocumentExcerpt.limit))\"",
            at: cursor
        )
    }

    /// Whether a field is the version or the type key, which are no fields of the model.
    private func isReserved(_ key: FieldKey, in object: ObjectScope) -> Bool {
        if key.matches("$version") { return true }
        let name = object.tag?.conformer._withUnsafeGuaranteedRef { $0.typeKey(named: key) }
        return name ?? nil != nil
    }
}

extension UnknownFields {
    /// Keeps an object around attributes of which none is written again: it was empty or null.
    /// Called by generated code.
    ///
    /// - Parameters:
    ///   - seen: what the document had; nothing is kept of an object that was absent.
    ///   - path: the names of the objects around it, and its own.
    /// - Complexity: linear in the number of fields.
    public mutating func keepObject(_ seen: SeenObject, at path: [String]) {
        guard seen != .absent, let name = path.last, value(at: path) == nil else { return }
        let value: ModelDocument = seen == .null ? .null : .object([])
        Self.add(.init(key: name, value: value), under: path.dropLast()[...], to: &members)
    }
}
