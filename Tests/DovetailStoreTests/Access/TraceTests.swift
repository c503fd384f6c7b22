import Dovetail
import StoreTestSupport
import Testing

@Suite struct TraceTests {
    private let folder: TemporaryFolder
    private let log = StatementLog()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func context(
        _ change: (inout ModelConfiguration) -> Void
    ) throws -> ModelContext {
        var configuration = ModelConfiguration(url: folder.file())
        change(&configuration)
        return ModelContext(try ModelContainer(for: Pet.self, configurations: configuration))
    }

    @Test func `each statement is reported with its rows and without its values`() throws {
        let context = try context { $0.trace = log.trace() }
        context.insert(contentsOf: Pet.four)
        try context.save()
        _ = log.take()
        _ = try context.fetch(FetchDescriptor<Pet>(predicate: #Predicate { $0.name != "secret" }))
        let statements = log.take()
        #expect(statements.map(\.rows) == [4])
        #expect(statements[0].sql.hasPrefix("SELECT \"id\", "))
        #expect(!statements[0].sql.contains("secret"))
        #expect(statements[0].duration > .zero)
    }

    @Test func `values are shown on request`() throws {
        let context = try context { $0.trace = log.trace(showsValues: true) }
        context.insert(Pet(1, "visible"))
        try context.save()
        #expect(log.take().contains { $0.sql.contains("INSERT") && $0.sql.contains("'visible'") })
    }

    @Test(arguments: [(StoreDurability.normal, "NORMAL"), (.full, "FULL")])
    func `durability is SQLite's synchronous`(durability: StoreDurability, word: String) throws {
        _ = try context {
            $0.durability = durability
            $0.trace = log.trace()
        }
        #expect(log.take().contains { $0.sql == "PRAGMA synchronous = \(word)" })
    }

    @Test func `a damaged page is found while the file is opened, when asked for`() throws {
        do {
            let context = try context { _ in }
            context.insert(
                contentsOf: (0..<500).map { Pet($0, String(repeating: "x", count: 100)) }
            )
            try context.save()
        }
        _ = try context { $0.checksIntegrity = true }
        var bytes = try Data(contentsOf: folder.file())
        let page = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xAA, count: 4096))
        try bytes.write(to: folder.file())
        _ = try context { _ in }
        let error = #expect(throws: StoreError.self) {
            try self.context { $0.checksIntegrity = true }
        }
        #expect(error?.kind == .corrupt)
        #expect(error?.description.contains("xxx") == false)
    }

    @Test func `a checkpoint empties the log`() throws {
        let context = try context { _ in }
        context.insert(contentsOf: Pet.four)
        try context.save()
        let log = folder.file("test.sqlite-wal")
        #expect(try Data(contentsOf: log).count > 0)
        try context.container.store.checkpoint()
        #expect(try Data(contentsOf: log).count == 0)
    }
}
