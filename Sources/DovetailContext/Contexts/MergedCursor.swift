import DovetailModel
import DovetailStore
import Foundation

/// The rows of a query of the store, and over them those that wait to be saved.
///
/// Rows of the store whose keys wait are left out. The others and the waiting ones are merged in the
/// order of the query; without one the waiting ones come last. So no transaction is needed to see
/// what was not saved.
final class MergedCursor: RowCursor {
    private let store: any RowCursor
    private let query: Query
    private let hidden: [RowKey: RowImage?]
    /// The waiting rows that the query takes, in its order.
    private let waiting: [RowImage]
    private var nextWaiting = 0
    /// Whether the store's cursor is at a row that was not given yet.
    private var isStoreReady = false
    private var isStoreAtEnd = false
    private var toSkip: Int
    private var toGive: Int
    private var isClosed = false
    private var current: any RowSource

    /// Merges the rows of a cursor over ``storeQuery(_:_:)``.
    init(
        _ store: any RowCursor,
        _ query: Query,
        _ pending: PendingRows,
        on connection: any StoreQuerying
    ) throws {
        self.store = store
        self.query = query
        hidden = pending.rows
        let entity = query.entity
        var taken = try pending.taken(by: query.filter, on: connection)
        if !query.order.isEmpty {
            taken = try taken.enumerated().sorted { left, right in
                let order = try QueryEvaluator(entity, row: left.element)
                    .order(relativeTo: right.element, by: query.order)
                return order == 0 ? left.offset < right.offset : order < 0
            }
            .map(\.element)
        }
        waiting = taken
        toSkip = query.offset
        toGive = query.limit ?? .max
        current = store
    }

    /// The rows of a query of the store, and over them what waits, if anything does.
    ///
    /// - Parameter streams: Whether they are gone over one by one.
    static func rows(
        of query: Query,
        _ pending: PendingRows?,
        streams: Bool = false,
        on connection: any StoreQuerying
    ) throws -> any RowCursor {
        let asked = pending.map { storeQuery(query, $0) } ?? query
        let rows = try streams ? connection.stream(asked) : connection.rows(of: asked)
        return try pending.map { try MergedCursor(rows, query, $0, on: connection) } ?? rows
    }

    /// What to ask the store for: enough rows that those which are left out do not matter.
    static func storeQuery(_ query: Query, _ pending: PendingRows) -> Query {
        var query = query
        query.limit = query.limit.flatMap { limit in
            let (rows, isHuge) = limit.addingReportingOverflow(query.offset)
            let (all, isLarger) = rows.addingReportingOverflow(pending.rows.count)
            return isHuge || isLarger ? nil : all
        }
        query.offset = 0
        return query
    }

    func next() throws -> Bool {
        while toGive > 0, !isClosed, try advance() {
            if toSkip > 0 {
                toSkip -= 1
                continue
            }
            toGive -= 1
            return true
        }
        close()
        return false
    }

    /// Moves to the next row of both.
    private func advance() throws -> Bool {
        while !isStoreReady, !isStoreAtEnd {
            guard try store.next() else {
                isStoreAtEnd = true
                break
            }
            isStoreReady = hidden[try RowKey(row: store, entity: query.entity)] == nil
        }
        guard nextWaiting < waiting.count else {
            guard isStoreReady else { return false }
            isStoreReady = false
            current = store
            return true
        }
        let candidate = waiting[nextWaiting]
        if isStoreReady {
            let order = try QueryEvaluator(query.entity, row: candidate)
                .order(relativeTo: store, by: query.order)
            if query.order.isEmpty || order >= 0 {
                isStoreReady = false
                current = store
                return true
            }
        }
        nextWaiting += 1
        current = candidate
        return true
    }

    func close() {
        isClosed = true
        store.close()
    }

    func cell(_ column: Int) -> RowCell { current.cell(column) }

    func read(_ columns: Range<Int>, into cells: UnsafeMutablePointer<RowCell>) {
        current.read(columns, into: cells)
    }
}
