import Dovetail
import StoreTestSupport
import Testing

/// Unique groups and foreign keys.
@Suite struct ConstraintTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try .inMemory(Worker.self))
        context.insert(contentsOf: [
            Team(id: 1, name: "red"), Team(id: 2, name: "blue", parent: 1),
            Team(id: 3, name: "sky", parent: 2),
        ])
        context.insert(
            contentsOf: [
                .made(1, email: "a@x", team: 1), .made(2, team: 3, boss: 1), .made(3),
            ] as [Worker]
        )
        try context.save()
    }

    /// Expects what waits not to be saved, and to be forgotten then.
    private func expectRefusal(
        _ kind: StoreError.Kind,
        _ table: String,
        _ column: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try context.save()
        }
        #expect(error?.kind == kind, sourceLocation: sourceLocation)
        #expect(error?.table == table, sourceLocation: sourceLocation)
        #expect(error?.column == column, sourceLocation: sourceLocation)
        context.rollback()
    }

    private func workers() throws -> [Worker] {
        try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.id)]))
    }

    @Test func `a unique column holds each value once, and nil often`() throws {
        context.insert(Worker.made(4, email: "a@x"))
        try expectRefusal(.uniqueViolation, "Worker", "e_mail")
        context.upsert(Worker.made(3, email: "a@x"))
        try expectRefusal(.uniqueViolation, "Worker", "e_mail")
        context.insert(Worker.made(4))
        try context.save()
        #expect(try workers().count == 4)
    }

    @Test func `a unique group holds each combination once`() throws {
        context.insert(Worker.made(4, badge: 3))
        try expectRefusal(.uniqueViolation, "Worker", "city, badge")
        var other = Worker.made(4, badge: 3)
        other.city = "Oslo"
        context.insert(other)
        try context.save()
    }

    @Test func `a reference to a row that does not exist is refused at the end of the save`() throws
    {
        context.insert(Worker.made(4, team: 9))
        try expectRefusal(.foreignKeyViolation, "Worker", "team")
        context.insert(Worker.made(4, team: 9))
        context.insert(Team(id: 9, name: "late"))
        try context.save()
        #expect(try workers().last?.team == 9)
    }

    @Test func `a row that others refer to cannot be deleted without them`() throws {
        context.delete(Worker.made(1))
        try expectRefusal(.foreignKeyViolation, "Worker", "boss")
        context.delete([Worker.made(1), Worker.made(2)])
        try context.save()
        #expect(try workers().map(\.id) == [3])
    }

    @Test func `deleting a team deletes those under it, and its workers have none`() throws {
        context.delete(Team(id: 1, name: ""))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Team>()) == 0)
        #expect(try workers().map(\.team) == [nil, nil, nil])
    }

    @Test func `a deletion by a predicate follows the rules, too`() throws {
        try context.delete(model: Team.self, where: #Predicate { $0.name == "blue" })
        #expect(try context.fetch(FetchDescriptor<Team>()).map(\.id) == [1])
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Team>()).map(\.id) == [1])
        #expect(try workers().map(\.team) == [1, nil, nil])
    }

    @Test func `a violation inside of a transaction undoes the whole of it`() throws {
        #expect(throws: StoreError.self) {
            try context.transaction {
                context.delete(Team(id: 3, name: ""))
                try context.save()
                context.insert(Worker.made(4, boss: 77))
            }
        }
        #expect(try context.fetchCount(FetchDescriptor<Team>()) == 3)
        #expect(try workers().count == 3)
    }

    @Test func `a model that is referred to need not be named`() throws {
        #expect(context.container.schema.entities.map(\.table) == ["Worker", "Team"])
    }

    @Model struct Bad: Identifiable {
        let id: Int
        @Attribute(.references(Memo.self)) var memo: String
    }
    @Model struct Pair: Identifiable {
        let id: Int
        @Attribute(.references(Visit.self)) var visit: Int
    }

    @Test(arguments: [(Bad.self, "memo"), (Pair.self, "visit")] as [(any Model.Type, String)])
    func `a reference that does not fit the key is refused`(
        model: any Model.Type,
        column: String
    ) throws {
        let error = #expect(throws: StoreError.self) { try ModelContainer.inMemory(model) }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.column == column)
    }
}
