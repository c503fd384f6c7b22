import DovetailModel
import Foundation

/// The rows of a query, of the state in which the table was when the query began.
///
/// Without an order the rows come in the order of their keys, and each is looked for when the cursor
/// moves to it; so they do in that of an index, where a limit asks for some of them. In other orders they
/// are sorted first; rows that an order does not tell apart are in the order of their keys.
final class MemoryCursor: RowCursor {
    private let entity: EntityBinding
    private let others: any RelatedRows
    private var rows: MemoryRows
    /// What must hold of a row still; nil for rows that were sorted.
    private let filter: QueryExpression?
    private var toSkip: Int
    private var toGive: Int
    /// The row at which the cursor is positioned.
    private(set) var row: StoredRow?

    /// - Complexity: O(log n) without an order, and for that of the keys or an index. Otherwise linear in the number of rows that the query
    ///   looks at, and O(n log n) in the number that it takes; memory holds as many of them as limit
    ///   and offset ask for.
    ///
    /// - Parameter others: The state of the table, for what is asked of other tables.
    init(
        _ table: MemoryTable,
        _ query: Query,
        _ visits: MemoryVisits,
        others: any RelatedRows
    ) throws {
        entity = query.entity
        self.others = others
        rows = MemoryRows(table, query, visits)
        toSkip = query.offset
        toGive = query.limit ?? .max
        guard !rows.isInOrder else {
            filter = query.filter
            return
        }
        filter = nil
        rows = MemoryRows(try Self.sorted(&rows, query, others), visits)
    }

    /// A row that was taken, with what it is ordered by.
    private struct Candidate {
        let values: [QueryValue]
        /// Its place in the order of the keys.
        let position: Int
        let row: StoredRow
    }

    /// The rows that a query takes, in its order; no more than its limit and offset ask for.
    private static func sorted(
        _ rows: inout MemoryRows,
        _ query: Query,
        _ others: any RelatedRows
    ) throws -> [StoredRow] {
        let (sum, isHuge) = (query.limit ?? .max).addingReportingOverflow(query.offset)
        let most = isHuge ? .max : sum
        // Sorting twice as many as are needed, again and again, is cheaper than sorting all.
        let largest = max(1024, most > .max / 2 ? .max : most * 2)
        func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
            for (index, criterion) in query.order.enumerated() {
                let order = QueryEvaluator.order(left.values[index], right.values[index])
                if order != 0 { return criterion.isAscending ? order < 0 : order > 0 }
            }
            return left.position < right.position
        }
        var taken: [Candidate] = []
        // The last one that counts of those that were sorted: what does not come before it is not kept.
        var last: Candidate?
        var position = 0
        while let row = try rows.next() {
            position += 1
            let evaluator = QueryEvaluator(query.entity, row: row.image, others: others)
            guard try evaluator.isTaken(by: query.filter) else { continue }
            let values = try query.order.map { try evaluator.value($0.expression) }
            let candidate = Candidate(values: values, position: position, row: row)
            if let last, !precedes(candidate, last) { continue }
            taken.append(candidate)
            if taken.count >= largest {
                taken.sort(by: precedes)
                taken.removeSubrange(most...)
                last = taken.last
            }
        }
        taken.sort(by: precedes)
        return taken.prefix(most).map(\.row)
    }

    /// Moves to the next row that the filter takes.
    func next() throws -> Bool {
        do {
            while toGive > 0, let next = try rows.next() {
                let evaluator = QueryEvaluator(entity, row: next.image, others: others)
                guard try evaluator.isTaken(by: filter) else { continue }
                guard toSkip == 0 else {
                    toSkip -= 1
                    continue
                }
                toGive -= 1
                row = next
                return true
            }
        } catch {
            close()
            throw error
        }
        close()
        return false
    }

    /// Lets go of the rows.
    func close() {
        toGive = 0
        row = nil
    }

    func cell(_ column: Int) -> RowCell { row?.image.cell(column) ?? .null }
}
