// Members of the object around a value with adjacent or external tagging that are neither tag nor
// value: `{"t":"A","c":{},"id":7}`. The type of the value says what becomes of them, as of fields
// that it does not declare. They are read before the value, whose initializer takes them, and
// written after it.

/// Members beside a tag, until the value that they belong to takes them.
struct MembersBesideTag {
    /// The start of the value.
    let content: UnsafePointer<UInt8>
    let members: [ModelDocument.Member]
}

extension ConformerIndex {
    /// Goes over the object around a value once more, for the members that its type keeps or
    /// refuses.
    ///
    /// - Complexity: O(1) for a type that skips them, otherwise linear in the size of the object.
    /// - Throws: ``ModelDecodingError`` with the kind `unknownField` for a member that is refused,
    ///   and for what is no value.
    func readMembersBesideTag(
        of conformer: Unmanaged<Conformer>,
        in object: ObjectScope,
        content: UnsafePointer<UInt8>,
        _ reader: inout ModelReader
    ) throws {
        let policy = conformer._withUnsafeGuaranteedRef { $0.besideTag }
        guard policy != .skip else { return }
        let (cursor, depth, number) = (reader.cursor, reader.remainingDepth, reader.memberNumber)
        reader.cursor = object.start
        reader.remainingDepth += 1
        var members: [ModelDocument.Member] = []
        var scan = try reader.beginObject()
        while let key = try reader.nextDocumentField(in: &scan) {
            if isTag(key, of: conformer) || object.tag?.isTypeKey(key) ?? false {
                try reader.skipValue()
            } else if policy == .throw {
                throw reader.unknownField(key)
            } else {
                let name = key.text
                members.append(.init(key: name, value: try ModelDocument(modelValue: &reader)))
            }
        }
        (reader.cursor, reader.remainingDepth) = (cursor, depth)
        if reader.source == .tree || reader.source == .binaryPropertyList {
            reader.memberNumber = number
        }
        guard !members.isEmpty else { return }
        reader.state.besideTag = MembersBesideTag(content: content, members: members)
    }

    /// Whether a member of the object around a value says its type or holds the value.
    fileprivate func isTag(_ key: FieldKey, of conformer: Unmanaged<Conformer>) -> Bool {
        guard tagging.form == .external else {
            return isTypeKey(key) || key.matches(tagging.content)
        }
        // A generic type has its name although nobody finds it by that.
        return lookUp(key) != nil
            || conformer._withUnsafeGuaranteedRef { $0.names.contains(key.text) }
    }
}

extension ModelWriter {
    /// Writes the value of a tag with `body`, and the members beside the tag after it.
    mutating func writeContent(
        of conformer: Conformer,
        among names: ConformerIndex,
        _ body: (inout ModelWriter) throws -> Void
    ) throws {
        guard conformer.besideTag == .preserve else {
            try body(&self)
            return putComma()
        }
        let outer = (contentDepth, besideTag)
        (contentDepth, besideTag) = (remainingDepth, [])
        defer { (contentDepth, besideTag) = outer }
        try body(&self)
        putComma()
        for member in besideTag {
            var name = member.key
            let isTag = name.withUTF8 {
                names.isTag(FieldKey($0), of: .passUnretained(conformer))
            }
            if isTag { continue }
            try name.withUTF8 { try beginField(named: $0) }
            try member.value.encode(to: &self)
            putComma()
        }
    }
}
