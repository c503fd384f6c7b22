import DovetailModel

// Ranges of the keys and of the indexes: what a page looks at that begins after a row, and a condition with a
// smallest or a largest value. A filter is asked about each of the rows still.

extension Query {
    /// Whether rows in the order of their keys are in the order that the query asks for.
    var isKeyOrder: Bool {
        zip(order, entity.keyColumns).allSatisfy { $0.isAscending && $0.column == $1 }
    }

    /// Whether the filter has a smallest or a largest value for the first of some columns.
    func isBounded(_ columns: [Int]) -> Bool {
        guard let column = columns.first, let bounds = bounds(of: column) else { return false }
        return bounds.lower != nil || bounds.upper != nil
    }

    /// The smallest and the largest value that a column may have wherever the filter holds, as far as it says
    /// so; nil without a filter.
    fileprivate func bounds(of column: Int) -> (lower: QueryValue?, upper: QueryValue?)? {
        filter.map { filter in
            var (lower, upper): (QueryValue?, QueryValue?)
            filter.findBounds(of: column, entity.attributes[column].columnType, &lower, &upper)
            return (lower, upper)
        }
    }

    /// How the order is that of the columns of an index with the key after them; nil where it is not.
    fileprivate func direction(on columns: [Int]) -> MemoryDirection? {
        guard let first = order.first, order.count >= columns.count else { return nil }
        let all = columns + entity.keyColumns
        let isSame = zip(order, all).allSatisfy {
            $0.column == $1 && $0.isAscending == first.isAscending
        }
        guard isSame else { return nil }
        if first.isAscending { return .forwards }
        if order.count >= all.count { return .backwards }
        // Rows that the order does not tell apart come in the order of their keys.
        return order.count == columns.count ? .backwardsInGroups : nil
    }
}

/// How an index is gone over.
private enum MemoryDirection {
    case forwards
    case backwards
    /// From its end, but entries with the same values in the order of their keys.
    case backwardsInGroups
}

extension QueryExpression {
    /// Takes the narrowest bounds of a column that have to hold.
    fileprivate func findBounds(
        of column: Int,
        _ type: ColumnType,
        _ lower: inout QueryValue?,
        _ upper: inout QueryValue?
    ) {
        switch self {
        case .and(let left, let right):
            left.findBounds(of: column, type, &lower, &upper)
            right.findBounds(of: column, type, &lower, &upper)
        case .equal(.attribute(column, _), .value(let value))
        where value.fits(type) && value != .null:
            (lower, upper) = (value, value)
        case .comparison(let comparison, .attribute(column, _), .value(let value))
        where value.fits(type) && value != .null:
            switch comparison {
            case .greater, .greaterOrEqual:
                if lower.map({ QueryEvaluator.order($0, value) < 0 }) ?? true { lower = value }
            case .less, .lessOrEqual:
                if upper.map({ QueryEvaluator.order($0, value) > 0 }) ?? true { upper = value }
            }
        case .comparison(let comparison, .value(let value), .attribute(column, let isOptional)):
            let attribute = QueryExpression.attribute(column, isOptional: isOptional)
            QueryExpression.comparison(comparison.turned, attribute, .value(value))
                .findBounds(of: column, type, &lower, &upper)
        default: break
        }
    }
}

extension QueryComparison {
    /// The same of the operands in the other order.
    fileprivate var turned: Self {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

extension MemoryTable {
    /// The rows in the order of their keys, as far as the filter names a smallest or a largest one.
    func rows(inRangeOf query: Query, _ visits: MemoryVisits) -> () -> StoredRow? {
        let next = range(of: rows, entity.keyColumns[0], query, isBackwards: false, visits)
        return { next()?.value }
    }

    /// The rows in the order of a query, where that is the one of the key or of an index, and not all of them
    /// are asked for; nil otherwise.
    func rows(inOrderOf query: Query, _ visits: MemoryVisits) -> (() -> StoredRow?)? {
        guard query.limit != nil else { return nil }
        if let direction = query.direction(on: []) {
            let isBackwards = direction != .forwards
            let next = range(
                of: rows,
                entity.keyColumns[0],
                query,
                isBackwards: isBackwards,
                visits
            )
            return { next()?.value }
        }
        for (position, index) in entity.description.indexes.enumerated() {
            guard let direction = query.direction(on: index.columns) else { continue }
            let map = indexes[position]
            let isBackwards = direction != .forwards
            var next = range(of: map, index.columns[0], query, isBackwards: isBackwards, visits)
            if direction == .backwardsInGroups {
                next = Self.inGroups(of: index.columns.count, next)
            }
            let rows = rows
            return { next().flatMap { rows[$0.value] } }
        }
        return nil
    }

    /// What comes backwards, with entries of the same first values the other way round.
    ///
    /// - Complexity: as many entries are in memory as have the same values.
    private static func inGroups<Value>(
        of count: Int,
        _ next: @escaping () -> (key: RowKey, value: Value)?
    ) -> () -> (key: RowKey, value: Value)? {
        func isSame(_ left: RowKey, _ right: RowKey) -> Bool {
            (0..<count).allSatisfy { QueryEvaluator.order(left.values[$0], right.values[$0]) == 0 }
        }
        var group: [(key: RowKey, value: Value)] = []
        var ahead: (key: RowKey, value: Value)? = next()
        return {
            if group.isEmpty, let first = ahead {
                group.append(first)
                ahead = next()
                while let entry = ahead, isSame(first.key, entry.key) {
                    group.append(entry)
                    ahead = next()
                }
            }
            return group.popLast()
        }
    }

    /// The rows of a range of an index, in the order of their keys, where they are a small part of all; nil
    /// otherwise.
    func rows(inRangeOfIndex query: Query, _ visits: MemoryVisits) -> [StoredRow]? {
        for (position, index) in entity.description.indexes.enumerated()
        where query.isBounded(index.columns) {
            let map = indexes[position]
            let next = range(of: map, index.columns[0], query, isBackwards: false, visits)
            var keys: [RowKey] = []
            let most = rows.count / 8
            while keys.count <= most, let entry = next() { keys.append(entry.value) }
            visits.count += keys.count
            guard keys.count <= most else { continue }
            keys.sort { $0.order(relativeTo: $1) < 0 }
            return keys.compactMap { rows[$0] }
        }
        return nil
    }

    /// What a map has for keys that begin with a value which a query may take in a column.
    private func range<Value>(
        of map: SortedMap<Value>,
        _ column: Int,
        _ query: Query,
        isBackwards: Bool,
        _ visits: MemoryVisits
    ) -> () -> (key: RowKey, value: Value)? {
        let (lower, upper) = query.bounds(of: column) ?? (nil, nil)
        if lower != nil || upper != nil { visits.count += map.height }
        // A value that has no order to the bound is left to the filter.
        func order(_ key: RowKey, _ bound: QueryValue) -> Int {
            key.values.first.map { QueryEvaluator.order($0, bound) } ?? 0
        }
        if isBackwards {
            var iterator = map.backwards(before: upper.map { upper in { order($0, upper) > 0 } })
            return {
                guard let entry = iterator.next(), lower.map({ order(entry.key, $0) >= 0 }) ?? true
                else { return nil }
                return (entry.key, entry.value)
            }
        }
        var iterator = map.iterator(from: lower.map { RowKey([$0]) })
        return {
            guard let entry = iterator.next(), upper.map({ order(entry.key, $0) <= 0 }) ?? true
            else { return nil }
            return (entry.key, entry.value)
        }
    }
}
