import Dovetail
import StoreTestSupport

@Model
enum Grade: Int {
    case low = -1, middle, high
}

/// One attribute of every kind that predicates and orders can be about.
@Model
struct Thing: Identifiable, Equatable, Sendable {
    let id: Int
    var count: Int
    var small: Int8
    var unsigned: UInt32
    var ratio: Double
    var float: Float
    var flag: Bool
    var name: String
    var species: Species
    var grade: Grade
    var day: Date
    var token: UUID
    var price: Decimal
    var optCount: Int?
    var optRatio: Double?
    var optFlag: Bool?
    var optName: String?
    var optSpecies: Species?
    var optDay: Date?
    var optToken: UUID?
    var owner: OwnerID?

    /// Values from small sets, so that predicates meet equal ones often.
    init(id: Int, using random: inout SeededGenerator) {
        self.id = id
        count = Thing.count(&random)
        small = random.pick([.min, -1, 0, 1, .max])
        unsigned = random.pick([0, 1, .max])
        ratio = Thing.ratio(&random)
        float = random.pick([0, 0.1, -2.5, 1e10])
        flag = Bool.random(using: &random)
        name = Thing.name(&random)
        species = random.pick([.cat, .dog, .fish])
        grade = random.pick([.low, .middle, .high])
        day = Thing.day(&random)
        token = random.pick(Thing.tokens)
        price = random.pick([0, 1.5, 10, 9, -0.01])
        optCount = random.isOne(in: 3) ? nil : Thing.count(&random)
        optRatio = random.isOne(in: 3) ? nil : Thing.ratio(&random)
        optFlag = random.isOne(in: 3) ? nil : Bool.random(using: &random)
        optName = random.isOne(in: 3) ? nil : Thing.name(&random)
        optSpecies = random.isOne(in: 3) ? nil : random.pick([.cat, .dog, .fish])
        optDay = random.isOne(in: 3) ? nil : Thing.day(&random)
        optToken = random.isOne(in: 3) ? nil : random.pick(Thing.tokens)
        owner = random.isOne(in: 3) ? nil : OwnerID(rawValue: random.pick([1, 2, .max]))
    }

    static func many(_ count: Int, using random: inout SeededGenerator) -> [Thing] {
        (0..<count).map { Thing(id: $0, using: &random) }
    }

    static func count(_ random: inout SeededGenerator) -> Int {
        random.pick([0, 1, -1, 2, 3, 10, 100, .min, .max])
    }

    static func ratio(_ random: inout SeededGenerator) -> Double {
        random.pick([
            0, -0.0, 1, -1, 0.1, 1e-300, 1e300, .infinity, -.infinity, 3.5, 0.30000000000000004,
            .leastNonzeroMagnitude, 9_007_199_254_740_992,
        ])
    }

    /// Composed characters only: SQLite compares bytes, Swift compares canonical equivalents.
    static func name(_ random: inout SeededGenerator) -> String {
        random.pick([
            "", "a", "A", "ab", "b", "Zürich", "zebra", "é", "日本", "😀", "a b", "%", "a_c", "it's",
            "\"q\"", "NULL", "\u{FFFD}", "10", "9", " ",
        ])
    }

    static func day(_ random: inout SeededGenerator) -> Date {
        let seconds = random.pick([0, 1, -1, 0.5, 0.25, -0.75, 1e9, -3e10, 86_400.125])
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    static let tokens = [
        "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        "A0000000-0000-0000-0000-00000000000A", "9FFFFFFF-0000-0000-0000-000000000000",
    ].compactMap(UUID.init)
}
