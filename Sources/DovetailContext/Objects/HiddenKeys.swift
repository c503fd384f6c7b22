import DovetailModel
import DovetailStore
import Synchronization

/// Gives the keys of objects whose class declares none.
///
/// A key is the number of an opening of the database, times 2^32, and a counter. So it is known when
/// an object is inserted, and no two openings give the same.
final class HiddenKeys: Sendable {
    /// The keys of one number.
    struct Block {
        private let opening: Int64
        private var count: Int64 = 0

        fileprivate init(opening: Int64) { self.opening = opening }

        /// The next key; nil where it has no more.
        mutating func next() -> Int64? {
            guard count < Int64(UInt32.max) else { return nil }
            count += 1
            return opening << 32 | count
        }
    }

    private let block = Mutex<Block?>(nil)

    /// Takes a number, when a database is opened or was filled, so that the first object need not.
    ///
    /// Where the database cannot be written to, or another one is writing, the first object asks again: nobody
    /// who opens a database to read waits for a writer.
    ///
    /// - Complexity: one look into the index of the keys for each class, and one commit.
    /// - Throws: ``StoreError`` when the store gives no number.
    func open(_ store: any DataStore, for schema: Schema) throws {
        guard schema.bindings.contains(where: \.hasHiddenKey) else { return }
        block.withLock { $0 = nil }
        do {
            let new = try Self.takeBlock(of: store, for: schema, waits: false)
            block.withLock { $0 = new }
        } catch let error as StoreError where error.kind == .readOnly || error.kind == .locked {}
    }

    /// The next key; nil where a block is to be taken before.
    func next() -> Int64? { block.withLock { $0?.next() } }

    /// Takes a block, for which it waits while another one is writing.
    ///
    /// - Throws: ``StoreError`` when the store gives no number.
    func takeBlock(of container: ModelContainer) throws -> Block {
        try Self.takeBlock(of: container.store, for: container.schema, waits: true)
    }

    /// Gives the keys of a block from now on. Not of one that was taken in a transaction: its number is given again
    /// where that is undone.
    func use(_ new: Block) { block.withLock { $0 = new } }

    private static func takeBlock(
        of store: any DataStore,
        for schema: Schema,
        waits: Bool
    ) throws -> Block {
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
        return Block(opening: try store.takeOpeningNumber(after: used >> 32, waits: waits))
    }
}
