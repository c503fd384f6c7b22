import Dovetail

// The models of the contract. They are of no use outside of it.

@Model enum Color: String, CaseIterable, Codable, Sendable { case red, green, blue }

@Model enum Level: Int, CaseIterable, Codable, Sendable { case low = -1, middle, high }

struct HolderID: TypedIdentifier { let rawValue: Int64 }

@Model struct Part: Equatable, Sendable {
    var name: String
    var count: Int?
}

/// One attribute of every kind that a column can hold, required and optional.
@Model struct Specimen: Identifiable, Equatable, Sendable {
    let id: Int
    var flag: Bool = false
    var count: Int = 0
    var small: Int8 = 0
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
    var part: Part = Part(name: "", count: nil)
    var parts: [Part] = []
    var numbers: [String: Int] = [:]
    var tags: [String] = []
    var optFlag: Bool?
    var optCount: Int?
    var optRatio: Double?
    var optPrice: Decimal?
    var optName: String?
    var optDay: Date?
    var optBytes: Data?
    var optToken: UUID?
    var optColor: Color?
    var optPart: Part?
    var holder: HolderID?
    var link: URL?

    init(_ id: Int) {
        self.id = id
    }
}

extension Specimen {
    /// Values from small sets, so that predicates meet equal ones often.
    init(_ id: Int, using random: inout SeededRandom) {
        self.init(id)
        flag = random.isOne(in: 2)
        count = Specimen.count(&random)
        small = random.pick([.min, -1, 0, 1, .max])
        unsigned = random.pick([0, 1, .max])
        ratio = Specimen.ratio(&random)
        float = random.pick([0, 0.1, -2.5, 1e10])
        price = random.pick([0, 1.5, 10, 9, -0.01])
        name = Specimen.name(&random)
        day = Specimen.day(&random)
        bytes = random.pick([Data(), Data([0]), Data([255, 0, 1])])
        token = Specimen.token(&random)
        color = random.pick(Color.allCases)
        level = random.pick(Level.allCases)
        part = Part(name: Specimen.name(&random), count: random.isOne(in: 2) ? nil : 1)
        parts = (0..<random.below(3)).map { Part(name: "\($0)", count: $0) }
        numbers = random.pick([[:], ["a": 1], ["": -1, "b": 2]])
        tags = (0..<random.below(4)).map { _ in "\(random.below(4))" }
        optFlag = random.isOne(in: 3) ? nil : random.isOne(in: 2)
        optCount = random.isOne(in: 3) ? nil : Specimen.count(&random)
        optRatio = random.isOne(in: 3) ? nil : Specimen.ratio(&random)
        optPrice = random.isOne(in: 3) ? nil : random.pick([0, 1.5, -0.01])
        optName = random.isOne(in: 3) ? nil : Specimen.name(&random)
        optDay = random.isOne(in: 3) ? nil : Specimen.day(&random)
        optBytes = random.isOne(in: 3) ? nil : random.pick([Data(), Data([0, 1])])
        optToken = random.isOne(in: 3) ? nil : Specimen.token(&random)
        optColor = random.isOne(in: 3) ? nil : random.pick(Color.allCases)
        optPart = random.isOne(in: 3) ? nil : Part(name: "", count: nil)
        holder = random.isOne(in: 3) ? nil : HolderID(rawValue: random.pick([1, 2, .max]))
        link = random.isOne(in: 3) ? nil : URL(string: "https://example.org/a?b=c#d")
    }

    static func many(_ count: Int, using random: inout SeededRandom) -> [Specimen] {
        (0..<count).map { Specimen($0, using: &random) }
    }

    static func count(_ random: inout SeededRandom) -> Int {
        random.pick([0, 1, -1, 2, 3, 10, 100, .min, .max])
    }

    static func ratio(_ random: inout SeededRandom) -> Double {
        random.pick([
            0, -0.0, 1, -1, 0.1, 1e-300, 1e300, .infinity, -.infinity, 3.5, 0.30000000000000004,
            .leastNonzeroMagnitude, 9_007_199_254_740_992,
        ])
    }

