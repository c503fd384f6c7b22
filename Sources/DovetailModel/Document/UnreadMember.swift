// What a migration sees of a document is mostly left as it is. So the object that it gets holds its
// members as places in the object's text; a member becomes a tree when somebody looks into it, one
// level at a time, and what nobody looked into is read where it stands or copied as text.

/// The text of an object that parts of a document were not read from yet.
///
/// Invariant of the unchecked `Sendable`: the bytes are those of valid JSON, and change only while
/// one reference is left (``replace(with:count:depth:)``).
final class DocumentText: @unchecked Sendable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private(set) var capacity: Int
    /// How many levels below the object a reader would have gone.
    private(set) var depth = 0

    init() {
        capacity = 512
        start = .allocate(capacity: capacity)
    }

    /// Takes another text, for a caller that holds the one reference.
    func replace(with bytes: UnsafePointer<UInt8>, count: Int, depth: Int) {
        if count > capacity {
            start.deallocate()
            capacity = count
            start = .allocate(capacity: capacity)
        }
        start.update(from: bytes, count: count)
        self.count = count
        self.depth = depth
    }

    deinit {
        start.deallocate()
    }
}

/// A member of an object, or an element of an array, as a place in a text. All places are offsets
/// from the start of the text; in property lists, of which no text is kept, from where
/// ``MigratedObject/base`` says.
struct UnreadMember: BitwiseCopyable {
    /// That of the member's ``FieldKey``; an element has no name.
    var code: UInt64 = 0
    /// Where the name stands, if it stands there without escapes; otherwise the complement of its
    /// place in ``UnreadMembers/names``.
    var name = 0
    var nameCount = 0
    /// Where the value stands; -1 for one that was put here.
    var value: Int
    /// Where it ends. The values of a binary property list are passed over by themselves; there it is
    /// the member's number, from 1, which errors find its name by.
    var valueEnd: Int
    /// The place in ``UnreadMembers/values`` of a value that was read or put here; -1 without.
    var slot = -1

    init(value: Int, end: Int) {
        self.value = value
        valueEnd = end
    }
}

extension ModelReader {
    /// Notes the place of a member of JSON at whose value the reader stands, and moves over it.
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
