import Dovetail
import StoreTestSupport
import Testing

@Model final class SharedPurse {
    @Attribute(.unique) var name: String
    var coins = 0
    @Relationship var paper: SharedPaper?
    @Relationship(deleteRule: .cascade) var notes: [SharedPaper] = []

    init(name: String) { self.name = name }
}

@Model final class SharedPaper {
    var text: String

    init(text: String) { self.text = text }
}

/// Objects of several containers over one file, as processes have them.
@Suite struct SeveralContainersTests {
    private let folder: TemporaryFolder
    private let file: URL

    private struct Undone: Error {}

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    private func context(
        busyTimeout: Duration = .seconds(5),
        trace: StoreTrace? = nil
    ) throws -> ModelContext {
        var configuration = ModelConfiguration(url: file, busyTimeout: busyTimeout)
        configuration.trace = trace
        return ModelContext(
            try ModelContainer(
                for: SharedPurse.self,
                SharedPaper.self,
                configurations: configuration
            )
        )
    }

    private func purse(_ context: ModelContext) throws -> SharedPurse {
        try #require(context.fetch(FetchDescriptor<SharedPurse>()).first)
    }

    @Test func `in a transaction, objects are what others have stored`() throws {
        let first = try context()
        first.insert(SharedPurse(name: "p"))
        try first.save()
        let second = try context()
        let purses = (try purse(first), try purse(second))
        for round in 1...10 {
            for (context, purse) in [(first, purses.0), (second, purses.1)] {
                try context.transaction {
                    let before = purse.coins
                    let alike = FetchDescriptor<SharedPurse>(
                        predicate: #Predicate { $0.coins == before }
                    )
                    let found = try context.fetch(alike)
                    #expect(found.count == 1 && found.first === purse)
                    purse.coins += 1
                    purse.notes.append(SharedPaper(text: "\(round)"))
                }
            }
        }
        #expect(purses.1.coins == 20 && purses.1.notes.count == 20)
        try first.transaction { first.delete(purses.0) }
        try second.transaction { #expect(purses.1.isDeleted) }
    }

    @Test func `rows are read again only after somebody else has committed`() throws {
        let log = StatementLog()
        let (first, other) = (try context(trace: log.trace()), try context())
        for number in 0..<50 { first.insert(SharedPurse(name: "\(number)")) }
        try first.save()
        // This store's own saves are those of its contexts.
        let third = ModelContext(first.container)
        try purse(third).coins = 7
        try third.save()
        _ = try first.fetch(FetchDescriptor<SharedPurse>())
        try first.transaction {}
        func reads() throws -> Int {
            _ = log.take()
            try first.transaction {}
            return log.takeReads().count
        }
        #expect(try reads() == 0)
        try purse(other).coins = 8
        try other.save()
        #expect(try reads() > 0)
        #expect(try purse(first).coins == 8)
        #expect(try reads() == 0)
    }

    @Test func `to open a file waits for nobody who writes`() throws {
        let first = try context()
        first.insert(SharedPurse(name: "p"))
        try first.save()
        try first.transaction {
            try purse(first).coins = 3
            try first.save()
            // It is over where it waits.
            let interruption = StoreInterruption(deadline: .now + .seconds(2))
            try StoreInterruption.$current.withValue(interruption) {
                let second = try context(busyTimeout: .seconds(3600))
                #expect(try purse(second).coins == 0)
            }
        }
    }

    @Test(arguments: 0..<3)
    func `what another container has deleted is referred to no more`(_ policy: Int) throws {
        let (first, second) = (try context(), try context())
        first.conflictPolicy = [.error, .storeWins, .contextWins][policy]
        let (purse, paper) = (SharedPurse(name: "p"), SharedPaper(text: "t"))
        first.insert(purse)
        first.insert(paper)
        try first.save()
        let own = SharedPurse(name: "own")
        first.insert(own)
        second.delete(try #require(second.fetch(FetchDescriptor<SharedPaper>()).first))
        try second.save()
        own.paper = paper
        try first.save()
        #expect(paper.isDeleted && own.paper == nil)
        let all = FetchDescriptor<SharedPurse>(sortBy: [SortDescriptor(\.name)])
        #expect(try context().fetch(all).map { $0.paper?.text } == [nil, nil])
    }

    /// A container that was opened while somebody else was writing.
    private func openedBeside() throws -> ModelContext {
        let writer = try context()
        var opened: ModelContext?
        try writer.transaction { opened = try context() }
        return try #require(opened)
    }

    @Test func `no two give the same identifiers, whatever is undone`() throws {
        let first = try openedBeside()
        #expect(throws: Undone.self) {
            try first.transaction {
                first.insert(SharedPaper(text: "undone"))
                try first.save()
                throw Undone()
            }
        }
        let second = try context()
        let papers = (1...3).map { SharedPaper(text: "second \($0)") }
        papers.forEach { second.insert($0) }
        try second.save()
        let own = SharedPaper(text: "first")
        first.insert(own)
        #expect(try first.fetch(FetchDescriptor<SharedPaper>()).count == 4)
        try first.save()
        let all = try context().fetch(FetchDescriptor<SharedPaper>())
        #expect(Set(all.map(\.text)) == ["first", "second 1", "second 2", "second 3"])
        #expect(!papers.map(\.persistentModelID).contains(own.persistentModelID))
    }

    @Test func `an object waits whoever writes, and has a key of its own`() throws {
        let writer = try context()
        var late: ModelContext?
        try writer.transaction {
            let context = try context(busyTimeout: .milliseconds(10))
            late = context
            context.insert(SharedPaper(text: "late"))
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .locked && context.hasChanges)
        }
        try late?.save()
        // Another context of the container may ask for the first key in a transaction that is undone.
        let first = try openedBeside()
        let other = ModelContext(first.container)
        let paper = SharedPaper(text: "other")
        #expect(throws: Undone.self) {
            try first.transaction {
                other.insert(paper)
                throw Undone()
            }
        }
        let third = try context()
        let papers = (1...3).map { SharedPaper(text: "third \($0)") }
        papers.forEach { third.insert($0) }
        try third.save()
        #expect(!papers.map(\.persistentModelID).contains(paper.persistentModelID))
        try other.save()
        #expect(try context().fetchCount(FetchDescriptor<SharedPaper>()) == 5)
    }

    @Test(arguments: 0..<3)
    func `what another container has replaced has its unique value no more`(_ policy: Int) throws {
        let (first, second) = (try context(), try context())
        first.conflictPolicy = [.error, .storeWins, .contextWins][policy]
        let (old, stored) = (SharedPurse(name: "p"), SharedPurse(name: "q"))
        first.insert(old)
        first.insert(stored)
        try first.save()
        let all = FetchDescriptor<SharedPurse>(sortBy: [SortDescriptor(\.name)])
        second.delete(try #require(second.fetch(all).first))
        try second.save()
        second.insert(SharedPurse(name: "p"))
        try second.save()
        old.notes.append(SharedPaper(text: "n"))
        let new = SharedPurse(name: "q")
        new.coins = 5
        first.insert(new)
        try first.save()
        #expect(old.isDeleted)
        #expect(try context().fetch(all).map { "\($0.name) \($0.coins)" } == ["p 0", "q 5"])
    }

    @Test func `two contexts may want the first keys at once`() async throws {
        for _ in 0..<20 {
            let container = try openedBeside().container
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<2 {
                    group.addTask {
                        try await onThread {
                            let context = ModelContext(container)
                            if number == 0 {
                                try context.transaction {
                                    context.insert(SharedPaper(text: "a"))
                                    context.insert(SharedPaper(text: "b"))
                                }
                            } else {
                                context.insert(SharedPaper(text: "c"))
                                try context.save()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(try context().fetchCount(FetchDescriptor<SharedPaper>()) == 60)
    }
}
