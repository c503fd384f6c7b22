import Dovetail
import StoreTestSupport
import Testing

/// Files that are not where they were when a container opened them.
@Suite struct LostFileTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    private func filled() throws -> ModelContext {
        let context = ModelContext(try .file(file, Memo.self))
        context.insert(Memo(id: 1, text: "first"))
        try context.save()
        return context
    }

    private func remove() throws {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
    }

    private func expectRefused(_ context: ModelContext) throws {
        context.insert(Memo(id: 2, text: "second"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .storageFailure && error?.location == file.path)
        #expect(error?.explanation.contains("deleted, moved or replaced") == true)
        // What waits is not lost, and what was stored can still be read.
        #expect(context.hasChanges)
        #expect(try context.fetchCount(FetchDescriptor<Memo>()) == 2)
        context.rollback()
        #expect(try context.fetch(FetchDescriptor<Memo>()) == [Memo(id: 1, text: "first")])
    }

    @Test func `nothing is saved into a file that was deleted`() throws {
        let context = try filled()
        try remove()
        try expectRefused(context)
    }

    @Test func `nothing is saved into a file that was moved`() throws {
        let context = try filled()
        try FileManager.default.moveItem(at: file, to: folder.file("moved.sqlite"))
        try expectRefused(context)
        try FileManager.default.moveItem(at: folder.file("moved.sqlite"), to: file)
        context.insert(Memo(id: 2, text: "second"))
        try context.save()
        #expect(try ModelContext(.file(file, Memo.self)).fetchCount(FetchDescriptor<Memo>()) == 2)
    }

    @Test func `a file that was replaced is neither written nor read`() throws {
        let context = try filled()
        try remove()
        let other = ModelContext(try .file(file, Memo.self))
        other.insert(Memo(id: 7, text: "other"))
        try other.save()
        try expectRefused(context)
        // Readers that are opened now have to be of the same file, too.
        try context.withRows(of: FetchDescriptor<Memo>()) { cursor, _ in
            #expect(try cursor.next())
            let inner = try ModelContext(context.container).fetch(FetchDescriptor<Memo>())
            #expect(inner == [Memo(id: 1, text: "first")])
        }
        #expect(try other.fetch(FetchDescriptor<Memo>()).map(\.id) == [7])
    }
}
