/// The name of a field as a reader found it: bytes of the document, and an integer that generated
/// code switches over.
///
/// The integer is the first seven bytes of the name, little-endian, with the length (at most 255)
/// in the top byte. It tells names of up to seven bytes apart by itself; for longer ones
/// ``matches(_:)`` compares all bytes. A hand-written reader uses ``matches(_:)`` alone.
///
/// A key is valid until the value after it is read: the bytes of a name with escapes are in the
/// reader's scratch buffer, which the next string uses as well.
@frozen
public struct FieldKey {
    /// The first seven bytes and the length. `FieldCode.code(of:)` computes the same for the
    /// macros.
    public let code: UInt64
    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline let count: Int

    @inlinable
    init(code: UInt64, start: UnsafePointer<UInt8>, count: Int) {
        self.code = code
        self.start = start
        self.count = count
    }

    /// The key of any `count` bytes. `ModelReader.plainKey(from:to:)` is faster where eight bytes
    /// can be loaded.
    @usableFromInline
    init(start: UnsafePointer<UInt8>, count: Int) {
        var code: UInt64 = 0
        if count >= 8 {
            // `count` says that eight bytes are there. The mask drops the last one, which is no
            // part of the code.
            let word = UnsafeRawPointer(start).loadUnaligned(as: UInt64.self)
            code = UInt64(littleEndian: word) & 0xFF_FFFF_FFFF_FFFF
        } else if count >= 4 {
            // The first four bytes and the last four, which may overlap.
            let raw = UnsafeRawPointer(start)
            let first = UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))
            let rest = raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            let bits = UInt64(truncatingIfNeeded: count &- 4) &* 8
            code = UInt64(first) | UInt64(UInt32(littleEndian: rest)) &<< bits
        } else {
            for index in 0..<count { code |= UInt64(start[index]) &<< UInt64(8 &* index) }
        }
        self.code = code | UInt64(truncatingIfNeeded: min(count, 255)) &<< 56
        self.start = start
        self.count = count
    }

    /// Whether the name is exactly `name`, byte by byte: no Unicode normalization.
    ///
    /// ```swift
    /// while let key = try reader.nextKey(in: &object) {
    ///     if key.matches("name") {
    ///         name = try reader.readString()
    ///     } else {
    ///         try reader.skipField(key, in: object)
    ///     }
    /// }
    /// ```
    ///
    /// - Complexity: O(length), eight bytes a step.
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

    /// Whether `count` bytes are equal. `count` is at least 8, so the last load may overlap the one
    /// before it.
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

    /// Whether the `count` bytes at `other` are the same.
    func hasBytes(at other: UnsafePointer<UInt8>?) -> Bool {
        guard let other else { return count == 0 }
        if count >= 8 { return FieldKey.isSame(start, other, count: count) }
        for index in 0..<count where start[index] != other[index] { return false }
        return true
    }

    /// The bytes of the name, not copied; valid as long as the key.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// The name as text. Bytes that are no UTF-8 are repaired.
    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension FieldKey {
    /// Runs `body` with a key for a name; the key is valid during the call.
    @inline(__always)
    static func with<Result>(_ name: String, _ body: (FieldKey) -> Result) -> Result {
        // `withUTF8` is mutating and needs a copy, which is reference counted.
        if let result = name.utf8.withContiguousStorageIfAvailable({ body(FieldKey($0)) }) {
            return result
        }
        var name = name
        return name.withUTF8 { body(FieldKey($0)) }
    }

    /// A key for bytes; valid as long as they are.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.init(start: bytes.baseAddress ?? ReaderState.noBytes, count: bytes.count)
    }

    /// A key for a literal of the source; valid forever.
    @usableFromInline
    init(_ name: StaticString) {
        self.init(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }
}
