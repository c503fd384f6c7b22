import DovetailModel
import Foundation

/// Random numbers that can be had again.
struct SeededRandom: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    /// - Parameter seed: By default `DOVETAIL_SEED` of the environment, or a new one.
    init(seed: UInt64?) {
        let named = ProcessInfo.processInfo.environment["DOVETAIL_SEED"].flatMap { UInt64($0) }
        self.seed = seed ?? named ?? .random(in: 0...UInt64(UInt32.max))
        state = self.seed
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &self)
    }

    /// The document with the members of all objects in another order; those of a repeated key keep
    /// theirs. Only for documents that were read, whose depth is bounded.
    mutating func shuffled(_ document: ModelDocument) -> ModelDocument {
        if let elements = document.arrayValue {
            return .array(elements.map { shuffled($0) })
        }
        guard let members = document.members else { return document }
        // By bytes: `String` would take different keys for one.
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
