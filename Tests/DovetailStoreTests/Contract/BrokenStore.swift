import Dovetail

/// One way in which a store can be wrong.
enum StoreFault: String, CaseIterable {
    /// An error leaves what was written before it.
    case forgetsRollback
    /// An error in an inner transaction leaves what that wrote before it.
    case forgetsSavepoints
    case ignoresLimit
    case ignoresOffset
    case sortsNilLast
    /// An update of a row that is not there adds it.
    case updatesWhatIsMissing
    case replacesOnInsert
    /// A save that swaps unique values is refused, and no capability says so.
    case doesNotPark
    case deletesAllRows
    /// A read sees what a transaction has not stored yet.
    case readsInsideTransactions
    /// The snapshot of a read moves.
    case movesSnapshots
    /// The store says that it lasts.
    case promisesPersistence
    /// It gives an empty history instead of an error.
    case inventsHistory
    case losesGeneratedKeys
    case takesNullAsFalse
}

/// Makes memory stores with a fault.
struct BrokenConfiguration: DataStoreConfiguration {
    let fault: StoreFault

    func makeStore(for schema: Schema) throws -> any DataStore {
        BrokenStore(base: MemoryConfiguration().makeStore(for: schema), fault: fault)
    }
}

private final class BrokenStore: DataStore {
    let base: any DataStore
    let fault: StoreFault
    /// How many transactions are open. Invariant: it is used in `withConnection` of the base, which
    /// lets one thread in.
    nonisolated(unsafe) var depth = 0

    init(base: any DataStore, fault: StoreFault) {
        self.base = base
        self.fault = fault
    }

    func withConnection<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        try base.withConnection { try body(BrokenConnection($0, self)) }
    }

    func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        if fault == .readsInsideTransactions { return try withConnection(body) }
        return try base.withReadConnection { try body(BrokenReader($0, fault)) }
    }

    func withSnapshot<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        if fault == .movesSnapshots { return try withReadConnection(body) }
        return try base.withSnapshot { try body(BrokenReader($0, fault)) }
    }

    var capabilities: StoreCapabilities {
        guard fault == .promisesPersistence else { return base.capabilities }
        return StoreCapabilities(without: [.history: "none", .backup: "none"])
    }

    func history(since: Int64, limit: Int?, of schema: Schema) throws -> [HistoryCommit] {
        if fault == .inventsHistory { return [] }
        return try base.history(since: since, limit: limit, of: schema)
    }
}

private final class BrokenReader: StoreQuerying {
    private let base: any StoreQuerying
    private let fault: StoreFault

    init(_ base: any StoreQuerying, _ fault: StoreFault) {
        self.base = base
        self.fault = fault
    }

    func rows(of query: Query) throws -> any RowCursor {
        guard fault == .sortsNilLast, let first = query.order.first, first.isAscending else {
            return try base.rows(of: broken(query))
        }
        let isNull = QueryExpression.equal(first.expression, .value(.null))
        var parts: [any RowCursor] = []
        for part in [QueryExpression.not(isNull), isNull] {
            var query = query
            query.filter = query.filter.map { .and($0, part) } ?? part
            parts.append(try base.rows(of: query))
        }
        return ChainedCursor(parts)
    }

    func count(of query: Query) throws -> Int { try base.count(of: broken(query)) }

    private func broken(_ query: Query) -> Query {
        var query = query
        switch fault {
        case .ignoresLimit: query.limit = nil
        case .ignoresOffset: query.offset = 0
        case .takesNullAsFalse: query.filter = query.filter.map { Self.withoutNull($0) }
        default: break
        }
        return query
    }

    /// Takes a comparison with nothing as one that does not hold, so that its negation holds.
    private static func withoutNull(_ expression: QueryExpression) -> QueryExpression {
        switch expression {
        case .and(let left, let right): .and(withoutNull(left), withoutNull(right))
        case .or(let left, let right): .or(withoutNull(left), withoutNull(right))
        case .not(let operand): .not(withoutNull(operand))
        case .comparison: .coalesce(expression, .value(.bool(false)))
        case .equal(let left, let right): .equal(withoutNull(left), withoutNull(right))
        default: expression
        }
    }
}

/// The rows of several cursors, one cursor after the other.
private final class ChainedCursor: RowCursor {
    private var parts: ArraySlice<any RowCursor>

    init(_ parts: [any RowCursor]) {
        self.parts = parts[...]
    }

    func next() throws -> Bool {
        while let part = parts.first {
            if try part.next() { return true }
            if parts.count == 1 { return false }
            parts.removeFirst()
        }
        return false
    }

    func close() { parts.forEach { $0.close() } }
    func cell(_ column: Int) -> RowCell { parts.first?.cell(column) ?? .null }
}

private final class BrokenConnection: StoreConnection {
    private let base: any StoreConnection
    private let store: BrokenStore
    private let reader: BrokenReader
    private var fault: StoreFault { store.fault }

    init(_ base: any StoreConnection, _ store: BrokenStore) {
        self.base = base
        self.store = store
        reader = BrokenReader(base, store.fault)
    }

    func rows(of query: Query) throws -> any RowCursor { try reader.rows(of: query) }

    func count(of query: Query) throws -> Int { try reader.count(of: query) }

    func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        switch (fault, verb) {
        case (.updatesWhatIsMissing, .update), (.replacesOnInsert, .insert):
            return try base.writer(.upsert, into: entity)
        case (.losesGeneratedKeys, _):
            let writer = try base.writer(verb, into: entity)
            return ValueWriter(entity) { values in
                for (column, value) in values.enumerated() { try value.set(column, of: writer) }
                try writer.finishRow()
                return values
            }
        default: return try base.writer(verb, into: entity)
        }
    }

    func delete(_ query: Query) throws -> Int {
        try base.delete(fault == .deletesAllRows ? Query(query.entity) : query)
    }

    func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        if fault != .doesNotPark { try base.park(keys, of: entity) }
    }

    func unpark(_ entity: EntityBinding) throws { try base.unpark(entity) }

    func transaction<Result>(keeping: Bool, _ body: () throws -> Result) throws -> Result {
        store.depth += 1
        defer { store.depth -= 1 }
        let forgets =
            fault == .forgetsRollback || fault == .forgetsSavepoints && store.depth > 1
        guard forgets else { return try base.transaction(keeping: keeping, body) }
        return try base.transaction(keeping: true) {
            Swift.Result { try body() }
        }.get()
    }
}
