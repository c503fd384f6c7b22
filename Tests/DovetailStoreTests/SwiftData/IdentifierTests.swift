import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// Identifiers without objects, and properties by their key paths.
struct IdentifierTests {
    @Test(arguments: StoreKind.allCases)
    func `identifiers are those of the objects, with what waits`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let boxes = ["a", "b", "c"].map { StoredBox(title: $0) }
        boxes.forEach(context.insert)
        let sorted = FetchDescriptor<StoredBox>(
            sortBy: [SortDescriptor(\.title, comparator: .lexical, order: .reverse)]
        )
        #expect(try context.fetchIdentifiers(sorted) == boxes.reversed().map(\.persistentModelID))
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetchIdentifiers(sorted) == boxes.reversed().map(\.persistentModelID))
        var page = sorted
        page.fetchLimit = 1
        page.fetchOffset = 1
        #expect(try other.fetchIdentifiers(page) == [boxes[1].persistentModelID])
        let some = FetchDescriptor<StoredBox>(predicate: #Predicate { $0.title < "c" })
        #expect(try Set(other.fetchIdentifiers(some, batchSize: 1)).count == 2)
        #expect(throws: QueryError.self) { try other.fetchIdentifiers(some, batchSize: 0) }
        context.delete(boxes[0])
        boxes[1].title = "z"
        #expect(
            try context.fetchIdentifiers(sorted) == [boxes[1], boxes[2]].map(\.persistentModelID)
        )
        #expect(try context.fetchIdentifiers(some).isEmpty)
        var stored = some
        stored.includePendingChanges = false
        #expect(try context.fetchIdentifiers(stored).count == 2)
        try context.delete(model: StoredBox.self)
        #expect(try context.fetchIdentifiers(sorted).isEmpty)
    }

    @Test func `one statement asks for keys alone`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(
            for: StoredBox.self,
            configurations: configuration
        )
        let context = ModelContext(container)
        for number in 0..<10 { context.insert(StoredBox(title: "\(number)")) }
        try context.save()
        let other = ModelContext(container)
        _ = log.take()
        #expect(try other.fetchIdentifiers(FetchDescriptor<StoredBox>()).count == 10)
        let reads = log.takeReads()
        #expect(reads.map(\.sql) == ["SELECT \"$id\" FROM \"StoredBox\""])
        #expect(other.insertedModelsArray.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `declared keys are identifiers, too`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.boxes())
        let owner = BoxOwner(id: 1, name: "Ann")
        owner.card = OwnerCard(number: "x", owner: owner)
        context.insert(owner)
        try context.save()
        let ids = try context.fetchIdentifiers(FetchDescriptor<OwnerCard>())
        #expect(ids == [owner.card?.persistentModelID])
        #expect(context.model(for: ids[0]) === owner.card)
    }

    @Test(arguments: StoreKind.allCases)
    func `properties are read and set by key paths`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.boxes())
        let box = StoredBox(title: "a")
        context.insert(box)
        try context.save()
        box.setValue(forKey: \.title, to: "b")
        box.setValue(forKey: \.owner, to: BoxOwner(id: 1, name: "Ann"))
        #expect(
            box.getValue(forKey: \.title) == "b" && box.getValue(forKey: \.owner)?.name == "Ann"
        )
        #expect(box.getValue(forKey: \.items).isEmpty && box.hasChanges)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<BoxOwner>()) == 1)
        box.setValue(forKey: \.isDeleted, to: true)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObject)
        #expect(!box.isDeleted)
        try context.save()
    }

    @Test func `classes list their properties`() throws {
        let all = StoredBox.schemaMetadata
        #expect(
            all.map(\.name) == [
                "title", "kind", "kindRaw", "size", "weight", "tags", "items", "owner", "labels",
            ]
        )
        #expect(all[0].keypath == \StoredBox.title && all[0].metadata.isUnique)
        let items = try #require(all[6].metadata as? Schema.Relationship)
        #expect(items.inverseName == "box" && items.deleteRule == .cascade)
        let any: any PersistentModel.Type = StoredItem.self
        #expect(any.schemaMetadata.map(\.name) == ["name", "box"])
    }
}
