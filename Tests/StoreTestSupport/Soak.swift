import Foundation

/// How long random tests run: as a part of the suite, or for hours (`Scripts/soak`).
package enum Soak {
    /// Whether `DOVETAIL_SOAK` is set.
    package static let isOn = ProcessInfo.processInfo.environment["DOVETAIL_SOAK"] != nil

    /// A number of repetitions, in the suite and in a long run.
    package static func count(_ usual: Int, soak: Int) -> Int { isOn ? soak : usual }

    /// A seed that is new each time, or that of `DOVETAIL_SEED`. It is printed with what it is for.
    package static func seed(for purpose: String) -> UInt64 {
        let given = ProcessInfo.processInfo.environment["DOVETAIL_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("\(purpose): DOVETAIL_SEED=\(seed)")
        return seed
    }
}
