import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// What a context tells of its saves.
private final class Observation {
    private(set) var names: [String] = []
    private var tokens: [any NSObjectProtocol] = []
    private let act: (Notification.Name) -> Void

    init(
        _ context: ModelContext,
        act: @escaping (Notification.Name) -> Void = { _ in }
    ) {
        self.act = act
        let known = [
            ModelContext.willSave, ModelContext.didSave, ModelContext.didFailToAutosave,
        ]
        // Invariant: a context is used on one thread, and posts on it; so is this.
        nonisolated(unsafe) let observation = self
        for name in known {
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
                    _ in observation.receive(name)
                }
            )
        }
    }

    private func receive(_ name: Notification.Name) {
        names.append(name.rawValue.split(separator: ".").last.map(String.init) ?? "")
        act(name)
    }

    func stop() {
        tokens.forEach(NotificationCenter.default.removeObserver)
        tokens = []
    }
}

@Suite struct SaveNotificationTests {
    @Test func `a save tells before and after, and one without changes nothing`() throws {
        let context = ModelContext(try .inMemory(Pet.self))
        let observation = Observation(context)
        defer { observation.stop() }
        try context.save()
        #expect(observation.names.isEmpty)
        context.insert(Pet(1, "Rex"))
        try context.save()
        #expect(observation.names == ["willSave", "didSave"])
        context.insert(Pet(1, "Rex"))
        #expect(throws: StoreError.self) { try context.save() }
        #expect(observation.names == ["willSave", "didSave", "willSave"])
        // Another context is not heard.
        let other = ModelContext(context.container)
        other.insert(Pet(2, "Max"))
        try other.save()
        #expect(observation.names.count == 3)
    }

    @Test func `what an observer adds is added once, also after a save that failed`() throws {
        let context = ModelContext(try .inMemory(Pet.self))
        context.insert(Pet(1, "Rex"))
        try context.save()
        var number = 10
        let observation = Observation(context) { name in
            guard name == ModelContext.willSave else { return }
            number += 1
            context.insert(Pet(number, "log"))
        }
        defer { observation.stop() }
        context.insert(Pet(1, "Max"))
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        context.insert(Pet(2, "Max"))
        try context.save()
        let logs = FetchDescriptor<Pet>(predicate: #Predicate { $0.name == "log" })
        #expect(try context.fetch(logs).map(\.id) == [12])
        context.insert(Pet(2, "Moritz"))
        #expect(throws: StoreError.self) { try context.save() }
        #expect(context.changes.count == 1)
    }

    @Test func `a transaction tells once, when it is stored`() throws {
        let context = ModelContext(try .inMemory(Pet.self))
        let observation = Observation(context)
        defer { observation.stop() }
        try context.transaction {
            context.insert(Pet(1, "Rex"))
            try context.save()
            try context.transaction { context.insert(Pet(2, "Max")) }
            #expect(observation.names.isEmpty)
        }
        #expect(observation.names == ["willSave", "didSave"])
        struct Stop: Error {}
        #expect(throws: Stop.self) { try context.transaction { throw Stop() } }
        #expect(observation.names.count == 2)
        #expect(ModelContext.NotificationKey.insertedIdentifiers.rawValue == "inserted")
    }

    @Test func `what an observer inserts and saves is part of the save`() throws {
        let context = ModelContext(try .inMemory(Pet.self))
        let observation = Observation(context) { name in
            guard name == ModelContext.willSave else { return }
            context.insert(Pet(7, "Stamp"))
            #expect(throws: Never.self) { try context.save() }
        }
        defer { observation.stop() }
        context.insert(Pet(1, "Rex"))
        try context.save()
        #expect(!context.hasChanges)
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == 2)
        #expect(observation.names == ["willSave", "didSave"])
    }
}

@ModelActor private actor Autosaver {
    func enable() { modelContext.autosaveEnabled = true }

    func insert(_ pets: [Pet]) -> Bool {
        for pet in pets { modelContext.insert(pet) }
        return modelContext.hasChanges
    }

    func hasChanges() -> Bool { modelContext.hasChanges }
}

@Suite struct AutosaveTests {
    @MainActor @Test func `the main context saves when the main actor is free again`() async throws
    {
        let container = try ModelContainer.inMemory(Pet.self)
        let context = container.mainContext
        #expect(!context.autosaveEnabled)
        context.insert(Pet(1, "Rex"))
        await Task.yield()
        #expect(context.hasChanges)
        context.autosaveEnabled = true
        context.insert(Pet(2, "Max"))
        #expect(context.hasChanges)
        for _ in 0..<1000 where context.hasChanges { await Task.yield() }
        #expect(!context.hasChanges)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Pet>()) == 2)
        // The next changes make the next job.
        context.delete(Pet(1, ""))
        try context.delete(model: Pet.self)
        for _ in 0..<1000 where context.hasChanges { await Task.yield() }
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Pet>()) == 0)
        context.autosaveEnabled = false
        context.insert(Pet(3, "Mia"))
        await Task.yield()
        #expect(context.hasChanges)
    }

    @MainActor @Test func `a save that fails is told, and what waits stays`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        let context = container.mainContext
        context.insert(Pet(1, "Rex"))
        try context.save()
        var failures = 0
        let observation = Observation(context) { name in
            if name == ModelContext.didFailToAutosave { failures += 1 }
        }
        defer { observation.stop() }
        context.autosaveEnabled = true
        context.insert(Pet(1, "Rex"))
        for _ in 0..<1000 where failures == 0 { await Task.yield() }
        #expect(failures == 1 && context.hasChanges)
        context.rollback()
        context.insert(Pet(2, "Max"))
        for _ in 0..<1000 where context.hasChanges { await Task.yield() }
        #expect(!context.hasChanges && failures == 1)
    }

    @Test func `the context of a model actor saves after the job`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        let saver = Autosaver(modelContainer: container)
        #expect(await saver.insert([Pet(1, "Rex")]))
        #expect(await saver.hasChanges())
        await saver.enable()
        #expect(await saver.insert([Pet(2, "Max"), Pet(3, "Mia")]))
        #expect(await saver.hasChanges() == false)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Pet>()) == 3)
    }

    @Test func `a context that was made by hand saves nothing by itself`() async throws {
        let context = ModelContext(try .inMemory(Pet.self))
        context.autosaveEnabled = true
        context.insert(Pet(1, "Rex"))
        await Task.yield()
        #expect(context.hasChanges && context.autosaveEnabled)
    }

    /// What is saved after a save is a save of its own.
    @Test(arguments: StoreKind.allCases, [false, true])
    func `a handler of didSave saves`(kind: StoreKind, inTransaction: Bool) throws {
        let context = ModelContext(try kind.container(Pet.self))
        var rounds = 0
        let observation = Observation(context) { name in
            guard name == ModelContext.didSave, rounds < 2 else { return }
            rounds += 1
            let pet = Pet(10 + rounds, "log")
            if inTransaction {
                #expect(throws: Never.self) { try context.transaction { context.insert(pet) } }
            } else {
                context.insert(pet)
                #expect(throws: Never.self) { try context.save() }
            }
            #expect(!context.hasChanges)
        }
        defer { observation.stop() }
        context.insert(Pet(1, "Rex"))
        try context.save()
        #expect(!context.hasChanges)
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Pet>()) == 3)
        #expect(observation.names.filter { $0 == "didSave" }.count == 3)
    }
}
