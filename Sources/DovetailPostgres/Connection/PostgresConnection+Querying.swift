import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore
import Foundation

extension PostgresConnection: StoreQuerying {
    /// The rows of a prepared `SELECT`, which are in memory when it returns.
    func rows(of query: Query) throws -> any RowCursor {
        try requireTransaction()
        if let residue = SQLResidue(query, renderer.dialect) { return try rows(query, residue) }
        return try cursor(over: query)
    }

    /// The rows of a query that are asked for some at a time.
    func stream(_ query: Query) throws -> any RowCursor {
        guard query.limit.map({ $0 > PostgresStream.firstCount }) ?? true else {
            return try rows(of: query)
        }
        try requireTransaction()
        let residue = SQLResidue(query, renderer.dialect)
        // What is ordered here is in memory anyway.
        if let residue, residue.isOrdered { return try rows(query, residue) }
        let asked = residue?.asked ?? query
        let (_, bindings) = QueryShape.select(asked, renderer.dialect)
        let stream = try PostgresStream(
            of: try renderer.select(asked).text,
            PostgresFields.of(bindings),
            entity: query.entity,
            on: self
        )
        guard let residue else { return stream }
        let others = QueriedRows(of: self)
        return PostgresResidueCursor(stream, query, residue.filter, others)
    }

    /// Runs a query that needs no program.
    private func cursor(over query: Query) throws -> PostgresCursor {
        let (shape, bindings) = QueryShape.select(query, renderer.dialect)
        let fields = try PostgresFields.of(bindings)
        let statement = try statement(of: shape, fields.types) { try renderer.select(query).text }
        let result = try run(statement, fields, table: query.entity.table)
        return PostgresCursor(
            result,
            interruption,
            types: statement.columnTypes(result),
            roundings: renderer.found[roundingsOf: query.entity]
        )
    }

    func rows(
        of entity: EntityBinding,
        key: (any RowSink) throws -> Void
    ) throws -> any RowCursor {
        try requireTransaction()
        let statement = try statement(ofKeysOf: entity)
        let fields = statement.takeFields()
        defer { statement.keepFields(fields) }
        try key(fields)
        let result = try run(statement, fields, table: entity.table)
        return PostgresCursor(
            result,
            interruption,
            types: statement.columnTypes(result),
            roundings: renderer.found[roundingsOf: entity]
        )
    }

    /// The statement of a row by its key, of which a program runs more than of any other: its shape is two
    /// words, whatever the key is.
    private func statement(ofKeysOf entity: EntityBinding) throws -> PostgresStatement {
        let shape = QueryShape.key(of: entity)
        if let known = statement(of: shape) { return known }
        let columns = PostgresType.columns(of: entity, renderer)
        let types = entity.keyColumns.map { columns[$0] }
        // Any value of the form: the key is bound in its place.
        let example = types.map {
            $0 == PostgresType.uuid ? QueryValue.text(UUID().uuidString) : .integer(0)
        }
        let query = Query(entity, filter: entity.filter(of: [example]))
        return try statement(of: shape, types) { try renderer.select(query).text }
    }

    func count(of query: Query) throws -> Int {
        try requireTransaction()
        if SQLResidue(query, renderer.dialect) != nil {
            let cursor = try stream(query)
            defer { cursor.close() }
            var count = 0
            while try cursor.next() { count += 1 }
            return count
        }
        // What is counted has no order, and its columns no group.
        var query = query
        if query.limit == nil, query.offset == 0 { query.order = [] }
        let (shape, bindings) = QueryShape.count(query, renderer.dialect)
        let fields = try PostgresFields.of(bindings)
        let statement = try statement(of: shape, fields.types) { try renderer.count(query).text }
        let result = try run(statement, fields, table: query.entity.table)
        let cursor = PostgresCursor(result, interruption)
        defer { cursor.close() }
        return try cursor.next() ? Int(cursor.integer(0) ?? 0) : 0
    }

    /// Takes the rows for which the residue holds, of those that the database gives.
    private func rows(_ query: Query, _ residue: SQLResidue) throws -> any RowCursor {
        let others = QueriedRows(of: self)
        let cursor = try cursor(over: residue.asked)
        guard residue.isOrdered else {
            return PostgresResidueCursor(cursor, query, residue.filter, others)
        }
        defer { cursor.close() }
        var rest = query
        rest.filter = residue.filter
        return try rest.rows(of: cursor, others: others)
    }

