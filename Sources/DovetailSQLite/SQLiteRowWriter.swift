import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// Binds one row after the other to a statement and runs it, with one `sqlite3_step` for each row.
///
/// Deleting binds the key only, because its statement names no other parameters; the other columns
/// are dropped.
final class SQLiteRowWriter: RowWriter {
    private let statement: SQLiteStatement
    private let connection: SQLiteConnection
    private let table: String
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

    init(
        _ statement: SQLiteStatement,
        verb: WriteVerb,
        entity: EntityBinding,
        on connection: SQLiteConnection
    ) {
        self.statement = statement
        self.connection = connection
        table = entity.table
        mustExist = verb == .update
        mayConflict = verb == .upsert && connection.renderer.hasLooseKey(entity)
        generatedColumn = entity.generatedColumn
        count = entity.attributes.count
        boundColumns = verb == .delete ? entity.keyColumns : nil
    }

    /// Runs the statement and makes it ready for the next row.
    ///
    /// - Throws: ``StoreError``; `notFound` when an update found no row, and `uniqueViolation` when
    ///   the table of others takes two keys as equal that differ in their bytes.
    func finishRow() throws {
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
    }

    /// Whether the statement has a parameter for a column. There is none for one that the entity
    /// does not have; `ModelWriter.writeRows` refuses the model that wrote it.
    @inline(__always)
    private func binds(_ column: Int) -> Bool {
        guard let boundColumns else { return column < count }
        return boundColumns.contains(column)
    }

    func setNull(_ column: Int) throws {
        if column == generatedColumn { givenKey = nil }
        if binds(column) { try statement.setNull(column) }
    }

    func set(_ column: Int, bool: Bool) throws {
        if binds(column) { try statement.set(column, bool: bool) }
    }

    func set(_ column: Int, integer: Int64) throws {
        if column == generatedColumn { givenKey = integer }
        if binds(column) { try statement.set(column, integer: integer) }
    }

    func set(_ column: Int, double: Double) throws {
        if binds(column) { try statement.set(column, double: double) }
    }

    func set(_ column: Int, decimal: Decimal) throws {
        if binds(column) { try statement.set(column, decimal: decimal) }
    }

    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws {
        if binds(column) { try statement.set(column, text: text) }
    }

    func set(_ column: Int, date: Date) throws {
        if binds(column) { try statement.set(column, date: date) }
    }

    func set(_ column: Int, data: UnsafeRawBufferPointer) throws {
        if binds(column) { try statement.set(column, data: data) }
    }

    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws {
        if binds(column) { try statement.set(column, document: document) }
    }
}
