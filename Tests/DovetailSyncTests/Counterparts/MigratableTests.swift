import Dovetail
import DovetailTesting
import StoreTestSupport
import Synchronization
import Testing

struct MigratableTests {
    private static func chat(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(StoredMessage.self, StoredState.self, StoredNote.self)
    }

    private func messages(in container: ModelContainer) throws -> [ChatMessage] {
        let order = [SortDescriptor(\StoredMessage.number)]
        return try ModelContext(container).fetch(FetchDescriptor(sortBy: order))
            .compactMap(ChatMessage.build)
    }

    @Test(arguments: StoreKind.allCases)
    func `objects stand for exactly the given values, and keep what only they have`(
        _ kind: StoreKind
    ) throws {
        let container = try Self.chat(kind)
        let context = ModelContext(container)
        let first = [
            ChatMessage(id: 1, text: "a"), ChatMessage(id: 2, text: "b", state: .read),
            ChatMessage(id: 3, text: "c"), ChatMessage(id: 1, text: "a"),
        ]
        let added = try first.add(to: context)
        #expect(added.added.map(\.number) == [1, 2, 3])
        try context.save()
        let kept = try #require(added.added.first)
        kept.isStarred = true
        context.insert(StoredNote(text: "n", message: kept))
        try context.save()

        let second = [
            ChatMessage(id: 4, text: "d"), ChatMessage(id: 2, text: "b", state: .read),
            ChatMessage(id: 1, text: "a2", state: .read),
        ]
        let result = try second.synchronize(in: context)
        try context.save()
        #expect("\(result)" == "1 added, 1 updated, 1 removed, 1 unchanged")
        #expect(result.updated.first === kept && result.added.first?.number == 4)
        #expect(result.removals.map(\.reason) == [.notGiven] && result.removed.count == 1)
        #expect(try messages(in: container) == second.sorted { $0.id < $1.id })
        // The row is the same one: its other column and what refers to it are there.
        let seen = try ModelContext(container).fetch(FetchDescriptor<StoredMessage>())
        #expect(seen.filter(\.isStarred).map(\.number) == [1])
        #expect(seen.first { $0.number == 1 }?.notes.map(\.text) == ["n"])

        let again = try second.synchronize(in: context)
        #expect(again.isEmpty && again.unchanged.count == 3 && !context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `the rows of an enum's cases are shared and stay`(_ kind: StoreKind) throws {
        let container = try Self.chat(kind)
        let context = ModelContext(container)
        let all = (0..<9).map { ChatMessage(id: $0, text: "", state: ChatState.allCases[$0 % 3]) }
        try all.synchronize(in: context)
        // A row of a version to come.
        context.insert(StoredState(number: 7))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<StoredState>()) == 4)
        let result = try [ChatState.read].synchronize(in: context)
        #expect(result.isEmpty && result.unchanged.count == 4)
        #expect(try ChatState.allCases.remove(from: context).isEmpty)
        #expect(try messages(in: container) == all)
    }

    @Test(arguments: StoreKind.allCases)
    func `what stands for nothing or for a value twice is removed, with the reason`(
        _ kind: StoreKind
    ) throws {
        let container = try Self.chat(kind)
        let context = ModelContext(container)
        let stored = try ChatMessage(id: 1, text: "a").export(to: context)
        let stateless = StoredMessage(number: 2, text: "b", state: nil)
        let twin = StoredMessage(number: 3, text: "a", state: stored.state)
        context.insert(stateless)
        context.insert(twin)
        try context.save()
        twin.number = 1
        let message = ChatMessage(id: 1, text: "a")
        let result = try [message].synchronize(with: [stateless, twin, stored], in: context)
        #expect(result.removals.map(\.reason) == [.notBuilt, .repeated])
        #expect(result.removed.last === stored && result.unchanged.first === twin)
        try context.save()
        #expect(try messages(in: container) == [message])
    }

    @Test(arguments: StoreKind.allCases)
    func `two values with one id that differ are refused before anything is done`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try Self.chat(kind))
        try [ChatMessage(id: 9, text: "z")].synchronize(in: context)
        try context.save()
        let given = [1, 2, 1].map { ChatMessage(id: $0, text: "\($0)") }
        #expect(try given.add(to: context).added.count == 2)
        context.rollback()
        let differing = given.dropLast() + [ChatMessage(id: 1, text: "other")]
        let error = #expect(throws: SynchronizeError.self) {
            try differing.synchronize(in: context)
        }
        #expect(error?.positions == [0, 2])
        #expect(!context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `values of a store are replaced where no update is written`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(MessageRow.self))
        context.insert(contentsOf: [
            MessageRow(id: 1, text: "a"), MessageRow(id: 2, text: "b"), MessageRow(id: 3, text: ""),
        ])
        try context.save()
        let given = [PlainMessage(id: 4, text: "d"), PlainMessage(id: 2, text: "b2")]
        let result = try given.synchronize(in: context)
        // What stands for it now, and not what was deleted.
        #expect(result.updated == [MessageRow(id: 2, text: "b2")])
        #expect(result.added == [MessageRow(id: 4, text: "d")])
        #expect(result.removals.map(\.reason) == [.notGiven, .notBuilt])
        try context.save()
        let order = [SortDescriptor(\MessageRow.id)]
        let rows = try context.fetch(FetchDescriptor(sortBy: order))
        #expect(rows == [MessageRow(id: 2, text: "b2"), MessageRow(id: 4, text: "d")])
        let removed = try [PlainMessage(id: 4, text: "another")].remove(from: context)
        #expect(removed.removals.map(\.reason) == [.asked] && removed.unchanged.count == 1)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<MessageRow>()) == 1)
    }

    @Test func `entities are synchronized in a store and without one by the same lines`() throws {
        let places: [any EntityContext] = [
            ModelContext(try StoreKind.sqlite.container(MessageEntity.self)),
            ModelContext(try StoreKind.memory.container(MessageEntity.self)), EntitiesInMemory(),
        ]
        for place in places {
            let all = { try place.find(MessageEntity.self, where: nil, limit: nil) }
            let first = (0..<5).map { EntityMessage(number: $0, text: "\($0)") }
            try first.synchronize(with: all(), in: place)
            try place.save()
            // Without an id, what has changed is another value.
            let second = first.dropFirst(2) + [EntityMessage(number: 1, text: "new")]
            let result = try second.synchronize(with: all(), in: place)
            try place.save()
            #expect("\(result)" == "1 added, 0 updated, 2 removed, 3 unchanged")
            let texts = try all().sorted { $0.id < $1.id }.map(\.text)
            #expect(texts == ["new", "2", "3", "4"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an entity of a context, and one in memory, is deleted without a function of one's own`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(MessageEntity.self))
        try [ContextMessage(id: 1), ContextMessage(id: 2)].synchronize(in: context)
        try context.save()
        let result = try [ContextMessage(id: 2)].synchronize(in: context)
        try context.save()
        #expect(result.removed.count == 1 && result.unchanged.map(\.id) == [2])
        #expect(try context.fetchCount(FetchDescriptor<MessageEntity>()) == 1)

        let memory = EntitiesInMemory()
        let all = { try memory.find(MessageEntity.self, where: nil, limit: nil) }
        try [MemoryMessage(id: 1), MemoryMessage(id: 2)].add(to: memory)
        let removed = try [MemoryMessage(id: 1)].remove(from: all(), in: memory)
        #expect(removed.removed.map(\.id) == [1])
        #expect(try all().map(\.id) == [2])
    }

    @Test func `anything can be a counterpart, and what throws leaves what was done`() throws {
        let file = LineFile()
        file.lines = ["a", "", "b", "a"]
        let words = ["b", "c", "b", "d"].map(Word.init)
        let result = try words.synchronize(with: file.lines, in: file)
        #expect(file.lines == ["b", "c", "d"])
        #expect(result.removals.map(\.reason) == [.notGiven, .notBuilt, .notGiven])
        #expect(result.added == ["c", "d"] && result.unchanged == ["b"])

        let other = [Word(text: "x"), Word(text: "y")]
        for failure in 0..<5 {
            let broken = LineFile()
            broken.lines = file.lines
            broken.failure = failure
            #expect(throws: LineFile.Failure.self) {
                try other.synchronize(with: broken.lines, in: broken)
            }
            #expect(broken.calls == failure + 1)
            // Another run ends what one has begun.
            broken.failure = nil
            try other.synchronize(with: broken.lines, in: broken)
            #expect(broken.lines == ["x", "y"])
        }
    }

    @Test func `objects that are told apart by their addresses are the same where they are equal`()
        throws
    {
        let file = LineFile()
        file.lines = ["a", "b"]
        let result = try ["b", "c"].map(WordObject.init).synchronize(with: file.lines, in: file)
        #expect(result.unchanged == ["b"] && result.added == ["c"] && result.removed == ["a"])
        #expect(file.lines == ["b", "c"])
    }

    @Test func `a large list is looked at a number of times that grows with it`() throws {
        // Each value is compared with few others, whatever their number is.
        for count in [100, 1000, 10_000] {
            let stored = (0..<count).map { CountedWord(id: $0, text: "a") }
            let given = (0..<count).reversed().map { CountedWord(id: $0, text: "b") }
            CountedWord.comparisons.withLock { $0 = 0 }
            let result = try given.synchronize(with: stored, in: LineFile())
            #expect(result.updated.count == count)
            #expect(CountedWord.comparisons.withLock { $0 } <= 3 * count)
        }
    }
}
