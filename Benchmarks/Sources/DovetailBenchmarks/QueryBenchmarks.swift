import CSQLite
import Dovetail

/// Queries against the same SQL by hand, and those of the memory store against
/// `Predicate.evaluate`. Times are minima of rounds in turn.
enum QueryBenchmarks {
    static func run() throws -> [Comparison] {
        try SQLiteFiles.with { files in
            let records = FlatRecord.samples(100_000)
            let file = files.fresh()
            let context = try context(ModelConfiguration(url: file))
            context.insert(contentsOf: records)
            try context.save()
            let hand = try HandDatabase<FlatRecord>(file)
            return try [
                fetch(context, hand), list(context, hand), sums(context, hand),
                groups(context, hand), translation(), updates(files),
                memory(records),
            ] + ProtocolBenchmarks.run(files)
        }
    }

    private static func context(
        _ configuration: some DataStoreConfiguration
    ) throws -> ModelContext {
        ModelContext(try ModelContainer(for: [FlatRecord.self], configuration: configuration))
    }

    private static func fetch(
        _ context: ModelContext,
        _ hand: HandDatabase<FlatRecord>
    ) throws -> Comparison {
        let statement = hand.prepare(
            "SELECT \(FlatRecord.columns.joined(separator: ", ")) FROM FlatRecord "
                + "WHERE age >= ?1 AND isActive AND instr(email, ?2) > 0"
        )
        func byHand(_ age: Int) throws -> [FlatRecord] {
            statement.bind(1, age)
            statement.bind(2, "7")
            return try hand.rows(statement)
        }
        func byPredicate(_ age: Int) throws -> [FlatRecord] {
            try context.fetch(
                FetchDescriptor(
                    predicate: #Predicate {
                        $0.age >= age && $0.isActive && $0.email.contains("7")
                    }
                )
            )
        }
        try expect(try byPredicate(30) == byHand(30))
        try expect(try byHand(30).count >= 1000)
        return try Comparison.ofMinima(
            "rows by three conditions",
            goal: .withinTimes(1.2),
            baseline: "C API, the same SQL",
            ours: { try byPredicate(30) },
            theirs: { try byHand(30) }
        )
    }

    private static func list(
        _ context: ModelContext,
        _ hand: HandDatabase<FlatRecord>
    ) throws -> Comparison {
        let keys = (0..<100_000).map { $0 * 3 }
        let statement = hand.prepare(
            "SELECT count(*) FROM FlatRecord WHERE id IN (SELECT value FROM json_each(?1))"
        )
        func byHand() throws -> Int {
            statement.bind(1, "[" + keys.map { "\($0)" }.joined(separator: ",") + "]")
            defer { sqlite3_reset(statement.handle) }
            return try statement.step() ? statement.integer(0) : 0
        }
        let descriptor = FetchDescriptor<FlatRecord>(predicate: #Predicate { keys.contains($0.id) })
        try expect(try context.fetchCount(descriptor) == byHand())
        return try Comparison.ofMinima(
            "count by a list of 100k keys",
            goal: .withinTimes(1.0),
            baseline: "C API, json_each",
            ours: { try context.fetchCount(descriptor) },
            theirs: byHand
        )
    }

    private static func sums(
        _ context: ModelContext,
        _ hand: HandDatabase<FlatRecord>
    ) throws -> Comparison {
        let statement = hand.prepare("SELECT sum(age) FROM FlatRecord WHERE isActive")
        func byHand() throws -> Int {
            defer { sqlite3_reset(statement.handle) }
            return try statement.step() ? statement.integer(0) : 0
        }
        func bySum() throws -> Int {
            try context.sum(\FlatRecord.age, where: #Predicate { $0.isActive })
        }
        try expect(try bySum() == byHand())
        return try Comparison.ofMinima(
            "sum of a column",
            goal: .withinTimes(1.1),
            baseline: "C API, the same SQL",
            ours: bySum,
            theirs: byHand
        )
    }

    private static func groups(
        _ context: ModelContext,
        _ hand: HandDatabase<FlatRecord>
    ) throws -> Comparison {
        let statement = hand.prepare(
            "SELECT city, count(*), sum(age) FROM FlatRecord GROUP BY city ORDER BY city"
        )
        func byHand() throws -> [String] {
            var rows: [String] = []
            defer { sqlite3_reset(statement.handle) }
            while try statement.step() {
                rows.append(
                    "\(statement.text(0)) \(statement.integer(1)) \(statement.integer(2))"
                )
            }
            return rows
        }
        func bySelect() throws -> [String] {
            let rows = try context.select(.value(\FlatRecord.city), .count(), .sum(\.age))
            return rows.map { "\($0.0) \($0.1) \($0.2)" }
        }
        try expect(try bySelect() == byHand())
        return try Comparison.ofMinima(
            "groups with a count and a sum",
            goal: .withinTimes(1.1),
            baseline: "C API, the same SQL",
            ours: bySelect,
            theirs: byHand
        )
    }

    /// 10,000 translations of a predicate, against the time that was promised for them.
    private static func translation() throws -> Comparison {
        let translator = QueryTranslator(EntityBinding(FlatRecord.self))
        let predicates = (0..<10_000).map { age in
            #Predicate<FlatRecord> { $0.age >= age && $0.isActive && $0.email.contains("7") }
        }
        let time =
            try (0..<5).map { _ in
                try Comparison.milliseconds { try predicates.map { try translator.filter($0) } }
            }
            .min() ?? 0
        return Comparison(
            name: "translate 10k predicates of three conditions",
            goal: .withinTimes(1.0),
            baseline: "what was promised",
            ratio: time / 20,
            ours: time,
            theirs: 20
        )
    }

    private static func updates(_ files: SQLiteFiles) throws -> Comparison {
        let (ours, theirs) = (files.fresh(), files.fresh())
        let contexts = try [ours, theirs].map { file in
            let context = try context(ModelConfiguration(url: file))
            context.insert(contentsOf: FlatRecord.samples(100_000))
            try context.save()
            return context
        }
        let hand = try HandDatabase<FlatRecord>(theirs)
        let statement = hand.prepare("UPDATE FlatRecord SET age = age + ?1 WHERE id % 2 = 0")
        let comparison = try Comparison.ofMinima(
            "update 50k rows by a predicate",
            goal: .withinTimes(1.1),
            baseline: "C API, the same SQL",
            ours: {
                try contexts[0].update(FlatRecord.self, where: #Predicate { $0.id % 2 == 0 }) {
                    try $0.increment(\.age, by: 1)
                }
                try contexts[0].save()
            },
            theirs: {
                try hand.transaction {
                    statement.bind(1, 1)
                    try statement.run()
                }
            }
        )
        let all = FetchDescriptor<FlatRecord>(sortBy: [SortDescriptor(\.id)])
        try expect(try contexts[0].fetch(all) == contexts[1].fetch(all))
        return comparison
    }

    private static func memory(_ records: [FlatRecord]) throws -> Comparison {
        let context = try context(MemoryConfiguration())
        context.insert(contentsOf: records)
        try context.save()
        let predicate = #Predicate<FlatRecord> {
            $0.age >= 30 && $0.isActive && $0.email.contains("7")
        }
        func byStore() throws -> [FlatRecord] {
            try context.fetch(FetchDescriptor(predicate: predicate))
        }
        func byEvaluate() throws -> [FlatRecord] {
            try records.filter { try predicate.evaluate($0) }
        }
        try expect(
            try byStore().map(\.id) == byEvaluate().map(\.id).sorted()
        )
        return try Comparison.ofMinima(
            "rows of the memory store",
            goal: .withinTimes(1.0),
            baseline: "Predicate.evaluate of each value",
            rounds: 3,
            ours: byStore,
            theirs: byEvaluate
        )
    }
}
