/// The name of a field as a reader found it: bytes of the document plus an integer that generated
/// code switches over.
///
/// The integer is the first seven bytes of the name, little-endian, with the length (at most 255)
/// in the top byte. Names of up to seven bytes are told apart by it alone; for longer ones
/// ``matches(_:)`` compares the rest. Valid until the reader moves to the next field.
@frozen
public struct FieldKey {
    /// First seven bytes and length.
    public let code: UInt64
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline let count: Int

    @inlinable
    init(code: UInt64, start: UnsafePointer<UInt8>, count: Int) {
        self.code = code
        self.start = start
        self.count = count
    }

    /// Computes the code of any bytes. Only for names that are not on the hot path.
    @usableFromInline
    init(start: UnsafePointer<UInt8>, count: Int) {
        var code: UInt64 = 0
        if count >= 8 {
            // Invariant: eight bytes are there, of which the last one does not count.
            let word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
            code = UInt64(littleEndian: word) & 0xFF_FFFF_FFFF_FFFF
        } else {
            for index in 0..<count { code |= UInt64(start[index]) &<< UInt64(8 &* index) }
        }
        self.code = code | UInt64(truncatingIfNeeded: min(count, 255)) &<< 56
        self.start = start
        self.count = count
    }

    /// Whether the name is exactly `name`, byte by byte.
    ///
    /// - Complexity: O(length).
    @inlinable
    public func matches(_ name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        let other = name.utf8Start
        // Invariant: both sides hold `count` bytes, so every load below stays inside them.
        if count < 8 {
            for index in 0..<count where start[index] != other[index] { return false }
            return true
        }
        return FieldKey.isSame(start, other, count: count)
    }

    /// Whether `count` bytes are the same, which are 8 at least.
    @inlinable
    static func isSame(
        _ left: UnsafePointer<UInt8>,
        _ right: UnsafePointer<UInt8>,
        count: Int
    ) -> Bool {
        let left = UnsafeRawPointer(left)
        let right = UnsafeRawPointer(right)
        var offset = 0
        while offset &+ 8 <= count {
            let a = left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let b = right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            if a != b { return false }
            offset &+= 8
        }
        let last = count &- 8
        return left.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            == right.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    }

    /// Whether the same bytes stand at `other`, which holds as many.
    func hasBytes(at other: UnsafePointer<UInt8>?) -> Bool {
        guard let other else { return count == 0 }
        if count >= 8 { return FieldKey.isSame(start, other, count: count) }
        for index in 0..<count where start[index] != other[index] { return false }
        return true
    }

    /// Valid as long as the key.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// The name as text; bytes that are no UTF-8 are repaired, because this is for messages.
    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension FieldKey {
    /// Runs `body` with a key for a name, which is valid as long.
    @inline(__always)
    static func with<Result>(_ name: String, _ body: (FieldKey) -> Result) -> Result {
        // `withUTF8` wants a copy, which is counted.
        if let result = name.utf8.withContiguousStorageIfAvailable({ body(FieldKey($0)) }) {
            return result
        }
        var name = name
        return name.withUTF8 { body(FieldKey($0)) }
    }

    /// A key for bytes, which is valid as long as they are.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.init(start: bytes.baseAddress ?? ReaderState.noBytes, count: bytes.count)
    }

    /// A key for a name that is a literal of the source.
    @usableFromInline
    init(_ name: StaticString) {
        self.init(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }
}
