import Dovetail
import StoreTestSupport
import Testing

@Model final class Outing {
    var number: Int
    var letters = ["a"]
    var lodging: OutingLodging?

    init(_ number: Int) { self.number = number }
}

/// Its rows hold the key of the outing.
@Model final class OutingLodging {
    var name: String
    var letters = ["a", "b"]
    var outing: Outing?
    var host: OutingHost
    var rooms: [OutingRoom] = []

    init(_ name: String, _ host: OutingHost) {
        self.name = name
        self.host = host
    }
}

@Model final class OutingRoom {
    var number = 1
    var lodging: OutingLodging?

    init() {}
}

@Model final class OutingHost {
    var name: String
    var rank: Int
    var town: OutingTown
    var lodgings: [OutingLodging] = []

    init(_ name: String, _ rank: Int, _ town: OutingTown) {
        self.name = name
        self.rank = rank
        self.town = town
    }
}

@Model final class OutingTown {
    var name: String
    var hosts: [OutingHost] = []

    init(_ name: String) { self.name = name }
}

/// What predicates and orders say of the one object that another one has.
@Suite struct RelatedOneTests {
    /// Four outings: with a lodging that has rooms, with others that have none, and without one.
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Outing.self))
        let towns = [OutingTown("y"), OutingTown("x")]
        let hosts = [
            OutingHost("c", 1, towns[0]), OutingHost("a", 3, towns[0]),
            OutingHost("b", 2, towns[1]),
        ]
        for number in 1...4 {
            let outing = Outing(number)
            context.insert(outing)
            if number == 4 { continue }
            let lodging = OutingLodging("l\(number)", hosts[number - 1])
            outing.lodging = lodging
            if number == 1 { lodging.rooms = [OutingRoom(), OutingRoom()] }
        }
        try context.save()
        return context
    }

    /// What is asked of the object that no row holds the key of.
    private static var predicates: [Predicate<Outing>] {
        [
            #Predicate { if let one = $0.lodging { one.name == "l1" } else { true } },
            #Predicate { if let one = $0.lodging { one.name == "l1" } else { false } },
            #Predicate { $0.lodging.flatMap { $0.name == "l1" } ?? true },
            #Predicate { !($0.lodging.flatMap { $0.name == "l2" } ?? false) },
            #Predicate { outing in outing.lodging.flatMap { _ in outing.number == 1 } == nil },
            #Predicate { outing in
                outing.lodging.flatMap { $0.rooms.count + outing.number } == nil
            },
            #Predicate { ($0.lodging?.rooms.count ?? 7) == 7 },
            #Predicate { ($0.lodging?.rooms.isEmpty ?? true) },
            #Predicate { $0.lodging?.rooms.contains { $0.number == 1 } ?? true },
            #Predicate { $0.lodging?.rooms.allSatisfy { $0.number == 2 } == nil },
            #Predicate { ($0.lodging?.host.name ?? "") < "b" },
            #Predicate { $0.lodging?.outing?.lodging.flatMap { $0.name == "l3" } ?? true },
            #Predicate { $0.lodging?.name == nil },
        ]
    }

    @Test(arguments: StoreKind.allCases)
    func `a predicate means what it says of objects`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let all = try context.fetch(FetchDescriptor<Outing>())
        var found: Set<[Int]> = []
        for (index, predicate) in Self.predicates.enumerated() {
            let expected = try all.filter { try predicate.evaluate($0) }.map(\.number)
            let other = ModelContext(context.container)
            let numbers = try other.fetch(FetchDescriptor(predicate: predicate)).map(\.number)
            #expect(numbers.sorted() == expected.sorted(), "\(index)")
            found.insert(expected.sorted())
        }
        #expect(found.count > 5)
    }

    /// SQL has no form for them where an element is compared with another row.
    @Test func `lists of both are compared in memory`() throws {
        let context = try context(.memory)
        let all = try context.fetch(FetchDescriptor<Outing>())
        all[2].lodging?.letters = ["b"]
        try context.save()
        let predicates: [Predicate<Outing>] = [
            #Predicate { outing in
                outing.letters.contains { outing.lodging?.letters.contains($0) ?? false }
            },
            #Predicate { outing in
                outing.letters.allSatisfy { outing.lodging?.letters.contains($0) ?? true }
            },
            #Predicate { outing in
                outing.letters.filter { outing.lodging?.letters.contains($0) ?? false }.count == 1
            },
            #Predicate { outing in
                outing.lodging?.letters.contains { outing.letters.contains($0) } ?? true
            },
        ]
        for (index, predicate) in predicates.enumerated() {
            let expected = try all.filter { try predicate.evaluate($0) }.map(\.number)
            let found = try ModelContext(context.container)
                .fetch(FetchDescriptor(predicate: predicate))
            #expect(found.map(\.number).sorted() == expected.sorted(), "\(index)")
            #expect(expected.contains(1) && !expected.contains(3), "\(index)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an order goes through a relationship that is always there`(_ kind: StoreKind) throws {
        let context = try context(kind)
        func names(_ order: SortDescriptor<OutingLodging>..., limit: Int? = nil) throws -> [String]
        {
            var descriptor = FetchDescriptor(sortBy: order)
            descriptor.fetchLimit = limit
            return try context.fetch(descriptor).map(\.name)
        }
        #expect(try names(SortDescriptor(\.host.name)) == ["l2", "l3", "l1"])
        #expect(try names(SortDescriptor(\.host.rank, order: .reverse), limit: 1) == ["l2"])
        let byTown = try names(SortDescriptor(\.host.town.name), SortDescriptor(\.host.name))
        #expect(byTown == ["l3", "l2", "l1"])
        #expect(try context.max(\OutingLodging.host.rank) == 3)
        #expect(try context.sum(\OutingLodging.host.rank) == 6)
        let outings = FetchDescriptor<Outing>(sortBy: [SortDescriptor(\.lodging?.host.name)])
        #expect(try context.fetch(outings).map(\.number) == [4, 2, 3, 1])
    }
}

