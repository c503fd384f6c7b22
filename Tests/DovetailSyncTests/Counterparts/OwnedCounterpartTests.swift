import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model final class Board {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Pin.board) var pins: [Pin] = []
    init(name: String) { self.name = name }
}

@Model final class Pin {
    var text: String
    var board: Board?
    init(text: String) { self.text = text }
}

/// What is pinned, which has no identifier.
struct PinText: Hashable, Sendable, Migratable {
    let text: String

    static func build(from pin: Pin) -> PinText? { PinText(text: pin.text) }

    func export(to context: ModelContext) throws -> Pin {
        let pin = Pin(text: text)
        context.insert(pin)
        return pin
    }
}

/// The counterparts that belong to one object.
@Suite struct OwnedCounterpartTests {
    private func texts(_ list: [String]) -> [PinText] { list.map { PinText(text: $0) } }

    @Test(arguments: StoreKind.allCases)
    func `those of one object are made equal to a list, and others stay`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Board.self, Pin.self))
        let (one, other) = (Board(name: "one"), Board(name: "other"))
        context.insert(one)
        context.insert(other)
        for board in [one, other] {
            let result = try texts(["a", "b", "c"]).synchronize(
                within: \Board.pins,
                of: board,
                in: context
            )
            #expect(result.added.count == 3)
            try context.save()
        }
        let kept = one.pins.filter { $0.text != "b" }
        let result = try texts(["c", "d", "a", "d"]).synchronize(
            within: \Board.pins,
            of: one,
            in: context
        )
        #expect(result.removed.map(\.text) == ["b"] && result.added.map(\.text) == ["d"])
        #expect(result.unchanged == kept)
        try context.save()

        let reader = ModelContext(context.container)
        let boards = try reader.fetch(FetchDescriptor<Board>(sortBy: [SortDescriptor(\.name)]))
        #expect(boards.map { $0.pins.map(\.text) } == [["a", "c", "d"], ["a", "b", "c"]])
        #expect(try reader.fetchCount(FetchDescriptor<Pin>()) == 6)
        let again = try texts(["c", "d", "a"]).synchronize(
            within: \Board.pins,
            of: boards[0],
            in: reader
        )
        #expect(again.unchanged.count == 3 && !reader.hasChanges)
        try texts([]).synchronize(within: \Board.pins, of: boards[1], in: reader)
        try reader.save()
        #expect(try reader.fetchCount(FetchDescriptor<Pin>()) == 3)
    }
}
