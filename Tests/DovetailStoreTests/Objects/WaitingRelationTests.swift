import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@ModelProtocol protocol Berthed: AnyObject {
    var name: String { get }
    var berth: Berth? { get }
}

@Model final class Harbor {
    var code: String
    @Relationship(inverse: \Berth.harbor) var berths: [Berth] = []

    init(_ code: String) { self.code = code }
}

@Model final class Berth {
    @Attribute(.unique) var number: Int
    var depth: Int
    var harbor: Harbor?

    init(_ number: Int, _ depth: Int) {
        self.number = number
        self.depth = depth
    }
}

@Model final class Ferry: Berthed {
    var name: String
    var berth: Berth?
    var next: Ferry?

    init(_ name: String) { self.name = name }
}

@Model final class Barge: Berthed {
    var name: String
    var berth: Berth?

    init(_ name: String) { self.name = name }
}

/// Fetches whose predicates lead through relationships, while something waits: they see what a save would store.
@Suite struct WaitingRelationTests {
    /// What some fetches find.
    private func found(_ context: ModelContext, _ number: Int) throws -> [[String]] {
        let code = "h\(number % 3)"
        let depth = number % 5
        func ferries(_ predicate: Predicate<Ferry>) throws -> [String] {
            let all = try context.fetch(FetchDescriptor(predicate: predicate))
            let count = try context.fetchCount(FetchDescriptor(predicate: predicate))
            #expect(all.count == count)
            return all.map(\.name).sorted()
        }
        var pets = FetchDescriptor<any Berthed>(
            predicate: #Predicate { $0.berth?.depth == depth },
            sortBy: [SortDescriptor(\.name)]
        )
        let berthed = try context.fetch(pets).map(\.name)
        #expect(try context.fetchCount(pets) == berthed.count)
        pets.fetchLimit = 2
        return try [
            berthed, context.fetch(pets).map(\.name),
            ferries(#Predicate { $0.berth?.number == number }),
            ferries(#Predicate { $0.berth?.harbor?.code == code && $0.name != "f1" }),
            ferries(#Predicate { $0.berth?.harbor?.code != code }),
            ferries(
                #Predicate { ($0.berth?.depth ?? 0) > depth || $0.next?.berth?.depth == depth }
            ),
            ferries(#Predicate { $0.next?.name == "f\(number)" }),
            ferries(#Predicate { $0.berth == nil }),
            context.fetch(
                FetchDescriptor<Harbor>(
                    predicate: #Predicate { $0.berths.contains { $0.depth == depth } }
                )
            )
            .map(\.code).sorted(),
        ]
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `what a fetch through relationships finds is what it finds after the save`(
        _ kind: StoreKind,
        _ seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(
            try kind.container(Harbor.self, Berth.self, Ferry.self, Barge.self)
        )
        var (harbors, berths): ([Harbor], [Berth]) = ([], [])
        var ferries = (0..<6).map { Ferry("f\($0)") }
        var barges = (0..<6).map { Barge("b\($0)") }
        ferries.forEach(context.insert)
        barges.forEach(context.insert)
        for round in 0..<12 {
            // Every other round nothing but new objects waits, and questions come in between.
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                switch Int.random(in: 0...(round % 2 == 0 ? 3 : 8), using: &random) {
                case 0:
                    harbors.append(Harbor("h\(harbors.count % 4)"))
                    if Bool.random(using: &random) { context.insert(harbors[harbors.count - 1]) }
                case 1:
                    let berth = Berth(berths.count, Int.random(in: 0...5, using: &random))
                    berth.harbor = harbors.randomElement(using: &random)
                    berths.append(berth)
                    if Bool.random(using: &random) { context.insert(berth) }
                case 2:
                    let ferry = Ferry("f\(ferries.count)")
                    ferry.berth = berths.randomElement(using: &random)
                    ferry.next = ferries.randomElement(using: &random)
                    ferries.append(ferry)
                    context.insert(ferry)
                case 3:
                    let barge = Barge("b\(barges.count)")
                    barge.berth = berths.randomElement(using: &random)
                    barges.append(barge)
                    context.insert(barge)
                case 4:
                    berths.randomElement(using: &random)?.depth = Int.random(
                        in: 0...5,
                        using: &random
                    )
                case 5:
                    ferries.randomElement(using: &random)?.berth = berths.randomElement(
                        using: &random
                    )
                case 6:
                    berths.randomElement(using: &random)?.harbor = harbors.randomElement(
                        using: &random
                    )
                case 7: harbors.randomElement(using: &random)?.code = "h2"
                default:
                    guard ferries.count > 2 else { continue }
                    let ferry = ferries.remove(
                        at: Int.random(in: 0...ferries.count - 1, using: &random)
                    )
                    context.delete(ferry)
                }
                if Int.random(in: 0...3, using: &random) == 0 {
                    _ = try found(context, Int.random(in: 0...8, using: &random))
                }
            }
            let numbers = (0..<4).map { _ in Int.random(in: 0...8, using: &random) }
            let before = try numbers.map { try found(context, $0) }
            try context.save()
            #expect(try numbers.map { try found(context, $0) } == before)
        }
    }

    @Test func `an import that asks through a relationship writes nothing before its save`() throws
    {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let context = ModelContext(
            try ModelContainer(for: Harbor.self, Ferry.self, configurations: configuration)
        )
        let first = Berth(0, 0)
        let old = Ferry("old")
        old.berth = first
        context.insert(old)
        try context.save()
        _ = log.take()
        for number in 0..<200 {
            let wanted = number / 2
            let ferries = try context.fetch(
                FetchDescriptor<Ferry>(predicate: #Predicate { $0.berth?.number == wanted })
            )
            let ferry = Ferry("f\(number)")
            ferry.berth = ferries.first?.berth ?? Berth(wanted, number)
            context.insert(ferry)
        }
        #expect(log.take().allSatisfy { $0.sql.hasPrefix("SELECT") })
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Berth>()) == 100)
        #expect(try context.fetchCount(FetchDescriptor<Ferry>()) == 201)
    }
}
