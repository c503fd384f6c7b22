import Dovetail
import DovetailSync
import DovetailTesting
import StoreTestSupport
import Testing

/// Random lists beside random changes, against a merge written down attribute by attribute.
@Suite struct RandomMergeTests {
    /// One row by attribute.
    private typealias Row = [String]?

    private static func row(_ contact: Contact?) -> Row {
        contact.map { [$0.name, $0.phone ?? "-", $0.tags.joined()] }
    }

    /// What a row becomes where the store wins.
    ///
    /// - Parameter hasCome: Whether it was here at some time since the last list.
    private static func merged(_ base: Row, _ mine: Row, _ theirs: Row, _ hasCome: Bool) -> Row {
        guard let mine, let theirs else {
            if mine == nil, theirs == nil { return nil }
            guard let base else { return mine ?? (hasCome ? nil : theirs) }
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
        // Before the first list that has anything, no deletion is known.
        var hasList = false
        for round in 0..<40 {
            var come = Set(mine.keys)
            for _ in 0..<random.below(6) {
                let id = random.below(8)
                if mine[id] != nil, random.isOne(in: 3) {
                    if let old = mine.removeValue(forKey: id) { context.delete(old) }
                } else {
                    let new = self.random(id, &random)
                    mine[id] == nil ? context.insert(new) : context.update(new)
                    mine[id] = new
                    come.insert(id)
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
                    Self.row(theirs[id]),
                    hasList && come.contains(id)
                )
            }
            hasList = hasList || !list.isEmpty
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
}
