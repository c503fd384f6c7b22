import Dovetail
import StoreTestSupport
import Testing

/// What a save does with objects that somebody else has changed meanwhile.
struct ObjectConflictTests {
    /// Two contexts that have read the same boxes, each with an item.
    private struct Pair {
        let container: ModelContainer
        let first: ModelContext
        let second: ModelContext

        init(_ kind: StoreKind, titles: [String] = ["a", "b"]) throws {
            container = try kind.boxes()
            first = ModelContext(container)
            second = ModelContext(container)
            for title in titles {
                let box = StoredBox(title: title)
                box.items = [StoredItem(name: title + "1")]
                first.insert(box)
            }
            try first.save()
            _ = try second.fetch(FetchDescriptor<StoredItem>())
        }

        func box(_ title: String, in context: ModelContext) throws -> StoredBox {
            try #require(
                try context.fetch(
                    FetchDescriptor(predicate: #Predicate<StoredBox> { $0.title == title })
                ).first
            )
        }

        /// What is stored.
        func titles() throws -> [String] {
            try ModelContext(container).fetch(FetchDescriptor<StoredBox>()).map(\.title).sorted()
        }
    }

    @Test func `an error says once what has happened to many objects`() throws {
        let titles = (0..<200).map { "t\($0)" }
        let pair = try Pair(.memory, titles: titles)
        for (number, title) in titles.enumerated() {
            let (mine, theirs) = try (
                pair.box(title, in: pair.first), pair.box(title, in: pair.second)
            )
            (mine.title, theirs.title) = ("mine \(number)", "theirs \(number)")
            if number == 7 { (mine.weight, theirs.weight) = (1, 2) }
        }
        try pair.second.save()
        let error = try #require(throws: ConflictError.self) { try pair.first.save() }
        #expect(error.conflicts.count == 200)
        let sentences = "\(error)".components(separatedBy: "; ").sorted()
        #expect(
            sentences == [
                "StoredBox: title was changed by somebody else, too (199 objects)",
                "StoredBox: title, weight was changed by somebody else, too",
            ]
        )
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `what others have deleted is deleted after a rollback, and can be inserted again`(
        _ kind: StoreKind,
        byTransaction: Bool
    ) throws {
        let pair = try Pair(kind)
        let box = try pair.box("a", in: pair.first)
        box.weight = 5
        pair.second.delete(try pair.box("a", in: pair.second))
        try pair.second.save()
        #expect(throws: ConflictError.self) { try pair.first.save() }
        if byTransaction {
            pair.first.rollback()
            #expect(throws: CancellationError.self) {
                try pair.first.transaction { throw CancellationError() }
            }
        } else {
            pair.first.rollback()
        }
        #expect(box.isDeleted && !pair.first.hasChanges && box.weight == nil)
        pair.first.insert(box)
        #expect(!box.isDeleted && pair.first.hasChanges)
        try pair.first.save()
        #expect(try pair.titles() == ["a", "b"])
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `what others have deleted is new where it is inserted, before anything else asks`(
        _ kind: StoreKind,
        amongValues: Bool
    ) throws {
        let pair = try Pair(kind)
        let box = try pair.box("a", in: pair.first)
        pair.second.delete(try pair.box("a", in: pair.second))
        try pair.second.save()
        if amongValues { pair.first.upsert([box]) } else { pair.first.insert(box) }
        #expect(!box.isDeleted && pair.first.hasChanges)
        try pair.first.save()
        #expect(try pair.titles() == ["a", "b"])
        pair.first.insert(box)
        #expect(!pair.first.hasChanges)
    }

