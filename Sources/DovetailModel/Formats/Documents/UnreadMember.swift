// What a migration sees of a document is mostly left as it is. So the object that it gets holds its
// members as places in the document; a member becomes a tree when somebody looks into it, and what
// nobody looked into is read by the model where it is.

/// A member of an object, or an element of an array, as a place in a document. In JSON and in XML
/// places are offsets from the start of the text.
struct UnreadMember: BitwiseCopyable {
    /// That of the member's ``FieldKey``; an element has no name.
    var code: UInt64 = 0
    /// Where the name is in the text, if it is there without escapes; otherwise the complement of
    /// its place in ``UnreadMembers/names``.
    var name = 0
    var nameCount = 0
    /// Where the value is; -1 for one that was put here. In a binary property list it is the offset
    /// of an object, in a tree the member's number, from 1.
    var value: Int
    /// Where the value ends in a text. Elsewhere it is the member's number, from 1, which errors
    /// find its name by.
    var valueEnd: Int
    /// The place in ``UnreadMembers/values`` of a value that was read or put here; -1 without.
    var slot = -1

    init(value: Int, end: Int) {
        self.value = value
        valueEnd = end
    }
}

extension ModelReader {
    /// Notes the place of a member of JSON at whose value the reader is, and moves over it.
    ///
    /// - Throws: ``ModelDecodingError`` for what is no value.
    @inline(__always)
    mutating func note(
        _ key: FieldKey,
        from start: UnsafePointer<UInt8>,
        in members: UnreadMembers
    ) throws {
        var member = UnreadMember(value: cursor - start, end: 0)
        member.code = key.code
        member.name = key.start - start
        member.nameCount = key.count
        // A name with escapes was resolved elsewhere, and one that is not ASCII too.
        if key.start < start || key.start >= end {
            member.name = members.keepName(key.bytes)
        }
        try skipShortValue()
        member.valueEnd = cursor - start
        members.append(member)
    }
}
