/// A byte of each of the first sixteen names of an object, by which one is found in a few steps and
/// without a branch for each: where a name is differs from look-up to look-up.
///
/// Two words and no vector: they are loaded in the width in which they were stored, so the
/// processor need not wait for them.
///
/// Invariant: the byte of a place is the tag of its name, which is not 0; after the last place they
/// are 0.
struct NameTags: BitwiseCopyable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// How many places have a byte.
    static let limit = 16

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The tag of a name by the code of its ``FieldKey``.
    @inline(__always)
    static func tag(of code: UInt64) -> UInt64 {
        // Fibonacci hashing, as names often differ in their last bytes alone.
        max((code &* 0x9E37_79B9_7F4A_7C15) &>> 56, 1)
    }

    /// Sets the tag of the place after the last one. Does nothing from ``limit`` on.
    @inline(__always)
    mutating func append(_ code: UInt64, at place: Int) {
        let bits = UInt64(truncatingIfNeeded: place & 7) &* 8
        if place < 8 {
            low |= Self.tag(of: code) &<< bits
        } else if place < Self.limit {
            high |= Self.tag(of: code) &<< bits
        }
    }

    /// Changes the tag of a place.
    mutating func replace(_ code: UInt64, at place: Int) {
        let bits = UInt64(truncatingIfNeeded: place & 7) &* 8
        if place < 8 {
            low = low & ~(0xFF &<< bits) | Self.tag(of: code) &<< bits
        } else if place < Self.limit {
            high = high & ~(0xFF &<< bits) | Self.tag(of: code) &<< bits
        }
    }

    /// Removes a place; those after it move.
    mutating func remove(at place: Int) {
        let below = (1 as UInt64) &<< (UInt64(truncatingIfNeeded: place & 7) &* 8) &- 1
        if place < 8 {
            low = low & below | low &>> 8 & ~below | high &<< 56
            high &>>= 8
        } else if place < Self.limit {
            high = high & below | high &>> 8 & ~below
        }
    }

    /// The places that may have a name of this code: the last of them, and whether it is the only
    /// one; nil without any.
    @inline(__always)
    func places(of code: UInt64) -> (last: Int, isOnly: Bool)? {
        let tag = Self.tag(of: code) &* Self.ones
        let (first, second) = (Self.zeros(in: low ^ tag), Self.zeros(in: high ^ tag))
        guard first | second != 0 else { return nil }
        let isOnly = first & (first &- 1) | second & (second &- 1) == 0
        if second == 0 { return (7 - first.leadingZeroBitCount &>> 3, isOnly) }
        return (15 - second.leadingZeroBitCount &>> 3, isOnly && first == 0)
    }

    /// The top bit of each byte that is 0. All marks are exact.
    @inline(__always)
    private static func zeros(in word: UInt64) -> UInt64 {
        let sums = word & ~tops &+ ~tops
        return ~(sums | word) & tops
    }
}
