import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model(deletion: .mark) struct Leaflet: Identifiable, Equatable, Sendable {
    let id: UUID
    var tags: [String] = []
    var due: Date?
}

/// Deleted ones are marked; each may belong to another, also in a circle.
@Model(naming: .snakeCase, deletion: .mark) struct Person: Identifiable, Equatable, Sendable {
    #Unique<Person>([\.familyName, \.givenName])

    let id: String
    var familyName: String
    var givenName: String
    @Attribute(.references(Person.self, deleteRule: .nullify)) var bestFriend: String?

    init(_ id: String, _ family: String, _ given: String, friend: String? = nil) {
        (self.id, familyName, givenName, bestFriend) = (id, family, given, friend)
    }
}

/// Marks with keys of other kinds, circles, several contexts and merges.
@Suite struct MarkShapeTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        ModelContext(
            try kind.following(
                Leaflet.self,
                Person.self,
                MergeConflict.self,
                MissingReference.self
            )
        )
    }

    private func people(_ context: ModelContext) throws -> [Person] {
        try context.fetch(
            FetchDescriptor<Person>(sortBy: [SortDescriptor(\.id, comparator: .lexical)])
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `random keys and embedded lists come back`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let all = (0..<500).map {
            Leaflet(id: UUID(), tags: ["\($0)"], due: $0 % 2 == 0 ? nil : .distantPast)
        }
        try context.synchronize(all.shuffled())
        try context.save()
        try context.synchronize(all.prefix(100) + all.prefix(3))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Leaflet>()) == 100)
        #expect(try context.all(Leaflet.self, .only).count == 400)
        let some = all[200]
        #expect(try context.fetch(Leaflet.self, id: some.id) == nil)
        #expect(try context.deletionDate(of: Leaflet.self, id: some.id) != nil)
        try context.synchronize(all)
        try context.save()
        let stored = try context.all(Leaflet.self)
        #expect(Set(stored.map(\.id)) == Set(all.map(\.id)))
        #expect(stored.first { $0.id == some.id } == some)
        #expect(try context.synchronize(all).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a circle of references is marked and comes back`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let circle = [
            Person("a", "Ray", "Ann", friend: "b"), Person("b", "Ray", "Bob", friend: "c"),
            Person("c", "Ray", "Cid", friend: "a"),
        ]
        try context.synchronize(circle)
        try context.save()
        try context.synchronize([Person("b", "Ray", "Bob"), Person("d", "Ray", "Ann")])
        try context.save()
        #expect(try people(context).map(\.id) == ["b", "d"])
        // The name of a deleted one is another's by now.
        do {
            try context.synchronize(circle + [Person("d", "Ray", "Ann")])
            try context.save()
            Issue.record("two of one name")
        } catch let error as StoreError {
            #expect(error.kind == .uniqueViolation)
            context.rollback()
        }
        try context.synchronize(circle)
        try context.save()
        #expect(try people(context) == circle)
        // One refers to what is deleted here.
        context.delete(circle[1])
        try context.save()
        #expect(try people(context).map(\.bestFriend) == [nil, "a"])
        let page = SynchronizeScope<Person>.page(after: nil, through: "a")
        try context.synchronize([circle[0]], scope: page, unknownReferences: .keep)
        try context.save()
        #expect(try people(context).map(\.bestFriend) == [nil, "a"])
        try context.synchronize(circle)
        try context.save()
        #expect(try people(context) == circle)
        #expect(try context.fetchCount(FetchDescriptor<MissingReference>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `two contexts mark one row, and one brings it back`(_ kind: StoreKind) throws {
        let first = try context(kind)
        first.insert(Person("a", "Ray", "Ann"))
        try first.save()
        let second = ModelContext(first.container)
        first.delete(Person("a", "", ""))
        second.delete(Person("a", "", ""))
        try first.save()
        try second.save()
        #expect(try people(first).isEmpty)
        first.insert(Person("a", "Ray", "Ann"))
        second.insert(Person("a", "Ray", "Eve"))
        try first.save()
        #expect(throws: StoreError.self) { try second.save() }
        second.rollback()
        #expect(try people(second).map(\.givenName) == ["Ann"])
        // What is deleted between a list and its save.
        try second.synchronize([Person("a", "Ray", "Other")])
        first.delete(Person("a", "", ""))
        try first.save()
        let outdated = #expect(throws: StoreError.self) { try second.save() }
        #expect(outdated?.kind == .planOutdated)
    }

    @Test(arguments: StoreKind.allCases)
    func `conflicts about marked rows are kept and resolved`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let base = [Person("a", "Ray", "Ann"), Person("b", "Ray", "Bob")]
        try context.synchronize(base)
        try context.save()
        context.delete(base[0])
        context.update(Person("b", "Ray", "Rob"))
        try context.save()
        let keep = LocalChangePolicy<Person>.merge(conflicts: .keep)
        try context.synchronize([Person("a", "Ray", "Anna")], localChanges: keep)
        try context.save()
        let conflicts = try context.fetch(FetchDescriptor<MergeConflict>())
        #expect(conflicts.count == 2)
        #expect(try people(context).map(\.givenName) == ["Rob"])
        for conflict in conflicts { try context.resolve(conflict, taking: .remote) }
        try context.save()
        #expect(try people(context) == [Person("a", "Ray", "Anna")])
        #expect(try context.localChanges(of: Person.self).isEmpty)
        #expect(try context.all(Person.self, .only).map(\.id) == ["b"])
    }
}
