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
        try empty()
        try hand.insert(records)
        try hand.execute("VACUUM ANALYZE \"FlatRecord\"")
        let keys = (0..<2000).map { records[$0 * 77 % records.count].id }
        let some = Array(keys.prefix(1000))
        let list = FetchDescriptor<FlatRecord>(predicate: #Predicate { some.contains($0.id) })
        try expect(try Set(context.fetch(list).map(\.id)) == Set(some))
        return [
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
        ]
    }
}

extension String? {
    fileprivate func orFail() throws -> String {
        guard let self else { fail("DOVETAIL_POSTGRES names no server; use Scripts/bench") }
        return self
    }
}
