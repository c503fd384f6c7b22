/// The names of the members that an object had, in their order, by which those of the next object
/// are noted: most objects of a document have the members of the one before.
///
/// A name that is expected is compared in one or two steps of eight bytes, without a search for its
/// end, as ``ExpectedNames`` does for the names of a model. What is not expected is noted in the
/// usual way.
///
/// Names of JSON only. Owned by one ``MigratedObject``, which calls ``deallocate()`` once.
struct MemberShape {
    /// A name, and where it is in `bytes`, with its quotes and a colon.
    private struct Name: BitwiseCopyable {
        var code: UInt64
        var start: Int
        var count: Int
    }

    private var names = GrowingBuffer<Name>()
    /// Those of all names.
    private(set) var tags = NameTags()
    /// Invariant: each name is followed by so many bytes that it can be loaded in steps of eight.
    private var bytes = GrowingBuffer<UInt8>()

    /// The longest name that is expected, with its quotes.
    private static let longest = 64
    /// So many bytes have to be left in the input where a name is expected.
    static let margin = 80

    /// Frees the names. No function may be called afterwards.
    func deallocate() {
        names.deallocate()
        bytes.deallocate()
    }

    var count: Int { names.count }

    /// Takes the names of an object's members. Those that are not in the text as they are, and long
    /// ones, are left out.
    ///
    /// - Parameter start: the byte that the places of the members count from.
    /// - Complexity: linear in the names.
    mutating func learn(_ members: UnsafeBufferPointer<LazyMember>, at start: UnsafePointer<UInt8>)
    {
        names.truncate(to: 0)
        bytes.truncate(to: 0)
        tags = NameTags()
        for member in members where member.name >= 0 && member.nameCount + 2 <= Self.longest {
            let size = member.nameCount + 3
            tags.append(member.code, at: names.count)
            names.append(Name(code: member.code, start: bytes.count, count: member.nameCount))
            // A quote is before the name and after it.
            let text = UnsafeBufferPointer(start: start + member.name - 1, count: size - 1)
            bytes.append(contentsOf: text)
            bytes.append(0x3A)
            for _ in 0..<(-size & 7) { bytes.append(0) }
        }
    }

    /// The name at a place, when it is between the quotes of which the first one is at `quote`, and
    /// a colon follows.
    ///
    /// Invariant: ``margin`` bytes can be loaded from `quote`, more than the name has.
    @inline(__always)
    func name(at place: Int, ifAt quote: UnsafePointer<UInt8>) -> (code: UInt64, count: Int)? {
        let name = names[place]
        let found = UnsafeRawPointer(quote)
        let expected = UnsafeRawPointer(bytes.storage + name.start)
        let size = name.count &+ 3
        var offset = 0
        while size &- offset > 8 {
            let word = found.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard word == expected.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else {
                return nil
            }
            offset &+= 8
        }
        let word = found.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let last = expected.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        // What comes after the colon is shifted out.
        let unused = UInt64(truncatingIfNeeded: 64 &- (size &- offset) &* 8)
        guard (word ^ last).littleEndian &<< unused == 0 else { return nil }
        return (name.code, name.count)
    }

    /// Which place comes after a member that was not expected at `place`, which is at most `count`:
    /// members between them may be absent.
    func place(after key: FieldKey, from place: Int) -> Int {
        for next in place..<min(place + 4, names.count) where names[next].code == key.code {
            return next + 1
        }
        return place
    }
}

extension ModelReader {
    /// Notes the members of an object of JSON that was just entered, as long as they are those of the
    /// shape, and moves after the last one that was noted; past the object when that was the last
    /// one of the shape and of the object.
    ///
    /// - Returns: how many were noted, and whether they are all.
    /// - Complexity: linear in the members and their values, which are skipped.
    /// - Throws: ``ModelDecodingError`` for what is no value.
    @inline(__always)
    mutating func noteExpectedObject(
        at start: UnsafePointer<UInt8>,
        in migrated: MigratedObject
    ) throws -> (count: Int, isWhole: Bool) {
        let count = try noteExpected(from: 0, isFirst: true, start, in: migrated)
        guard count > 0, count == migrated.shape.count else { return (count, false) }
        let bracket = endOfWhitespace(from: cursor)
        guard byte(at: bracket) == 0x7D else { return (count, false) }
        cursor = bracket
        leave()
        migrated.end = cursor
        return (count, true)
    }

    /// The same in the middle of an object, whose end is not looked for.
    ///
    /// - Parameter place: of the member that is next in the shape.
    mutating func noteExpected(
        _ object: inout ObjectScope,
        _ place: inout Int,
        in migrated: MigratedObject
    ) throws {
        guard place < migrated.shape.count else { return }
        let start = object.start
        let count = try noteExpected(from: place, isFirst: object.isFirst, start, in: migrated)
        if count > 0 { object.isFirst = false }
        place += count
    }

    /// The same from the member that is next in the shape.
    ///
    /// - Returns: how many were noted.
    @inline(never)
    private mutating func noteExpected(
        from place: Int,
        isFirst: Bool,
        _ start: UnsafePointer<UInt8>,
        in migrated: MigratedObject
    ) throws -> Int {
        let (shape, unread) = (migrated.shape, migrated.unread)
        // In local variables: the processor need not wait for what was stored just before.
        let most = shape.count - place
        let members = unread.room(for: most)
        var position = cursor
        var count = 0
        while count < most {
            guard end - position > MemberShape.margin else { break }
            var quote = position
            if count > 0 || !isFirst {
                guard quote.pointee == 0x2C else { break }
                quote += 1
            }
            if quote.pointee <= 0x20 {
                quote = endOfWhitespace(from: quote)
                guard end - quote > MemberShape.margin else { break }
            }
            guard let name = shape.name(at: place &+ count, ifAt: quote) else { break }
            // One space or none comes after a colon.
            var value = quote + name.count + 3
            if value.pointee <= 0x20 {
                guard value.pointee == 0x20, value[1] > 0x20 else { break }
                value += 1
            }
            let (valueEnd, isPlain) = try endOfMember(at: value)
            members[count] = LazyMember(
                code: name.code,
                name: quote + 1 - start,
                nameCount: name.count,
                value: value - start,
                valueEnd: valueEnd - start,
                isPlain: isPlain
            )
            position = valueEnd
            count &+= 1
        }
        cursor = position
        unread.add(count, with: count == shape.count ? shape.tags : nil)
        return count
    }

    /// The position after a value, and whether it is a string of ASCII without escapes.
    @inline(__always)
    private mutating func endOfMember(
        at start: UnsafePointer<UInt8>
    ) throws -> (UnsafePointer<UInt8>, Bool) {
        if let short = endOfShortValue(at: start) { return short }
        return (try endOfLongMember(at: start), false)
    }

    /// The same for any value.
    @inline(never)
    private mutating func endOfLongMember(
        at start: UnsafePointer<UInt8>
    ) throws -> UnsafePointer<UInt8> {
        cursor = start
        try skipValue()
        return cursor
    }
}
