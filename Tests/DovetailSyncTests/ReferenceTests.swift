import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model struct Crew: Identifiable, Equatable {
    var id: String
    var title: String
}

@Model struct Sailor: Identifiable, Equatable {
    var id: Int
    var name: String
    @Attribute(.references(Crew.self, deleteRule: .nullify), name: "crew_id") var crewID: String?
    @Attribute(.references(Sailor.self, deleteRule: .nullify)) var mate: Int?
}

@Model struct Cabin: Identifiable, Equatable {
    var id: Int
    @Attribute(.references(Crew.self, deleteRule: .cascade)) var crew: String
}

/// References in lists, to rows that are there, that come later, or never.
@Suite struct ReferenceTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(
            try kind.container(Crew.self, Sailor.self, Cabin.self, MissingReference.self)
        )
    }

    private func sailors(_ context: ModelContext) throws -> [Sailor] {
        try context.fetch(FetchDescriptor<Sailor>(sortBy: [SortDescriptor(\.id)]))
    }

    private func missing(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<MissingReference>()).map { "\($0)" }.sorted()
    }

    @Test(arguments: StoreKind.allCases)
    func `rows that are referred to may come later in the same save`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.synchronize([
            Sailor(id: 1, name: "a", crewID: "x", mate: 2), Sailor(id: 2, name: "b"),
        ])
        try context.synchronize([Crew(id: "x", title: "X")])
        try context.save()
        #expect(try sailors(context).map(\.crewID) == ["x", nil])
        try context.synchronize([Sailor(id: 3, name: "c", crewID: "y")])
        #expect(throws: StoreError.self) { try context.save() }
    }

    @Test(arguments: StoreKind.allCases)
    func `a reference to what is not there is left out, and a second run changes nothing`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        try context.store([Crew(id: "x", title: "X")])
        let list = [
            Sailor(id: 1, name: "a", crewID: "x", mate: 3), Sailor(id: 2, name: "b", crewID: "y"),
            Sailor(id: 3, name: "c", crewID: "y", mate: 7),
        ]
        try context.synchronize(list, unknownReferences: .ignore)
        try context.save()
        #expect(try sailors(context).map(\.crewID) == ["x", nil, nil])
        #expect(try sailors(context).map(\.mate) == [3, nil, nil])
        #expect(try context.synchronize(list, unknownReferences: .ignore).isEmpty)
        #expect(!context.hasChanges)
        #expect(try missing(context).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a kept reference is resolved by the list that brings its row`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let list = [
            Sailor(id: 1, name: "a", crewID: "x"), Sailor(id: 2, name: "b", crewID: "y"),
            Sailor(id: 3, name: "c", crewID: "y", mate: 4),
        ]
        try context.synchronize(list, unknownReferences: .keep)
        try context.save()
        #expect(try sailors(context).allSatisfy { $0.crewID == nil && $0.mate == nil })
        #expect(
            try missing(context) == [
                "Sailor.crew_id: no Crew", "Sailor.crew_id: no Crew", "Sailor.crew_id: no Crew",
                "Sailor.mate: no Sailor",
            ]
        )
        #expect(try context.synchronize(list, unknownReferences: .keep).isEmpty)
        #expect(!context.hasChanges)
        // Another context brings one of them, and what was kept is resolved in the same save.
        let other = ModelContext(context.container)
        try other.synchronize([Crew(id: "y", title: "Y")])
        try other.save()
        #expect(try sailors(context).map(\.crewID) == [nil, "y", "y"])
        #expect(try missing(context) == ["Sailor.crew_id: no Crew", "Sailor.mate: no Sailor"])
        #expect(try context.synchronize(list, unknownReferences: .keep).isEmpty)
        // One that comes by an insertion is resolved when it is asked for.
        context.insert(Crew(id: "x", title: "X"))
        #expect(try context.resolveMissingReferences() == 1)
        try context.save()
        #expect(try sailors(context).map(\.crewID) == ["x", "y", "y"])
        // The row of its own table, which comes in the next list.
        let longer = list + [Sailor(id: 4, name: "d")]
        try context.synchronize(longer, unknownReferences: .keep)
        try context.save()
        #expect(try sailors(context) == longer)
        #expect(try missing(context).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `what a row says by now, or that it is gone, counts more than what was kept`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        try context.store([Crew(id: "z", title: "Z")])
        let list = [
            Sailor(id: 1, name: "a", crewID: "x"), Sailor(id: 2, name: "b", crewID: "x"),
            Sailor(id: 3, name: "c", crewID: "x"),
        ]
        try context.synchronize(list, unknownReferences: .keep)
        try context.save()
        // One is set by hand, one given without a reference, one deleted.
        try context.update(Sailor.self, where: #Predicate { $0.id == 1 }) {
            try $0.set(\.crewID, "z")
        }
        try context.save()
        try context.synchronize([Sailor(id: 1, name: "a", crewID: "z"), Sailor(id: 2, name: "b")])
        try context.save()
        try context.synchronize([Crew(id: "x", title: "X"), Crew(id: "z", title: "Z")])
        try context.save()
        #expect(try sailors(context).map(\.crewID) == ["z", nil])
        #expect(try missing(context).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a reference that cannot be nil, and a container without the table, are refused`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        for policy in [UnknownReferences.ignore, .keep] {
            let error = #expect(throws: SynchronizeError.self) {
                try context.synchronize(
                    [Cabin(id: 1, crew: "x"), Cabin(id: 2, crew: "y")],
                    unknownReferences: policy
                )
            }
            #expect(error?.reason == .unknownReference && error?.positions == [0, 1])
        }
        #expect(!context.hasChanges)
        let bare = ModelContext(try kind.container(Crew.self, Sailor.self))
        let refused = #expect(throws: StoreError.self) {
            try bare.synchronize([Sailor(id: 1, name: "a")], unknownReferences: .keep)
        }
        #expect(refused?.kind == .invalidSchema)
    }

    /// Lists come in any order, with and without their rows; afterwards each reference leads to a row that is
    /// there, and when all rows are there, all say what the lists said.
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `references of random lists end where the lists say`(
        _ seed: UInt64,
        _ kind: StoreKind
    ) throws {
        var random = SeededRandom(seed: seed)
        let context = try context(kind)
        var list: [Sailor] = []
        for _ in 0..<30 {
            list = (0..<12).filter { _ in Bool.random(using: &random) }.map { id in
                Sailor(
                    id: id,
                    name: "n\(Int.random(in: 0..<3, using: &random))",
                    crewID: Bool.random(using: &random)
                        ? "c\(Int.random(in: 0..<5, using: &random))" : nil,
                    mate: Bool.random(using: &random) ? Int.random(in: 0..<12, using: &random) : nil
                )
            }
            try context.synchronize(list, unknownReferences: .keep)
            if Bool.random(using: &random) { try context.save() }
            let crews = (0..<5).filter { _ in Bool.random(using: &random) }
            try context.synchronize(crews.map { Crew(id: "c\($0)", title: "") })
            try context.save()
            let ids = Set(list.map(\.id))
            for (given, stored) in zip(list, try sailors(context)) {
                var expected = given
                if let crew = given.crewID, !crews.contains(where: { "c\($0)" == crew }) {
                    expected.crewID = nil
                }
                if let mate = given.mate, !ids.contains(mate) { expected.mate = nil }
                #expect(stored == expected)
            }
        }
    }
}
