import CSQLite
import Dovetail

/// Storing and fetching against SQLite's C API, called as one would by hand: a statement that is
/// prepared once, one transaction, WAL, synchronous NORMAL, columns by position.
enum SQLiteBenchmarks {
    static let count = 200_000

    static func run() throws -> [Comparison] {
        let records = FlatRecord.samples(count)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dovetail-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var serial = 0
        func fresh() -> URL {
            serial += 1
            return folder.appendingPathComponent("\(serial).sqlite")
        }

        let insert = try Comparison.of(
            "insert 200k rows",
            goal: .withinTimes(1.6),
            baseline: "SQLite C API, row by row",
            ours: { try insertOurs(records, fresh()) },
            theirs: { try RawDatabase(fresh()).insert(records) }
        )
        let file = fresh()
        try insertOurs(records, file)
        let context = ModelContext(
            try ModelContainer(for: FlatRecord.self, configurations: ModelConfiguration(url: file))
        )
        let raw = try RawDatabase(file)
        try expect(try context.fetch(FetchDescriptor<FlatRecord>()) == raw.fetch())
        let fetch = try Comparison.of(
            "fetch 200k rows into structs",
            goal: .withinTimes(1.5),
            baseline: "SQLite C API, column by position",
            ours: { try context.fetch(FetchDescriptor<FlatRecord>()) },
            theirs: { try raw.fetch() }
        )
        let keys = Array(stride(from: 0, to: count, by: 10))
        let byKey = try Comparison.of(
            "fetch 20k rows by key, one by one",
            goal: .withinTimes(1.3),
            baseline: "SQLite C API, one statement",
            ours: {
                try keys.map { key in
                    try context.fetch(
                        FetchDescriptor<FlatRecord>(predicate: #Predicate { $0.id == key })
                    )
                }
            },
            theirs: { try raw.fetch(keys) }
        )
        return [insert, fetch, byKey]
    }

    private static func insertOurs(_ records: [FlatRecord], _ file: URL) throws {
        let container = try ModelContainer(
            for: FlatRecord.self,
            configurations: ModelConfiguration(url: file)
        )
        let context = ModelContext(container)
        context.insert(contentsOf: records)
        try context.save()
    }
}

/// What a careful person writes against the C API for this one struct.
final class RawDatabase {
    struct Failure: Error {
        let code: Int32
    }

    private var handle: OpaquePointer?

    init(_ file: URL) throws {
        try check(sqlite3_open(file.path, &handle))
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
        try execute(
            """
            CREATE TABLE FlatRecord (
                id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL,
                age INTEGER NOT NULL, score REAL NOT NULL, isActive INTEGER NOT NULL,
                city TEXT NOT NULL) STRICT
            """
        )
    }

    deinit {
        sqlite3_close(handle)
    }

    func insert(_ records: [FlatRecord]) throws {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        var statement: OpaquePointer?
        let sql = "INSERT INTO FlatRecord VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        try execute("BEGIN IMMEDIATE")
        for record in records {
            sqlite3_bind_int64(statement, 1, Int64(record.id))
            sqlite3_bind_text(statement, 2, record.name, -1, transient)
            sqlite3_bind_text(statement, 3, record.email, -1, transient)
            sqlite3_bind_int64(statement, 4, Int64(record.age))
            sqlite3_bind_double(statement, 5, record.score)
            sqlite3_bind_int(statement, 6, record.isActive ? 1 : 0)
            sqlite3_bind_text(statement, 7, record.city, -1, transient)
            let code = sqlite3_step(statement)
            guard code == SQLITE_DONE else { throw Failure(code: code) }
            sqlite3_reset(statement)
        }
        try execute("COMMIT")
    }

    func fetch() throws -> [FlatRecord] {
        var statement: OpaquePointer?
        let sql = "SELECT id, name, email, age, score, isActive, city FROM FlatRecord"
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var records: [FlatRecord] = []
        while sqlite3_step(statement) == SQLITE_ROW { records.append(record(statement)) }
        return records
    }

    func fetch(_ keys: [Int]) throws -> [FlatRecord] {
        var statement: OpaquePointer?
        let sql = "SELECT id, name, email, age, score, isActive, city FROM FlatRecord WHERE id = ?1"
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        var records: [FlatRecord] = []
        for key in keys {
            sqlite3_bind_int64(statement, 1, Int64(key))
            if sqlite3_step(statement) == SQLITE_ROW { records.append(record(statement)) }
            sqlite3_reset(statement)
        }
        return records
    }

    private func record(_ statement: OpaquePointer?) -> FlatRecord {
        FlatRecord(
            id: Int(sqlite3_column_int64(statement, 0)),
            name: String(cString: sqlite3_column_text(statement, 1)),
            email: String(cString: sqlite3_column_text(statement, 2)),
            age: Int(sqlite3_column_int64(statement, 3)),
            score: sqlite3_column_double(statement, 4),
            isActive: sqlite3_column_int(statement, 5) != 0,
            city: String(cString: sqlite3_column_text(statement, 6))
        )
    }

    private func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }
}
