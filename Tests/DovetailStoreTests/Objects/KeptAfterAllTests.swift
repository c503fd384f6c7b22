import Dovetail
import StoreTestSupport
import Testing

@Model private final class AfterAllPerson {
    var note = "x"
    var boss: AfterAllPerson?
    @Relationship(inverse: \AfterAllPerson.boss) var reports: [AfterAllPerson] = []
    @Relationship(inverse: \AfterAllTag.people) var tags: [AfterAllTag] = []

    init() {}
}

@Model private final class AfterAllTag: Entity {
    @Attribute(.primaryKey) var name: String
    var uses = 0
    var people: [AfterAllPerson] = []

    init(_ name: String) { self.name = name }
}

/// An object that waits to be deleted, and is inserted again; one that has the key of one whose row others delete.
@Suite struct KeptAfterAllTests {
    @Test(arguments: StoreKind.allCases, [false, true])
    func `what was set in between is stored`(_ kind: StoreKind, isInTransaction: Bool) throws {
        let context = ModelContext(try kind.container(AfterAllPerson.self, AfterAllTag.self))
        let (person, boss, tag) = (AfterAllPerson(), AfterAllPerson(), AfterAllTag("t"))
        boss.note = "boss"
        context.insert(person)
        (person.boss, person.tags) = (boss, [tag])
        try context.save()
        func change() {
            context.delete(person)
            person.note = "y"
            person.boss = nil
            // Its lists concern nobody as long as it is deleted.
            person.tags = []
            context.insert(person)
        }
        if isInTransaction { try context.transaction { change() } } else { change() }
        #expect(context.hasChanges == !isInTransaction)
        #expect(person.tags == [tag] && tag.people == [person] && boss.reports.isEmpty)
        try context.save()
        let stored = try ModelContext(context.container).fetch(
            FetchDescriptor<AfterAllPerson>(predicate: #Predicate { $0.note != "boss" })
        )
        #expect(stored.map(\.note) == ["y"] && stored[0].boss == nil && stored[0].tags.count == 1)
        person.note = "z"
        context.rollback()
        #expect(person.note == "y")

        // Nothing was set, so nothing waits.
        context.delete(person)
        context.insert(person)
        #expect(!context.hasChanges)
        context.delete(person)
        person.note = "w"
        context.insert(person)
        context.rollback()
        #expect(person.note == "y" && !context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases, [0, 1, 2])
    func `a new one is found when others have deleted the row that has its key`(
        _ kind: StoreKind,
        throwing count: Int
    ) throws {
        let container = try kind.container(AfterAllPerson.self, AfterAllTag.self)
        let (others, context) = (ModelContext(container), ModelContext(container))
        let tag = AfterAllTag("t")
        others.insert(tag)
        try others.save()
        let old = try #require(try context.fetch(FetchDescriptor<AfterAllTag>()).first)
        let new = AfterAllTag("t")
        new.uses = 7
        context.insert(new)
        others.delete(tag)
        try others.save()
        for _ in 0..<count {
            #expect(throws: CancellationError.self) {
                try context.transaction {
                    (old.uses, new.uses) = (3, 8)
                    throw CancellationError()
                }
            }
        }
        #expect(try context.fetch(FetchDescriptor<AfterAllTag>()) == [new])
        #expect(try context.fetchCount(FetchDescriptor<AfterAllTag>()) == 1)
        #expect(context.model(for: new.persistentModelID) === new)
        #expect(old.isDeleted && !new.isDeleted)
        let found = try AfterAllTag.findOrCreate(in: context, where: #Predicate { $0.name == "t" })
        {
            AfterAllTag("t")
        }
        #expect(found === new && new.uses == 7)
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<AfterAllTag>())
        #expect(stored.map(\.uses) == [7])
        #expect(try context.fetch(FetchDescriptor<AfterAllTag>()) == [new])
    }
}
