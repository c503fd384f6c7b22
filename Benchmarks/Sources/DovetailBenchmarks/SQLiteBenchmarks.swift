import Dovetail

/// Storing and fetching against SQLite's C API, used as one would by hand (``HandDatabase``).
///
/// Both sides work on copies of one file that Dovetail made, so tables, indexes and the forms of
/// values are the same; ``HandDatabase`` sets the same pragmas. No history is kept but in the row
/// that says so. The times are minima of rounds in turn.
enum SQLiteBenchmarks {
    static func run() throws -> [Comparison] {
        try SQLiteFiles.with { files in
            try SQLiteRows<FlatRecord>(files, "flat", count: 100_000).run()
                + SQLiteRows<WideRecord>(files, "wide", count: 40_000).run()
                + SQLiteScaleBenchmarks(files).run()
        }
    }
}

/// A folder for the files of one run.
final class SQLiteFiles {
    private let folder: URL
    private var serial = 0

    private init(_ folder: URL) {
        self.folder = folder
    }

    static func with<Result>(_ body: (SQLiteFiles) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dovetail-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(SQLiteFiles(folder))
    }

    /// A name that no file has.
    func fresh() -> URL {
        serial += 1
        return folder.appendingPathComponent("\(serial).sqlite")
    }

    /// A copy of a file that is not open.
    func copy(of file: URL) throws -> URL {
        let copy = fresh()
        try FileManager.default.copyItem(at: file, to: copy)
        return copy
    }
}

/// The rows of the table for one kind of record.
struct SQLiteRows<Record: StoredRecord> {
    private let files: SQLiteFiles
    private let name: String
    private let records: [Record]
    /// A file with the table and no row, and one with all records.
    private let empty: URL
    private let full: URL

    init(_ files: SQLiteFiles, _ name: String, count: Int) throws {
        self.files = files
        self.name = name
        records = Record.samples(count)
        empty = files.fresh()
        _ = try Self.context(empty)
        full = files.fresh()
        let context = try Self.context(full)
        context.insert(contentsOf: records)
        try context.save()
    }

    private static func context(_ file: URL) throws -> ModelContext {
        let configuration = ModelConfiguration(url: file)
        return ModelContext(try ModelContainer(for: Record.self, configurations: configuration))
    }

    func run() throws -> [Comparison] { try writing() + reading() }

    private func writing() throws -> [Comparison] {
        let some = Array(records.prefix(20_000))
        var changed = some
        for index in changed.indices { changed[index].change() }
        // Half of them exist.
        let half = files.fresh()
        let context = try Self.context(half)
        context.insert(contentsOf: stride(from: 0, to: some.count, by: 2).map { some[$0] })
        try context.save()
        return [
            try compare("insert", 1.0, on: empty, { $0.insert(contentsOf: records) }) {
                try $0.insert(records)
            },
            try compare("update", 1.3, on: full, { $0.update(changed) }) { try $0.update(changed) },
            try compare("upsert", 1.25, on: half, { $0.upsert(changed) }) {
                try $0.upsert(changed)
            },
            try compare("delete by key", 1.3, on: full, { $0.delete(some) }) {
                try $0.delete(some)
            },
        ]
    }

    /// A row for what is saved, on a copy of a file in each round. In the end both files have the
    /// same rows.
    private func compare(
        _ verb: String,
        _ goal: Double,
        on file: URL,
        _ ours: (ModelContext) -> Void,
        _ theirs: (HandDatabase<Record>) throws -> Void
    ) throws -> Comparison {
        var last: (ours: URL, theirs: URL) = (file, file)
        let comparison = try Comparison.ofMinima(
            "\(verb), \(name)",
            goal: .withinTimes(goal),
            baseline: "C API, one statement",
            prepare: {
                last.ours = try files.copy(of: file)
                return try Self.context(last.ours)
            },
            ours: { context in
                ours(context)
                try context.save()
            },
            prepareTheirs: {
                last.theirs = try files.copy(of: file)
                return try HandDatabase<Record>(last.theirs)
            },
            theirs: theirs
        )
        let stored = try HandDatabase<Record>(last.ours).fetch()
        try expect(try stored == HandDatabase<Record>(last.theirs).fetch())
        return comparison
    }

    private func reading() throws -> [Comparison] {
        let context = try Self.context(full)
        let hand = try HandDatabase<Record>(full)
        let all = FetchDescriptor<Record>()
        try expect(try context.fetch(all) == hand.fetch())
        try expect(try hand.fetch().count == records.count)
        let keys = stride(from: 0, to: 10_000, by: 1).map { records[$0 * 7 % records.count].id }
        let starts = stride(from: 0, to: 20_000, by: 1000).map { $0 + 17 }
        func byPredicate() throws -> [Record] {
            try keys.flatMap { key in
                try context.fetch(Record.isKey(key))
            }
        }
        func byKey() throws -> [Record] {
            try keys.compactMap { try context.fetch(Record.self, id: $0) }
        }
        func byHand() throws -> [Record] { try keys.compactMap { try hand.fetch($0) } }
        try expect(try byPredicate() == byHand())
        try expect(try byKey() == byHand())
        func page(_ start: Int) throws -> [Record] {
            try context.fetch(FetchDescriptor(predicate: Record.isInPage(from: start)))
        }
        try expect(try page(17) == hand.fetchPage(from: 17))
        return [
            try Comparison.ofMinima(
                "fetch all, \(name)",
                goal: .withinTimes(1.0),
                baseline: "C API, column by position",
                ours: { try context.fetch(all) },
                theirs: { try hand.fetch() }
            ),
            try compare("10k by key", byKey, byHand),
            try compare(
                "10k by key, transaction",
                { try transaction(context, byKey) },
                { try hand.transaction(byHand) }
            ),
            try compare("10k by predicate of the key", byPredicate, byHand),
            try compare(
                "10k by predicate of the key, transaction",
                { try transaction(context, byPredicate) },
                { try hand.transaction(byHand) }
            ),
            try Comparison.ofMinima(
                "20 pages of 1,000 rows, \(name)",
                goal: .withinTimes(1.2),
                baseline: "C API, one statement",
                ours: { try starts.map(page) },
                theirs: { try starts.map(hand.fetchPage) }
            ),
        ]
    }

    private func compare(
        _ what: String,
        _ ours: () throws -> [Record],
        _ theirs: () throws -> [Record]
    ) throws -> Comparison {
        try Comparison.ofMinima(
            "\(what), \(name)",
            goal: .withinTimes(1.3),
            baseline: "C API, one statement",
            ours: ours,
            theirs: theirs
        )
    }

    private func transaction(
        _ context: ModelContext,
        _ body: () throws -> [Record]
    ) throws -> [Record] {
        var result: [Record] = []
        try context.transaction { result = try body() }
        return result
    }
}
