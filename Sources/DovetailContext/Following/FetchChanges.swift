import DovetailStore

/// The result of a fetch, and what commits change in it from then on:
/// `ModelContext.changes(of:)` gives one.
///
/// ```swift
/// for try await change in try context.changes(of: FetchDescriptor<Box>()) {
///     print(change.inserted.count, change.updated.map(\.attributes), change.deleted.count)
/// }
/// ```
///
/// The first element has the whole result in ``FetchChange/inserted``, and is there at once. Each one
/// after that says what a commit has changed, in the order of the commits; one that changes nothing of
/// the result gives none. Where the consumer is slow, some wait, and those that come then are made one
/// with the last of them, so that memory does not grow: what it says is true of both together.
///
/// It ends when its container ends and when the task is cancelled. It has one consumer: of two
/// iterators each gets what the other one does not. With the last copy of it and of its iterators the
/// commits are not looked at any more.
public struct FetchChanges<Item: Sendable>: AsyncSequence, Sendable {
    /// What a commit has changed.
    public typealias Element = FetchChange<Item>

    private let observer: FetchObserver
    /// Ends the observation.
    private let token: ObserverToken
    private let item: @Sendable (RowKey, FollowedRow) throws -> Item

    init(
        _ observer: FetchObserver,
        _ token: ObserverToken,
        _ item: @escaping @Sendable (RowKey, FollowedRow) throws -> Item
    ) {
        self.observer = observer
        self.token = token
        self.item = item
    }

    /// Makes what takes one change after the other.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(changes: self) }

    /// Takes one change after the other.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let changes: FetchChanges

        /// The next change, as soon as there is one; nil at the end.
        ///
        /// - Complexity: linear in the size of the change.
        /// - Throws: ``StoreError`` when a query has failed, and ``ModelDecodingError`` for a row that is
        ///   no value of the model. The sequence has ended then.
        public func next() async throws -> FetchChange<Item>? {
            while let rows = try await changes.observer.queue.next() {
                do {
                    let change = try changes.change(rows)
                    if rows.isFirst || !change.isEmpty { return change }
                } catch {
                    changes.token.end()
                    throw error
                }
            }
            return nil
        }
    }

    /// What has happened to some rows, told of items.
    private func change(_ rows: FollowedRows) throws -> FetchChange<Item> {
        let entity = observer.query.entity
        let hidden = entity.orderColumns
        var change = FetchChange<Item>()
        for row in rows.changes {
            switch (row.old, row.new) {
            case (nil, let new?): change.inserted.append(try item(row.key, new))
            case (let old?, nil): change.deleted.append(try item(row.key, old))
            case (let old?, let new?):
                // Two commits may have changed it there and back.
                let columns = entity.differences(old.image, new.image).subtracting(hidden)
                if columns.isEmpty { continue }
                let names = columns.map { entity.name(of: $0) }
                change.updated.append(.init(item: try item(row.key, new), attributes: names))
            case (nil, nil): break
            }
        }
        return change
    }
}
