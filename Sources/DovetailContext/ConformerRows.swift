public import DovetailModel
import DovetailStore

/// The rows of several tables, merged: each cursor has its rows in the order of the query, and the
/// next row is the first one among their current rows.
///
/// Rows that the order does not tell apart come in the order of the cursors. Without an order the
/// rows of one cursor come after those of another. The caller closes the cursors.
@usableFromInline
final class ConformerRows {
    /// One criterion of the order, for the rows of one cursor.
    private struct Criterion {
        let column: Int
        let kind: ColumnType
        let name: String
        let isAscending: Bool
    }

    private let cursors: [any RowCursor]
    /// The criteria of each cursor: all have as many.
    private let criteria: [[Criterion]]
    /// The first criterion of each cursor's current row.
    private var keys: [OrderKey]
    /// The cursors whose current row was not given yet; the last one comes first.
    private var waiting: [Int] = []
    /// The cursor whose row was given, which has to be moved on. Without an order, the one that is
    /// gone over.
    private var current: Int?
    private var toSkip: Int
    private var toGive: Int

    /// What reads the rows.
    @usableFromInline var sources: [any RowSource] { cursors.map { $0 as any RowSource } }
    /// The columns of each cursor.
    @usableFromInline let fields: [RowFields]
    /// The position of each cursor's conformer in ``ConformerSet/entities``.
    @usableFromInline let places: [Int]

    /// Merges the rows of cursors over the parts of `queries`, each positioned before its first row.
    init(_ cursors: [any RowCursor], of queries: ConformerQueries) {
        self.cursors = cursors
        fields = queries.parts.map(\.query.entity.fields)
        places = queries.parts.map(\.place)
        criteria = queries.parts.map { part in
            part.query.order.prefix(queries.criteria).map { order in
                let column = part.query.entity.description.columns[order.column]
                return Criterion(
                    column: order.column,
                    kind: column.type,
                    name: column.name,
                    isAscending: order.isAscending
                )
            }
        }
        keys = cursors.map { _ in .null }
        toSkip = queries.offset
        toGive = queries.limit ?? .max
    }

    /// Moves to the next row, and gives the position of its cursor; nil after the last one.
    ///
    /// - Complexity: O(log n) comparisons for n cursors.
    /// - Throws: what a cursor throws, and ``ModelDecodingError`` for a column of the order that does
    ///   not hold what its kind says.
    @usableFromInline
    func next() throws -> Int? {
        while toGive > 0, let place = try advance() {
            if toSkip > 0 {
                toSkip -= 1
                continue
            }
            toGive -= 1
            return place
        }
        return nil
    }

    private func advance() throws -> Int? {
        guard criteria.first?.isEmpty == false else { return try advanceWithoutOrder() }
        if let current {
            if try cursors[current].next() { try insert(current) }
        } else {
            for place in cursors.indices where try cursors[place].next() { try insert(place) }
        }
        current = waiting.popLast()
        return current
    }

    private func advanceWithoutOrder() throws -> Int? {
        var place = current ?? 0
        while place < cursors.count {
            current = place
            if try cursors[place].next() { return place }
            cursors[place].close()
            place += 1
        }
        current = place
        return nil
    }

    /// Puts a cursor at its place among those that wait.
    private func insert(_ place: Int) throws {
        let first = criteria[place][0]
        keys[place] = try OrderKey(cursors[place], first.column, first.kind, named: first.name)
        var (low, high) = (0, waiting.count)
        while low < high {
            let middle = (low + high) / 2
            if try comes(place, before: waiting[middle]) { low = middle + 1 } else { high = middle }
        }
        waiting.insert(place, at: low)
    }

    /// Whether the current row of a cursor comes before that of another one.
    private func comes(_ left: Int, before right: Int) throws -> Bool {
        let mine = criteria[left]
        var order = keys[left].order(relativeTo: keys[right])
        if order != 0 { return mine[0].isAscending ? order < 0 : order > 0 }
        for (mine, theirs) in zip(mine, criteria[right]).dropFirst() {
            let key = try OrderKey(cursors[left], mine.column, mine.kind, named: mine.name)
            let other = try OrderKey(cursors[right], theirs.column, theirs.kind, named: theirs.name)
            order = key.order(relativeTo: other)
            if order != 0 { return mine.isAscending ? order < 0 : order > 0 }
        }
        return left < right
    }
}
