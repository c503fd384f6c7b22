import Dovetail
import DovetailSync
import DovetailTesting
import StoreTestSupport
import Synchronization
import Testing

@Model struct Locker: Identifiable, Equatable, Sendable {
    let id: String
    @Attribute(.unique) var number: Int
    var owner: Int = 0
}

@Model struct Staff: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Staff.self, deleteRule: .nullify)) var boss: Int?
}

/// Pages, one after the other.
private func stream<Value: Sendable>(_ pages: [[Value]]) -> AsyncStream<[Value]> {
    AsyncStream { stream in
        for page in pages { stream.yield(page) }
        stream.finish()
    }
}

/// Lists that wait in a table of their own, and are merged in parts.
@Suite struct StagedListTests {
    private let small = StageLimits(mostInMemory: 4, partSize: 3)

    private func fetched<Value: Model & Identifiable>(
        _ container: ModelContainer,
        _ type: Value.Type
    ) throws -> [Value] where Value.ID: Comparable {
        try ModelContext(container).fetch(FetchDescriptor<Value>()).sorted { $0.id < $1.id }
    }

    /// What a list in a stage does is what it does in memory.
    @Test(arguments: SeededRandom.seeds)
    func `random pages give what the whole list gives`(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let staged = try ModelContainer.file(folder.file("a.sqlite"), User.self)
        let whole = try ModelContainer.file(folder.file("b.sqlite"), User.self)
        for round in 0..<12 {
            let comment: Comment = "seed \(seed), round \(round)"
            var list = (0..<25).filter { _ in random.isOne(in: 2) }.map {
                User(id: $0, using: &random)
            }
            if random.isOne(in: 2) { list.shuffle(using: &random) }
            let scope: SynchronizeScope<User> =
                random.isOne(in: 3) ? .matching(#Predicate { $0.age == 1 }) : .full
            if round % 3 == 1 { list = list.filter { $0.age == 1 } }
            let limit = random.pick([1, 1, 0.5])
            // Some values come twice.
            var pages: [[User]] = []
            for value in list {
                if pages.isEmpty || random.isOne(in: 3) { pages.append([]) }
                pages[pages.count - 1].append(value)
                if random.isOne(in: 5) { pages.append([value]) }
            }
            func result(
                _ body: () async throws -> EntityChanges<Int>
            ) async -> Result<[[Int]], SynchronizeError> {
                do {
                    let changes = try await body()
                    return .success([
                        changes.inserted.sorted(), changes.updated.sorted(),
                        changes.deleted.sorted(), [changes.unchanged],
                    ])
                } catch let error as SynchronizeError {
                    // Positions are those of a page, and rows of plans are in another order.
                    return .failure(
                        SynchronizeError(table: error.table, positions: [], reason: error.reason)
                    )
                } catch {
                    Issue.record(error, comment)
                    return .success([])
                }
            }
            let given = list
            let one = await result {
                try await StageLimits.$current.withValue(small) {
                    try await staged.synchronize(
                        User.self,
                        from: stream(pages),
                        scope: scope,
                        deletionLimit: limit
                    )
                }
            }
            let other = await result {
                try await whole.perform { context in
                    let changes = try context.synchronize(
                        given,
                        scope: scope,
                        deletionLimit: limit
                    )
                    try context.save()
                    return changes
                }
            }
            #expect(one == other, comment)
            #expect(try fetched(staged, User.self) == fetched(whole, User.self), comment)
        }
    }

    @Test func `a value that has changed between two pages changes nothing`() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer.file(folder.file(), User.self)
        let before = (0..<10).map { User($0, "u") }
        try ModelContext(container).store(before)
        let pages = [(0..<6).map { User($0, "v") }, [User(7, "v"), User(2, "w")]]
        let error = await #expect(throws: SynchronizeError.self) {
            try await StageLimits.$current.withValue(small) {
                try await container.synchronize(User.self, from: stream(pages))
            }
        }
        #expect(error?.reason == .differing && error?.positions == [1])
        #expect(try fetched(container, User.self) == before)
    }

    /// A row that was deleted here, and stays so, is one of another part than those that refer to it.
    @Test(arguments: [false, true])
    func `references to what is deleted here are nil in every part`(known: Bool) async throws {
        let folder = try TemporaryFolder()
        var configuration = ModelConfiguration(url: folder.file())
        configuration.history = StoreHistory()
        let container = try ModelContainer(for: Staff.self, configurations: configuration)
        let others = (1...12).map { Staff(id: $0, boss: known && $0 == 12 ? 2 : nil) }
        try await container.synchronize(Staff.self, from: stream([others]))
        let context = ModelContext(container)
        context.delete(others[1])
        try context.save()
        let list = (1...12).map { Staff(id: $0, boss: $0 == 1 || $0 == 12 ? 2 : nil) }
        try await StageLimits.$current.withValue(small) {
            _ = try await container.synchronize(
                Staff.self,
                from: stream([Array(list[..<6]), Array(list[6...])]),
                localChanges: .merge()
            )
        }
        let stored = try fetched(container, Staff.self)
        #expect(stored.map(\.id) == [1] + Array(3...12))
        #expect(stored.allSatisfy { $0.boss == nil })
        let told = try ModelContext(container).localChanges(of: Staff.self)
        #expect(told.map { if case .deleted(let id) = $0 { id } else { 0 } } == [2])
    }

    @Test func `unique values pass from one part to another`() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer.file(folder.file(), Locker.self)
        let ids = (0..<20).map { "l\($0 + 10)" }
        try ModelContext(container).store(
            ids.enumerated().map { Locker(id: $1, number: $0) }
        )
        // Each takes the number of another one, and the last of one that goes.
        let list = ids.dropLast().enumerated().map { Locker(id: $1, number: ($0 + 7) % 20) }
        let pages = stride(from: 0, to: list.count, by: 4).map {
            Array(list[$0..<min($0 + 4, list.count)])
        }
        let changes = try await StageLimits.$current.withValue(small) {
            try await container.synchronize(Locker.self, from: stream(pages))
        }
        #expect("\(changes)" == "0 inserted, 19 updated, 1 deleted, 0 unchanged")
        #expect(try fetched(container, Locker.self) == list)
    }

    @Test func `references lead to rows of later parts`() async throws {
        let folder = try TemporaryFolder()
        for policy in [UnknownReferences.fail, .ignore, .keep] {
            let container = try ModelContainer.file(
                folder.file("\(policy).sqlite"),
                Staff.self,
                MissingReference.self
            )
            let list = (0..<20).map { Staff(id: $0, boss: ($0 + 9) % 20) }
            for _ in 0..<2 {
                let changes = try await StageLimits.$current.withValue(small) {
                    try await container.synchronize(
                        Staff.self,
                        from: stream([list]),
                        unknownReferences: policy
                    )
                }
                #expect(changes.inserted.count + changes.unchanged == 20)
                #expect(try fetched(container, Staff.self) == list)
            }
            #expect(try fetched(container, MissingReference.self).isEmpty)
        }
    }

    @Test func `a limit that is passed in the last part undoes all of them`() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer.file(folder.file(), User.self)
        let before = (0..<20).map { User($0, "u") }
        try ModelContext(container).store(before)
        let list = (0..<9).map { User($0, "v") }
        let error = await #expect(throws: SynchronizeError.self) {
            try await StageLimits.$current.withValue(small) {
                try await container.synchronize(
                    User.self,
                    from: stream([list]),
                    deletionLimit: 0.5
                )
            }
        }
        let plan = try #require(error?.plan)
        #expect(plan.summary == "User: 0 inserted, 9 updated, 11 deleted, 0 kept")
        #expect(plan.deletedShare == 0.55)
        #expect(try fetched(container, User.self) == before)
    }

    @Test func `large lists are staged`() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer.file(folder.file(), Locker.self, Staff.self)
        let pages = (0..<30).map { page in
            (page * 1000..<(page + 1) * 1000).map { Staff(id: $0, boss: $0 == 0 ? nil : 0) }
        }
        let all = try await container.synchronize(Staff.self, from: stream(pages))
        #expect(all.inserted.count == 30_000)
        let less = try await container.synchronize(
            Staff.self,
            from: stream(Array(pages.dropLast()))
        )
        #expect("\(less)" == "0 inserted, 0 updated, 1000 deleted, 29000 unchanged")
    }
}

