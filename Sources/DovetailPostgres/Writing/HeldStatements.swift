import DovetailStore

/// Something that holds rows back.
protocol HeldRows: AnyObject {
    /// Whether its rows may go by `COPY`.
    var mayCopy: Bool { get }
    /// From so many rows on `COPY` is faster, where no others go.
    var fewestCopied: Int { get }
    /// The statement of a row.
    func statement(_ row: Int) -> PostgresStatement
    /// The entity, for messages.
    var entity: EntityBinding { get }
    /// Sends the statement of a row, and says as libpq whether it could: 0 for a failure.
    func send(_ row: Int) -> Int32
    /// Looks at the answer to a row that was not refused.
    ///
    /// - Returns: an error where it is one all the same.
    func take(_ result: PostgresResult, _ row: Int) -> StoreError?
    /// The error with the key of the row.
    func naming(_ row: Int, _ error: StoreError) -> StoreError
    /// Sends rows by `COPY`.
    ///
    /// - Throws: ``StoreError`` with the key of the row that was refused.
    func copy(_ rows: Range<Int>) throws
    /// Does what is left to do when all were sent, or those before one that was refused.
    func settle() throws
    /// Forgets all rows.
    func forget()
}

extension HeldRows {
    var mayCopy: Bool { false }
    var fewestCopied: Int { .max }
    func copy(_ rows: Range<Int>) throws {}
    func settle() throws {}
}

/// What a connection holds back of its transaction: rows of several writers, in the order of their calls.
struct HeldStatements {
    /// Rows of one of them that come one after the other.
    struct Part {
        let rows: any HeldRows
        var range: Range<Int>

        /// Whether they go by `COPY`, which costs a round trip more where others go, too.
        func copies(alone: Bool) -> Bool {
            rows.mayCopy
                && range.count >= (alone ? rows.fewestCopied : HeldStatements.fewestCopied)
        }
    }

    private(set) var parts: [Part] = []
    /// How many rows do not go by `COPY`.
    private var statements = 0

    /// More is written, so that memory does not grow with a list. The answers of so many statements fit into
    /// the buffers of the connection.
    private static let mostStatements = 1024
    private static let fewestCopied = 512
    private static let mostCopied = 65_536
    private static let mostBytes = 4 << 20

    var isEmpty: Bool { parts.isEmpty }

    /// Adds the last row of so many.
    ///
    /// - Returns: whether it is time to write all.
    mutating func add(_ rows: any HeldRows, count: Int, bytes: Int) -> Bool {
        if let last = parts.last, last.rows === rows {
            parts[parts.count - 1].range = last.range.lowerBound..<count
        } else {
            parts.append(Part(rows: rows, range: count - 1..<count))
        }
        let own = parts[parts.count - 1].range.count
        statements += 1
        if rows.mayCopy, own >= Self.fewestCopied {
            statements -= own == Self.fewestCopied ? own : 1
        }
        return statements >= Self.mostStatements || bytes >= Self.mostBytes
            || own >= Self.mostCopied
    }

    /// Takes all out.
    mutating func takeAll() -> [Part] {
        defer { (parts, statements) = ([], 0) }
        return parts
    }

    /// Forgets all: their transaction is undone.
    mutating func forget() {
        for part in takeAll() { part.rows.forget() }
    }
}
