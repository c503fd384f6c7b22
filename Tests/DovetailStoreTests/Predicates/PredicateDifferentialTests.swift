import Dovetail
import StoreTestSupport
import Testing

@Suite struct PredicateDifferentialTests {
    private func stored(_ things: [Thing]) throws -> ModelContext {
        let context = ModelContext(try .inMemory(Thing.self))
        context.insert(contentsOf: things)
        try context.save()
        return context
    }

    @Test(arguments: SeededGenerator.seeds)
    func `each term alone gives the rows that Swift gives`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(120, using: &random)
        let context = try stored(things)
        for (index, maker) in PredicateMakers.all.enumerated() {
            for _ in 0..<6 {
                let predicate = maker(&random)
                let expected = try things.filter { try predicate.evaluate($0) }.map(\.id)
                let fetched = try context.fetch(FetchDescriptor(predicate: predicate))
                let comment: Comment = "seed \(seed), maker \(index): \(predicate)"
                #expect(fetched.map(\.id) == expected, comment)
                #expect(
                    try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count,
                    comment
                )
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds)
    func `combined terms give the rows that Swift gives`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(60, using: &random)
        let context = try stored(things)
        for round in 0..<150 {
            let tree = PredicateTree(depth: 4, using: &random)
            let expected = try things.filter { try tree.evaluate($0) }
            let fetched = try context.fetch(FetchDescriptor(predicate: tree.predicate))
            #expect(
                fetched.map(\.id) == expected.map(\.id),
                "seed \(seed), round \(round): \(tree)"
            )
        }
    }

    @Test(arguments: SeededGenerator.seeds)
    func `values come back as they were`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(200, using: &random)
        #expect(try stored(things).fetch(FetchDescriptor<Thing>()) == things, "seed \(seed)")
    }

    @Test(arguments: SeededGenerator.seeds)
    func `deleting by predicate leaves the rows that Swift leaves`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(60, using: &random)
        for round in 0..<20 {
            let context = try stored(things)
            let tree = PredicateTree(depth: 2, using: &random)
            try context.delete(model: Thing.self, where: tree.predicate)
            try context.save()
            let expected = try things.filter { try !tree.evaluate($0) }
            let left = try context.fetch(FetchDescriptor<Thing>())
            #expect(left.map(\.id) == expected.map(\.id), "seed \(seed), round \(round): \(tree)")
        }
    }
}
