import DovetailModel

/// Reads from the store of each query's entity.
class JoinedReader: StoreQuerying {
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
final class JoinedConnection: JoinedReader, StoreWriting, StoreTransactions {
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

    var missesForeignCommits: Bool { connections.contains { $0.missesForeignCommits } }

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
