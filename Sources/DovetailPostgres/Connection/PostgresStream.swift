import CPostgres
import DovetailModel
import DovetailSQL
import DovetailStore

/// The rows of a query through a cursor of SQL, which gives some at a time
/// (https://www.postgresql.org/docs/current/sql-declare.html), so that memory holds few of them.
///
/// Its first rows come in the round trip that begins it. Outside of a transaction it opens one that only
/// reads, for as long as a stream of its connection is open. Other statements may run on the connection
/// meanwhile; what they change is not seen by the stream.
final class PostgresStream: RowCursor {
    /// How many rows are asked for at first; more where they are small.
    static let firstCount = 256
    /// About how many bytes of rows are in memory.
    private static let mostBytes = 1 << 20

    private let connection: PostgresConnection
    private let name: String
    private let table: String
    private let roundings: [Int: ColumnRounding]
    /// The rows that have come.
    private var part: PostgresCursor
    private var count = PostgresStream.firstCount
    private var isAtEnd = false
    private var isOpen = true

    init(
        of sql: String,
        _ fields: PostgresFields,
        entity: EntityBinding,
        on connection: PostgresConnection
    ) throws {
        try connection.writeHeld()
        try connection.sendAhead()
        self.connection = connection
        let table = entity.table
        self.table = table
        let roundings = connection.renderer.found[roundingsOf: entity]
        self.roundings = roundings
        let beginning = connection.beginStream()
        let name = "dovetail_rows_\(connection.streams.number)"
        self.name = name
        let declaration = PostgresStatement(
            .init(sql: "DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", types: fields.types),
            name: nil
        )
        let fetch = Self.fetch(count, name)
        do {
            var answer: PostgresResult?
            try connection.trace(sql, { fields.words }) {
                let answers = try connection.answers(to: beginning.count + 2) { place in
                    switch place - beginning.count {
                    case 0: connection.send(declaration, fields)
                    case 1: connection.send(fetch)
                    default: connection.send(beginning[place])
                    }
                }
                if let failed = answers.first(where: { !$0.isSuccess }) {
                    throw connection.error(failed, table)
                }
                answer = answers.last
                return answer?.rowCount ?? 0
            }
            guard let answer else { throw connection.lost() }
            part = PostgresCursor(answer, connection.interruption, roundings: roundings)
            take(answer)
        } catch {
            connection.endStream(nil)
            throw error
        }
    }

    private static func fetch(_ count: Int, _ name: String) -> String {
        "FETCH FORWARD \(count) FROM \(name)"
    }

    /// Looks at rows that have come.
    private func take(_ answer: PostgresResult) {
        isAtEnd = answer.rowCount < count
        guard answer.rowCount > 0 else { return }
        let bytes = max(1, answer.byteCount / answer.rowCount)
        count = min(max(Self.mostBytes / bytes, 16), 8192)
    }

    func next() throws -> Bool {
        guard isOpen else { return false }
        while true {
            if try part.next() { return true }
            guard !isAtEnd else {
                close()
                return false
            }
            // What is held back would not be seen: it stays.
            let sql = Self.fetch(count, name)
            try connection.endCopy()
            try connection.trace(sql) {
                let answer = try connection.answer(to: connection.send(sql))
                guard answer.isSuccess else { throw connection.error(answer, table) }
                part = PostgresCursor(answer, connection.interruption, roundings: roundings)
                take(answer)
                return answer.rowCount
            }
        }
    }

    func rounding(of column: Int) -> ColumnRounding? { part.rounding(of: column) }

    func cell(_ column: Int) -> RowCell { part.cell(column) }

    func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        part.read(columns, into: cells)
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        part.close()
        connection.endStream(name)
    }

    deinit {
        close()
    }
}

/// What a connection knows of its streams.
struct PostgresStreams {
    /// How many were begun.
    fileprivate(set) var number = 0
    fileprivate var openCount = 0
    /// Whether the transaction is theirs.
    fileprivate var ownTransaction = false
}

extension PostgresConnection {
    /// Counts a stream, and gives what begins a transaction for it where none is open.
    fileprivate func beginStream() -> [String] {
        streams.number += 1
        streams.openCount += 1
        guard transactionDepth == 0 else { return [] }
        streams.ownTransaction = true
        transactionDepth = 1
        // Whoever reads the rows takes the time that it takes.
        return options.begin("ISOLATION LEVEL READ COMMITTED READ ONLY")
            + ["SET LOCAL idle_in_transaction_session_timeout = 0"]
    }

    /// Closes a stream, in a transaction of others with what is sent next.
    ///
    /// - Parameter name: What it is called where the server has it.
    fileprivate func endStream(_ name: String?) {
        streams.openCount -= 1
        guard streams.ownTransaction else {
            if let name, copying != nil || PQtransactionStatus(handle) == PQTRANS_INTRANS {
                ahead.append("CLOSE \(name)")
            }
            return
        }
        guard streams.openCount == 0 else { return }
        streams.ownTransaction = false
        transactionDepth = 0
        let outer = interruption
        interruption = nil
        try? execute("ROLLBACK")
        interruption = outer
    }
}
