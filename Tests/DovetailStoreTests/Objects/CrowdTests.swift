import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Many contexts of one container at once: `Scripts/soak objects` runs them for long.
struct CrowdTests {
    /// A container over a file of its own, or the memory store.
    private func container(
        _ kind: StoreKind,
        _ folder: TemporaryFolder,
        _ number: Int = 0
    ) throws -> ModelContainer {
        let models: [any Model.Type] = [CrowdPerson.self, CrowdAccount.self]
        guard kind == .sqlite else { return try kind.container(models) }
        return try ModelContainer(
            for: models,
            configuration: ModelConfiguration(url: folder.file("\(number).sqlite"))
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `contexts lose no update, and all relationships are in step`(
        _ kind: StoreKind
    ) throws {
        let seed = Soak.seed(for: "contexts, \(kind)")
        let total = Soak.count(2000, soak: 100_000)
        let folder = try TemporaryFolder()
        // Short ones fail early where something is wrong.
        var (count, saves, refused) = (0, 0, 0)
        let stories = 10
        for number in 0..<stories {
            let container = try container(kind, folder, number)
            var story = CrowdHistory(container, contexts: 8, seed: seed &+ UInt64(number))
            do {
                try story.run(total / stories)
            } catch {
                Issue.record("\(error)")
                return
            }
            count += story.count
            saves += story.saves
            refused += story.refused
        }
        withExtendedLifetime(folder) {}
        print("\(kind): \(count) operations, \(saves) saves, \(refused) refused")
        #expect(count == total / stories * stories && saves > count / 20)
        // Two of eight contexts refuse conflicts, and a short run may have none there.
        #expect(refused > 0 || !Soak.isOn)
    }

    /// Histories that have found something: two badges of one person, where another one was lost to a conflict; a
    /// team that was to be deleted and was seen after a transaction that threw.
    @Test(
        arguments: StoreKind.allCases,
        [2_991_273_842, 2_786_090_951, 4_064_364_455, 669_586_163]
    )
    func `histories that have found something`(_ kind: StoreKind, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var story = CrowdHistory(try container(kind, folder), contexts: 8, seed: seed)
        try story.run(200)
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: StoreKind.allCases)
    func `a badge that loses its person does not share that of another one`(
        _ kind: StoreKind
    ) throws {
        let folder = try TemporaryFolder()
        let container = try container(kind, folder)
        let (context, other) = (ModelContext(container), ModelContext(container))
        context.conflictPolicy = .storeWins
        for number in 1...2 { context.insert(CrowdPerson(number: number)) }
        for number in 3...4 { context.insert(CrowdBadge(number: number)) }
        try context.save()
        func find<Object: CrowdObject>(_ number: Int, in context: ModelContext) throws -> Object {
            try #require(try context.fetch(FetchDescriptor<Object>()).first { $0.number == number })
        }
        let (first, second): (CrowdBadge, CrowdBadge) = (
            try find(3, in: context), try find(4, in: context)
        )
        let (kept, lost): (CrowdPerson, CrowdPerson) = (
            try find(1, in: context), try find(2, in: context)
        )
        (first.person, first.first, second.person) = (lost, 5, kept)
        // Another one gives the badge to the person who is given one here, and deletes the one who has it here.
        let theirs: CrowdBadge = try find(3, in: other)
        theirs.person = try find(1, in: other)
        let gone: CrowdPerson = try find(2, in: other)
        other.delete(gone)
        try other.save()
        try context.save()
        #expect(first.person == nil && second.person === kept && kept.badge === second)
        let stored = ModelContext(container)
        let badges = try stored.fetch(FetchDescriptor<CrowdBadge>())
        #expect(badges.compactMap(\.person?.number) == [1])
        #expect(badges.first { $0.number == 3 }?.first == 5)
    }

    @Test(arguments: StoreKind.allCases)
    func `eight actors at once lose no amount, and no name is there twice`(
        _ kind: StoreKind
    ) async throws {
        let seed = Soak.seed(for: "eight actors, \(kind)")
        let folder = try TemporaryFolder()
        let container = try container(kind, folder)
        let turns = Soak.count(25, soak: 1000)
        let context = ModelContext(container)
        for number in 0..<6 { context.insert(CrowdAccount(name: "account \(number)")) }
        try context.save()
        let refused = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let clerk = CrowdClerk(modelContainer: container)
                    return try await clerk.work(turns, seed: seed &+ UInt64(number))
                }
            }
            return try await group.reduce(0, +)
        }
        let accounts = try context.fetch(FetchDescriptor<CrowdAccount>())
        let entries = try context.fetch(FetchDescriptor<CrowdEntry>())
        #expect(entries.count == 8 * turns * 2)
        #expect(accounts.reduce(0) { $0 + $1.balance } == 0)
        #expect(Set(accounts.map(\.name)).count == accounts.count)
        #expect(accounts.count { $0.name.hasPrefix("name") } <= 5)
        for account in accounts {
            #expect(account.entries.reduce(0) { $0 + $1.amount } == account.balance)
            #expect(account.entries.allSatisfy { $0.account === account })
        }
        #expect(accounts.reduce(0) { $0 + $1.entries.count } == entries.count)
        print("\(kind): \(8 * turns) operations, \(refused) refused")
    }

    /// In a process that does nothing else, since other tests take memory, too.
    @Test(.enabled(if: ChildProcess.isAvailable), arguments: StoreKind.allCases)
    func `a container that was closed leaves nothing behind`(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let place = kind == .sqlite ? folder.file().path : "memory"
        let rounds = Soak.count(100, soak: 1000)
        let child = try ChildProcess("rounds", place, "\(rounds)")
        let numbers = try child.finish().split(separator: " ").compactMap { Int($0) }
        try #require(numbers.count == 3, "\(numbers)")
        print("\(kind): \(numbers[0]) KB, after \(rounds) operations, \(numbers[1]) KB")
        #expect(numbers[2] == 0)
        // Ten rounds warm up less than a hundred.
        #expect(Double(numbers[1]) < Double(numbers[0]) * (Soak.isOn ? 1.05 : 1.3))
    }
}

/// Moves amounts from one account to another, and again where somebody else was faster.
@ModelActor private actor CrowdClerk {
    /// - Returns: how many saves were refused.
    func work(_ turns: Int, seed: UInt64) throws -> Int {
        var random = SeededRandom(seed: seed)
        var refused = 0
        for _ in 0..<turns {
            let names = (0..<6).shuffled(using: &random).prefix(2).map { "account \($0)" }
            // So few that two often take the same amount from the same sum.
            let amount = 1 + random.below(3)
            let name = "name \(random.below(5))"
            while true {
                try transfer(amount, names[0], names[1])
                // It becomes the row of its name where that is there.
                modelContext.insert(CrowdAccount(name: name))
                do {
                    try modelContext.save()
                    break
                } catch is ConflictError {
                    refused += 1
                    modelContext.rollback()
                }
            }
        }
        return refused
    }

    private func transfer(_ amount: Int, _ from: String, _ to: String) throws {
        for (name, amount) in [(from, -amount), (to, amount)] {
            let found = FetchDescriptor<CrowdAccount>(predicate: #Predicate { $0.name == name })
            guard let account = try modelContext.fetch(found).first else { continue }
            account.balance += amount
            account.entries.append(CrowdEntry(amount, of: account))
        }
    }
}
