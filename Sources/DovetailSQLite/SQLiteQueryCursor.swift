import CSQLite
import DovetailModel
import DovetailSQL
import DovetailStore

/// The rows of a query without an order: one at a time by a ``SQLiteCursor``, or all of them as the arguments of
/// ``SQLiteRowFunction``, which takes a seventh less time.
///
/// An aggregate is called in the order in which SQLite finds the rows, so a query with an order, or with
/// a limit, is none for it. Its statement is not the one that people expect to see in a trace.
final class SQLiteQueryCursor: RowCursor {
    private let connection: SQLiteConnection
    private let query: Query
    private let shape: QueryShape
    private let bindings: [SQLBinding]
    private let columns: Int
    /// The rows, where they are asked for one at a time.
    private var rows: SQLiteCursor?
    private var isClosed = false
    /// The columns of a row, of which there are `columns`; nil while the function is not called.
    @exclusivity(unchecked) var arguments: UnsafeMutablePointer<OpaquePointer?>?

    /// Runs nothing yet.
    init(
        _ query: Query,
        _ shape: QueryShape,
        _ bindings: [SQLBinding],
        on connection: SQLiteConnection
    ) {
        self.query = query
        self.shape = shape
        self.bindings = bindings
        self.connection = connection
        columns = query.entity.attributes.count
    }

    func next() throws -> Bool {
        if let rows { return try rows.next() }
        guard !isClosed else { return false }
        let rows = try connection.cursor(query, shape, bindings)
        self.rows = rows
        return try rows.next()
    }

    func forEachRow(_ body: () throws -> Void) throws {
        guard !isClosed, rows == nil else {
            while try next() { try body() }
            return
        }
        isClosed = true
        let statement = try connection.statement(of: shape.asArguments, query.entity.table) {
            try connection.renderer.select(query, calling: SQLiteRowFunction.name).text
        }
        try statement.bind(bindings)
        statement.isInUse = true
        defer {
            arguments = nil
            statement.reset()
            statement.isInUse = false
        }
        try connection.rowFunction.run(statement, columns: columns, for: self, body)
    }

    func close() {
        isClosed = true
        rows?.close()
    }

    // SQLite keeps arguments as they are until the function returns
    // (https://sqlite.org/c3ref/create_function.html).

    func cell(_ column: Int) -> RowCell {
        guard let arguments else { return rows?.cell(column) ?? .null }
        return column >= 0 && column < columns ? RowCell(sqlite: arguments[column]) : .null
    }

    func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        guard let arguments, columns.upperBound <= self.columns else {
            return readEach(columns, into: cells)
        }
        // Invariant: there are as many arguments as the guard says, and none of the columns is below 0.
        var (column, target) = (arguments + columns.lowerBound, cells)
        let end = arguments + columns.upperBound
        while column < end {
            RowCell.put(column.pointee, into: target)
            column += 1
            target += 1
        }
    }

    @inline(never)
    private func readEach(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        if arguments == nil, let rows { return rows.read(columns, into: cells) }
        for column in columns {
            (cells + (column - columns.lowerBound)).initialize(to: cell(column))
        }
    }
}
