import Dovetail

/// What a selection is asked of, beside its columns.
struct SelectionRequest {
    let context: ModelContext
    let predicate: Predicate<WideRow>?
    let having: SelectionCondition<WideRow>?
    let limit: Int?
    let offset: Int?
}

/// A column of a selection, whose type only the running program knows.
private protocol SelectedColumn<Output>: Sendable {
    associatedtype Output: RandomValue
    var selection: Selection<WideRow, Output> { get }
}

private struct AnyColumn<Output: RandomValue>: SelectedColumn {
    let make: @Sendable () -> Selection<WideRow, Output>
    var selection: Selection<WideRow, Output> { make() }
}

extension SelectedColumn {
    /// Distinct values.
    func lines(_ request: SelectionRequest) throws -> [String] {
        try request.context.select(selection, where: request.predicate, distinct: true)
            .map { text($0) }
    }

    /// Distinct values of two columns.
    func distinct<Other: SelectedColumn>(
        _ other: Other,
        _ request: SelectionRequest
    ) throws -> [String] {
        let rows = try request.context.select(
            selection,
            other.selection,
            where: request.predicate,
            distinct: true
        )
        var lines: [String] = []
        for (first, second) in rows { lines.append("\(text(first)) \(text(second))") }
        return lines
    }

    /// A count and the value, of all rows.
    func whole(_ request: SelectionRequest) throws -> [String] {
        let rows = try request.context.select(
            .count(),
            selection,
            where: request.predicate,
            having: request.having,
            limit: request.limit,
            offset: request.offset
        )
        var lines: [String] = []
        for (count, value) in rows { lines.append("\(count) \(text(value))") }
        return lines
    }

    /// Groups by this column, with a count and a value.
    func groups<Value: SelectedColumn>(
        _ value: Value,
        _ request: SelectionRequest
    ) throws -> [String] {
        let rows = try request.context.select(
            selection,
            .count(),
            value.selection,
            where: request.predicate,
            having: request.having,
            limit: request.limit,
            offset: request.offset
        )
        var lines: [String] = []
        for (key, count, value) in rows {
            lines.append("\(text(key)) \(count) \(text(value))")
        }
        return lines
    }

    /// Groups by two columns.
    func groups<Other: SelectedColumn, Value: SelectedColumn>(
        _ other: Other,
        _ value: Value,
        _ request: SelectionRequest
    ) throws -> [String] {
        let rows = try request.context.select(
            selection,
            other.selection,
            .count(),
            value.selection,
            where: request.predicate,
            having: request.having,
            limit: request.limit,
            offset: request.offset
        )
        var lines: [String] = []
        for (first, second, count, value) in rows {
            lines.append("\(text(first)) \(text(second)) \(count) \(text(value))")
        }
        return lines
    }
}

/// The text of a value in an answer: one for all that a store takes as equal.
private func text<Value: RandomValue>(_ value: Value) -> String {
    switch value {
    case let value as Decimal?: return value.map { plain($0) } ?? "nil"
    case let value as Double?: return value.map { $0 == 0 ? "0.0" : "\($0)" } ?? "nil"
    case let value as Float where value == 0: return "0.0"
    default: return value.source
    }
}

/// The digits without zeros at their end, and the exponent.
private func plain(_ value: Decimal) -> String {
    var (digits, exponent) = ("\(value.significand)", value.exponent)
    while digits.hasSuffix("0"), digits.count > 1 {
        digits.removeLast()
        exponent += 1
    }
    return value.isZero ? "0" : "\(value < 0 ? "-" : "")\(digits)e\(exponent)"
}

/// A property that groups are made by, or that is given of each row.
struct SelectedKey: Sendable {
    let name: String
    let value: @Sendable (WideRow) -> String
    let compare: @Sendable (WideRow, WideRow) -> Int
    private let column: any SelectedColumn

    private init<Value: RandomValue>(
        _ path: any KeyPath<WideRow, Value> & Sendable,
        _ name: String,
        _ compare: @escaping @Sendable (Value, Value) -> Int
    ) {
        self.name = name
        column = AnyColumn { .value(path) }
        value = { text($0[keyPath: path]) }
        self.compare = { compare($0[keyPath: path], $1[keyPath: path]) }
    }

    private static func ordered<Value: RandomOrdered>(
        _ path: any KeyPath<WideRow, Value> & Sendable,
        _ name: String
    ) -> SelectedKey {
        SelectedKey(path, name) { RandomOrder.order($0, $1) }
    }

    private static func optional<Value: RandomOrdered>(
        _ path: any KeyPath<WideRow, Value?> & Sendable,
        _ name: String
    ) -> SelectedKey {
        SelectedKey(path, name) { RandomOrder.order($0, $1) }
    }

