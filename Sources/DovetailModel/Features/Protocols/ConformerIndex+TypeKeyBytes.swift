// The fast paths to the type key of JSON. It is found by its bytes: at the start of an object, or
// among the fields before the object's first bracket or backslash. Whatever they cannot be sure of
// goes to `readTypeKey(_:isChecked:)`, so they never throw.

/// The type key as compact JSON writes it, up to the first byte of its value: `"$type":"`.
///
/// Comparing it takes two loads and two comparisons, whatever the length of the name.
struct TagStart: Sendable {
    /// The first eight bytes and the last eight, which overlap: there are at most sixteen.
    private let first, last: UInt64
    let count: Int

    /// Nil for names of less than four or more than twelve bytes, and for those that are not plain
    /// ASCII without escapes.
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

    /// Whether it begins at `position`. The check of the end keeps both loads inside the document.
    @inline(__always)
    func stands(at position: UnsafePointer<UInt8>, in reader: borrowing ModelReader) -> Bool {
        reader.end - position > count && reader.word(at: position) == first
            && reader.word(at: position + count - 8) == last
    }
}

extension ConformerIndex {
    /// The conformer of a JSON object that begins with the type key and a string, without white
    /// space. The object is then ready to be resumed after that field.
    ///
    /// - Returns: nil for all other objects, which ``readTypeKey(_:isChecked:)`` goes through name
    ///   by name; the reader has not moved then.
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
            found._withUnsafeGuaranteedRef({ $0.isDocument && !$0.meetsTypeKey })
        else { return nil }
        var object = ObjectScope(start: start)
        object.isFirst = false
        object.tag = ObjectTag(conformer: found, value: value)
        reader.expectTaggedObject(object, resume: quote + 1, memberNumber: 0)
        return found
    }

    /// Hands the object at `start` to the conformer of `tag`, to be read from its first field. The
    /// type key comes later, so the conformer will meet it.
    @inline(__always)
    func enter(
        _ reader: inout ModelReader,
        _ start: UnsafePointer<UInt8>,
        _ tag: ObjectTag
    ) -> Unmanaged<Conformer> {
        var object = ObjectScope(start: start)
        object.tag = tag
        reader.expectTaggedObject(object, resume: start + 1, memberNumber: 0)
        return tag.conformer
    }

    /// The conformer of a JSON object whose type key is certain not to be the first field. The
    /// object is then ready to be read from its first field; it is not entered before, as for the
    /// slow path.
    ///
    /// An object whose type key comes first is resumed after it, which the caller does, so this
    /// gives nil for a first name that begins like the type key.
    @inline(__always)
    func laterTypeKey(_ reader: inout ModelReader) -> Unmanaged<Conformer>? {
        let start = reader.cursor
        guard tagging.hasTextKey, tagging.aliases.isEmpty,
            tagging.typeKey.utf8CodeUnitCount > 0, reader.byte == 0x7B, reader.remainingDepth > 0
        else { return nil }
        let name = reader.endOfWhitespace(from: start + 1)
        if reader.byte(at: name + 1) == tagging.typeKey.utf8Start.pointee { return nil }
        return peekTypeKey(&reader, from: name).map { enter(&reader, start, $0) }
    }

    /// Peeks at the fields that follow for the type key; nil when its bytes are not enough to be
    /// sure.
    ///
    /// Before the first bracket or backslash, quotes only begin and end names and values of one
    /// object. So a string followed by a colon is a name, if what comes before it is JSON. The
    /// conformer checks that when it reads the object.
    ///
    /// - Complexity: linear in the bytes before the type key, sixteen bytes a step.
    func peekTypeKey(
        _ reader: inout ModelReader,
        from start: UnsafePointer<UInt8>
    ) -> ObjectTag? {
        let name = tagging.typeKey
        let first = name.utf8Start.pointee
        var position = start
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
            if !found._withUnsafeGuaranteedRef({ $0.meetsTypeKey }) {
                tag.name = quote
                tag.end = end + 1
            }
            return tag
        }
        return nil
    }
}
