import DovetailModel

/// The rows that a query has to look at.
struct MemoryRows {
    private enum Source {
        /// Rows one after the other, as long as a range of the table or of an index has some.
        case range(() -> StoredRow?)
        case some(ArraySlice<StoredRow>)
    }

    private var source: Source
    /// Whether they are in the order that the query asks for.
    let isInOrder: Bool
    private let visits: MemoryVisits
    /// That of the caller, who is asked at the first row and at every 256th one after it.
    private let interruption = StoreInterruption.current
    private var given: UInt8 = 0

    /// The rows of a table that a query may take: those that its filter names by the key, a unique group
    /// or another index, those of a range of keys, or all of them.
    init(_ table: MemoryTable, _ query: Query, _ visits: MemoryVisits) {
        self.visits = visits
        let isByKey = query.isKeyOrder
        if let rows = query.filter.flatMap({ table.rows(namedBy: $0, visits) }) {
            (source, isInOrder) = (.some(rows[...]), isByKey)
        } else if isByKey, query.isBounded(query.entity.keyColumns) || query.limit != nil {
            (source, isInOrder) = (.range(table.rows(inRangeOf: query, visits)), true)
        } else if let rows = table.rows(inOrderOf: query, visits) {
            (source, isInOrder) = (.range(rows), true)
        } else if let rows = table.rows(inRangeOfIndex: query, visits) {
            (source, isInOrder) = (.some(rows[...]), isByKey)
        } else {
            (source, isInOrder) = (.range(table.rows(inRangeOf: query, visits)), isByKey)
        }
    }

    init(_ rows: [StoredRow], _ visits: MemoryVisits) {
        source = .some(rows[...])
        isInOrder = true
        self.visits = visits
    }

    /// The next row; nil after the last one.
    ///
    /// - Throws: ``StoreError`` of kind `cancelled` or `deadlineExceeded`.
    mutating func next() throws -> StoredRow? {
        if given == 0 { try interruption?.check() }
        given &+= 1
        switch source {
        case .range(let next):
            guard let row = next() else { return nil }
            visits.count += 1
            return row
        case .some(var rows):
            // Taken out, so that the rows are not copied.
            source = .some([])
            defer { source = .some(rows) }
            return rows.popFirst()
        }
    }
}

/// Counts the rows and nodes that the queries of one connection look at: what a query costs, without
/// a clock. It belongs to the connection's caller.
package final class MemoryVisits {
    package internal(set) var count = 0
}

extension MemoryTable {
    /// The rows that a filter names by saying what the key or the columns of an index are; nil when
    /// it does not. The filter has to be asked about each of them still.
    fileprivate func rows(
        namedBy filter: QueryExpression,
        _ visits: MemoryVisits
    ) -> [StoredRow]? {
        let known = filter.equalities.filter { column, value in
            entity.attributes.indices.contains(column)
                && value.fits(entity.attributes[column].columnType)
        }
        func row(_ key: RowKey) -> StoredRow? {
            visits.count += rows.height
            return rows[key]
        }
        func values(_ columns: [Int]) -> [QueryValue]? {
            let values = columns.compactMap { known[$0] }
            return values.count == columns.count ? values : nil
        }
        if let key = values(entity.keyColumns) { return row(RowKey(key)).map { [$0] } ?? [] }
        func list(_ column: Int) -> [QueryValue]? {
            guard let list = filter.list(of: column),
                list.allSatisfy({ $0.fits(entity.attributes[column].columnType) })
            else { return nil }
            return list
        }
        func found(_ keys: Set<RowKey>) -> [StoredRow] {
            keys.sorted { $0.order(relativeTo: $1) < 0 }.compactMap(row)
        }
        if entity.keyColumns.count == 1, let list = list(entity.keyColumns[0]) {
            return found(Set(list.map { RowKey([$0]) }))
        }
        // Unique ones come first.
        for (position, index) in entity.description.indexes.enumerated() {
            guard let values = values(index.columns) else { continue }
            visits.count += self.indexes[position].height
            return keys(in: position, values).compactMap(row)
        }
        for (position, index) in entity.description.indexes.enumerated() {
            guard index.columns.count == 1, let list = list(index.columns[0]) else { continue }
            visits.count += list.count * self.indexes[position].height
            return found(Set(list.lazy.flatMap { keys(in: position, [$0]) }))
        }
        // The beginning of a key, such as that of the owner in a join table.
        guard let first = entity.keyColumns.first,
            let list = known[first].map({ [$0] }) ?? list(first)
        else { return nil }
        visits.count += list.count * rows.height
        return found(Set(list.lazy.flatMap { keys(beginningWith: $0) }))
    }
}
