import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

/// Writes rows of one entity. Inside of a transaction it holds them back, so that many of them go to the
/// server at once: many new ones of Dovetail's own tables by `COPY`, others as statements one after the other,
/// without waiting for the answer to each
/// (https://www.postgresql.org/docs/current/libpq-pipeline-mode.html).
///
/// A row whose key the database gives, and one without a transaction, is written at once.
final class PostgresRowWriter: RowWriter, HeldRows {
    let verb: WriteVerb
    let entity: EntityBinding
    let connection: PostgresConnection
    private let statement: PostgresStatement
    /// The rows that are held back, in the form of `COPY`: a count of columns, then each with its length.
    let fields: PostgresFields
    /// Where each row begins.
    @exclusivity(unchecked) private(set) var rows: [Int] = []
    /// The columns that a deletion takes.
    private let isCounted: [Bool]
    private let mustExist: Bool
    private let isHeldBack: Bool
    let mayCopy: Bool
    private(set) var lastKey: Int64?

    init(
        _ verb: WriteVerb,
        _ entity: EntityBinding,
        _ statement: PostgresStatement,
        on connection: PostgresConnection
    ) {
        self.verb = verb
        self.entity = entity
        self.connection = connection
        self.statement = statement
        mustExist = verb == .update
        isCounted = entity.attributes.indices.map {
            verb != .delete || entity.keyColumns.contains($0)
        }
        fields = PostgresFields(statement.key.types, of: entity)
        isHeldBack =
            connection.transactionDepth > 0 && (entity.generatedColumn == nil || !verb.adds)
        mayCopy = verb.adds && connection.renderer.found[entity] == nil
        beginRow()
    }

    /// Begins a row with the count of its columns.
    private func beginRow() {
        rows.append(fields.count)
        fields.append(UInt16(clamping: entity.attributes.count))
        fields.beginRow()
    }

    /// Holds the row back, or writes it.
    ///
    /// - Throws: ``StoreError``; `notFound` when an update found no row.
    func finishRow() throws {
        try connection.interruption?.check()
        guard isHeldBack else { return try writeOne() }
        lastKey = givenKey
        putInOrder()
        beginRow()
        try connection.hold(self, count: rows.count - 1, bytes: fields.count)
    }

    /// Leaves what is held back to whoever reads next, or ends the transaction: it goes with what others hold
    /// back.
    func finish() {}

    /// Forgets what is held back, and not the row that is filled: what asks the database while a model
    /// becomes a row makes the rows before it be written.
    func forget() {
        fields.removeFirst(rows.last ?? 0)
        rows = [0]
    }

    /// Takes rows that were held back by another writer.
    func take(_ bytes: UnsafeRawBufferPointer, _ rows: [Int]) {
        fields.removeAll()
        fields.append(bytes)
        self.rows = rows
    }

    /// The columns of a row stand in their order, whatever the order was in which they were set.
    private func putInOrder() {
        guard !fields.isInOrder, let start = rows.last else { return }
        var values: [[UInt8]?] = []
        for column in entity.attributes.indices {
            values.append(fields.value(of: column).map { Array($0) })
        }
        fields.truncate(to: start + 2)
        fields.beginRow()
        for (column, value) in values.enumerated() { fields.put(column, value) }
    }

    // MARK: One row

    private func writeOne() throws {
        let result = try connection.run(statement, fields, table: entity.table)
        defer {
            fields.removeAll()
            rows = []
            beginRow()
        }
        lastKey = givenKey
        if entity.generatedColumn != nil, verb.adds {
            let cursor = PostgresCursor(result, nil)
            if try cursor.next() { lastKey = cursor.integer(0) }
            if fields.value(of: entity.generatedColumn ?? 0) != nil { try raiseSequence() }
        }
        if mustExist, result.affectedCount == 0 { throw notFound }
        noteWritten(1)
    }

    /// Notes that the server has taken rows, and the table may have grown by as many.
    func noteWritten(_ count: Int) {
        if verb.adds { connection.options.planAges.add(count, to: entity.table) }
    }

