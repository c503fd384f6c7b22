import CSQLite
import Dovetail

/// A prepared statement, as one wraps it by hand. A value: the database finalizes it.
struct HandStatement {
    struct Failure: Error {
        let code: Int32
    }

    let handle: OpaquePointer?

    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ position: Int32, _ value: Int) {
        sqlite3_bind_int64(handle, position, Int64(value))
    }
    func bind(_ position: Int32, _ value: Double) { sqlite3_bind_double(handle, position, value) }
    func bindNull(_ position: Int32) { sqlite3_bind_null(handle, position) }

    func bind(_ position: Int32, _ value: String) {
        sqlite3_bind_text(handle, position, value, Int32(value.utf8.count), Self.copied)
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
    func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(handle, column)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Whether there is another row.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw Failure(code: code) }
        return false
    }

    func run() throws {
        _ = try step()
        sqlite3_reset(handle)
    }
}

/// What a careful person writes against the C API for the rows of one struct: statements that are
/// prepared once, one transaction for many rows, and the pragmas that Dovetail sets. It opens a file
/// whose tables exist.
final class HandDatabase<Record: StoredRecord> {
    private var handle: OpaquePointer?
    private var statements: [HandStatement] = []
    private lazy var insertion = prepare(
        "INSERT INTO \(table) (\(names)) VALUES (\(parameters))"
    )
    private lazy var replacement = prepare(
        "INSERT INTO \(table) (\(names)) VALUES (\(parameters)) ON CONFLICT (\(columns[0])) "
            + "DO UPDATE SET "
            + columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    )
    private lazy var change = prepare(
        "UPDATE \(table) SET "
            + columns.indices.dropFirst().map { "\(columns[$0]) = ?\($0 + 1)" }
            .joined(separator: ", ") + " WHERE \(columns[0]) = ?1"
    )
    private lazy var deletion = prepare("DELETE FROM \(table) WHERE \(columns[0]) = ?1")
    private lazy var all = prepare("SELECT \(names) FROM \(table)")
    private lazy var byKey = prepare("SELECT \(names) FROM \(table) WHERE \(columns[0]) = ?1")
    private lazy var page = prepare("SELECT \(names) FROM \(table) WHERE \(Record.pageSQL)")

    private let table = Record.modelTable
    private let columns = Record.columns
    private var names: String { columns.joined(separator: ", ") }
    private var parameters: String {
        columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    }

    init(_ file: URL) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        try check(sqlite3_open_v2(file.path, &handle, flags, nil))
        sqlite3_busy_timeout(handle, 5000)
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
        try execute("PRAGMA cache_size = -16384")
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA recursive_triggers = ON")
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement.handle) }
        sqlite3_close(handle)
    }

    /// Runs work in one transaction.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        let result = try body()
        try execute("COMMIT")
        return result
    }

    func insert(_ records: [Record]) throws { try write(records, insertion) }
    func upsert(_ records: [Record]) throws { try write(records, replacement) }
    func update(_ records: [Record]) throws {
        try transaction {
            let statement = change
            for record in records {
                record.bind(to: statement)
                try statement.run()
                // A row that is missing has to be seen.
                if sqlite3_changes64(handle) == 0 { throw HandStatement.Failure(code: 0) }
            }
        }
    }

    func delete(_ records: [Record]) throws {
        try transaction {
            let statement = deletion
            for record in records {
                Record.bind(record.id, to: statement)
                try statement.run()
            }
        }
    }

    func fetch() throws -> [Record] { try rows(all) }

    func fetch(_ key: Record.ID) throws -> Record? {
        let statement = byKey
        Record.bind(key, to: statement)
        defer { sqlite3_reset(statement.handle) }
        return try statement.step() ? Record(row: statement) : nil
    }

    func fetchPage(from start: Int) throws -> [Record] {
        let statement = page
        statement.bind(1, start)
        statement.bind(2, start + 1000)
        return try rows(statement)
    }

    func rows(_ statement: HandStatement) throws -> [Record] {
        var records: [Record] = []
        defer { sqlite3_reset(statement.handle) }
        while try statement.step() { records.append(try Record(row: statement)) }
        return records
    }

    private func write(_ records: [Record], _ statement: HandStatement) throws {
        try transaction {
            for record in records {
                record.bind(to: statement)
                try statement.run()
            }
        }
    }

    func prepare(_ sql: String) -> HandStatement {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        statements.append(HandStatement(handle: statement))
        return HandStatement(handle: statement)
    }

    private func execute(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw HandStatement.Failure(code: code) }
    }
}
