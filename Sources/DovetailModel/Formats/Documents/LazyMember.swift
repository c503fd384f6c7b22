// What a migration sees of a document is mostly left as it is. So the object that it gets holds its
// members as places in the document; a member becomes a tree when somebody looks into it, and what
// nobody looked into is read by the model where it is.
//
// LazyMember.swift          one member as a place
// LazyMembers.swift         the members of one object, which a DocumentNode holds
// LazyMembers+Names.swift   how one is found
// NameTags.swift            what is compared first for that
// ValueSlots.swift          their values that were read or put in
// LazyText.swift            the bytes that the places are in
// MigratedObject.swift      the reader's side, in Features/Versions
// MigratedPlace.swift       where in the object that is, there too
// MemberShape.swift         how members are noted, there too

/// A member of an object, or an element of an array, as a place in a document. In JSON and in XML
/// places are offsets from the start of the text.
///
/// Plain numbers without references, so that members of many objects reuse one buffer.
struct LazyMember: BitwiseCopyable {
    /// That of the member's ``FieldKey``; an element has no name.
    var code: UInt64 = 0
    /// Where the name is in the text, if it is there without escapes; otherwise the complement of
    /// its place in ``LazyMembers/names``.
    var name = 0
    /// The bytes of the name.
    var nameCount = 0
    /// Where the value is; -1 for one that was put here. In a binary property list it is the offset
    /// of an object, in a tree the member's number, from 1.
    var value: Int
    /// Where the value ends in a text. Elsewhere it is the member's number, from 1, which errors
    /// find its name by.
    var valueEnd: Int
    /// The place in ``LazyMembers/values`` of a value that was read or put here; -1 without.
    var slot = -1
    /// Whether the value is a string of the text that has only ASCII and no escapes. False when
    /// nobody has looked.
    var isPlain = false

    /// Makes an element, or a member whose name is set next.
    init(value: Int, end: Int) {
        self.value = value
        valueEnd = end
    }

    /// Makes a member of a text.
    @inline(__always)
    init(code: UInt64, name: Int, nameCount: Int, value: Int, valueEnd: Int, isPlain: Bool) {
        self.code = code
        self.name = name
        self.nameCount = nameCount
        self.value = value
        self.valueEnd = valueEnd
        self.isPlain = isPlain
    }
}

extension ModelReader {
    /// Notes the place of a member of JSON at whose value the reader is, and skips the value.
    ///
    /// - Parameters:
    ///   - key: The member's name.
    ///   - start: The byte that places count from.
    ///   - members: Takes the place.
    /// - Complexity: linear in the value.
    /// - Throws: ``ModelDecodingError`` for what is no value.
    @inline(__always)
    mutating func note(
        _ key: FieldKey,
        from start: UnsafePointer<UInt8>,
        in members: LazyMembers
    ) throws {
        var member = LazyMember(value: cursor - start, end: 0)
        member.code = key.code
        member.name = key.start - start
        member.nameCount = key.count
        // A name with escapes or outside of ASCII is in the scratch buffer, which the next one
        // overwrites. So a name that is in the text is ASCII.
        if key.start < start || key.start >= end {
            member.name = members.keepName(key.bytes)
        }
        if let value = endOfShortValue(at: cursor) {
            cursor = value.end
            member.isPlain = value.isText
        } else {
            try skipValue()
        }
        member.valueEnd = cursor - start
        members.append(member)
    }
}
