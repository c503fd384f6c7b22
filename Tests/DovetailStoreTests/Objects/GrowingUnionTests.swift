import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@ModelProtocol protocol Grazer: AnyObject {
    var meadow: Meadow? { get set }
}

@Model final class Meadow {
    @Relationship(inverse: \(any Grazer).meadow) var grazers: [any Grazer] = []
    init() {}
}

@Model final class Sheep: Grazer {
    var name: String
    var meadow: Meadow?
    init(_ name: String) { self.name = name }
}

@Model final class Goat: Grazer {
    var name: String
    var meadow: Meadow?
    init(_ name: String) { self.name = name }
}

/// A list of a relationship to a protocol that is read after each change is what it is when it is read once.
@Suite struct GrowingUnionTests {
    private func names(_ meadow: Meadow) -> [String] {
        meadow.grazers.map { ($0 as? Sheep)?.name ?? ($0 as? Goat)?.name ?? "?" }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `however it grows`(_ kind: StoreKind, _ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // One of them is read after each change, and the other one at the end.
        let contexts = try (0..<2).map { _ in
            ModelContext(try kind.container(Meadow.self, Sheep.self, Goat.self))
        }
        let meadows = contexts.map { context in
            let meadow = Meadow()
            context.insert(meadow)
            return meadow
        }
        for step in 0..<120 {
            let (isSheep, way) = (
                Bool.random(using: &random), Int.random(in: 0..<8, using: &random)
            )
            let place = Int.random(in: 0...1000, using: &random)
            for (context, meadow) in zip(contexts, meadows) {
                let new: any Grazer = isSheep ? Sheep("\(step)") : Goat("\(step)")
                switch way {
                case 0: meadow.grazers.append(new)
                case 1: meadow.grazers.insert(new, at: place % (meadow.grazers.count + 1))
                case 2 where !meadow.grazers.isEmpty:
                    meadow.grazers[place % meadow.grazers.count].meadow = nil
                case 3 where step % 20 == 3: try context.save()
                default: new.meadow = meadow
                }
                if meadow === meadows[0] { _ = names(meadow) }
            }
        }
        #expect(names(meadows[0]) == names(meadows[1]))
        for (context, meadow) in zip(contexts, meadows) {
            try context.save()
            let stored = try ModelContext(context.container).fetch(FetchDescriptor<Meadow>())
            #expect(stored.map(names) == [names(meadow)])
        }
    }
}
