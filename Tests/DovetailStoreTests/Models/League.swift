import Dovetail
import StoreTestSupport

/// A generated key, a unique column and a unique group with optional columns.
@Model
struct Club: Identifiable, Equatable, Sendable {
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

    /// Few possible values, so that rows meet.
    init(using random: inout SeededGenerator) {
        self.init(
            random.isOne(in: 2) ? nil : Int64.random(in: 1...12, using: &random),
            "team \(Int.random(in: 0..<12, using: &random))",
            league: random.pick([nil, "A", "B"]),
            rank: random.pick([nil, 1, 2, 3])
        )
    }
}

/// References with the rules `nullify` and `cascade`, one of them to the own table.
@Model
struct Player: Identifiable, Equatable, Sendable {
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

    init(using random: inout SeededGenerator) {
        self.init(
            Int.random(in: 0..<30, using: &random),
            team: random.isOne(in: 2) ? nil : Int64.random(in: 1...14, using: &random),
            captain: random.isOne(in: 2) ? nil : Int.random(in: 0..<30, using: &random),
            email: random.isOne(in: 2) ? nil : "p\(Int.random(in: 0..<25, using: &random))",
            age: Int.random(in: 18..<22, using: &random)
        )
    }
}

/// A reference with the rule `deny`, and one that is required and has the rule `cascade`.
@Model
struct Game: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Club.self, deleteRule: .cascade)) var home: Int64
    @Attribute(.references(Player.self)) var best: Int?

    init(_ id: Int, home: Int64, best: Int? = nil) {
        self.id = id
        self.home = home
        self.best = best
    }

    init(using random: inout SeededGenerator) {
        self.init(
            Int.random(in: 0..<20, using: &random),
            home: Int64.random(in: 1...14, using: &random),
            best: random.isOne(in: 2) ? nil : Int.random(in: 0..<30, using: &random)
        )
    }
}

/// A key of two columns, and a unique column beside a key that is no integer.
@Model
struct Pass: Equatable, Sendable {
    @Attribute(.primaryKey) var row: String
    @Attribute(.primaryKey) var number: Int
    @Attribute(.unique) var code: String
    @Attribute(.references(Game.self, deleteRule: .cascade)) var game: Int?

    init(_ row: String, _ number: Int, code: String, game: Int? = nil) {
        self.row = row
        self.number = number
        self.code = code
        self.game = game
    }

    init(using random: inout SeededGenerator) {
        self.init(
            random.pick(["A", "B"]),
            Int.random(in: 0..<6, using: &random),
            code: "c\(Int.random(in: 0..<10, using: &random))",
            game: random.isOne(in: 2) ? nil : Int.random(in: 0..<20, using: &random)
        )
    }
}
