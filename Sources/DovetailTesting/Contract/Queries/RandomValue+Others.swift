import Dovetail

extension Bool: RandomValue {
    static func random(_ random: inout SeededRandom) -> Bool { random.isOne(in: 2) }
    static var plain: Bool { false }
    var source: String { "\(self)" }

    static let columns: [RandomProperty<WideRow, Bool>] = [.init(\.flag, "flag")]
    static let optionalColumns: [RandomProperty<WideRow, Bool?>] = [.init(\.optFlag, "optFlag")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Bool>? {
        maker.condition(depth)
    }
}

extension String: RandomOrdered {
    static let texts = [
        "", "a", "A", "ab", "b", "a b", "é", "e\u{301}", "E\u{301}", "\u{301}", "ß", "ẞ", "ss",
        "SS",
        "İ", "i\u{307}", "ı", "I", "i", "Σ", "σ", "ς", "ΟΔΟΣ", "οδος", "日本", "ｶﾞ", "が",
        "か\u{3099}", "😀", "👨‍👩‍👧", "🇩🇪", "\u{1F1E9}", "a\0b", "\0", "a\0", "%", "a_c", "it's",
        "\"q\"", "NULL", "\u{FFFD}", "\u{FFFF}", "\u{10000}", "ﬁ", "fi", "Å", "A\u{30A}",
        "\u{212B}",
        "ה\u{5B8}", "ที่", "क्षि", "10", "9", " ", "\r\n", "\n", "zebra", "Zürich", "zurich",
        "\u{1E9B}\u{323}", "q\u{323}\u{307}", "q\u{307}\u{323}", "1.5", "true",
    ]

    static func random(_ random: inout SeededRandom) -> String {
        let text = random.pick(texts)
        return random.isOne(in: 8) ? text + random.pick(texts) : text
    }

    static var plain: String { "" }

    var simplerValues: [String] {
        guard !isEmpty else { return [] }
        let half = unicodeScalars.count / 2
        var values = [""]
        if unicodeScalars.count > 1 {
            values += [
                String(String.UnicodeScalarView(unicodeScalars.prefix(half))),
                String(String.UnicodeScalarView(unicodeScalars.dropFirst(half))),
                String(String.UnicodeScalarView(unicodeScalars.dropFirst())),
                String(String.UnicodeScalarView(unicodeScalars.dropLast())),
            ]
        }
        return values
    }

    /// Everything beyond ASCII by its number, since editors change text that looks the same.
    var source: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case " "..."~": result.unicodeScalars.append(scalar)
            default: result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result + "\""
    }

    func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    static let columns: [RandomProperty<WideRow, String>] = [.init(\.name, "name")]
    static let optionalColumns: [RandomProperty<WideRow, String?>] = [
        .init(\.optName, "optName")
    ]
    static let members: [RandomProperty<Detail, String>] = [.init(\.name, "name")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<String>? {
        switch maker.random.below(4) {
        case 0: .conditional(&maker, depth)
        case 1: .present(&maker, depth)
        default: maker.changedText(depth)
        }
    }

    static func optionalCompound(_ maker: inout TermMaker, _ depth: Int) -> Term<String?>? {
        maker.random.isOne(in: 2)
            ? maker.extreme([String].self, depth)
            : maker.edge(\[String].first, \[String].last, depth)
    }

    static func areEqual(_ left: String, _ right: String, _ run: TermRun) -> Bool {
        let areEqual = left.utf8.elementsEqual(right.utf8)
        run.note(.bytes, if: areEqual != (left == right))
        return areEqual
    }

    static func order(_ left: String, _ right: String, _ run: TermRun) -> Int? {
        let order =
            left.utf8.elementsEqual(right.utf8)
            ? 0 : left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        // Swift 6.3 takes "\u{212B}" and "\u{C5}i" neither as equal nor as one before the other.
        let isSame =
            (left < right) == (order < 0) && (right < left) == (order > 0)
            && (left == right) == (order == 0)
        run.note(.bytes, if: !isSame)
        return order
    }
}

extension Date: RandomOrdered {
    /// Seconds from 2001 on: the epochs, both ends of what is written in four digits, a leap second, and
    /// fractions that a microsecond cannot hold.
    static let seconds: [TimeInterval] = [
        0, 0, 1, -1, 0.5, 0.25, -0.75, 1e-7, 1e-9, -1e-7, 1e-300, 86_400.125, 1e9, -3e10,
        -978_307_200, -978_307_200.5, -978_307_199.999999, 504_921_600, 504_921_599.999999,
        704_163_600.123456, 704_163_600.1234567, 252_423_993_599, 252_423_993_599.5,
        -63_113_904_000, -62_135_596_800, 63_113_904_000,
    ]

