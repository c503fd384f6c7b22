import Dovetail
import Foundation

/// The run of ``checkSynchronize(_:others:steps:seed:fileID:line:configuration:prepare:)``.
///
/// One task runs it.
final class SynchronizeSimulation<Value: Model & Identifiable & Sendable> where Value.ID: Sendable {
    /// What does not hold.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    /// A fault of the network.
    private struct Fault: Error {}

    private final class Client {
        let name: String
        var container: ModelContainer
        var followsChanges = false

        init(_ name: String, _ container: ModelContainer) {
            (self.name, self.container) = (name, container)
        }
    }

    /// The versions of each value.
    private let versions: [Value.ID: [Value]]
    private let identifiers: [Value.ID]
    private let open: (String) throws -> ModelContainer
    private let clients: [Client]
    private var random: SeededRandom
    private var backend = SimulatedBackend<Value>()
    /// What has happened, in words.
    private(set) var log: [String] = []

    /// - Throws: what opening a store throws.
    init(
        _ values: [Value],
        _ random: SeededRandom,
        _ open: @escaping (String) throws -> ModelContainer
    ) throws {
        versions = Dictionary(grouping: values, by: \.id)
        var seen: Set<Value.ID> = []
        identifiers = values.map(\.id).filter { seen.insert($0).inserted }
        self.random = random
        self.open = open
        clients = try ["a", "b"].map { Client($0, try open($0)) }
    }

    /// Fills the stores with what values refer to.
    func begin(_ prepare: (ModelContext) throws -> Void) throws {
        for client in clients {
            let context = ModelContext(client.container)
            try prepare(context)
            try context.save()
            do {
                _ = try context.localChanges(of: Value.self)
                client.followsChanges = true
            } catch let error as StoreError where error.kind == .historyDisabled {
                log.append(
                    "\(client.name) changes nothing: its store does not know what was changed"
                )
            }
        }
    }

    /// Lets one thing happen.
    func step() async throws {
        guard !identifiers.isEmpty else { return }
        let client = random.pick(clients)
        switch random.below(8) {
        case 0, 1:
            let id = random.pick(identifiers)
            change(id, in: "backend", to: random.isOne(in: 4) ? nil : version(id))
        case 2, 3: try edit(client)
        case 4: try await pullChanges(client)
        case 5:
            try reopen(client)
            try await pull(client, mayFail: false)
        case 6:
            try await pull(client, mayFail: false)
            try push(client)
        default: try await pull(client, mayFail: true)
        }
    }

    /// Lets both clients tell everything, and compares all.
    func end() async throws {
        for client in clients {
            try await pull(client, mayFail: false)
            try push(client)
        }
        for client in clients {
            try await pull(client, mayFail: false)
            try expect(try rows(client), try forms(backend.values), "in the end, \(client.name)")
            if client.followsChanges {
                let changes = try ModelContext(client.container).localChanges(of: Value.self)
                guard changes.isEmpty else {
                    throw Broken(description: "\(client.name) has \(changes.count) changes left")
                }
            }
        }
    }

    // MARK: What happens

    private func version(_ id: Value.ID) -> Value? { versions[id].map { random.pick($0) } }

    private func change(_ id: Value.ID, in place: String, to value: Value?) {
        log.append("\(place): \(value == nil ? "delete" : "set") \(id)")
        backend.set(value, id)
    }

    /// Changes a value in a client.
    private func edit(_ client: Client) throws {
        guard client.followsChanges else { return }
        let id = random.pick(identifiers)
        let context = ModelContext(client.container)
        let old = try context.fetch(Value.self, id: id)
        if let old, random.isOne(in: 4) {
            log.append("\(client.name): delete \(id)")
            context.delete(old)
        } else if let new = version(id) {
            log.append("\(client.name): set \(id)")
            if old == nil { context.insert(new) } else { context.update(new) }
        }
        try context.save()
    }

    /// Closes a client and opens it again, where its store stays.
    private func reopen(_ client: Client) throws {
        guard client.container.store.capabilities.contains(.persistence) else { return }
        log.append("\(client.name): close and open")
        client.container = try open(client.name)
    }

    /// Tells the backend what a client has changed.
    private func push(_ client: Client) throws {
        guard client.followsChanges else { return }
        let context = ModelContext(client.container)
        let changes = try context.localChanges(of: Value.self)
        for change in changes {
            switch change {
            case .inserted(let value): self.change(value.id, in: "backend", to: value)
            case .updated(let value, let patch):
                let known = backend.values[value.id]
                self.change(value.id, in: "backend", to: try known.map(patch.applied) ?? value)
            case .deleted(let id): self.change(id, in: "backend", to: nil)
            }
        }
        try context.confirm(changes)
        try context.save()
    }

    private func policy(_ client: Client) -> LocalChangePolicy<Value> {
        client.followsChanges ? .merge(conflicts: .storeWins) : .replace
    }

