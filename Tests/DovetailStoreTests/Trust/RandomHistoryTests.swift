import Dovetail
import DovetailPostgres
import PostgresTestSupport
import StoreTestSupport
import Synchronization
import Testing

@Suite struct RandomHistoryTests {
    /// Two contexts of one container and one of another, on one file.
    private static func runInFile(
        _ count: Int,
        seed: UInt64,
        history: Bool
    ) throws -> RandomHistory {
        let folder = try TemporaryFolder()
        var configuration = ModelConfiguration(url: folder.file(), busyTimeout: .zero)
        configuration.history = history ? StoreHistory() : nil
        let story = try run(count, seed: seed, oneWrites: false, configuration)
        #expect(try RawDatabase(folder.file()).value("PRAGMA integrity_check") == "ok")
        return story
    }

    /// The same on a server.
    private static func runOnServer(
        _ count: Int,
        seed: UInt64,
        history: Bool
    ) throws -> RandomHistory {
        let schema = try FreshSchema()
        var configuration = PostgresConfiguration(schema.connectionString)
        configuration.pool.size = 3
        configuration.history = history ? StoreHistory() : nil
        return try run(count, seed: seed, oneWrites: true, configuration)
    }

    private static func run(
        _ count: Int,
        seed: UInt64,
        oneWrites: Bool,
        _ configuration: any DataStoreConfiguration
    ) throws -> RandomHistory {
        let containers = try (0..<2).map { _ in
            try ModelContainer(for: [Share.self], configuration: configuration)
        }
        let readers = Readers(containers)
        defer { readers.stop() }
        var story = RandomHistory(
            [containers[0], containers[0], containers[1]],
            seed: seed,
            oneWrites: oneWrites
        )
        try story.run(count)
        readers.stop()
        #expect(readers.errors.isEmpty, "seed \(seed): \(readers.errors)")
        #expect(readers.count > 0)
        return story
    }

    /// A history of the whole length, and short ones that fail early where something is wrong.
    private static func runAll(
        _ total: Int,
        _ run: (Int, UInt64) throws -> RandomHistory
    ) throws {
        let seed = Soak.seed(for: "random histories")
        var (count, stored, refused) = (0, 0, 0)
        for number in 0..<10 {
            let story = try run(total / 10, seed &+ UInt64(number))
            count += story.count
            stored += story.stored
            refused += story.refused
        }
        print("\(count) operations, \(stored) stored, \(refused) refused")
        #expect(count >= total)
        #expect(stored > count / 50)
        #expect(refused > count / 200)
    }

    @Test(arguments: [true, false])
    func `contexts see what plain values say, and readers whole saves only`(
        history: Bool
    ) throws {
        try Self.runAll(Soak.count(50_000, soak: 500_000)) {
            try Self.runInFile($0, seed: $1, history: history)
        }
    }

    @Test(.needsPostgres, arguments: [true, false])
    func `contexts of a server see what plain values say`(history: Bool) throws {
        try Self.runAll(Soak.count(50_000, soak: 500_000)) {
            try Self.runOnServer($0, seed: $1, history: history)
        }
    }
}

/// Threads that read all the time. The amounts that they see come to nothing, unless they see a part
/// of a save.
private final class Readers: Sendable {
    private let state = Mutex<(stops: Bool, count: Int, errors: [String])>((false, 0, []))
    private let group = DispatchGroup()

    var count: Int { state.withLock { $0.count } }
    var errors: [String] { state.withLock { $0.errors } }

    init(_ containers: [ModelContainer]) {
        for (number, container) in containers.enumerated() {
            group.enter()
            let thread = Thread { [self] in
                while goesOn() { read(container, inSnapshot: number == 0) }
                group.leave()
            }
            thread.start()
        }
    }

    /// Ends the threads.
    func stop() {
        state.withLock { $0.stops = true }
        group.wait()
    }

    private func goesOn() -> Bool {
        state.withLock { !$0.stops && $0.errors.isEmpty }
    }

    private func read(_ container: ModelContainer, inSnapshot: Bool) {
        do {
            let amounts: [Int]
            if inSnapshot {
                let query = Query(try container.schema.entity(Share.self))
                amounts = try container.store.withSnapshot { connection in
                    let first = try Self.amounts(connection, query)
                    let second = try Self.amounts(connection, query)
                    return first == second ? first : [1]
                }
            } else {
                amounts = try ModelContext(container).fetch(FetchDescriptor<Share>()).map(\.amount)
            }
            state.withLock { state in
                state.count += 1
                if amounts.reduce(0, +) != 0 { state.errors.append("\(amounts)") }
            }
        } catch {
            state.withLock { $0.errors.append("\(error)") }
        }
    }

    private static func amounts(_ connection: any StoreQuerying, _ query: Query) throws -> [Int] {
        let cursor = try connection.rows(of: query)
        defer { cursor.close() }
        var amounts: [Int] = []
        while try cursor.next() { amounts.append(Int(cursor.integer(1) ?? 0)) }
        return amounts
    }
}
