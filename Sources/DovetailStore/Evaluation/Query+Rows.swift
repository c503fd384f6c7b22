import DovetailModel
import Foundation

extension Query {
    /// Answers the query from rows in memory, for a store without a query language of its own.
    ///
    /// ```swift
    /// func rows(of query: Query) throws -> any RowCursor {
    ///     try query.rows(among: tables[query.entity.table].rows)
    /// }
    /// ```
    ///
    /// A store that has an index hands in the rows that it found; the filter is asked about each of
    /// them. Rows that the order does not tell apart come in the order of their keys.
    ///
    /// - Parameter rows: Rows of ``entity``, which nobody changes until the cursor is closed.
    /// - Complexity: linear in the number of rows that are handed in, and O(n log n) in the number
    ///   of those that the filter takes, which are all held in memory.
    /// - Throws: ``QueryError`` for an order of decimals, ``ModelEncodingError`` for a date that no
    ///   column can hold, ``ModelDecodingError`` for a column that does not hold what its kind says,
    ///   and ``StoreError`` of kind `cancelled` or `deadlineExceeded`.
    public func rows(among rows: some Sequence<RowImage>) throws -> any RowCursor {
        try requireAnswer()
        let interruption = StoreInterruption.current
        var taken: [RowImage] = []
        for (index, row) in rows.enumerated() {
            if index.isMultiple(of: 256) { try interruption?.check() }
            if try QueryEvaluator(entity, row: row).isTaken(by: filter) { taken.append(row) }
        }
        return try inOrder(taken, nil)
    }

    /// Answers the query from the rows of a cursor, which are those of a larger query.
    ///
    /// - Parameter others: Has the rows of other tables.
    /// - Throws: as ``rows(among:)``.
    package func rows(
        of cursor: any RowCursor,
        others: (any RelatedRows)?
    ) throws -> any RowCursor {
        var taken: [RowImage] = []
        while try cursor.next() {
            let evaluator = QueryEvaluator(entity, row: cursor, others: others)
            guard try evaluator.isTaken(by: filter) else { continue }
            taken.append(RowImage(try entity.values(of: cursor)))
        }
        return try inOrder(taken, others)
    }

    private func inOrder(
        _ rows: [RowImage],
        _ others: (any RelatedRows)?
    ) throws -> any RowCursor {
        let criteria = order + entity.keyColumns.map { QueryOrder(column: $0) }
        let sorted = try rows.sorted { left, right in
            try QueryEvaluator(entity, row: left, others: others)
                .order(relativeTo: right, by: criteria) < 0
        }
        return RowListCursor(sorted.dropFirst(offset).prefix(limit ?? .max))
    }
}

/// Goes over rows in memory.
package final class RowListCursor: RowCursor {
    private var rows: ArraySlice<RowImage>
    /// The row at which the cursor is positioned.
    private var row: RowImage?

    package init(_ rows: ArraySlice<RowImage>) {
        self.rows = rows
    }

    package func next() -> Bool {
        row = rows.popFirst()
        return row != nil
    }

    package func close() {
        rows = []
        row = nil
    }

    package func cell(_ column: Int) -> RowCell { row?.cell(column) ?? .null }
}
