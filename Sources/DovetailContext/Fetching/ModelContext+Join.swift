public import DovetailModel
public import DovetailStore

extension ModelContext {
    /// Fetches values, each with the one that an attribute refers to.
    ///
    /// ```swift
    /// for (task, team) in try context.fetch(Task.self, joining: \.teamID, to: Team.self) {
    ///     print(task.title, team.name)
    /// }
    /// // SELECT … FROM "Task"; SELECT … FROM "Team" WHERE "id" IN (?1, ?2)
    /// ```
    ///
    /// The other model may be left to the type of the result: `let pairs: [(Task, Team)] = …`. The
    /// attribute need not be declared as a reference, but one that is has to refer to that model.
    ///
    /// - Parameters:
    ///   - model: The model whose values are fetched, in any order.
    ///   - keyPath: The attribute that holds the key of the other one.
    ///   - other: The model that it refers to, whose key is one attribute.
    /// - Returns: the pairs. As in a join of SQL, a value is left out where what it refers to is not
    ///   there; with an attribute that may be nil it stays, with nil.
    /// - Complexity: two queries over one state of the store, of which the second reads each row that
    ///   is referred to once.
    /// - Throws: ``QueryError`` when the attribute cannot hold such a key, and what `fetch(_:)`
    ///   throws.
    @inlinable
    public func fetch<Value: Model, Other: Model, Key>(
        _ model: Value.Type,
        joining keyPath: KeyPath<Value, Key>,
        to other: Other.Type = Other.self
    ) throws -> [(Value, Other)] {
        try fetch(FetchDescriptor<Value>(), joining: keyPath, to: other)
    }

    /// Fetches values, each with the one that an attribute refers to, or with nil.
    @inlinable
    public func fetch<Value: Model, Other: Model, Key>(
        _ model: Value.Type,
        joining keyPath: KeyPath<Value, Key?>,
        to other: Other.Type = Other.self
    ) throws -> [(Value, Other?)] {
        try fetch(FetchDescriptor<Value>(), joining: keyPath, to: other)
    }

    /// Fetches what a descriptor says, each value with the one that an attribute refers to, in the
    /// order of the descriptor. A limit counts values before those are left out whose other one is
    /// not there.
    @inlinable
    public func fetch<Value: Model, Other: Model, Key>(
        _ descriptor: FetchDescriptor<Value>,
        joining keyPath: KeyPath<Value, Key>,
        to other: Other.Type = Other.self
    ) throws -> [(Value, Other)] {
        try pairs(descriptor, keyPath, other).compactMap { value, other in
            other.map { (value, $0) }
        }
    }

    /// Fetches what a descriptor says, each value with the one that an attribute refers to, or with
    /// nil.
    @inlinable
    public func fetch<Value: Model, Other: Model, Key>(
        _ descriptor: FetchDescriptor<Value>,
        joining keyPath: KeyPath<Value, Key?>,
        to other: Other.Type = Other.self
    ) throws -> [(Value, Other?)] {
        try pairs(descriptor, keyPath, other)
    }

    /// The values of a descriptor, each with the one of another model whose key it holds.
    @inlinable
    func pairs<Value: Model, Other: Model>(
        _ descriptor: FetchDescriptor<Value>,
        _ keyPath: AnyKeyPath,
        _ other: Other.Type
    ) throws -> [(Value, Other?)] {
        let join = try KeyJoin(keyPath, Value.self, Other.self, in: self)
        let seesPending = descriptor.includePendingChanges
        return try withOneState(of: seesPending ? [Value.self, Other.self] : []) {
            var values: [Value] = []
            let query = try objectQuery(descriptor)
            try withRows(of: query, Value.self, seesPending, streams: true) { cursor, entity in
                try readRows(of: Value.self, from: cursor, entity, into: &values) {
                    try join.nextReference(in: cursor)
                }
            }
            var others: [Other] = []
            try withRows(of: join.query, Other.self, seesPending) { cursor, entity in
                try readRows(of: Other.self, from: cursor, entity, into: &others) {
                    try join.nextKey(in: cursor)
                }
            }
            return values.indices.map { row in
                (values[row], join.place(ofReferenceIn: row).map { others[$0] })
            }
        }
    }
}
