import Dovetail
import StoreTestSupport
import Testing

@Model final class PassedCrate {
    @Attribute(.primaryKey) var number: Int
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \PassedPart.crate) var parts: [PassedPart] = []
    @Relationship(inverse: \PassedThing.crate) var things: [PassedThing] = []
    /// Nothing leads back.
    @Relationship var labels: [PassedLabel] = []
    @Relationship(inverse: \PassedTag.crates) var tags: [PassedTag] = []

    init(_ number: Int, _ name: String) {
        self.number = number
        self.name = name
    }
}

@Model final class PassedPart {
    var name: String
    var crate: PassedCrate

    init(_ name: String, _ crate: PassedCrate) {
        self.name = name
        self.crate = crate
    }
}

@Model final class PassedThing {
    var name: String
    var crate: PassedCrate?
    /// Nothing leads back.
    @Relationship var spare: PassedCrate?

    init(_ name: String) { self.name = name }
}

@Model final class PassedLabel {
    var name: String
    init(_ name: String) { self.name = name }
}

@Model final class PassedTag {
    var name: String
    var crates: [PassedCrate] = []
    init(_ name: String) { self.name = name }
}

@ModelProtocol protocol PassedOwner: AnyObject {
    var badge: PassedBadge? { get set }
}

@Model final class PassedPerson: PassedOwner {
    @Attribute(.primaryKey) var name: String
    @Relationship(deleteRule: .cascade, inverse: \PassedBadge.owner) var badge: PassedBadge?
    init(_ name: String) { self.name = name }
}

@Model final class PassedFirm: PassedOwner {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \PassedBadge.owner) var badge: PassedBadge?
    init(_ name: String) { self.name = name }
}

@Model class PassedBadge {
    var text: String
    @Relationship var owner: any PassedOwner

    init(_ text: String, _ owner: any PassedOwner) {
        self.text = text
        self.owner = owner
    }
}

@Model final class GoldBadge: PassedBadge {
    @Relationship var giver: PassedPerson

    init(_ text: String, _ owner: any PassedOwner, giver: PassedPerson) {
        self.giver = giver
        super.init(text, owner)
    }
}

@Model(deletion: .mark) final class PassedNote {
    @Attribute(.primaryKey) var number: Int
    var text: String
    var book: PassedBook?

    init(_ number: Int, _ text: String) {
        self.number = number
        self.text = text
    }
}

@Model final class PassedBook {
    @Relationship(deleteRule: .cascade, inverse: \PassedNote.book) var notes: [PassedNote] = []
    init() {}
}

@Model final class PassedReader {
    @Relationship var note: PassedNote?
    init() {}
}