/// How far a run is, and several runs.
@Suite struct SynchronizeRunTests {
    @Test(arguments: StoreKind.allCases)
    func `the steps of a run are told, and end with it`(_ kind: StoreKind) async throws {
        let container = try kind.container(User.self)
        let progress = SynchronizeProgress()
        #expect(progress.progress.isIndeterminate)
        let pages = [[User(1, "a"), User(2, "b")], [User(3, "c")]]
        let steps = Task {
            var steps: [SynchronizeProgress.Step] = []
            for await step in progress.steps { steps.append(step) }
            return steps
        }
        try await container.synchronize(User.self, from: stream(pages), progress: progress)
        let last = try #require(await steps.value.last)
        #expect("\(last)" == "merging: 3 of 3 values" && last.pages == 2)
        #expect(progress.progress.fractionCompleted == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `progress that is cancelled ends the run, and nothing is written`(
        _ kind: StoreKind
    ) async throws {
        let container = try kind.container(User.self)
        try ModelContext(container).store([User(9, "z")])
        let progress = SynchronizeProgress()
        progress.progress.cancel()
        await #expect(throws: CancellationError.self) {
            try await container.synchronize(
                User.self,
                from: stream([[User(1, "a")]]),
                progress: progress
            )
        }
        for await _ in progress.steps {}
        #expect(try ModelContext(container).users() == [User(9, "z")])
    }

    @Test(arguments: StoreKind.allCases)
    func `runs of one model go one after the other, and others beside them`(
        _ kind: StoreKind
    ) async throws {
        let container = try kind.container(User.self, Locker.self)
        let (slow, feed) = AsyncStream.makeStream(of: [User].self)
        let progress = SynchronizeProgress()
        let first = Task {
            try await container.synchronize(User.self, from: slow, progress: progress)
        }
        feed.yield([User(1, "old")])
        for await step in progress.steps where step.pages == 1 { break }
        // It has begun. The next two wait, and one of them gives up.
        let second = Task {
            try await container.synchronize(User.self, from: stream([[User(1, "new")]]))
        }
        let third = Task {
            try await container.synchronize(User.self, from: stream([[User(3, "never")]]))
        }
        try await container.synchronize(Locker.self, from: stream([[Locker(id: "a", number: 1)]]))
        third.cancel()
        await #expect(throws: CancellationError.self) { try await third.value }
        feed.finish()
        #expect(try await first.value.inserted == [1])
        #expect(try await second.value.updated == [1])
        #expect(try ModelContext(container).users() == [User(1, "new")])
    }

    /// It waited for itself, for ever.
    @Test func `a run inside of one of the same model is an error`() async throws {
        let container = try StoreKind.memory.container(User.self, Locker.self)
        let error = await #expect(throws: SynchronizeError.self) {
            try await container.synchronize(User.self) { _ in
                try await container.synchronize(Locker.self, from: stream([[Locker]()]))
                try await container.synchronize(User.self, from: stream([[User(1, "inner")]]))
                return ListOfChanges([User(2, "outer")], token: "a")
            }
        }
        #expect(error?.reason == .ownRun && error?.description.contains("User") == true)
        #expect(try ModelContext(container).users().isEmpty)
        // Another task waits until the run is over.
        var other: Task<EntityChanges<Int>, any Error>?
        let outer = try await container.synchronize(User.self) { _ in
            other = Task {
                try await container.synchronize(User.self, from: stream([[User(1, "inner")]]))
            }
            return ListOfChanges([User(2, "outer")], token: "a")
        }
        #expect(outer.inserted == [2])
        let inner = try await other?.value
        #expect(inner?.inserted == [1] && inner?.deleted == [2])
        #expect(try ModelContext(container).users() == [User(1, "inner")])
    }

    @Test func `many runs at once end`() async throws {
        let container = try StoreKind.memory.container(User.self)
        try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask {
                    let run = Task {
                        try await container.synchronize(
                            User.self,
                            from: stream([[User(number, "u")]])
                        )
                    }
                    if number % 3 == 0 { run.cancel() }
                    _ = try? await run.value
                }
            }
            try await group.waitForAll()
        }
        try await container.synchronize(User.self, from: stream([[User(1, "end")]]))
        #expect(try ModelContext(container).users() == [User(1, "end")])
    }
}