    /// Composed characters only: a store compares bytes, Swift compares canonical equivalents.
    static func name(_ random: inout SeededRandom) -> String {
        random.pick([
            "", "a", "A", "ab", "b", "Zürich", "zebra", "é", "日本", "😀", "a b", "%", "a_c", "it's",
            "\"q\"", "NULL", "\u{FFFD}", "10", "9", " ",
        ])
    }

    static func day(_ random: inout SeededRandom) -> Date {
        let seconds = random.pick([0, 1, -1, 0.5, 0.25, -0.75, 1e9, -3e10, 86_400.125])
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    static func token(_ random: inout SeededRandom) -> UUID {
        let last: UInt8 = random.pick([0, 1, 9, 10, 255])
        let first: UInt8 = random.pick([0, 159, 160])
        return UUID(uuid: (first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
    }
}

/// A generated key, a unique column, and a unique group with optional columns.
@Model struct Club: Identifiable, Equatable, Sendable {
    #Unique<Club>([\.league, \.rank])

    @Attribute(.primaryKey, .generated) var id: Int64?
    @Attribute(.unique) var name: String
    var league: String?
    var rank: Int?

    init(_ id: Int64?, _ name: String, league: String? = nil, rank: Int? = nil) {
        self.id = id
        self.name = name
        self.league = league
        self.rank = rank
    }
}

/// References with the rules `nullify` and `cascade`, the second one to the own table.
@Model struct Player: Identifiable, Equatable, Sendable {
    #Index<Player>([\.age])

    let id: Int
    @Attribute(.references(Club.self, deleteRule: .nullify)) var team: Int64?
    @Attribute(.references(Player.self, deleteRule: .cascade)) var captain: Int?
    @Attribute(.unique) var email: String?
    var age: Int

    init(
        _ id: Int,
        team: Int64? = nil,
        captain: Int? = nil,
        email: String? = nil,
        age: Int = 20
    ) {
        self.id = id
        self.team = team
        self.captain = captain
        self.email = email
        self.age = age
    }
}

/// A required reference with the rule `cascade`, one with `deny` and one with `noAction`.
@Model struct Game: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Club.self, deleteRule: .cascade)) var home: Int64
    @Attribute(.references(Player.self, deleteRule: .deny)) var best: Int?
    @Attribute(.references(Player.self, deleteRule: .noAction)) var worst: Int?

    init(_ id: Int, home: Int64, best: Int? = nil, worst: Int? = nil) {
        self.id = id
        self.home = home
        self.best = best
        self.worst = worst
    }
}

/// A key of two columns, one of them text, and nothing else that is unique.
@Model struct Seat: Identifiable, Equatable, Sendable {
    struct ID: Hashable, Sendable {
        let row: String
        let number: Int
    }

    @Attribute(.primaryKey) var row: String
    @Attribute(.primaryKey) var number: Int
    var guest: String?

    var id: ID { ID(row: row, number: number) }

    init(_ row: String, _ number: Int, guest: String? = nil) {
        self.row = row
        self.number = number
        self.guest = guest
    }
}

/// A key that is text.
@Model struct Word: Identifiable, Equatable, Sendable {
    var id: String
    var meaning: String
}

/// Deleted rows are marked.
@Model(deletion: .mark) struct Page: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
}

/// The same with a unique column and references, one of them to the own table.
@Model(deletion: .mark) struct Draft: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var title: String
    @Attribute(.references(Game.self, deleteRule: .nullify)) var game: Int?
    @Attribute(.references(Draft.self, deleteRule: .cascade)) var parent: Int?

    init(_ id: Int, _ title: String, game: Int? = nil, parent: Int? = nil) {
        self.id = id
        self.title = title
        self.game = game
        self.parent = parent
    }
}

/// Two shapes of one table.
enum Shapes {
    @Model(typeName: "Shape") struct Old: Identifiable, Equatable, Sendable {
        let id: Int
        var name: String
    }
    @Model(typeName: "Shape") struct New: Identifiable, Equatable, Sendable {
        let id: Int
        var size: Int
    }
}
