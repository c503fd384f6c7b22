import DovetailModel
import DovetailStore

/// Puts the members of a patch into the document of a value.
struct PatchMerge {
    /// The attributes by their paths: an object for each step, and at its end the path as text.
    private var known: ModelDocument = .object([])
    /// The document of the value.
    private(set) var whole: ModelDocument
    /// The paths of the attributes of which the patch says something.
    private(set) var said: Set<String> = []

    /// - Throws: ``ModelDecodingError`` for a patch that has something else where an object has to be, or a
    ///   member twice.
    init(_ patch: ModelDocument, into whole: ModelDocument, _ attributes: [ModelAttribute]) throws {
        var whole = whole
        for attribute in attributes {
            try known.set(attribute.path, to: .string(attribute.path))
        }
        var members = patch
        members[key: "$version"] = nil
        self.whole = whole
        try merge(members, into: &whole, known, at: "")
        self.whole = whole
    }

    private mutating func merge(
        _ patch: ModelDocument,
        into whole: inout ModelDocument,
        _ known: ModelDocument,
        at path: String
    ) throws {
        var seen: Set<String> = []
        for member in patch.members ?? [] {
            let path = DocumentPath.joined(path, DocumentPath.component(of: member.key))
            guard seen.insert(member.key).inserted else {
                throw ModelDecodingError(
                    kind: .repeatedField,
                    path: path,
                    expected: "each member once",
                    found: "it again"
                )
            }
            guard let attributes = known[key: member.key] else {
                // What is not declared is for the model to refuse, to keep or to pass over.
                if member.value.isNull, whole[key: member.key] != nil {
                    whole[key: member.key] = nil
                } else {
                    whole[key: member.key] = member.value
                }
                continue
            }
            if let attribute = attributes.stringValue {
                said.insert(attribute)
                whole[key: member.key] = member.value
            } else if member.value.isNull {
                // An object without members.
                say(attributes)
                whole[key: member.key] = member.value
            } else if member.value.members != nil {
                var inner = whole[key: member.key] ?? .object([])
                if inner.isNull { inner = .object([]) }
                try merge(member.value, into: &inner, attributes, at: path)
                whole[key: member.key] = inner
            } else {
                throw ModelDecodingError(
                    kind: .typeMismatch,
                    path: path,
                    expected: "an object, or null",
                    found: "\(member.value.kind)"
                )
            }
        }
    }

    /// Notes all attributes below a step.
    private mutating func say(_ attributes: ModelDocument) {
        if let attribute = attributes.stringValue { said.insert(attribute) }
        for member in attributes.members ?? [] { say(member.value) }
    }

    /// What makes undeclared members of one those of another: null for one that is gone.
    static func difference(of new: ModelDocument, from old: ModelDocument) -> ModelDocument {
        var difference: ModelDocument = .object([])
        for member in new.members ?? [] {
            let before = old[key: member.key]
            if before == member.value { continue }
            difference[key: member.key] = member.value
        }
        for member in old.members ?? [] where new[key: member.key] == nil {
            difference[key: member.key] = .null
        }
        return difference
    }
}
