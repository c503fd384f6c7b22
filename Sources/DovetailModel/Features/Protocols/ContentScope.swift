// Adjacent and external tagging: the value stands beside its tag, in an object around both.

/// The place of a reader in the object around a value with adjacent or external tagging.
@usableFromInline
struct ContentScope {
    @usableFromInline let conformer: Unmanaged<Conformer>
    fileprivate var object: ObjectScope
    /// Where to go on when the value comes before its tag; nil when it comes after it.
    fileprivate var resume: UnsafePointer<UInt8>?

    /// Lets the conformer read the value at `content`.
    fileprivate init(
        _ conformer: Unmanaged<Conformer>,
        in object: ObjectScope,
        content: UnsafePointer<UInt8>,
        resume: UnsafePointer<UInt8>? = nil,
        among names: ConformerIndex,
        _ reader: inout ModelReader
    ) throws {
        (self.conformer, self.object, self.resume) = (conformer, object, resume)
        try names.readMembersBesideTag(of: conformer, in: object, content: content, &reader)
        reader.cursor = content
    }
}

extension ConformerIndex {
    /// Enters the object under the cursor, with adjacent or external tagging, and moves to the
    /// value in it. A value that comes before its tag is skipped first and gone back to.
    ///
    /// - Complexity: linear in what comes before the value and its tag.
    /// - Throws: ``ModelDecodingError`` when there is no object, tag, content or such conformer,
    ///   and when one of them is repeated.
    func enterContent(_ reader: inout ModelReader) throws -> ContentScope {
        let start = reader.cursor
        var object = try reader.beginObject()
        if tagging.form == .external { return try enterNamedContent(&reader, object, at: start) }
        var found: Unmanaged<Conformer>?
        var content: UnsafePointer<UInt8>?
        while let key = try reader.nextDocumentField(in: &object) {
            if isTypeKey(key) {
                if found != nil { throw reader.repeatedField(tagging.typeKey) }
                found = try readName(&reader, objectAt: object.start)
            } else if key.matches(tagging.content) {
                if content != nil { throw reader.repeatedField(tagging.content) }
                content = reader.cursor
                if let found {
                    return try ContentScope(
                        found,
                        in: object,
                        content: reader.cursor,
                        among: self,
                        &reader
                    )
                }
                try reader.skipValue()
            } else {
                try reader.skipValue()
            }
            if let found, let content {
                return try ContentScope(
                    found,
                    in: object,
                    content: content,
                    resume: reader.cursor,
                    among: self,
                    &reader
                )
            }
        }
        guard found == nil else { throw reader.missingField(tagging.content, in: object) }
        reader.cursor = object.start
        throw reader.missingType(of: name, tagging)
    }

    /// The same with external tagging: the first field that is named like a conformer is the value.
    private func enterNamedContent(
        _ reader: inout ModelReader,
        _ scope: ObjectScope,
        at start: UnsafePointer<UInt8>
    ) throws -> ContentScope {
        var object = scope
        var unknown: String?
        while let key = try reader.nextDocumentField(in: &object) {
            if let found = lookUp(key) {
                let content = reader.cursor
                return try ContentScope(found, in: object, content: content, among: self, &reader)
            }
            if isClaimedTwice(key) { _ = try conformer(named: key, &reader, at: object.start) }
            if unknown == nil { unknown = key.text }
            try reader.skipValue()
        }
        reader.cursor = object.start
        if let unknown { throw reader.unknownType(unknown, of: name, known: known) }
        throw reader.emptyObject(of: name)
    }

    /// Moves from the end of the value to the end of the object around it.
    ///
    /// - Throws: ``ModelDecodingError`` for a second tag, content or name of a conformer.
    func leaveContent(_ scope: inout ContentScope, _ reader: inout ModelReader) throws {
        if let resume = scope.resume { reader.cursor = resume }
        while let key = try reader.nextDocumentField(in: &scope.object) {
            if tagging.form == .external {
                if lookUp(key) != nil { throw reader.repeatedType(of: name) }
            } else if isTypeKey(key) {
                throw reader.repeatedField(tagging.typeKey)
            } else if key.matches(tagging.content) {
                throw reader.repeatedField(tagging.content)
            }
            try reader.skipValue()
        }
    }
}
