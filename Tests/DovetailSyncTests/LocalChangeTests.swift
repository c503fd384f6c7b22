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
        switch self {
        case .sqlite:
            var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
            configuration.history = StoreHistory()
            return try ModelContainer(for: models, configuration: configuration)
        case .memory: return try ModelContainer(for: models, configuration: MemoryConfiguration())
        }
    }
}

extension ModelContext {
    fileprivate func contacts() throws -> [Contact] {
        try fetch(FetchDescriptor<Contact>(sortBy: [SortDescriptor(\.id)]))
    }

    fileprivate func conflicts() throws -> [MergeConflict] {
        try fetch(FetchDescriptor<MergeConflict>(sortBy: [SortDescriptor(\.id)]))
    }

    /// Merges and saves a list.
    @discardableResult
    fileprivate func merge(
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
        #expect(changes.updated == [1, 3] && changes.inserted == [4] && changes.deleted.isEmpty)
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

    /// In parts of a list, too, one of which has the changes of another.
    @Test(arguments: SeededRandom.seeds)
    func `a list in a stage is merged as one in memory`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let folders = (try TemporaryFolder(), try TemporaryFolder())
        func container(_ folder: TemporaryFolder) throws -> ModelContainer {
            var configuration = ModelConfiguration(url: folder.file())
            configuration.history = StoreHistory()
            return try ModelContainer(
                for: Contact.self,
                MergeConflict.self,
                configurations: configuration
            )
        }
        let (staged, whole) = (try container(folders.0), try container(folders.1))
        for round in 0..<8 {
            let comment: Comment = "seed \(seed), round \(round)"
            let changes = (0..<random.below(8)).map { _ in
                (id: random.below(30), name: random.pick([nil, "a", "b", "c"]))
            }
            for container in [staged, whole] {
                let context = ModelContext(container)
                for (id, name) in changes {
                    let old = try context.fetch(Contact.self, id: id)
                    if let name {
                        let new = Contact(id, name, old?.phone)
                        old == nil ? context.insert(new) : context.update(new)
                    } else if let old {
                        context.delete(old)
                    }
                    try context.save()
                }
            }
            let list = (0..<30).filter { _ in !random.isOne(in: 4) }.map {
                Contact($0, random.pick(["a", "b"]), random.pick(["1", "2"]))
            }
            let pages = AsyncStream<[Contact]> { stream in
                for start in stride(from: 0, to: list.count, by: 7) {
                    stream.yield(Array(list[start..<min(start + 7, list.count)]))
                }
                stream.finish()
            }
            let limits = StageLimits(mostInMemory: 4, partSize: 5)
            let parts = try await StageLimits.$current.withValue(limits) {
                try await staged.synchronize(
                    Contact.self,
                    from: pages,
                    localChanges: .merge(conflicts: .keep)
                )
            }
            let context = ModelContext(whole)
            let one = try context.merge(list, .keep)
            #expect(parts.inserted.sorted() == one.inserted.sorted(), comment)
            #expect(parts.updated.sorted() == one.updated.sorted(), comment)
            #expect(parts.deleted.sorted() == one.deleted.sorted(), comment)
            #expect(parts.unchanged == one.unchanged, comment)
            let other = ModelContext(staged)
            #expect(try other.contacts() == context.contacts(), comment)
            #expect(try other.conflicts() == context.conflicts(), comment)
            #expect(
                try other.localChanges(of: Contact.self) == context.localChanges(of: Contact.self),
                comment
            )
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

/// Random lists beside random changes, against a merge written down attribute by attribute.
@Suite struct RandomMergeTests {
    /// One row by attribute.
    private typealias Row = [String]?

    private static func row(_ contact: Contact?) -> Row {
        contact.map { [$0.name, $0.phone ?? "-", $0.tags.joined()] }
    }

    /// What a row becomes where the store wins.
    private static func merged(_ base: Row, _ mine: Row, _ theirs: Row) -> Row {
        guard let mine, let theirs else {
            if mine == nil, theirs == nil { return nil }
            guard let base else { return mine ?? theirs }
            return mine == base ? theirs : theirs == base || mine != nil ? mine : nil
        }
        return mine.indices.map { mine[$0] == base?[$0] ? theirs[$0] : mine[$0] }
    }

    private func random(_ id: Int, _ random: inout SeededRandom) -> Contact {
        Contact(
            id,
            random.pick(["a", "b"]),
            random.pick([nil, "1"]),
            tags: random.pick([[], ["x"]])
        )
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `a merge is that of each attribute`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.following(Contact.self))
        var (mine, base) = ([Int: Contact](), [Int: Contact]())
        for round in 0..<40 {
            for _ in 0..<random.below(6) {
                let id = random.below(8)
                if mine[id] != nil, random.isOne(in: 3) {
                    if let old = mine.removeValue(forKey: id) { context.delete(old) }
                } else {
                    let new = self.random(id, &random)
                    mine[id] == nil ? context.insert(new) : context.update(new)
                    mine[id] = new
                }
                if random.isOne(in: 2) { try context.save() }
            }
            try context.save()
            var theirs = base
            for _ in 0..<random.below(6) {
                let id = random.below(8)
                theirs[id] = random.isOne(in: 3) ? nil : self.random(id, &random)
            }
            let list = theirs.values.shuffled(using: &random)
            try context.synchronize(list, localChanges: .merge(conflicts: .storeWins))
            try context.save()
            var result: [Int: Row] = [:]
            for id in 0..<8 {
                result[id] = Self.merged(
                    Self.row(base[id]),
                    Self.row(mine[id]),
                    Self.row(theirs[id])
                )
            }
            mine = Dictionary(uniqueKeysWithValues: try context.contacts().map { ($0.id, $0) })
            base = theirs
            for id in 0..<8 {
                #expect(Self.row(mine[id]) == result[id] ?? nil, "round \(round), seed \(seed)")
            }
            let again = try context.synchronize(list, localChanges: .merge(conflicts: .error))
            #expect(again.isEmpty, "round \(round), seed \(seed)")
            try context.save()
            let differing = (0..<8).filter { mine[$0] != base[$0] }
            let told = try context.localChanges(of: Contact.self).map { change in
                switch change {
                case .inserted(let value), .updated(let value, _): value.id
                case .deleted(let id): id
                }
            }
            #expect(told == differing, "round \(round), seed \(seed)")
            if !differing.isEmpty, told != differing { return }
        }
    }

    /// Clients that tell a backend what they have changed and take over what it has end up equal to it.
    @Test(arguments: SeededRandom.seeds)
    func `clients end equal in any order`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let clients = try StoreKind.allCases.flatMap { kind in
            try (0..<2).map { _ in ModelContext(try kind.following(Contact.self)) }
        }
        var backend: [Int: Contact] = [:]
        func pull(_ client: ModelContext) throws {
            try client.merge(backend.values.shuffled(using: &random), .storeWins)
        }
        func push(_ client: ModelContext) throws {
            let changes = try client.localChanges(of: Contact.self)
            for change in changes {
                switch change {
                case .inserted(let value): backend[value.id] = value
                case .updated(let value, let patch):
                    backend[value.id] = try backend[value.id].map(patch.applied) ?? value
                case .deleted(let id): backend[id] = nil
                }
            }
            try client.confirm(changes)
            try client.save()
            #expect(try client.localChanges(of: Contact.self).isEmpty, "seed \(seed)")
        }
        for _ in 0..<60 {
            let client = random.pick(clients)
            switch random.below(3) {
            case 0: try pull(client)
            case 1:
                try pull(client)
                try push(client)
            default:
                let id = random.below(10)
                let old = try client.fetch(Contact.self, id: id)
                if let old, random.isOne(in: 3) {
                    client.delete(old)
                } else {
                    let new = self.random(id, &random)
                    old == nil ? client.insert(new) : client.update(new)
                }
                try client.save()
            }
        }
        for client in clients {
            try pull(client)
            try push(client)
        }
        for client in clients {
            try pull(client)
            #expect(
                try client.contacts() == backend.values.sorted { $0.id < $1.id },
                "seed \(seed)"
            )
            #expect(try client.localChanges(of: Contact.self).isEmpty, "seed \(seed)")
        }
    }
}
