/// The names of a model's fields in the order of their declaration, which is the order of most
/// documents.
///
/// A name that equals the expected one tells where its value starts without a search for its
/// closing quote, so the processor need not wait for one before the other. A generated initializer
/// has one of these for each object that it reads, in a local variable.
///
/// Only JSON is compared like this; other formats find their names in other ways.
@frozen
public struct ExpectedNames {
    /// The next name: its length, then the name in quotes. A length of 0 ends the list.
    ///
    /// Invariant: eight bytes can be loaded from every opening quote; `FieldCode.expected(_:)` ends
    /// the list with eight zeros.
    @usableFromInline var next: UnsafePointer<UInt8>

    /// Starts at the first name. Called by generated code, with what `FieldCode.expected(_:)`
    /// wrote; any other text breaks the invariant of `next`.
    @inlinable
    @inline(__always)
    public init(_ names: StaticString) {
        next = names.utf8Start
    }

    /// The longest name with both quotes. `FieldCode.longestExpectedName`, which is 63, upholds it.
    private static var longest: Int { 65 }

    /// The key for the name at `start`, if it is the next one; the list then moves to the name
    /// after it. `start` is at a quote.
    ///
    /// The guard leaves more bytes before `end` than the longest name has, so every load from the
    /// document stays inside; near the end of the document nothing is expected.
    @inline(__always)
    mutating func key(
        at start: UnsafePointer<UInt8>,
        end: UnsafePointer<UInt8>
    ) -> FieldKey? {
        let count = Int(next.pointee)
        guard count != 0, end - start > ExpectedNames.longest else { return nil }
        let found = UnsafeRawPointer(start)
        let expected = UnsafeRawPointer(next + 1)
        let size = count &+ 2
        let first = expected.loadUnaligned(as: UInt64.self)
        let difference = found.loadUnaligned(as: UInt64.self) ^ first
        if size <= 8 {
            // A short name fills only a part of the word; the rest is shifted out.
            let unused = UInt64(truncatingIfNeeded: 64 &- size &* 8)
            guard difference.littleEndian &<< unused == 0 else { return nil }
        } else {
            guard difference == 0 else { return nil }
            var offset = 8
            // The middle of a long name, then its last eight bytes, which overlap the middle.
            while offset &+ 8 < size {
                guard ExpectedNames.isSame(found, expected, at: offset) else { return nil }
                offset &+= 8
            }
            guard ExpectedNames.isSame(found, expected, at: size &- 8) else { return nil }
        }
        let code = code(first.littleEndian, count: count)
        next += size &+ 1
        return FieldKey(code: code, start: start + 1, count: count)
    }

    /// Whether eight bytes are equal. The last load of a name overlaps the one before it.
    @inline(__always)
    private static func isSame(
        _ left: UnsafeRawPointer,
        _ right: UnsafeRawPointer,
        at offset: Int
    ) -> Bool {
        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// The code of a name, as ``FieldKey`` computes it, from `word`: the quote and the first seven
    /// bytes.
    @inline(__always)
    private func code(_ word: UInt64, count: Int) -> UInt64 {
        let bits = UInt64(truncatingIfNeeded: min(count, 7)) &* 8
        return word &>> 8 & ((1 &<< bits) &- 1) | UInt64(truncatingIfNeeded: count) &<< 56
    }

    /// Moves to the name after `key` if that is one of the next four: the fields between may be
    /// absent. Otherwise no name is expected in the rest of the object. In documents of another
    /// order each failed comparison would be a mispredicted branch.
    @inline(__always)
    mutating func skip(to key: FieldKey) {
        if next.pointee != 0 { find(key) }
    }

    @inline(never)
    private mutating func find(_ key: FieldKey) {
        var position = next
        for _ in 0..<4 {
            let count = Int(position.pointee)
            if count == 0 { break }
            let word = UnsafeRawPointer(position + 1).loadUnaligned(as: UInt64.self)
            position += count &+ 3
            if code(word.littleEndian, count: count) == key.code {
                next = position
                return
            }
        }
        // The terminating zero of the empty string reads as a length of 0, which ends the list.
        next = ReaderState.noBytes
    }
}
