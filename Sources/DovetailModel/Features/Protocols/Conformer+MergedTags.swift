// Tags that go into what a value writes: a field of its own is named like the key of a level above, or
// is in the object around a type key that is a path.

extension Conformer {
    /// The object of a value with the tags of all levels. A field that the value has written at the
    /// place of a tag stays as it is where it says the same.
    ///
    /// - Throws: ``ModelEncodingError`` with the kind `noObject` for a value that is none, and
    ///   `typeKeyConflict` for a field that holds something else than the name.
    func putTags(into content: ModelDocument, among names: ConformerIndex) throws -> ModelDocument {
        guard let members = content.members else {
            throw ModelEncodingError(
                kind: .noObject,
                explanation: "\(typeName) is not written as an object, which its type key needs"
            )
        }
        var first: [ModelDocument.Member] = []
        for tag in outer {
            let key = tag.key.description
            guard let value = content[key: key] else {
                let name = ConformerTagging.document(of: tag.name.description, tag.kind)
                first.append(.init(key: key, value: name))
                continue
            }
            guard value.isName(tag.name.description) else {
                throw ModelEncodingError.typeKeyConflict(of: self)
            }
        }
        let keys = path.map(\.description)
        let tag = try merged(content[key: typeKey.description], keys[...], among: names)
        var rest = members
        if let place = rest.firstIndex(where: { $0.key == typeKey.description }) {
            rest[place].value = tag
        } else {
            first.append(.init(key: typeKey.description, value: tag))
        }
        return .object(first + rest)
    }

    /// The value of a type key with the name at its path.
    private func merged(
        _ value: ModelDocument?,
        _ path: ArraySlice<String>,
        among names: ConformerIndex
    ) throws -> ModelDocument {
        guard let key = path.first else {
            let name = ConformerTagging.document(of: self.names.first ?? "", names.tagging.kind)
            guard let value, !value.isNull else { return name }
            let written = Array(try value.encoded(as: .json))
            guard names.isName(written[...], of: self) else {
                throw ModelEncodingError.typeKeyConflict(of: self)
            }
            return value
        }
        var members: [ModelDocument.Member] = []
        if let value, !value.isNull {
            guard let found = value.members else {
                throw ModelEncodingError.typeKeyConflict(of: self)
            }
            members = found
        }
        let inner = try merged(
            members.first { $0.key == key }?.value,
            path.dropFirst(),
            among: names
        )
        if let place = members.firstIndex(where: { $0.key == key }) {
            members[place].value = inner
        } else {
            members.insert(.init(key: key, value: inner), at: 0)
        }
        return .object(members)
    }

    /// What is kept of the object around a type key that is a path: all but the name; nil where there
    /// is nothing else.
    func withoutName(_ value: ModelDocument) -> ModelDocument? {
        Self.removing(path.map(\.description)[...], from: value)
    }

    private static func removing(
        _ path: ArraySlice<String>,
        from value: ModelDocument
    ) -> ModelDocument? {
        guard let key = path.first else { return nil }
        guard let members = value.members else { return value }
        let rest = members.compactMap { member -> ModelDocument.Member? in
            guard member.key == key else { return member }
            return removing(path.dropFirst(), from: member.value).map {
                .init(key: key, value: $0)
            }
        }
        return rest.isEmpty ? nil : .object(rest)
    }
}

extension ConformerTagging {
    /// A name as its kind of tag has it in documents.
    static func document(of name: String, _ kind: ModelTagKind) -> ModelDocument {
        switch wordKind(of: name, kind) {
        case .integer?: Int64(name).map { .integer($0) } ?? .string(name)
        case .boolean?: .bool(name == "true")
        case .scalar?: Double(name).map { .double($0) } ?? .string(name)
        case .string?, .stringOrList?, nil: .string(name)
        }
    }
}

extension ModelDocument {
    /// Whether it is a name, written in any of the ways of a scalar.
    fileprivate func isName(_ name: String) -> Bool {
        stringValue == name || boolValue.map { "\($0)" } == name
            || numberText.map { ConformerTagging.scalar($0) == ConformerTagging.scalar(name) }
                ?? false
    }
}
