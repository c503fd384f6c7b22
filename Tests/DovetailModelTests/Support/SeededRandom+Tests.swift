import DovetailTesting
import StoreTestSupport
import Testing

extension SeededRandom {
    /// Numbers for a test, whose seed is printed.
    ///
    /// - Parameter usual: The seed where `DOVETAIL_SEED` gives none; by default another one each time.
    init(for test: String = #function, usual: UInt64? = nil) {
        self.init(seed: Soak.seed(for: test, usual: usual))
    }

    /// What repeats the numbers, for failures.
    var comment: Comment { "DOVETAIL_SEED=\(seed)" }

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
