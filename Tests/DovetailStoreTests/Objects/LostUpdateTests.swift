import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Two that read a number, add to it and write it.
struct LostUpdateTests {
    @Test(arguments: StoreKind.allCases)
    func `two that set an attribute to the same value are in conflict`(_ kind: StoreKind) throws {
        let container = try kind.container([Till.self, TillEntry.self])
        let (context, other) = (ModelContext(container), ModelContext(container))
        context.insert(Till("a", cents: 100))
        try context.save()
        func tills() throws -> (Till, Till) {
            (try #require(try context.till("a")), try #require(try other.till("a")))
        }
        let (mine, theirs) = try tills()
        mine.cents -= 10
        theirs.cents -= 10
        try context.save()
        let error = #expect(throws: ConflictError.self) { try other.save() }
        let conflict = try #require(error?.conflicts.first)
        #expect(conflict.attributes == ["cents"] && conflict.mine?["cents"] == .integer(90))
        #expect(conflict.base["cents"] == .integer(100))
        #expect(conflict.theirs?["cents"] == .integer(90))
        other.rollback()
        // Again from what is stored.
        try #require(try other.till("a")).cents -= 10
        try other.save()
        #expect(try context.till("a")?.cents == 80)

        for policy in [ConflictPolicy.storeWins, .contextWins] {
            _ = try tills()
            mine.name = "\(policy)"
            theirs.name = "\(policy)"
            try context.save()
            other.conflictPolicy = policy
            try other.save()
            #expect(theirs.name == "\(policy)" && !other.hasChanges)
        }
        other.conflictPolicy = .custom { conflict in
            conflict.mine == conflict.theirs ? .contextWins : .error
        }
        _ = try tills()
        mine.name = "both"
        theirs.name = "both"
        try context.save()
        try other.save()
        #expect(!other.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `two that refer to the same object agree`(_ kind: StoreKind) throws {
        let container = try kind.container([Till.self, TillEntry.self])
        let (context, other) = (ModelContext(container), ModelContext(container))
        let till = Till("a", cents: 0)
        let entry = TillEntry(5)
        context.insert(till)
        context.insert(entry)
        try context.save()
        let same = try #require(other.model(for: entry.persistentModelID) as? TillEntry)
        same.till = try other.till("a")
        entry.till = till
        try other.save()
        try context.save()
        #expect(till.entries == [entry] && entry.till === till)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object is what is stored when a transaction begins`(_ kind: StoreKind) throws {
        let container = try kind.container([Till.self, TillEntry.self])
        let (context, other) = (ModelContext(container), ModelContext(container))
        let till = Till("a", cents: 100)
        context.insert(till)
        try context.save()
        try #require(try other.till("a")).cents = 50
        try other.save()
        #expect(till.cents == 100)
        try context.transaction {
            #expect(till.cents == 50)
            till.cents -= 10
        }
        #expect(till.cents == 40 && !context.hasChanges)
        #expect(try other.till("a")?.cents == 40)
        // What waits stays, and is compared with what it was.
        try #require(try other.till("a")).cents = 30
        try other.save()
        till.name = "mine"
        till.cents = 7
        #expect(throws: ConflictError.self) { try context.transaction {} }
        #expect(till.cents == 7 && till.name == "mine")
        context.rollback()
        try context.transaction { till.cents += 1 }
        #expect(till.cents == 31)
    }

    @Test(arguments: StoreKind.allCases)
    func `transactions that read and then write lose nothing`(_ kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let models: [any Model.Type] = [Till.self, TillEntry.self]
        let container =
            kind == .sqlite
            ? try ModelContainer(
                for: models,
                configuration: ModelConfiguration(url: folder.file("tills.sqlite"))
            ) : try kind.container(models)
        let context = ModelContext(container)
        for name in ["a", "b", "c"] { context.insert(Till(name, cents: 1000)) }
        try context.save()
        let (clerks, turns) = (6, 40)
        let refused = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<clerks {
                let clerk = TillClerk(modelContainer: container)
                group.addTask { try await clerk.work(turns, first: number) }
            }
            return try await group.reduce(0, +)
        }
        // Only a server has several that write at once.
        if kind != .postgres { #expect(refused == 0) }
        let tills = try context.fetch(FetchDescriptor<Till>())
        #expect(tills.reduce(0) { $0 + $1.cents } == 3000)
        for till in tills {
            #expect(till.cents == till.entries.reduce(1000) { $0 + $1.cents }, "\(till.name)")
        }
        #expect(try context.fetchCount(FetchDescriptor<TillEntry>()) == clerks * turns * 2)
        withExtendedLifetime(folder) {}
    }
}

/// Moves the same cent again and again.
@ModelActor private actor TillClerk {
    struct Stop: Error {}

    /// - Returns: how often somebody else was in the way.
    func work(_ turns: Int, first: Int) throws -> Int {
        let names = ["a", "b", "c"]
        var refused = 0
        for turn in 0..<turns {
            let (from, to) = (names[(first + turn) % 3], names[(first + turn + 1) % 3])
            if turn % 7 == 3 { try? modelContext.transaction { try move(from, to, stops: true) } }
            while true {
                do {
                    try modelContext.transaction { try move(from, to, stops: false) }
                    break
                } catch is ConflictError {
                    refused += 1
                } catch let error as StoreError
                    where [.serializationFailure, .deadlock].contains(error.kind)
                {
                    refused += 1
                }
            }
        }
        return refused
    }

    private func move(_ from: String, _ to: String, stops: Bool) throws {
        for (name, cents) in [(from, -1), (to, 1)] {
            let till = try #require(try modelContext.till(name))
            till.cents += cents
            till.entries.append(TillEntry(cents))
        }
        if stops { throw Stop() }
    }
}

extension ModelContext {
    fileprivate func till(_ name: String) throws -> Till? {
        try fetch(FetchDescriptor<Till>(predicate: #Predicate { $0.code == name })).first
    }
}

@Model private final class Till {
    @Attribute(.unique) var code: String
    var name: String
    var cents: Int
    @Relationship(deleteRule: .cascade, inverse: \TillEntry.till) var entries: [TillEntry] = []

    init(_ code: String, cents: Int) {
        self.code = code
        self.name = code
        self.cents = cents
    }
}

@Model private final class TillEntry {
    var cents: Int
    var till: Till?

    init(_ cents: Int) { self.cents = cents }
}
