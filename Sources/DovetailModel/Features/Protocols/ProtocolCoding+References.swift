// References to objects of all classes that conform to a protocol: an object of the type key and the
// attribute that names the object among those of its class.

extension ProtocolCoding {
    /// The document that names an object; nil where it has no value in the attribute by which documents
    /// name it.
    ///
    /// ```swift
    /// // {"$type":"Manager","email":"ann@example.org"}
    /// ```
    ///
    /// - Throws: ``ModelEncodingError`` for a value that has no form.
    package static func reference<Object: Model>(
        to object: Object,
        by key: ModelAttribute
    ) throws -> ModelDocument? {
        guard let value = try key.document(of: object) else { return nil }
        return .object([
            ModelDocument.Member(key: tagging.typeKey.description, value: .string(Object.typeName)),
            ModelDocument.Member(key: key.name, value: value),
        ])
    }

    /// What a document is of which the type key says the class: the class, and what it reads.
    ///
    /// - Parameter inherited: Finds a class by its name that inherits its conformance, which no record of
    ///   the program says.
    /// - Throws: ``ModelDecodingError`` where it names no class that conforms, with a path inside of the
    ///   document.
    package static func opened(
        _ document: ModelDocument,
        or inherited: (String) -> (any Model.Type)?
    ) throws -> (type: any Model.Type, content: ModelDocument) {
        switch tagging.form {
        case .internal:
            for key in [tagging.typeKey] + tagging.aliases {
                guard let tag = document[key: key.description] else { continue }
                let (type, declaresTypeKey) = try type(of: tag, at: key.description, or: inherited)
                var content = document
                if !declaresTypeKey { content[key: key.description] = nil }
                return (type, content)
            }
        case .adjacent:
            let (key, content) = (tagging.typeKey.description, tagging.content.description)
            if let tag = document[key: key], let content = document[key: content] {
                return (try type(of: tag, at: key, or: inherited).type, content)
            }
        case .untagged: break
        case .external:
            if let members = document.members, members.count == 1 {
                let tag = ModelDocument.string(members[0].key)
                let type = try type(of: tag, at: members[0].key, or: inherited).type
                return (type, members[0].value)
            }
        }
        throw noType(document)
    }

    /// The class that a reference names, and the reference without its name.
    ///
    /// - Throws: as ``opened(_:or:)``.
    package static func openedReference(
        _ document: ModelDocument,
        or inherited: (String) -> (any Model.Type)?
    ) throws -> (type: any Model.Type, content: ModelDocument) {
        let key = tagging.typeKey.description
        guard let tag = document[key: key] else { throw noType(document) }
        var content = document
        content[key: key] = nil
        return (try type(of: tag, at: key, or: inherited).type, content)
    }

    /// The class that a value names: a text, a number, or the first known one of a list. And whether its
    /// documents have a field of the name of the type key.
    private static func type(
        of tag: ModelDocument,
        at path: String,
        or inherited: (String) -> (any Model.Type)?
    ) throws -> (type: any Model.Type, declaresTypeKey: Bool) {
        let tags = tag.arrayValue.map { Array($0) } ?? [tag]
        for tag in tags {
            guard let name = name(tag) else { continue }
            if let known = known(name) { return known }
            if let type = inherited(name) { return (type, false) }
        }
        throw ModelDecodingError(
            kind: .unknownType,
            path: DocumentPath.component(of: path),
            expected: "a class that conforms to \(conformers.names.name)",
            found: "another name"
        )
    }

    /// What a value says as a name; nil for one that is none.
    private static func name(_ tag: ModelDocument) -> String? {
        tag.stringValue ?? tag.intValue.map { "\($0)" } ?? tag.boolValue.map { "\($0)" }
    }

    /// The class of a name, by the records of the program. Out of line: in one function with the loop over
    /// the names it ends the optimizer of Swift 6.3 ("Found ownership error").
    @inline(never)
    private static func known(
        _ name: String
    ) -> (type: any Model.Type, declaresTypeKey: Bool)? {
        var name = name
        let found = name.withUTF8 { bytes in
            let start = bytes.baseAddress ?? ReaderState.noBytes
            return conformers.names.lookUp(FieldKey(start: start, count: bytes.count))
        }
        // A protocol that is a conformer (ProtocolLevel) is no class.
        return found?._withUnsafeGuaranteedRef { conformer in
            (conformer.type as? any Model.Type).map { ($0, conformer.declaresTypeKey) }
        }
    }

    private static func noType(_ document: ModelDocument) -> ModelDecodingError {
        ModelDecodingError(
            kind: .unknownType,
            path: "",
            expected: "an object that names a class which conforms to \(conformers.names.name)",
            found: "\(document.kind) without a name"
        )
    }
}