    static let all: [SelectedKey] = [
        .ordered(\.count, "count"), .ordered(\.small, "small"), .ordered(\.ratio, "ratio"),
        .ordered(\.float, "float"), .ordered(\.price, "price"), .ordered(\.name, "name"),
        .ordered(\.day, "day"), .optional(\.optCount, "optCount"),
        .optional(\.optRatio, "optRatio"), .optional(\.optPrice, "optPrice"),
        .optional(\.optName, "optName"), .optional(\.optDay, "optDay"),
        .ordered(\.detail.name, "detail.name"), .optional(\.detail.count, "detail.count"),
        .optional(\.detail.price, "detail.price"), .optional(\.detail.day, "detail.day"),
        SelectedKey(\.flag, "flag") { ($0 ? 1 : 0) - ($1 ? 1 : 0) },
        SelectedKey(\.optFlag, "optFlag") {
            RandomOrder.order($0.map { $0 ? 1 : 0 }, $1.map { $0 ? 1 : 0 })
        },
        // Groups of enums are in the order of the raw values.
        SelectedKey(\.color, "color") { RandomOrder.order($0.rawValue, $1.rawValue) },
        SelectedKey(\.level, "level") { RandomOrder.order($0.rawValue, $1.rawValue) },
        SelectedKey(\.token, "token") { RandomOrder.order($0.uuidString, $1.uuidString) },
        SelectedKey(\.bytes, "bytes") {
            $0 == $1 ? 0 : $0.lexicographicallyPrecedes($1) ? -1 : 1
        },
    ]

    // MARK: Asking

    func ask(_ request: SelectionRequest) throws -> [String] { try column.lines(request) }

    func ask(_ other: SelectedKey, _ request: SelectionRequest) throws -> [String] {
        try column.distinct(other.column, request)
    }

    func ask(_ aggregate: SelectedAggregate, _ request: SelectionRequest) throws -> [String] {
        try column.groups(aggregate.column, request)
    }

    func ask(
        _ other: SelectedKey,
        _ aggregate: SelectedAggregate,
        _ request: SelectionRequest
    ) throws -> [String] {
        try column.groups(other.column, aggregate.column, request)
    }
}

/// A number or value of all rows of a group.
struct SelectedAggregate: Sendable {
    let source: String
    /// What it is for rows in the order of their keys; nil where there is none, which is `outOfRange`.
    let meaning: @Sendable ([WideRow]) -> String?
    /// How far a number may be from that, because stores add up in an order of their own; nil for what
    /// is not rounded.
    private(set) var bound: (@Sendable ([WideRow]) -> Double)?
    fileprivate let column: any SelectedColumn

    private init<Output: RandomValue>(
        _ source: String,
        _ selection: @escaping @Sendable () -> Selection<WideRow, Output>,
        _ meaning: @escaping @Sendable ([WideRow]) -> Output?
    ) {
        self.source = source
        column = AnyColumn(make: selection)
        self.meaning = { meaning($0).map { text($0) } }
    }

    func ask(_ request: SelectionRequest) throws -> [String] { try column.whole(request) }

    // MARK: The list

    private static func whole<Value: RandomNumber & FixedWidthInteger>(
        _ path: any KeyPath<WideRow, Value> & Sendable,
        _ name: String
    ) -> [SelectedAggregate] {
        [
            SelectedAggregate(".sum(\\.\(name))", { .sum(path) }) { rows in
                sum(rows.map { Int64($0[keyPath: path]) }).flatMap { Value(exactly: $0) }
            },
            rounded(
                ".average(\\.\(name))",
                { .average(path) },
                { $0.map { Double($0[keyPath: path]) } },
                { .some($0) }
            ),
        ] + extremes(path, name)
    }

    private static func sum(_ numbers: [Int64]) -> Int64? {
        // In which order they are added must not matter.
        Int64(exactly: numbers.reduce(Int128(0)) { $0 + Int128($1) })
    }

    private static func extremes<Value: RandomOrdered>(
        _ path: any KeyPath<WideRow, Value> & Sendable,
        _ name: String
    ) -> [SelectedAggregate] {
        [
            SelectedAggregate(".min(\\.\(name))", { .min(path) }) { rows in
                .some(rows.map { $0[keyPath: path] }.min { RandomOrder.order($0, $1) < 0 })
            },
            SelectedAggregate(".max(\\.\(name))", { .max(path) }) { rows in
                .some(rows.map { $0[keyPath: path] }.max { RandomOrder.order($0, $1) < 0 })
            },
        ]
    }

