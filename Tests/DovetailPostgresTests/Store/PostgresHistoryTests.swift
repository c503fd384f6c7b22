import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import PostgresTestSupport
import StoreTestSupport
import Testing

@Model struct Letter: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
    var pages: [String] = []
}

@Model struct Stamp: Identifiable, Equatable, Sendable {
    @Attribute(.primaryKey, .generated) var id: Int64?
    @Attribute(.references(Letter.self, deleteRule: .cascade)) var letter: Int
}

@Model(table: "old_letters") struct OldLetter: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var sent: Date?
}

@Model(table: "aVeryLongNameOfATableThatLeavesNoRoomForAnyOtherWordsInFrontOf")
struct LongNamed: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
}

/// What the history of a server tells, which the contract of stores does not ask.
@Suite(.needsPostgres) struct PostgresHistoryTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    /// What was changed, in few words.
    private func lines(_ context: ModelContext, since number: Int64 = 0) throws -> [String] {
        try context.history(since: number).flatMap { commit in
            commit.changes.map { change in
                guard case .integer(let key)? = change.key.first else { return "?" }
                let columns = change.verb == .update ? " \(change.changedColumns)" : ""
                return "\(change.verb) \(change.table) \(key)\(columns)"
            }
        }
    }

    @Test func `SQL, rules, COPY and TRUNCATE of other programs are in it`() throws {
        let context = ModelContext(
            try schema.container(Letter.self, Stamp.self, history: StoreHistory())
        )
        let raw = try schema.connect()
        try raw.rows(#"INSERT INTO "Letter" VALUES (1, 'a', '[]'), (2, 'b', '[]')"#)
        try raw.rows(#"INSERT INTO "Stamp" VALUES (1, 1), (2, 2)"#)
        try raw.rows(#"UPDATE "Letter" SET text = 'c', id = id WHERE id = 1"#)
        try raw.rows(#"UPDATE "Letter" SET text = text, pages = '[]'"#)
        try raw.rows(#"DELETE FROM "Letter" WHERE id = 1"#)
        try raw.rows(#"COPY "Letter" FROM PROGRAM 'echo ''7,g,[]''' (FORMAT csv)"#)
        try raw.rows(#"UPDATE "Letter" SET id = 8 WHERE id = 7"#)
        try raw.rows(#"TRUNCATE "Letter" CASCADE"#)
        #expect(
            try lines(context) == [
                "insert Letter 1", "insert Letter 2", "insert Stamp 1", "insert Stamp 2",
                #"update Letter 1 ["text"]"#, "delete Letter 1", "delete Stamp 1",
                "insert Letter 7", "delete Letter 7", "insert Letter 8", "delete Letter 2",
                "delete Letter 8", "delete Stamp 2",
            ]
        )
        let commits = try context.history(since: 0)
        #expect(commits.map(\.number) == Array(1...7))
        #expect(commits.allSatisfy { $0.author == nil && abs($0.date.timeIntervalSinceNow) < 600 })
        #expect(try commits[4].changes[0].value(as: Letter.self) == Letter(id: 7, text: "g"))
        #expect(try raw.value("SELECT count(*) FROM dovetail_open_commits") == "0")
    }

    @Test func `authors, numbers and what fails in the middle`() throws {
        let context = ModelContext(try schema.container(Letter.self, history: StoreHistory()))
        context.author = #"O'Hara \ "x" 日本"#
        context.insert(Letter(id: 1, text: "a"))
        try context.save()
        #expect(context.lastCommit.number == 1)
        context.author = nil
        try context.save()
        #expect(context.lastCommit.number == nil)
        context.update(Letter(id: 1, text: "a"))
        try context.save()
        #expect(context.lastCommit.number == nil)
        context.insert(contentsOf: [Letter(id: 2, text: ""), Letter(id: 1, text: "twice")])
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        try context.transaction {
            try? context.transaction {
                context.insert(Letter(id: 3, text: ""))
                try context.save()
                throw CancellationError()
            }
            context.insert(Letter(id: 4, text: ""))
        }
        #expect(context.lastCommit.number != nil)
        #expect(try lines(context) == ["insert Letter 1", "insert Letter 4"])
        #expect(try context.history(since: 0).map(\.author) == [#"O'Hara \ "x" 日本"#, nil])
        context.author = "\0"
        context.insert(Letter(id: 5, text: ""))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .unsupported)
    }

    @Test func `what is too old is removed, and numbers go on`() throws {
        let context = ModelContext(
            try schema.container(Letter.self, Stamp.self, history: StoreHistory())
        )
        context.insert(Letter(id: 1, text: "old"))
        try context.save()
        context.insert(Letter(id: 2, text: "old, too"))
        try context.save()
        let raw = try schema.connect()
        try raw.rows("UPDATE dovetail_commits SET date = date - interval '2 hours'")
        _ = try schema.container(Letter.self, history: StoreHistory(retention: .seconds(3 * 3600)))
        #expect(try lines(context).count == 2)
        // A program that knows less of the models.
        _ = try schema.container(Letter.self, history: StoreHistory(retention: .seconds(3600)))
        #expect(try lines(context).isEmpty)
        #expect(try raw.value(#"SELECT count(*) FROM "dovetail_history_Letter""#) == "0")
        context.insert(Letter(id: 3, text: "new"))
        try context.save()
        #expect(context.lastCommit.number == 3)
        #expect(try lines(context) == ["insert Letter 3"])
        let error = #expect(throws: StoreError.self) { try context.history(since: 1) }
        #expect(error?.kind == .historyPruned)
        #expect(try context.history(since: 2).map(\.number) == [3])
    }

    @Test func `it is pruned now and then, and a merge keeps what it needs`() throws {
        let retention = StoreHistory(retention: .seconds(0))
        let context = ModelContext(try schema.container(Letter.self, history: retention))
        try context.synchronize([Letter(id: 1, text: "a"), Letter(id: 2, text: "b")])
        try context.save()
        for number in 0..<300 {
            context.update(Letter(id: 1, text: "\(number)"))
            try context.save()
        }
        let raw = try schema.connect()
        let rows = Int(try raw.value(#"SELECT count(*) FROM "dovetail_history_Letter""#) ?? "")
        #expect(try #require(rows) < 60)
        let list = [Letter(id: 1, text: "a"), Letter(id: 2, text: "x")]
        try context.synchronize(list, localChanges: .merge())
        try context.save()
        let letters = try context.fetch(FetchDescriptor<Letter>(sortBy: [SortDescriptor(\.id)]))
        #expect(letters == [Letter(id: 1, text: "299"), Letter(id: 2, text: "x")])
        let changes = try context.localChanges(of: Letter.self)
        #expect(changes.count == 1)
        try context.confirm(changes)
        try context.save()
        #expect(try context.localChanges(of: Letter.self).isEmpty)
    }

    @Test func `a hundred thousand rows are three statements more`() throws {
        let log = StatementLog()
        let context = ModelContext(
            try schema.container(Letter.self, history: StoreHistory()) { $0.trace = log.trace() }
        )
        let letters = (0..<100_000).map { Letter(id: $0, text: "\($0)") }
        context.insert(contentsOf: letters)
        try context.save()
        _ = try context.delete(model: Letter.self, where: #Predicate { $0.id >= 90_000 })
        try context.save()
        try schema.connect().rows(#"UPDATE "Letter" SET text = text || 'x' WHERE id % 2 = 0"#)
        let commits = try context.history(since: 0)
        #expect(commits.map(\.changes.count) == [100_000, 10_000, 45_000])
        #expect(commits[0].changes.map(\.key) == letters.map { [.integer(Int64($0.id))] })
        #expect(try commits[2].changes[1].value(as: Letter.self).text == "2")
        // By COPY and a merge: what is equal is no change.
        context.upsert(
            (0..<1000).map { Letter(id: $0 * 2 + 1, text: $0 < 10 ? "y" : "\($0 * 2 + 1)") }
        )
        try context.save()
        let merged = try context.history(since: 3).flatMap(\.changes)
        #expect(merged.map(\.verb) == Array(repeating: .update, count: 10))
        #expect(try merged[1].value(as: Letter.self) == letters[3])
        #expect(!log.take().contains { $0.sql.contains("INSERT INTO \"dovetail_history") })
    }

    @Test func `a table of others has one, whatever its types`() throws {
        let raw = try schema.connect()
        try raw.rows(
            """
            CREATE TABLE old_letters (id int PRIMARY KEY, name varchar(40) COLLATE "en-x-icu" NOT NULL,
                sent timestamp, more text DEFAULT 'x')
            """
        )
        try raw.rows("INSERT INTO old_letters VALUES (1, 'before')")
        let context = ModelContext(try schema.container(OldLetter.self, history: StoreHistory()))
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        context.update(OldLetter(id: 1, name: "After", sent: date))
        try context.save()
        try raw.rows("UPDATE old_letters SET more = 'y'; SET timezone = 'Asia/Tokyo'")
        try raw.rows("UPDATE old_letters SET name = 'after'; DELETE FROM old_letters")
        #expect(
            try lines(context) == [
                #"update old_letters 1 ["name", "sent"]"#, #"update old_letters 1 ["name"]"#,
                "delete old_letters 1",
            ]
        )
        let last = try #require(try context.history(since: 0).last?.changes.last)
        #expect(try last.value(as: OldLetter.self) == OldLetter(id: 1, name: "after", sent: date))
        #expect(
            try context.container.store.withConnection {
                try $0.bases(of: context.container.schema.entity(OldLetter.self))
            } == nil
        )
    }

    @Test func `a name that leaves no room has one`() throws {
        let context = ModelContext(try schema.container(LongNamed.self, history: StoreHistory()))
        context.insert(LongNamed(id: 1, text: "a"))
        try context.save()
        #expect(try context.history(since: 0).flatMap(\.changes).count == 1)
        let again = ModelContext(try schema.container(LongNamed.self))
        again.delete(LongNamed(id: 1, text: ""))
        try again.save()
        #expect(again.lastCommit.number == 2)
    }

    @Test func `it goes on without being told, and begins anew where it was dropped`() throws {
        _ = try schema.container(Letter.self, history: StoreHistory())
        let log = StatementLog()
        let other = ModelContext(
            try schema.container(Letter.self, Stamp.self) { $0.trace = log.trace() }
        )
        other.insert(Letter(id: 1, text: ""))
        other.insert(Stamp(id: nil, letter: 1))
        try other.synchronize([Letter(id: 1, text: "")])
        try other.save()
        #expect(try lines(other) == ["insert Letter 1", "insert Stamp 1"])
        _ = log.take()
        _ = try schema.container(Letter.self, Stamp.self, history: StoreHistory()) {
            $0.trace = log.trace()
        }
        // Nothing is missing, so nothing is made.
        #expect(!log.take().contains { $0.sql.contains("CREATE") })
        let raw = try schema.connect()
        try raw.rows(#"DROP TABLE "dovetail_history_Letter""#)
        let again = ModelContext(
            try schema.container(Letter.self, Stamp.self, history: StoreHistory())
        )
        again.update(Letter(id: 1, text: "x"))
        try again.save()
        #expect(try lines(again) == ["insert Stamp 1", #"update Letter 1 ["text"]"#])
        // Where changes begin was forgotten with it.
        let entity = try again.container.schema.entity(Letter.self)
        #expect(try again.container.store.withConnection { try $0.bases(of: entity) } == .all)
    }

    @Test func `whoever may change a table needs no rights in its history`() throws {
        let context = ModelContext(try schema.container(Letter.self, history: StoreHistory()))
        let raw = try schema.connect()
        let role = "dovetail_test_role_\(UInt64.random(in: 0...UInt64.max))"
        try raw.rows("CREATE ROLE \(role)")
        defer { _ = try? raw.rows("RESET ROLE; DROP OWNED BY \(role); DROP ROLE \(role)") }
        try raw.rows("GRANT USAGE ON SCHEMA \(schema.name) TO \(role)")
        try raw.rows(#"GRANT SELECT, INSERT, UPDATE, DELETE ON "Letter" TO \#(role)"#)
        try raw.rows("SET ROLE \(role)")
        try raw.rows(#"INSERT INTO "Letter" VALUES (1, 'a', '[]')"#)
        #expect(throws: RawPostgres.Failure.self) { try raw.rows("SELECT * FROM dovetail_commits") }
        #expect(try lines(context) == ["insert Letter 1"])
    }

    @Test(arguments: SeededRandom.seeds)
    func `undoing all of it from the end leads to the beginning`(seed: UInt64) throws {
        let context = ModelContext(try schema.container(Letter.self, history: StoreHistory()))
        var random = SeededRandom(seed: seed)
        var states: [Int64: [Int: Letter]] = [0: [:]]
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let pages = random.pick([[], ["p"]])
                let id = Int.random(in: 1...8, using: &random)
                let letter = Letter(id: id, text: random.pick(["a", "b"]), pages: pages)
                if random.isOne(in: 3) { context.delete(letter) } else { context.upsert(letter) }
            }
            try context.save()
            guard let number = context.lastCommit.number else { continue }
            let all = try context.fetch(FetchDescriptor<Letter>())
            states[number] = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        }
        let commits = try context.history(since: 0)
        #expect(commits.count == states.count - 1, "seed \(seed)")
        var state = states[commits.last?.number ?? 0] ?? [:]
        for (index, commit) in commits.enumerated().reversed() {
            for change in commit.changes.reversed() {
                let letter = try change.value(as: Letter.self)
                state[letter.id] = change.verb == .insert ? nil : letter
            }
            let before = index == 0 ? 0 : commits[index - 1].number
            #expect(states[before] == state, "seed \(seed), commit \(commit.number)")
        }
        #expect(state.isEmpty)
    }
}
