import Dovetail
import StoreTestSupport
import Testing

@Suite struct SortDifferentialTests {
    private static func criterion(_ random: inout SeededGenerator) -> SortDescriptor<Thing> {
        let order: SortOrder = random.pick([.forward, .reverse])
        return switch Int.random(in: 0..<13, using: &random) {
        case 0: SortDescriptor(\.count, order: order)
        case 1: SortDescriptor(\.small, order: order)
        case 2: SortDescriptor(\.unsigned, order: order)
        case 3: SortDescriptor(\.ratio, order: order)
        case 4: SortDescriptor(\.float, order: order)
        case 5: SortDescriptor(\.name, comparator: .lexical, order: order)
        case 6: SortDescriptor(\.day, order: order)
        case 7: SortDescriptor(\.token, order: order)
        case 8: SortDescriptor(\.optCount, order: order)
        case 9: SortDescriptor(\.optRatio, order: order)
        case 10: SortDescriptor(\.optName, comparator: .lexical, order: order)
        case 11: SortDescriptor(\.optDay, order: order)
        default: SortDescriptor(\.optToken, order: order)
        }
    }

    @Test(arguments: SeededGenerator.seeds, StoreKind.allCases)
    func `orders, limits and offsets give what Swift gives`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededGenerator(seed: seed)
        let things = Thing.many(80, using: &random)
        let context = ModelContext(try kind.container(Thing.self))
        context.insert(contentsOf: things.shuffled(using: &random))
        try context.save()
        for round in 0..<100 {
            var criteria = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                Self.criterion(&random)
            }
            criteria.append(SortDescriptor(\.id, order: random.pick([.forward, .reverse])))
            var descriptor = FetchDescriptor<Thing>(sortBy: criteria)
            descriptor.fetchLimit = random.pick([nil, 0, 1, 7, 100])
            descriptor.fetchOffset = random.pick([nil, 0, 1, 79, 100])
            let expected = things.sorted(using: criteria)
                .dropFirst(descriptor.fetchOffset ?? 0)
                .prefix(descriptor.fetchLimit ?? .max)
            let comment: Comment =
                "\(kind), seed \(seed), round \(round): \(criteria.map(\.keyPath))"
            #expect(try context.fetch(descriptor).map(\.id) == expected.map(\.id), comment)
            #expect(try context.fetchCount(descriptor) == expected.count, comment)
        }
    }
}
