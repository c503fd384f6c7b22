import CSQLite
import DovetailModel
import DovetailStore
import Foundation

/// A prepared statement.
final class SQLiteStatement {
    let handle: OpaquePointer
    private unowned let connection: SQLiteConnection
    /// The table it is about, for messages.
    var table: String?
    /// Whether a cursor stands in its rows.
    var isInUse = false

    init(_ sql: String, on connection: SQLiteConnection) throws {
        self.connection = connection
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &handle,
            nil
        )
        guard code == SQLITE_OK, let handle else { throw connection.error(code) }
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs to the next row; false at the end.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let error = connection.error(code, table: table)
        sqlite3_reset(handle)
        throw error
    }

    func reset() {
        sqlite3_reset(handle)
    }

    func bind(_ values: [QueryValue]) throws {
        for (index, value) in values.enumerated() { try value.set(index, of: self) }
    }

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw connection.error(code, table: table) }
    }
}

/// SQLite copies what is bound before the call returns.
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension SQLiteStatement: RowSink {
    func setNull(_ column: Int) throws {
        try check(sqlite3_bind_null(handle, Int32(column + 1)))
    }

    func set(_ column: Int, bool: Bool) throws {
        try check(sqlite3_bind_int(handle, Int32(column + 1), bool ? 1 : 0))
    }

    func set(_ column: Int, integer: Int64) throws {
        try check(sqlite3_bind_int64(handle, Int32(column + 1), integer))
    }

    func set(_ column: Int, double: Double) throws {
        try check(sqlite3_bind_double(handle, Int32(column + 1), double))
    }

    func set(_ column: Int, decimal: Decimal) throws {
        var text = decimal.description
        try text.withUTF8 { try set(column, text: $0) }
    }

    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws {
        // A null pointer would bind NULL instead of the empty text.
        let start = UnsafeRawPointer(text.baseAddress ?? ("" as StaticString).utf8Start)
        try check(
            sqlite3_bind_text64(
                handle,
                Int32(column + 1),
                start.assumingMemoryBound(to: CChar.self),
                sqlite3_uint64(text.count),
                copied,
                UInt8(SQLITE_UTF8)
            )
        )
    }

    func set(_ column: Int, date: Date) throws {
        var text = try DateText.sortable(date)
        try text.withUTF8 { try set(column, text: $0) }
    }

    func set(_ column: Int, data: UnsafeRawBufferPointer) throws {
        guard let start = data.baseAddress, !data.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, Int32(column + 1), 0))
        }
        try check(
            sqlite3_bind_blob64(
                handle,
                Int32(column + 1),
                start,
                sqlite3_uint64(data.count),
                copied
            )
        )
    }

    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws {
        try set(column, text: document)
    }
}
