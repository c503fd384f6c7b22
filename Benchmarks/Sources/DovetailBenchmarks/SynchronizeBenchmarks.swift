import Dovetail

/// Lists of which one record in a hundred has changed, against a stored table.
struct SynchronizeBenchmarks {
    private let files: SQLiteFiles

    static func run() throws -> [Comparison] {
        try SQLiteFiles.with { files in
            let all = SynchronizeBenchmarks(files: files)
            return [
                try all.rows(FlatRecord.self, "100k", 100_000, .withinTimes(2.3)),
                try all.rows(FlatRecord.self, "1M", 1_000_000, .withinTimes(2), rounds: 3),
                try all.rows(WideRecord.self, "100k", 100_000, .none),
                try all.everythingChanged(),
                try all.shuffled(),
                try all.growth("10k", 10_000),
                try all.growth("100k", 100_000),
                try all.growth("1M", 1_000_000),
                try all.one(),
                try all.merging(),
            ]
        }
    }

    /// A table of records, and the list that is synchronized with it.
    private final class Stored<Record: StoredRecord> {
        let context: ModelContext
        let file: URL
        var records: [Record]

        init(_ count: Int, _ file: URL, _ history: StoreHistory? = nil) throws {
            records = Record.samples(count)
            self.file = file
            var configuration = ModelConfiguration(url: file)
            configuration.history = history
            context = ModelContext(
                try ModelContainer(for: Record.self, configurations: configuration)
            )
            context.insert(contentsOf: records)
            try context.save()
            try context.container.store.checkpoint()
        }

        /// Changes one record in a hundred, and gives those.
        func change() -> [Record] {
            stride(from: 0, to: records.count, by: 100).map { index in
                records[index].change()
                return records[index]
            }
        }

        func synchronize() throws {
            try context.synchronize(records)
            try context.save()
        }
    }

    /// Against fetching all rows and updating those that are known to have changed.
    private func rows<Record: StoredRecord>(
        _ type: Record.Type,
        _ size: String,
        _ count: Int,
        _ goal: Comparison.Goal,
        rounds: Int = 5
    ) throws -> Comparison {
        let keys = Record.ID.self == Int.self ? "" : ", text keys"
        let name = "synchronize \(size) rows, 1 % changed\(keys)"
        let stored = try Stored<Record>(count, files.fresh())
        let hand = try HandDatabase<Record>(stored.file)
        return try Comparison.ofMinima(
            name,
            goal: goal,
            baseline: "C API, fetch all, update 1 %",
            rounds: rounds,
            prepare: { _ = stored.change() },
            ours: { _ in try stored.synchronize() },
            prepareTheirs: { stored.change() },
            theirs: { changed in
                try withExtendedLifetime(hand.fetch()) { try hand.update(changed) }
            }
        )
    }

    /// A list of which each value has changed.
    private func everythingChanged() throws -> Comparison {
        let stored = try Stored<FlatRecord>(100_000, files.fresh())
        let hand = try HandDatabase<FlatRecord>(stored.file)
        func change() { for index in stored.records.indices { stored.records[index].change() } }
        return try Comparison.ofMinima(
            "synchronize 100k rows, all changed",
            goal: .none,
            baseline: "C API, fetch all, update all",
            rounds: 5,
            prepare: { change() },
            ours: { _ in try stored.synchronize() },
            prepareTheirs: { change() },
            theirs: { _ in
                try withExtendedLifetime(hand.fetch()) { try hand.update(stored.records) }
            }
        )
    }

    /// A list in another order than that of its keys.
    private func shuffled() throws -> Comparison {
        let stored = try Stored<FlatRecord>(100_000, files.fresh())
        let other = try Stored<FlatRecord>(100_000, files.fresh())
        stored.records.shuffle()
        return try Comparison.ofMinima(
            "synchronize 100k rows, list in another order",
            goal: .none,
            baseline: "list in the order of its keys",
            rounds: 5,
            prepare: { _ = stored.change() },
            ours: { _ in try stored.synchronize() },
            prepareTheirs: { _ = other.change() },
            theirs: { _ in try other.synchronize() }
        )
    }

    /// Against as many rows in tables of a thousand.
    private func growth(_ size: String, _ count: Int) throws -> Comparison {
        let large = try Stored<FlatRecord>(count, files.fresh())
        let small = try Stored<FlatRecord>(1_000, files.fresh())
        return try Comparison.ofMinima(
            "synchronize \(size) rows at once",
            goal: .withinTimes(2),
            baseline: "1k rows, as often",
            rounds: 3,
            prepare: { _ = large.change() },
            ours: { _ in try large.synchronize() },
            prepareTheirs: {},
            theirs: { _ in
                for _ in 0..<(count / 1_000) {
                    _ = small.change()
                    try small.synchronize()
                }
            }
        )
    }

    /// A list that is merged with as many changes made here as it has itself, against one that replaces
    /// them.
    private func merging() throws -> Comparison {
        let merged = try Stored<FlatRecord>(100_000, files.fresh(), StoreHistory())
        let replaced = try Stored<FlatRecord>(100_000, files.fresh(), StoreHistory())
        // The first list is what both sides begin with.
        try merged.synchronize()
        try replaced.synchronize()
        func change(_ stored: Stored<FlatRecord>) throws {
            let here = stride(from: 50, to: stored.records.count, by: 100).map { index in
                var record = stored.records[index]
                record.change()
                return record
            }
            stored.context.update(here)
            try stored.context.save()
            _ = stored.change()
        }
        return try Comparison.ofMinima(
            "merge 100k rows, 1 % changed on each side",
            goal: .none,
            baseline: "replace them",
            rounds: 5,
            prepare: { try change(merged) },
            ours: { _ in
                try merged.context.synchronize(
                    merged.records,
                    localChanges: .merge(conflicts: .storeWins)
                )
                try merged.context.save()
            },
            prepareTheirs: { try change(replaced) },
            theirs: { _ in try replaced.synchronize() }
        )
    }

    /// A page of one row in a large table and in a small one.
    private func one() throws -> Comparison {
        let large = try Stored<FlatRecord>(1_000_000, files.fresh())
        let small = try Stored<FlatRecord>(1_000, files.fresh())
        func work(_ stored: Stored<FlatRecord>) throws {
            for id in stride(from: 0, to: 1_000, by: 5) {
                stored.records[id].change()
                try stored.context.synchronize(
                    [stored.records[id]],
                    scope: .page(after: id - 1, through: id)
                )
                try stored.context.save()
            }
        }
        return try Comparison.ofMinima(
            "one row of 1M, 200 times",
            goal: .withinTimes(2),
            baseline: "one row of 1k",
            ours: { try work(large) },
            theirs: { try work(small) }
        )
    }
}
