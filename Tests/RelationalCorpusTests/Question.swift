import Dovetail
import StoreTestSupport
import Testing

/// A question to a database: as its user asks it, and in SQL that was written by hand.
struct Question: Sendable, CustomTestStringConvertible {
    let text: String
    let sql: String
    /// Whether only the file itself can answer: what is asked in SQL, and of views.
    let isOfFile: Bool
    /// The cells of the rows, in their order.
    let answer: @Sendable (ModelContext) throws -> [[String?]]

    init(
        _ text: String,
        sql: String,
        isOfFile: Bool = false,
        answer: @escaping @Sendable (ModelContext) throws -> [[String?]]
    ) {
        self.text = text
        self.sql = sql
        self.isOfFile = isOfFile
        self.answer = answer
    }

    var testDescription: String { text }
}

/// A row as SQLite prints it: dates as `datetime()` gives them.
func cells(_ values: Any?...) -> [String?] {
    values.map { value in
        switch value {
        case nil: nil
        case let date as Date:
            date.ISO8601Format().replacing("T", with: " ").replacing("Z", with: "")
        case .some(let value): "\(value)"
        }
    }
}

/// An amount as `printf('%.2f', …)` prints it.
func money(_ value: Decimal?) -> String? { decimals(value, 2) }

/// The same of a floating point number.
func money(_ value: Double?) -> String? { value.map { String(format: "%.2f", $0) } }

/// A number with some digits after the point.
func decimals(_ value: Decimal?, _ digits: Int) -> String? {
    value.map { String(format: "%.\(digits)f", Double("\($0)") ?? .nan) }
}

/// The midnight, in UTC, with which a day begins.
func day(_ year: Int, _ month: Int, _ day: Int) -> Date {
    let parts = DateComponents(
        timeZone: TimeZone(secondsFromGMT: 0),
        year: year,
        month: month,
        day: day
    )
    return Calendar(identifier: .gregorian).date(from: parts) ?? .distantPast
}
