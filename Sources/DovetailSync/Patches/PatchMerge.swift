import DovetailModel
import DovetailStore

/// Puts the members of a patch into the document of a value.
struct PatchMerge {
    /// The document of the value.
    private(set) var whole: ModelDocument
    /// The paths of the attributes of which the patch says something.
    private(set) var said: Set<String> = []
    /// Those in which null is another value than none.
    private let nullable: Set<String>

    /// - Throws: ``ModelDecodingError`` for a patch that has something else where an object has to be, or a
    ///   member twice.
    init(_ patch: ModelDocument, into whole: ModelDocument, _ attributes: [ModelAttribute]) throws {
        var whole = whole
        let known = try Self.steps(to: attributes)
        nullable = Set(attributes.lazy.filter(\.distinguishesNull).map(\.path))
        var members = patch
        members[key: "$version"] = nil
        self.whole = whole
        try merge(members, into: &whole, known, at: "")
        self.whole = whole
    }

    /// Attributes by their paths: an object for each step, and at its end the path as text.
    ///
    /// - Throws: ``ModelDecodingError`` for paths that no model has.
    static func steps(to attributes: [ModelAttribute]) throws -> ModelDocument {
        var steps: ModelDocument = .object([])
        for attribute in attributes { try steps.set(attribute.path, to: .string(attribute.path)) }
        return steps
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
                // No value has an object around nothing but attributes that are nil, where none was kept.
                whole[key: member.key] = isHollow(inner, attributes) ? .none : .some(inner)
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

    /// Whether all that an object has are attributes that are nil.
    private func isHollow(_ object: ModelDocument, _ attributes: ModelDocument) -> Bool {
        guard let members = object.members, !members.isEmpty else { return false }
        return members.allSatisfy { member in
            guard let inner = attributes[key: member.key] else { return false }
            guard let attribute = inner.stringValue else { return isHollow(member.value, inner) }
            return member.value.isNull && !nullable.contains(attribute)
        }
    }

    /// Notes all attributes below a step.
    private mutating func say(_ attributes: ModelDocument) {
        if let attribute = attributes.stringValue { said.insert(attribute) }
        for member in attributes.members ?? [] { say(member.value) }
    }

    /// Adds what makes the undeclared members of one value those of another: null for one that is gone.
    ///
    /// - Parameter known: The attributes, as ``steps(to:)`` has them.
    static func addDifference(
        of new: ModelDocument,
        from old: ModelDocument,
        to patch: inout ModelDocument,
        _ known: ModelDocument
    ) {
        let gone = (old.members ?? []).lazy.map(\.key).filter { new[key: $0] == nil }
        for key in (new.members ?? []).map(\.key) + gone {
            let (before, after) = (old[key: key], new[key: key])
            if before == after { continue }
            guard let inner = known[key: key], inner.members != nil else {
                patch[key: key] = after ?? .null
                continue
            }
            // Beside attributes inside of the same object.
            var members = patch[key: key] ?? .object([])
            let (none, count) = (ModelDocument.object([]), members.count)
            addDifference(of: after ?? none, from: before ?? none, to: &members, inner)
            if members.count > count { patch[key: key] = members }
        }
    }
}
