import Dovetail
import DovetailStore
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
        /// What the backend had when it was synchronized last, or was told.
        var known: [Value.ID: [QueryValue]] = [:]
        /// What was made here, also if it is gone here again, and the backend does not have, as far as is known.
        var made: Set<Value.ID> = []
        /// Whether the backend has said or was told anything: before that, deletions are not known.
        var hasList = false

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
            try expect(
                try rows(client),
                try backend.values.mapValues(columns),
                "in the end, \(client.name)"
            )
            try expectChanges(client)
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
        note(client, try rows(client))
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
                let there = backend.values[value.id]
                self.change(value.id, in: "backend", to: try there.map(patch.applied) ?? value)
            case .deleted(let id): self.change(id, in: "backend", to: nil)
            }
        }
        try context.confirm(changes)
        try context.save()
        log.append("\(client.name): tells \(changes.count) changes")
        client.known = try rows(client)
        if !changes.isEmpty { client.hasList = true }
        note(client, client.known)
        try expectChanges(client)
    }

    /// Notes which rows were made in a client.
    private func note(_ client: Client, _ rows: [Value.ID: [QueryValue]]) {
        guard client.hasList else { return }
        client.made.formUnion(rows.keys)
        client.made = client.made.filter { client.known[$0] == nil }
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
            "\(client.name): lists of changes\(breaks ? ", of which the second one breaks" : "")"
        )
        var expected = try rows(client)
        // What the last answer has changed, until it is stored.
        var waiting: [Value.ID] = []
        var isLast = false
        let isFirst =
            try ModelContext(client.container).changeToken(of: Value.self) == nil
        let store = { [self] in
            for id in waiting {
                let theirs = try backend.values[id].map(columns)
                expected[id] = merged(client, id, expected[id], theirs)
            }
            for id in waiting { client.known[id] = try backend.values[id].map(columns) }
            if waiting.contains(where: { backend.values[$0] != nil }) { client.hasList = true }
            // What it does not name the backend does not have.
            client.made.subtract(isLast ? identifiers : waiting)
            note(client, expected)
            (waiting, isLast) = ([], false)
        }
        var count = 0
        do {
            try await client.container.synchronize(
                Value.self,
                localChanges: policy(client)
            ) { [self] token in
                count += 1
                if breaks, count == 2 { throw Fault() }
                if !isFirst { try store() }
                let answer = backend.answer(since: token, &random)
                waiting += answer.values.map(\.id) + answer.deleted
                isLast = answer.isLast
                return answer
            }
            if isFirst { (waiting, isLast) = (identifiers, true) }
            try store()
        } catch is Fault {
            if !isFirst { try store() }
        }
        try expect(try rows(client), expected, "after lists of changes, \(client.name)")
        try expectChanges(client)
    }

    /// Runs a list, and looks at what has become of the rows.
    private func run(
        _ client: Client,
        _ list: [Value],
        _ mayFail: Bool,
        _ body: () async throws -> EntityChanges<Value.ID>
    ) async throws {
        let before = try rows(client)
        do {
            _ = try await body()
        } catch {
            let isExpected =
                error is Fault || error is CancellationError
                || (error as? SynchronizeError)?.reason == .differing
            guard mayFail, isExpected else { throw error }
            log.append("    failed")
            try expect(try rows(client), before, "after a run that failed, \(client.name)")
            return try expectChanges(client)
        }
        let given = Dictionary(list.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        let theirs = try given.mapValues(columns)
        var expected: [Value.ID: [QueryValue]] = [:]
        for id in identifiers {
            expected[id] = merged(client, id, before[id], theirs[id])
        }
        client.known = theirs
        if !list.isEmpty { client.hasList = true }
        client.made = []
        note(client, expected)
        try expect(try rows(client), expected, "after a list, \(client.name)")
        try expectChanges(client)
    }

    // MARK: What is there

    /// What a row becomes where the client's own values win: attribute by attribute.
    private func merged(
        _ client: Client,
        _ id: Value.ID,
        _ mine: [QueryValue]?,
        _ theirs: [QueryValue]?
    ) -> [QueryValue]? {
        guard client.followsChanges else { return theirs }
        let base = client.known[id]
        guard let mine, let theirs else {
            guard let base else { return mine ?? (client.made.contains(id) ? nil : theirs) }
            if let mine { return mine == base ? nil : mine }
            return nil
        }
        return mine.indices.map { mine[$0] == base?[$0] ? theirs[$0] : mine[$0] }
    }

    private func columns(_ value: Value) throws -> [QueryValue] {
        let entity = EntityBinding(Value.self)
        return try entity.values(of: RowImage(of: value, attributes: entity.attributes))
    }

    private func rows(_ client: Client) throws -> [Value.ID: [QueryValue]] {
        let values = try ModelContext(client.container).fetch(FetchDescriptor<Value>())
        return try Dictionary(values.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            .mapValues(columns)
    }

    /// Sees that a client tells as its changes what the backend does not have, and nothing else.
    private func expectChanges(_ client: Client) throws {
        guard client.followsChanges else { return }
        let rows = try rows(client)
        let expected = Set(identifiers.filter { rows[$0] != client.known[$0] })
        let told = try Set(
            ModelContext(client.container).localChanges(of: Value.self).map { change in
                switch change {
                case .inserted(let value), .updated(let value, _): value.id
                case .deleted(let id): id
                }
            }
        )
        let ids = told.symmetricDifference(expected)
        guard !ids.isEmpty else { return }
        throw Broken(
            description: "\(client.name) tells other changes than its own of \(names(ids))"
        )
    }

    private func expect(
        _ rows: [Value.ID: [QueryValue]],
        _ expected: [Value.ID: [QueryValue]],
        _ place: String
    ) throws {
        let ids = Set(rows.keys).union(expected.keys).filter { rows[$0] != expected[$0] }
        guard !ids.isEmpty else { return }
        throw Broken(description: "\(place) has other values of \(names(ids))")
    }

    private func names(_ ids: Set<Value.ID>) -> [String] { ids.map { "\($0)" }.sorted() }
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
