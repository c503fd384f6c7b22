public import DovetailModel
import DovetailStore
public import Foundation

extension ModelContext {
    /// Fetches columns instead of values, or counts and sums of groups.
    ///
    /// ```swift
    /// let names = try context.select(.value(\User.name), .value(\.age), sortBy: [SortDescriptor(\.age)])
    /// let kinds = try context.select(.value(\Product.kind), .count(), having: .count() > 3)
    /// // SELECT "kind", count(*) FROM "Product" GROUP BY "kind" HAVING count(*) > ?1 ORDER BY "kind"
    /// ```
    ///
    /// With a count, a sum or the like the values beside it make groups, which come in the order of
    /// their values, and enums that are `Comparable` in Swift's. Values that wait to be saved are seen: everything that waits is written in a
    /// transaction that is rolled back, which takes the write lock.
    ///
    /// - Parameters:
    ///   - columns: What is fetched, all of one model.
    ///   - predicate: Which rows count; nil for all.
    ///   - having: Which groups are given: those for which it holds.
    ///   - sortBy: The order of rows. Groups have their own, and take none.
    ///   - distinct: Whether equal rows are given once.
    ///   - limit: The most rows or groups to give.
    ///   - offset: How many rows or groups to leave out first.
    /// - Complexity: linear in the number of rows that the store goes over.
    /// - Throws: ``QueryError`` for what no store understands, such as the sum of a text;
    ///   ``StoreError``, of kind `outOfRange` for a sum that its type cannot hold; and
    ///   ``ModelDecodingError`` for a column that holds something else.
    public func select<Source: Model, each Output: ModelValue>(
        _ columns: repeat Selection<Source, each Output>,
        where predicate: Predicate<Source>? = nil,
        having: SelectionCondition<Source>? = nil,
        sortBy: [SortDescriptor<Source>] = [],
        distinct: Bool = false,
        limit: Int? = nil,
        offset: Int? = nil
    ) throws -> [(repeat each Output)] {
        var makers: [(QueryTranslator) throws -> SelectedColumn] = []
        for column in repeat each columns { makers.append(column.column) }
        var descriptor = FetchDescriptor(predicate: predicate, sortBy: sortBy)
        (descriptor.fetchLimit, descriptor.fetchOffset) = (limit, offset)
        let (rows, selected) = try answers(makers, descriptor, having, distinct)
        return try rows.map { row in
            var column = -1
            func next<Value: ModelValue>(_ selection: Selection<Source, Value>) throws -> Value {
                column += 1
                return try selection.value(column, of: row, by: selected[column].transform)
            }
            return (repeat try next(each columns))
        }
    }

    /// Fetches one column, or one number of each group.
    ///
    /// ```swift
    /// let names = try context.select(.value(\User.name), distinct: true)
    /// // SELECT DISTINCT "name" FROM "User"
    /// ```
    ///
    /// - Throws: what `select` of several columns throws.
    public func select<Source: Model, Output: ModelValue>(
        _ column: Selection<Source, Output>,
        where predicate: Predicate<Source>? = nil,
        having: SelectionCondition<Source>? = nil,
        sortBy: [SortDescriptor<Source>] = [],
        distinct: Bool = false,
        limit: Int? = nil,
        offset: Int? = nil
    ) throws -> [Output] {
        var descriptor = FetchDescriptor(predicate: predicate, sortBy: sortBy)
        (descriptor.fetchLimit, descriptor.fetchOffset) = (limit, offset)
        let (rows, selected) = try answers([column.column], descriptor, having, distinct)
        return try rows.map { try column.value(0, of: $0, by: selected[0].transform) }
    }

