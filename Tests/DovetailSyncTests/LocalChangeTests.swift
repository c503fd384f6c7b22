import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model struct Contact: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var phone: String?
    var tags: [String] = []

    init(_ id: Int, _ name: String, _ phone: String? = nil, tags: [String] = []) {
        (self.id, self.name, self.phone, self.tags) = (id, name, phone, tags)
    }
}

extension StoreKind {
    /// A container over a new store that knows what was changed.
    func following(_ models: any Model.Type...) throws -> ModelContainer {
        try following(models)
    }
}

extension ModelContext {
    func contacts() throws -> [Contact] {
        try fetch(FetchDescriptor<Contact>(sortBy: [SortDescriptor(\.id)]))
    }

    func conflicts() throws -> [MergeConflict] {
        try fetch(FetchDescriptor<MergeConflict>(sortBy: [SortDescriptor(\.id)]))
    }

    /// Merges and saves a list.
    @discardableResult
    func merge(
        _ list: [Contact],
        _ conflicts: ListConflictPolicy = .error,
        scope: SynchronizeScope<Contact> = .full
    ) throws -> EntityChanges<Int> {
        let changes = try synchronize(
            list,
            scope: scope,
            localChanges: .merge(conflicts: conflicts)
        )
        try save()
        return changes
    }
}

