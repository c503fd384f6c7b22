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

    @Test(arguments: StoreKind.allCases)
    func `what delete rules will do is seen before it is saved`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Worker.self))
        context.insert(contentsOf: [Team(id: 1, name: "a"), Team(id: 2, name: "b", parent: 1)])
        context.insert(Worker.made(1, team: 2))
        try context.save()
        context.insert(Worker.made(2, team: 2))
        context.delete(Team(id: 1, name: ""))
        #expect(try context.fetchCount(FetchDescriptor<Team>()) == 0)
        let workers = FetchDescriptor<Worker>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(workers).map(\.team) == [nil, nil])
        context.rollback()
        #expect(try context.fetchCount(FetchDescriptor<Team>()) == 2)
        #expect(try context.fetch(workers).map(\.team) == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func `rows of one update swap unique values`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Worker.self))
        context.insert(contentsOf: [Worker.made(1, email: "a"), Worker.made(2, email: "b")])
        try context.save()
        let swapped = [Worker.made(1, email: "b", badge: 2), Worker.made(2, email: "a", badge: 1)]
        context.update(swapped)
        try context.save()
        let workers = FetchDescriptor<Worker>(sortBy: [SortDescriptor(\.id)])
        #expect(try context.fetch(workers) == swapped)
        context.upsert([Worker.made(1, email: "a"), Worker.made(2, email: "b"), .made(3)])
        try context.save()
        #expect(try context.fetch(workers).map(\.email) == ["a", "b", nil])
    }

    @Test(arguments: StoreKind.allCases)
    func `rows that wait are found by unique values`(kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Worker.self))
        func found(_ email: String?) throws -> [Int] {
            let named = FetchDescriptor<Worker>(
                predicate: #Predicate { $0.email == email },
                sortBy: [SortDescriptor(\.id)]
            )
            return try context.fetch(named).map(\.id)
        }
        for number in 0..<20 where try found("\(number % 7)").isEmpty {
            context.insert(Worker.made(number, email: "\(number % 7)"))
        }
        #expect(try found("3") == [3])
        context.update(Worker.made(3, email: "x"))
        context.insert(contentsOf: [Worker.made(30), Worker.made(31)])
        #expect(try found("3") == [])
        #expect(try found("x") == [3])
        #expect(try found(nil) == [30, 31])
        context.delete(Worker.made(3))
        #expect(try found("x") == [])
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Worker>()) == 8)
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
