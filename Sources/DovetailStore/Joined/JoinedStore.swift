import DovetailModel
import Foundation

/// Several stores as one, each with models of its own: what a container with several configurations
/// works on.
///
/// A call goes to the store of its entity. What is asked or written between two stores is refused
/// with the names of both tables: no transaction of two databases could be kept or undone as a whole.
public final class JoinedStore: DataStore {
    private let stores: [any DataStore]
    /// The position of each model's store.
    package let places: [ObjectIdentifier: Int]

    /// Opens the stores of configurations.
    ///
    /// - Throws: ``StoreError``: `invalidSchema` when a model has no configuration or two, or refers
    ///   to a model of another one, or two configurations name one file, and what opening a store throws.
    package init(
        _ configurations: [any DataStoreConfiguration],
        for schema: Schema
    ) throws {
        var files: Set<String> = []
        for file in configurations.compactMap(\.file) {
            let path = file.standardizedFileURL.resolvingSymlinksInPath().path
            guard files.insert(path).inserted else {
                throw StoreError(
                    .invalidSchema,
                    location: file.path,
                    explanation:
                        "two configurations name the file; give one of them another name or URL, "
                        + "or all models to one"
                )
            }
        }
        var places: [ObjectIdentifier: Int] = [:]
        for (place, configuration) in configurations.enumerated() {
            for model in configuration.models ?? [] where !(model is any JoinModel.Type) {
                // Classes that share a table are in one store.
                let known = places.updateValue(place, forKey: model.tableIdentifier)
                guard known == nil || known == place else {
                    throw Self.invalid(model, "two configurations name the model")
                }
            }
        }
        // A join table is where its objects are.
        for entity in schema.bindings {
            guard let table = entity.type as? any JoinModel.Type else { continue }
            places[ObjectIdentifier(table)] = places[table.owner.tableIdentifier]
        }
        let others = configurations.indices.filter { configurations[$0].models == nil }
        for entity in schema.bindings where places[entity.tableIdentifier] == nil {
            guard others.count == 1 else {
                throw Self.invalid(
                    entity.type,
                    others.isEmpty
                        ? "no configuration names the model"
                        : "two configurations are for all models; say `keeping(_:)`"
                )
            }
            places[entity.tableIdentifier] = others[0]
        }
        for entity in schema.bindings {
            for target in entity.attributes.compactMap(\.reference?.target)
            where places[target.tableIdentifier] != places[entity.tableIdentifier] {
                throw Self.invalid(
                    entity.type,
                    "the model refers to \(target.modelTable), which another store keeps"
                )
            }
        }
        self.places = places
        stores = try configurations.enumerated().map { place, configuration in
            let models = schema.models.filter { places[$0.tableIdentifier] == place }
            return try configuration.makeStore(for: Schema(models))
        }
    }

    /// Whether the store of a table keeps whole microseconds of dates.
    package func roundsDates(of table: ObjectIdentifier) -> Bool {
        guard let place = places[table] else { return false }
        return !stores[place].capabilities.contains(.exactDates)
    }

    private static func invalid(_ model: any Model.Type, _ explanation: String) -> StoreError {
        StoreError(.invalidSchema, table: model.modelTable, explanation: explanation)
    }

    /// A number that comes after those of all stores, each of which is told that can be written to: in others are
    /// no new keys.
    ///
    /// - Throws: what they throw; `readOnly` where none can be written to.
    public func takeOpeningNumber(after used: Int64) throws -> Int64 {
        var writable: [any DataStore] = []
        var largest = used + 1
        var refusal: StoreError?
        for store in stores {
            do {
                largest = max(largest, try store.takeOpeningNumber(after: used))
                writable.append(store)
            } catch let error as StoreError where error.kind == .readOnly {
                refusal = error
            }
        }
        if let refusal, writable.isEmpty { throw refusal }
        for store in writable { _ = try store.takeOpeningNumber(after: largest - 1) }
        return largest
    }

    /// A stage of the store that keeps the entity.
    ///
    /// - Throws: what that throws.
    public func makeStage(of entity: EntityBinding) throws -> (any StoreConnection)? {
        try places[entity.tableIdentifier].flatMap { try stores[$0].makeStage(of: entity) }
    }