    func rows(of selection: QuerySelection) throws -> any RowCursor {
        if try needsRows(selection) {
            return RowListCursor(try valuesInOrder(of: selection).map { RowImage($0) }[...])
        }
        return PostgresCursor(try result(of: selection), interruption)
    }

    /// PostgreSQL gives up a sum of floating point numbers that is too large where another store gives
    /// infinity, and adds them up in any order, on which it depends whether there is a sum where some of them
    /// are that large. It is computed again from the rows then, in the order of their keys.
    func values(of selection: QuerySelection) throws -> [[QueryValue]] {
        if try needsRows(selection) { return try valuesInOrder(of: selection) }
        do {
            if let values = try answer(to: selection) { return values }
        } catch let error as StoreError where error.kind == .outOfRange {
            // By rows, as what follows.
        } catch is ModelDecodingError {
            // `numeric` has room for a sum of which `Decimal` has not.
        }
        return try valuesInOrder(of: selection)
    }

    /// Takes rows together in the order of their keys, as other stores do.
    private func valuesInOrder(of selection: QuerySelection) throws -> [[QueryValue]] {
        let keys = selection.query.entity.keyColumns
        return try valuesByRows(of: selection, order: keys.map { QueryOrder(column: $0) })
    }

    /// Asks the server; nil where a sum of floating point numbers depends on the order of the rows.
    private func answer(to selection: QuerySelection) throws -> [[QueryValue]]? {
        let entity = selection.query.entity
        let sums = selection.columns.filter { column in
            switch column {
            case .sum(let expression), .average(let expression):
                expression.kind(in: entity) == .double
            default: false
            }
        }
        .compactMap(\.expression)
        var asked = selection
        // How many there are, and how large: beyond what a number holds, the order decides.
        if !sums.isEmpty { asked.columns.append(.count) }
        for sum in sums { asked.columns += [.minimum(sum), .maximum(sum)] }
        let kinds = asked.columns.map { $0.kind(in: entity) ?? .text }
        let cursor = PostgresCursor(try result(of: asked), interruption)
        defer { cursor.close() }
        var rows: [[QueryValue]] = []
        while try cursor.next() {
            let row = try kinds.enumerated().map { column, kind in
                try QueryValue(cursor, column, kind, named: "")
            }
            guard Self.isOrderless(row[selection.columns.count...]) else { return nil }
            rows.append(Array(row[..<selection.columns.count]))
        }
        return rows
    }

    /// Whether as many numbers as the first value says, between pairs of the others, have a sum in any order.
    private static func isOrderless(_ values: ArraySlice<QueryValue>) -> Bool {
        guard case .integer(let count)? = values.first else { return true }
        return values.dropFirst().allSatisfy { value in
            guard case .double(let number) = value else { return true }
            return (abs(number) * Double(count)).isFinite
        }
    }

    private func result(of selection: QuerySelection) throws -> PostgresResult {
        let sql = try renderer.select(selection)
        let fields = try PostgresFields.of(sql.bindings)
        return try inSavepoint {
            try run(statement(sql.text, fields.types), fields, table: selection.query.entity.table)
        }
    }

    /// Whether the rows have to be gone over here: for a program, for sums and averages of decimals, for
    /// which PostgreSQL has other digits, and for what it has no smallest one of.
    private func needsRows(_ selection: QuerySelection) throws -> Bool {
        try requireTransaction()
        let (query, dialect) = (selection.query, renderer.dialect)
        if SQLResidue(query, dialect) != nil { return true }
        // PostgreSQL orders distinct rows by what they hold alone.
        let held = selection.columns.compactMap(\.expression)
        let isOrderedByOther = query.order.contains { order in
            !held.contains { held in
                held == order.expression
                    || held.attribute != nil && held.attribute == order.expression.attribute
            }
        }
        if selection.isDistinct, isOrderedByOther { return true }
        return (selection.columns + selection.having.map(\.column)).contains { column in
            guard let expression = column.expression else { return false }
            if expression.needsProgram(dialect, query.entity) { return true }
            let kind = expression.kind(in: query.entity)
            return switch column {
            case .average, .sum: kind == .decimal
            case .minimum, .maximum: kind == .data
            case .value, .count: false
            }
        }
    }

    func token(of entity: EntityBinding) throws -> String? {
        try kept("token \(entity.table)")
    }

    /// What `dovetail_store` has under a name; nil for nothing.
    func kept(_ name: String) throws -> String? {
        guard try hasTable("dovetail_store") else { return nil }
        return try run(
            "SELECT value FROM dovetail_store WHERE name = $1",
            PostgresFields.of([.value(.text(name))])
        )
        .text(0, 0)
    }

