import DovetailModel
import Foundation

extension StoreQuerying {
    /// Holds all rows of the answer in memory.
    public func rows(of selection: QuerySelection) throws -> any RowCursor {
        RowListCursor(try values(of: selection).map { RowImage($0) }[...])
    }

    /// Goes over the rows of the query and takes them together in memory, which holds one row and
    /// what is known of each group.
    public func values(of selection: QuerySelection) throws -> [[QueryValue]] {
        try valuesByRows(of: selection)
    }

    /// The same, for stores that do it only where their language has no form for an expression.
    ///
    /// - Parameter order: In which order rows are taken together, of stores whose rows have none: what a sum
    ///   of decimals loses depends on it.
    package func valuesByRows(
        of selection: QuerySelection,
        order: [QueryOrder] = []
    ) throws -> [[QueryValue]] {
        let entity = selection.query.entity
        guard selection.isGrouped else {
            var query = selection.query
            // A limit is one of the rows that are given.
            if selection.isDistinct { (query.limit, query.offset) = (nil, 0) }
            var values: [[QueryValue]] = []
            var seen: Set<[QueryValue]> = []
            try over(query) { row in
                let next = try selection.columns.map { column in
                    try column.expression.map { try row.value($0) } ?? .null
                }
                if !selection.isDistinct || seen.insert(next).inserted { values.append(next) }
            }
            guard selection.isDistinct else { return values }
            return Array(
                values.dropFirst(selection.query.offset).prefix(selection.query.limit ?? .max)
            )
        }
        var query = selection.query
        (query.order, query.limit, query.offset) = (order, nil, 0)
        let conditions = selection.having.map(\.column)
        let keys = selection.columns.filter { !$0.isAggregate }.compactMap(\.expression)
        var groups: [[QueryValue]: [QueryAccumulator]] = [:]
        let empty = (selection.columns + conditions).map { QueryAccumulator($0, entity) }
        if keys.isEmpty { groups[[]] = empty }
        try over(query) { row in
            let key = try keys.map { try row.value($0) }
            var group = groups.removeValue(forKey: key) ?? empty
            for index in group.indices { try group[index].add(row) }
            groups[key] = group
        }
        let count = selection.columns.count
        return try groups.sorted { left, right in
            for (left, right) in zip(left.key, right.key) {
                let order = QueryEvaluator.order(left, right)
                if order != 0 { return order < 0 }
            }
            return false
        }
        .map { try $0.value.map { try $0.value(of: entity.table) } }
        .filter { values in
            zip(selection.having, values[count...]).allSatisfy { $0.holds($1) }
        }
        .dropFirst(selection.query.offset).prefix(selection.query.limit ?? .max)
        .map { Array($0[..<count]) }
    }

    private func over(_ query: Query, _ body: (QueryEvaluator) throws -> Void) throws {
        let cursor = try stream(query)
        defer { cursor.close() }
        let others = QueriedRows(of: self)
        while try cursor.next() {
            try body(QueryEvaluator(query.entity, row: cursor, others: others))
        }
    }
}

extension QueryCondition {
    /// Whether the condition holds for the value of its column.
    func holds(_ value: QueryValue) -> Bool {
        guard value != .null, self.value != .null else { return false }
        let order = QueryEvaluator.order(value, self.value)
        return switch comparison {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension StoreError {
    /// The error for a sum that is no number: of whole numbers that 64 bits cannot hold, of both
    /// infinities, of decimals that are too large.
    package static func sumOutOfRange(_ table: String?) -> StoreError {
        StoreError(.outOfRange, table: table, explanation: "a sum has no value of its type")
    }
}

/// What is known of one column of a group so far.
private struct QueryAccumulator {
    private let column: QueryColumn
    private let kind: ColumnType?
    private var count: Int64 = 0
    private var value: QueryValue = .null
    /// The sum of whole numbers, which may be too large as long as it comes back.
    private var whole: Int128 = 0
    /// Whether the sum is no number any more.
    private var overflows = false

    init(_ column: QueryColumn, _ entity: EntityBinding) {
        self.column = column
        kind = column.expression?.kind(in: entity)
    }

    mutating func add(_ row: QueryEvaluator) throws {
        guard let expression = column.expression else { return count += 1 }
        let next = try row.value(expression)
        guard next != .null, !overflows else { return }
        count += 1
        if case .sum = column, case .integer(let number) = next { return whole += Int128(number) }
        guard value != .null else { return value = average(next) }
        switch column {
        case .value, .count: break
        case .minimum: if QueryEvaluator.order(next, value) < 0 { value = next }
        case .maximum: if QueryEvaluator.order(next, value) > 0 { value = next }
        case .sum, .average:
            value = QueryArithmetic.add.result(value, average(next))
            if value == .null { overflows = true }
        }
    }

    /// A whole number whose average is asked for is a floating point number, as in SQL.
    private func average(_ value: QueryValue) -> QueryValue {
        guard case .average = column, case .integer(let number) = value else { return value }
        return .double(Double(number))
    }

    func value(of table: String) throws -> QueryValue {
        if overflows { throw StoreError.sumOutOfRange(table) }
        switch column {
        case .count: return .integer(count)
        case .value, .minimum, .maximum: return value
        case .sum where kind == .integer:
            guard let sum = Int64(exactly: whole) else { throw StoreError.sumOutOfRange(table) }
            return .integer(sum)
        case .sum where value == .null: return kind == .decimal ? .decimal(0) : .double(0)
        case .sum: return value
        case .average:
            switch value {
            case .double(let sum): return .double(sum / Double(count))
            case .decimal(let sum): return .decimal(sum.average(of: Int(count)))
            default: return .null
            }
        }
    }
}
