import Dovetail
import StoreTestSupport
import Testing

@Suite struct PredicateDifferentialTests {
    private func stored(_ things: [Thing], _ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Thing.self))
        context.insert(contentsOf: things)
        try context.save()
        return context
    }

    @Test(arguments: SeededGenerator.seeds, StoreKind.allCases)
    func `each term alone gives the rows that Swift gives`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(120, using: &random)
        let context = try stored(things, kind)
        for (index, maker) in PredicateMakers.all.enumerated() {
            for _ in 0..<6 {
                let predicate = maker(&random)
                let expected = try things.filter { try predicate.evaluate($0) }.map(\.id)
                let fetched = try context.fetch(FetchDescriptor(predicate: predicate))
                let comment: Comment = "\(kind), seed \(seed), maker \(index): \(predicate)"
                #expect(fetched.map(\.id) == expected, comment)
                #expect(
                    try context.fetchCount(FetchDescriptor(predicate: predicate)) == expected.count,
                    comment
                )
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds, StoreKind.allCases)
    func `combined terms give the rows that Swift gives`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(60, using: &random)
        let context = try stored(things, kind)
        for round in 0..<150 {
            let tree = PredicateTree(depth: 4, using: &random)
            let expected = try things.filter { try tree.evaluate($0) }
            let fetched = try context.fetch(FetchDescriptor(predicate: tree.predicate))
            #expect(
                fetched.map(\.id) == expected.map(\.id),
                "\(kind), seed \(seed), round \(round): \(tree)"
            )
        }
    }

    @Test(arguments: SeededGenerator.seeds, StoreKind.allCases)
    func `values come back as they were`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(200, using: &random)
        #expect(
            try stored(things, kind).fetch(FetchDescriptor<Thing>()) == things,
            "\(kind), seed \(seed)"
        )
    }

    @Test(arguments: SeededGenerator.seeds, StoreKind.allCases)
    func `deleting by predicate leaves the rows that Swift leaves`(
        seed: UInt64,
        kind: StoreKind
    ) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(60, using: &random)
        for round in 0..<20 {
            let context = try stored(things, kind)
            let tree = PredicateTree(depth: 2, using: &random)
            try context.delete(model: Thing.self, where: tree.predicate)
            try context.save()
            let expected = try things.filter { try !tree.evaluate($0) }
            let left = try context.fetch(FetchDescriptor<Thing>())
            #expect(
                left.map(\.id) == expected.map(\.id),
                "\(kind), seed \(seed), round \(round): \(tree)"
            )
        }
    }
}
