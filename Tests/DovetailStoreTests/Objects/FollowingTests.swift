import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@testable import DovetailContext

@Model struct FollowedNote: Identifiable {
    var id: Int
    var text: String
    var stars = 0
}

@Model struct FollowedRemark: Identifiable {
    var id: Int
    @Attribute(.references(FollowedNote.self, deleteRule: .cascade)) var note: Int
}

/// What commits change in the results of fetches.
struct FollowingTests {
    @Test(arguments: StoreKind.allCases)
    func `rows that are copied into a container are told`(_ kind: StoreKind) async throws {
        let container = try kind.container(FollowedNote.self, FollowedRemark.self)
        let source = try StoreKind.memory.container(FollowedNote.self, FollowedRemark.self)
        let context = ModelContext(source)
        context.insert(FollowedNote(id: 5, text: "a"))
        try context.save()
        let follower = ModelContext(container)
        let changes = try follower.changes(of: FetchDescriptor<FollowedNote>()).makeAsyncIterator()
        #expect(try await changes.next()?.inserted.isEmpty == true)
        try await source.copy(to: container)
        #expect(try await changes.next()?.inserted.map(\.id) == [5])
    }

    @Test(arguments: StoreKind.allCases)
    func `each commit says what it has changed`(_ kind: StoreKind) async throws {
        let container = try kind.boxes()
        let context = ModelContext(container), other = ModelContext(container)
        let box = StoredBox(title: "a"), second = StoredBox(title: "b")
        (box.weight, second.weight) = (1, 1)
        context.insert(box)
        try context.save()
        let heavy = FetchDescriptor(predicate: #Predicate<StoredBox> { ($0.weight ?? 0) > 0 })
        let changes = try context.changes(of: heavy).makeAsyncIterator()
        let first = try #require(try await changes.next())
        #expect(first.inserted == [box.persistentModelID])
        #expect(first.updated.isEmpty && first.deleted.isEmpty)

        other.insert(second)
        try other.save()
        #expect(try await changes.next()?.inserted == [second.persistentModelID])
        (second.title, second.tags) = ("B", ["x"])
        box.title = "never saved"
        try other.save()
        var change = try #require(try await changes.next())
        #expect(change.updated.map(\.item) == [second.persistentModelID])
        #expect(Set(change.updated[0].attributes) == ["title", "tags"])
        #expect(change.inserted.isEmpty && change.deleted.isEmpty)

        // Nothing of this is in the result.
        context.rollback()
        context.insert(StoredBox(title: "light"))
        try context.save()
        second.title = "b"
        second.weight = 0
        try other.save()
        #expect(try await changes.next()?.deleted == [second.persistentModelID])

        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try other.transaction {
                second.weight = 9
                try other.save()
                throw Refused()
            }
        }
        try context.transaction {
            box.title = "first"
            try context.save()
            box.title = "c"
            box.owner = BoxOwner(id: 1, name: "Ann")
        }
        change = try #require(try await changes.next())
        #expect(change.updated.map(\.item) == [box.persistentModelID])
        #expect(Set(change.updated[0].attributes) == ["title", "owner"])
        try context.delete(model: StoredBox.self)
        try context.save()
        #expect(try await changes.next()?.deleted == [box.persistentModelID])
    }

