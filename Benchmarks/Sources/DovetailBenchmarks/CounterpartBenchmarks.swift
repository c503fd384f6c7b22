import Dovetail

/// A value whose counterpart is in an array.
private struct Reading: Identifiable, Hashable, Migratable {
    let id: Int
    var text: String

    static func build(from stored: StoredReading) -> Reading? {
        Reading(id: stored.number, text: stored.text)
    }

    func export(to shelf: Shelf) -> StoredReading {
        let stored = StoredReading(number: id, text: text)
        shelf.readings.append(stored)
        return stored
    }

    static func delete(_ stored: StoredReading, from shelf: Shelf) { stored.isGone = true }
}

private final class StoredReading {
    let number: Int
    let text: String
    var isGone = false

    init(number: Int, text: String) {
        self.number = number
        self.text = text
    }
}

private final class Shelf {
    var readings: [StoredReading] = []
}

/// What it takes to compare values with their counterparts, a hundredth of which has changed, without a
/// store: with ten times as many of them, and as the article does it that the protocol comes from.
enum CounterpartBenchmarks {
    static func run() throws -> [Comparison] {
        [
            try Comparison.ofMinima(
                "synchronize 100k values with their counterparts",
                goal: .withinTimes(20),
                baseline: "10k of them",
                prepare: { lists(100_000) },
                ours: { try $0.given.synchronize(with: $0.stored, in: Shelf()) },
                prepareTheirs: { lists(10_000) },
                theirs: { try $0.given.synchronize(with: $0.stored, in: Shelf()) }
            ),
            try Comparison.ofMinima(
                "synchronize 10k values with their counterparts",
                goal: .none,
                baseline: "each compared with each",
                rounds: 2,
                prepare: { lists(10_000) },
                ours: { try $0.given.synchronize(with: $0.stored, in: Shelf()) },
                prepareTheirs: { lists(10_000) },
                theirs: { try expect(compareEach($0.given, $0.stored).added.count == 200) }
            ),
        ]
    }

    private static func lists(_ count: Int) -> (given: [Reading], stored: [StoredReading]) {
        (given(count), stored(count))
    }

    private static func stored(_ count: Int) -> [StoredReading] {
        (0..<count).map { StoredReading(number: $0, text: "what was read at \($0)") }
    }

    /// One in a hundred is gone, and one has changed.
    private static func given(_ count: Int) -> [Reading] {
        (0..<count).compactMap { number in
            if number % 100 == 1 { return Reading(id: count + number, text: "new") }
            let changed = number % 100 == 2 ? ", and again" : ""
            return Reading(id: number, text: "what was read at \(number)\(changed)")
        }
    }

    /// The same by nothing but `==`: what is not there goes, and what was not found comes.
    private static func compareEach(
        _ given: [Reading],
        _ stored: [StoredReading]
    ) -> (added: [Reading], removed: [StoredReading]) {
        var kept: [Reading] = []
        var removed: [StoredReading] = []
        for counterpart in stored {
            let built = Reading.build(from: counterpart)
            if let built, given.contains(built) {
                kept.append(built)
            } else {
                removed.append(counterpart)
            }
        }
        return (given.filter { !kept.contains($0) }, removed)
    }
}
