import DovetailModel
import Foundation

/// The connection that writes. It belongs to one caller at a time, which the lock of ``MemoryStore``
/// sees to.
final class MemoryConnection: StoreWriting, StoreTransactions, MemoryQuerying {
    private let committed: CommittedState
    /// The state that the transaction has made so far. Invariant: without one it is the committed
    /// state, which only `transaction(keeping:_:)` replaces.
    private var state: MemoryState
    /// How many calls of `transaction(keeping:_:)` are running.
    private var depth = 0
    let visits = MemoryVisits()

    init(_ committed: CommittedState) {
        self.committed = committed
        state = committed.state
    }

    func rows(of query: Query) throws -> any RowCursor {
        try state.rows(of: query, visits)
    }

    func count(of query: Query) throws -> Int {
        try state.count(of: query, visits)
    }

    func token(of entity: EntityBinding) -> String? { state.tokens[entity.table] }

    func setToken(_ token: String?, of entity: EntityBinding) throws {
        try change { $0.tokens[entity.table] = token }
    }

    func bases(of entity: EntityBinding) throws -> ChangedRows? { try state.bases(of: entity) }

    func setBases(_ bases: [BaseRow], of entity: EntityBinding) throws {
        let table = try state.position(of: entity)
        try change { $0.setBases(bases, table) }
    }

    func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        MemoryRowWriter(verb, try state.position(of: entity), entity, on: self)
    }

    func delete(_ query: Query) throws -> Int {
        var query = query
        query.order = []
        return try change { try $0.delete(query, visits) }
    }

    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        let table = try state.position(of: entity)
        try change { try $0.park(keys, table) }
    }

    /// Writes one row. Without a transaction it is one of its own.
    fileprivate func write(_ row: RowImage, _ verb: WriteVerb, _ table: Int) throws {
        try change { try $0.write(row, verb, table) }
    }

    /// Changes the state of the transaction, or commits a change by itself. `body` runs no code of
    /// models, so nothing looks at the state meanwhile.
    private func change<Result>(_ body: (inout MemoryState) throws -> Result) throws -> Result {
        if depth > 0 { return try body(&state) }
        return try transaction(keeping: true) { try body(&state) }
    }

    /// A savepoint is a copy of the state, which costs nothing; undoing puts it back.
    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result {
        let before = state
        depth += 1
        defer { depth -= 1 }
        do {
            let result = try body()
            if !keeping {
                state = before
            } else if depth == 1 {
                try state.checkReferences()
                committed.replace(by: state)
            }
            return result
        } catch {
            state = before
            throw error
        }
    }
}

/// Fills one row after the other and hands it to the connection.
///
/// Values are kept as SQLite keeps them: no number is NaN or negative zero, and a date has a form in
/// ISO 8601.
private final class MemoryRowWriter: RowWriter {
    private let verb: WriteVerb
    private let table: Int
    private let entity: EntityBinding
    private let connection: MemoryConnection
    /// The row that is filled. The table keeps it, so there is a new one for each row.
    private var row: RowImage
    private(set) var lastKey: Int64?
    private let interruption = StoreInterruption.current

    init(
        _ verb: WriteVerb,
        _ table: Int,
        _ entity: EntityBinding,
        on connection: MemoryConnection
    ) {
        self.verb = verb
        self.table = table
        self.entity = entity
        self.connection = connection
        row = RowImage(columns: entity.columnCount)
    }

    func finishRow() throws {
        try interruption?.check()
        let finished = row
        row = RowImage(columns: entity.columnCount)
        try connection.write(finished, verb, table)
        lastKey = entity.generatedColumn.flatMap { finished.integer($0) }
    }

    /// Whether the column counts: of a deleted row the key only.
    private func counts(_ column: Int) -> Bool {
        verb != .delete || entity.keyColumns.contains(column)
    }

    func setNull(_ column: Int) { row.setNull(column) }
    func set(_ column: Int, bool: Bool) { row.set(column, bool: bool) }
    func set(_ column: Int, integer: Int64) { row.set(column, integer: integer) }

    func set(_ column: Int, double: Double) {
        if double.isNaN { row.setNull(column) } else { row.set(column, double: double + 0) }
    }

    func set(_ column: Int, decimal: Decimal) { row.set(column, decimal: decimal) }
    func set(_ column: Int, text: UnsafeBufferPointer<UInt8>) { row.set(column, text: text) }

    /// - Throws: ``ModelEncodingError`` outside of the years 0 to 9999.
    func set(_ column: Int, date: Date) throws {
        guard counts(column) else { return }
        _ = try DateText.sortable(date)
        row.set(column, date: date)
    }

    func set(_ column: Int, data: UnsafeRawBufferPointer) { row.set(column, data: data) }

    func set(_ column: Int, document: UnsafeBufferPointer<UInt8>) {
        row.set(column, document: document)
    }
}
