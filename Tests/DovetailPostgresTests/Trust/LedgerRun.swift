import Dovetail
import DovetailPostgres
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport

/// Saves one step of a ledger after the other through one container, and compares what is stored with
/// what was acknowledged whenever a save fails.
struct LedgerRun {
    /// What is stored is not what has to be.
    struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var state: Ledger.State = [:]
    private(set) var acknowledged = 0
    private(set) var failures: [StoreError.Kind: Int] = [:]
    private var random: SeededRandom

    init(_ random: SeededRandom) {
        self.random = random
    }

    /// One save.
    ///
    /// - Parameter settle: Waits until nothing is under way on the server, before what is stored is read
    ///   after a failure.
    /// - Throws: ``Difference``; an error of a save that is no `StoreError`.
    mutating func step(_ container: ModelContainer, settle: () throws -> Void = {}) throws {
        let step = Ledger.Step(of: state, using: &random)
        let after = step.applied(to: state)
        do {
            let context = ModelContext(container)
            try step.enqueue(in: context)
            try context.save()
            state = after
            acknowledged += 1
        } catch let error as StoreError {
            failures[error.kind, default: 0] += 1
            try settle()
            let found = try Self.stored(in: container)
            guard found == state || (found == after && error.kind == .commitUnknown) else {
                throw Difference(
                    description: "after \(error.debugDescription) of \(step): "
                        + "\(found) instead of \(state)"
                )
            }
            state = found
        }
    }

    /// Compares what is stored with what has to be.
    func check(_ container: ModelContainer) throws {
        let found = try Self.stored(in: container)
        guard found == state else {
            throw Difference(description: "\(found) is stored instead of \(state)")
        }
    }

    /// What is stored. A connection that was lost meanwhile is a reason to ask again.
    static func stored(in container: ModelContainer) throws -> Ledger.State {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do {
                return try Ledger.state(in: ModelContext(container))
            } catch let error as StoreError {
                guard ContinuousClock.now < deadline else { throw error }
                usleep(1000)
            }
        }
    }
}