/// Lists beside what was changed here.
@Suite struct LocalChangeTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.following(Contact.self, MergeConflict.self))
        try context.merge([Contact(1, "Ann", "1"), Contact(2, "Bob", "2"), Contact(3, "Cid")])
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `attributes that one side has changed have its value`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.update(Contact(1, "Anna", "1"))
        context.delete(Contact(2, "Bob", "2"))
        context.insert(Contact(9, "Zoe"))
        try context.save()
        #expect(
            try context.localChanges(of: Contact.self) == [
                .updated(Contact(1, "Anna", "1"), Patch(["name": "Anna"])),
                .deleted(2), .inserted(Contact(9, "Zoe")),
            ]
        )

        let list = [
            Contact(1, "Ann", "11"), Contact(2, "Bob", "2"), Contact(3, "Cyd"), Contact(4, "Dot"),
        ]
        let changes = try context.merge(list)
        #expect(
            changes.updated.sorted() == [1, 3] && changes.inserted == [4] && changes.deleted.isEmpty
        )
        let merged = [
            Contact(1, "Anna", "11"), Contact(3, "Cyd"), Contact(4, "Dot"), Contact(9, "Zoe"),
        ]
        #expect(try context.contacts() == merged)
        #expect(try context.localChanges(of: Contact.self).count == 3)
        #expect(try context.merge(list).isEmpty)
        #expect(try context.localChanges(of: Contact.self).count == 3)

        // The backend has it all by now, and goes on.
        #expect(try context.merge(merged).isEmpty)
        #expect(try context.localChanges(of: Contact.self).isEmpty)
        try context.merge([Contact(9, "Zoë")])
        #expect(try context.contacts() == [Contact(9, "Zoë")])
    }

    @Test(arguments: StoreKind.allCases)
    func `conflicts are refused, and nothing is lost`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.update(Contact(1, "Anna", "1"))
        context.delete(Contact(2, "Bob", "2"))
        context.update(Contact(3, "Cyd", "3"))
        try context.save()
        let error = #expect(throws: SynchronizeError.self) {
            try context.merge([Contact(1, "Anne", "11"), Contact(2, "Rob", "2")])
        }
        #expect(error?.reason == .conflict)
        #expect(error?.conflicts.map(\.key) == [[.integer(1)], [.integer(2)], [.integer(3)]])
        #expect(error?.conflicts.map(\.attributes) == [["name"], [], []])
        #expect(
            error.map { "\($0)" } == "Contact: 3 rows were changed here and in the list: name"
        )
        #expect(!context.hasChanges)
        #expect(try context.contacts() == [Contact(1, "Anna", "1"), Contact(3, "Cyd", "3")])
        #expect(try context.localChanges(of: Contact.self).count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `each side can win, attribute by attribute`(_ kind: StoreKind) throws {
        for (policy, expected) in [
            (ListConflictPolicy.storeWins, [Contact(1, "Anna", "12"), Contact(3, "Cyd")]),
            (.listWins, [Contact(1, "Anne", "12"), Contact(2, "Rob", "2")]),
        ] {
            let context = try context(kind)
            context.update(Contact(1, "Anna", "11"))
            context.delete(Contact(2, "Bob", "2"))
            context.update(Contact(3, "Cyd"))
            try context.save()
            let list = [Contact(1, "Anne", "12"), Contact(2, "Rob", "2")]
            let rule = LocalChangePolicy<Contact>.merge(conflicts: policy)
                .conflicts(in: \.phone, .listWins)
            try context.synchronize(list, localChanges: rule)
            try context.save()
            #expect(try context.contacts() == expected)
            #expect(try context.synchronize(list, localChanges: rule).isEmpty)
            try context.save()
            #expect(try context.localChanges(of: Contact.self).isEmpty == (policy == .listWins))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `conflicts are kept, asked for and resolved`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.update(Contact(1, "Anna", "1", tags: ["a"]))
        context.delete(Contact(2, "Bob", "2"))
        context.update(Contact(3, "Cyd", "3"))
        try context.save()
        let list = [Contact(1, "Anne", "11", tags: ["b"]), Contact(2, "Rob", "2")]
        try context.merge(list, .keep)
        #expect(
            try context.contacts() == [
                Contact(1, "Anna", "11", tags: ["a"]), Contact(3, "Cyd", "3"),
            ]
        )
        let conflicts = try context.conflicts()
        #expect(
            Set(conflicts.map { "\($0)" }) == ["Contact.name", "Contact.tags", "Contact"]
        )
        #expect(conflicts.count == 4 && conflicts.count { $0.remote == nil } == 1)
        // The same list has nothing new.
        #expect(try context.merge(list, .keep).isEmpty)
        #expect(try context.conflicts() == conflicts)

        for conflict in conflicts {
            let takesList = conflict.attribute != "tags"
            try context.resolve(conflict, taking: takesList ? .remote : .local)
        }
        try context.save()
        #expect(
            try context.contacts() == [
                Contact(1, "Anne", "11", tags: ["a"]), Contact(2, "Rob", "2"),
            ]
        )
        #expect(try context.conflicts().isEmpty)
        #expect(
            try context.localChanges(of: Contact.self) == [
                .updated(
                    Contact(1, "Anne", "11", tags: ["a"]),
                    Patch(["tags": ["a"]])
                )
            ]
        )
        #expect(try context.merge(list).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a conflict is over when both sides agree, or the list replaces the row`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        for id in 1...2 { context.update(Contact(id, "mine", "\(id)")) }
        try context.save()
        let list = (1...2).map { Contact($0, "theirs", "\($0)") } + [Contact(3, "Cid")]
        try context.merge(list, .keep)
        #expect(try context.conflicts().count == 2)
        try context.merge([Contact(1, "mine", "1")] + list.dropFirst(), .keep)
        #expect(try context.conflicts().count == 1)
        try context.synchronize(list)
        try context.save()
        #expect(try context.conflicts().isEmpty && context.contacts() == list)
        #expect(try context.localChanges(of: Contact.self).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `scopes, pages and lists of changes leave other changes alone`(_ kind: StoreKind) throws {
        let context = try context(kind)
        for id in 1...3 { context.update(Contact(id, "mine", "\(id)")) }
        try context.save()
        // Two leaves the scope here, and its other attribute is changed there.
        context.update(Contact(2, "mine", "7"))
        try context.save()
        let scope = SynchronizeScope<Contact>.matching(#Predicate { $0.phone == "2" })
        try context.merge([Contact(2, "Bob", "2", tags: ["x"])], scope: scope)
        #expect(
            try context.contacts() == [
                Contact(1, "mine", "1"), Contact(2, "mine", "7", tags: ["x"]),
                Contact(3, "mine", "3"),
            ]
        )
        #expect(try context.localChanges(of: Contact.self).count == 3)
        // A list of the part without it deletes it there, against what was changed here.
        #expect(throws: SynchronizeError.self) { try context.merge([], scope: scope) }
        let other = try context.merge([], .listWins, scope: scope)
        #expect(other.deleted == [2])
        try context.merge([Contact(1, "Ann", "11")], scope: .page(after: nil, through: 1))
        let delta = SynchronizeScope<Contact>.changesSince(nil, next: "a")
        try context.merge([Contact(1, "Ann", "11"), Contact(3, "Cid")], scope: delta)
        try context.merge(
            [Contact(1, "Ann", "12")],
            scope: .changesSince("a", next: "b", deleted: [5])
        )
        #expect(try context.contacts() == [Contact(1, "mine", "12"), Contact(3, "mine", "3")])
        #expect(try context.localChanges(of: Contact.self).count == 2)
        #expect(throws: SynchronizeError.self) {
            try context.merge([], scope: .changesSince("b", next: "c", deleted: [3]))
        }
        try context.merge([], .storeWins, scope: .changesSince("b", next: "c", deleted: [3]))
        #expect(try context.contacts() == [Contact(1, "mine", "12"), Contact(3, "mine", "3")])
        #expect(
            try context.localChanges(of: Contact.self).last == .inserted(Contact(3, "mine", "3"))
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `what others change between the list and its save stays theirs`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let other = ModelContext(context.container)
        let list = [Contact(1, "Ann", "11"), Contact(2, "Bob", "2"), Contact(3, "Cid")]
        try context.synchronize(list, localChanges: .merge())
        other.update(Contact(2, "Rob", "2"))
        try other.save()
        try context.save()
        #expect(try context.localChanges(of: Contact.self).count == 1)
        // A row that the list writes.
        try context.synchronize(
            [Contact(1, "Ann", "12"), Contact(2, "Bob", "2"), Contact(3, "Cid")],
            localChanges: .merge()
        )
        other.update(Contact(1, "Anna", "11"))
        try other.save()
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        #expect(try context.contacts().first == Contact(1, "Anna", "11"))
        try context.merge([Contact(1, "Ann", "12"), Contact(2, "Bob", "2"), Contact(3, "Cid")])
        #expect(
            try context.contacts() == [
                Contact(1, "Anna", "12"), Contact(2, "Rob", "2"), Contact(3, "Cid"),
            ]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits, no history and no table of conflicts are errors`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.update(Contact(1, "Anna", "1"))
        let waiting = #expect(throws: StoreError.self) { try context.merge([]) }
        #expect(waiting?.kind == .unsupported)
        let bare = ModelContext(try kind.following(Contact.self))
        let missing = #expect(throws: StoreError.self) { try bare.merge([], .keep) }
        #expect(missing?.kind == .invalidSchema)
        if kind == .memory { return }
        let plain = ModelContext(try kind.container(Contact.self))
        let disabled = #expect(throws: StoreError.self) { try plain.merge([]) }
        #expect(disabled?.kind == .historyDisabled)
        #expect(throws: StoreError.self) { try plain.localChanges(of: Contact.self) }
        try plain.synchronize([Contact(1, "a")])
        try plain.save()
    }

    @Test(arguments: StoreKind.allCases)
    func `what a backend has is no change any more`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.update(Contact(1, "Anna", "1"))
        context.delete(Contact(2, "Bob", "2"))
        context.update(Contact(3, "Cyd"))
        try context.save()
        let told = try context.localChanges(of: Contact.self)
        // One more, while the backend is told.
        context.update(Contact(1, "Annie", "1"))
        try context.save()
        try context.confirm(told)
        #expect(try context.localChanges(of: Contact.self).count == 3)
        try context.save()
        #expect(
            try context.localChanges(of: Contact.self)
                == [.updated(Contact(1, "Annie", "1"), Patch(["name": "Annie"]))]
        )
        // What the backend has changed after it was told.
        try context.merge([Contact(1, "Anna", "11"), Contact(3, "Cydney")])
        #expect(try context.contacts() == [Contact(1, "Annie", "11"), Contact(3, "Cydney")])
    }

    /// Whether changes made here were saved when a list replaces them, or wait for the same save, is all the same.
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `lists that replace what waits`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let (waiting, saved) = (try context(kind), try context(kind))
        for round in 0..<30 {
            for _ in 0..<1 + random.below(4) {
                let contact = Contact(
                    random.below(8),
                    random.pick(["A", "B"]),
                    random.pick(["1", "2", nil])
                )
                let isDeletion = random.isOne(in: 3)
                for context in [waiting, saved] {
                    if isDeletion { context.delete(contact) } else { context.upsert(contact) }
                }
            }
            try saved.save()
            let phone = random.pick(["1", "2"])
            let names = (0..<8).filter { _ in random.isOne(in: 4) }
            let list = names.map { Contact($0, random.pick(["A", "B"]), phone) }
            let isWhole = random.isOne(in: 4)
            for context in [waiting, saved] {
                try context.synchronize(
                    list,
                    scope: isWhole ? .full : .matching(#Predicate { $0.phone == phone })
                )
                try context.save()
            }
            let comment: Comment = "\(kind), seed \(seed), round \(round)"
            #expect(try waiting.contacts() == saved.contacts(), comment)
            func told(_ context: ModelContext) throws -> [String] {
                try context.localChanges(of: Contact.self).map { "\($0)" }.sorted()
            }
            #expect(try told(waiting) == told(saved), comment)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `erasing forgets what was changed`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.update(Contact(1, "Anna", "1"))
        try context.save()
        try context.container.erase()
        #expect(try context.localChanges(of: Contact.self).isEmpty)
        try context.merge([Contact(1, "Ann", "1")])
        #expect(try context.contacts() == [Contact(1, "Ann", "1")])
    }

    @Test func `a history keeps the first form of a changed row, however old it is`() throws {
        let folder = try TemporaryFolder()
        do {
            let url = folder.url.appendingPathComponent("contacts.sqlite")
            var configuration = ModelConfiguration(url: url)
            configuration.history = StoreHistory(retention: .seconds(0))
            for step in 0..<3 {
                let context = ModelContext(
                    try ModelContainer(for: Contact.self, configurations: configuration)
                )
                if step == 0 { try context.merge([Contact(1, "Ann", "1"), Contact(2, "Bob")]) }
                if step == 1 {
                    for name in ["a", "b", "c"] {
                        context.update(Contact(1, name, "1"))
                        try context.save()
                    }
                }
                if step == 2 {
                    try context.merge([Contact(1, "Ann", "11"), Contact(2, "Bob")])
                    #expect(try context.contacts() == [Contact(1, "c", "11"), Contact(2, "Bob")])
                    let later = try context.merge([Contact(1, "Ann", "12"), Contact(2, "Bob")])
                    #expect(later.updated == [1])
                }
            }
        }
    }
}
