import Dovetail
import StoreTestSupport
import Testing

@Suite(.enabled(if: ChildProcess.isAvailable, "no StoreTestChild beside the tests"))
struct SeveralProcessesTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    @Test(arguments: [2, 8], ["plain", "history"])
    func `increments of several processes are all there`(processes: Int, history: String) throws {
        let rounds = Soak.count(40, soak: 2000)
        // The first half waits for a lock, the others get the error and try again.
        let children = try (0..<processes).map { number in
            try ChildProcess(
                "count",
                file.path,
                "\(number)",
                "\(rounds)",
                number < processes / 2 ? "30000" : "0",
                history
            )
        }
        let printed = try children.map { try $0.finish() }
        #expect(children.map(\.status) == children.map { _ in 0 }, "\(printed)")
        let waiting = printed.prefix(processes / 2)
        #expect(waiting.allSatisfy { $0 == "0" }, "\(printed)")
        let context = ModelContext(try .file(file, Counter.self, Round.self))
        let counters = try context.fetch(FetchDescriptor<Counter>(sortBy: [SortDescriptor(\.id)]))
        #expect(counters.map(\.id) == [0, 1, 2, 3])
        #expect(counters.map(\.value).reduce(0, +) == processes * rounds)
        #expect(try context.fetchCount(FetchDescriptor<Round>()) == processes * rounds)
        #expect(try RawDatabase(file).value("PRAGMA integrity_check") == "ok")
        guard history == "history" else { return }
        let commits = try context.history(since: 0)
        #expect(commits.count == processes * rounds)
        #expect(commits.allSatisfy { $0.changes.count == 2 })
    }

    @Test(arguments: ["plain", "history"])
    func `eight that open an empty file at once make its tables once`(history: String) throws {
        for turn in 0..<Soak.count(5, soak: 200) {
            let file = folder.file("\(turn).sqlite")
            let children = try (0..<8).map { _ in
                try ChildProcess("open", file.path, "first", history)
            }
            for child in children { try child.start() }
            #expect(try children.map { try $0.finish() } == children.map { _ in "ok" })
            let context = ModelContext(try .file(file, FirstRival.self, Entry.self))
            #expect(try context.fetchCount(FetchDescriptor<FirstRival>()) == 8)
            let tables = try RawDatabase(file).rows("SELECT entity FROM dovetail_schema")
            #expect(tables == [["Entry"], ["Rival"]])
        }
    }

    @Test func `of two with other models for one table one is refused`() throws {
        for turn in 0..<Soak.count(8, soak: 200) {
            let file = folder.file("\(turn).sqlite")
            let children = try ["first", "second"].map {
                try ChildProcess("open", file.path, $0)
            }
            for child in turn % 2 == 0 ? children : children.reversed() { try child.start() }
            #expect(try children.map { try $0.finish() }.sorted() == ["invalidSchema", "ok"])
            #expect(try RawDatabase(file).value("SELECT count(*) FROM Rival") == "1")
        }
    }
}
