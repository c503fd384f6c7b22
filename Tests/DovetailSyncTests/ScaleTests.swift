import Dovetail
import StoreTestSupport
import Synchronization
import Testing

/// How often keys were compared and values written and read, by the one test below.
private enum Work {
    struct Counts: Equatable {
        var comparisons = 0
        var encodings = 0
        var decodings = 0
    }

    static let counts = Mutex(Counts())

    static func take() -> Counts {
        counts.withLock { counts in
            defer { counts = Counts() }
            return counts
        }
    }
}

private struct MeterID: TypedIdentifier {
    let rawValue: Int64

    static func == (left: Self, right: Self) -> Bool {
        Work.counts.withLock { $0.comparisons += 1 }
        return left.rawValue == right.rawValue
    }

    func hash(into hasher: inout Hasher) {
        Work.counts.withLock { $0.comparisons += 1 }
        hasher.combine(rawValue)
    }
}

private enum Counted: ModelTransform {
    static func decode(_ stored: Int) -> Int {
        Work.counts.withLock { $0.decodings += 1 }
        return stored
    }

    static func encode(_ value: Int) -> Int {
        Work.counts.withLock { $0.encodings += 1 }
        return value
    }
}

@Model
private struct Meter: Identifiable {
    let id: MeterID
    @Attribute(.transformed(by: Counted.self)) var reading: Int

    init(_ id: Int, _ reading: Int) {
        self.id = MeterID(rawValue: Int64(id))
        self.reading = reading
    }
}

@Suite struct ScaleTests {
    @Test func `the work grows with the rows, and the statements do not`() throws {
        let context = ModelContext(
            try ModelContainer(
                for: [Meter.self],
                configuration: CountingStore.Configuration()
            )
        )
        let store = try #require(context.container.store as? CountingStore)
        for count in [200, 400, 800] {
            try context.delete(model: Meter.self)
            try context.save()
            let meters = (0..<count).map { Meter($0, 0) }
            (_, _) = (Work.take(), store.takeCounts())

            #expect(try context.synchronize(meters.reversed()).inserted.count == count)
            try context.save()
            // To see that they can be stored, and to store them. The keys alone were asked for before.
            #expect(Work.take() == Work.Counts(encodings: 2 * count))
            #expect(store.takeCounts() == .init(queries: 1, writers: [.insert: 1]))

            var given = meters
            for id in stride(from: 0, to: count, by: 10) { given[id].reading = 1 }
            given.removeLast(5)
            given += (count..<count + 20).map { Meter($0, 2) }
            let changes = try context.synchronize(given.shuffled())
            #expect(
                "\(changes)" == "20 inserted, \(count / 10) updated, 5 deleted, "
                    + "\(count - count / 10 - 5) unchanged"
            )
            try context.save()
            // The columns of all, the changes once more.
            let written = 20 + count / 10
            #expect(Work.take() == Work.Counts(encodings: given.count + written, decodings: 0))
            // All rows, and again those that are written.
            #expect(
                store.takeCounts()
                    == .init(queries: 2, writers: [.insert: 1, .update: 1, .delete: 1])
            )

            #expect(try context.synchronize(given.shuffled()).unchanged == given.count)
            try context.save()
            #expect(Work.take() == Work.Counts(encodings: given.count))
            #expect(store.takeCounts() == .init(queries: 1))
        }
    }
}
