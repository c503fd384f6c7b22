// The type key of JSON, found by its bytes: at the start of an object, or among all that stands
// before its first bracket. What this cannot be sure of goes to `readTypeKey(_:isChecked:)`.

/// The type key as compact JSON writes it, up to the first byte of its value: `"$type":"`.
struct TagStart: Sendable {
    /// The first eight bytes and the last eight, of at most sixteen.
    private let first, last: UInt64
    let count: Int

    /// Nil for names that are too short or too long, and for those with escapes.
    init?(typeKey: StaticString) {
        let bytes = Array("\"\(typeKey)\":\"".utf8)
        let isPlain = bytes.allSatisfy { 0x20..<0x7F ~= $0 && $0 != 0x5C }
        guard isPlain, bytes.count(where: { $0 == 0x22 }) == 3, 8...16 ~= bytes.count else {
            return nil
        }
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        first = word(bytes.prefix(8))
        last = word(bytes.suffix(8))
        count = bytes.count
    }

    /// Whether it stands at `position`.
    @inline(__always)
    func stands(at position: UnsafePointer<UInt8>, in reader: borrowing ModelReader) -> Bool {
        reader.end - position > count && reader.word(at: position) == first
            && reader.word(at: position + count - 8) == last
    }
}

extension ConformerNames {
    /// The conformer of an object of JSON that begins with the type key and a string, without white
    /// space, and is entered like that; nil for all others, which ``readTypeKey(_:isChecked:)``
    /// goes through name by name.
    @inline(__always)
    func firstTypeKey(_ reader: inout ModelReader) -> Unmanaged<Conformer>? {
        let start = reader.cursor
        guard let tagStart, reader.source == .json, reader.remainingDepth > 0,
            reader.byte == 0x7B, tagStart.stands(at: start + 1, in: reader)
        else { return nil }
        let value = start + tagStart.count
        var high: UInt64 = 0
        let quote = reader.endOfPlainRun(from: value + 1, high: &high)
        guard reader.byte(at: quote) == 0x22, high == 0,
            reader.byte(at: quote + 1) == 0x2C || reader.byte(at: quote + 1) == 0x7D,
            let found = lookUp(reader.plainKey(from: value + 1, to: quote)),
            found._withUnsafeGuaranteedRef({ $0.isDocument && !$0.declaresTypeKey })
        else { return nil }
        var object = ObjectScope(start: start)
        object.isFirst = false
        object.tag = ObjectTag(conformer: found, value: value)
        reader.expectTaggedObject(object, resume: quote + 1, memberNumber: 0)
        return found
    }

    /// Leaves the reader at the first field of the object at `start`, for the conformer to read.
    @inline(__always)
    func enter(
        _ reader: inout ModelReader,
        _ start: UnsafePointer<UInt8>,
        _ tag: ObjectTag
    ) -> Unmanaged<Conformer> {
        var object = ObjectScope(start: start)
        object.tag = tag
        reader.remainingDepth += 1
        reader.expectTaggedObject(object, resume: start + 1, memberNumber: 0)
        return tag.conformer
    }

    /// The type key of the object that was entered, if it does not come first.
    @inline(__always)
    func laterTypeKey(_ reader: inout ModelReader) -> ObjectTag? {
        guard tagging.kind.isText, tagging.aliases.isEmpty,
            tagging.typeKey.utf8CodeUnitCount > 0
        else { return nil }
        let name = reader.endOfWhitespace(from: reader.cursor)
        // A first name that begins like the type key is one that is read as the first.
        if reader.byte(at: name + 1) == tagging.typeKey.utf8Start.pointee { return nil }
        return glimpseTypeKey(&reader)
    }

    /// The type key among the fields that follow, found by its bytes; nil when it takes more to be
    /// sure of it.
    ///
    /// Up to the first bracket or backslash quotes only begin and end the names and the values of
    /// one object, so a string with a colon behind it is a name, if what comes before it is JSON.
    func glimpseTypeKey(_ reader: inout ModelReader) -> ObjectTag? {
        let name = tagging.typeKey
        let first = name.utf8Start.pointee
        var position = reader.cursor
        while let quote = reader.possibleName(from: position, first: first) {
            let value: UnsafePointer<UInt8>
            if let tagStart, tagStart.stands(at: quote, in: reader) {
                value = quote + tagStart.count - 1
            } else {
                position = quote + 1 + name.utf8CodeUnitCount
                guard reader.byte(at: position) == 0x22,
                    isTypeKey(reader.plainKey(from: quote + 1, to: position))
                else {
                    position = quote + 1
                    continue
                }
                let colon = reader.endOfWhitespace(from: position + 1)
                guard reader.byte(at: colon) == 0x3A else { continue }
                value = reader.endOfWhitespace(from: colon + 1)
            }
            var high: UInt64 = 0
            guard reader.byte(at: value) == 0x22 else { return nil }
            let end = reader.endOfPlainRun(from: value + 1, high: &high)
            guard reader.byte(at: end) == 0x22, high == 0,
                let found = lookUp(reader.plainKey(from: value + 1, to: end)),
                found._withUnsafeGuaranteedRef({ $0.isDocument })
            else { return nil }
            var tag = ObjectTag(conformer: found, value: value)
            if !found._withUnsafeGuaranteedRef({ $0.declaresTypeKey }) {
                tag.name = quote
                tag.end = end + 1
            }
            return tag
        }
        return nil
    }
}