    static func random(_ random: inout SeededRandom) -> Date {
        random.kept(Date(timeIntervalSinceReferenceDate: random.pick(seconds)))
    }

    static var plain: Date { Date(timeIntervalSinceReferenceDate: 0) }
    var source: String {
        "Date(timeIntervalSinceReferenceDate: \(timeIntervalSinceReferenceDate))"
    }

    static let columns: [RandomProperty<WideRow, Date>] = [.init(\.day, "day")]
    static let optionalColumns: [RandomProperty<WideRow, Date?>] = [.init(\.optDay, "optDay")]
    static let optionalMembers: [RandomProperty<Detail, Date?>] = [.init(\.day, "day")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Date>? {
        maker.random.isOne(in: 2) ? .conditional(&maker, depth) : .present(&maker, depth)
    }
}

extension Data: RandomValue {
    static func random(_ random: inout SeededRandom) -> Data {
        random.pick([Data(), Data([0]), Data([255, 0, 1]), Data([0, 1]), Data("a".utf8)])
    }

    static var plain: Data { Data() }
    var source: String { isEmpty ? "Data()" : "Data(\(Array(self)))" }

    static let columns: [RandomProperty<WideRow, Data>] = [.init(\.bytes, "bytes")]
    static let optionalColumns: [RandomProperty<WideRow, Data?>] = [.init(\.optBytes, "optBytes")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Data>? {
        .present(&maker, depth)
    }
}

extension UUID: RandomValue {
    static func random(_ random: inout SeededRandom) -> UUID {
        let last: UInt8 = random.pick([0, 1, 10, 255])
        return UUID(
            uuid: (random.pick([0, 159, 160]), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last)
        )
    }

    static var plain: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    var source: String { "UUID(uuidString: \"\(uuidString)\")!" }

    static let columns: [RandomProperty<WideRow, UUID>] = [.init(\.token, "token")]
    static let optionalColumns: [RandomProperty<WideRow, UUID?>] = [.init(\.optToken, "optToken")]
}

extension Color: RandomValue {
    static func random(_ random: inout SeededRandom) -> Color { random.pick(allCases) }
    static var plain: Color { .red }
    var source: String { "Color.\(rawValue)" }

    static let columns: [RandomProperty<WideRow, Color>] = [.init(\.color, "color")]
    static let optionalColumns: [RandomProperty<WideRow, Color?>] = [.init(\.optColor, "optColor")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Color>? {
        maker.random.isOne(in: 2) ? .conditional(&maker, depth) : .present(&maker, depth)
    }
}

extension Level: RandomValue {
    static func random(_ random: inout SeededRandom) -> Level { random.pick(allCases) }
    static var plain: Level { .low }
    var source: String { "Level.\(self)" }

    static let columns: [RandomProperty<WideRow, Level>] = [.init(\.level, "level")]
    static let optionalColumns: [RandomProperty<WideRow, Level?>] = [.init(\.optLevel, "optLevel")]
    static let members: [RandomProperty<Detail, Level>] = [.init(\.level, "level")]
}

extension Grade: RandomOrdered {
    static func random(_ random: inout SeededRandom) -> Grade { random.pick(allCases) }
    static var plain: Grade { .low }
    var source: String { "Grade.\(rawValue)" }

    static let columns: [RandomProperty<WideRow, Grade>] = [.init(\.grade, "grade")]
    static let optionalColumns: [RandomProperty<WideRow, Grade?>] = [.init(\.optGrade, "optGrade")]

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<Grade>? {
        maker.random.isOne(in: 2) ? .conditional(&maker, depth) : .present(&maker, depth)
    }
}

extension Detail: RandomValue {
    static func random(_ random: inout SeededRandom) -> Detail {
        Detail(
            name: .random(&random),
            count: .random(&random),
            ratio: random.pick([0, 1, -1, 0.5, 0.1, 1e300, 9_007_199_254_740_992]),
            price: .random(&random),
            day: .random(&random),
            level: .random(&random)
        )
    }

