public import DovetailModel
import DovetailStore

extension ModelContext {
    /// The stored objects that a descriptor takes, by their identifiers, and what each commit of the
    /// container's contexts changes in them.
    ///
    /// ```swift
    /// let open = FetchDescriptor<TaskItem>(predicate: #Predicate { !$0.isDone })
    /// for try await change in try context.changes(of: open) {
    ///     for id in change.inserted { … }         // the first time all of them
    ///     for update in change.updated where update.attributes.contains("title") { … }
    /// }
    /// ```
    ///
    /// Commits of all contexts of the container are seen, this one's too, and nothing is missed between
    /// the first result and the first change. What waits to be saved is not seen, nor what other
    /// processes have saved until a context of this one commits something of the same models. A
    /// relationship to several is not part of its holder: its rows are.
    ///
    /// - Complexity: that of a fetch. It keeps the rows of the result. A save costs in addition one query
    ///   for each sequence that is followed and whose models it has written: of the written rows, where
    ///   the descriptor has no limit and no offset and asks no relationship, and otherwise of all.
    /// - Throws: what a fetch throws. ``StoreError`` of kind `writeInsideRead` inside of a transaction,
    ///   which has not committed what it has written, and in a context that reads one state of the
    ///   store.
    public func changes<Object: PersistentModel>(
        of descriptor: FetchDescriptor<Object>
    ) throws -> FetchChanges<PersistentIdentifier> {
        let query = try query(descriptor)
        let table = query.entity.classTable
        return try follow(query) { key, row in
            let type = try table?.model(of: row.image) ?? Object.self
            return PersistentIdentifier(type.typeName, key)
        }
    }

    /// The stored values that a descriptor takes, and what each commit of the container's contexts
    /// changes in them.
    ///
    /// ```swift
    /// for try await change in try context.changes(of: FetchDescriptor<User>()) {
    ///     print(change.inserted.map(\.name), change.deleted.map(\.name))
    /// }
    /// ```
    ///
    /// It is like that of objects, but for its items, which are values.
    ///
    /// - Complexity: that of a fetch. It keeps the rows of the result; a save costs in addition what it
    ///   costs for objects.
    /// - Throws: what a fetch throws. ``StoreError`` of kind `writeInsideRead` inside of a transaction
    ///   and in a context that reads one state of the store.
    @_disfavoredOverload
    public func changes<Value: Model & Identifiable & Sendable>(
        of descriptor: FetchDescriptor<Value>
    ) throws -> FetchChanges<Value> {
        let query = try query(descriptor)
        let fields = query.entity.fields
        return try follow(query) { _, row in
            try ModelReader.readRow(of: Value.self, from: row.image, fields: fields)
        }
    }

    private func follow<Item>(
        _ query: Query,
        _ item: @escaping @Sendable (RowKey, FollowedRow) throws -> Item
    ) throws -> FetchChanges<Item> {
        try enter()
        defer { leave() }
        guard session == nil, !isReading else {
            throw StoreError(
                .writeInsideRead,
                table: query.entity.table,
                explanation: isReading
                    ? "the context reads one state of the store; follow changes with another one"
                    : "a transaction is open; follow changes before it or after it"
            )
        }
        let observer = FetchObserver(query)
        let token = ObserverToken(observer, of: container.observers)
        // Most of the time nobody commits meanwhile.
        let isDone = try container.store.withReadConnection { try observer.begin(on: $0) }
        if !isDone { try container.store.withReadConnection { try observer.beginAlone(on: $0) } }
        return FetchChanges(observer, token, item)
    }

    /// Says, before it is committed, what is. Where others may commit at the same time, and rows are read as they have
    /// left them, those who follow look at all rows of theirs as well, or they would see a half of what was stored.
    func announce() {
        container.observers.announce(touched, by: self)
    }

    /// Forgets that: it was told, or not committed.
    func withdrawAnnouncement() { container.observers.withdraw(by: self) }

    /// Tells those who follow commits what this context has committed.
    ///
    /// - Parameter connection: The one that has committed, and on which nobody has since then.
    func tellObservers(on connection: any StoreConnection) {
        guard !container.observers.isEmpty, !touched.isEmpty || !touched.isComplete else { return }
        // The deadline is the writer's, whose work is done.
        StoreInterruption.$current.withValue(nil) {
            // The same connection, which takes note of that. What cannot be read ends an observer.
            try? container.store.withConnection {
                container.observers.look(at: touched, on: $0)
            }
        }
    }
}

extension ModelContainer {
    /// Tells those who follow commits that rows were written by no context, which only the rows themselves say.
    func tellOfOtherRows() {
        if observers.isEmpty { return }
        StoreInterruption.$current.withValue(nil) {
            try? store.withConnection { observers.look(at: .unknown, on: $0) }
        }
    }
}