/// A new object takes the declared key of one that is deleted in the same save. The database took its key out
/// of the rows that refer to the new one, and refused those that have to refer to one.
struct PassedKeyTests {
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(
            PassedCrate.self,
            PassedPart.self,
            PassedThing.self,
            PassedLabel.self,
            PassedTag.self
        )
    }

    private func crate(_ context: ModelContext, _ number: Int = 5) throws -> PassedCrate {
        let all = try context.fetch(FetchDescriptor<PassedCrate>())
        return try #require(all.first { $0.number == number })
    }

    /// A crate with one of everything, and a second one.
    private func fill(_ context: ModelContext) throws {
        let crate = PassedCrate(5, "old")
        context.insert(crate)
        context.insert(PassedCrate(6, "other"))
        context.insert(PassedPart("part", crate))
        for name in ["thing", "left"] {
            let thing = PassedThing(name)
            context.insert(thing)
            (thing.crate, thing.spare) = (crate, crate)
        }
        crate.labels = [PassedLabel("a"), PassedLabel("b")]
        crate.tags = [PassedTag("t")]
        try context.save()
    }

    private func thing(_ name: String, _ context: ModelContext) throws -> PassedThing {
        let all = try context.fetch(FetchDescriptor<PassedThing>())
        return try #require(all.first { $0.name == name })
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `what refers to the new object stays with it`(_ kind: StoreKind, _ isLate: Bool) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        try fill(context)
        let (old, thing) = (try crate(context), try thing("thing", context))
        let new = PassedCrate(5, "new")
        context.insert(new)
        new.parts = old.parts
        new.labels = old.labels
        new.tags = old.tags
        if isLate { context.delete(old) }
        (thing.crate, thing.spare) = (new, new)
        if !isLate { context.delete(old) }
        try context.save()
        #expect(!context.hasChanges && old.isDeleted && thing.crate === new && thing.spare === new)

        let other = ModelContext(container)
        let found = try crate(other)
        #expect(found.name == "new" && found.parts.map(\.name) == ["part"])
        #expect(found.things.map(\.name) == ["thing"] && found.tags.map(\.name) == ["t"])
        #expect(found.labels.map(\.name) == ["a", "b"])
        #expect(try self.thing("thing", other).spare === found)
        let left = try self.thing("left", other)
        #expect(left.crate == nil && left.spare == nil)
        #expect(try other.fetchCount(FetchDescriptor<PassedPart>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `what has referred to others is given to the new object`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        try fill(context)
        let old = try crate(context)
        let part = try #require(old.parts.first)
        let second = try crate(context, 6)
        part.crate = second
        try context.save()
        // Both go, and each would take the part with it.
        let new = PassedCrate(5, "new")
        context.insert(new)
        part.crate = new
        part.name = "moved"
        context.delete(old)
        context.delete(second)
        try context.save()
        let parts = try ModelContext(container).fetch(FetchDescriptor<PassedPart>())
        #expect(parts.map(\.name) == ["moved"] && parts.first?.crate.name == "new")
    }

    /// The reference is the key, and this context has not changed that.
    @Test(arguments: StoreKind.allCases)
    func `where others lead the reference to another object it stays`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let (context, other) = (ModelContext(container), ModelContext(container))
        try fill(context)
        let (old, thing) = (try crate(context), try thing("thing", context))
        let new = PassedCrate(5, "new")
        context.insert(new)
        context.delete(old)
        (thing.spare, thing.crate) = (new, new)
        try self.thing("thing", other).spare = try crate(other, 6)
        try other.save()
        try context.save()
        let stored = try self.thing("thing", ModelContext(container))
        #expect(thing.spare?.name == "other" && thing.crate === new)
        #expect(stored.spare?.name == "other" && stored.crate?.name == "new")
    }

    @Test(arguments: StoreKind.allCases)
    func `an object told by a protocol is one of them`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        let (shop, old, job) = (WorkShop("s"), ShopEngineer("e"), ShopJob("j"))
        for object in [shop, old, job] as [any PersistentModel] { context.insert(object) }
        shop.workers = [old]
        (job.owner, job.helper) = (old, old)
        try context.save()
        let new = ShopEngineer("e")
        context.insert(new)
        new.skill = "new"
        shop.workers = [new]
        (job.owner, job.helper) = (new, new)
        context.delete(old)
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<ShopJob>())
        #expect((stored.first?.owner as? ShopEngineer)?.skill == "new")
        #expect((stored.first?.helper as? ShopEngineer)?.shop?.title == "s")
        // A query that sees what waits has it, too.
        let third = ShopEngineer("e")
        context.insert(third)
        (job.owner, job.helper) = (third, third)
        context.delete(new)
        let helped = #Predicate<ShopJob> { $0.helper != nil && $0.owner != nil }
        #expect(try context.fetchCount(FetchDescriptor(predicate: helped)) == 1)
        context.rollback()
        #expect(job.helper === new && job.owner === new)
    }

    /// The rules of the database take a marked row with its owner, which is not marked.
    @Test(arguments: StoreKind.allCases)
    func `an object comes back whose row goes with its owner`(_ kind: StoreKind) throws {
        let container = try kind.container(PassedNote.self, PassedBook.self, PassedReader.self)
        let context = ModelContext(container)
        let (book, note, reader) = (PassedBook(), PassedNote(5, "old"), PassedReader())
        for object in [book, note, reader] as [any PersistentModel] { context.insert(object) }
        note.book = book
        try context.save()
        context.delete(note)
        try context.save()
        let new = PassedNote(5, "new")
        context.insert(new)
        reader.note = new
        context.delete(book)
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<PassedReader>())
        #expect(found.first?.note?.text == "new" && found.first?.note?.book == nil)
    }

    /// One of the columns of such a relationship always holds a key, and so does that of a subclass.
    @Test(arguments: StoreKind.allCases)
    func `what has to refer to one of several classes does so`(_ kind: StoreKind) throws {
        let container = try kind.container(
            PassedPerson.self,
            PassedFirm.self,
            PassedBadge.self,
            GoldBadge.self
        )
        let context = ModelContext(container)
        let (old, firm) = (PassedPerson("p"), PassedFirm("f"))
        let (gold, plain) = (GoldBadge("g", firm, giver: old), PassedBadge("b", old))
        for object in [old, firm, gold, plain] as [any PersistentModel] { context.insert(object) }
        try context.save()
        let new = PassedPerson("p")
        context.insert(new)
        plain.owner = new
        gold.giver = new
        context.delete(old)
        try context.save()
        let other = ModelContext(container)
        let badges = try other.fetch(
            FetchDescriptor<PassedBadge>(sortBy: [SortDescriptor(\.text)])
        )
        #expect(badges.map(\.text) == ["b", "g"] && badges[0].owner is PassedPerson)
        #expect((badges[1] as? GoldBadge)?.giver.badge === badges[0])
        #expect((badges[1].owner as? PassedFirm)?.name == "f")
    }
}