    static var plain: Detail { Detail() }

    var simplerValues: [Detail] {
        guard !isIdentical(to: .plain) else { return [] }
        func with<Value: RandomValue>(_ path: WritableKeyPath<Detail, Value>) -> [Detail] {
            self[keyPath: path].simplerValues.map {
                var detail = self
                detail[keyPath: path] = $0
                return detail
            }
        }
        return [.plain] + with(\.name) + with(\.count) + with(\.ratio) + with(\.price) + with(\.day)
            + with(\.level)
    }

    var source: String {
        if isIdentical(to: .plain) { return "Detail()" }
        return "Detail(name: \(name.source), count: \(count.source), ratio: \(ratio.source), "
            + "price: \(price.source), day: \(day.source), level: \(level.source))"
    }

    func isIdentical(to other: Detail) -> Bool {
        name.isIdentical(to: other.name) && count == other.count && ratio == other.ratio
            && price.isIdentical(to: other.price) && day == other.day && level == other.level
    }

    static func areEqual(_ left: Detail, _ right: Detail, _ run: TermRun) -> Bool {
        String.areEqual(left.name, right.name, run) && left.count == right.count
            && left.ratio == right.ratio && left.price == right.price && left.day == right.day
            && left.level == right.level
    }

    static let columns: [RandomProperty<WideRow, Detail>] = [.init(\.detail, "detail")]
    static let optionalColumns: [RandomProperty<WideRow, Detail?>] = [
        .init(\.optDetail, "optDetail")
    ]

    static func optionalCompound(_ maker: inout TermMaker, _ depth: Int) -> Term<Detail?>? {
        maker.edge(\[Detail].first, \[Detail].last, depth)
    }
}

extension Array: RandomValue where Element: RandomCollected {
    static func random(_ random: inout SeededRandom) -> [Element] {
        (0..<random.below(4)).map { _ in Element.random(&random) }
    }

    static var plain: [Element] { [] }

    var simplerValues: [[Element]] {
        guard !isEmpty else { return [] }
        var values: [[Element]] = [[]]
        for index in indices {
            var shorter = self
            shorter.remove(at: index)
            values.append(shorter)
            values += self[index].simplerValues.map {
                var simpler = self
                simpler[index] = $0
                return simpler
            }
        }
        return values
    }

    var source: String {
        isEmpty ? "[\(Element.self)]()" : "[\(map(\.source).joined(separator: ", "))]"
    }

    static func areEqual(_ left: [Element], _ right: [Element], _ run: TermRun) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { Element.areEqual($0, $1, run) }
    }

    func isIdentical(to other: [Element]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { $0.isIdentical(to: $1) }
    }

    static var columns: [RandomProperty<WideRow, [Element]>] { Element.lists }

    static func compound(_ maker: inout TermMaker, _ depth: Int) -> Term<[Element]>? {
        maker.filtered(Element.self, depth)
    }
}

/// A type whose values stand in embedded collections.
protocol RandomCollected: RandomValue {
    static var lists: [RandomProperty<WideRow, [Self]>] { get }
}

extension Int: RandomCollected {
    static let lists: [RandomProperty<WideRow, [Int]>] = [.init(\.numbers, "numbers")]
}

extension String: RandomCollected {
    static let lists: [RandomProperty<WideRow, [String]>] = [.init(\.tags, "tags")]
}

extension Detail: RandomCollected {
    static let lists: [RandomProperty<WideRow, [Detail]>] = [.init(\.details, "details")]
}

extension Dictionary: RandomValue where Key == String, Value == Int {
    static func random(_ random: inout SeededRandom) -> [String: Int] {
        let values = random.pick([
            [:], ["a": 1], ["": -1, "b": 2], ["a": .max, "b": 0], ["é": 1], ["e\u{301}": 2],
            ["a.b": 3, "a\0": 4],
        ])
        let pairs = values.map { (random.kept($0.key), $0.value) }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    static var plain: [String: Int] { [:] }

    var source: String {
        let members = sorted { $0.key < $1.key }.map { "\($0.source): \($1.source)" }
        return isEmpty ? "[String: Int]()" : "[\(members.joined(separator: ", "))]"
    }

    static var columns: [RandomProperty<WideRow, [String: Int]>] { [.init(\.labels, "labels")] }
}