    @Test(arguments: StoreKind.allCases)
    func `values come as what they are`(_ kind: StoreKind) async throws {
        let container = try kind.container(FollowedNote.self, FollowedRemark.self)
        let context = ModelContext(container)
        var byStars = FetchDescriptor(sortBy: [SortDescriptor(\FollowedNote.stars)])
        byStars.fetchLimit = 2
        let top = try context.changes(of: byStars).makeAsyncIterator()
        let all = try context.changes(of: FetchDescriptor<FollowedNote>()).makeAsyncIterator()
        let remarks = try context.changes(of: FetchDescriptor<FollowedRemark>())
            .makeAsyncIterator()
        #expect(try await all.next()?.isEmpty == true)
        #expect(try await top.next()?.isEmpty == true)
        #expect(try await remarks.next()?.isEmpty == true)

        let notes = (1...3).map { FollowedNote(id: $0, text: "n\($0)", stars: $0) }
        context.insert(contentsOf: notes)
        context.insert(FollowedRemark(id: 1, note: 3))
        try context.save()
        #expect(try await Set(all.next()?.inserted.map(\.id) ?? []) == [1, 2, 3])
        #expect(try await top.next()?.inserted.map(\.id) == [1, 2])
        #expect(try await remarks.next()?.inserted.map(\.id) == [1])

        context.upsert(FollowedNote(id: 2, text: "n2", stars: 9))
        context.upsert(FollowedNote(id: 4, text: "n4", stars: 8))
        try context.save()
        var change = try #require(try await all.next())
        #expect(change.updated.map(\.item.stars) == [9])
        #expect(change.updated[0].attributes == ["stars"] && change.inserted.map(\.id) == [4])
        change = try #require(try await top.next())
        #expect(change.inserted.map(\.id) == [3] && change.deleted.map(\.id) == [2])

        try context.update(FollowedNote.self, where: #Predicate { $0.stars > 7 }) {
            try $0.set(\.text, "many")
        }
        try context.save()
        change = try #require(try await all.next())
        #expect(Set(change.updated.map(\.item.text)) == ["many"] && change.updated.count == 2)
        try context.delete(model: FollowedNote.self, where: #Predicate { $0.stars < 4 })
        try context.save()
        #expect(try await Set(all.next()?.deleted.map(\.text) ?? []) == ["n1", "n3"])
        #expect(try await remarks.next()?.deleted.map(\.note) == [3])
        change = try #require(try await top.next())
        #expect(change.inserted.map(\.id) == [4, 2] && change.deleted.count == 2)
        try container.erase()
        #expect(try await Set(all.next()?.deleted.map(\.id) ?? []) == [2, 4])
    }

    @Test(arguments: StoreKind.allCases)
    func `a result that asks relationships changes with their rows`(_ kind: StoreKind) async throws
    {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a", owner: BoxOwner(id: 1, name: "Ann"))
        let item = StoredItem(name: "x", box: box)
        context.insert(box)
        try context.save()
        let anns = #Predicate<StoredBox> {
            $0.owner?.name == "Ann" && $0.items.contains { $0.name == "x" }
        }
        let changes = try context.changes(of: FetchDescriptor(predicate: anns)).makeAsyncIterator()
        #expect(try await changes.next()?.inserted.count == 1)
        box.owner?.name = "Ben"
        try context.save()
        #expect(try await changes.next()?.deleted.count == 1)
        box.owner?.name = "Ann"
        try context.save()
        #expect(try await changes.next()?.inserted.count == 1)
        item.name = "y"
        try context.save()
        #expect(try await changes.next()?.deleted.count == 1)
    }