/// A backend that tells what has changed since a token.
private final class Log: Sendable {
    private struct State {
        var events: [(user: User?, id: Int)] = []
        var calls: [String?] = []
    }

    private let state = Mutex(State())

    func write(_ id: Int, _ user: User?) { state.withLock { $0.events.append((user, id)) } }
    var calls: [String?] { state.withLock { $0.calls } }

    /// At most so many events after a token; without one, all that is there, as events.
    func changes(
        since token: String?,
        most: Int,
        failingAt failure: Int?
    ) throws -> ListOfChanges<User> {
        try state.withLock { state in
            state.calls.append(token)
            if state.calls.count == failure { throw CocoaError(.fileReadUnknown) }
            let start = token.flatMap { Int($0) } ?? 0
            let part = state.events.dropFirst(start).prefix(most)
            var latest: [Int: User?] = [:]
            for event in part { latest[event.id] = .some(event.user) }
            return ListOfChanges(
                latest.values.compactMap { $0 },
                deleted: latest.filter { $0.value == nil }.map(\.key),
                token: "\(start + part.count)",
                isLast: start + part.count == state.events.count
            )
        }
    }

    /// What is there.
    var users: [User] {
        state.withLock { state in
            var latest: [Int: User?] = [:]
            for event in state.events { latest[event.id] = .some(event.user) }
            return latest.values.compactMap { $0 }.sorted { $0.id < $1.id }
        }
    }
}

