public import DovetailModel
import DovetailStore

/// The rows of several tables, merged: each cursor has its rows in the order of the query, and the
/// next row is the first one among their current rows.
///
/// Rows that the order does not tell apart come in the order of the cursors. Without an order the
/// rows of one cursor come after those of another, and so they do where all of them are wanted:
/// ``reorder(_:)`` merges what was made of them. The caller closes the cursors.
@usableFromInline
final class ConformerRows {
    private let cursors: [any RowCursor]
    private let entities: [EntityBinding]
    /// Whether a conformer is a class with `@Model`.
    private let hasObjects: Bool
    /// The columns of the common criteria, by cursor. Kinds and directions are the same for all.
    private let columns: [[Int]]
    private let directions: [Bool]
    private let criteria: Int
    private let firstKind: ColumnType
    private let isAscending: Bool
    /// What each cursor's current row has for the first criterion.
    @exclusivity(unchecked) private var keys: [OrderKey]
    /// The same as numbers, which most comparisons need no more than.
    @exclusivity(unchecked) private var prefixes: [UInt64]
    /// The cursors that have a current row, in the order of these. The last one comes first, and was
    /// given already.
    @exclusivity(unchecked) private var ahead: [Int] = []
    @exclusivity(unchecked) private var isStarted = false
    /// What the rows are ordered by, where all are wanted; nil where they are merged one by one.
    private let kept: KeptOrder?
    /// Without an order, and where all rows are wanted, the cursor that is gone over.
    @exclusivity(unchecked) private var current = 0
    @exclusivity(unchecked) private var toSkip: Int
    @exclusivity(unchecked) private var toGive: Int

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
        entities = queries.parts.map(\.query.entity)
        hasObjects = entities.contains { $0.type is any PersistentModel.Type }
        columns = queries.parts.map(\.columns)
        criteria = cursors.count > 1 ? queries.criteria : 0
        let first = queries.parts.first
        firstKind =
            first.flatMap { part in
                part.columns.first.map { part.query.entity.attributes[$0].columnType }
            } ?? .integer
        directions = first?.query.order.prefix(criteria).map(\.isAscending) ?? []
        isAscending = directions.first ?? true
        keys = cursors.map { _ in .null }
        prefixes = cursors.map { _ in 0 }
        toSkip = queries.offset
        toGive = queries.limit ?? .max
        let takesAll = queries.limit == nil && queries.offset == 0 && !hasObjects
        let kinds = first.map { part in
            part.columns.map { part.query.entity.attributes[$0].columnType }
        }
        kept =
            takesAll && criteria > 0 ? KeptOrder(Array(zip(kinds ?? [], directions))) : nil
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

    /// The same, up to a row of an object, which is the context's to read: its position is put into
    /// `object`, and nil is given.
    @usableFromInline
    func nextValue(_ object: inout Int?) throws -> Int? {
        object = nil
        guard let place = try next() else { return nil }
        guard hasObjects, entities[place].type is any PersistentModel.Type else { return place }
        object = place
        return nil
    }

    /// A cursor, and what its rows are of.
    func row(at place: Int) -> (EntityBinding, any RowSource) { (entities[place], cursors[place]) }

    /// Puts what was made of all rows into their order.
    ///
    /// - Complexity: O(n log k) comparisons for n rows of k cursors.
    @inlinable
    func reorder<Value>(_ values: inout [Value]) {
        if let order = takeOrder() { values.reorder(by: order) }
    }

    /// Takes the numbers of the rows in their order, once; nil when they came in it.
    @usableFromInline
    func takeOrder() -> [Int]? { kept?.take() }

    private func advance() throws -> Int? {
        if criteria == 0 { return try advanceWithoutOrder() }
        if let kept {
            guard let place = try advanceWithoutOrder() else { return nil }
            try kept.add(cursors[place], columns[place], of: entities[place])
            return place
        }
        if isStarted {
            guard let cursor = ahead.last else { return nil }
            try moveLast(cursor)
        } else {
            isStarted = true
            for cursor in cursors.indices {
                ahead.append(cursor)
                try moveLast(cursor)
            }
        }
        return ahead.last
    }

    private func advanceWithoutOrder() throws -> Int? {
        while current < cursors.count {
            if try cursors[current].next() { return current }
            cursors[current].close()
            current += 1
        }
        return nil
    }

    /// Moves the last cursor to its next row, and to its place among the others. Without a row it is
    /// removed.
    private func moveLast(_ cursor: Int) throws {
        let row = cursors[cursor]
        guard try row.next() else {
            ahead.removeLast()
            return
        }
        let column = columns[cursor][0]
        let cell = row.cell(column)
        let key = try OrderKey(cell, firstKind) ?? OrderKey(cell, column, of: entities[cursor])
        let prefix = key.prefix
        keys[cursor] = key
        prefixes[cursor] = prefix
        let last = ahead.count - 1
        var (low, high) = (0, last)
        while low < high {
            let middle = (low + high) / 2
            let other = prefixes[ahead[middle]]
            let comesFirst =
                prefix == other
                ? try comesFirst(cursor, ahead[middle]) : (prefix < other) == isAscending
            if comesFirst { low = middle + 1 } else { high = middle }
        }
        for place in stride(from: last, to: low, by: -1) { ahead[place] = ahead[place - 1] }
        ahead[low] = cursor
    }

    /// Whether the current row of a cursor comes before that of another one.
    private func comesFirst(_ left: Int, _ right: Int) throws -> Bool {
        let order = keys[left].order(relativeTo: keys[right])
        if order != 0 { return (order < 0) == isAscending }
        for (criterion, isAscending) in directions.enumerated().dropFirst() {
            let (mine, theirs) = (columns[left][criterion], columns[right][criterion])
            let key = try OrderKey(cursors[left], mine, of: entities[left])
            let order = key.order(
                relativeTo: try OrderKey(cursors[right], theirs, of: entities[right])
            )
            if order != 0 { return (order < 0) == isAscending }
        }
        return left < right
    }
}
