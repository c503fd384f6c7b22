import Dovetail
import Foundation
import StoreTestSupport
import Testing

enum GuildKind: String, Codable, CaseIterable, Sendable { case open, closed }

@Model enum GuildRank: Int, CaseIterable { case high = 5, low = 7 }

@Model struct GuildHall: Equatable {
    var street: String?
    var rooms: [Int] = []
}

@ModelProtocol protocol Patron: AnyObject {
    var name: String { get }
}

@Model class Guild: Patron {
    @Attribute(.primaryKey) var id: UUID
    var name: String
    var size: Int
    var isOld: Bool
    var share: Double
    var kind: GuildKind
    var rank: GuildRank
    var founded: Date
    var site: URL
    var fee: Decimal
    var seal: Data
    var tags: [String]
    var prices: [String: Int]
    var hall: GuildHall
    var note: String?
    @Relationship(deleteRule: .cascade, inverse: \GuildMember.guild) var members: [GuildMember] = []

    init(_ name: String) {
        (id, self.name, size, isOld, share, kind, rank) = (UUID(), name, 4, true, 2, .closed, .low)
        (founded, fee, seal, tags) = (Date(), 3, Data([1]), ["a"])
        site = URL(filePath: "/a")
        prices = ["a": 1]
        hall = GuildHall(street: "High Street")
    }
}

@Model final class CityGuild: Guild {
    var city = ""

    init(_ name: String, in city: String) {
        super.init(name)
        self.city = city
    }
}

@Model final class GuildMember {
    var name: String
    var guild: Guild
    @Relationship(deleteRule: .cascade) var patron: any Patron

    init(_ name: String, _ guild: Guild) {
        self.name = name
        self.guild = guild
        patron = guild
    }
}

/// A required relationship that was never read, when both objects are gone.
struct MissingObjectTests {
    @Test(arguments: StoreKind.allCases, [false, true])
    func `an object that is gone has a key, and values that mean nothing`(
        _ kind: StoreKind,
        _ isSubclass: Bool
    ) throws {
        let container = try kind.container(Guild.self, CityGuild.self, GuildMember.self)
        let (context, other) = (ModelContext(container), ModelContext(container))
        let guild = isSubclass ? CityGuild("Bakers", in: "Ulm") : Guild("Bakers")
        context.insert(GuildMember("Ann", guild))
        try context.save()
        let members = FetchDescriptor<GuildMember>()
        let kept = try #require(try other.fetch(members).first)
        kept.name = "Anna"
        context.delete(guild)
        try context.save()
        #expect(throws: ConflictError.self) { try other.save() }

        let missing = kept.guild
        #expect(missing.isDeleted && missing.modelContext == nil && kept.guild === missing)
        #expect(missing.id == guild.id)
        #expect(missing.name == "" && missing.size == 0 && !missing.isOld && missing.share == 0)
        #expect(missing.kind == .open && missing.rank == .high && missing.note == nil)
        #expect(missing.fee == 0 && missing.seal == Data() && missing.tags.isEmpty)
        #expect(missing.prices.isEmpty && missing.hall == GuildHall() && missing.members.isEmpty)
        #expect(kept.patron.name == "")
        other.rollback()
        #expect(try other.fetch(members).isEmpty && kept.isDeleted && kept.name == "Ann")
        #expect(!other.hasChanges)
        missing.name = "is nowhere"
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<Guild>()) == 0)
    }

    /// It is no object that a save could write.
    @Test(arguments: StoreKind.allCases)
    func `who insists is refused`(_ kind: StoreKind) throws {
        let container = try kind.container(Guild.self, CityGuild.self, GuildMember.self)
        let (context, other) = (ModelContext(container), ModelContext(container))
        let guild = Guild("Bakers")
        context.insert(GuildMember("Ann", guild))
        try context.save()
        let kept = try #require(try other.fetch(FetchDescriptor<GuildMember>()).first)
        kept.name = "Anna"
        context.delete(guild)
        try context.save()
        other.conflictPolicy = .contextWins
        #expect(throws: (any Error).self) { try other.save() }
        _ = kept.guild.name
        #expect(throws: (any Error).self) { try other.save() }
        other.rollback()
        #expect(!other.hasChanges)
    }
}
