import CSQLite
import Dovetail

/// A model, and what a careful person writes to keep it in SQLite without Dovetail: columns by
/// position, text with its length, no look at the type of a column.
protocol StoredRecord: Model, Identifiable, Equatable {
    static func samples(_ count: Int) -> [Self]
    /// Changes a part of what is not the key.
    mutating func change()

    static func isKey(_ key: ID) -> FetchDescriptor<Self>
    /// A thousand records, from a place on.
    static func isInPage(from start: Int) -> Predicate<Self>
    /// The same in SQL, with ?1 and ?2 for the bounds.
    static var pageSQL: String { get }

    /// The columns in their order; the first one is the key.
    static var columns: [String] { get }
    static func bind(_ key: ID, to statement: HandStatement)
    func bind(to statement: HandStatement)
    init(row: HandStatement) throws
}

extension FlatRecord: StoredRecord {
    mutating func change() { age += 1 }

    static func isKey(_ key: Int) -> FetchDescriptor<FlatRecord> {
        FetchDescriptor(predicate: #Predicate { $0.id == key })
    }

    static func isInPage(from start: Int) -> Predicate<FlatRecord> {
        let end = start + 1000
        return #Predicate { $0.id >= start && $0.id < end }
    }

    static let pageSQL = "id >= ?1 AND id < ?2"
    static let columns = ["id", "name", "email", "age", "score", "isActive", "city"]

    static func bind(_ key: Int, to statement: HandStatement) { statement.bind(1, key) }

    func bind(to statement: HandStatement) {
        statement.bind(1, id)
        statement.bind(2, name)
        statement.bind(3, email)
        statement.bind(4, age)
        statement.bind(5, score)
        statement.bind(6, isActive ? 1 : 0)
        statement.bind(7, city)
    }

    init(row: HandStatement) throws {
        self.init(
            id: row.integer(0),
            name: row.text(1),
            email: row.text(2),
            age: row.integer(3),
            score: row.double(4),
            isActive: row.integer(5) != 0,
            city: row.text(6)
        )
    }
}

/// A record with what columns need a form for: a text key, a date, an identifier, an optional, an
/// enum, an embedded model and a list.
@Model
struct WideRecord: Identifiable, Equatable {
    #Index<WideRecord>([\.number])

    var id: String
    var number: Int
    var createdAt: Date
    var token: UUID
    var nickname: String?
    var level: Level
    var address: Address
    var tags: [String]
    var score: Double?

    @Model
    enum Level: String { case low, middle, high }

    @Model
    struct Address: Equatable {
        var street: String
        var city: String
        var zip: String
    }
}

extension WideRecord: StoredRecord {
    static func samples(_ count: Int) -> [WideRecord] {
        (0..<count).map { index in
            let place = UInt8(truncatingIfNeeded: index)
            let high = UInt8(truncatingIfNeeded: index >> 8)
            let seconds = 700_000_000 + Double(index * 61) + Double(index % 1000) / 1000
            return WideRecord(
                id: "record-\(index + 1_000_000)",
                number: index,
                createdAt: Date(timeIntervalSinceReferenceDate: seconds),
                token: UUID(
                    uuid: (place, high, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, place)
                ),
                nickname: index % 3 == 0 ? nil : "Nick \(index % 100)",
                level: [.low, .middle, .high][index % 3],
                address: Address(
                    street: "Long Street \(index % 500)",
                    city: ["Lisbon", "Oslo", "Ljubljana", "Reykjavík"][index % 4],
                    zip: "\(10_000 + index % 90_000)"
                ),
                tags: ["red", "green \(index % 10)", "blue"],
                score: index % 5 == 0 ? nil : Double(index % 10_000) / 100
            )
        }
    }

    mutating func change() { number += 1_000_000 }

    static func isKey(_ key: String) -> FetchDescriptor<WideRecord> {
        FetchDescriptor(predicate: #Predicate { $0.id == key })
    }

    static func isInPage(from start: Int) -> Predicate<WideRecord> {
        let end = start + 1000
        return #Predicate { $0.number >= start && $0.number < end }
    }

    static let pageSQL = "number >= ?1 AND number < ?2"
    static let columns = [
        "id", "number", "createdAt", "token", "nickname", "level", "address", "tags", "score",
    ]

    static func bind(_ key: String, to statement: HandStatement) { statement.bind(1, key) }

    func bind(to statement: HandStatement) {
        statement.bind(1, id)
        statement.bind(2, number)
        statement.bind(3, HandText.text(of: createdAt))
        statement.bind(4, token.uuidString)
        if let nickname { statement.bind(5, nickname) } else { statement.bindNull(5) }
        statement.bind(6, level.rawValue)
        var document = "{\"street\":"
        HandText.append(address.street, to: &document)
        document += ",\"city\":"
        HandText.append(address.city, to: &document)
        document += ",\"zip\":"
        HandText.append(address.zip, to: &document)
        document += "}"
        statement.bind(7, document)
        document = "["
        for tag in tags {
            if document.utf8.count > 1 { document += "," }
            HandText.append(tag, to: &document)
        }
        document += "]"
        statement.bind(8, document)
        if let score { statement.bind(9, score) } else { statement.bindNull(9) }
    }

    init(row: HandStatement) throws {
        guard let token = UUID(uuidString: row.text(3)), let level = Level(rawValue: row.text(5))
        else { throw HandStatement.Failure(code: SQLITE_MISMATCH) }
        // The names of the fields are at known places, since the same hand has written them.
        var scanner = HandScanner(row.bytes(6))
        let street = try scanner.string(after: 10)
        let city = try scanner.string(after: 8)
        let zip = try scanner.string(after: 7)
        scanner = HandScanner(row.bytes(7))
        var tags: [String] = []
        while scanner.hasElement { tags.append(try scanner.string(after: 1)) }
        self.init(
            id: row.text(0),
            number: row.integer(1),
            createdAt: try HandText.date(of: row.bytes(2)),
            token: token,
            nickname: row.isNull(4) ? nil : row.text(4),
            level: level,
            address: Address(street: street, city: city, zip: zip),
            tags: tags,
            score: row.isNull(8) ? nil : row.double(8)
        )
    }
}