    @Test(arguments: StoreKind.allCases, 0..<4)
    func `what others have deleted is new where it is inserted, whatever waited`(
        _ kind: StoreKind,
        variant: Int
    ) throws {
        let pair = try Pair(kind)
        let isDeletedHere = variant & 1 != 0
        if variant & 2 != 0 { pair.first.conflictPolicy = .storeWins }
        let (box, kept) = try (pair.box("a", in: pair.first), pair.box("b", in: pair.first))
        if isDeletedHere { pair.first.delete(box) } else { box.weight = 5 }
        pair.first.delete(kept)
        pair.second.delete(try pair.box("a", in: pair.second))
        try pair.box("b", in: pair.second).title = "changed"
        try pair.second.save()
        pair.first.insert(box)
        pair.first.insert(kept)
        pair.first.processPendingChanges()
        #expect(!box.isDeleted && !kept.isDeleted && kept.title == "changed")
        try pair.first.save()
        #expect(try pair.titles() == ["a", "changed"])
        #expect(!pair.first.hasChanges && box.weight == (isDeletedHere ? nil : 5))
    }

    @Test(arguments: StoreKind.allCases)
    func `an error names all objects with the three values, and everything still waits`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind, titles: ["a", "b", "c", "secret"])
        let mine = try ["a", "b", "c", "secret"].map { try pair.box($0, in: pair.first) }
        let theirs = try ["a", "b", "c", "secret"].map { try pair.box($0, in: pair.second) }
        theirs[0].title = "a theirs"
        theirs[0].weight = 3
        theirs[1].tags = ["theirs"]
        pair.second.delete(theirs[2])
        theirs[3].title = "secret theirs"
        try pair.second.save()
        mine[0].title = "a mine"
        mine[1].weight = 1
        mine[2].title = "c mine"
        pair.first.delete(mine[3])
        pair.first.insert(StoredBox(title: "new"))
        let error = try #require(throws: ConflictError.self) { try pair.first.save() }
        #expect(error.conflicts.count == 3)
        let byKey = Dictionary(
            uniqueKeysWithValues: error.conflicts.map { ($0.identifier, $0) }
        )
        let changed = try #require(byKey[mine[0].persistentModelID])
        #expect(changed.attributes == ["title"] && changed.entityName == "StoredBox")
        #expect(changed.base["title"] == .text("a"))
        #expect(changed.mine?["title"] == .text("a mine"))
        #expect(changed.theirs?["title"] == .text("a theirs"))
        #expect(changed.theirs?["weight"] == .double(3) && changed.mine?["weight"] == .double(3))
        let deleted = try #require(byKey[mine[2].persistentModelID])
        #expect(deleted.theirs == nil && deleted.mine?["title"] == .text("c mine"))
        let kept = try #require(byKey[mine[3].persistentModelID])
        #expect(kept.mine == nil && kept.theirs?["title"] == .text("secret theirs"))
        #expect(!"\(error)".contains("mine") && !"\(error)".contains("secret"))
        #expect(error.debugDescription.contains("secret theirs"))
        #expect(pair.first.hasChanges && mine[0].title == "a mine" && mine[3].isDeleted)
        #expect(mine[0].hasChanges && mine[1].hasChanges && mine[2].hasChanges)
        #expect(try pair.titles() == ["a theirs", "b", "secret theirs"])
        pair.first.conflictPolicy = .contextWins
        try pair.first.save()
        #expect(try pair.titles() == ["a mine", "b", "c mine", "new"])
        #expect(!pair.first.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `the store wins`(_ kind: StoreKind) throws {
        let pair = try Pair(kind, titles: ["a", "b", "c"])
        pair.first.conflictPolicy = .storeWins
        let mine = try ["a", "b", "c"].map { try pair.box($0, in: pair.first) }
        let theirs = try ["a", "b", "c"].map { try pair.box($0, in: pair.second) }
        theirs[0].title = "theirs"
        theirs[0].tags = ["x"]
        pair.second.delete(theirs[1])
        theirs[2].title = "kept"
        try pair.second.save()
        mine[0].title = "mine"
        mine[0].weight = 2
        mine[1].title = "mine, too"
        let item = try #require(mine[1].items.first)
        let other = StoredItem(name: "new", box: mine[1])
        pair.first.delete(mine[2])
        try pair.first.save()
        #expect(mine[0].title == "theirs" && mine[0].weight == 2 && mine[0].tags == ["x"])
        #expect(mine[1].isDeleted && mine[1].title == "mine, too" && mine[1].modelContext == nil)
        #expect(!mine[2].isDeleted && mine[2].title == "kept" && !mine[2].hasChanges)
        #expect(item.name == "b1" && other.box == nil)
        #expect(try pair.titles() == ["kept", "theirs"])
        let stored = try pair.box("theirs", in: ModelContext(pair.container))
        #expect(stored.weight == 2)
        #expect(!pair.first.hasChanges)
        mine[2].title = "changed"
        try pair.first.save()
        #expect(try pair.titles() == ["changed", "theirs"])
    }

    @Test(arguments: StoreKind.allCases)
    func `the context wins`(_ kind: StoreKind) throws {
        let pair = try Pair(kind, titles: ["a", "b", "c"])
        pair.first.conflictPolicy = .contextWins
        let mine = try ["a", "b", "c"].map { try pair.box($0, in: pair.first) }
        let item = try #require(mine[1].items.first)
        let theirs = try ["a", "b", "c"].map { try pair.box($0, in: pair.second) }
        theirs[0].title = "theirs"
        theirs[0].tags = ["x"]
        pair.second.delete(theirs[1])
        theirs[2].title = "changed"
        try pair.second.save()
        mine[0].title = "mine"
        // Its box was deleted, and is not inserted again.
        item.name = "still here"
        pair.first.delete(mine[2])
        try pair.first.save()
        #expect(mine[0].title == "mine" && mine[0].tags == ["x"])
        #expect(try pair.titles() == ["mine"])
        let items = try ModelContext(pair.container).fetch(FetchDescriptor<StoredItem>())
        #expect(items.map(\.name).sorted() == ["a1", "still here"])
        #expect(items.first { $0.name == "still here" }?.box == nil && item.box == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `objects that were deleted are inserted again with what they refer to`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind)
        pair.first.conflictPolicy = .contextWins
        let box = try pair.box("a", in: pair.first)
        let item = try #require(box.items.first)
        pair.second.delete(try pair.box("a", in: pair.second))
        try pair.second.save()
        box.weight = 1
        item.name = "again"
        try pair.first.save()
        #expect(item.box === box && box.items == [item])
        let reader = ModelContext(pair.container)
        let stored = try pair.box("a", in: reader)
        #expect(stored.weight == 1 && stored.items.map(\.name) == ["again"])
        #expect(stored.persistentModelID == box.persistentModelID)
    }

    @Test(arguments: StoreKind.allCases)
    func `a closure decides for each object and attribute`(_ kind: StoreKind) throws {
        let pair = try Pair(kind, titles: ["a", "b", "c"])
        let mine = try ["a", "b", "c"].map { try pair.box($0, in: pair.first) }
        let theirs = try ["a", "b", "c"].map { try pair.box($0, in: pair.second) }
        for (number, box) in theirs.enumerated() {
            box.title = "theirs \(number)"
            box.weight = 1
            box.tags = ["theirs"]
        }
        try pair.second.save()
        for (number, box) in mine.enumerated() {
            box.title = "mine \(number)"
            box.weight = 2
            box.tags = ["mine"]
        }
        let (first, third) = (mine[0].persistentModelID, mine[2].persistentModelID)
        pair.first.conflictPolicy = .custom { conflict in
            #expect(conflict.attributes.sorted() == ["tags", "title", "weight"])
            if conflict.identifier == first { return .storeWins }
            return conflict.identifier == third ? .error : .contextWinsOnly(in: ["title", "tags"])
        }
        let error = try #require(throws: ConflictError.self) { try pair.first.save() }
        #expect(error.conflicts.map(\.identifier) == [third])
        #expect(mine.map(\.title) == ["mine 0", "mine 1", "mine 2"])
        struct Stop: Error {}
        pair.first.conflictPolicy = .custom { _ in throw Stop() }
        #expect(throws: Stop.self) { try pair.first.save() }
        pair.first.conflictPolicy = .custom { conflict in
            if conflict.identifier == first { return .storeWins }
            return conflict.identifier == third
                ? .contextWins : .contextWinsOnly(in: ["title", "tags"])
        }
        try pair.first.save()
        #expect(mine.map(\.title) == ["theirs 0", "mine 1", "mine 2"])
        #expect(mine.map(\.weight) == [1, 1, 2])
        #expect(mine.map(\.tags) == [["theirs"], ["mine"], ["mine"]])
        #expect(try pair.titles() == ["mine 1", "mine 2", "theirs 0"])
    }

    @Test(arguments: StoreKind.allCases)
    func `relationships are in conflict like attributes, places in lists never`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind, titles: ["a", "b", "c"])
        let item = try #require(try pair.box("a", in: pair.first).items.first)
        let same = try #require(try pair.box("a", in: pair.second).items.first)
        let (mine, theirs) = (
            try pair.box("b", in: pair.first), try pair.box("c", in: pair.second)
        )
        same.box = theirs
        try pair.second.save()
        item.box = mine
        let error = try #require(throws: ConflictError.self) { try pair.first.save() }
        #expect(error.conflicts.first?.attributes == ["box"])
        pair.first.conflictPolicy = .storeWins
        try pair.first.save()
        #expect(item.box?.title == "c" && !mine.items.contains(item))
        #expect(item.box?.items.map(\.name) == ["c1", "a1"])
        // Both give the list another order.
        let (here, there) = (try #require(item.box), theirs)
        let added = StoredItem(name: "x")
        here.items.append(added)
        try pair.first.save()
        _ = try pair.second.fetch(FetchDescriptor<StoredBox>())
        #expect(there.items.map(\.name) == ["c1", "a1", "x"])
        pair.first.conflictPolicy = .error
        there.items.reverse()
        try pair.second.save()
        here.items.swapAt(0, 1)
        try pair.first.save()
        #expect(Set(here.items.map(\.name)) == ["a1", "c1", "x"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a save that fails after conflicts were resolved changes no object`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind, titles: ["a", "b", "c"])
        pair.first.conflictPolicy = .storeWins
        let mine = try ["a", "b", "c"].map { try pair.box($0, in: pair.first) }
        pair.second.delete(try pair.box("a", in: pair.second))
        try pair.box("b", in: pair.second).title = "theirs"
        try pair.second.save()
        mine[0].title = "mine a"
        mine[1].title = "mine b"
        mine[2].title = "theirs"
        let error = #expect(throws: StoreError.self) { try pair.first.save() }
        #expect(error?.kind == .uniqueViolation)
        #expect(mine.map(\.title) == ["mine a", "mine b", "theirs"])
        #expect(mine.allSatisfy { $0.hasChanges && !$0.isDeleted })
        #expect(try pair.titles() == ["c", "theirs"])
        mine[2].title = "other"
        try pair.first.save()
        #expect(mine[0].isDeleted && mine[1].title == "theirs")
        #expect(try pair.titles() == ["other", "theirs"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that meets a conflict is taken back`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let box = try pair.box("a", in: pair.first)
        try pair.box("a", in: pair.second).title = "theirs"
        try pair.second.save()
        box.title = "mine"
        #expect(throws: ConflictError.self) {
            try pair.first.transaction {
                box.title += "!"
                pair.first.insert(StoredBox(title: "new"))
            }
        }
        #expect(box.title == "mine" && pair.first.insertedModelsArray.isEmpty)
        #expect(try pair.titles() == ["b", "theirs"])
        pair.first.rollback()
        pair.first.conflictPolicy = .contextWins
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try pair.first.transaction {
                box.title = "mine"
                try pair.first.save()
                throw Stop()
            }
        }
        #expect(try pair.titles() == ["b", "theirs"])
        try pair.first.transaction { box.title = "mine" }
        #expect(try pair.titles() == ["b", "mine"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a query that looks into other tables asks no policy`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let box = try pair.box("a", in: pair.first)
        try pair.box("a", in: pair.second).title = "theirs"
        try pair.second.save()
        box.title = "mine"
        pair.first.conflictPolicy = .custom { _ in
            Issue.record("asked by a query")
            return .error
        }
        let inMine = #Predicate<StoredItem> { $0.box?.title == "mine" }
        #expect(
            try pair.first.fetch(FetchDescriptor(predicate: inMine)).map(\.name) == ["a1"]
        )
        #expect(box.title == "mine" && box.hasChanges)
    }
}
