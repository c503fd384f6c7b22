import Dispatch
public import Dovetail
import Foundation
import StoreTestSupport
import Synchronization
import Testing

// Actors as programs for SwiftData declare them. The first ones are what the macro makes of a
// declaration, the last two are written by hand.

@ModelActor actor Keeper {
    private var written = 0
    private var last: Pet?

    func add(_ pets: [Pet]) throws {
        modelContext.insert(contentsOf: pets)
        try modelContext.save()
        written += pets.count
        last = pets.last
    }

    func names(matching text: String) throws -> [String] {
        var descriptor = FetchDescriptor<Pet>(
            predicate: #Predicate { $0.name.contains(text) },
            sortBy: [SortDescriptor(\.name, comparator: .lexical, order: .reverse)]
        )
        descriptor.fetchLimit = 20
        return try modelContext.fetch(descriptor).map(\.name)
    }

    func fetch<Value: Model & Sendable>(_ type: Value.Type) throws -> [Value] {
        try modelContext.fetch(FetchDescriptor<Value>())
    }

    /// Reads, and writes what follows from it. Nothing else may come in between.
    func growOlder(_ id: Int) throws {
        guard var pet = try modelContext.fetch(Pet.self, id: id) else { return }
        pet.age = (pet.age ?? 0) + 1
        modelContext.update(pet)
        try modelContext.save()
        written += 1
    }

    func count() -> Int { written }

    func isOnMainThread() -> Bool { Thread.isMainThread }

    /// Ends the program elsewhere.
    func assertIsolation() { preconditionIsolated() }

    /// So long that only a pool which stands still does not open the gate, however busy the machine is.
    func wait(for gate: DispatchSemaphore) -> Bool { gate.wait(timeout: .now() + 600) == .success }

    nonisolated func assumed() -> Int { assumeIsolated { $0.written } }

    func assumedInside() -> Int { assumed() }
}

/// What its macro writes has to be public.
@ModelActor
public final actor PublicKeeper {
    /// The number of pets.
    public func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Pet>()) }
}

extension LibraryV2.Book {
    @ModelActor fileprivate actor Finder {
        func books() throws -> [Book] { try modelContext.fetch(FetchDescriptor<Book>()) }
    }
}

/// A place for an actor in a public extension.
public enum Outer {
    /// The type that is extended.
    public struct Inner {}
}

public extension Outer.Inner {
    @ModelActor actor Reader {
        /// The number of pets.
        public func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Pet>()) }
    }
}

/// Has a value that its own initializer is given, and needs no other one.
@ModelActor private actor NamedKeeper {
    private let name: String

    init(container: ModelContainer, name: String) {
        modelContainer = container
        let context = ModelContext(container)
        context.author = name
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
        self.name = name
    }

    func author() -> String? { modelContext.author == name ? name : nil }
}

/// Its initializers lead to the macro's.
@ModelActor private actor DelegatingKeeper {
    var names: [String] = []
    var limit: Int?
    lazy var first = names.first
    static let shared = "x"

    init(memoryOf model: any Model.Type) throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        self.init(modelContainer: try ModelContainer(for: model, configurations: configuration))
    }

    init(sharing other: DelegatingKeeper) {
        self.init(modelContainer: other.modelContainer)
    }

    func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Pet>()) }
}

/// Takes the place of the macro's initializer.
@ModelActor private actor ReplacingKeeper: Sendable {
    let now: @Sendable () -> Date

    init(modelContainer: ModelContainer, now: @escaping @Sendable () -> Date = Date.init) {
        let modelContext = ModelContext(modelContainer)
        self.modelExecutor = DefaultSerialModelExecutor(modelContext: modelContext)
        self.modelContainer = modelContainer
        self.now = now
    }
}

private protocol Counting: Actor {
    func count() throws -> Int
}

private actor HandWrittenKeeper: ModelActor, Counting {
    let modelContainer: ModelContainer
    let modelExecutor: any ModelExecutor
    let id: String

    init(id: String, modelContainer: ModelContainer) {
        self.id = id
        self.modelContainer = modelContainer
        let context = ModelContext(modelContainer)
        self.modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    }

    func count() throws -> Int {
        preconditionIsolated()
        return try modelContext.fetchCount(FetchDescriptor<Pet>())
    }
}

/// With an executor of its own.
private final class ThreadExecutor: SerialModelExecutor, @unchecked Sendable {
    // Invariant: only jobs use the context, and the queue runs one at a time.
    let modelContext: ModelContext
    let jobs = Mutex(0)
    private let queue = DispatchQueue(label: "ModelActorTests")

