import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

struct PartID: TypedIdentifier { let rawValue: Int64 }

@Model
struct Part: Identifiable, Equatable, Sendable {
    let id: PartID
    var name: String
}

@Model
struct Badge: Identifiable, Equatable, Sendable {
    let id: UUID
    var name: String
}

@Model
struct Entry: Identifiable, Equatable, Sendable {
    @Attribute(.primaryKey, .generated) var id: Int64?
    var text: String
}

/// Lists and plans over keys and sizes of other kinds.
@Suite struct ShapeTests {
    @Test(arguments: StoreKind.allCases)
    func `typed and random keys`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Part.self, Badge.self))
        let parts = (1...9).map { Part(id: PartID(rawValue: $0), name: "p") }
        try context.synchronize(parts)
        try context.save()
        try context.synchronize(
            [Part](),
            scope: .page(after: PartID(rawValue: 2), through: PartID(rawValue: 8))
        )
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<Part>()).map(\.id.rawValue).sorted() == [1, 2, 9]
        )
        try context.apply(
            Patch<Part>(decoding: Data(#"{"name":"x"}"#.utf8), as: .json),
            to: PartID(rawValue: 9)
        )
        try context.save()
        let badges = (0..<50).map { Badge(id: UUID(), name: "\($0)") }
        let plan = try context.plan(badges)
        try context.apply(plan, of: badges.shuffled())
        try context.save()
        let ordered = badges.sorted { $0.id.uuidString < $1.id.uuidString }
        let page = Array(ordered[10..<20])
        let changes = try context.synchronize(
            page.dropFirst(3),
            scope: .page(after: ordered[9].id, through: ordered[19].id)
        )
        #expect(changes.deleted.count == 3 && changes.unchanged == 7)
        context.rollback()
        try plan.undo(in: context)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Badge>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `keys that the database gives`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Entry.self))
        let list = [Entry(id: nil, text: "a"), Entry(id: nil, text: "a"), Entry(id: 7, text: "b")]
        let plan = try context.plan(list)
        #expect(plan.inserted.map(\.reason) == [.withoutKey, .withoutKey, .notStored])
        try context.apply(plan, of: list)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Entry>()) == 3)
        #expect(throws: StoreError.self) { try plan.undo(in: context) }
        #expect(!context.hasChanges)
        let stored = try context.fetch(FetchDescriptor<Entry>())
        #expect(try context.plan(stored).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `many rows`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(User.self, Membership.self))
        let users = (0..<6_000).map { User($0, "u\($0)") }
        try context.synchronize(users)
        try context.save()
        let changed = users.map { User($0.id, $0.name, age: $0.id % 3 == 0 ? 1 : nil) }
            .filter { $0.id % 2 == 0 }
        let plan = try context.plan(changed.shuffled())
        #expect(plan.deleted.count == 3_000 && plan.updated.count == 1_000)
        try context.apply(plan, of: changed)
        try context.save()
        #expect(try context.users() == changed)
        try plan.undo(in: context)
        try context.save()
        #expect(try context.users() == users)
        let members = (0..<3000).map { Membership(team: "t\($0 % 9)", since: 0, user: $0) }
        let all = try context.plan(members)
        try context.apply(all, of: members)
        try context.save()
        try all.undo(in: context)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Membership>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `a throw in the middle, and two contexts at once`(_ kind: StoreKind) throws {
        let container = try kind.container(User.self)
        let context = ModelContext(container)
        let first = [User(1, "a"), User(2, "b")]
        try context.synchronize(first)
        try context.save()
        #expect(throws: CocoaError.self) {
            try context.transaction {
                try context.synchronize([User(1, "x")])
                try context.transaction { try context.synchronize([User(3, "y")]) }
                throw CocoaError(.userCancelled)
            }
        }
        #expect(!context.hasChanges)
        #expect(try context.users() == first)
        let other = ModelContext(container)
        try context.synchronize([User(1, "mine"), User(2, "b")])
        try other.synchronize([User(1, "theirs"), User(2, "b")])
        try context.save()
        let error = #expect(throws: StoreError.self) { try other.save() }
        #expect(error?.kind == .planOutdated)
        other.rollback()
        try other.synchronize([User(1, "theirs"), User(2, "b")])
        try other.save()
        #expect(try context.users().map(\.name) == ["theirs", "b"])
        try context.synchronize([User]())
        try context.synchronize(first)
        try context.synchronize([User(2, "z")])
        try context.save()
        #expect(try context.users().map(\.name) == ["z"])
    }
}