/// Lists of changes until the last of them.
@Suite struct ChangeLoopTests {
    @Test(arguments: StoreKind.allCases)
    func `a run that breaks off goes on where it was`(_ kind: StoreKind) async throws {
        let container = try kind.container(User.self)
        try ModelContext(container).store([User(99, "not there")])
        let log = Log()
        for id in 0..<7 { log.write(id, User(id, "a")) }
        log.write(2, nil)
        log.write(3, User(3, "b"))
        // The first lists are one: nothing is stored of a part of them.
        await #expect(throws: CocoaError.self) {
            try await container.synchronize(User.self) {
                try log.changes(since: $0, most: 2, failingAt: 3)
            }
        }
        #expect(try ModelContext(container).users() == [User(99, "not there")])
        let first = try await container.synchronize(User.self) {
            try log.changes(since: $0, most: 2, failingAt: nil)
        }
        #expect("\(first)" == "6 inserted, 0 updated, 1 deleted, 0 unchanged")
        #expect(try ModelContext(container).users() == log.users)
        // Later ones are stored one by one.
        for id in 10..<16 { log.write(id, User(id, "c")) }
        let calls = log.calls.count
        await #expect(throws: CocoaError.self) {
            try await container.synchronize(User.self) {
                try log.changes(since: $0, most: 2, failingAt: calls + 3)
            }
        }
        #expect(try ModelContext(container).users().count == 10)
        #expect(try ModelContext(container).changeToken(of: User.self) == "13")
        let rest = try await container.synchronize(User.self) {
            try log.changes(since: $0, most: 2, failingAt: nil)
        }
        #expect(Set(rest.inserted) == [14, 15])
        #expect(log.calls.last == "13")
        #expect(try ModelContext(container).users() == log.users)
    }

    @Test(arguments: SeededRandom.seeds)
    func `random changes in small lists, staged, end where the backend is`(
        seed: UInt64
    ) async throws {
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let container = try ModelContainer.file(folder.file(), User.self)
        let log = Log()
        for round in 0..<15 {
            for _ in 0..<random.pick([1, 5, 30]) {
                let id = Int.random(in: 0..<20, using: &random)
                log.write(id, random.isOne(in: 3) ? nil : User(id: id, using: &random))
            }
            let (most, failure) = (
                random.pick([1, 3, 50]), log.calls.count + random.pick([1, 2, 9])
            )
            let run = {
                try await StageLimits.$current.withValue(.init(mostInMemory: 3, partSize: 2)) {
                    try await container.synchronize(User.self) {
                        try log.changes(since: $0, most: most, failingAt: $0 == nil ? nil : failure)
                    }
                }
            }
            do { _ = try await run() } catch is CocoaError { _ = try? await run() }
            _ = try await container.synchronize(User.self) {
                try log.changes(since: $0, most: 4, failingAt: nil)
            }
            #expect(
                try ModelContext(container).users() == log.users,
                "seed \(seed), round \(round)"
            )
        }
    }
}