    private static func optionalExtremes<Value: RandomOrdered>(
        _ path: any KeyPath<WideRow, Value?> & Sendable,
        _ name: String
    ) -> [SelectedAggregate] {
        [
            SelectedAggregate(".min(\\.\(name))", { .min(path) }) { rows in
                .some(rows.compactMap { $0[keyPath: path] }.min { RandomOrder.order($0, $1) < 0 })
            },
            SelectedAggregate(".max(\\.\(name))", { .max(path) }) { rows in
                .some(rows.compactMap { $0[keyPath: path] }.max { RandomOrder.order($0, $1) < 0 })
            },
        ]
    }

    private static let decimals: [SelectedAggregate] =
        [
            SelectedAggregate(".sum(\\.price)", { .sum(\.price) }) { sum($0.map(\.price)) },
            SelectedAggregate(".sum(\\.optPrice)", { .sum(\.optPrice) }) {
                sum($0.compactMap(\.optPrice))
            },
            SelectedAggregate(".average(\\.price)", { .average(\.price) }) {
                mean($0.map(\.price))
            },
            SelectedAggregate(".average(\\.optPrice)", { .average(\.optPrice) }) {
                mean($0.compactMap(\.optPrice))
            },
        ]

    private static func sum(_ numbers: [Decimal]) -> Decimal? {
        let sum = numbers.reduce(0, +)
        return sum.isNaN ? nil : sum
    }

    private static func mean(_ numbers: [Decimal]) -> Decimal?? {
        if numbers.isEmpty { return .some(nil) }
        guard let sum = sum(numbers) else { return nil }
        let average = sum / Decimal(numbers.count)
        if !average.isNaN { return .some(average) }
        // Foundation loses numbers that are close to zero, and divides their digits as it should.
        let digits = sum.significand / Decimal(numbers.count)
        var rounded = Decimal()
        var exact = digits
        NSDecimalRound(&rounded, &exact, 128 + sum.exponent, .plain)
        let value = Decimal(
            sign: sum.sign,
            exponent: rounded.exponent + sum.exponent,
            significand: rounded.significand
        )
        return .some(sum.isZero ? 0 : value)
    }

    private static let doubles: [SelectedAggregate] = [
        rounded(".sum(\\.ratio)", { .sum(\.ratio) }, { $0.map(\.ratio) }) { $0 },
        rounded(".sum(\\.optRatio)", { .sum(\.optRatio) }, { $0.compactMap(\.optRatio) }) { $0 },
        rounded(".average(\\.ratio)", { .average(\.ratio) }, { $0.map(\.ratio) }) { .some($0) },
        rounded(".average(\\.optRatio)", { .average(\.optRatio) }, { $0.compactMap(\.optRatio) }) {
            .some($0)
        },
    ]

    /// A sum or an average of floating point numbers.
    ///
    /// However `n` numbers are added up, the result is at most `n` times half a unit in the last place of
    /// the sum of their magnitudes away from the sum (Higham, *The accuracy of floating point summation*,
    /// 1993, <https://doi.org/10.1137/0914050>), so two results are twice that away from each other.
    private static func rounded<Output: RandomValue>(
        _ source: String,
        _ selection: @escaping @Sendable () -> Selection<WideRow, Output>,
        _ numbers: @escaping @Sendable ([WideRow]) -> [Double],
        _ output: @escaping @Sendable (Double) -> Output
    ) -> SelectedAggregate {
        let isAverage = Output.self != Double.self
        var aggregate = SelectedAggregate(source, selection) { rows in
            let numbers = numbers(rows)
            if isAverage, numbers.isEmpty { return Output.plain }
            let value = numbers.reduce(0, +) / (isAverage ? Double(numbers.count) : 1)
            return value.isNaN ? nil : output(value)
        }
        aggregate.bound = { rows in
            let numbers = numbers(rows)
            let magnitude = numbers.reduce(0) { $0 + abs($1) }
            guard magnitude.isFinite, !numbers.isEmpty else { return 0 }
            return magnitude * .ulpOfOne * Double(isAverage ? 1 : numbers.count)
        }
        return aggregate
    }

    static let all: [SelectedAggregate] =
        whole(\.count, "count") + whole(\.small, "small") + whole(\.unsigned, "unsigned")
        + whole(\.wide, "wide") + decimals + doubles + extremes(\.ratio, "ratio")
        + extremes(\.price, "price") + extremes(\.name, "name") + extremes(\.day, "day")
        + optionalExtremes(\.optPrice, "optPrice") + optionalExtremes(\.optName, "optName")
        + optionalExtremes(\.optDay, "optDay") + optionalExtremes(\.optCount, "optCount")
        + optionalExtremes(\.optRatio, "optRatio")
}
