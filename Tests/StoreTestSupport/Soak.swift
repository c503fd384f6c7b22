import DovetailTesting
import Foundation

/// How long random tests run: as a part of the suite, or for hours (`Scripts/soak`).
package enum Soak {
    /// Whether `DOVETAIL_SOAK` is set.
    package static let isOn = ProcessInfo.processInfo.environment["DOVETAIL_SOAK"] != nil

    /// A number of repetitions, in the suite and in a long run.
    package static func count(_ usual: Int, soak: Int) -> Int { isOn ? soak : usual }

    /// That of `DOVETAIL_SEED`, or else `usual`, or else one that is new each time. It is printed
    /// with what it is for.
    package static func seed(for purpose: String, usual: UInt64? = nil) -> UInt64 {
        let seed = SeededRandom(seed: SeededRandom.namedSeed ?? usual).seed
        print("\(purpose): DOVETAIL_SEED=\(seed)")
        return seed
    }
}