    /// The key of the row that is filled, where the database gives keys and this one has its own.
    private var givenKey: Int64? {
        guard let column = entity.generatedColumn, let bytes = fields.value(of: column) else {
            return nil
        }
        return RowCell(postgres: bytes, PostgresType.bigint, PostgresScratch()).integer
    }

    /// A key that the row had may be larger than what its sequence has given.
    private func raiseSequence() throws {
        guard let column = entity.generatedColumn, let lastKey else { return }
        let name = entity.attributes[column].name
        let table = connection.quoted(entity.table)
        try connection.run(
            """
            SELECT setval(s.name, $1) FROM (SELECT pg_get_serial_sequence($2, $3)::regclass AS name) s
            WHERE $1 > coalesce(pg_sequence_last_value(s.name), 0)
            """,
            PostgresFields.of([
                .value(.integer(lastKey)), .value(.text(table)), .value(.text(name)),
            ])
        )
    }

    private var notFound: StoreError {
        StoreError(
            .notFound,
            table: entity.table,
            explanation: "there is no row with this key to update"
        )
    }

    // MARK: Many rows

    func statement(_ row: Int) -> PostgresStatement { statement }

    func send(_ row: Int) -> Int32 {
        fields.withRow(from: rows[row] + 2) { connection.send(statement, fields) }
    }

    func take(_ result: PostgresResult, _ row: Int) -> StoreError? {
        mustExist && result.affectedCount == 0 ? notFound : nil
    }

    /// The error with the key of a row that is held back, and of those that have its unique values: stored
    /// ones, or one that was held back before it.
    func naming(_ row: Int, _ error: StoreError) -> StoreError {
        guard row >= 0, row < rows.count - 1 else { return error }
        let image = self.image(row)
        let named = connection.naming(image, in: error, of: entity)
        guard error.kind == .uniqueViolation, named.keys.count == 1 else { return named }
        let groups = entity.description.indexes.filter(\.isUnique).map(\.columns)
        for other in (0..<row).reversed() {
            let rival = self.image(other)
            let isRival = groups.contains { columns in
                columns.allSatisfy { column in
                    let attribute = entity.attributes[column]
                    guard let mine = try? QueryValue(image, column, attribute), mine != .null else {
                        return false
                    }
                    return (try? QueryValue(rival, column, attribute)) == mine
                }
            }
            if isRival, let key = try? entity.key(of: rival) {
                return named.naming(all: named.keys + [key])
            }
        }
        return named
    }

    /// A row that is held back.
    private func image(_ row: Int) -> RowImage {
        let scratch = PostgresScratch()
        var place = rows[row] + 2
        return RowImage(heldBackIn: entity) { column in
            let bytes = fields.value(at: place)
            place += 4 + (bytes?.count ?? 0)
            guard let bytes else { return .null }
            return RowCell(postgres: bytes, statement.key.types[column], scratch)
        }
    }

    // MARK: Columns

    private func counts(_ column: Int) -> Bool {
        isCounted.indices.contains(column) && isCounted[column]
    }

    func setNull(_ column: Int) {
        if counts(column) { fields.setNull(column) }
    }

    func set(_ column: Int, bool: Bool) throws {
        if counts(column) { try fields.set(column, bool: bool) }
    }

    func set(_ column: Int, integer: Int64) throws {
        if counts(column) { try fields.set(column, integer: integer) }
    }

    func set(_ column: Int, double: Double) throws {
        if counts(column) { try fields.set(column, double: double) }
    }

    func set(_ column: Int, decimal: Decimal) throws {
        if counts(column) { try fields.set(column, decimal: decimal) }
    }

    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) throws {
        if counts(column) { try fields.set(column, text: text) }
    }

    func set(_ column: Int, date: Date) throws {
        if counts(column) { try fields.set(column, date: date) }
    }

    func set(_ column: Int, data: UnsafeRawBufferPointer) throws {
        if counts(column) { try fields.set(column, data: data) }
    }

    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) throws {
        if counts(column) { try fields.set(column, document: document) }
    }
}
