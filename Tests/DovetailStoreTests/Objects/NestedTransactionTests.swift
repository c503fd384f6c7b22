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
        try context.transaction {
            box.title = "mine"
            var isBegun = false
            #expect(throws: ConflictError.self) { try context.transaction { isBegun = true } }
            #expect(!isBegun && box.title == "mine" && context.hasChanges)
            context.conflictPolicy = .contextWins
        }
        #expect(
            try ModelContext(container).fetch(FetchDescriptor<StoredBox>()).map(\.title) == ["mine"]
        )
    }
}
