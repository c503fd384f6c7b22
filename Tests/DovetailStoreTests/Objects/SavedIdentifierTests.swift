import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// The identifiers that a context tells when it has saved.
private final class SavedIdentifiers {
    private(set) var saves: [[AnyHashable: Any]] = []
    private var token: (any NSObjectProtocol)?

    init(_ context: ModelContext) {
        // Invariant: a context is used on one thread, and posts on it; so is this.
        nonisolated(unsafe) let heard = self
        token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave,
            object: context,
            queue: nil
        ) { heard.saves.append($0.userInfo ?? [:]) }
    }

    func stop() {
        if let token { NotificationCenter.default.removeObserver(token) }
    }

    /// What the last save has said, under the key and under its raw value.
    subscript(_ key: ModelContext.NotificationKey) -> [PersistentIdentifier]? {
        let list = saves.last?[key.rawValue] as? [PersistentIdentifier]
        #expect(list == saves.last?[key] as? [PersistentIdentifier])
        return list
    }
}

struct SavedIdentifierTests {
    @Test(arguments: StoreKind.allCases)
    func `a save says which objects it has inserted, changed and deleted`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.boxes())
        let heard = SavedIdentifiers(context)
        defer { heard.stop() }
        let box = StoredBox(title: "a")
        let items = ["x", "y"].map { StoredItem(name: $0, box: box) }
        context.insert(box)
        try context.save()
        let known = [box.persistentModelID] + items.map(\.persistentModelID)
        #expect(heard[.insertedIdentifiers].map(Set.init) == Set(known))
        #expect(heard[.insertedIdentifiers]?.count == 3)
        #expect(heard[.updatedIdentifiers] == [] && heard[.deletedIdentifiers] == [])

        box.weight = 2
        // Nothing of it is written.
        items[0].name = "z"
        items[0].name = "x"
        try context.save()
        #expect(heard[.updatedIdentifiers] == [box.persistentModelID])
        #expect(heard[.insertedIdentifiers] == [] && heard[.deletedIdentifiers] == [])

        context.delete(box)
        try context.save()
        #expect(heard[.deletedIdentifiers].map(Set.init) == Set(known))
        #expect(heard[.insertedIdentifiers] == [] && heard[.updatedIdentifiers] == [])
        #expect(heard[.invalidatedAllIdentifiers] == nil)
        #expect(heard.saves.count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `a new object that becomes a stored row is one that was changed`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let box = StoredBox(title: "a")
        context.insert(box)
        try context.save()
        let other = ModelContext(container)
        let heard = SavedIdentifiers(other)
        defer { heard.stop() }
        let again = StoredBox(title: "a")
        again.weight = 4
        other.insert(again)
        try other.save()
        #expect(heard[.updatedIdentifiers] == [box.persistentModelID])
        #expect(heard[.insertedIdentifiers] == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction says each object once, and nothing of what it took back`(
        _ kind: StoreKind
    ) throws {
        struct Stop: Error {}
        let context = ModelContext(try kind.boxes())
        let (old, gone) = (StoredBox(title: "old"), StoredBox(title: "gone"))
        context.insert(old)
        context.insert(gone)
        try context.save()
        let heard = SavedIdentifiers(context)
        defer { heard.stop() }
        let (new, short) = (StoredBox(title: "new"), StoredBox(title: "short"))
        try context.transaction {
            context.insert(new)
            context.insert(short)
            old.weight = 1
            try context.save()
            try? context.transaction {
                context.insert(StoredBox(title: "never"))
                try context.save()
                throw Stop()
            }
            new.weight = 1
            old.weight = 2
            context.delete(short)
            gone.weight = 3
            try context.save()
            context.delete(gone)
        }
        #expect(heard.saves.count == 1)
        #expect(heard[.insertedIdentifiers] == [new.persistentModelID])
        #expect(heard[.updatedIdentifiers] == [old.persistentModelID])
        #expect(heard[.deletedIdentifiers] == [gone.persistentModelID])

        try? context.transaction {
            context.insert(StoredBox(title: "never"))
            try context.save()
            throw Stop()
        }
        #expect(heard.saves.count == 1)
        old.weight = 9
        try context.save()
        #expect(heard[.insertedIdentifiers] == [])
        #expect(heard[.updatedIdentifiers] == [old.persistentModelID])
    }

    @Test(arguments: StoreKind.allCases)
    func `two objects that swap a unique value were changed`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let (a, b) = (StoredBox(title: "a"), StoredBox(title: "b"))
        context.insert(a)
        context.insert(b)
        try context.save()
        let other = ModelContext(container)
        let seen = try #require(other.model(for: b.persistentModelID) as? StoredBox)
        let heard = SavedIdentifiers(context)
        defer { heard.stop() }
        (a.title, b.title) = ("b", "a")
        try context.save()
        #expect(
            heard[.updatedIdentifiers].map(Set.init)
                == [a.persistentModelID, b.persistentModelID]
        )
        other.processPendingChanges()
        #expect(seen.title == "a")
    }

    @Test(arguments: StoreKind.allCases)
    func `objects of several classes are said in their order, also after a refusal`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let boxes = ["a", "b", "c"].map { StoredBox(title: $0) }
        let items = (0..<5).map { StoredItem(name: "\($0)", box: boxes[$0 % 3]) }
        boxes.forEach(context.insert)
        let heard = SavedIdentifiers(context)
        defer { heard.stop() }
        try context.save()
        let ids = { (objects: [any PersistentModel]) in objects.map(\.persistentModelID) }
        let inserted = try #require(heard[.insertedIdentifiers])
        #expect(inserted.filter { $0.entityName == StoredBox.typeName } == ids(boxes))
        #expect(Set(inserted) == Set(ids(boxes) + ids(items)) && inserted.count == 8)
        let other = ModelContext(container)
        let seen = try other.fetch(FetchDescriptor<StoredItem>()).map(\.name).sorted()
        #expect(seen == ["0", "1", "2", "3", "4"])

        // Two swap a unique value, so the rows of their class are written twice.
        items[3].name = "z"
        (boxes[0].title, boxes[1].title) = ("b", "a")
        boxes[2].weight = 7
        items[0].name = "y"
        try context.save()
        let updated = try #require(heard[.updatedIdentifiers])
        #expect(
            updated.filter { $0.entityName == StoredItem.typeName } == ids([items[3], items[0]])
        )
        #expect(updated.filter { $0.entityName == StoredBox.typeName } == ids(boxes))
        #expect(updated.count == 5)
        // Others are told of the rows of each class.
        let names = try other.fetch(FetchDescriptor<StoredItem>()).map(\.name).sorted()
        #expect(names == ["1", "2", "4", "y", "z"])
        #expect(
            try other.fetch(FetchDescriptor<StoredBox>()).first { $0.weight == 7 }?.title == "c"
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `what the store deletes alone has no identifiers`(_ kind: StoreKind) throws {
        let container = try kind.container(BoxLabelAlone.self)
        let context = ModelContext(container)
        context.insert(BoxLabelAlone())
        try context.save()
        let other = ModelContext(container)
        let heard = SavedIdentifiers(other)
        defer { heard.stop() }
        try other.delete(model: BoxLabelAlone.self)
        try other.save()
        #expect(heard[.deletedIdentifiers] == [])
        #expect(heard[.invalidatedAllIdentifiers] == [])
    }
}

@Model final class BoxLabelAlone {
    var text = ""
    init() {}
}
