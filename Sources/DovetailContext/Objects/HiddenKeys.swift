import DovetailModel
import DovetailStore
import Synchronization

/// Gives the keys of objects whose class declares none.
///
/// A key is the number of an opening of the database, times 2^32, and a counter. So it is known when
/// an object is inserted, and no two openings give the same.
final class HiddenKeys: Sendable {
    private struct State {
        var opening: Int64?
        var count: Int64 = 0
    }

    private let state = Mutex(State())

    /// Takes a number, when a database is opened or was filled. Not before the first object: what is
    /// taken in a transaction that is undone would be given again.
    ///
    /// Where the database cannot be written to, or another one is writing for too long, the first
    /// object asks again.
    ///
    /// - Complexity: one look into the index of the keys for each class, and one commit.
    /// - Throws: ``StoreError`` when the store gives no number.
    func open(_ store: any DataStore, for schema: Schema) throws {
        guard schema.bindings.contains(where: \.hasHiddenKey) else { return }
        do {
            let opening = try Self.takeNumber(of: store, for: schema)
            state.withLock { $0 = State(opening: opening) }
        } catch let error as StoreError where error.kind == .readOnly || error.kind == .locked {}
    }

    /// The next key.
    ///
    /// - Throws: ``StoreError`` when the store gives no number.
    func next(of container: ModelContainer) throws -> Int64 {
        try state.withLock { state in
            if state.opening == nil || state.count >= Int64(UInt32.max) {
                let opening = try Self.takeNumber(of: container.store, for: container.schema)
                state = State(opening: opening)
            }
            state.count += 1
            return (state.opening ?? 0) << 32 | state.count
        }
    }

    private static func takeNumber(of store: any DataStore, for schema: Schema) throws -> Int64 {
        let used = try store.withReadConnection { connection in
            try schema.bindings.filter(\.hasHiddenKey).map { entity -> Int64 in
                let query = Query(
                    entity,
                    .included,
                    order: [QueryOrder(column: entity.keyColumns[0], isAscending: false)],
                    limit: 1
                )
                let cursor = try connection.rows(of: query)
                defer { cursor.close() }
                return try cursor.next() ? cursor.integer(entity.keyColumns[0]) ?? 0 : 0
            }
            .max() ?? 0
        }
        return try store.takeOpeningNumber(after: used >> 32)
    }
}
