import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Synchronization
import Testing

@Model struct LedgerAccount: Identifiable, Equatable, Sendable {
    let id: Int
    var amount: Int
    var branch = 0
}

@Model final class LedgerNote {
    @Attribute(.unique) var title: String
    var count = 0

    init(_ title: String) { self.title = title }
}

@Model final class LedgerOther {
    var count = 0

    init() {}
}

/// What contexts have, follow and store while others commit at the same time.
@Suite(.needsPostgres) struct ManyWritersTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    private func accounts(_ count: Int) throws -> ModelContainer {
        let container = try schema.container(LedgerAccount.self) { $0.saveAttempts = 100 }
        let context = ModelContext(container)
        context.insert(contentsOf: (0..<count).map { LedgerAccount(id: $0, amount: 100) })
        try context.save()
        return container
    }

    /// Moves 1 from one account to another one, again and again. The container's own methods run one after the other.
    private func transfer(_ container: ModelContainer, _ rounds: Int, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<rounds {
            let pair = [0, 1].map { _ in Int.random(in: 0..<20, using: &random) }
            func move() throws {
                let context = ModelContext(container)
                try context.transaction {
                    for (id, change) in zip(pair, [-1, 1]) {
                        let found = try context.fetch(
                            FetchDescriptor<LedgerAccount>(predicate: #Predicate { $0.id == id })
                        )
                        var account = found[0]
                        account.amount += change
                        context.update(account)
                        try context.save()
                    }
                }
            }
            while true {
                do {
                    try move()
                    break
                } catch let error as StoreError
                    where [.serializationFailure, .deadlock].contains(error.kind)
                {
                    continue
                }
            }
        }
    }

    @Test(arguments: SeededRandom.seeds)
    func `a followed fetch is told whole commits`(seed: UInt64) async throws {
        let container = try accounts(20)
        let changes = try ModelContext(container).changes(of: FetchDescriptor<LedgerAccount>())
        // A mark by which the follower knows the end.
        let follower = Task {
            var (amounts, sums) = ([Int: Int](), Set<Int>())
            for try await change in changes {
                for account in change.inserted { amounts[account.id] = account.amount }
                for update in change.updated { amounts[update.item.id] = update.item.amount }
                if amounts[-1] != nil { break }
                sums.insert(amounts.values.reduce(0, +))
            }
            return sums
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    try transfer(container, 30, seed: seed &+ UInt64(writer))
                }
            }
            try await group.waitForAll()
        }
        try await container.perform { context in
            context.insert(LedgerAccount(id: -1, amount: 0))
            try context.save()
        }
        #expect(try await follower.value == [2000], "seed \(seed)")
    }

    @Test func `a stream that begins while others commit gives its first result`() async throws {
        let container = try accounts(2000)
        let isOver = Count()
        let first = try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    var number = 0
                    while isOver.value.load(ordering: .acquiring) == 0 {
                        number += 1
                        let account = LedgerAccount(id: writer, amount: number)
                        let context = ModelContext(container)
                        context.update(account)
                        try context.save()
                        await Task.yield()
                    }
                }
            }
            var counts: [Int] = []
            for _ in 0..<10 {
                let changes = try ModelContext(container)
                    .changes(of: FetchDescriptor<LedgerAccount>())
                for try await change in changes {
                    counts.append(change.inserted.count)
                    break
                }
            }
            isOver.value.store(1, ordering: .releasing)
            try await group.waitForAll()
            return counts
        }
        #expect(first == Array(repeating: 2000, count: 10))
    }

    /// In the transaction everything is as it was at its start; after it the objects are what is stored.
    @Test(arguments: [false, true])
    func `objects take over what was committed beside a transaction`(_ throwing: Bool) throws {
        let container = try schema.container(LedgerNote.self, LedgerOther.self)
        let context = ModelContext(container)
        let (note, gone) = (LedgerNote("a"), LedgerNote("gone"))
        for object in [note, gone] { context.insert(object) }
        context.insert(LedgerOther())
        try context.save()
        try? context.transaction {
            _ = try context.fetch(FetchDescriptor<LedgerOther>())
            try Self.change(container)
            _ = try context.fetch(FetchDescriptor<LedgerNote>())
            #expect(note.count == 0 && !gone.isDeleted)
            if throwing { throw CancellationError() }
        }
        let found = try context.fetch(FetchDescriptor<LedgerNote>())
        #expect(found.map(\.title) == ["a"])
        #expect(note.count == 5 && gone.isDeleted)
        note.count += 1
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<LedgerNote>())
        #expect(stored.map(\.count) == [6])
    }

    /// What another context does meanwhile, on a thread of its own.
    private static func change(_ container: ModelContainer) throws {
        final class Outcome: Sendable {
            let error = Mutex<(any Error)?>(nil)
            let isDone = Atomic(false)
        }
        let outcome = Outcome()
        Thread.detachNewThread {
            do {
                let context = ModelContext(container)
                for note in try context.fetch(FetchDescriptor<LedgerNote>()) {
                    if note.title == "a" { note.count = 5 } else { context.delete(note) }
                }
                try context.save()
            } catch {
                outcome.error.withLock { $0 = error }
            }
            outcome.isDone.store(true, ordering: .releasing)
        }
        while !outcome.isDone.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.001) }
        if let error = outcome.error.withLock({ $0 }) { throw error }
    }

    @Test func `a transaction runs again where another one is in the way`() async throws {
        let container = try accounts(1)
        let runs = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<10 {
                        try await container.transaction(attempts: 1000) { context in
                            runs.value.add(1, ordering: .relaxed)
                            var account = try context.fetch(FetchDescriptor<LedgerAccount>())[0]
                            account.amount += 1
                            context.update(account)
                        }
                        // A container runs one at a time: others come from elsewhere.
                        let other = try schema.container(LedgerAccount.self)
                        _ = try await other.transaction(attempts: 1000) { context in
                            var account = try context.fetch(FetchDescriptor<LedgerAccount>())[0]
                            account.amount += 1
                            context.update(account)
                            return account.amount
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let amounts = try ModelContext(container).fetch(FetchDescriptor<LedgerAccount>())
        #expect(amounts.map(\.amount) == [180] && runs.value.load(ordering: .relaxed) >= 40)
        // What the body throws is thrown at once.
        let before = runs.value.load(ordering: .relaxed)
        await #expect(throws: CancellationError.self) {
            try await container.transaction { _ in
                runs.value.add(1, ordering: .relaxed)
                throw CancellationError()
            }
        }
        #expect(runs.value.load(ordering: .relaxed) == before + 1)
    }

    @Test func `runs of several containers are merged`() async throws {
        let containers = try (0..<4).map { _ in try schema.container(LedgerAccount.self) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (branch, container) in containers.enumerated() {
                group.addTask {
                    for round in 1...4 {
                        let list = (0..<200).map {
                            LedgerAccount(id: branch * 1000 + $0, amount: round, branch: branch)
                        }
                        let pages = AsyncStream { stream in
                            stream.yield(list)
                            stream.finish()
                        }
                        _ = try await container.synchronize(
                            LedgerAccount.self,
                            from: pages,
                            scope: .within(\.branch, branch)
                        )
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = try ModelContext(containers[0]).fetch(FetchDescriptor<LedgerAccount>())
        #expect(all.count == 800 && all.allSatisfy { $0.amount == 4 })
    }
}
