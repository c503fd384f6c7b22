import Dovetail
import StoreTestSupport
import Testing

struct ObjectTests {
    @Test(arguments: StoreKind.allCases)
    func `objects are inserted, found again and changed`(_ kind: StoreKind) throws {
        let container = try kind.container(StoredBox.self)
        let context = ModelContext(container)
        let owner = BoxOwner(id: 1, name: "Ann")
        let box = StoredBox(title: "tools", owner: owner)
        #expect(owner.boxes.first === box)
        let hammer = StoredItem(name: "hammer", box: box)
        #expect(box.items.first === hammer)
        context.insert(owner)
        #expect(hammer.modelContext === context)
        #expect(context.insertedModelsArray.count == 3)
        try context.save()
        #expect(!context.hasChanges)

        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<StoredBox>()).first)
        #expect(found !== box)
        #expect(found.title == "tools")
        #expect(found.items.map(\.name) == ["hammer"])
        #expect(found.items[0].box === found)
        #expect(found.owner?.name == "Ann")
        #expect(found.owner?.boxes.first === found)
        found.title = "old tools"
        #expect(other.hasChanges)
        #expect(found.hasChanges)
        try other.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<StoredBox>()).map(\.title) == ["old tools"])
    }
}
