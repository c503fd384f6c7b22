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

/// A database of the corpora, opened as it is, and its rows in stores of ours.
struct Corpus {
    let file: RawDatabase
    let opened: ModelContainer
    private let tables: [any Model.Type]

    init(_ name: String, _ tables: [any Model.Type], views: [any Model.Type] = []) throws {
        let url = try #require(SharedCorpora.folder).appendingPathComponent("relational/" + name)
        file = try RawDatabase(url)
        self.tables = tables
        opened = try ModelContainer(
            for: tables + views,
            configuration: ModelConfiguration(url: url, allowsSave: false)
        )
    }

    /// The rows of the tables in a new store.
    func copy(to kind: StoreKind) throws -> ModelContext {
        let source = ModelContext(opened)
        let copy = ModelContext(try kind.container(tables))
        for model in tables { try Self.copy(model, from: source, to: copy) }
        try copy.save()
        return copy
    }

    private static func copy<Value: Model>(
        _ model: Value.Type,
        from source: ModelContext,
        to copy: ModelContext
    ) throws {
        for value in try source.fetch(FetchDescriptor<Value>()) {
            if let value = value as? any Model & Identifiable { insert(value, into: copy) }
        }
    }

    private static func insert(_ value: some Model & Identifiable, into context: ModelContext) {
        context.insert(value)
    }
}

/// Asks questions and compares the rows with those of their SQL.
///
/// - Parameter rows: How many rows all answers have.
func check(
    _ questions: [Question],
    of corpus: Corpus,
    with contexts: [ModelContext],
    rows expected: Int,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    var rows = 0
    for question in questions {
        let answer = try corpus.file.rows(question.sql)
        #expect(!answer.isEmpty, "\(question.text)", sourceLocation: sourceLocation)
        rows += answer.count
        for context in contexts {
            let found = try question.answer(context)
            #expect(found == answer, "\(question.text)", sourceLocation: sourceLocation)
        }
    }
    #expect(questions.count >= 20, sourceLocation: sourceLocation)
    #expect(rows == expected, sourceLocation: sourceLocation)
}
