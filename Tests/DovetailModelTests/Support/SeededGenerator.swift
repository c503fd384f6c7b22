import Foundation
import Testing

/// Random numbers that a seed repeats: the seed is printed, is part of every failure that names
/// `comment`, and is taken from `DOVETAIL_SEED` when that is set.
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    /// - Parameter usual: The seed where none is given; by default another one each time.
    init(for test: String = #function, usual: UInt64? = nil) {
        let given = ProcessInfo.processInfo.environment["DOVETAIL_SEED"].flatMap { UInt64($0) }
        seed = given ?? usual ?? .random(in: 0...UInt64(UInt32.max))
        state = seed
        print("\(test): DOVETAIL_SEED=\(seed)")
    }

    var comment: Comment { "DOVETAIL_SEED=\(seed)" }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// A text of up to `limit` scalars: mostly ASCII, with escapes, controls and other planes.
    mutating func text(upTo limit: Int = 24) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...limit, using: &self) {
            let range: ClosedRange<UInt32> =
                switch Int.random(in: 0..<10, using: &self) {
                case 0: 0...0x1F
                case 1: 0x80...0x7FF
                case 2: 0xE000...0xFFFF
                case 3: 0x10000...0x10FFFF
                default: 0x20...0x7F
                }
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// A finite double of random bits.
    mutating func finiteDouble() -> Double {
        while true {
            let value = Double(bitPattern: next())
            if value.isFinite { return value }
        }
    }
}