    @Test func `what cannot be followed is said at once`() throws {
        let container = try StoreKind.sqlite.boxes()
        let context = ModelContext(container)
        try context.transaction {
            let error = try #require(throws: StoreError.self) {
                _ = try context.changes(of: FetchDescriptor<StoredBox>())
            }
            #expect(error.kind == .writeInsideRead)
        }
        var backwards = FetchDescriptor<StoredBox>()
        backwards.fetchLimit = -1
        #expect(throws: QueryError.self) { _ = try context.changes(of: backwards) }
        #expect(throws: StoreError.self) {
            _ = try context.changes(of: FetchDescriptor<FollowedNote>())
        }
        #expect(container.observers.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `it ends with its container, its task and its owner`(_ kind: StoreKind) async throws {
        var container: ModelContainer? = try kind.container(FollowedNote.self)
        let all = FetchDescriptor<FollowedNote>()
        func changes() throws -> FetchChanges<FollowedNote> {
            try ModelContext(try #require(container)).changes(of: all)
        }
        do {
            let unused = try changes()
            #expect(container?.observers.isEmpty == false)
            _ = unused
        }
        #expect(container?.observers.isEmpty == true)
        let followed = try changes()
        let task = Task {
            var count = 0
            for try await _ in followed { count += 1 }
            return count
        }
        let own = try changes().makeAsyncIterator()
        #expect(try await own.next()?.isEmpty == true)
        task.cancel()
        #expect(try await task.value <= 1)
        container = nil
        #expect(try await own.next() == nil)
        #expect(try await own.next() == nil)
    }

    /// Makes the changes that are told to a copy of the result.
    private static func apply<Key: Hashable>(
        _ change: FetchChange<FollowedNote>,
        to copy: inout [Key: FollowedNote],
        _ key: (FollowedNote) -> Key
    ) throws {
        for note in change.inserted {
            try #require(copy.updateValue(note, forKey: key(note)) == nil)
        }
        for update in change.updated {
            try #require(copy.updateValue(update.item, forKey: key(update.item)) != nil)
            #expect(!update.attributes.isEmpty)
        }
        for note in change.deleted { try #require(copy.removeValue(forKey: key(note)) != nil) }
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["file", "memory"])
    func `nothing is missed while others write`(_ place: String) async throws {
        let folder = try TemporaryFolder()
        let container =
            place == "file"
            ? try ModelContainer(
                for: FollowedNote.self,
                configurations: ModelConfiguration(url: folder.file())
            ) : try StoreKind.memory.container(FollowedNote.self)
        let all = FetchDescriptor<FollowedNote>()
        try await withThrowingTaskGroup(of: [Int: FollowedNote].self) { group in
            for start in 0..<4 {
                group.addTask {
                    for _ in 0..<start * 3 { await Task.yield() }
                    let changes = try ModelContext(container).changes(of: all)
                    var copy: [Int: FollowedNote] = [:]
                    for try await change in changes {
                        try Self.apply(change, to: &copy)
                        if copy[1000] != nil { return copy }
                        // A slow one gets several changes as one.
                        if start == 3 { try await Task.sleep(for: .milliseconds(5)) }
                    }
                    return [:]
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { writers in
                for writer in 0..<3 {
                    writers.addTask {
                        for round in 0..<60 {
                            let context = ModelContext(container)
                            let id = writer * 10 + round % 10
                            if round % 7 == 6 {
                                context.delete(FollowedNote(id: id, text: ""))
                            } else {
                                context.upsert(
                                    FollowedNote(id: id, text: "\(writer)", stars: round)
                                )
                            }
                            try context.save()
                            await Task.yield()
                        }
                    }
                }
                try await writers.waitForAll()
            }
            let context = ModelContext(container)
            context.insert(FollowedNote(id: 1000, text: "end"))
            try context.save()
            let stored = try context.fetch(all)
            for try await copy in group {
                #expect(Set(copy.keys) == Set(stored.map(\.id)))
                for note in stored { #expect(copy[note.id]?.stars == note.stars) }
            }
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: StoreKind.allCases, SeededRandom.seeds)
    func `random commits make the copy what is stored`(
        _ kind: StoreKind,
        _ seed: UInt64
    ) async throws {
        var random = SeededRandom(seed: seed)
        let container = try kind.container(FollowedNote.self)
        var limited = FetchDescriptor(
            predicate: #Predicate<FollowedNote> { $0.stars > 2 },
            sortBy: [SortDescriptor(\FollowedNote.stars, order: .reverse)]
        )
        (limited.fetchLimit, limited.fetchOffset) = (5, 1)
        let descriptors = [
            FetchDescriptor(), limited,
            FetchDescriptor(predicate: #Predicate<FollowedNote> { $0.stars < 4 }),
        ]
        let context = ModelContext(container)
        var followed = try descriptors.map { descriptor in
            (
                descriptor, try context.changes(of: descriptor).makeAsyncIterator(),
                [Int: FollowedNote]()
            )
        }
        for step in 0..<150 {
            for _ in 0...random.below(3) {
                let id = random.below(15), stars = random.below(8)
                switch random.below(6) {
                case 0: context.delete(FollowedNote(id: id, text: ""))
                case 1:
                    try context.update(FollowedNote.self, where: #Predicate { $0.id < id }) {
                        try $0.set(\.stars, stars)
                    }
                case 2:
                    try context.delete(model: FollowedNote.self, where: #Predicate { $0.id > id })
                default: context.upsert(FollowedNote(id: id, text: "t\(stars % 3)", stars: stars))
                }
            }
            if random.below(5) == 0 {
                context.rollback()
                continue
            }
            try context.save()
            // What was told is taken now and then, so some of it waits.
            guard step % 20 == 19 else { continue }
            context.insert(
                FollowedNote(id: 1000 + step, text: "last", stars: step % 2 == 0 ? 3 : 9)
            )
            try context.save()
            for index in followed.indices {
                let stored = try context.fetch(followed[index].0)
                while followed[index].2.count != stored.count
                    || !stored.allSatisfy({ note in
                        followed[index].2[note.id].map {
                            $0.text == note.text && $0.stars == note.stars
                        }
                            ?? false
                    })
                {
                    let change = try #require(try await followed[index].1.next())
                    try Self.apply(change, to: &followed[index].2)
                }
            }
        }
    }

    /// Makes the changes that are told to a copy of the result.
    private static func apply(
        _ change: FetchChange<FollowedNote>,
        to copy: inout [Int: FollowedNote]
    ) throws {
        for note in change.inserted {
            try #require(copy.updateValue(note, forKey: note.id) == nil)
        }
        for update in change.updated {
            try #require(copy.updateValue(update.item, forKey: update.item.id) != nil)
            try #require(!update.attributes.isEmpty)
        }
        for note in change.deleted { try #require(copy.removeValue(forKey: note.id) != nil) }
    }
}