    /// Runs `body` with a connection of each store. So it waits for all of them. A call inside of
    /// `body` on the same thread has the same connections, and the same transaction.
    ///
    /// - Throws: what `body` throws.
    public func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        let thread = Thread.current.threadDictionary
        let key = ObjectIdentifier(self)
        if let connection = thread[key] as? JoinedConnection { return try body(connection) }
        return try withConnections([]) {
            let connection = JoinedConnection($0, places)
            thread[key] = connection
            defer { thread[key] = nil }
            return try body(connection)
        }
    }

    /// Runs `body` with a connection of each store that only reads.
    ///
    /// - Throws: what `body` throws.
    public func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try withReaders(isSnapshot: false, []) { try body(JoinedReader($0, places)) }
    }

    /// Runs `body` over one state of each store. They are not of the same moment.
    ///
    /// - Throws: what `body` throws.
    public func withSnapshot<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try withReaders(isSnapshot: true, []) { try body(JoinedReader($0, places)) }
    }

    /// Takes the connections of the stores that are left, always in the same order, so that two
    /// callers do not wait for each other.
    private func withConnections<Result>(
        _ taken: [any StoreConnection],
        _ body: ([any StoreConnection]) throws -> Result
    ) throws -> Result {
        guard taken.count < stores.count else { return try body(taken) }
        return try stores[taken.count].withConnection {
            try withConnections(taken + [$0], body)
        }
    }

    /// The same for connections that read.
    private func withReaders<Result>(
        isSnapshot: Bool,
        _ taken: [any StoreQuerying],
        _ body: ([any StoreQuerying]) throws -> Result
    ) throws -> Result {
        guard taken.count < stores.count else { return try body(taken) }
        let store = stores[taken.count]
        if isSnapshot {
            return try store.withSnapshot {
                try withReaders(isSnapshot: isSnapshot, taken + [$0], body)
            }
        }
        return try store.withReadConnection {
            try withReaders(isSnapshot: isSnapshot, taken + [$0], body)
        }
    }

    /// As often as the one that is tried most.
    public var saveAttempts: Int { stores.map(\.saveAttempts).max() ?? 1 }

    /// What one of them cannot do, and what has no meaning over several.
    public var capabilities: StoreCapabilities {
        var reasons: [StoreCapability: String] = [:]
        for capability in StoreCapability.allCases {
            reasons[capability] =
                stores.lazy
                .compactMap { $0.capabilities.reason(against: capability) }.first
        }
        reasons[.sql] = "a statement does not say which of the stores it is for"
        reasons[.backup] = "each of the stores has its own backup"
        reasons[.history] = "each of the stores has its own history"
        return StoreCapabilities(without: reasons)
    }

    /// Empties the write-ahead logs of all.
    ///
    /// - Throws: ``StoreError``.
    public func checkpoint() throws {
        for store in stores { try store.checkpoint() }
    }

    /// Makes the files of all as small as they can be.
    ///
    /// - Throws: ``StoreError``.
    public func compact() throws {
        for store in stores { try store.compact() }
    }
}

/// Reads from the store of each query's entity.
private class JoinedReader: StoreQuerying {
    private let readers: [any StoreQuerying]
    private let places: [ObjectIdentifier: Int]

    init(_ readers: [any StoreQuerying], _ places: [ObjectIdentifier: Int]) {
        self.readers = readers
        self.places = places
    }

    /// The position of an entity's store.
    func place(of entity: EntityBinding) throws -> Int {
        guard let place = places[entity.tableIdentifier] else {
            throw StoreError(
                .invalidSchema,
                table: entity.table,
                explanation: "none of the stores was made for the model"
            )
        }
        return place
    }

    func rows(of query: Query) throws -> any RowCursor {
        try readers[place(of: query.entity)].rows(of: query)
    }

    func stream(_ query: Query) throws -> any RowCursor {
        try readers[place(of: query.entity)].stream(query)
    }

    func rows(
        of entity: EntityBinding,
        key: (any RowSink) throws -> Void
    ) throws -> any RowCursor {
        try readers[place(of: entity)].rows(of: entity, key: key)
    }

    func explain(_ query: Query) throws -> QueryExplanation {
        try readers[place(of: query.entity)].explain(query)
    }

    func values(of selection: QuerySelection) throws -> [[QueryValue]] {
        try readers[place(of: selection.query.entity)].values(of: selection)
    }

    func rows(of selection: QuerySelection) throws -> any RowCursor {
        try readers[place(of: selection.query.entity)].rows(of: selection)
    }

    func count(of query: Query) throws -> Int {
        try readers[place(of: query.entity)].count(of: query)
    }

    func token(of entity: EntityBinding) throws -> String? {
        try readers[place(of: entity)].token(of: entity)
    }

