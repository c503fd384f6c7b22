import Dovetail

// The model that random queries are about.

/// An enum whose order is none of its raw values.
@Model enum Grade: String, Comparable, CaseIterable, Codable, Sendable {
    case low, middle, high

    static func < (left: Grade, right: Grade) -> Bool { left.place < right.place }

    private var place: Int {
        switch self {
        case .low: 0
        case .middle: 1
        case .high: 2
        }
    }
}

/// A value that is embedded, also in a list.
@Model struct Detail: Equatable, Codable, Sendable {
    var name: String = ""
    var count: Int?
    var ratio: Double = 0
    var price: Decimal?
    var day: Date?
    var level: Level = .low
}

/// A column of every kind, required and optional.
@Model struct WideRow: Identifiable, Equatable, Sendable {
    let id: Int
    var flag: Bool = false
    var count: Int = 0
    var small: Int8 = 0
    var wide: Int64 = 0
    var unsigned: UInt32 = 0
    var ratio: Double = 0
    var float: Float = 0
    var price: Decimal = 0
    var name: String = ""
    var day: Date = Date(timeIntervalSinceReferenceDate: 0)
    var bytes: Data = Data()
    var token: UUID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var color: Color = .red
    var level: Level = .low
    var grade: Grade = .low
    var detail: Detail = Detail()
    var details: [Detail] = []
    var numbers: [Int] = []
    var tags: [String] = []
    var labels: [String: Int] = [:]
    var optFlag: Bool?
    var optCount: Int?
    var optSmall: Int8?
    var optRatio: Double?
    var optPrice: Decimal?
    var optName: String?
    var optDay: Date?
    var optBytes: Data?
    var optToken: UUID?
    var optColor: Color?
    var optLevel: Level?
    var optGrade: Grade?
    var optDetail: Detail?

    init(_ id: Int, _ change: (inout WideRow) -> Void = { _ in }) {
        self.id = id
        change(&self)
    }
}

/// A property of a model, with its name in Swift.
struct RandomProperty<Root, Value>: Sendable {
    let path: any KeyPath<Root, Value> & Sendable
    let name: String

    init(_ path: any KeyPath<Root, Value> & Sendable, _ name: String) {
        self.path = path
        self.name = name
    }
}

/// A property of ``WideRow`` without its type: what makes random rows, and what makes them simple.
struct RandomField: Sendable {
    let randomize: @Sendable (inout WideRow, inout SeededRandom) -> Void
    /// The rows with a simpler value; none where the value is the simplest one.
    let simpler: @Sendable (WideRow) -> [WideRow]
    /// `$0.name = "a"`; nil for the simplest value.
    let source: @Sendable (WideRow) -> String?

    private init<Value: RandomValue>(
        _ path: any WritableKeyPath<WideRow, Value> & Sendable,
        _ name: String
    ) {
        randomize = { $0[keyPath: path] = Value.random(&$1) }
        simpler = { row in
            row[keyPath: path].simplerValues.map {
                var row = row
                row[keyPath: path] = $0
                return row
            }
        }
        source = {
            let value = $0[keyPath: path]
            return value.isIdentical(to: .plain) ? nil : "$0.\(name) = \(value.source)"
        }
    }

    static let all: [RandomField] = [
        .init(\.flag, "flag"), .init(\.count, "count"), .init(\.small, "small"),
        .init(\.wide, "wide"), .init(\.unsigned, "unsigned"), .init(\.ratio, "ratio"),
        .init(\.float, "float"), .init(\.price, "price"), .init(\.name, "name"),
        .init(\.day, "day"), .init(\.bytes, "bytes"), .init(\.token, "token"),
        .init(\.color, "color"), .init(\.level, "level"), .init(\.grade, "grade"),
        .init(\.detail, "detail"), .init(\.details, "details"), .init(\.numbers, "numbers"),
        .init(\.tags, "tags"), .init(\.labels, "labels"), .init(\.optFlag, "optFlag"),
        .init(\.optCount, "optCount"), .init(\.optSmall, "optSmall"),
        .init(\.optRatio, "optRatio"), .init(\.optPrice, "optPrice"),
        .init(\.optName, "optName"), .init(\.optDay, "optDay"),
        .init(\.optBytes, "optBytes"), .init(\.optToken, "optToken"),
        .init(\.optColor, "optColor"), .init(\.optLevel, "optLevel"),
        .init(\.optGrade, "optGrade"), .init(\.optDetail, "optDetail"),
    ]
}

extension WideRow {
    /// A row with random values.
    static func random(_ id: Int, using random: inout SeededRandom) -> WideRow {
        var row = WideRow(id)
        for field in RandomField.all { field.randomize(&row, &random) }
        return row
    }

    /// `WideRow(1) { $0.count = 5 }`.
    var source: String {
        let changes = RandomField.all.compactMap { $0.source(self) }
        if changes.isEmpty { return "WideRow(\(id))" }
        return "WideRow(\(id)) { \(changes.joined(separator: "; ")) }"
    }
}
