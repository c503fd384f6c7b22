import Foundation

// What is begun again where another transaction was in the way.

extension StoreError {
    /// Whether another transaction was in the way, after which the same may succeed.
    package var isAboutOthers: Bool { kind == .serializationFailure || kind == .deadlock }

    /// Lets others go on, for a little longer each time, and not all for the same time.
    ///
    /// - Parameter attempts: How often it was tried, which is one more afterwards.
    /// - Throws: ``StoreError``, where the work was cancelled or its deadline is over.
    package static func pause(before attempts: inout Int) throws {
        try StoreInterruption.current?.check()
        let most = 0.001 * Double(1 << (attempts > 6 ? 6 : attempts))
        Thread.sleep(forTimeInterval: Double.random(in: 0...most))
        attempts += 1
    }
}
