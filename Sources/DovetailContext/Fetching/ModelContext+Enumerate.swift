public import DovetailModel
public import DovetailStore

extension ModelContext {
    /// Runs `block` for each value of a fetch, in its order, with some of them in memory at a time.
    ///
    /// ```swift
    /// try context.enumerate(FetchDescriptor<User>(), batchSize: 500) { user in
    ///     print(user.name)
    /// }
    /// // SELECT "id", "name", "age" FROM "User"
    /// ```
    ///
    /// All values are of one state of the store, and of what waits in the context when it begins.
    /// `block` may insert, change and delete, which waits until it is over; it cannot save. In memory
    /// others wait for the store meanwhile, as in ``withRows(of:_:)``.
    ///
    /// - Parameters:
    ///   - descriptor: Which values, in which order, and how many.
    ///   - batchSize: How many values are read before `block` is called for them. 5000 unless given.
    ///   - allowEscapingMutations: Has no effect: what `block` changes is kept by the context.
    ///   - block: Called for each value. What it throws ends the enumeration.
    /// - Complexity: linear in the number of rows; memory holds `batchSize` values, and of classes all
    ///   objects, which the context keeps.
    /// - Throws: what a fetch throws and what `block` throws; ``QueryError`` for a batch of no values;
    ///   ``StoreError`` of kind `writeInsideRead` for a save in `block`.
    @inlinable
    public func enumerate<Value: Model>(
        _ descriptor: FetchDescriptor<Value>,
        batchSize: Int = 5000,
        allowEscapingMutations: Bool = false,
        block: (_ model: Value) throws -> Void
    ) throws {
        try descriptor.requireBatch(of: batchSize)
        if Value.self is AnyObject.Type { try beginUse() }
        let seesPending = descriptor.includePendingChanges
        let query = try objectQuery(descriptor)
        try withRows(of: query, Value.self, seesPending, streams: true) { cursor, entity in
            var values: [Value] = []
            var isAtEnd = false
            while !isAtEnd {
                values.removeAll(keepingCapacity: true)
                var left = batchSize
                try readRows(of: Value.self, from: cursor, entity, into: &values) {
                    left -= 1
                    guard left >= 0 else { return false }
                    isAtEnd = try !cursor.next()
                    return !isAtEnd
                }
                if Value.self is AnyObject.Type { try prefetch(descriptor, of: values) }
                for value in values { try block(value) }
            }
        }
    }

    /// Fetches values as a collection.
    ///
    /// ```swift
    /// let users = try context.fetch(FetchDescriptor<User>(), batchSize: 500)
    /// print(users.count, users[0].name)
    /// ```
    ///
    /// A collection cannot throw, so the fetch reads all values: what is found damaged is found here,
    /// and later saves change nothing in it. ``enumerate(_:batchSize:allowEscapingMutations:block:)``
    /// is for more values than memory holds.
    ///
    /// - Parameters:
    ///   - descriptor: Which values, in which order, and how many.
    ///   - batchSize: How many values are read at a time. It has no effect on the result.
    /// - Complexity: that of the fetch.
    /// - Throws: what a fetch throws; ``QueryError`` for a batch of no values.
    @inlinable
    public func fetch<Value: Model>(
        _ descriptor: FetchDescriptor<Value>,
        batchSize: Int
    ) throws -> FetchResultsCollection<Value> {
        try descriptor.requireBatch(of: batchSize)
        return FetchResultsCollection(try fetch(descriptor))
    }
}

/// The values of ``ModelContext/fetch(_:batchSize:)``, in the order of the fetch.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    private let values: [Element]

    @usableFromInline
    init(_ values: [Element]) {
        self.values = values
    }

    /// The position of the first value, 0.
    public var startIndex: Int { 0 }
    /// The number of values.
    public var endIndex: Int { values.count }
    /// The value at a position.
    ///
    /// - Complexity: O(1).
    public subscript(position: Int) -> Element { values[position] }
}

extension FetchResultsCollection: Sendable where Element: Sendable {}

extension FetchDescriptor {
    /// - Throws: ``QueryError`` for a batch below 1.
    @usableFromInline
    func requireBatch(of count: Int) throws {
        guard count < 1 else { return }
        throw QueryError(
            expression: "FetchDescriptor<\(T.self)>",
            explanation: "a batch of less than one value"
        )
    }
}
