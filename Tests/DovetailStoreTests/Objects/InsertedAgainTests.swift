import Dovetail
import StoreTestSupport
import Testing

/// An object that has left its context with what it held, by a rollback or a transaction that throws, and is
/// inserted again: its list had what was in another one, too, and the row said so.
struct InsertedAgainTests {
    private struct Stop: Error {}

    /// How a new object leaves.
    enum Leaving: CaseIterable { case rollback, transaction, saved }

    private func leave(
        _ context: ModelContext,
        _ leaving: Leaving,
        _ body: () throws -> Void
    ) throws {
        guard leaving != .rollback else {
            try body()
            return context.rollback()
        }
        #expect(throws: Stop.self) {
            try context.transaction {
                try body()
                if leaving == .saved { try context.save() }
                throw Stop()
            }
        }
    }

    private func crates(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(
            PassedCrate.self,
            PassedPart.self,
            PassedThing.self,
            PassedLabel.self,
            PassedTag.self
        )
    }

    @Test(arguments: StoreKind.allCases, Leaving.allCases)
    func `lists are in step again`(_ kind: StoreKind, _ leaving: Leaving) throws {
        let context = ModelContext(try crates(kind))
        let old = PassedCrate(1, "old")
        let things = ["a", "b"].map { PassedThing($0) }
        let (label, tag, part) = (PassedLabel("l"), PassedTag("t"), PassedPart("p", old))
        old.things = things
        old.labels = [label]
        old.tags = [tag]
        for object in [old, part] as [any PersistentModel] { context.insert(object) }
        try context.save()

        let new = PassedCrate(2, "new")
        let fresh = PassedThing("c")
        try leave(context, leaving) {
            context.insert(new)
            new.things = [things[1], fresh]
            new.labels = [label]
            new.tags = [tag]
            part.crate = new
            things[0].spare = new
        }
        #expect(things[1].crate === old && part.crate === old && old.things.count == 2)
        context.insert(new)
        #expect(things[1].crate === new && fresh.crate === new && old.things == [things[0]])
        #expect(new.things == [things[1], fresh] && old.labels.isEmpty && new.labels == [label])
        #expect(part.crate === new && new.parts == [part] && old.parts.isEmpty)
        try context.save()
        let other = ModelContext(context.container)
        let stored = try other.fetch(
            FetchDescriptor<PassedCrate>(sortBy: [SortDescriptor(\.number)])
        )
        #expect(stored.map { $0.things.map(\.name) } == [["a"], ["b", "c"]])
        #expect(stored.map { $0.labels.map(\.name) } == [[], ["l"]])
        #expect(stored.map { $0.tags.map(\.name) } == [["t"], ["t"]])
        #expect(stored.map { $0.parts.map(\.name) } == [[], ["p"]])
    }

    /// The rows of their pairs have gone with the transaction.
    @Test(arguments: StoreKind.allCases, Leaving.allCases)
    func `pairs of new objects are written again`(_ kind: StoreKind, _ leaving: Leaving) throws {
        for hasWaiting in [false, true] {
            let context = ModelContext(try crates(kind))
            if hasWaiting { context.insert(PassedCrate(9, "waits")) }
            let (crate, tag) = (PassedCrate(1, "c"), PassedTag("t"))
            crate.tags = [tag]
            crate.things = [PassedThing("a")]
            try leave(context, leaving) { context.insert(crate) }
            #expect(crate.tags == [tag] && tag.crates == [crate] && tag.modelContext == nil)
            context.insert(crate)
            try context.save()
            #expect(crate.tags == [tag] && tag.crates == [crate])
            let stored = try ModelContext(context.container).fetch(FetchDescriptor<PassedTag>())
            #expect(stored.map { $0.crates.map(\.name) } == [["c"]])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits to be another one's stays there`(_ kind: StoreKind) throws {
        let context = ModelContext(try crates(kind))
        let (old, third) = (PassedCrate(1, "old"), PassedCrate(3, "third"))
        let thing = PassedThing("a")
        for object in [old, third, thing] as [any PersistentModel] { context.insert(object) }
        thing.crate = old
        try context.save()
        let new = PassedCrate(2, "new")
        context.insert(new)
        new.things = [thing]
        context.rollback()
        thing.crate = third
        context.insert(new)
        #expect(thing.crate === third && new.things.isEmpty && third.things == [thing])
        try context.save()
        let other = ModelContext(context.container)
        let stored = try other.fetch(FetchDescriptor<PassedThing>())
        #expect(stored.first?.crate?.name == "third")
    }

    @Test(arguments: StoreKind.allCases, Leaving.allCases)
    func `references of its own are told`(_ kind: StoreKind, _ leaving: Leaving) throws {
        let context = ModelContext(try crates(kind))
        let crate = PassedCrate(1, "c")
        crate.things = [PassedThing("a")]
        context.insert(crate)
        try context.save()
        let thing = PassedThing("b")
        var made: PassedPart?
        try leave(context, leaving) {
            context.insert(thing)
            thing.crate = crate
            made = PassedPart("p", crate)
        }
        let part = try #require(made)
        #expect(crate.things.count == 1 && crate.parts.isEmpty)
        context.insert(thing)
        context.insert(part)
        #expect(crate.things.map(\.name) == ["a", "b"] && crate.parts == [part])
        try context.save()
        let other = ModelContext(context.container)
        let stored = try other.fetch(FetchDescriptor<PassedCrate>())
        #expect(stored[0].things.map(\.name) == ["a", "b"] && stored[0].parts.count == 1)
    }

    @Test(arguments: StoreKind.allCases, Leaving.allCases)
    func `so are those of protocols`(_ kind: StoreKind, _ leaving: Leaving) throws {
        let context = ModelContext(try kind.shops())
        let (first, manager, engineer) = (WorkShop("1"), ShopManager("m"), ShopEngineer("e"))
        let job = ShopJob("j", owner: manager)
        for object in [first, manager, engineer, job] as [any PersistentModel] {
            context.insert(object)
        }
        first.workers = [manager, engineer]
        try context.save()
        let (second, boss) = (WorkShop("2"), ShopManager("b"))
        try leave(context, leaving) {
            context.insert(second)
            second.workers = [engineer, boss]
            boss.jobs = [job]
        }
        #expect(first.workers.map(\.name) == ["m", "e"] && job.owner === manager)
        context.insert(second)
        #expect(first.workers.map(\.name) == ["m"] && second.workers.map(\.name) == ["e", "b"])
        #expect(engineer.shop === second && job.owner === boss && manager.jobs.isEmpty)
        try context.save()
        let other = ModelContext(context.container)
        let stored = try other.fetch(
            FetchDescriptor<WorkShop>(sortBy: [SortDescriptor(\.title)])
        )
        #expect(stored.map { $0.workers.map(\.name) } == [["m"], ["e", "b"]])
    }

    @Test(arguments: StoreKind.allCases, Leaving.allCases)
    func `and those to one on both sides`(_ kind: StoreKind, _ leaving: Leaving) throws {
        let context = ModelContext(try kind.cards())
        let (ann, card) = (CardHolder("ann"), PaperCard(1))
        ann.card = card
        context.insert(ann)
        try context.save()
        let (bob, second) = (CardHolder("bob"), ChipCard(2))
        try leave(context, leaving) {
            context.insert(bob)
            bob.card = card
            context.insert(second)
            second.holder = ann
        }
        #expect(ann.card === card && card.holder === ann)
        context.insert(bob)
        #expect(ann.card == nil && bob.card === card && card.holder === bob)
        context.insert(second)
        #expect(ann.card === second && second.holder === ann)
        try context.save()
        let other = ModelContext(context.container)
        let stored = try other.fetch(
            FetchDescriptor<CardHolder>(sortBy: [SortDescriptor(\.name)])
        )
        #expect(stored.map { $0.card?.number } == [2, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `the key of a row stays`(_ kind: StoreKind) throws {
        let context = ModelContext(try crates(kind))
        let (crate, last) = (PassedCrate(1, "a"), PassedCrate(9, "z"))
        context.insert(crate)
        context.insert(last)
        // It is no row yet.
        crate.number = 2
        try context.save()
        crate.number = 3
        crate.name = "b"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObject && error?.column == "number")
        #expect(context.hasChanges)
        crate.number = 2
        try context.save()
        crate.number = 9
        #expect(throws: StoreError.self) { try context.save() }
        #expect(throws: StoreError.self) { try context.transaction { last.name = "y" } }
        context.rollback()
        #expect(crate.number == 2 && crate.name == "b")
        let other = ModelContext(context.container)
        let stored = try other.fetch(
            FetchDescriptor<PassedCrate>(sortBy: [SortDescriptor(\.number)])
        )
        #expect(stored.map { "\($0.number)\($0.name)" } == ["2b", "9z"])
    }
}
