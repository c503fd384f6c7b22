import Dovetail
import StoreTestSupport
import Synchronization
import Testing

@Suite struct CopyTests {
    private let folder: TemporaryFolder
    private let source: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        source = try ModelContainer.file(folder.file(), Worker.self, Cabinet.self, Memo.self)
    }

    private func target(_ name: String = "copy.sqlite") throws -> ModelContainer {
        try .file(folder.file(name), Worker.self, Cabinet.self, Memo.self)
    }

    /// Fills the source with rows that refer to earlier and to later ones.
    private func fill(_ count: Int) throws {
        let context = ModelContext(source)
        context.insert(
            contentsOf: (1...count).map {
                Team(id: $0, name: "\($0)", parent: $0 % 2 == 0 ? $0 / 2 : nil)
            }
        )
        context.insert(
            contentsOf: (1...count).map {
                Worker.made($0, email: "\($0)@x", team: $0, boss: count + 1 - $0)
            }
        )
        context.insert(contentsOf: (1...3).map { Cabinet($0) })
        context.insert(contentsOf: [Memo(id: 5, text: "é"), Memo(id: nil, text: "")])
        try context.save()
    }

    private func rows<Value: Model>(
        _ model: Value.Type,
        _ container: ModelContainer
    ) throws -> [Value] {
        try ModelContext(container).fetch(FetchDescriptor<Value>())
    }

    @Test func `all rows arrive, and both stores are compared`() async throws {
        try fill(2500)
        let target = try target()
        let steps = Mutex<[CopyProgress]>([])
        let report = try await source.copy(to: target) { step in
            steps.withLock { $0.append(step) }
        }
        #expect(report.tables.map(\.name) == ["Team", "Worker", "Cabinet", "Memo"])
        #expect(report.tables.map(\.rows) == [2500, 2500, 3, 2])
        #expect(try rows(Worker.self, target) == rows(Worker.self, source))
        #expect(
            try rows(Cabinet.self, target).encoded(as: .json)
                == rows(Cabinet.self, source).encoded(as: .json)
        )
        #expect(try rows(Memo.self, target) == rows(Memo.self, source))
        let copied = steps.withLock { $0.map(\.copied) }
        #expect(copied == copied.sorted())
        #expect(copied.last == 5005)
        #expect(steps.withLock { $0.allSatisfy { $0.total == 5005 } })
        // A second copy finds nothing to write.
        steps.withLock { $0 = [] }
        let again = try await source.copy(to: target) { step in steps.withLock { $0.append(step) } }
        #expect(again == report)
        #expect(steps.withLock { $0.isEmpty })
    }

    @Test(arguments: StoreKind.allCases)
    func `between kinds of store`(kind: StoreKind) async throws {
        try fill(50)
        let memory = try kind.container(Worker.self, Cabinet.self, Memo.self)
        let there = try await source.copy(to: memory)
        let target = try target()
        #expect(try await memory.copy(to: target) == there)
        #expect(try rows(Worker.self, target) == rows(Worker.self, source))
    }

    @Test func `a copy that was cancelled goes on where it was`() async throws {
        try fill(6000)
        let target = try target()
        let source = source
        let reached = Gate()
        let cancelled = Gate()
        let task = Task {
            try await source.copy(to: target) { step in
                guard step.copied >= 2000 else { return }
                reached.open()
                cancelled.wait()
            }
        }
        try await reached.wait()
        task.cancel()
        cancelled.open()
        let error = await #expect(throws: StoreError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
        let stored = try ModelContext(target).fetchCount(FetchDescriptor<Team>())
        #expect(stored >= 2000)
        let first = Mutex<Int?>(nil)
        try await source.copy(to: target) { step in
            first.withLock { $0 = $0 ?? step.copied }
        }
        #expect(first.withLock { $0 ?? 0 } > 2000)
        #expect(try rows(Worker.self, target) == rows(Worker.self, source))
    }

    @Test func `a target that holds other rows is found out`() async throws {
        try fill(10)
        let target = try target()
        let context = ModelContext(target)
        context.insert(Memo(id: 5, text: "other"))
        try context.save()
        let error = await #expect(throws: StoreError.self) { try await source.copy(to: target) }
        #expect(error?.kind == .copyDiffers)
        #expect(error?.table == "Memo")
    }

    @Test func `a target without one of the models is refused`() async throws {
        let target = try ModelContainer.file(folder.file("other.sqlite"), Memo.self)
        let error = await #expect(throws: StoreError.self) { try await source.copy(to: target) }
        #expect(error?.kind == .invalidSchema)
    }

    @Test func `an empty store is copied, too`() async throws {
        let report = try await source.copy(to: try target())
        #expect(report.tables.map(\.rows) == [0, 0, 0, 0])
    }
}
