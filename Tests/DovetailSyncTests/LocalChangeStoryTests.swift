import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model struct Fleet: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
}

@Model struct Vessel: Identifiable, Equatable, Sendable {
    let id: Int
    var name = "x"
    @Attribute(.references(Fleet.self, deleteRule: .nullify)) var fleet: Int?
}

@Model struct Hammock: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Fleet.self, deleteRule: .cascade)) var fleet: Int
}

/// What else happens between a list and its save, or around both.
@Suite struct LocalChangeStoryTests {
    private func context(_ kind: StoreKind, _ list: [Contact]) throws -> ModelContext {
        let context = ModelContext(try kind.following(Contact.self, MergeConflict.self))
        try context.synchronize(list, localChanges: .merge())
        try context.save()
        return context
    }

    private func changes(_ context: ModelContext) throws -> [LocalChange<Contact>] {
        try context.localChanges(of: Contact.self)
    }

    @Test(arguments: StoreKind.allCases)
    func `a change before a list in one transaction stays one`(_ kind: StoreKind) throws {
        let context = try context(kind, [Contact(1, "a"), Contact(5, "b")])
        try context.transaction {
            context.update(Contact(5, "mine"))
            try context.synchronize([Contact(1, "new")], scope: .page(after: nil, through: 1))
        }
        #expect(try changes(context).count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `a row that both have is changed before the save`(_ kind: StoreKind) throws {
        for policy in [LocalChangePolicy<Contact>.merge(), .replace] {
            let context = try context(kind, [Contact(1, "Ann"), Contact(2, "b")])
            let other = ModelContext(context.container)
            context.update(Contact(1, "Anna"))
            try context.save()
            try context.synchronize([Contact(1, "Anna"), Contact(2, "B")], localChanges: policy)
            other.update(Contact(1, "Annie"))
            try other.save()
            try context.save()
            #expect(
                try changes(context) == [.updated(Contact(1, "Annie"), Patch(["name": "Annie"]))]
            )
        }
    }

    /// The backend has it while its answer is on its way.
    @Test(arguments: StoreKind.allCases)
    func `a row that is deleted before its insertion is confirmed is told as deleted`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind, [Contact(1, "Ann")])
        context.insert(Contact(4, "d"))
        try context.save()
        let sent = try changes(context)
        context.delete(Contact(4, "d"))
        try context.save()
        #expect(try changes(context).isEmpty)
        try context.confirm(sent)
        try context.save()
        #expect(try changes(context) == [.deleted(4)])
        try context.synchronize([Contact(1, "Ann"), Contact(4, "d")], localChanges: .merge())
        try context.save()
        #expect(try context.contacts().map(\.id) == [1])
    }

    @Test(arguments: StoreKind.allCases)
    func `pages are saved together`(_ kind: StoreKind) throws {
        let context = try context(kind, [Contact(1, "Ann"), Contact(2, "b")])
        context.update(Contact(1, "mine"))
        try context.save()
        try context.synchronize([Contact(1, "Anne")], scope: .page(after: nil, through: 1))
        try context.synchronize([Contact(2, "B")], scope: .page(after: 1, through: nil))
        try context.save()
        #expect(try changes(context).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `what the rules of deletions do is nobody's change`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.following(Fleet.self, Vessel.self, Hammock.self))
        try context.synchronize([Fleet(id: 1, name: "a"), Fleet(id: 2, name: "b")])
        try context.save()
        try context.synchronize([
            Vessel(id: 1, fleet: 1), Vessel(id: 2, fleet: 2), Vessel(id: 3, fleet: 1),
        ])
        try context.synchronize([Hammock(id: 1, fleet: 1), Hammock(id: 2, fleet: 2)])
        try context.save()
        context.update(Vessel(id: 3, name: "mine", fleet: 1))
        try context.save()
        try context.synchronize([Fleet(id: 2, name: "B")], localChanges: .merge())
        try context.save()
        #expect(
            try context.localChanges(of: Vessel.self) == [
                .updated(Vessel(id: 3, name: "mine", fleet: nil), Patch(["name": "mine"]))
            ]
        )
        #expect(try context.localChanges(of: Hammock.self).isEmpty)
        try context.synchronize(
            [Vessel(id: 1, fleet: 2), Vessel(id: 2, fleet: 2), Vessel(id: 3, fleet: 2)],
            localChanges: .merge()
        )
        try context.save()
        #expect(try context.fetch(Vessel.self, id: 3) == Vessel(id: 3, name: "mine", fleet: 2))
    }

    @Test(arguments: StoreKind.allCases)
    func `a reference that is resolved is no change made here`(_ kind: StoreKind) throws {
        let context = ModelContext(
            try kind.following(Fleet.self, Vessel.self, MissingReference.self)
        )
        let vessels = [Vessel(id: 1, fleet: 7), Vessel(id: 2, fleet: 7)]
        try context.synchronize(vessels, unknownReferences: .keep, localChanges: .merge())
        try context.save()
        context.update(Vessel(id: 2, name: "mine", fleet: nil))
        try context.save()
        try context.synchronize([Fleet(id: 7, name: "a"), Fleet(id: 8, name: "b")])
        try context.save()
        #expect(try context.fetch(Vessel.self, id: 1)?.fleet == 7)
        #expect(try context.localChanges(of: Vessel.self).count == 1)
        try context.synchronize(
            [Vessel(id: 1, fleet: 8), Vessel(id: 2, fleet: 8)],
            localChanges: .merge()
        )
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<Vessel>(sortBy: [SortDescriptor(\.id)]))
                == [Vessel(id: 1, fleet: 8), Vessel(id: 2, name: "mine", fleet: 8)]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `after a list that replaces, nothing counts as changed`(_ kind: StoreKind) throws {
        let context = try context(kind, [Contact(1, "a"), Contact(2, "b"), Contact(3, "c")])
        context.delete(Contact(2, "b"))
        context.update(Contact(3, "C"))
        context.insert(Contact(4, "d"))
        try context.save()
        try context.synchronize([Contact(1, "a"), Contact(3, "C")])
        try context.save()
        #expect(try changes(context).isEmpty)
        // By a plan, too.
        context.update(Contact(1, "A"))
        context.update(Contact(3, "D"))
        try context.save()
        let list = [Contact(1, "A"), Contact(3, "c"), Contact(5, "e")]
        let plan = try context.plan(list)
        try context.apply(plan, of: list)
        try context.save()
        #expect(try changes(context).isEmpty)
        try plan.undo(in: context)
        try context.save()
        // All that was changed before is a change again, also what the list had in the same form: a backend that is
        // told twice loses nothing, and one that is not told may.
        let again = try changes(context)
        #expect(again.count == 2)
        for contact in [Contact(1, "A"), Contact(3, "D")] {
            #expect(again.contains { if case .updated(contact, _) = $0 { true } else { false } })
        }
        try context.synchronize(list, localChanges: .merge(conflicts: .listWins))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Contact>()) == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `a list that comes while a backend is told`(_ kind: StoreKind) throws {
        let context = try context(kind, [Contact(1, "Ann", "1"), Contact(2, "b")])
        context.update(Contact(1, "Anna", "1"))
        context.update(Contact(2, "B"))
        context.insert(Contact(3, "c"))
        try context.save()
        let told = try changes(context)
        let list = [Contact(1, "Ann", "11"), Contact(2, "B"), Contact(4, "d")]
        try context.synchronize(list, localChanges: .merge())
        try context.save()
        try context.confirm(told)
        try context.save()
        #expect(try changes(context).isEmpty)
        try context.synchronize(
            [Contact(1, "Anna", "12"), Contact(2, "bb"), Contact(4, "d")],
            localChanges: .merge()
        )
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<Contact>(sortBy: [SortDescriptor(\.id)]))
                == [Contact(1, "Anna", "12"), Contact(2, "bb"), Contact(4, "d")]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `before the first list all rows are new`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.following(Contact.self))
        context.insert(contentsOf: [Contact(1, "a"), Contact(2, "b")])
        try context.save()
        #expect(try changes(context) == [.inserted(Contact(1, "a")), .inserted(Contact(2, "b"))])
        try context.confirm([.inserted(Contact(2, "b"))])
        try context.save()
        #expect(try changes(context) == [.inserted(Contact(1, "a"))])
        try context.synchronize([Contact(3, "c")], localChanges: .merge())
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Contact>()) == 2)
        #expect(try changes(context) == [.inserted(Contact(1, "a"))])
    }

    @Test(arguments: StoreKind.allCases)
    func `a row that comes and goes, and a conflict about one, are no change`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind, [Contact(1, "a"), Contact(2, "b")])
        context.insert(Contact(9, "x"))
        context.update(Contact(1, "A"))
        try context.save()
        context.delete(Contact(9, "x"))
        try context.save()
        try context.synchronize([Contact(2, "b")], localChanges: .merge(conflicts: .keep))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<MergeConflict>()) == 1)
        context.delete(Contact(1, "A"))
        try context.save()
        try context.synchronize([Contact(2, "b")], localChanges: .merge(conflicts: .keep))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<MergeConflict>()) == 0)
        try context.synchronize([Contact(2, "c")], localChanges: .merge())
        try context.save()
        let rows = try context.container.store.withConnection {
            try $0.bases(of: context.container.schema.entity(Contact.self))
        }
        #expect(rows == .rows([]))
    }

    @Test func `a row that cannot be read is replaced`() throws {
        let folder = try TemporaryFolder()
        var configuration = ModelConfiguration(url: folder.file())
        configuration.history = StoreHistory()
        let context = ModelContext(
            try ModelContainer(for: Contact.self, configurations: configuration)
        )
        try context.synchronize([Contact(1, "a"), Contact(2, "b")])
        try context.save()
        try RawDatabase(folder.file()).execute("UPDATE Contact SET tags = '[' WHERE id = 1")
        try context.synchronize(
            [Contact(1, "a"), Contact(2, "b")],
            localChanges: .merge()
        )
        try context.save()
        #expect(try context.fetch(Contact.self, id: 1) == Contact(1, "a"))
        #expect(try changes(context).isEmpty)
    }

    @Test func `a history that was dropped begins anew`() throws {
        let folder = try TemporaryFolder()
        var configuration = ModelConfiguration(url: folder.file())
        configuration.history = StoreHistory()
        for step in 0..<2 {
            let context = ModelContext(
                try ModelContainer(for: Contact.self, configurations: configuration)
            )
            if step == 0 {
                for name in ["a", "b", "c"] {
                    try context.synchronize([Contact(1, name)])
                    try context.save()
                }
                let database = try RawDatabase(folder.file())
                for kind in ["insert", "update", "delete", "move"] {
                    try database.execute("DROP TRIGGER dovetail_history_\(kind)_Contact")
                }
                try database.execute("DROP TABLE dovetail_history_Contact")
            } else {
                try context.synchronize([Contact(1, "c"), Contact(2, "x")], localChanges: .merge())
                try context.save()
                context.update(Contact(2, "mine"))
                try context.save()
                #expect(try changes(context).count == 1)
            }
        }
    }
}