    func bases(of entity: EntityBinding) throws -> ChangedRows? {
        try readers[place(of: entity)].bases(of: entity)
    }
}

/// Writes to the store of each entity, and to one store in a transaction.
private final class JoinedConnection: JoinedReader, StoreWriting, StoreTransactions {
    private let connections: [any StoreConnection]
    private var depth = 0
    /// The store that the transaction has written to, and the first table there.
    private var written: (place: Int, table: String)?
    /// The only store in which the transaction was begun; nil where it was in all of them.
    private var only: Int?
    private(set) var lastCommitNumber: Int64?

    init(_ connections: [any StoreConnection], _ places: [ObjectIdentifier: Int]) {
        self.connections = connections
        super.init(connections, places)
    }

    var author: String? {
        didSet { for connection in connections { connection.author = author } }
    }

    /// The connection to write to an entity.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported` when the transaction has written to another.
    private func connection(for entity: EntityBinding) throws -> any StoreConnection {
        let place = try place(of: entity)
        if depth > 0 {
            if written.map({ $0.place != place }) ?? only.map({ $0 != place }) ?? false {
                let others = written.map { "\($0.table) is" } ?? "the models that wait are"
                throw StoreError(
                    .unsupported,
                    table: entity.table,
                    explanation:
                        "\(others) kept in another store, and one transaction cannot write "
                        + "to both; save them one after the other"
                )
            }
            written = (place, written?.table ?? entity.table)
        }
        return connections[place]
    }

    func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        try connection(for: entity).writer(verb, into: entity)
    }

    func delete(_ query: Query) throws -> Int {
        try connection(for: query.entity).delete(query)
    }

    func update(_ query: Query, setting assignments: [QueryAssignment]) throws -> Int {
        try connection(for: query.entity).update(query, setting: assignments)
    }

    func apply(_ change: RowChange, to entity: EntityBinding) throws -> ChangeConflict? {
        try connection(for: entity).apply(change, to: entity)
    }

    func change(
        _ change: RowChange,
        at position: Int,
        of entity: EntityBinding,
        again: @escaping (Int) throws -> RowChange?
    ) throws -> ChangeConflict? {
        try connection(for: entity).change(change, at: position, of: entity, again: again)
    }

    func settle() throws -> [ChangeConflict] { try connections.flatMap { try $0.settle() } }

    var continuesAfterRefusal: Bool { connections.allSatisfy(\.continuesAfterRefusal) }

    func hasUniqueValues(_ entity: EntityBinding) -> Bool {
        (try? place(of: entity)).map { connections[$0].hasUniqueValues(entity) } ?? true
    }

    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        try connection(for: entity).park(keys, of: entity)
    }

    func unpark(_ entity: EntityBinding) throws { try connection(for: entity).unpark(entity) }

    func noteForeignCommits() throws -> Bool {
        // Each of them is asked.
        try connections.map { try $0.noteForeignCommits() }.contains(true)
    }

    func setToken(_ token: String?, of entity: EntityBinding) throws {
        try connection(for: entity).setToken(token, of: entity)
    }

    func setBases(_ bases: [BaseRow], of entity: EntityBinding) throws {
        try connection(for: entity).setBases(bases, of: entity)
    }

    /// Begins and ends a transaction in each store. One of them has changes at most, so all of it is
    /// kept or nothing.
    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result {
        try transaction(keeping: keeping, writingTo: [], body)
    }

    /// The same in the one store of some tables: whoever writes to another one is in nobody's way.
    func transaction<Result>(
        keeping: Bool,
        writingTo entities: [EntityBinding],
        _ body: () throws -> Result
    ) throws -> Result {
        if depth == 0 {
            let places = Set(try entities.map(place))
            only = places.count == 1 ? places.first : nil
        }
        depth += 1
        let before = written
        defer {
            depth -= 1
            if depth == 0 {
                (written, only) = (nil, nil)
                author = nil
            }
        }
        let begun = only.map { [$0] } ?? Array(connections.indices)
        func next(_ rest: ArraySlice<Int>) throws -> Result {
            guard let place = rest.first else { return try body() }
            return try connections[place].transaction(keeping: keeping) {
                try next(rest.dropFirst())
            }
        }
        do {
            let result = try next(begun[...])
            lastCommitNumber = written.flatMap { connections[$0.place].lastCommitNumber }
            return result
        } catch {
            written = before
            throw error
        }
    }
}
