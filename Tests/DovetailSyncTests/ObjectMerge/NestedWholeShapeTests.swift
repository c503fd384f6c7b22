import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// What is inside of objects without a name and is deep, is much, has subclasses, or has no meaning.
@Suite struct NestedWholeShapeTests {
    @Test(arguments: StoreKind.allCases)
    func `many levels`(_ kind: StoreKind) throws {
        func chain(_ depth: Int, _ last: String) -> String {
            let opening = String(repeating: #"{"text":"o","options":["#, count: depth)
            let closing = String(repeating: "]}", count: depth)
            return #"[{"number":1,"lines":[{"text":"x","options":["# + opening
                + #"{"text":"\#(last)"}"# + closing + "]}]}]"
        }
        // As deep as a document may be.
        let depth = 252
        let context = try kind.purchases(chain(depth, "p"))
        try context.bring(purchases: chain(depth, "p"))
        #expect(try context.toldOfParts() == [])
        try context.bring(purchases: chain(depth, "q"))
        #expect(try context.countOfParts()[1] == depth + 1)
        #expect(try context.toldOfParts() == [])
        // Deeper here than documents may be.
        var option = try #require(context.purchase(1).lines.first?.options.first)
        let count = kind == .memory ? 2000 : 1000
        for level in 0..<count {
            let next = PurchaseOption("\(level)")
            next.parent = option
            option = next
        }
        try context.save()
        try context.bring(purchases: chain(depth, "q"))
        #expect(try context.countOfParts()[1] == depth + 1 + count)
        #expect(throws: SynchronizeError.self) { try context.bring(purchases: chain(1, "q")) }
        let error = #expect(throws: ModelEncodingError.self) {
            try context.localChanges(of: Purchase.self)
        }
        #expect(error?.kind == .tooDeep)
        try context.bring(purchases: chain(1, "q"), .merge(conflicts: .listWins))
        #expect(try context.countOfParts()[1] == 2)
        #expect(try context.toldOfParts() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `many lines`(_ kind: StoreKind) throws {
        func document(_ count: Int, _ first: String) -> String {
            let lines = (0..<count).map {
                #"{"text":"\#($0 == 0 ? first : "\($0)")","options":[{"text":"o"}]}"#
            }
            return #"[{"number":1,"lines":["# + lines.joined(separator: ",") + "]}]"
        }
        let count = 4_000
        let context = try kind.purchases(document(count, "x"))
        let kept = try context.purchase(1).lines[count - 1]
        try context.bring(purchases: document(count, "y"))
        #expect(try context.purchase(1).lines.count == count)
        #expect(try context.purchase(1).lines[0].text == "y")
        #expect(try context.purchase(1).lines[count - 1] === kept)
        try context.purchase(1).lines[1].options[0].text = "s"
        try context.save()
        #expect(try context.localChanges(of: Purchase.self).count == 1)
        try context.bring(purchases: document(count, "z"), .merge(conflicts: .keep))
        try context.resolveAll(taking: .remote)
        #expect(try context.purchase(1).lines.prefix(2).map(\.description) == ["z0(o)", "10(o)"])
        #expect(try context.toldOfParts() == [])
        try context.bring(purchases: document(1, "z"))
        #expect(try context.countOfParts() == [1, 1, 0, 0, 0, 0, 0])
    }

    @Test(arguments: StoreKind.allCases)
    func `what has no meaning is refused`(_ kind: StoreKind) throws {
        let models: [any Model.Type] = [
            Rack.self, RackBox.self, RackTool.self, RackLabel.self, RackPile.self,
        ]
        let context = ModelContext(try kind.following(models))
        func bring(_ text: String) throws {
            let data = Data(text.utf8)
            try context.synchronize([Rack].self, from: data, as: .json, localChanges: .merge())
            try context.save()
        }
        func refused(_ text: String) {
            let error = #expect(throws: StoreError.self) { try bring(text) }
            #expect(error?.kind == .unsupported)
            #expect(!context.hasChanges)
        }
        refused(#"[{"number":1,"boxes":[{"text":"a"}]}]"#)
        for text in [#"[{"number":1}]"#, #"[{"number":1},{"number":2,"boxes":[]}]"#] {
            try bring(text)
        }
        #expect(try context.fetchCount(FetchDescriptor<Rack>()) == 2)
        // A label that is inside of two.
        let labels = #"[{"number":1,"labels":[{"text":"l"}]}]"#
        try bring(labels)
        let label = try context.fetch(FetchDescriptor<RackLabel>())[0]
        context.insert(RackPile(number: 1))
        try context.fetch(FetchDescriptor<RackPile>())[0].labels = [label]
        try context.save()
        refused(labels)
        label.pile = nil
        try context.save()
        try bring(labels)
        // Boxes that are here already.
        let rack = try context.fetch(FetchDescriptor<Rack>())[0]
        rack.boxes = [RackBox(text: "b")]
        try context.save()
        refused(#"[{"number":1,"boxes":[]}]"#)
        try bring(labels)
        #expect(rack.boxes.count == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `classes below others, inside of each other`(_ kind: StoreKind) throws {
        let models: [any Model.Type] = [
            Trunk.self, TrunkItem.self, TrunkBox.self, MergeConflict.self,
        ]
        let context = ModelContext(try kind.following(models))
        func bring(_ text: String, _ policy: LocalChangePolicy<Trunk> = .merge()) throws -> String {
            let data = Data(text.utf8)
            try context.synchronize([Trunk].self, from: data, as: .json, localChanges: policy)
            try context.save()
            let fresh = ModelContext(context.container)
            let lines = try [context, fresh].map { context in
                try context.fetch(FetchDescriptor<Trunk>())[0].items.map(\.description)
            }
            #expect(lines[0] == lines[1])
            return lines[0].joined(separator: " ")
        }
        let first = """
            [{"number":1,"items":[{"text":"a"},
              {"$type":"TrunkBox","text":"b","size":1,"items":[{"text":"c"},{"$type":"TrunkBox","text":"d","items":[]}]}]}]
            """
        #expect(try bring(first) == "a b1(c d0())")
        #expect(try context.told(TrunkItem.self) == [])
        let second = first.replacing(
            #""text":"d","items":[]"#,
            with: #""text":"d","items":[{"text":"e"}]"#
        )
        #expect(try bring(second) == "a b1(c d0(e))")
        // A box instead of an item, here.
        let trunk = try context.fetch(FetchDescriptor<Trunk>())[0]
        context.delete(trunk.items[0])
        let box = TrunkBox(text: "a")
        trunk.items.append(box)
        try context.save()
        #expect(try bring(second) == "b1(c d0(e)) a0()")
        #expect(throws: SynchronizeError.self) { try bring(first) }
        #expect(try bring(first, .merge(conflicts: .keep)) == "b1(c d0(e)) a0()")
        try context.resolveAll(taking: .remote)
        #expect(trunk.items.map(\.description) == ["a", "b1(c d0())"])
        #expect(try context.told(TrunkItem.self) == [])
        #expect(try context.told(Trunk.self) == [])
        #expect(try bring(#"[{"number":1,"items":[]}]"#) == "")
        #expect(try context.fetchCount(FetchDescriptor<TrunkItem>()) == 0)
    }
}
