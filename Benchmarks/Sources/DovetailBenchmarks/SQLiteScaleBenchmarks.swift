import Dovetail

/// What grows with rows, threads and tables.
struct SQLiteScaleBenchmarks {
    private let files: SQLiteFiles

    init(_ files: SQLiteFiles) {
        self.files = files
    }

    func run() throws -> [Comparison] {
        [
            try findOrCreate(), try readersBesideWriter(), try reopening(), try history(),
        ]
    }

    private func context(
        _ file: URL,
        history: StoreHistory? = nil
    ) throws -> ModelContext {
        var configuration = ModelConfiguration(url: file)
        configuration.history = history
        return ModelContext(
            try ModelContainer(for: FlatRecord.self, configurations: configuration)
        )
    }

    /// A fetch by key and an insert for each record, all of them in one context that saves in the
    /// end.
    private func findOrCreate() throws -> Comparison {
        let records = FlatRecord.samples(4_000)
        func work(_ context: ModelContext, _ records: some Sequence<FlatRecord>) throws {
            for record in records {
                let key = record.id
                let found = try context.fetch(
                    FetchDescriptor<FlatRecord>(predicate: #Predicate { $0.id == key })
                )
                if found.isEmpty { context.insert(record) }
            }
            try context.save()
        }
        return try Comparison.ofMinima(
            "find or create 4,000 records",
            goal: .withinTimes(1.3),
            baseline: "500 records, eight times",
            prepare: { try context(files.fresh()) },
            ours: { try work($0, records) },
            prepareTheirs: { try (0..<8).map { _ in try context(files.fresh()) } },
            theirs: { for context in $0 { try work(context, records.prefix(500)) } }
        )
    }

    /// Eight threads that fetch pages while another one saves.
    private func readersBesideWriter() throws -> Comparison {
        let file = files.fresh()
        let records = FlatRecord.samples(50_000)
        let first = try context(file)
        first.insert(contentsOf: records)
        try first.save()
        let container = first.container
        let other = try files.copy(of: checkpointed(container, file))
        return try Comparison.ofMinima(
            "8 threads that read beside one that writes",
            goal: .fasterBy(0.8),
            baseline: "C API, 9 connections",
            rounds: 5,
            ours: {
                try Crowd.run(
                    write: {
                        let context = ModelContext(container)
                        return { record in
                            context.update(record)
                            try context.save()
                        }
                    },
                    read: {
                        let context = ModelContext(container)
                        return { start in
                            let page = FlatRecord.isInPage(from: start)
                            return try context.fetch(FetchDescriptor(predicate: page)).count
                        }
                    }
                )
            },
            theirs: {
                try Crowd.run(
                    write: {
                        let database = try HandDatabase<FlatRecord>(other)
                        return { try database.update([$0]) }
                    },
                    read: {
                        let database = try HandDatabase<FlatRecord>(other)
                        return { try database.fetchPage(from: $0).count }
                    }
                )
            }
        )
    }

    /// The file, with everything in it that was in the log.
    private func checkpointed(_ container: ModelContainer, _ file: URL) throws -> URL {
        try container.store.checkpoint()
        return file
    }

    /// Opening a store whose tables exist, in milliseconds.
    private func reopening() throws -> Comparison {
        let file = files.fresh()
        func open() throws -> ModelContainer {
            try ModelContainer(
                for: ManyModels.types,
                configuration: ModelConfiguration(url: file)
            )
        }
        try expect(try open().schema.entities.count == 50)
        let time = try (0..<7).map { _ in try Comparison.milliseconds(open) }.min() ?? 0
        return Comparison(
            name: "reopen a store of 50 entities",
            goal: .withinTimes(1.0),
            baseline: "what was promised",
            ratio: time / 10,
            ours: time,
            theirs: 10
        )
    }

    /// What keeping a history costs a save.
    private func history() throws -> Comparison {
        let records = FlatRecord.samples(20_000)
        func work(_ context: ModelContext) throws {
            context.insert(contentsOf: records)
            try context.save()
            context.update(records)
            try context.save()
        }
        return try Comparison.ofMinima(
            "insert and update 20k rows with a history",
            goal: .withinTimes(.infinity),
            baseline: "without",
            rounds: 3,
            prepare: { try context(files.fresh(), history: StoreHistory()) },
            ours: work,
            prepareTheirs: { try context(files.fresh()) },
            theirs: work
        )
    }
}
