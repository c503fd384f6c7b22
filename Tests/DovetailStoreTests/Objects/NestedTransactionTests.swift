import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// What waits in a transaction when an inner one begins, which then throws.
struct NestedTransactionTests {
    private struct Stop: Error {}

    private func stopped(_ context: ModelContext, _ body: () throws -> Void) throws {
        #expect(throws: Stop.self) {
            try context.transaction {
                try body()
                throw Stop()
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an inner transaction that throws leaves what was changed before it`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        let item = StoredItem(name: "x", box: box)
        let gone = StoredBox(title: "z")
        context.insert(box)
        context.insert(gone)
        try context.save()
        let new = StoredBox(title: "n")
        try context.transaction {
            box.title = "b"
            context.insert(new)
            item.box = new
            context.delete(gone)
            try stopped(context) {
                box.title = "c"
                item.name = "y"
                item.box = nil
                context.delete(new)
                context.insert(StoredBox(title: "inner"))
            }
            #expect(box.title == "b" && item.name == "x" && item.box === new && new.items == [item])
            #expect(new.modelContext === context && !new.isDeleted && gone.modelContext == nil)
            try stopped(context) {
                box.title = "d"
                try stopped(context) { box.title = "e" }
                #expect(box.title == "d")
                try context.save()
            }
            #expect(box.title == "b")
        }
        #expect(!context.hasChanges)
        let stored = try ModelContext(container).fetch(
            FetchDescriptor<StoredBox>(sortBy: [SortDescriptor(\.title)])
        )
        #expect(stored.map(\.title) == ["b", "n"] && stored.last?.items.map(\.name) == ["x"])
    }

    @Test(arguments: StoreKind.allCases)
    func `an inner transaction does not begin where what waits cannot be saved`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.boxes()
        let (context, other) = (ModelContext(container), ModelContext(container))
        let box = StoredBox(title: "a")
        context.insert(box)
        try context.save()
        let same = try #require(other.model(for: box.persistentModelID) as? StoredBox)
        same.title = "theirs"
        try other.save()
        box.title = "mine"
        try context.transaction {
            var isBegun = false
            #expect(throws: ConflictError.self) { try context.transaction { isBegun = true } }
            #expect(!isBegun && box.title == "mine" && context.hasChanges)
            context.conflictPolicy = .contextWins
        }
        #expect(
            try ModelContext(container).fetch(FetchDescriptor<StoredBox>()).map(\.title) == ["mine"]
        )
    }

    /// What happens to an object while the one that it refers to is gone.
    enum Meanwhile: CaseIterable {
        case fetched, fetchedInside, changedInside, rolledBack, readAgain
    }

    /// The database takes a reference out of a row where nothing leads back, and who reads the row while the
    /// object that it refers to is gone has none. The reference is there again with that object.
    @Test(arguments: StoreKind.allCases, Meanwhile.allCases)
    func `what was read while an object was gone refers to it again`(
        _ kind: StoreKind,
        _ meanwhile: Meanwhile
    ) throws {
        let container = try kind.shops()
        let first = ModelContext(container)
        let (helped, worker) = (ShopJob("j"), ShopManager("m"))
        first.insert(helped)
        first.insert(worker)
        helped.helper = worker
        try first.save()
        let context = ModelContext(container)
        let manager = try #require(try context.fetch(FetchDescriptor<ShopManager>()).first)
        func job() throws -> ShopJob {
            try #require(try context.fetch(FetchDescriptor<ShopJob>()).first)
        }
        if meanwhile != .fetched, meanwhile != .fetchedInside {
            #expect(try job().helper === manager)
        }
        try stopped(context) {
            context.delete(manager)
            try context.save()
            switch meanwhile {
            case .fetched: #expect(try job().helper == nil)
            case .fetchedInside:
                try stopped(context) {
                    let found = try job()
                    #expect(found.helper == nil)
                }
            case .changedInside: try stopped(context) { try job().minutes = 5 }
            case .rolledBack:
                try job().minutes = 5
                context.rollback()
            case .readAgain:
                try stopped(context) {
                    try job().minutes = 5
                    try context.save()
                }
                #expect(try job().helper == nil)
            }
        }
        let found = try job()
        #expect(found.helper === manager && found.minutes == 0 && !context.hasChanges)
        found.minutes = 7
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<ShopJob>())
        #expect(stored.map(\.minutes) == [7] && stored[0].helper?.name == "m")
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `a new object that is deleted inside has its lists again`(
        _ kind: StoreKind,
        _ isSavedInside: Bool
    ) throws {
        let context = ModelContext(try kind.boxes())
        let box = StoredBox(title: "new")
        context.insert(box)
        box.items = ["a", "b", "c"].map { StoredItem(name: $0) }
        box.labels = [BoxLabel("red")]
        #expect(throws: CancellationError.self) {
            try context.transaction {
                context.delete(box)
                if isSavedInside { try context.save() }
                throw CancellationError()
            }
        }
        #expect(box.items.map(\.name) == ["a", "b", "c"])
        #expect(box.items.allSatisfy { $0.box === box })
        #expect(box.labels?.map(\.text) == ["red"])
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<StoredBox>())
        #expect(stored.map { $0.items.map(\.name) } == [["a", "b", "c"]])
        #expect(box.items.map(\.name) == ["a", "b", "c"])
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that is deleted, saved and inserted inside is the one of its row`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.boxes())
        let box = StoredBox(title: "saved")
        context.insert(box)
        box.items = ["a", "b"].map { StoredItem(name: $0) }
        box.labels = [BoxLabel("red")]
        try context.save()
        let id = box.persistentModelID
        #expect(throws: CancellationError.self) {
            try context.transaction {
                context.delete(box)
                try context.save()
                context.insert(box)
                throw CancellationError()
            }
        }
        #expect(box.persistentModelID == id && !box.isDeleted)
        #expect(box.items.map(\.name) == ["a", "b"] && box.labels?.map(\.text) == ["red"])
        box.weight = 3
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<StoredBox>())
        #expect(stored.map(\.weight) == [3] && stored.first?.items.count == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `a new object that is deleted leaves a list that it does not know`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.boxes())
        let box = StoredBox(title: "a")
        box.labels = [BoxLabel("old")]
        context.insert(box)
        try context.save()
        let new = BoxLabel("new")
        box.labels?.append(new)
        context.delete(new)
        #expect(box.labels?.map(\.text) == ["old"])
        try context.save()
        #expect(box.labels?.map(\.text) == ["old"])
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<StoredBox>())
        #expect(stored.first?.labels?.map(\.text) == ["old"])
    }
}
