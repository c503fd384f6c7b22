import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Conditions about the objects of a relationship that name the object which has them:
/// `box.items.contains { $0.weight > box.limit }`. Each is asked of the store and of the objects themselves.
struct OuterRowTests {
    /// Holds with packets of random sizes, marks and porters, many of which are missing.
    private func holds(_ kind: StoreKind, _ random: inout SeededRandom) throws -> ModelContext {
        let context = ModelContext(
            try kind.container([Hold.self, BigHold.self, Packet.self, Porter.self])
        )
        let words = ["a", "B", "ab", "é", ""]
        let porters = (0..<3).map { Porter(words[$0], most: $0) }
        for porter in porters { context.insert(porter) }
        var holds: [Hold] = []
        for number in 0..<12 {
            let name = words[random.below(words.count)]
            let hold =
                number % 3 == 0
                ? BigHold(number, name, spare: random.below(4)) : Hold(number, name)
            context.insert(hold)
            hold.limit = random.below(4) == 0 ? nil : random.below(4)
            hold.labels = words.filter { _ in random.below(2) == 0 }
            hold.size = Extent(width: random.below(3), height: random.below(3))
            hold.price = Decimal(random.below(4)) / 2
            for _ in 0..<random.below(4) {
                let packet = Packet(words[random.below(words.count)], weight: random.below(4))
                hold.packets.append(packet)
                packet.porter = random.below(3) == 0 ? nil : porters[random.below(3)]
                packet.price = Decimal(random.below(4)) / 2
            }
            if random.below(3) > 0 { hold.porter = porters[random.below(3)] }
            holds.append(hold)
        }
        for hold in holds {
            hold.friends = holds.filter { _ in random.below(4) == 0 }
            hold.next = random.below(3) == 0 ? nil : holds[random.below(holds.count)]
        }
        return context
    }

