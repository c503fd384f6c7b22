public import Foundation

/// UUIDs that begin with the time (RFC 9562, section 5.7): later ones are greater, so rows are added at
/// the end of an index, and those of several generators do not meet.
///
/// ```swift
/// var identifiers = UUIDv7Identifiers<UUID>()
/// identifiers.next()      // 0192F3C0-…-7…
/// var items = UUIDv7Identifiers(as: ItemID.init(rawValue:))
/// ```
///
/// Those of one generator are ordered, also within a millisecond and when the clock is set back: 12 bits
/// after the time count (section 6.2, method 1), and 62 bits are random.
public struct UUIDv7Identifiers<Identifier>: IdentifierGenerator {
    /// Milliseconds since 1970, of 48 bits, in front of a counter of 12 bits: what the last one had.
    private var last: UInt64?
    private let now: () -> Date
    private let make: (UUID) -> Identifier

    /// Makes a generator.
    ///
    /// - Parameters:
    ///   - now: Gives the time. Times before 1970 are those of 1970.
    ///   - make: Makes an identifier of a UUID.
    public init(
        now: @escaping () -> Date = { Date() },
        as make: @escaping (UUID) -> Identifier
    ) {
        self.now = now
        self.make = make
    }

    /// The next identifier; nil after the year 10889, when no time is left.
    public mutating func next() -> Identifier? {
        // A counter that is full goes on in the next millisecond.
        let ordered = max(Self.milliseconds(now()) << 12, last.map { $0 + 1 } ?? 0)
        guard ordered < 1 << 60 else { return nil }
        last = ordered
        let random = UInt64.random(in: 0..<1 << 62)
        return make(Self.uuid(time: ordered >> 12, counter: ordered & 0xFFF, random: random))
    }

    /// Milliseconds since 1970, as far as 48 bits hold them.
    private static func milliseconds(_ date: Date) -> UInt64 {
        let exact = date.timeIntervalSince1970 * 1000
        return exact > 0 ? UInt64(min(exact, Double((1 as UInt64) << 48 - 1))) : 0
    }

    private static func uuid(time: UInt64, counter: UInt64, random: UInt64) -> UUID {
        let halves = (time << 16 | 0x7000 | counter, 1 << 63 | random)
        func byte(_ half: UInt64, _ place: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: half >> (56 - 8 * place))
        }
        let (high, low) = halves
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }
}

extension UUIDv7Identifiers where Identifier == UUID {
    /// Makes a generator.
    ///
    /// - Parameter now: Gives the time. Times before 1970 are those of 1970.
    public init(now: @escaping () -> Date = { Date() }) {
        self.init(now: now) { $0 }
    }
}
