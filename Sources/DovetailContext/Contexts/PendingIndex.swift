import DovetailModel
import DovetailStore

/// Finds rows that wait by what a column of them holds, and puts some of them in the order in which they came. Whoever
/// synchronizes one list after the other, or reads one relationship after the other, before a save would otherwise look
/// at all that waits, each time.
///
/// It is made of what waits, a column at a time, and kept from then on.
///
/// Invariant: of the copies of a ``PendingRows`` that have one index, only the latest is added to and asked.
final class PendingIndex {
    /// The keys of the rows by what a column holds.
    private var columns: [Int: [QueryValue: Set<RowKey>]] = [:]
    /// The columns that were asked for.
    private var asked: Set<Int> = []
    /// Where each key is in the order; empty until somebody asks.
    private var positions: [RowKey: Int] = [:]

    /// Whether it has no column.
    var isEmpty: Bool { columns.isEmpty }

    /// Notes that rows are asked for by what a column holds, and says whether they were before: then it is worth to
    /// have the column.
    func isAskedAgain(for column: Int) -> Bool { !asked.insert(column).inserted }

    /// Notes that another row waits with a key than before.
    func replace(_ old: RowImage?, by new: RowImage?, _ key: RowKey, _ entity: EntityBinding) throws
    {
        for column in columns.keys {
            let attribute = entity.attributes[column]
            if let old {
                columns[column]?[try QueryValue(old, column, attribute)]?.remove(key)
            }
            if let new {
                columns[column]?[try QueryValue(new, column, attribute), default: []].insert(key)
            }
        }
    }

    /// The keys of the rows whose column holds one of some values.
    ///
    /// - Complexity: linear in what is found; the first time for a column, in all rows.
    func keys(
        in column: Int,
        _ values: [QueryValue],
        _ rows: [RowKey: RowImage?],
        _ entity: EntityBinding
    ) throws -> [RowKey] {
        if columns[column] == nil {
            var found: [QueryValue: Set<RowKey>] = [:]
            for (key, row) in rows {
                guard let row else { continue }
                let value = try QueryValue(row, column, entity.attributes[column])
                found[value, default: []].insert(key)
            }
            columns[column] = found
        }
        return Set(values).flatMap { columns[column]?[$0] ?? [] }
    }

    /// Some keys, in the order in which they are in others.
    ///
    /// - Complexity: O(*n* log *n*) in their number, and linear in how many there are more than the last time.
    func sort(_ some: [RowKey], by keys: [RowKey]) -> [RowKey] {
        if some.count < 2 { return some }
        for position in positions.count..<max(positions.count, keys.count) {
            positions[keys[position]] = position
        }
        return some.sorted { positions[$0] ?? 0 < positions[$1] ?? 0 }
    }
}
