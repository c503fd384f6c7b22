import Dovetail
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

/// What comes late, twice, never or malformed: a typed error or the right result, before the deadline.
@Suite(.needsPostgres) struct FaultyWireTests {
    /// Reads and saves once, and says what went wrong.
    ///
    /// - Throws: an error that is none of the types that a caller may expect.
    private func work(_ wire: FaultyWire, _ group: Int, _ deadline: Duration) throws -> StoreError?
    {
        do {
            try wire.within(deadline) {
                let context = ModelContext(wire.container)
                _ = try context.fetch(
                    FetchDescriptor<Entry>(predicate: #Predicate { $0.group == 1 })
                )
                context.insert(contentsOf: Ledger.entries(group, version: 1))
                try context.save()
            }
            return nil
        } catch let error as StoreError {
            return error
        } catch let error as ModelDecodingError {
            // A value that came malformed.
            return StoreError(.corrupt, explanation: "\(error)")
        }
    }

    /// What is stored is whole, a group is there if its save returned, and everything works again.
    private func recover(
        _ wire: FaultyWire,
        _ group: Int,
        _ error: StoreError?,
        _ comment: Comment
    ) throws {
        wire.proxy.arm(nil)
        try wire.settle()
        let found = try LedgerRun.stored(in: wire.container)
        if error == nil { #expect(found[group] == 1, comment) }
        wire.expectNoLeak(comment)
    }

    private func wire() throws -> FaultyWire {
        let wire = try FaultyWire()
        let context = ModelContext(wire.container)
        context.insert(contentsOf: Ledger.entries(1, version: 1))
        try context.save()
        return wire
    }

    @Test func `answers that are late are waited for`() throws {
        let wire = try wire()
        wire.proxy.arm(.delay(.milliseconds(5)))
        #expect(try work(wire, 2, .seconds(60)) == nil)
        #expect(try LedgerRun.stored(in: wire.container) == [1: 1, 2: 1])
    }

    /// Bytes and messages of the answers to ``work(_:_:_:)`` on a connection that has prepared nothing.
    private func measure(_ wire: FaultyWire) throws -> (bytes: Int, messages: Int) {
        wire.proxy.endAll()
        _ = try LedgerRun.stored(in: wire.container)
        wire.proxy.arm(nil)
        #expect(try work(wire, 2, .seconds(60)) == nil)
        return (wire.proxy.answered, wire.proxy.messages)
    }

    /// A group of as many rows as group 2, so that it makes the server say as much.
    private func group(_ turn: Int) -> Int { 22 + 20 * turn }

    @Test func `an answer that never comes ends at the deadline`() throws {
        let wire = try wire()
        let bytes = try measure(wire).bytes
        var kinds: [StoreError.Kind: Int] = [:]
        let count = Soak.count(8, soak: 100)
        for turn in 0..<count {
            wire.proxy.endAll()
            _ = try LedgerRun.stored(in: wire.container)
            // The last one is within the answer to COMMIT.
            let isLast = turn == count - 1
            let place = isLast ? bytes - 3 : turn * bytes / count
            wire.proxy.arm(.stall(after: place))
            let error = try work(wire, group(turn), .milliseconds(isLast ? 500 : 40))
            kinds[error?.kind ?? .other, default: 0] += 1
            try recover(wire, group(turn), error, "byte \(place)")
            if error?.kind != .commitUnknown {
                #expect(try LedgerRun.stored(in: wire.container)[group(turn)] == nil)
            }
        }
        print("stalled: \(kinds)")
        #expect(Set(kinds.keys) == [.deadlineExceeded, .commitUnknown])
        #expect(kinds.values.reduce(0, +) == count)
    }

    @Test(arguments: SeededRandom.seeds)
    func `bytes that come again are an error, or do no harm`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let wire = try wire()
        let bytes = try measure(wire).bytes
        let count = Soak.count(10, soak: 500)
        var failed = 0
        for turn in 0..<count {
            let again = 1 + random.below(60)
            wire.proxy.arm(.again(after: random.below(bytes), count: again))
            let error = try work(wire, group(turn), .milliseconds(300))
            if error != nil { failed += 1 }
            try recover(wire, group(turn), error, "seed \(seed), turn \(turn)")
        }
        #expect(failed > 0)
    }

    @Test(arguments: SeededRandom.seeds)
    func `a message that is malformed is an error, or does no harm`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let wire = try wire()
        let messages = try measure(wire).messages
        let count = Soak.count(40, soak: 2000)
        var failures: [StoreError.Kind: Int] = [:]
        for turn in 0..<count {
            let malformation = Malformation.random(&random)
            wire.proxy.arm(.malform(message: random.below(messages), malformation))
            let error = try work(wire, group(turn), .milliseconds(300))
            if let error {
                failures[error.kind, default: 0] += 1
                #expect(!"\(error)".contains("1.1 1.1"), "stored data in an error: \(error)")
            }
            try recover(wire, group(turn), error, "seed \(seed), turn \(turn): \(malformation)")
        }
        print("malformed, seed \(seed): \(failures) of \(count)")
        // A machine with much to do is over the deadline before some of the messages come.
        #expect(wire.proxy.strikes > 0)
        #expect(failures.values.reduce(0, +) > 0)
    }
}
