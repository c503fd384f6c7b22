import Boxes
import Dovetail
import Testing

/// The module is imported as the app does it: there are no other types of boxes and items here.
struct BoxesTests {
    @Test(arguments: Place.allCases)
    func `commands change boxes and items`(_ place: Place) throws {
        try place.withBoxes { boxes in
            let box = try boxes.addBox(title: "tools")
            box.changeTitle("old tools")
            let (hammer, saw) = (try boxes.nextItemId(), try boxes.nextItemId())
            box.addItem(withId: hammer, title: "hammer")
            box.addItem(withId: saw, title: "saw")
            box.addItem(withId: saw, title: "the same saw")
            box.changeItemTitle(itemId: hammer, title: "big hammer")
            box.item(itemId: saw)?.changeTitle("hacksaw")
            #expect(box.title == "old tools")
            #expect(box.items.map(\.title) == ["big hammer", "hacksaw"])
            try #expect(#require(box.item(itemId: hammer)).box === box)

            let item = try #require(box.item(itemId: hammer))
            try boxes.save()
            box.removeItem(itemId: hammer)
            box.removeItem(itemId: hammer)
            box.changeItemTitle(itemId: hammer, title: "nothing")
            try boxes.save()
            #expect(box.items.map(\.itemId) == [saw] && box.item(itemId: hammer) == nil)
            #expect(item.title == "big hammer" && item.box == nil)
        }
    }

    @Test(arguments: Place.allCases)
    func `boxes are found again, with their items in order`(_ place: Place) throws {
        try place.withBoxes { boxes in
            let titles = ["one", "two", "three", "four", "five"]
            for title in titles { _ = try boxes.addBox(title: title) }
            #expect(try boxes.all().map(\.title) == titles)
            let ids = try boxes.all().map(\.boxId)
            #expect(Set(ids).count == titles.count)
            for title in titles.reversed() {
                try boxes.box(boxId: ids[2])?.addItem(withId: boxes.nextItemId(), title: title)
            }
            try boxes.save()
            try #expect(
                #require(try boxes.box(boxId: ids[2])).items.map(\.title) == titles.reversed()
            )
            #expect(try boxes.box(boxId: BoxId(rawValue: 77)) == nil)
        }
    }

    @Test(arguments: Place.allCases)
    func `what is saved is there for the next one, and what is not is gone`(
        _ place: Place
    ) throws {
        try place.withConfiguration { configuration in
            let container = try Boxes.container(configuration)
            let boxes = Boxes(in: ModelContext(container))
            let box = try boxes.addBox(title: "tools")
            let ids = try (0..<20).map { _ in try boxes.nextItemId() }
            for (number, id) in ids.enumerated() { box.addItem(withId: id, title: "\(number)") }
            try boxes.save()
            box.changeTitle("not saved")
            box.removeItem(itemId: ids[3])

            let later = Boxes(in: ModelContext(container))
            let same = try #require(try later.box(boxId: box.boxId))
            #expect(same.title == "tools" && same.items.map(\.itemId) == ids)
            let other = try later.addBox(title: "kitchen")
            #expect(other.boxId != box.boxId)
        }
    }

    @Test(arguments: Place.allCases)
    func `what happens is heard of after a save`(_ place: Place) throws {
        try place.withBoxes { boxes in
            var heard: [String] = []
            let added = boxes.events.subscribe(to: BoxAdded.self) { _ in heard.append("added") }
            let removed = boxes.events.subscribe(to: BoxRemoved.self) { _ in
                heard.append("removed")
            }
            let box = try boxes.addBox(title: "tools")
            #expect(heard.isEmpty)
            try boxes.save()
            #expect(heard == ["added"])
            added.cancel()
            _ = try boxes.addBox(title: "kitchen")
            try boxes.removeBox(boxId: box.boxId)
            try boxes.save()
            #expect(heard == ["added", "removed"])
            withExtendedLifetime(removed) {}
        }
    }

    @Test func `boxes need no store`() throws {
        let place = EntitiesInMemory()
        let boxes = Boxes(in: place)
        let box = try boxes.addBox(title: "tools")
        let hammer = try boxes.nextItemId()
        box.addItem(withId: hammer, title: "hammer")
        try boxes.save()
        try #expect(#require(box.item(itemId: hammer)).box === box)
        box.removeItem(itemId: hammer)
        #expect(box.items.isEmpty)
        let other = try Boxes(in: place).addBox(title: "kitchen")
        #expect(other.boxId != box.boxId)
        #expect(try boxes.all().map(\.title) == ["tools", "kitchen"])
        try boxes.removeBox(boxId: box.boxId)
        #expect(try boxes.all().map(\.title) == ["kitchen"])
    }
}
