import Dovetail
import StoreTestSupport
import Testing

@Model private final class Basket {
    var name: String
    @Relationship(inverse: \Egg.basket) var eggs: [Egg] = []
    var spare: [Feather]? = []
    init(_ name: String) { self.name = name }
}

@Model private final class Egg {
    var text: String
    var basket: Basket?
    init(_ text: String) { self.text = text }
}

@Model private final class Feather {
    var text: String
    init(_ text: String) { self.text = text }
}

/// Objects that go from one list to another while the first one is changed in place.
@Suite struct MovedInPlaceTests {
    private static let moves: [@Sendable (Basket, Basket) -> Void] = [
        { one, other in
            one.eggs.removeAll {
                guard $0.text != "a" else { return false }
                other.eggs.append($0)
                return true
            }
        },
        { one, other in
            one.eggs.removeAll {
                guard $0.text != "a" else { return false }
                $0.basket = other
                return true
            }
        },
        // The array that comes back has the last word.
        { one, other in
            one.eggs.removeAll {
                other.eggs.append($0)
                return false
            }
        },
        { one, other in swap(&one.eggs, &other.eggs) },
        { one, other in swap(&one.eggs[0], &other.eggs[0]) },
        { one, other in other.eggs.append(one.eggs.removeLast()) },
        { one, other in one.eggs.removeAll { $0 === one.eggs[1] || one.eggs.count < 3 } },
    ]

    @Test(arguments: StoreKind.allCases, moves.indices)
    func `each is in the list that it was put into last`(_ kind: StoreKind, _ move: Int) throws {
        let context = ModelContext(try kind.container(Basket.self, Egg.self, Feather.self))
        let (one, other) = (Basket("one"), Basket("other"))
        one.eggs = ["a", "b", "c"].map(Egg.init)
        other.eggs = [Egg("x")]
        context.insert(one)
        context.insert(other)
        try context.save()
        Self.moves[move](one, other)
        let expected: [[String]] = [
            ["a", "x b c"], ["a", "x b c"], ["a b c", "x"], ["x", "a b c"], ["x b c", "a"],
            ["a b", "x c"], ["a c", "x"],
        ][move].map { $0.split(separator: " ").map(String.init) }
        #expect([one, other].map { $0.eggs.map(\.text) } == expected)
        #expect(one.eggs.allSatisfy { $0.basket === one })
        #expect(other.eggs.allSatisfy { $0.basket === other })
        try context.save()
        let stored = try ModelContext(context.container).fetch(
            FetchDescriptor<Basket>(sortBy: [SortDescriptor(\.name, comparator: .lexical)])
        )
        #expect(stored.map { $0.eggs.map(\.text) } == expected)
    }

    @Test(arguments: StoreKind.allCases)
    func `lists that nothing leads back from, too`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Basket.self, Egg.self, Feather.self))
        let (one, other) = (Basket("one"), Basket("other"))
        one.spare = ["a", "b", "c"].map(Feather.init)
        context.insert(one)
        context.insert(other)
        try context.save()
        one.spare?.removeAll {
            guard $0.text != "a" else { return false }
            other.spare?.append($0)
            return true
        }
        try context.save()
        swap(&one.spare, &other.spare)
        #expect(one.spare?.map(\.text) == ["b", "c"] && other.spare?.map(\.text) == ["a"])
        try context.save()
        let stored = try ModelContext(context.container).fetch(
            FetchDescriptor<Basket>(sortBy: [SortDescriptor(\.name, comparator: .lexical)])
        )
        #expect(stored.map { $0.spare?.map(\.text) } == [["b", "c"], ["a"]])
    }
}
