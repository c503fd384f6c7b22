import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model struct Freight: Identifiable, Equatable {
    var id: Int
    @Attribute(.references(Crew.self, deleteRule: .nullify)) var crew: String?
    var weight: Int
}

/// Lists of what belongs to one row.
@Suite struct WithinTests {
    private func parcels(_ context: ModelContext) throws -> [Freight] {
        try context.fetch(FetchDescriptor<Freight>(sortBy: [SortDescriptor(\.id)]))
    }

    @Test(arguments: StoreKind.allCases)
    func `the rows of one parent become those of the list`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Crew.self, Freight.self))
        try context.store([Crew(id: "a", title: "A"), Crew(id: "b", title: "B")])
        try context.store([
            Freight(id: 1, crew: "a", weight: 1), Freight(id: 2, crew: "a", weight: 1),
            Freight(id: 3, crew: "b", weight: 1), Freight(id: 4, weight: 1),
        ])
        // One stays, one comes from another parent, one is new.
        let list = [
            Freight(id: 2, crew: "a", weight: 1), Freight(id: 3, crew: "a", weight: 1),
            Freight(id: 5, crew: "a", weight: 1),
        ]
        let changes = try context.synchronize(list, scope: .within(\.crew, "a"))
        #expect(changes.deleted == [1] && changes.updated == [3] && changes.inserted == [5])
        try context.save()
        #expect(try parcels(context).map(\.id) == [2, 3, 4, 5])
        #expect(try context.synchronize(list, scope: .within(\.crew, "a")).isEmpty)
        // Those of none.
        #expect(
            try context.synchronize([], scope: SynchronizeScope<Freight>.within(\.crew, nil))
                .deleted == [4]
        )
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize(list, scope: .within(\.crew, "b"))
        }
        #expect(error?.reason == .outsideScope && error?.positions == [0, 1, 2])
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan of the rows of one parent is applied`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Crew.self, Freight.self))
        try context.store([Crew(id: "a", title: "A")])
        try context.store([Freight(id: 1, crew: "a", weight: 1), Freight(id: 2, weight: 1)])
        let list = [Freight(id: 3, crew: "a", weight: 3)]
        let plan = try context.plan(list, scope: .within(\.crew, "a"))
        #expect(plan.summary == "Freight: 1 inserted, 0 updated, 1 deleted, 0 kept")
        try context.apply(plan, of: list)
        try context.save()
        #expect(try parcels(context).map(\.id) == [2, 3])
    }

    @Test func `an index serves the rows of one parent`() throws {
        let context = ModelContext(try StoreKind.sqlite.container(Crew.self, Freight.self))
        let descriptor = FetchDescriptor<Freight>(predicate: #Predicate { $0.crew == "a" })
        let plan = try context.explain(descriptor)
        #expect(plan.steps.contains { $0.contains("index") }, "\(plan)")
    }
}
