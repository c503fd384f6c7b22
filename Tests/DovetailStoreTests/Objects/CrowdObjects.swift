import Dovetail
import StoreTestSupport
import Synchronization

/// Counts the objects that are alive.
final class CrowdLife: Sendable {
    private static let number = Atomic<Int>(0)

    /// How many there are.
    static var count: Int { number.load(ordering: .relaxed) }

    init() { Self.number.add(1, ordering: .relaxed) }

    deinit { Self.number.subtract(1, ordering: .relaxed) }
}

/// What many contexts work with at once: people in teams, with badges and skills.
@Model final class CrowdTeam {
    var number: Int
    var first = 0
    var second = 0
    @Relationship(inverse: \CrowdPerson.team) var members: [CrowdPerson] = []
    @Transient var life: CrowdLife = CrowdLife()

    init(number: Int) { self.number = number }
}

@Model final class CrowdPerson {
    var number: Int
    var first = 0
    var second = 0
    var team: CrowdTeam?
    @Relationship(deleteRule: .cascade, inverse: \CrowdBadge.person) var badge: CrowdBadge?
    @Relationship(inverse: \CrowdSkill.people) var skills: [CrowdSkill] = []
    @Transient var life: CrowdLife = CrowdLife()

    init(number: Int) { self.number = number }
}

@Model final class CrowdBadge {
    var number: Int
    var first = 0
    var second = 0
    var person: CrowdPerson?
    @Transient var life: CrowdLife = CrowdLife()

    init(number: Int) { self.number = number }
}

@Model final class CrowdSkill {
    var number: Int
    var first = 0
    var second = 0
    var people: [CrowdPerson] = []
    @Transient var life: CrowdLife = CrowdLife()

    init(number: Int) { self.number = number }
}

/// What all of them have.
protocol CrowdObject: PersistentModel {
    var number: Int { get }
    var first: Int { get set }
    var second: Int { get set }
}

extension CrowdTeam: CrowdObject {}
extension CrowdPerson: CrowdObject {}
extension CrowdBadge: CrowdObject {}
extension CrowdSkill: CrowdObject {}

/// An account of the tests of several actors: its key is given by hand, its balance never made or lost.
@Model final class CrowdAccount {
    @Attribute(.unique) var name: String
    var balance = 0
    @Relationship(deleteRule: .cascade, inverse: \CrowdEntry.account) var entries: [CrowdEntry] = []

    init(name: String) { self.name = name }
}

@Model final class CrowdEntry {
    var amount: Int
    var account: CrowdAccount?

    init(_ amount: Int, of account: CrowdAccount) {
        self.amount = amount
        self.account = account
    }
}
