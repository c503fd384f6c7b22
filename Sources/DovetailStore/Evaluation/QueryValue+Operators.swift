import DovetailModel
package import Foundation

// What operators mean in memory. SQL has the same meaning where it has one; elsewhere a store calls
// these.

extension QueryArithmetic {
    /// The number; missing where an operand is, or where there is none.
    func result(_ left: QueryValue, _ right: QueryValue) -> QueryValue {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): integer(left, right)
        case (.double(let left), .double(let right)): double(left, right)
        case (.integer(let left), .double(let right)): double(Double(left), right)
        case (.double(let left), .integer(let right)): double(left, Double(right))
        case (.decimal(let left), .decimal(let right)): decimal(left, right)
        default: .null
        }
    }

    private func integer(_ left: Int64, _ right: Int64) -> QueryValue {
        let (value, overflows) =
            switch self {
            case .add: left.addingReportingOverflow(right)
            case .subtract: left.subtractingReportingOverflow(right)
            case .multiply: left.multipliedReportingOverflow(by: right)
            case .divide: left.dividedReportingOverflow(by: right)
            // The smallest number divided by -1 has no quotient, and nothing is left of it.
            case .remainder:
                right == -1 ? (0, false) : left.remainderReportingOverflow(dividingBy: right)
            }
        return overflows ? .null : .integer(value)
    }

    private func double(_ left: Double, _ right: Double) -> QueryValue {
        let value: Double =
            switch self {
            case .add: left + right
            case .subtract: left - right
            case .multiply: left * right
            case .divide: right == 0 ? .nan : left / right
            case .remainder: .nan
            }
        return value.isNaN ? .null : .double(value + 0)
    }

    private func decimal(_ left: Decimal, _ right: Decimal) -> QueryValue {
        let value: Decimal =
            switch self {
            case .add: left + right
            case .subtract: left - right
            case .multiply: Self.product(left, right)
            case .divide: right.isZero ? .nan : left / right
            case .remainder: .nan
            }
        return value.isNaN ? .null : .decimal(value)
    }

    /// Foundation ends the program where a product needs more than 128 digits after the point.
    private static func product(_ left: Decimal, _ right: Decimal) -> Decimal {
        if left.isZero || right.isZero { return 0 }
        return left.exponent + right.exponent < -128 ? .nan : left * right
    }
}

extension Decimal {
    /// The average of numbers with this sum. Foundation gives no number for one that is close to zero,
    /// because it takes 38 digits more than it needs: the digits are divided alone then.
    package func average(of count: Int) -> Decimal {
        let value = self / Decimal(count)
        if !value.isNaN { return value }
        var digits = significand / Decimal(count)
        var rounded = Decimal()
        NSDecimalRound(&rounded, &digits, 128 + exponent, .plain)
        if rounded.isZero { return 0 }
        return Decimal(
            sign: sign,
            exponent: rounded.exponent + exponent,
            significand: rounded.significand
        )
    }
}

extension QueryFunction {
    /// The value of the function; missing where an argument is, or is of another kind.
    func result(_ arguments: [QueryValue]) -> QueryValue {
        switch (self, arguments.first, arguments.dropFirst().first) {
        case (.contains, .text(let text), .text(let part)): .bool(Self.contains(text, part))
        case (.hasPrefix, .text(let text), .text(let part)):
            .bool(text.utf8.starts(with: part.utf8))
        case (.hasSuffix, .text(let text), .text(let part)):
            .bool(text.utf8.reversed().starts(with: part.utf8.reversed()))
        case (.lowercased, .text(let text), nil): .text(TextFolding.lowercased(text))
        case (.uppercased, .text(let text), nil): .text(text.uppercased())
        case (.containsFolded, .text(let text), .text(let part)):
            .bool(TextFolding.contains(text, part))
        case (.compareCaseInsensitive, .text(let text), .text(let other)):
            .integer(Int64(TextFolding.compareCaseInsensitive(text, other).rawValue))
        case (.compareLocalized, .text(let text), .text(let other)):
            .integer(Int64(TextFolding.compareLocalized(text, other).rawValue))
        case (.count, .text(let text), nil): .integer(Int64(text.count))
        case (.count, .data(let data), nil): .integer(Int64(data.count))
        case (.count, .document(let text), nil):
            Self.count(text).map { .integer(Int64($0)) } ?? .null
        case (.isEmpty, .text(let text), nil): .bool(text.isEmpty)
        case (.isEmpty, .data(let data), nil): .bool(data.isEmpty)
        case (.isEmpty, .document(let text), nil): Self.count(text).map { .bool($0 == 0) } ?? .null
        case (.startOfYear, .date(let date), nil): Self.start(date, 4, "-01-01 00:00:00")
        case (.startOfMonth, .date(let date), nil): Self.start(date, 7, "-01 00:00:00")
        case (.startOfDay, .date(let date), nil): Self.start(date, 10, " 00:00:00")
        case (.startOfHour, .date(let date), nil): Self.start(date, 13, ":00:00")
        default: .null
        }
    }

    /// The date whose text in a column begins as that of another one, and ends as given.
    private static func start(_ date: Date, _ count: Int, _ end: String) -> QueryValue {
        guard let text = try? DateText.sortable(date),
            let start = DateText.date(sortable: String(text.prefix(count)) + end)
        else { return .null }
        return .date(start)
    }

    /// How many elements or members a document has; nil for text that is no document.
    private static func count(_ text: String) -> Int? {
        (try? ModelDocument(decoding: Data(text.utf8), as: .json))?.count
    }

    /// Whether one text contains another, byte by byte.
    private static func contains(_ text: String, _ part: String) -> Bool {
        if part.isEmpty { return true }
        var (text, part) = (text, part)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let start = text.baseAddress, let other = part.baseAddress,
                    text.count >= part.count
                else { return false }
                return (0...text.count - part.count).contains {
                    memcmp(start + $0, other, part.count) == 0
                }
            }
        }
    }
}

extension QueryValue {
    /// The order of two values of one column: a negative number, 0 or a positive one. Missing values
    /// come first.
    package static func order(_ left: QueryValue, _ right: QueryValue) -> Int {
        QueryEvaluator.order(left, right)
    }

    /// The value of a kind that a document is; nil for a document of another kind.
    init?(_ document: ModelDocument, _ kind: ColumnType) {
        let value: QueryValue? =
            switch kind {
            case .boolean: document.boolValue.map { .bool($0) }
            case .integer: document.intValue.map { .integer(Int64($0)) }
            case .double: document.doubleValue.map { .double($0) }
            case .decimal: document.decimalValue.map { .decimal($0) }
            case .text: document.stringValue.map { .text($0) }
            case .date: document.dateValue.map { .date($0) }
            case .data: document.dataValue.map { .data($0) }
            case .document:
                (try? document.encoded(as: .json)).map {
                    .document(String(decoding: $0, as: UTF8.self))
                }
            }
        guard let value else { return nil }
        self = value
    }
}
