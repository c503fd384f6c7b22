import Dovetail
import Testing

@testable import Boxes

/// What the app cannot see: the rows of the items.
struct CascadeTests {
    @Test(arguments: Place.allCases)
    func `a box goes with its items, and an item that is taken out goes alone`(
        _ place: Place
    ) throws {
        try place.withConfiguration { configuration in
            let container = try Boxes.container(configuration)
            let boxes = Boxes(in: ModelContext(container))
            func counts() throws -> [Int] {
                let context = ModelContext(container)
                return [
                    try context.fetchCount(FetchDescriptor<Box>()),
                    try context.fetchCount(FetchDescriptor<Item>()),
                ]
            }
            let box = try boxes.addBox(title: "tools")
            let ids = try (0..<3).map { _ in try boxes.nextItemId() }
            for id in ids { box.addItem(withId: id, title: "hammer") }
            _ = try boxes.addBox(title: "kitchen")
            try boxes.save()
            #expect(try counts() == [2, 3])
            box.removeItem(itemId: ids[1])
            try boxes.save()
            #expect(try counts() == [2, 2])
            try boxes.removeBox(boxId: box.boxId)
            try boxes.removeBox(boxId: box.boxId)
            try boxes.save()
            #expect(try counts() == [1, 0])
            #expect(try boxes.all().map(\.title) == ["kitchen"])
        }
    }
}