    /// How many holds a predicate takes, of the store and of the objects.
    private func count(
        _ context: ModelContext,
        _ inline: InlinePredicate<Hold>,
        _ comment: Comment,
        location: SourceLocation = #_sourceLocation
    ) throws -> Int {
        let order = [SortDescriptor(\Hold.number)]
        let found = try context.fetch(
            FetchDescriptor(predicate: inline.predicate, sortBy: order)
        )
        let all = try context.fetch(FetchDescriptor<Hold>(sortBy: order))
        let taken = try all.filter(inline.predicate)
        #expect(
            taken.map(\.number) == found.map(\.number),
            comment,
            sourceLocation: location
        )
        return found.count
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `objects are compared with the one that has them`(_ kind: StoreKind, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let comment = Comment(rawValue: "seed \(seed)")
        let context = try holds(kind, &random)
        var found: [Int] = []
        func ask(
            _ inline: InlinePredicate<Hold>,
            location: SourceLocation = #_sourceLocation
        ) throws {
            found.append(try count(context, inline, comment, location: location))
        }
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            // Lists of objects that have a key, and of those that a join table has.
            try ask(#Predicate { hold in hold.packets.contains { $0.weight > hold.number } })
            try ask(
                #Predicate { hold in
                    hold.packets.contains { $0.weight > (hold.limit ?? 0) && $0.name != hold.name }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.limit != nil && hold.packets.allSatisfy { $0.weight <= hold.limit! }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.packets.filter { $0.weight == hold.limit }.count > hold.number - 8
                }
            )
            try ask(#Predicate { hold in hold.friends.contains { $0.number > hold.number } })
            try ask(
                #Predicate { hold in !hold.friends.filter { $0.name == hold.name }.isEmpty }
            )
            // Objects of the one that has them, and its embedded values.
            try ask(
                #Predicate { hold in
                    hold.packets.contains { $0.porter?.name == hold.porter?.name }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.packets.contains { ($0.porter?.most ?? 9) > (hold.porter?.most ?? 0) }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.packets.contains { ($0.porter == nil) == (hold.porter == nil) }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.packets.contains { $0.weight == hold.size.width + hold.size.height }
                }
            )
            try ask(
                #Predicate { hold in hold.packets.contains { hold.labels.contains($0.name) } }
            )
            try ask(
                #Predicate { hold in
                    hold.packets.contains { $0.price > hold.price * 2 - $0.price }
                }
            )
            // Texts in other letters, of both sides.
            try ask(
                #Predicate { hold in
                    hold.packets.contains { $0.name.lowercased() == hold.name.lowercased() }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.packets.contains { $0.name.localizedStandardContains(hold.name) }
                }
            )
            try ask(
                #Predicate { hold in hold.packets.contains { hold.name.contains($0.name) } }
            )
            // The same through a join table, whose rows are between both.
            try ask(
                #Predicate { hold in hold.friends.contains { hold.labels.contains($0.name) } }
            )
            try ask(
                #Predicate { hold in
                    hold.friends.contains { $0.name.localizedStandardContains(hold.name) }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.friends.contains { friend in
                        friend.packets.contains { hold.labels.contains($0.name) }
                    }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.friends.contains { friend in
                        friend.friends.contains {
                            hold.labels.contains($0.name) && friend.labels.contains(hold.name)
                        }
                    }
                }
            )
            try ask(#Predicate { hold in hold.packets.contains { $0.price > hold.price } })
            // Lists in lists, which ask all the rows around.
            try ask(
                #Predicate { hold in
                    hold.friends.contains { friend in
                        friend.packets.contains {
                            $0.weight > hold.number - 4 && $0.name == friend.name
                        }
                    }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.friends.contains { friend in
                        hold.packets.contains { $0.name == friend.name }
                    }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.friends.contains { friend in
                        hold.packets.filter { $0.weight >= friend.number }.count > hold.number
                    }
                }
            )
            // Other lists than that of the row.
            try ask(
                #Predicate { hold in
                    hold.next?.packets.contains { $0.name == hold.name } ?? false
                }
            )
            // Classes.
            try ask(
                #Predicate { hold in
                    hold.packets.contains { hold is BigHold && $0.weight > 1 }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.packets.contains { $0.weight > ((hold as? BigHold)?.spare ?? 2) }
                }
            )
            try ask(
                #Predicate { hold in
                    hold.friends.contains { ($0 as? BigHold)?.spare == hold.limit }
                }
            )
            try ask(
                #Predicate { hold in
                    (hold as? BigHold)?.packets.contains { $0.weight > hold.number - 6 } ?? false
                }
            )
        }
        // The claims hold of the known seeds: some questions take some and leave some.
        let telling = found.count { 0 < $0 && $0 < 12 }
        #expect(SeededRandom.isMet(telling - 29, seed: seed), "\(found) \(comment)")
        let half = found.count / 2
        #expect(found[..<half].elementsEqual(found[half...]), comment)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates are put together around and inside`(_ kind: StoreKind) throws {
        var random = SeededRandom(seed: 1)
        let context = try holds(kind, &random)
        let isHeavy = #Predicate<Packet> { $0.weight > 1 }
        let isEarly = #Predicate<Hold> { $0.number < 6 }
        let isNamed = #Predicate<Porter> { $0.name != "" }
        for inline: InlinePredicate<Hold> in [
            InlinePredicate(
                #Predicate<Hold> { hold in hold.packets.contains { isHeavy.evaluate($0) } }
            ),
            InlinePredicate(
                #Predicate<Hold> { hold in
                    hold.packets.contains { isHeavy.evaluate($0) && isEarly.evaluate(hold) }
                }
            ),
            InlinePredicate(
                #Predicate<Hold> { hold in
                    hold.packets.contains { $0.porter.flatMap { isNamed.evaluate($0) } ?? false }
                }
            ),
            InlinePredicate(
                .all([
                    isEarly,
                    #Predicate<Hold> { hold in
                        hold.packets.contains { $0.weight > hold.number - 2 }
                    },
                ])
            ),
        ] {
            let found = try count(context, inline, "")
            #expect(0 < found && found < 12)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `rows are counted, deleted and gone over by what they have`(_ kind: StoreKind) throws {
        var random = SeededRandom(seed: 1)
        let context = try holds(kind, &random)
        try context.save()
        let isTaken = #Predicate<Hold> { hold in
            hold.packets.contains { $0.weight > hold.number - 3 }
        }
        let all = try context.fetch(FetchDescriptor<Hold>())
        let taken = try all.filter(isTaken).map(\.number).sorted()
        #expect(taken.count > 1 && taken.count < 12)
        let descriptor = FetchDescriptor(predicate: isTaken)
        #expect(try context.fetchCount(descriptor) == taken.count)
        var met: [Int] = []
        try context.enumerate(descriptor, batchSize: 2) { met.append($0.number) }
        #expect(met.sorted() == taken)
        try context.delete(model: Hold.self, where: isTaken)
        try context.save()
        let left = try ModelContext(context.container).fetch(FetchDescriptor<Hold>())
        #expect(Set(left.map(\.number)) == Set(all.indices).subtracting(taken))
    }

    @Test func `what is made of both rows in one cast is refused`() throws {
        let context = ModelContext(
            try StoreKind.sqlite.container([Hold.self, BigHold.self, Packet.self, Porter.self])
        )
        let descriptor = FetchDescriptor<Hold>(
            predicate: #Predicate { hold in
                hold.friends.contains { friend in
                    (hold as? BigHold).flatMap { $0.name == friend.name } ?? false
                }
            }
        )
        #expect(throws: QueryError.self) { try context.fetch(descriptor) }
    }

    @Test func `the rows around have the names of their tables`() throws {
        let context = ModelContext(
            try StoreKind.sqlite.container([Hold.self, BigHold.self, Packet.self, Porter.self])
        )
        let descriptor = FetchDescriptor<Hold>(
            predicate: #Predicate { hold in hold.packets.contains { $0.weight > hold.number } }
        )
        let sql = try context.explain(descriptor).statement
        #expect(sql.contains(#"("dovetail_1"."weight" > "Hold"."number")"#), "\(sql)")
        #expect(sql.contains("EXISTS (SELECT 1 FROM"), "\(sql)")
    }

    @Test(arguments: StoreKind.allCases)
    func `what is asked of the row around is followed`(_ kind: StoreKind) async throws {
        let context = ModelContext(
            try kind.container([Hold.self, BigHold.self, Packet.self, Porter.self])
        )
        let hold = Hold(1, "a")
        context.insert(hold)
        hold.porter = Porter("c", most: 5)
        hold.packets = [Packet("p", weight: 3)]
        try context.save()
        let descriptor = FetchDescriptor<Hold>(
            predicate: #Predicate { hold in
                hold.packets.contains { $0.weight > (hold.porter?.most ?? 0) }
            }
        )
        let changes = try context.changes(of: descriptor).makeAsyncIterator()
        #expect(try await changes.next()?.inserted.count == 0)
        hold.porter?.most = 2
        try context.save()
        #expect(try await changes.next()?.inserted.count == 1)
    }
}

@Model private class Hold {
    var number: Int
    var name: String
    var limit: Int?
    var labels: [String] = []
    var size = Extent(width: 0, height: 0)
    var price: Decimal = 0
    @Relationship(deleteRule: .cascade) var packets: [Packet] = []
    @Relationship(inverse: .itself) var friends: [Hold] = []
    var porter: Porter?
    var next: Hold?

    init(_ number: Int, _ name: String) {
        self.number = number
        self.name = name
    }
}

@Model private final class BigHold: Hold {
    var spare: Int

    init(_ number: Int, _ name: String, spare: Int) {
        self.spare = spare
        super.init(number, name)
    }
}

@Model private final class Packet {
    var name: String
    var weight: Int
    var price: Decimal = 0
    var porter: Porter?

    init(_ name: String, weight: Int) {
        self.name = name
        self.weight = weight
    }
}

@Model private final class Porter {
    var name: String
    var most: Int

    init(_ name: String, most: Int) {
        self.name = name
        self.most = most
    }
}

@Model private struct Extent {
    var width: Int
    var height: Int
}
