import Dovetail
import StoreTestSupport
import Testing

@Model final class LivingNote {
    var text: String

    init(_ text: String) { self.text = text }
}

/// How long a container lives, and what it keeps.
@Suite @MainActor struct ContainerLifeTests {
    private func container() throws -> ModelContainer {
        try ModelContainer(
            for: LivingNote.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
    }

    @Test(arguments: 0..<4)
    func `a container goes when nobody has it, whatever its main context has done`(
        _ work: Int
    ) async throws {
        weak var gone: ModelContainer?
        try { @MainActor () throws in
            let container = try container()
            gone = container
            let context = container.mainContext
            #expect(context === container.mainContext && context.container === container)
            switch work {
            case 0: _ = try context.fetchCount(FetchDescriptor<LivingNote>())
            case 1: context.insert(LivingNote("a"))
            case 2:
                context.insert(LivingNote("a"))
                try context.save()
            default:
                context.autosaveEnabled = true
                context.insert(LivingNote("a"))
            }
        }()
        for _ in 0..<1000 where gone != nil { await Task.yield() }
        #expect(gone == nil)
    }

    @Test func `its main context works without it`() async throws {
        let context = try container().mainContext
        context.insert(LivingNote("a"))
        try context.save()
        let again = context.container.mainContext
        #expect(again === context && context.container == again.container)
        let other = ModelContext(context.container)
        let note = try #require(other.fetch(FetchDescriptor<LivingNote>()).first)
        note.text = "b"
        try other.save()
        #expect(try context.fetch(FetchDescriptor<LivingNote>()).map(\.text) == ["b"])
        context.autosaveEnabled = true
        context.insert(LivingNote("c"))
        for _ in 0..<1000 where context.hasChanges { await Task.yield() }
        #expect(!context.hasChanges)
    }

    @Test func `what follows it ends with it`() async throws {
        var container: ModelContainer? = try container()
        let changes = try container?.mainContext.changes(of: FetchDescriptor<LivingNote>())
            .makeAsyncIterator()
        #expect(try await changes?.next()?.inserted.isEmpty == true)
        container = nil
        #expect(try await changes?.next() == nil)
    }

    @Test func `its main context ends on the main actor`() async throws {
        for _ in 0..<20 {
            var container: ModelContainer? = try container()
            let context = try #require(container?.mainContext)
            for number in 0..<20 { context.insert(LivingNote("\(number)")) }
            try context.save()
            let notes = try context.fetch(FetchDescriptor<LivingNote>())
            // The last one that has the container is on another thread.
            let task = Task.detached { [container] in
                try await container?.perform { try $0.fetch(FetchDescriptor<LivingNote>()).count }
            }
            container = nil
            for round in 0..<20 {
                for note in notes { note.text += "\(round)" }
            }
            #expect(try await task.value == 20)
            #expect(notes.allSatisfy { $0.text.hasSuffix("19") })
        }
    }
}
