import Dovetail

/// The most memory that a list takes while it is synchronized, in a process of its own.
enum SynchronizeMemory {
    private static let count = 1_000_000

    static func run() throws -> [Comparison] {
        try SQLiteFiles.with { files in
            let file = files.fresh()
            let context = ModelContext(try container(file))
            for start in stride(from: 0, to: count, by: 100_000) {
                context.insert(contentsOf: FlatRecord.samples(in: start..<start + 100_000))
                try context.save()
            }
            try context.container.store.checkpoint()
            let list = try OwnProcess.run("memory-of-synchronize", "list", "\(count)", file.path)
            let pages = try OwnProcess.run("memory-of-synchronize", "pages", "\(count)", file.path)
            let few = try OwnProcess.run(
                "memory-of-synchronize",
                "pages",
                "\(count / 10)",
                file.path
            )
            try expect(list.count == 2 && pages.count == 2 && few.count == 2)
            return [
                Comparison(
                    name: "peak memory of 1M rows, a list",
                    goal: .withinTimes(3),
                    baseline: "the list",
                    ratio: list[0] / list[1],
                    ours: list[0],
                    theirs: list[1],
                    unit: "MB"
                ),
                Comparison(
                    name: "peak memory of 1M rows, pages",
                    goal: .withinTimes(1.5),
                    baseline: "100k rows, pages",
                    ratio: pages[0] / few[0],
                    ours: pages[0],
                    theirs: few[0],
                    unit: "MB"
                ),
            ]
        }
    }

    private static func container(_ file: URL) throws -> ModelContainer {
        try ModelContainer(for: FlatRecord.self, configurations: ModelConfiguration(url: file))
    }

    /// Records of which one in a hundred has changed.
    private static func records(_ range: Range<Int>) -> [FlatRecord] {
        var records = FlatRecord.samples(in: range)
        for index in stride(from: 0, to: records.count, by: 100) { records[index].change() }
        return records
    }

    /// What the child process does: prints the peak, and what the list itself takes, in megabytes.
    static func printPeak(_ arguments: ArraySlice<String>) async throws {
        guard let kind = arguments.first, let path = arguments.last,
            let count = arguments.dropFirst().first.flatMap({ Int($0) })
        else { return }
        let container = try container(URL(fileURLWithPath: path))
        // What is made once is not of the list.
        let none = SynchronizeScope<FlatRecord>.page(after: -10, through: -9)
        try await container.perform { _ = try $0.synchronize([], scope: none) }
        let before = try OwnProcess.megabytes("VmRSS")
        var size = 0.0
        if kind == "list" {
            let records = records(0..<count)
            size = try OwnProcess.megabytes("VmRSS") - before
            try await container.perform { context in
                try context.synchronize(records)
                try context.save()
            }
        } else {
            let pages = Pages(of: count)
            try await container.synchronize(
                FlatRecord.self,
                from: pages,
                scope: count == Self.count ? .full : .matching(#Predicate { $0.id < count })
            )
        }
        print(try OwnProcess.megabytes("VmHWM") - before, size)
    }

    /// The records, 1,000 at a time, each page made when it is asked for.
    private struct Pages: AsyncSequence, AsyncIteratorProtocol, Sendable {
        private let count: Int
        private var start = 0

        init(of count: Int) { self.count = count }

        func makeAsyncIterator() -> Pages { self }

        mutating func next() async throws -> [FlatRecord]? {
            guard start < count else { return nil }
            defer { start += 1000 }
            return SynchronizeMemory.records(start..<start + 1000)
        }
    }
}