    /// Asks for the whole list, in pages.
    private func pull(_ client: Client, mayFail: Bool) async throws {
        var list = identifiers.compactMap { backend.values[$0] }.shuffled(using: &random)
        let size = 1 + random.below(list.count + 1)
        var pages = stride(from: 0, to: list.count, by: size).map {
            Array(list[$0..<min($0 + size, list.count)])
        }
        var faults: [String] = []
        if let page = pages.first, random.isOne(in: 3) {
            faults.append("a page comes twice")
            pages.append(page)
        }
        if let value = list.first, random.isOne(in: 3) {
            faults.append("a value moves to the last page")
            pages.append([value])
        }
        if mayFail, let id = list.first?.id, random.isOne(in: 4), let other = version(id) {
            faults.append("a value changes between two pages")
            change(id, in: "backend", to: other)
            pages.append([other])
            list.removeFirst()
            list.append(other)
        }
        let breaksAfter = mayFail && random.isOne(in: 2) ? random.below(pages.count + 1) : nil
        let cancelsAt = mayFail && random.isOne(in: 3) ? random.below(pages.count + 1) : nil
        if let breaksAfter { faults.append("breaks after \(breaksAfter) pages") }
        if let cancelsAt { faults.append("is cancelled after \(cancelsAt) pages") }
        log.append("\(client.name): a list of \(list.count) (\(faults.joined(separator: ", ")))")
        try await run(client, list, mayFail) { [policy = policy(client)] in
            let progress = SynchronizeProgress()
            return try await client.container.synchronize(
                Value.self,
                from: SimulatedPages(pages) { number in
                    if number == cancelsAt { progress.progress.cancel() }
                    if number == breaksAfter { throw Fault() }
                },
                localChanges: policy,
                progress: progress
            )
        }
        if mayFail { return }
        let context = ModelContext(client.container)
        let again = try context.synchronize(list, localChanges: policy(client))
        guard again.isEmpty else {
            throw Broken(description: "\(client.name): the same list again has changes: \(again)")
        }
    }

    /// Asks for what has changed since the token of the client.
    private func pullChanges(_ client: Client) async throws {
        let breaks = random.isOne(in: 3)
        log.append(
            "\(client.name): a list of changes\(breaks ? ", of which the second one breaks" : "")"
        )
        var count = 0
        do {
            try await client.container.synchronize(
                Value.self,
                localChanges: policy(client)
            ) { [self] token in
                count += 1
                if breaks, count == 2 { throw Fault() }
                return backend.answer(since: token, &random)
            }
        } catch is Fault {
            return
        }
        let changed = try changedIdentifiers(client)
        let (mine, theirs) = (try rows(client), try forms(backend.values))
        for id in identifiers where !changed.contains(id) && mine[id] != theirs[id] {
            throw Broken(description: "\(client.name): after a list of changes, \(id) is another")
        }
    }

    /// Runs a list, and looks at what has become of the rows.
    private func run(
        _ client: Client,
        _ list: [Value],
        _ mayFail: Bool,
        _ body: () async throws -> EntityChanges<Value.ID>
    ) async throws {
        let before = try rows(client)
        let changed = try changedIdentifiers(client)
        do {
            _ = try await body()
        } catch {
            let isExpected =
                error is Fault || error is CancellationError
                || (error as? SynchronizeError)?.reason == .differing
            guard mayFail, isExpected else { throw error }
            log.append("    failed")
            return try expect(try rows(client), before, "after a run that failed, \(client.name)")
        }
        let given = Dictionary(list.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        let (after, theirs) = (try rows(client), try forms(given))
        for id in identifiers where !changed.contains(id) && after[id] != theirs[id] {
            throw Broken(description: "\(client.name): after a list, \(id) is not what that has")
        }
    }

    // MARK: What is there

    /// The values that a client has changed.
    private func changedIdentifiers(_ client: Client) throws -> Set<Value.ID> {
        guard client.followsChanges else { return [] }
        return try Set(
            ModelContext(client.container).localChanges(of: Value.self).map { change in
                switch change {
                case .inserted(let value), .updated(let value, _): value.id
                case .deleted(let id): id
                }
            }
        )
    }

    private func rows(_ client: Client) throws -> [Value.ID: ModelDocument] {
        let values = try ModelContext(client.container).fetch(FetchDescriptor<Value>())
        return try forms(Dictionary(values.map { ($0.id, $0) }, uniquingKeysWith: { $1 }))
    }

    private func forms(_ values: [Value.ID: Value]) throws -> [Value.ID: ModelDocument] {
        try values.mapValues { try ModelDocument($0) }
    }

    private func expect(
        _ rows: [Value.ID: ModelDocument],
        _ expected: [Value.ID: ModelDocument],
        _ place: String
    ) throws {
        let ids = Set(rows.keys).union(expected.keys).filter { rows[$0] != expected[$0] }
        guard !ids.isEmpty else { return }
        throw Broken(description: "\(place) has other values of \(ids.map { "\($0)" }.sorted())")
    }
}

/// The pages of a list.
private struct SimulatedPages<Value: Sendable>: AsyncSequence, AsyncIteratorProtocol {
    private let pages: [[Value]]
    private let willGive: @Sendable (Int) throws -> Void
    private var count = 0

    /// - Parameter willGive: Is called with the number of pages so far, before each page and the end.
    init(_ pages: [[Value]], willGive: @escaping @Sendable (Int) throws -> Void) {
        self.pages = pages
        self.willGive = willGive
    }

    func makeAsyncIterator() -> SimulatedPages { self }

    mutating func next() async throws -> [Value]? {
        try willGive(count)
        guard count < pages.count else { return nil }
        defer { count += 1 }
        return pages[count]
    }
}
