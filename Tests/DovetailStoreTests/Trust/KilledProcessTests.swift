import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Processes that are killed while they save.
@Suite struct KilledProcessTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    /// Steps are made of the seed alone, so the bytes that the process printed say which state is
    /// stored: the one after so many saves, or the one after the save that the end interrupted.
    @Test(.enabled(if: ChildProcess.isAvailable, "no StoreTestChild beside the tests"))
    func `what was acknowledged before kill -9 is there, and nothing is half there`() throws {
        let seed = Soak.seed(for: "kill -9")
        var random = SeededRandom(seed: seed)
        var state: Ledger.State = [:]
        var acknowledged = 0
        let kills = Soak.count(200, soak: 10_000)
        for round in 0..<kills {
            if round % 100 == 0 {
                // A new file now and then, so that making the tables is interrupted too.
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
                    try FileManager.default.removeItem(at: folder.file(name))
                }
                state = [:]
            }
            let steps = random.next()
            let child = try ChildProcess(
                "save",
                file.path,
                "\(steps)",
                random.isOne(in: 2) ? "history" : "plain"
            )
            var printed = try child.read(random.pick([1, 1, 2, 3, 5, 10, 30]))
            let wait = UInt32.random(in: 0...(random.isOne(in: 4) ? 30_000 : 1000), using: &random)
            usleep(wait)
            child.kill()
            printed += Data(try child.finish().utf8)
            #expect(printed.first == UInt8(ascii: "o"), "seed \(seed), round \(round)")
            acknowledged += max(0, printed.count - 1)
            state = try stored(
                after: printed.count - 1,
                state,
                steps,
                "seed \(seed), round \(round)"
            )
        }
        print("\(kills) processes killed after \(acknowledged) saves")
        #expect(acknowledged > kills)
    }

    /// Opens the file, and compares it with the states that it may be in.
    private func stored(
        after count: Int,
        _ state: Ledger.State,
        _ seed: UInt64,
        _ comment: Comment
    ) throws -> Ledger.State {
        var random = SeededRandom(seed: seed)
        var before = state
        for _ in 0..<count { before = Ledger.Step(of: before, using: &random).applied(to: before) }
        let after = Ledger.Step(of: before, using: &random).applied(to: before)
        var found: Ledger.State = [:]
        do {
            let context = ModelContext(try .file(file, Entry.self, busyTimeout: .seconds(5)))
            found = try Ledger.state(in: context)
            #expect(found == before || found == after, comment)
            // It can be written, too.
            context.insert(Ledger.entries(100, version: 1)[0])
            try context.save()
            try context.delete(model: Entry.self, where: #Predicate { $0.group == 100 })
            try context.save()
        }
        let database = try RawDatabase(file)
        #expect(try database.value("PRAGMA integrity_check") == "ok", comment)
        #expect(try database.rows("SELECT entity FROM dovetail_schema") == [["Entry"]], comment)
        return found
    }
}
