package import DovetailModel
package import DovetailStore
package import Foundation

/// Random numbers that a seed repeats, on every platform and in every version of Swift.
///
/// Each ``LawChecker`` and each ``ContractTrial`` owns one, and so do the random tests of this
/// package. The numbers are for tests only: they are predictable.
package struct SeededRandom: RandomNumberGenerator {
    /// What repeats the numbers, for messages.
    package let seed: UInt64
    /// What the store that values are made for cannot keep: text with U+0000 has another character there,
    /// and dates have whole microseconds.
    package var lacking: Set<StoreCapability> = []
    private var state: UInt64

    /// That of `DOVETAIL_SEED` in the environment, where it is a number.
    package static var namedSeed: UInt64? {
        ProcessInfo.processInfo.environment["DOVETAIL_SEED"].flatMap { UInt64($0) }
    }

    /// - Parameter seed: Nil for ``namedSeed`` or, where there is none, a new seed of at most 32 bits,
    ///   which is short enough to be typed.
    package init(seed: UInt64?) {
        self.seed = seed ?? Self.namedSeed ?? .random(in: 0...UInt64(UInt32.max))
        state = self.seed
    }

    /// The next number of SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
    /// Generators*, 2014, <https://doi.org/10.1145/2660193.2660195>).
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to `limit`, which has to be positive.
    package mutating func below(_ limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }

    /// The document with the members of all objects in a random order. Members of a repeated key
    /// keep their order among each other, because it decides which of them counts.
    ///
    /// It recurses once a level, so it is only for documents that were read, whose depth the reader
    /// limits to 512.
    package mutating func shuffled(_ document: ModelDocument) -> ModelDocument {
        if let elements = document.arrayValue {
            return .array(elements.map { shuffled($0) })
        }
        guard let members = document.members else { return document }
        // By bytes: `String` takes keys that are canonically equivalent for the same.
        var values = Dictionary(grouping: members.reversed()) { Array($0.key.utf8) }
        return .object(
            members.map(\.key).shuffled(using: &self).compactMap { key in
                values[Array(key.utf8)]?.popLast().map {
                    .init(key: key, value: shuffled($0.value))
                }
            }
        )
    }
}

extension SeededRandom {
    /// True once in `count` times.
    package mutating func isOne(in count: Int) -> Bool { below(count) == 0 }

    /// One of the elements, of which there has to be one.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// One of the texts, as the store can keep it.
    package mutating func pick(_ texts: [String]) -> String {
        kept(texts[below(texts.count)])
    }

    /// A text as the store can keep it.
    package func kept(_ text: String) -> String {
        lacking.contains(.textWithNUL) ? text.replacing("\0", with: "\u{1}") : text
    }

    /// A date as the store keeps it.
    package func kept(_ date: Date) -> Date {
        lacking.contains(.exactDates) ? date.inMicroseconds : date
    }
}