    /// The sum of a property; zero where there is none.
    ///
    /// ```swift
    /// let total = try context.sum(\Product.price, where: #Predicate { $0.isSold })
    /// // SELECT dovetail_sum("price") FROM "Product" WHERE "isSold"
    /// ```
    ///
    /// Decimals are added exactly.
    ///
    /// - Throws: what `select` throws.
    public func sum<Source: Model, Number: ModelValue & AdditiveArithmetic>(
        _ keyPath: KeyPath<Source, Number>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Number {
        try select(.sum(keyPath), where: predicate).first ?? .zero
    }

    /// The sum of a property that may be nil, which counts as nothing.
    ///
    /// - Throws: what `select` throws.
    public func sum<Source: Model, Number: ModelValue & AdditiveArithmetic>(
        _ keyPath: KeyPath<Source, Number?>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Number {
        try select(.sum(keyPath), where: predicate).first ?? .zero
    }

    /// The average of a property that is a `Decimal`; nil where there is none.
    ///
    /// - Throws: what `select` throws.
    public func average<Source: Model>(
        _ keyPath: KeyPath<Source, Decimal>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Decimal? {
        try select(.average(keyPath), where: predicate).first ?? nil
    }

    /// The average of a `Decimal` that may be nil, which counts as nothing.
    ///
    /// - Throws: what `select` throws.
    public func average<Source: Model>(
        _ keyPath: KeyPath<Source, Decimal?>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Decimal? {
        try select(.average(keyPath), where: predicate).first ?? nil
    }

    /// The average of a property; nil where there is none. Nil counts as nothing.
    ///
    /// - Throws: what `select` throws.
    @_disfavoredOverload
    public func average<Source: Model, Number: ModelValue>(
        _ keyPath: KeyPath<Source, Number>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Double? {
        try select(.average(keyPath), where: predicate).first ?? nil
    }

    /// The smallest value of a property; nil where there is none.
    ///
    /// - Throws: what `select` throws.
    public func min<Source: Model, Value: ModelValue>(
        _ keyPath: KeyPath<Source, Value>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Value? {
        try select(.min(keyPath), where: predicate).first ?? nil
    }

    /// The largest value of a property; nil where there is none.
    ///
    /// - Throws: what `select` throws.
    public func max<Source: Model, Value: ModelValue>(
        _ keyPath: KeyPath<Source, Value>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Value? {
        try select(.max(keyPath), where: predicate).first ?? nil
    }

    /// The smallest value of a property that may be nil; nil where there is none.
    ///
    /// - Throws: what `select` throws.
    public func min<Source: Model, Value: ModelValue>(
        _ keyPath: KeyPath<Source, Value?>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Value? {
        try select(.min(keyPath), where: predicate).first ?? nil
    }

    /// The largest value of a property that may be nil; nil where there is none.
    ///
    /// - Throws: what `select` throws.
    public func max<Source: Model, Value: ModelValue>(
        _ keyPath: KeyPath<Source, Value?>,
        where predicate: Predicate<Source>? = nil
    ) throws -> Value? {
        try select(.max(keyPath), where: predicate).first ?? nil
    }

    /// The rows that a selection gives, and what their columns are.
    private func answers<Source: Model>(
        _ columns: [(QueryTranslator) throws -> SelectedColumn],
        _ descriptor: FetchDescriptor<Source>,
        _ having: SelectionCondition<Source>?,
        _ distinct: Bool
    ) throws -> ([RowImage], [SelectedColumn]) {
        let query = try query(descriptor)
        let translator = QueryTranslator(query.entity, in: container.schema)
        let columns = try columns.map { try $0(translator) }
        let orders = columns.map(\.order)
        var selection = QuerySelection(
            query,
            columns.map(\.column),
            having: try having.map { [try $0.condition(translator)] } ?? [],
            isDistinct: distinct
        )
        if selection.isGrouped, !descriptor.sortBy.isEmpty {
            throw QueryError(
                expression: "select of \(Source.self)",
                explanation: "`sortBy` orders rows, and groups come in the order of their values"
            )
        }
        // The groups of a store are in the order of what it stores.
        let isOrdered = !selection.isGrouped || orders.allSatisfy { $0 == nil }
        if !isOrdered { (selection.query.limit, selection.query.offset) = (nil, 0) }
        let asked = selection
        let rows =
            !hasChanges
            ? try withReadConnection { try $0.values(of: asked) }
            : try withPendingWritten { try $0.values(of: asked) }
        if isOrdered { return (rows.map { RowImage($0) }, columns) }
        let groups = try OwnOrder.sorted(rows, orders, selection.columns)
        let wanted = groups.dropFirst(query.offset).prefix(query.limit ?? .max)
        return (wanted.map { RowImage($0) }, columns)
    }
}
