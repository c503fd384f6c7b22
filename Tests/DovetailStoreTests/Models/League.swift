import Dovetail
import StoreTestSupport

@testable import DovetailTesting

// Random rows of the contract's clubs, players and games. There are few possible values, so that rows
// meet.

extension Club {
    init(using random: inout SeededRandom) {
        self.init(
            random.isOne(in: 2) ? nil : Int64.random(in: 1...12, using: &random),
            "team \(random.below(12))",
            league: random.pick([nil, "A", "B"]),
            rank: random.pick([nil, 1, 2, 3])
        )
    }
}

extension Player {
    init(using random: inout SeededRandom) {
        self.init(
            random.below(30),
            team: random.isOne(in: 2) ? nil : Int64.random(in: 1...14, using: &random),
            captain: random.isOne(in: 2) ? nil : random.below(30),
            email: random.isOne(in: 2) ? nil : "p\(random.below(25))",
            age: Int.random(in: 18..<22, using: &random)
        )
    }
}

extension Game {
    init(using random: inout SeededRandom) {
        self.init(
            random.below(20),
            home: Int64.random(in: 1...14, using: &random),
            best: random.isOne(in: 2) ? nil : random.below(30),
            worst: random.isOne(in: 4) ? random.below(30) : nil
        )
    }
}

extension Draft {
    init(using random: inout SeededRandom) {
        self.init(
            random.below(12),
            "d\(random.below(8))",
            game: random.isOne(in: 2) ? nil : random.below(20),
            parent: random.isOne(in: 2) ? nil : random.below(12)
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

    init(using random: inout SeededRandom) {
        self.init(
            random.pick(["A", "B"]),
            random.below(6),
            code: "c\(random.below(10))",
            game: random.isOne(in: 2) ? nil : random.below(20)
        )
    }
}
