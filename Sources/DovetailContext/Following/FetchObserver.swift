import DovetailModel
import DovetailStore
import Synchronization

/// Finds out after each commit what it has changed in the result of one query.
final class FetchObserver: Sendable {
    private enum Phase {
        /// The first result is being read.
        case begins
        /// The same, and somebody has committed meanwhile.
        case isOutdated
        case follows
        case isOver
    }

    private struct State {
        var phase = Phase.begins
        /// The result, after the last commit.
        var rows: [RowKey: FollowedRow] = [:]
    }

    let query: Query
    /// What was found out and was not taken yet.
    let queue = FollowedQueue()
    private let state = Mutex(State())
    /// The tables whose rows the result depends on.
    private let types: Set<ObjectIdentifier>
    /// Whether each row is in the result for what it holds, whatever other rows hold.
    private let isOfRowsAlone: Bool

    init(_ query: Query) {
        self.query = query
        isOfRowsAlone = query.limit == nil && query.offset == 0 && query.filter?.isRelated != true
        var types = query.filter?.relatedTables ?? []
        for order in query.order { types.formUnion(order.expression.relatedTables) }
        types.insert(query.entity.tableIdentifier)
        self.types = types
    }

    /// Reads the first result.
    ///
    /// - Returns: Whether it counts; false where somebody has committed meanwhile.
    /// - Throws: what the query throws.
    func begin(on connection: any StoreQuerying) throws -> Bool {
        let rows = try Self.read(query, on: connection)
        return state.withLock { state in
            guard state.phase == .begins else { return false }
            begin(rows, &state)
            return true
        }
    }

    /// Reads the first result while nobody can tell of a commit: who has committed waits.
    ///
    /// - Parameter connection: One that has read nothing yet.
    /// - Throws: what the query throws.
    func beginAlone(on connection: any StoreQuerying) throws {
        try state.withLock { state in
            if state.phase == .isOutdated { begin(try Self.read(query, on: connection), &state) }
        }
    }

    private func begin(_ rows: [(RowKey, FollowedRow)], _ state: inout State) {
        state.phase = .follows
        var first = FollowedRows(isFirst: true)
        for (key, row) in rows {
            state.rows[key] = row
            first.add(key, nil, row)
        }
        queue.add(first)
    }

    /// Finds out what a commit has changed.
    ///
    /// - Parameters:
    ///   - others: What else is committed at the same time.
    ///   - connection: The one that has committed.
    /// - Complexity: linear in the rows that were written, where these say alone whether they are in the
    ///   result; otherwise that of the query.
    /// - Throws: what the query throws.
    func look(
        at written: TouchedRows,
        with others: CommitAnnouncements.Look,
        on connection: any StoreQuerying
    ) throws {
        try state.withLock { state in
            switch state.phase {
            case .begins, .isOutdated: state.phase = .isOutdated
            case .isOver: break
            case .follows:
                guard !written.isComplete || types.contains(where: written.contains) else { return }
                let changes = try changes(
                    by: written,
                    with: others,
                    &state.rows,
                    on: connection
                )
                if !changes.isEmpty { queue.add(changes) }
            }
        }
    }

    /// Says that nothing is followed any more.
    func end(_ error: (any Error)? = nil) {
        state.withLock { $0 = State(phase: .isOver) }
        queue.end(error)
    }

    /// Brings the known rows up to date, and says what was changed in them.
    private func changes(
        by written: TouchedRows,
        with others: CommitAnnouncements.Look,
        _ rows: inout [RowKey: FollowedRow],
        on connection: any StoreQuerying
    ) throws -> FollowedRows {
        let entity = query.entity
        let (found, keys) = try self.rows(by: written, with: others, on: connection)
        var gone = keys ?? Set(rows.keys)
        var changes = FollowedRows()
        for (key, row) in found {
            gone.remove(key)
            let old = rows.updateValue(row, forKey: key)
            if let old, entity.differences(old.image, row.image).isEmpty { continue }
            changes.add(key, old, row)
        }
        for key in gone.sorted(by: { $0.order(relativeTo: $1) < 0 }) {
            if let old = rows.removeValue(forKey: key) { changes.add(key, old, nil) }
        }
        return changes
    }

    /// Reads the rows of the result that were written, each with all that was committed together with it.
    ///
    /// - Returns: The rows, and the keys that were asked for; nil for all.
    private func rows(
        by written: TouchedRows,
        with others: CommitAnnouncements.Look,
        on connection: any StoreQuerying
    ) throws -> (rows: [(RowKey, FollowedRow)], keys: Set<RowKey>?) {
        let table = query.entity.tableIdentifier
        // One statement reads all rows in one state of the store.
        guard isOfRowsAlone, var keys = written.keys(of: table) else {
            return (try Self.read(query, on: connection), nil)
        }
        if keys.isEmpty { return ([], keys) }
        var more = others.take()
        while true {
            guard let new = more.keys(of: table) else {
                return (try Self.read(query, on: connection), nil)
            }
            keys.formUnion(new)
            var query = query
            let isWritten = query.entity.filter(of: keys.map(\.values))
            query.filter = query.filter.map { .and($0, isWritten) } ?? isWritten
            let rows = try Self.read(query, on: connection)
            // What was committed while they were read may be a half only of some of them.
            more = others.take()
            if more.keys(of: table)?.isDisjoint(with: keys) == true { return (rows, keys) }
        }
    }

    private static func read(
        _ query: Query,
        on connection: any StoreQuerying
    ) throws -> [(RowKey, FollowedRow)] {
        let cursor = try connection.rows(of: query)
        defer { cursor.close() }
        var rows: [(RowKey, FollowedRow)] = []
        while try cursor.next() {
            let image = RowImage(try query.entity.values(of: cursor))
            rows.append((try RowKey(row: image, entity: query.entity), FollowedRow(image: image)))
        }
        return rows
    }
}
