import Dovetail
import StoreTestSupport
import Testing

@ModelActor actor BoxKeeper {
    private var boxes: [StoredBox] = []

    func load() throws { boxes = try modelContext.fetch(FetchDescriptor<StoredBox>()) }
    func titles() -> [String] { boxes.map(\.title) }
}

/// Objects of one context after others have committed.
struct ObjectCommitTests {
    @Test(arguments: StoreKind.allCases)
    func `objects take over what others have committed`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let mine = ModelContext(container), theirs = ModelContext(container)
        for title in ["a", "b", "c"] {
            let box = StoredBox(title: title)
            box.items = [StoredItem(name: title + "1")]
            mine.insert(box)
        }
        try mine.save()
        let byTitle = [SortDescriptor(\StoredBox.title, comparator: .lexical)]
        let boxes = try mine.fetch(FetchDescriptor(sortBy: byTitle))
        let others = try theirs.fetch(FetchDescriptor(sortBy: byTitle))
        let items = boxes.map { $0.items[0] }
        others[0].title = "A"
        others[1].items.append(StoredItem(name: "new"))
        theirs.delete(others[2])
        #expect(boxes[0].title == "a")
        try theirs.save()
        #expect(boxes[0].title == "a" && !boxes[2].isDeleted)
        mine.processPendingChanges()
        #expect(boxes[0].title == "A" && boxes[1].items.map(\.name) == ["b1", "new"])
        #expect(boxes[2].isDeleted && boxes[2].title == "c" && boxes[2].modelContext == nil)
        #expect(items[2].isDeleted && items[2].name == "c1" && !items[1].isDeleted)
        #expect(!mine.hasChanges)
        others[1].title = "B"
        try theirs.save()
        mine.insert(StoredBox(title: "d"))
        try mine.save()
        #expect(boxes[1].title == "B")
        others[1].weight = 7
        try theirs.save()
        #expect(mine.model(for: boxes[1].persistentModelID) === boxes[1])
        #expect(boxes[1].weight == 7)
    }

    @Test(arguments: StoreKind.allCases)
    func `a deleted object whose insertion is taken back is deleted again`(
        _ kind: StoreKind
    ) throws {
        struct Stop: Error {}
        let context = ModelContext(try kind.boxes())
        let box = StoredBox(title: "a")
        context.insert(box)
        context.rollback()
        // It has never been anywhere.
        #expect(!box.isDeleted)
        context.insert(box)
        try context.save()
        context.delete(box)
        try context.save()
        context.insert(box)
        #expect(!box.isDeleted)
        context.rollback()
        #expect(box.isDeleted)
        #expect(throws: Stop.self) {
            try context.transaction {
                context.insert(box)
                try context.save()
                #expect(!box.isDeleted)
                throw Stop()
            }
        }
        #expect(box.isDeleted && !context.hasChanges)
        context.insert(box)
        try context.save()
        #expect(!box.isDeleted)
        #expect(try context.fetch(FetchDescriptor<StoredBox>()).first === box)
    }

    /// Another container over the same file has no commit here: the save that fails is the first to say it, or the
    /// begin of a transaction.
    @Test(arguments: [false, true])
    func `an object whose row another process has deleted is inserted again`(
        inTransaction: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let mine = ModelContext(try .file(folder.file(), StoredBox.self, StoredItem.self))
        let theirs = ModelContext(try .file(folder.file(), StoredBox.self, StoredItem.self))
        let box = StoredBox(title: "a")
        mine.insert(box)
        try mine.save()
        try theirs.delete(model: StoredBox.self)
        try theirs.save()
        if inTransaction {
            try mine.transaction { #expect(box.isDeleted) }
        } else {
            box.title = "b"
            #expect(throws: ConflictError.self) { try mine.save() }
            mine.rollback()
        }
        #expect(box.isDeleted && !mine.hasChanges)
        mine.insert(box)
        #expect(mine.hasChanges && !box.isDeleted)
        try mine.save()
        #expect(try ModelContext(mine.container).fetchCount(FetchDescriptor<StoredBox>()) == 1)
        #expect(try mine.fetch(FetchDescriptor<StoredBox>()).first === box)
    }

    @Test(arguments: StoreKind.allCases)
    func `what was changed here stays, and the rest is taken over`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let mine = ModelContext(container), theirs = ModelContext(container)
        mine.insert(StoredBox(title: "a"))
        mine.insert(StoredBox(title: "z"))
        try mine.save()
        let box = try #require(
            try mine.fetch(FetchDescriptor(predicate: #Predicate<StoredBox> { $0.title == "a" }))
                .first
        )
        let other = try #require(theirs.model(for: box.persistentModelID) as? StoredBox)
        box.title = "mine"
        let label = BoxLabel("new")
        box.labels = [label]
        let item = StoredItem(name: "x", box: box)
        other.title = "theirs"
        other.weight = 3
        other.items.append(StoredItem(name: "y"))
        try theirs.save()
        mine.processPendingChanges()
        #expect(box.title == "mine" && box.weight == 3 && box.hasChanges)
        #expect(Set(box.items.map(\.name)) == ["x", "y"] && item.box === box)
        #expect(box.labels?.map(\.text) == ["new"])
        let found = try mine.fetch(
            FetchDescriptor(predicate: #Predicate<StoredBox> { $0.weight == 3 })
        )
        #expect(found == [box])
        // A change of theirs of what was not changed here is no conflict.
        other.weight = 4
        try theirs.save()
        mine.processPendingChanges()
        box.weight = 5
        let error = try #require(throws: ConflictError.self) { try mine.save() }
        #expect(error.conflicts.map(\.attributes) == [["title"]])
        #expect(error.conflicts.first?.base["title"] == .text("a"))
        mine.rollback()
        #expect(box.title == "a")
        mine.processPendingChanges()
        #expect(box.title == "theirs" && box.weight == 4 && box.items.map(\.name) == ["y"])
        // Deleted by others while it is changed here.
        box.tags = ["x"]
        theirs.delete(other)
        try theirs.save()
        mine.processPendingChanges()
        #expect(!box.isDeleted && box.tags == ["x"])
        #expect(throws: ConflictError.self) { try mine.save() }
        mine.rollback()
        mine.processPendingChanges()
        #expect(box.isDeleted && box.modelContext == nil)
    }

    @Test
    func `nothing is asked where nobody else has committed`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(for: StoredBox.self, configurations: configuration)
        let mine = ModelContext(container), theirs = ModelContext(container)
        let boxes = (0..<5).map { StoredBox(title: "\($0)") }
        boxes.forEach(mine.insert)
        try mine.save()
        let others = try theirs.fetch(FetchDescriptor<StoredBox>())
        _ = log.take()
        mine.processPendingChanges()
        boxes[0].weight = 1
        try mine.save()
        mine.processPendingChanges()
        #expect(log.take().allSatisfy { !$0.sql.contains("SELECT") })
        theirs.processPendingChanges()
        #expect(others.contains { $0.weight == 1 })
        let asked = log.take().filter { $0.sql.contains("SELECT") }
        #expect(asked.count == 1 && asked.first?.rows == 1)
        theirs.insert(StoredBox(title: "new"))
        try theirs.save()
        _ = log.take()
        mine.processPendingChanges()
        #expect(log.take().isEmpty)
        for number in 0..<100 {
            others[0].weight = Double(number)
            try theirs.save()
        }
        mine.processPendingChanges()
        #expect(boxes.contains { $0.weight == 99 })
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction is seen when its outermost one ends`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let mine = ModelContext(container), theirs = ModelContext(container)
        mine.insert(StoredBox(title: "a"))
        try mine.save()
        let box = try #require(try mine.fetch(FetchDescriptor<StoredBox>()).first)
        let other = try #require(try theirs.fetch(FetchDescriptor<StoredBox>()).first)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try theirs.transaction {
                other.title = "b"
                try theirs.save()
                throw Stop()
            }
        }
        mine.processPendingChanges()
        #expect(box.title == "a" && other.title == "a")
        try theirs.transaction {
            other.title = "c"
            try theirs.save()
            other.weight = 1
        }
        mine.processPendingChanges()
        #expect(box.title == "c" && box.weight == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `model actors take commits over by themselves`(_ kind: StoreKind) async throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        context.insert(box)
        try context.save()
        let keeper = BoxKeeper(modelContainer: container)
        try await keeper.load()
        box.title = "b"
        try context.save()
        // The job stands before this call in the queue of the actor.
        #expect(await keeper.titles() == ["b"])
    }

    @Test(arguments: StoreKind.allCases) @MainActor
    func `the main context takes commits over by itself`(_ kind: StoreKind) async throws {
        let container = try kind.boxes()
        container.mainContext.insert(StoredBox(title: "a"))
        try container.mainContext.save()
        let box = try #require(
            try container.mainContext.fetch(FetchDescriptor<StoredBox>()).first
        )
        try await container.perform { context in
            try context.fetch(FetchDescriptor<StoredBox>()).first?.title = "b"
            try context.save()
        }
        // The job of the main actor was made before the call above has ended.
        await Task { @MainActor in }.value
        #expect(box.title == "b")
    }
}