@Model final class LinkedStep {
    var number: Int
    var state = "open"
    var next: LinkedStep?
    @Relationship(inverse: \LinkedStep.next) var before: [LinkedStep] = []

    init(_ number: Int) { self.number = number }
}

@Model(deletion: .mark) final class MarkedStep {
    var number: Int
    var state = "open"
    var next: MarkedStep?
    @Relationship(inverse: \MarkedStep.next) var before: [MarkedStep] = []

    init(_ number: Int) { self.number = number }
}

/// Changes of all rows for which something holds that other rows of the same table say.
@Suite struct LinkedUpdateTests {
    @Test(arguments: StoreKind.allCases)
    func `rows are found before any of them changes`(_ kind: StoreKind) throws {
        let container = try kind.container(LinkedStep.self)
        let context = ModelContext(container)
        let steps = (0..<6).map { LinkedStep($0) }
        for (step, next) in zip(steps.dropFirst(), steps) { step.next = next }
        steps.forEach { context.insert($0) }
        try context.save()
        let predicates: [Predicate<LinkedStep>] = [
            #Predicate { $0.next?.state == "open" },
            #Predicate { $0.before.contains { $0.state == "open" } },
            #Predicate { $0.next?.next?.state == "open" },
        ]
        for predicate in predicates {
            // Without objects, the store does it alone.
            let other = ModelContext(container)
            let count = try other.fetchCount(FetchDescriptor(predicate: predicate))
            #expect(count >= 4)
            try other.update(LinkedStep.self, where: predicate) { try $0.set(\.state, "done") }
            try other.save()
            let isDone = #Predicate<LinkedStep> { $0.state == "done" }
            #expect(try other.fetchCount(FetchDescriptor(predicate: isDone)) == count)
            try other.update(LinkedStep.self) { try $0.set(\.state, "open") }
            try other.save()
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `and before any of them is deleted`(_ kind: StoreKind) throws {
        let container = try kind.container(LinkedStep.self, MarkedStep.self)
        let context = ModelContext(container)
        let (steps, marked) = ((0..<6).map { LinkedStep($0) }, (0..<6).map { MarkedStep($0) })
        for (step, next) in zip(steps.dropFirst(), steps) { step.next = next }
        for (step, next) in zip(marked.dropFirst(), marked) { step.next = next }
        steps.forEach { context.insert($0) }
        marked.forEach { context.insert($0) }
        try context.save()
        let other = ModelContext(container)
        try other.delete(model: LinkedStep.self, where: #Predicate { $0.next?.state == "open" })
        try other.delete(model: MarkedStep.self, where: #Predicate { $0.next?.state == "open" })
        try other.save()
        #expect(try other.fetch(FetchDescriptor<LinkedStep>()).map(\.number) == [0])
        #expect(try other.fetch(FetchDescriptor<MarkedStep>()).map(\.number) == [0])
    }
}
