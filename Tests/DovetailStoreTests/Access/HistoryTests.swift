import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Suite struct HistoryTests {
    private let folder: TemporaryFolder
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        context = try Self.context(folder, StoreHistory())
    }

    private static func context(
        _ folder: TemporaryFolder,
        _ history: StoreHistory?
    ) throws -> ModelContext {
        var configuration = ModelConfiguration(url: folder.file())
        configuration.history = history
        return ModelContext(
            try ModelContainer(for: Worker.self, Memo.self, configurations: configuration)
        )
    }

    /// What was changed, in few words.
    private func lines(since number: Int64 = 0) throws -> [String] {
        try context.history(since: number).flatMap { commit in
            commit.changes.map { change in
                guard case .integer(let key)? = change.key.first else { return "?" }
                let columns = change.verb == .update ? " \(change.changedColumns)" : ""
                return "\(commit.number) \(change.verb) \(change.table) \(key)\(columns)"
            }
        }
    }

    @Test func `commits that have changed nothing are passed over, and count for no limit`() throws
    {
        context.insert(Team(id: 1, name: "red"))
        try context.save()
        for _ in 0..<70 {
            context.upsert(Team(id: 1, name: "red"))
            try context.save()
        }
        context.update(Team(id: 1, name: "blue"))
        try context.save()
        context.delete(Team(id: 1, name: "blue"))
        try context.save()
        let all = try context.history(since: 0).map(\.number)
        #expect(all.count == 3)
        for limit in 1...4 {
            var followed: [Int64] = []
            while case let part = try context.history(since: followed.last ?? 0, limit: limit),
                let last = part.last?.number, last > followed.last ?? 0
            {
                #expect(part.count <= limit)
                followed += part.map(\.number)
            }
            #expect(followed == all)
        }
    }

    @Test func `inserts, updates and deletions by commit`() throws {
        context.author = "ann"
        context.insert(Team(id: 1, name: "red"))
        context.insert(Worker.made(1, email: "a@x", team: 1))
        try context.save()
        #expect(context.lastCommit.number == 1)
        context.author = nil
        context.update(Worker.made(1, email: "b@x", badge: 7, team: 1))
        try context.save()
        context.delete(Worker.made(1))
        try context.save()
        #expect(
            try lines() == [
                "1 insert Worker 1", "1 insert Team 1",
                #"2 update Worker 1 ["e_mail", "badge"]"#, "3 delete Worker 1",
            ]
        )
        let commits = try context.history(since: 0)
        #expect(commits.map(\.author) == ["ann", nil, nil])
        #expect(abs(commits[0].date.timeIntervalSinceNow) < 600)
        #expect(try commits[1].changes[0].value(as: Worker.self).email == "a@x")
        #expect(try commits[2].changes[0].value(as: Worker.self).badge == 7)
        #expect(try lines(since: 2) == ["3 delete Worker 1"])
        #expect(try context.history(since: 1, limit: 1).map(\.number) == [2])
    }

    @Test func `an author is that of one save`() async throws {
        context.author = "ann"
        context.insert(Memo(id: 1, text: "a"))
        try context.save()
        let other = try ModelContainer(
            for: Worker.self,
            Memo.self,
            configurations: MemoryConfiguration()
        )
        let copied = ModelContext(other)
        copied.insert(contentsOf: [Memo(id: 1, text: "a"), Memo(id: 2, text: "b")])
        try copied.save()
        try await other.copy(to: context.container)
        #expect(try context.history(since: 0).map(\.author) == ["ann", nil])
    }

    @Test func `what changes nothing is not in it`() throws {
        context.insert(Memo(id: 1, text: "a"))
        try context.save()
        context.upsert(Memo(id: 1, text: "a"))
        context.update(Memo(id: 1, text: "a"))
        context.delete(Memo(id: 2, text: ""))
        try context.save()
        try context.delete(model: Memo.self, where: #Predicate { $0.text == "z" })
        try context.save()
        #expect(try lines() == ["1 insert Memo 1"])
    }

    @Test func `a save that fails is not in it`() throws {
        context.insert(Memo(id: 1, text: "a"))
        try context.save()
        context.insert(contentsOf: [Memo(id: 2, text: "b"), Memo(id: 1, text: "twice")])
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        try context.transaction {
            context.insert(Memo(id: 3, text: "c"))
            try? context.transaction {
                context.insert(Memo(id: 4, text: "d"))
                try context.save()
                throw CancellationError()
            }
        }
        #expect(try lines().map { $0.dropFirst(2) } == ["insert Memo 1", "insert Memo 3"])
    }

    @Test func `deletions by predicate, by rules and by other programs are in it`() throws {
        context.insert(contentsOf: [Team(id: 1, name: "a"), Team(id: 2, name: "b", parent: 1)])
        context.insert(Worker.made(1, team: 2))
        try context.save()
        try context.delete(model: Team.self, where: #Predicate { $0.name == "a" })
        try context.save()
        let changes = Set(try lines(since: 1).map { $0.dropFirst(2) })
        #expect(changes == ["delete Team 1", "delete Team 2", #"update Worker 1 ["team"]"#])
        let database = try RawDatabase(folder.file())
        try database.execute("INSERT INTO Memo VALUES (5, 'raw'); UPDATE Memo SET text = 'x'")
        try database.execute("BEGIN; UPDATE Memo SET id = 6; COMMIT")
        #expect(
            try lines(since: 2).map { $0.dropFirst(2) } == [
                "insert Memo 5", #"update Memo 5 ["text"]"#, "delete Memo 5", "insert Memo 6",
            ]
        )
    }

    @Test func `a database that keeps one goes on without being told`() throws {
        let other = try Self.context(folder, nil)
        other.author = "bob"
        other.insert(contentsOf: [Memo(id: nil, text: "a"), Memo(id: nil, text: "b")])
        try other.save()
        #expect(try context.history(since: 0).map(\.author) == ["bob"])
        #expect(try lines() == ["1 insert Memo 1", "1 insert Memo 2"])
        #expect(other.lastCommit.keys(of: Memo.self) == [1, 2])
    }

    @Test func `without one there is a typed error`() throws {
        let memory = ModelContext(try .inMemory(Memo.self))
        memory.insert(Memo(id: 1, text: "a"))
        try memory.save()
        #expect(memory.lastCommit.number == nil)
        let error = #expect(throws: StoreError.self) { try memory.history(since: 0) }
        #expect(error?.kind == .historyDisabled)
    }

    @Test func `what is too old is removed`() throws {
        context.insert(Memo(id: 1, text: "old"))
        try context.save()
        try RawDatabase(folder.file()).execute(
            "UPDATE dovetail_commits SET date = strftime('%Y-%m-%d %H:%M:%f', 'now', '-2 hours')"
        )
        context.insert(Memo(id: 2, text: "new"))
        try context.save()
        _ = try Self.context(folder, StoreHistory(retention: .seconds(3 * 3600)))
        #expect(try lines().count == 2)
        _ = try Self.context(folder, StoreHistory(retention: .seconds(3600)))
        #expect(try lines() == ["2 insert Memo 2"])
        #expect(try lines(since: 1) == ["2 insert Memo 2"])
        let kept = try RawDatabase(folder.file()).value(
            "SELECT count(*) FROM dovetail_history_Memo"
        )
        #expect(kept == "1")
    }

    @Test func `who asks for what was removed is told`() throws {
        for id in 1...3 {
            context.insert(Memo(id: Int64(id), text: "old"))
            try context.save()
        }
        try RawDatabase(folder.file()).execute(
            "UPDATE dovetail_commits SET date = strftime('%Y-%m-%d %H:%M:%f', 'now', '-2 hours')"
        )
        context.insert(Memo(id: 4, text: "new"))
        try context.save()
        for retention in [3600, 7 * 3600] {
            _ = try Self.context(folder, StoreHistory(retention: .seconds(retention)))
            for number in 1...2 as ClosedRange<Int64> {
                let error = #expect(throws: StoreError.self) {
                    try context.history(since: number, limit: 1)
                }
                #expect(error?.kind == .historyPruned)
                #expect(error?.explanation.contains("up to 3") == true)
            }
            for number in [0, 3] as [Int64] {
                #expect(try lines(since: number) == ["4 insert Memo 4"])
            }
            #expect(try lines(since: 4).isEmpty)
        }
    }

    @Test(arguments: SeededRandom.seeds)
    func `undoing all of it from the end leads to the beginning`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var states: [Int64: [Int64: String]] = [0: [:]]
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let memo = Memo(
                    id: Int64.random(in: 1...8, using: &random),
                    text: random.pick(["a", "b", "c"])
                )
                if random.isOne(in: 3) { context.delete(memo) } else { context.upsert(memo) }
            }
            try context.save()
            guard let number = context.lastCommit.number else { continue }
            let memos = try context.fetch(FetchDescriptor<Memo>())
            states[number] = Dictionary(uniqueKeysWithValues: memos.map { ($0.id ?? 0, $0.text) })
        }
        let commits = try context.history(since: 0)
        var state = states[commits.last?.number ?? 0] ?? [:]
        for (index, commit) in commits.enumerated().reversed() {
            for change in commit.changes.reversed() {
                let memo = try change.value(as: Memo.self)
                state[memo.id ?? 0] = change.verb == .insert ? nil : memo.text
            }
            let before = index == 0 ? 0 : commits[index - 1].number
            #expect(states[before] == state, "seed \(seed), commit \(commit.number)")
        }
        #expect(state.isEmpty)
    }
}
