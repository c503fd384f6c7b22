/// The names of a model's fields in the order of their declaration, which is that of most documents.
///
/// A name that is compared with the expected one tells where its value starts without a look for
/// its closing quote, so that the processor need not wait for the one before the other.
@frozen
public struct ExpectedNames {
    /// The next name: its length, then the name in quotes; a length of 0 behind the last one.
    ///
    /// Invariant: eight bytes can be loaded from every quote (`FieldCode.expected(_:)`).
    @usableFromInline var next: UnsafePointer<UInt8>

    /// Called by generated code, with what `FieldCode.expected(_:)` wrote.
    @inlinable
    @inline(__always)
    public init(_ names: StaticString) {
        next = names.utf8Start
    }

    /// No name is longer (`FieldCode.longestExpectedName`); with both quotes.
    private static var longest: Int { 65 }

    /// The key for the name at `start`, if it is the next one; then the one after it is next.
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
            let unused = UInt64(truncatingIfNeeded: 64 &- size &* 8)
            guard difference.littleEndian &<< unused == 0 else { return nil }
        } else {
            guard difference == 0 else { return nil }
            var offset = 8
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

    @inline(__always)
    private static func isSame(
        _ left: UnsafeRawPointer,
        _ right: UnsafeRawPointer,
        at offset: Int
    ) -> Bool {
        left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// The code of the name whose first bytes, after the quote, `word` holds.
    @inline(__always)
    private func code(_ word: UInt64, count: Int) -> UInt64 {
        let bits = UInt64(truncatingIfNeeded: min(count, 7)) &* 8
        return word &>> 8 & ((1 &<< bits) &- 1) | UInt64(truncatingIfNeeded: count) &<< 56
    }

    /// Goes on after `key` if it is one of the next few names: fields between may be absent. Another
    /// one is expected no more in this object: in documents of another order each comparison that
    /// fails is a branch that was predicted wrongly.
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
        // An empty name ends the list.
        next = ReaderState.noBytes
    }
}
