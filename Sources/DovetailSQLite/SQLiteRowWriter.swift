import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// Binds one row after the other to a statement and runs it, with one `sqlite3_step` for each row. Of many new
/// rows in a transaction it holds some back, which one statement writes.
///
/// Deleting binds the key only, because its statement names no other parameters; the other columns
/// are dropped.
final class SQLiteRowWriter: RowWriter {
    private let verb: WriteVerb
    private let entity: EntityBinding
    private let statement: SQLiteStatement
    private let connection: SQLiteConnection
    private var table: String { entity.table }
    /// Whether a row that does not exist is an error: for updates.
    private let mustExist: Bool
    /// Whether an upsert may meet a row with another key, which stands in its way.
    private let mayConflict: Bool
    /// The column whose value the database gives, and the value of it that the row has.
    private let generatedColumn: Int?
    @exclusivity(unchecked) private var givenKey: Int64?
    @exclusivity(unchecked) private(set) var lastKey: Int64?
    /// How many columns the entity has, and for deletions those of the key, which alone have a
    /// parameter.
    private let count: Int
    private let boundColumns: [Int]?
    /// How many more rows are written one by one before rows are held back; nil where none are. A statement
    /// for many rows is not worth preparing for a few.
    @exclusivity(unchecked) private var rowsUntilHeld: Int?
    /// The rows that are held back; nil while none are.
    @exclusivity(unchecked) private var held: SQLiteHeldRows?

    init(
        _ statement: SQLiteStatement,
        verb: WriteVerb,
        entity: EntityBinding,
        on connection: SQLiteConnection
    ) {
        self.verb = verb
        self.entity = entity
        self.statement = statement
        self.connection = connection
        mustExist = verb == .update
        mayConflict = verb == .upsert && connection.renderer.hasLooseKey(entity)
        generatedColumn = entity.generatedColumn
        count = entity.attributes.count
        boundColumns = verb == .delete ? entity.keyColumns : nil
        let maySeveral =
            connection.hasTransaction && connection.renderer.writesSeveral(verb, entity)
            && count * SQLiteHeldRows.most <= connection.mostParameters
        rowsUntilHeld = maySeveral ? SQLiteHeldRows.most : nil
    }

    /// Runs the statement and makes it ready for the next row.
    ///
    /// - Throws: ``StoreError``; `notFound` when an update found no row, and `uniqueViolation` when
    ///   the table of others takes two keys as equal that differ in their bytes.
    func finishRow() throws {
        if let held { return try hold(held) }
        try connection.requireTransaction()
        _ = try statement.step()
        statement.reset()
        if generatedColumn != nil {
            // https://sqlite.org/c3ref/last_insert_rowid.html
            lastKey = givenKey ?? sqlite3_last_insert_rowid(connection.handle)
        }
        if mustExist, sqlite3_changes64(connection.handle) == 0 {
            throw StoreError(
                .notFound,
                table: table,
                explanation: "there is no row with this key to update"
            )
        }
        if mayConflict, sqlite3_changes64(connection.handle) == 0 {
            throw StoreError(
                .uniqueViolation,
                table: table,
                explanation: "the table takes the key as equal to that of another row, whose bytes "
                    + "are others"
            )
        }
        guard let rows = rowsUntilHeld else { return }
        rowsUntilHeld = rows - 1
        if rows == 1 { held = SQLiteHeldRows(columns: count) }
    }

    // MARK: Many rows

    private func hold(_ held: SQLiteHeldRows) throws {
        if connection.holder !== self {
            // What another writer holds back comes before it.
            try connection.requireTransaction()
            connection.holder = self
        }
        if held.finishRow() { try connection.writeHeld() }
    }

    func finish() throws {
        if connection.holder === self { try connection.writeHeld() }
    }

    /// Writes the rows that are held back. Called by the connection, which takes this writer as its
    /// holder no longer.
    ///
    /// A statement for many rows that fails has written none of them, so they are written again one by one:
    /// the row that fails then can be named, and those before it are written, as if none had been held back.
    ///
    /// - Throws: ``StoreError`` with the key of the row.
    func writeHeld() throws {
        guard let held, held.count > 0 else { return }
        defer { held.removeAll() }
        try connection.requireTransaction()
        if held.count == SQLiteHeldRows.most {
            do {
                return try write(0..<held.count, of: held, by: statementForMany())
            } catch let error as StoreError
                where error.kind != .cancelled && error.kind != .deadlineExceeded
            {
                // An error that has undone the transaction is the one to report.
                if !connection.hasTransaction { throw error }
            }
        }
        for row in 0..<held.count {
            do {
                try write(row..<row + 1, of: held, by: statement)
            } catch let error as StoreError {
                throw connection.naming(held.image(row, of: entity), in: error, of: entity)
            }
        }
    }

    /// Drops the rows that are held back, which were undone.
    func forgetHeld() { held?.removeAll() }

    private func write(
        _ rows: Range<Int>,
        of held: SQLiteHeldRows,
        by statement: SQLiteStatement
    ) throws {
        try held.bind(rows, to: statement)
        _ = try statement.step()
        statement.reset()
    }

    private func statementForMany() throws -> SQLiteStatement {
        let rows = SQLiteHeldRows.most
        return try connection.statement(of: .write(verb, entity, rows: rows), table) {
            connection.renderer.write(verb, entity, rows: rows)
        }
    }

    // MARK: Columns

    /// Whether the statement has a parameter for a column. There is none for one that the entity
    /// does not have; `ModelWriter.writeRows` refuses the model that wrote it.
    @inline(__always)
    private func binds(_ column: Int) -> Bool {
        guard let boundColumns else { return column < count }
        return boundColumns.contains(column)
    }

    func setNull(_ column: Int) throws {
        if column == generatedColumn { givenKey = nil }
        guard binds(column) else { return }
        if let held { return held.setNull(column) }
        try statement.setNull(column)
    }

    func set(_ column: Int, bool: Bool) throws {
        guard binds(column) else { return }
        if let held { return try held.set(column, bool: bool) }
        try statement.set(column, bool: bool)
    }

    func set(_ column: Int, integer: Int64) throws {
        if column == generatedColumn { givenKey = integer }
        guard binds(column) else { return }
        if let held { return held.set(column, integer: integer) }
        try statement.set(column, integer: integer)
    }

    func set(_ column: Int, double: Double) throws {
        guard binds(column) else { return }
        if let held { return held.set(column, double: double) }
        try statement.set(column, double: double)
    }

    func set(_ column: Int, decimal: Decimal) throws {
        guard binds(column) else { return }
        if let held { return try held.set(column, decimal: decimal) }
        try statement.set(column, decimal: decimal)
    }

    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws {
        guard binds(column) else { return }
        if let held { return held.set(column, text: text) }
        try statement.set(column, text: text)
    }

    func set(_ column: Int, date: Date) throws {
        guard binds(column) else { return }
        if let held { return try held.set(column, date: date) }
        try statement.set(column, date: date)
    }

    func set(_ column: Int, data: UnsafeRawBufferPointer) throws {
        guard binds(column) else { return }
        if let held { return held.set(column, data: data) }
        try statement.set(column, data: data)
    }

    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws {
        guard binds(column) else { return }
        if let held { return try held.set(column, document: document) }
        try statement.set(column, document: document)
    }
}
