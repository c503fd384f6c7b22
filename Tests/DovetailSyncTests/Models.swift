import Dovetail
import DovetailTesting
import StoreTestSupport
import TestAssets

@Model
enum Role: String {
    case member, owner
}

@Model
struct User: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var age: Int?
    var score: Double = 0
    var role: Role = .member
    var joined: Date = Date(timeIntervalSinceReferenceDate: 0)
    var tags: [String] = []
    var balance: Decimal = 0

    init(_ id: Int, _ name: String, age: Int? = nil) {
        self.id = id
        self.name = name
        self.age = age
    }

    /// A value of few possible ones, so that two random lists share some.
    init(id: Int, using random: inout SeededRandom) {
        self.init(id, random.pick(["", "Ann", "Zoë", "😀"]), age: random.pick([nil, 0, 1]))
        score = random.pick([0, 0.5, .infinity])
        role = random.pick([.member, .owner])
        joined = Date(timeIntervalSinceReferenceDate: random.pick([0, 0.25, -1.5]))
        tags = random.pick([[], ["a"], ["a", "b"]])
        balance = random.pick([0, 1.5])
    }
}

@Model
struct Country: Equatable, Sendable {
    @Attribute(.primaryKey) var code: String
    var name: String
}

@Model
struct Membership: Equatable, Sendable {
    @Attribute(.primaryKey) var team: String
    var since: Int
    @Attribute(.primaryKey) var user: Int
}

@Model
struct Digest: Equatable, Sendable {
    @Attribute(.primaryKey, .transformed(by: Hexadecimal.self)) var hash: Data
    @Attribute(.primaryKey) var part: Int
    var size: Int
}

@Model
struct Scene: Identifiable {
    let id: UUID
    var background: (any Asset)?
    var assets: [any Asset] = []
    var labels: Set<String> = []
    var counts: [String: Int] = [:]
}

extension ModelContext {
    /// All users in the order of their keys.
    func users() throws -> [User] {
        try fetch(FetchDescriptor<User>(sortBy: [SortDescriptor(\.id)]))
    }

    /// Saves values as they are.
    func store<Value: Model & Identifiable>(_ values: [Value]) throws {
        insert(contentsOf: values)
        try save()
    }
}