    /// Whether there is a table of a name.
    func hasTable(_ name: String) throws -> Bool {
        let name = try PostgresFields.of([.value(.text(quoted(name)))])
        return try run("SELECT pg_catalog.to_regclass($1) IS NOT NULL", name).isTrue(0, 0)
    }

    /// What others may be doing at the same time. `pg_locks` shows the number, which is "dovo" or "dovh" in four bytes;
    /// "dovp" is the lock of commits (``PostgresHistoryObjects``).
    enum SharedWork: Int32 {
        case tables = 0x646F_766F
        case history = 0x646F_7668

        /// The table by whose schema its work is one's own: programs in other schemas do not wait for each other.
        fileprivate var table: String { self == .tables ? "dovetail_schema" : "dovetail_commits" }
    }

    /// Waits for others who do the same work in the same schema, and lets others wait until the open transaction
    /// ends.
    ///
    /// - Throws: ``StoreError``, of kind `locked` where that takes longer than ``PostgresConfiguration/lockTimeout``.
    func lock(_ work: SharedWork) throws {
        try execute(
            """
            SELECT pg_catalog.pg_advisory_xact_lock(\(work.rawValue), (coalesce(
                (SELECT relnamespace FROM pg_catalog.pg_class
                    WHERE oid = pg_catalog.to_regclass('\(work.table)')),
                (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())
            )::bigint - 2147483648)::int)
            """
        )
    }

    /// Prepares the statement, which has to be one that reads, and runs it in a transaction that only
    /// reads, or in the one that is open.
    func rows(of sql: SQLQuery) throws -> (cursor: any RowCursor, columns: [String]) {
        try requireTransaction()
        let sql = try renderer.statement(of: sql)
        let fields = try PostgresFields.of(sql.bindings, isRaw: true)
        ranOtherSQL = true
        let result = try reading { try run(sql.text, fields) }
        guard result.status == PGRES_TUPLES_OK else {
            // What is prepared and what is not is no part of the transaction that was undone.
            forgetStatements()
            throw StoreError(
                .unsupported,
                explanation: "`sql(_:as:)` takes one statement that gives rows"
            )
        }
        let columns = (0..<PQnfields(result.handle)).map { column in
            PQfname(result.handle, column).map { String(cString: $0) } ?? ""
        }
        return (PostgresCursor(result, interruption), columns)
    }

    /// Runs `body`, in which nothing can be written.
    private func reading(_ body: () throws -> PostgresResult) throws -> PostgresResult {
        do {
            if transactionDepth > 0 {
                // Undoing the savepoint gives the transaction back what it may.
                return try transaction(keeping: false) {
                    try execute("SET LOCAL transaction_read_only = on")
                    return try body()
                }
            }
            try begin("READ ONLY")
            defer { try? execute("ROLLBACK") }
            return try body()
        } catch let error as StoreError where error.kind == .readOnly {
            throw StoreError(
                .unsupported,
                explanation: "the statement writes; `sql(_:as:)` is for queries"
            )
        }
    }
}

extension QueryExpression {
    /// The column, where it is an attribute.
    fileprivate var attribute: Int? {
        if case .attribute(let column, _) = self { column } else { nil }
    }
}

/// Passes over the rows for which a residue does not hold.
private final class PostgresResidueCursor: RowCursor {
    private let cursor: any RowCursor
    private let query: Query
    private let filter: QueryExpression?
    private let others: QueriedRows
    private var skipped = 0
    private var given = 0

    init(
        _ cursor: any RowCursor,
        _ query: Query,
        _ filter: QueryExpression?,
        _ others: QueriedRows
    ) {
        self.cursor = cursor
        self.query = query
        self.filter = filter
        self.others = others
    }

    func next() throws -> Bool {
        if let limit = query.limit, given >= limit {
            close()
            return false
        }
        while try cursor.next() {
            let evaluator = QueryEvaluator(query.entity, row: cursor, others: others)
            guard try evaluator.isTaken(by: filter) else { continue }
            if skipped < query.offset {
                skipped += 1
                continue
            }
            given += 1
            return true
        }
        return false
    }

    func close() { cursor.close() }

    func rounding(of column: Int) -> ColumnRounding? { cursor.rounding(of: column) }

    func cell(_ column: Int) -> RowCell { cursor.cell(column) }

    func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        cursor.read(columns, into: cells)
    }
}
