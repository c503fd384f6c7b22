import Dovetail
import DovetailPostgres

/// Storing and fetching on a PostgreSQL server against libpq, used as one would by hand
/// (``PostgresHand``). `Scripts/bench` starts the server and names it in `DOVETAIL_POSTGRES`; both sides
/// use the same table, which Dovetail has made. The times are minima of rounds in turn.
enum PostgresBenchmarks {
    static func run() throws -> [Comparison] {
        let address = try ProcessInfo.processInfo.environment["DOVETAIL_POSTGRES"].orFail()
        let container = try ModelContainer(
            for: FlatRecord.self,
            configurations: PostgresConfiguration(address)
        )
        let context = ModelContext(container)
        let hand = try PostgresHand(address)
        let records = FlatRecord.samples(200_000)
        func empty() throws { try hand.execute("TRUNCATE \"FlatRecord\"") }
        let inserting = try Comparison.ofMinima(
            "insert 200k rows",
            goal: .withinTimes(1.2),
            baseline: "binary COPY",
            rounds: 4,
            prepare: empty,
            ours: { _ in
                context.insert(contentsOf: records)
                try context.save()
            },
            prepareTheirs: empty,
            theirs: { _ in try hand.insert(records) }
        )
        try fill(hand, records)
        let keys = (0..<2000).map { records[$0 * 77 % records.count].id }
        let some = Array(keys.prefix(1000))
        let list = FetchDescriptor<FlatRecord>(predicate: #Predicate { some.contains($0.id) })
        try expect(try Set(context.fetch(list).map(\.id)) == Set(some))
        return try [
            inserting,
            try Comparison.ofMinima(
                "fetch 200k rows",
                goal: .withinTimes(1.3),
                baseline: "binary libpq, column by position",
                rounds: 4,
                ours: { try context.fetch(FetchDescriptor<FlatRecord>()) },
                theirs: { try hand.fetch() }
            ),
            try Comparison.ofMinima(
                "2k rows by key, one by one",
                goal: .withinTimes(1.2),
                baseline: "a prepared statement",
                ours: { try keys.compactMap { try context.fetch(FlatRecord.self, id: $0) } },
                theirs: { try keys.compactMap { try hand.fetch($0) } }
            ),
            try Comparison.ofMinima(
                "1k rows by a list of keys",
                goal: .withinTimes(1.2),
                baseline: "= ANY (array)",
                ours: { try context.fetch(list) },
                theirs: { try hand.fetch(some) }
            ),
        ] + writing(address, context, hand, records)
    }

    /// Makes the table hold these rows alone.
    private static func fill(_ hand: PostgresHand, _ records: [FlatRecord]) throws {
        try hand.execute("TRUNCATE \"FlatRecord\"")
        try hand.insert(records)
        try hand.execute("VACUUM ANALYZE \"FlatRecord\"")
    }

    // MARK: Writing

    private static func writing(
        _ address: String,
        _ context: ModelContext,
        _ hand: PostgresHand,
        _ records: [FlatRecord]
    ) throws -> [Comparison] {
        let (all, none) = (records.count, 0)
        return [
            try save(context, hand, Array(records.prefix(20_000))),
            try upsert(context, hand, records, differing: none, "none differs"),
            try upsert(context, hand, records, differing: all / 100, "1 % differ"),
            try upsert(context, hand, records, differing: all, "all differ"),
            try history(address, context, hand, Array(records.prefix(20_000))),
        ]
    }

    /// 400 new rows, 400 changed ones and 200 that go, in a table of 20,000.
    private static func save(
        _ context: ModelContext,
        _ hand: PostgresHand,
        _ records: [FlatRecord]
    ) throws -> Comparison {
        let gone = records[..<200]
        let new = records[200..<600]
        var changed = Array(records[600..<1000])
        for index in changed.indices { changed[index].age += 1 }
        let old = records.filter { !(200..<600).contains($0.id) }
        let expected = Array(new) + changed + records[1000...]
        return try Comparison.ofMinima(
            "save 1,000 changes of three kinds",
            goal: .withinTimes(1.3),
            baseline: "a pipeline, then COMMIT",
            rounds: 20,
            prepare: { try fill(hand, old) },
            ours: { _ in
                context.insert(contentsOf: new)
                context.update(changed)
                context.delete(gone)
                try context.save()
            },
            prepareTheirs: {
                try expect(try sorted(hand.fetch()) == expected)
                try fill(hand, old)
            },
            theirs: { _ in try hand.save(inserting: new, updating: changed, deleting: gone) }
        )
    }

    private static func upsert(
        _ context: ModelContext,
        _ hand: PostgresHand,
        _ records: [FlatRecord],
        differing: Int,
        _ words: String
    ) throws -> Comparison {
        var changed = records
        let step = differing == 0 ? records.count : records.count / differing
        for index in stride(from: 0, to: differing * step, by: step) { changed[index].age += 1 }
        return try Comparison.ofMinima(
            "upsert 200k rows, \(words)",
            goal: .withinTimes(1.25),
            baseline: "COPY and a merge",
            rounds: 3,
            prepare: { try fill(hand, records) },
            ours: { _ in
                context.upsert(changed)
                try context.save()
            },
            prepareTheirs: {
                try expect(try sorted(hand.fetch()) == changed)
                try fill(hand, records)
            },
            theirs: { _ in try hand.upsert(changed) }
        )
    }

    /// What keeping a history costs a save.
    private static func history(
        _ address: String,
        _ context: ModelContext,
        _ hand: PostgresHand,
        _ records: [FlatRecord]
    ) throws -> Comparison {
        try hand.execute("CREATE SCHEMA kept")
        var configuration = PostgresConfiguration(address)
        configuration.searchPath = ["kept"]
        configuration.history = StoreHistory()
        let kept = ModelContext(
            try ModelContainer(for: FlatRecord.self, configurations: configuration)
        )
        var changed = records
        for index in changed.indices { changed[index].age += 1 }
        func save(_ context: ModelContext) throws {
            context.insert(contentsOf: records)
            try context.save()
            context.update(changed)
            try context.save()
        }
        return try Comparison.ofMinima(
            "insert and update 20k rows with a history",
            goal: .withinTimes(.infinity),
            baseline: "without one",
            rounds: 3,
            prepare: { try hand.execute("TRUNCATE kept.\"FlatRecord\"") },
            ours: { _ in try save(kept) },
            prepareTheirs: { try hand.execute("TRUNCATE \"FlatRecord\"") },
            theirs: { _ in try save(context) }
        )
    }

    private static func sorted(_ records: [FlatRecord]) -> [FlatRecord] {
        records.sorted { $0.id < $1.id }
    }
}

extension String? {
    fileprivate func orFail() throws -> String {
        guard let self else { fail("DOVETAIL_POSTGRES names no server; use Scripts/bench") }
        return self
    }
}
