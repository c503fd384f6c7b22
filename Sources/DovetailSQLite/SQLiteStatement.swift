import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// A prepared statement of one connection, and the sink for its parameters.
///
/// The connection keeps it for further use; a cursor or a writer holds it meanwhile. Columns are
/// numbered from 0 and SQLite's parameters from 1, so column n is bound to the parameter `?n+1`.
final class SQLiteStatement {
    /// SQLite's statement. Invariant: valid until `deinit`, the only place that finalizes it.
    let handle: OpaquePointer
    /// Needed for messages only. Invariant: a statement is used inside of
    /// `SQLiteStore.withConnection`, whose store keeps the connection alive.
    private unowned let connection: SQLiteConnection
    /// The table it is about, for messages.
    let table: String?
    /// Whether a cursor is reading its rows. `SQLiteCursor` sets it and resets it; such a statement
    /// is not handed out again.
    @exclusivity(unchecked) var isInUse = false

    /// The bytes of small texts and blobs that are bound, so that SQLite need not copy them: its copy
    /// is an allocation for each value.
    ///
    /// Invariant: `texts` has ``capacity`` bytes as long as the statement lives, of which `used` are
    /// bound by the current row. `reset()` ends the row: from then on the bytes are overwritten by the
    /// next one, which binds every parameter again before it steps (``SQLiteConnection/statement(_:)``).
    private let texts: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private var used = 0
    private static let capacity = 2048

    /// Prepares a statement that will be kept (`SQLITE_PREPARE_PERSISTENT`,
    /// https://sqlite.org/c3ref/prepare.html).
    ///
    /// - Throws: ``StoreError`` when SQLite does not take the text.
    init(_ sql: String, _ table: String?, on connection: SQLiteConnection) throws {
        self.connection = connection
        self.table = table
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle,
            sql,
            -1,
            UInt32(SQLITE_PREPARE_PERSISTENT),
            &handle,
            nil
        )
        guard code == SQLITE_OK, let handle else { throw connection.error(code, table: table) }
        self.handle = handle
        texts = .allocate(capacity: Self.capacity)
    }

    deinit {
        sqlite3_finalize(handle)
        texts.deallocate()
    }

    /// Runs to the next row; false at the end.
    ///
    /// An error resets the statement, so that it can be used again and holds no lock.
    ///
    /// - Throws: ``StoreError``, with the table of the statement.
    @inline(__always)
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        try requireEnd(code)
        return false
    }

    /// Throws what `sqlite3_step` has given where it was no row, unless that was the end. Out of line, so
    /// that loops over rows stay small.
    ///
    /// - Throws: ``StoreError``.
    @inline(never)
    func requireEnd(_ code: Int32) throws {
        if code == SQLITE_DONE { return }
        let error: any Error = connection.programError ?? connection.error(code, table: table)
        connection.programError = nil
        reset()
        throw error
    }

    /// Ends the query, which gives up its locks. What is bound stays bound.
    func reset() {
        sqlite3_reset(handle)
        used = 0
    }

    /// A copy of bytes that lives until the statement is reset; nil where there is no room.
    fileprivate func keep(_ start: UnsafeRawPointer, _ count: Int) -> UnsafeRawPointer? {
        guard count <= Self.capacity &- used else { return nil }
        // Invariant: the guard has found room for `count` bytes after the first `used` ones.
        let target = UnsafeMutableRawPointer(texts + used)
        target.copyMemory(from: start, byteCount: count)
        used &+= count
        return UnsafeRawPointer(target)
    }

    /// Binds the parameters from 1 on.
    func bind(_ values: [QueryValue]) throws {
        for (index, value) in values.enumerated() { try value.set(index, of: self) }
    }

    /// The same for what a query binds.
    func bind(_ bindings: [SQLBinding]) throws {
        for (index, binding) in bindings.enumerated() {
            switch binding {
            case .value(let value): try value.set(index, of: self)
            case .program(let program):
                try bind(SQLiteFunctions.Program(program, connection), Int32(index + 1))
            case .list(let values):
                // What a column cannot hold is an error here, and not a value that is missing.
                for case .date(let date) in values { _ = try DateText.sortable(date) }
                try bind(SQLiteList.Values(values), Int32(index + 1))
            }
        }
    }

    /// Binds an object as a pointer that only our own functions read
    /// (https://sqlite.org/bindptr.html).
    private func bind(_ object: AnyObject, _ position: Int32) throws {
        // SQLite releases it when the parameter is bound again or the statement is finalized.
        let pointer = Unmanaged.passRetained(object).toOpaque()
        try check(
            sqlite3_bind_pointer(handle, position, pointer, SQLiteFunctions.pointerType) {
                pointer in
                pointer.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
            }
        )
    }

    /// A column of the current row as text; empty for NULL. For tables whose content is known.
    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        // It may hold a NUL. The count comes after the text, as in `SQLiteCursor.text`.
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column of the current row as a whole number; 0 for NULL.
    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// Turns a result code into an error.
    ///
    /// - Throws: ``StoreError`` unless `code` is `SQLITE_OK`.
    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw connection.error(code, table: table) }
    }
}

extension SQLiteStatement {
    /// SQLITE_TRANSIENT, a cast of -1 that Swift does not import: SQLite copies what is bound before
    /// the call returns (https://sqlite.org/c3ref/bind_blob.html). SQLite never calls this pointer, it
    /// compares it with -1. The bytes that a ``RowSink`` is given are valid during the call only, so
    /// they have to be copied: here, where they are few, or there.
    static var copied: sqlite3_destructor_type {
        @inline(__always) get { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
    }

    /// Binds the bytes of a text.
    @inline(__always)
    fileprivate func bindText(_ position: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int32 {
        let kept = keep(start, count)
        return sqlite3_bind_text64(
            handle,
            position,
            (kept ?? start).assumingMemoryBound(to: CChar.self),
            sqlite3_uint64(count),
            kept == nil ? Self.copied : nil,
            UInt8(SQLITE_UTF8)
        )
    }

    /// Binds the bytes of a BLOB.
    fileprivate func bindData(_ position: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int32 {
        let kept = keep(start, count)
        return sqlite3_bind_blob64(
            handle,
            position,
            kept ?? start,
            sqlite3_uint64(count),
            kept == nil ? Self.copied : nil
        )
    }
}

extension SQLiteStatement: SQLiteSink {
    func setNull(_ column: Int) throws {
        try check(sqlite3_bind_null(handle, Int32(column + 1)))
    }

    func set(_ column: Int, integer: Int64) throws {
        try check(sqlite3_bind_int64(handle, Int32(column + 1), integer))
    }

    func set(_ column: Int, double: Double) throws {
        try check(sqlite3_bind_double(handle, Int32(column + 1), double))
    }

    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws {
        // A null pointer would bind NULL instead of the empty text.
        let start = UnsafeRawPointer(text.baseAddress ?? ("" as StaticString).utf8Start)
        try check(bindText(Int32(column + 1), start, text.count))
    }

    /// No bytes are an empty BLOB: a null pointer would bind NULL.
    func set(_ column: Int, data: UnsafeRawBufferPointer) throws {
        guard let start = data.baseAddress, !data.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, Int32(column + 1), 0))
        }
        try check(bindData(Int32(column + 1), start, data.count))
    }
}