    init(_ container: ModelContainer) {
        modelContext = ModelContext(container)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0 += 1 }
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor OwnExecutorKeeper: ModelActor {
    nonisolated let modelContainer: ModelContainer
    nonisolated let modelExecutor: any ModelExecutor

    init(_ executor: ThreadExecutor) {
        modelContainer = executor.modelContext.container
        modelExecutor = executor
    }

    func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Pet>()) }
}

@Suite struct ModelActorTests {
    @Test func `an actor reads and writes, and what it returns leaves it`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        let keeper = Keeper(modelContainer: container)
        try await keeper.add([Pet(1, "Rex"), Pet(2, "Max"), Pet(3, "Mia")])
        #expect(try await keeper.names(matching: "x") == ["Rex", "Max"])
        #expect(try await keeper.fetch(Pet.self).count == 3)
        #expect(keeper.modelContainer === container)
        #expect(try await PublicKeeper(modelContainer: container).count() == 3)
        #expect(try await Outer.Inner.Reader(modelContainer: container).count() == 3)
        let library = try ModelContainer.inMemory(Book.self)
        #expect(try await Book.Finder(modelContainer: library).books().isEmpty)
    }

    @Test func `many tasks change one row through one actor, and no change is lost`() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Pet.self,
            configurations: ModelConfiguration(url: folder.file())
        )
        let keeper = Keeper(modelContainer: container)
        try await keeper.add((0..<4).map { Pet($0, "Pet \($0)", age: 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { try await keeper.growOlder(number % 4) }
            }
            try await group.waitForAll()
        }
        #expect(try await keeper.fetch(Pet.self).map(\.age) == [50, 50, 50, 50])
        #expect(await keeper.count() == 204)
    }

    @Test func `several actors of one container work beside each other`() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Pet.self,
            configurations: ModelConfiguration(url: folder.file())
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in 0..<8 {
                group.addTask {
                    let keeper = Keeper(modelContainer: container)
                    for number in 0..<25 {
                        try await keeper.add([Pet(place * 100 + number, "Pet")])
                    }
                    #expect(await keeper.count() == 25)
                }
            }
            try await group.waitForAll()
        }
        let count = try ModelContext(container).fetchCount(FetchDescriptor<Pet>())
        #expect(count == 200)
    }

    @MainActor @Test func `an actor that is made on the main actor does not run there`()
        async throws
    {
        let keeper = Keeper(modelContainer: try .inMemory(Pet.self))
        #expect(await keeper.isOnMainThread() == false)
        await keeper.assertIsolation()
        #expect(await keeper.assumedInside() == 0)
    }

    /// As many actors block as the cooperative pool has threads, and more; the pool goes on.
    @Test func `actors that block hold no thread of Swift's pool`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        let gate = DispatchSemaphore(value: 0)
        let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
        let waiting = (0..<count).map { _ in
            Task { await Keeper(modelContainer: container).wait(for: gate) }
        }
        let others = await withTaskGroup(of: Int.self) { group in
            for number in 0..<100 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        #expect(others == 4950)
        for _ in 0..<count { gate.signal() }
        for task in waiting { #expect(await task.value) }
    }

    @Test func `initializers of the actor's own`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        let named = NamedKeeper(container: container, name: "import")
        #expect(await named.author() == "import")
        let delegating = try DelegatingKeeper(memoryOf: Pet.self)
        #expect(try await delegating.count() == 0)
        let sharing = DelegatingKeeper(sharing: delegating)
        #expect(sharing.modelContainer === delegating.modelContainer)
        #expect(await sharing.names.isEmpty)
        #expect(await DelegatingKeeper(modelContainer: container).limit == nil)
        let moment = Date(timeIntervalSince1970: 7)
        #expect(ReplacingKeeper(modelContainer: container) { moment }.now() == moment)
        #expect(ReplacingKeeper(modelContainer: container).now() > moment)
    }

    @Test func `actors that are written by hand`() async throws {
        let container = try ModelContainer.inMemory(Pet.self)
        let keeper: any Counting = HandWrittenKeeper(id: "a", modelContainer: container)
        #expect(try await keeper.count() == 0)
        let executor = ThreadExecutor(container)
        #expect(try await OwnExecutorKeeper(executor).count() == 0)
        #expect(executor.jobs.withLock { $0 } > 0)
        let some: any ModelActor = HandWrittenKeeper(id: "b", modelContainer: container)
        #expect(some.modelContainer === container)
    }

    @Test func `an actor that is let go frees its context`() async throws {
        weak var context: ModelContext?
        weak var actor: Keeper?
        do {
            let keeper = Keeper(modelContainer: try .inMemory(Pet.self))
            try await keeper.add([Pet(1, "Rex")])
            context = keeper.modelExecutor.modelContext
            actor = keeper
            #expect(context != nil)
        }
        // The queue lets go of the executor after its last job.
        for _ in 0..<1000 where context != nil || actor != nil {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(context == nil && actor == nil)
    }
}
