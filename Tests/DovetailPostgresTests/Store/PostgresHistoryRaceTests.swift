import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import PostgresTestSupport
import StoreTestSupport
import Synchronization
import Testing

/// What several transactions at once make of a history.
@Suite(.needsPostgres) struct PostgresHistoryRaceTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// Each of several writers, and SQL beside them, while one reads what came after what it knows.
    @Test(arguments: SeededRandom.seeds)
    func `whoever follows passes no commit over`(seed: UInt64) async throws {
        let (writers, saves) = (4, 60)
        let schema = schema
        let container = try schema.container(Letter.self, history: StoreHistory()) {
            $0.saveAttempts = 100
        }
        let done = Flag()
        let (followed, reads) = try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    var random = SeededRandom(seed: seed &+ UInt64(writer))
                    for save in 0..<saves {
                        let count = random.isOne(in: 4) ? 100 : 2
                        let first = (writer * saves + save) * 1000
                        try await container.perform { context in
                            context.insert(
                                contentsOf: (first..<first + count).map { Letter(id: $0, text: "") }
                            )
                            context.upsert(Letter(id: -1 - writer, text: "\(save)"))
                            try context.save()
                        }
                    }
                }
            }
            group.addTask {
                let raw = try schema.connect()
                for number in 0..<saves {
                    try raw.rows(#"INSERT INTO "Letter" VALUES (\#(-1000 - number), '', '[]')"#)
                    await Task.yield()
                }
            }
            let follower = Task.detached {
                var (numbers, reads) = ([Int64](), 0)
                let context = ModelContext(container)
                while true {
                    let isLast = done.isSet.load(ordering: .acquiring)
                    let commits = try context.history(since: numbers.last ?? 0, limit: 7)
                    numbers += commits.map(\.number)
                    reads += 1
                    // Others need the thread.
                    await Task.yield()
                    try Task.checkCancellation()
                    if isLast, commits.isEmpty { return (numbers, reads) }
                }
            }
            do {
                try await group.waitForAll()
            } catch {
                follower.cancel()
                throw error
            }
            done.isSet.store(true, ordering: .releasing)
            return try await follower.value
        }
        let all = try ModelContext(container).history(since: 0)
        #expect(followed == all.map(\.number), "seed \(seed)")
        #expect(all.count == writers * saves + saves, "seed \(seed)")
        #expect(reads > 10)
        // Each step of a row has the one before it as its value.
        for writer in 0..<writers {
            let steps = all.flatMap(\.changes).filter { $0.key == [.integer(Int64(-1 - writer))] }
            let texts = try steps.map { try $0.value(as: Letter.self).text }
            #expect(texts == ["0"] + (0..<saves - 1).map { "\($0)" }, "seed \(seed)")
        }
    }

    /// The merge stands before the change in the order of what they have read, and is stored after it.
    @Test func `what a merge did not see is a change since then`() throws {
        let container = try schema.container(Letter.self, history: StoreHistory())
        let context = ModelContext(container)
        try context.synchronize([Letter(id: 1, text: "a"), Letter(id: 2, text: "b")])
        try context.save()
        let raw = try schema.connect()
        let entity = try container.schema.entity(Letter.self)
        try container.store.withConnection { connection in
            try connection.transaction(keeping: true) {
                #expect(try connection.bases(of: entity) == .rows([]))
                try raw.rows(#"UPDATE "Letter" SET text = 'x' WHERE id = 1"#)
                let writer = try connection.writer(.update, into: entity)
                try RowImage(of: Letter(id: 2, text: "c"), attributes: entity.attributes)
                    .write(to: writer)
                try writer.finishRow()
                try writer.finish()
                try connection.setBases([], of: entity)
                let later = try connection.writer(.insert, into: entity)
                try RowImage(of: Letter(id: 3, text: "d"), attributes: entity.attributes)
                    .write(to: later)
                try later.finishRow()
                try later.finish()
            }
        }
        let bases = try container.store.withConnection { try $0.bases(of: entity) }
        let was: [QueryValue] = [.integer(1), .text("a"), .document("[]")]
        guard case .rows(let rows)? = bases else {
            Issue.record("\(String(describing: bases))")
            return
        }
        #expect(
            rows.sorted { "\($0.key)" < "\($1.key)" } == [
                BaseRow(key: [.integer(1)], values: was), BaseRow(key: [.integer(3)], values: nil),
            ]
        )
    }

    @Test(arguments: [1, 4])
    func `several stores that open an empty database at once make it once`(size: Int) async throws {
        let address = schema.connectionString
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    var configuration = PostgresConfiguration(address)
                    configuration.history = StoreHistory()
                    configuration.pool.size = size
                    let context = ModelContext(
                        try ModelContainer(
                            for: [Letter.self, Stamp.self],
                            configurations: [configuration]
                        )
                    )
                    context.insert(Letter(id: number, text: ""))
                    try context.save()
                }
            }
            try await group.waitForAll()
        }
        let context = ModelContext(try schema.container(Letter.self, history: StoreHistory()))
        #expect(try context.history(since: 0).flatMap(\.changes).count == 8)
    }
}
