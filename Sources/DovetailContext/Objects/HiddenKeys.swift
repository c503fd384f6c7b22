import DovetailModel
import DovetailStore
import Synchronization

/// Gives the keys of objects whose class declares none.
///
/// A key is the number of an opening of the database, times 2^32, and a counter. So it is known when
/// an object is inserted, and no two openings that are counted give the same.
///
/// The database counts its openings. Where somebody else is writing, it is not asked: a number is drawn by lot among
/// nearly 2^30 above all that are counted, so two of these have one chance in a billion to be the same. To wait for the lock would hold up whoever opens a database to read; and a
/// number that is taken later, in a transaction that is undone, is given again.
final class HiddenKeys: Sendable {
    private struct State {
        let opening: Int64
        var count: Int64 = 0

        /// One whose number is drawn by lot.
        static var drawn: State { State(opening: Int64.random(in: mostCounted + 1..<1 << 31)) }
    }

    /// The largest number that is counted.
    private static let mostCounted: Int64 = 1 << 30

    private let state = Mutex(State.drawn)

    /// Takes a number, when a database is opened or was filled.
    ///
    /// - Complexity: one look into the index of the keys for each class, and one commit.
    /// - Throws: ``StoreError`` when the store gives no number.
    func open(_ store: any DataStore, for schema: Schema) throws {
        guard schema.bindings.contains(where: \.hasHiddenKey) else { return }
        var new = State.drawn
        do {
            let opening = try Self.takeNumber(of: store, for: schema)
            if opening <= Self.mostCounted { new = State(opening: opening) }
        } catch let error as StoreError where error.kind == .readOnly || error.kind == .locked {}
        state.withLock { [new] in $0 = new }
    }

    /// The next key.
    func next() -> Int64 {
        state.withLock { state in
            if state.count >= Int64(UInt32.max) { state = .drawn }
            state.count += 1
            return state.opening << 32 | state.count
        }
    }

    private static func takeNumber(of store: any DataStore, for schema: Schema) throws -> Int64 {
        let used = try store.withReadConnection { connection in
            try schema.bindings.filter(\.hasHiddenKey).map { entity -> Int64 in
                let key = QueryExpression.attribute(entity.keyColumns[0], isOptional: false)
                let query = Query(
                    entity,
                    .included,
                    filter: .comparison(.less, key, .value(.integer((mostCounted + 1) << 32))),
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
