import Dovetail
import DovetailTesting
import Testing

@Model struct Locker: Identifiable, Sendable {
    let id: String
    var title: String
    var count: Int?
    @Attribute(.unique) var place: Int

    /// Three versions of ten lockers.
    static let samples = (0..<10).flatMap { number in
        [("", nil), ("old", 1), ("new", 2)].map { title, count in
            Locker(id: "locker \(number)", title: title, count: count, place: number)
        }
    }
}

/// A model that is not what was stored when it is read.
@Model struct Odometer: Identifiable, Sendable, ModelLifecycle {
    let id: Int
    var count: Int
    mutating func didDecode() { count += 1 }
}

@Suite struct CheckSynchronizeTests {
    @Test(arguments: [1, 2, SeededRandom(seed: nil).seed])
    func `a model is kept in step, in a file and in memory`(seed: UInt64) async throws {
        try await checkSynchronize(Locker.samples, seed: seed)
        try await checkSynchronize(Locker.samples, steps: 300, seed: seed) { _ in
            MemoryConfiguration()
        }
    }

    @Test func `a store without a history changes nothing itself`() async throws {
        try await checkSynchronize(Locker.samples, steps: 40) { url in ModelConfiguration(url: url)
        }
        try await checkSynchronize([Locker]())
    }

    @Test func `what is not kept is a violation, with what has happened and the seed`() async throws
    {
        let samples = (0..<5).map { Odometer(id: $0, count: 0) }
        let error = await #expect(throws: LawViolations.self) {
            try await checkSynchronize(samples, seed: 7)
        }
        let violation = error?.violations.first
        #expect(violation?.law == .synchronize && violation?.seed == 7)
        #expect(violation?.model == "Odometer" && violation?.document.isEmpty == false)
        // The seed repeats it.
        let again = await #expect(throws: LawViolations.self) {
            try await checkSynchronize(samples, seed: 7)
        }
        #expect(again?.violations == error?.violations)
    }
}
