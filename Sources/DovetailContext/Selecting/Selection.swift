public import DovetailModel
import DovetailStore
public import Foundation

/// One column of `ModelContext.select`: an attribute
/// of a model, or what many rows are together.
///
/// ```swift
/// try context.select(.value(\Product.kind), .count(), .sum(\.price))
/// // SELECT "kind", count(*), coalesce(sum("price"), 0.0) FROM "Product" GROUP BY "kind" …
/// ```
public struct Selection<Source: Model, Output: ModelValue> {
    private let makeColumn: (QueryTranslator) throws -> QueryColumn
    /// What the value is read from; nil for what is counted or added.
    private let keyPath: AnyKeyPath?
    /// Whether the value may be too large for its type, which holds those that it is made of.
    private var isSum = false
    /// The order of values that is none of what columns hold.
    private var ownOrder: OwnOrder?

    init(
        isSum: Bool = false,
        _ keyPath: AnyKeyPath? = nil,
        _ column: @escaping (QueryTranslator) throws -> QueryColumn
    ) {
        makeColumn = column
        self.keyPath = keyPath
        self.isSum = isSum
    }

    /// What a store is asked for.
    ///
    /// - Throws: ``QueryError``.
    func column(by translator: QueryTranslator) throws -> SelectedColumn {
        let stored = try keyPath.flatMap { try translator.transformedColumn(at: $0) }
        return SelectedColumn(
            column: try makeColumn(translator),
            stored: stored,
            transform: stored.flatMap { translator.entity.attributes[$0].transform },
            order: stored == nil ? ownOrder : nil
        )
    }

    /// The value in a column of an answer.
    ///
    /// - Throws: what the transform throws, and ``ModelDecodingError``.
    func value(
        _ column: Int,
        of row: RowImage,
        by transform: AttributeTransform?
    ) throws -> Output {
        if let transform, !row.isNull(column),
            let value = try transform.readColumn(column, of: row) as? Output
        {
            return value
        }
        do {
            let fields = RowFields([])
            return try ModelReader.readColumn(column, of: row, fields: fields, as: Output.self)
        } catch let error as ModelDecodingError {
            guard isSum, error.kind == .numberOutOfRange else { throw error }
            throw StoreError.sumOutOfRange(Source.typeName)
        }
    }

    /// The value of a property, also of an embedded one. Together with counts and sums it makes
    /// groups.
    public static func value(_ keyPath: KeyPath<Source, Output>) -> Selection {
        var selection = Selection(keyPath) { .value(try $0.stored(at: keyPath)) }
        selection.ownOrder = OwnOrder(Output.self)
        return selection
    }

    /// The number of rows.
    public static func count() -> Selection where Output == Int {
        Selection { _ in .count }
    }

    /// The sum of a property; zero where there is none. Nil counts as nothing.
    public static func sum(_ keyPath: KeyPath<Source, Output>) -> Selection
    where Output: AdditiveArithmetic {
        Selection(isSum: true) { .sum(try $0.number(at: keyPath)) }
    }

    /// The same of a property that may be nil.
    public static func sum(_ keyPath: KeyPath<Source, Output?>) -> Selection
    where Output: AdditiveArithmetic {
        Selection(isSum: true) { .sum(try $0.number(at: keyPath)) }
    }

    /// The average of a property that is a `Decimal`; nil where there is none.
    public static func average(_ keyPath: KeyPath<Source, Decimal>) -> Selection
    where Output == Decimal? {
        Selection { .average(try $0.number(at: keyPath)) }
    }

    /// The same of a property that may be nil, which counts as nothing.
    public static func average(_ keyPath: KeyPath<Source, Decimal?>) -> Selection
    where Output == Decimal? {
        Selection { .average(try $0.number(at: keyPath)) }
    }

    /// The average of a property; nil where there is none. Nil counts as nothing.
    @_disfavoredOverload
    public static func average<Number: ModelValue>(
        _ keyPath: KeyPath<Source, Number>
    ) -> Selection where Output == Double? {
        Selection { .average(try $0.binaryNumber(at: keyPath)) }
    }

    /// The smallest value of a property; nil where there is none.
    public static func min<Value: ModelValue>(_ keyPath: KeyPath<Source, Value>) -> Selection
    where Output == Value? {
        Selection(keyPath) { .minimum(try $0.order(at: keyPath)) }
    }

    /// The largest value of a property; nil where there is none.
    public static func max<Value: ModelValue>(_ keyPath: KeyPath<Source, Value>) -> Selection
    where Output == Value? {
        Selection(keyPath) { .maximum(try $0.order(at: keyPath)) }
    }
}

extension Selection {
    /// The smallest value of a property that may be nil; nil where there is none.
    public static func min<Value: ModelValue>(_ keyPath: KeyPath<Source, Value?>) -> Selection
    where Output == Value? {
        Selection(keyPath) { .minimum(try $0.order(at: keyPath)) }
    }

    /// The largest value of a property that may be nil; nil where there is none.
    public static func max<Value: ModelValue>(_ keyPath: KeyPath<Source, Value?>) -> Selection
    where Output == Value? {
        Selection(keyPath) { .maximum(try $0.order(at: keyPath)) }
    }
}

/// What a store is asked for by a ``Selection``.
struct SelectedColumn {
    /// The column of the answer.
    let column: QueryColumn
    /// The column of the table whose stored forms are given; nil where it gives values.
    let stored: Int?
    /// The transform by which values are read from the forms.
    let transform: AttributeTransform?
    /// The order of values that is none of what columns hold.
    let order: OwnOrder?
}

/// A condition on groups: `.count() > 3`.
public struct SelectionCondition<Source: Model> {
    let condition: (QueryTranslator) throws -> QueryCondition

    init<Output: ModelValue>(
        _ selection: Selection<Source, Output>,
        _ comparison: QueryComparison,
        _ value: some ModelValue
    ) {
        condition = {
            let selected = try selection.column(by: $0)
            guard let stored = selected.stored else {
                return QueryCondition(selected.column, comparison, try QueryValue(value))
            }
            let (comparison, form) = try $0.bound(value, comparison, in: value, stored)
            return QueryCondition(selected.column, comparison, form)
        }
    }
}

/// Groups whose value is greater.
public func > <Source: Model, Output: ModelValue>(
    left: Selection<Source, Output>,
    right: Output
) -> SelectionCondition<Source> {
    SelectionCondition(left, .greater, right)
}

/// Groups whose value is greater or equal.
public func >= <Source: Model, Output: ModelValue>(
    left: Selection<Source, Output>,
    right: Output
) -> SelectionCondition<Source> {
    SelectionCondition(left, .greaterOrEqual, right)
}

/// Groups whose value is smaller.
public func < <Source: Model, Output: ModelValue>(
    left: Selection<Source, Output>,
    right: Output
) -> SelectionCondition<Source> {
    SelectionCondition(left, .less, right)
}

/// Groups whose value is smaller or equal.
public func <= <Source: Model, Output: ModelValue>(
    left: Selection<Source, Output>,
    right: Output
) -> SelectionCondition<Source> {
    SelectionCondition(left, .lessOrEqual, right)
}
