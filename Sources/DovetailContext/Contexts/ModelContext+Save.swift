import DovetailModel
import DovetailStore

extension ModelContext {
    /// Writes everything that waits, in the order in which it came, in one transaction. Inside of
    /// ``transaction(_:)`` it is written into that one, and stored when the outermost one ends.
    ///
    /// Without changes nothing is written, and the store is not locked. What the models' own code adds
    /// while they are written is part of the same save. Then ``events`` are published.
    ///
    /// A store of many writers may find that two of them are in each other's way: the save is sent again
    /// then, as often as the store's configuration says.
    ///
    /// - Complexity: linear in the number of values; one prepared statement for each model and
    ///   verb.
    /// - Throws: ``StoreError``, such as `uniqueViolation` for an insert of a known key and
    ///   `notFound` for an update of an unknown one, ``ConflictError`` for objects that somebody else
    ///   has changed, unless ``conflictPolicy`` decides, and ``ModelEncodingError`` for values that
    ///   have no form in a column. The store then holds what it held before, and everything still
    ///   waits. `writeInsideRead` while rows of a fetch of this context are gone over, and
    ///   `wouldDeadlock` inside of another context's transaction on the same thread.
    public func save() throws {
        try enter()
        defer { leave() }
        guard !isFlushing else { return }
        guard hasChanges else {
            lastCommit = Commit()
            return publishEvents()
        }
        try requireNoRead()
        let notices = madeRegistry?.notices
        notices?.begin()
        defer { notices?.end() }
        madeRegistry?.recorder?.beginSave()
        let count = pending.count
        let events = madeEvents?.waiting
        let writtenBefore = written
        // What observers add has lists of its own, which a save that fails forgets.
        sealed = count
        if given == nil { notifyWillSave() }
        do {
            try duringFlush { try callHooks() }
            try beginUse()
            let hooked = (count: pending.count, events: madeEvents?.waiting)
            func begin() {
                forget(after: hooked.count)
                madeEvents?.waiting = hooked.events ?? DomainEvents.Waiting()
                touched = TouchedRows()
                written = writtenBefore
            }
            var writing = given == nil ? ObjectWriting.first : .amongOthers
            var attempts = 1
            var isAgain = false
            var refusal: StoreError?
            var commit: Commit?
            let commitsBefore = container.commits.count
            while commit == nil {
                defer { if given == nil { madeRegistry?.forgetSeen(after: commitsBefore) } }
                do {
                    commit = try write(writing, after: refusal, commitsBefore)
                } catch let refusal as ObjectRefusal where !isAgain {
                    begin()
                    isAgain = true
                    writing = .again(after: refusal)
                } catch let error as StoreError
                    where [.foreignKeyViolation, .uniqueViolation].contains(error.kind)
                    && refusal == nil && given == nil
                {
                    begin()
                    madeRegistry?.undoPlan()
                    isAgain = false
                    (refusal, writing) = (error, .first)
                } catch let error as StoreError where maySendAgain(after: error, attempts) {
                    begin()
                    madeRegistry?.undoPlan()
                    isAgain = false
                    writing = .first
                    try StoreError.pause(before: &attempts)
                }
            }
            forgetPending()
            lastCommit = commit ?? Commit()
            given?.append(lastCommit)
            if given == nil { notifySaved(isTransaction: false) }
            publishEvents()
        } catch {
            // What hooks have added is added again when they run again.
            forget(after: count)
            madeEvents?.waiting = events ?? DomainEvents.Waiting()
            madeRegistry?.undoPlan()
            if given == nil { touched = TouchedRows() }
            written = writtenBefore
            throw error
        }
    }

    /// Whether a save that has failed is sent once more: one that has read nothing before, of which
    /// another transaction was in the way.
    private func maySendAgain(after error: StoreError, _ attempts: Int) -> Bool {
        given == nil && error.isAboutOthers && attempts < container.store.saveAttempts
    }

    /// Writes everything that waits in a transaction.
    ///
    /// - Parameters:
    ///   - refusal: Why it was refused before: a row refers to one that does not exist, or has the unique value of
    ///     another one. Others may have deleted or changed that.
    ///   - commitsBefore: How many commits there were before the save.
    private func write(
        _ writing: ObjectWriting,
        after refusal: StoreError?,
        _ commitsBefore: Int
    ) throws -> Commit {
        try withWriteSession { connection in
            defer { withdrawAnnouncement() }
            connection.author = author
            var commit = try connection.transaction(keeping: true, writingTo: waitingEntities()) {
                if let refusal {
                    let isForeign = try noteForeignCommits(on: connection)
                    guard isForeign || container.commits.count != commitsBefore else {
                        throw refusal
                    }
                }
                // Others may have committed until the store was free.
                if given == nil { try beginUpToDate() }
                let commit = try flush(to: connection, writing)
                if given == nil {
                    try checkReferences(on: connection)
                    announce()
                }
                return commit
            }
            if given == nil {
                commit.number = connection.lastCommitNumber
                didCommit(on: connection)
            }
            return commit
        }
    }

    /// The tables of what waits, in a container with several stores; none where it has one.
    private func waitingEntities() throws -> [EntityBinding] {
        guard container.storeConfigurations.count > 1 else { return [] }
        let models = pending.map(\.model) + (madeRegistry?.waitingModels ?? [])
        return try models.map(entity)
    }

    /// Forgets everything that waits to be saved. The store is not asked. Inside of
    /// ``transaction(_:)``, what ``save()`` has written stays in the transaction.
    ///
    /// - Complexity: linear in what waits, and in the relationships that were read since an object was deleted; where rows
    ///   are deleted that no object stands for (`delete(model:)`), in all objects that the context has.
    public func rollback() {
        guard mayEnter() else { return }
        defer { leave() }
        noteForgotten()
        pending.removeAll()
        sealed = 0
        forgetRows()
        madeEvents?.forget()
        madeRegistry?.rollback()
    }

    /// Forgets what was saved.
    func forgetPending() {
        pending.removeAll()
        sealed = 0
        forgetRows()
        guard given == nil else {
            // Nobody else sees it until the outermost transaction ends.
            madeRegistry?.didSave(container.commits.count, inTransaction: true)
            return
        }
        madeRegistry?.didSave(lastLogged, inTransaction: false)
        processPendingChanges()
    }

    /// Tells others what was stored, before the store's write lock ends: whoever has it next knows of the
    /// commit, so that its objects are what it reads. Told afterwards, a transaction of another context could
    /// read its rows before, and change objects that were not up to date.
    func didCommit(on connection: any StoreConnection) {
        tellObservers(on: connection)
        lastLogged = container.commits.add(touched, by: self)
        touched = TouchedRows()
    }

    /// Publishes what has happened, unless a transaction is open, which can still take it back.
    func publishEvents() {
        guard let madeEvents else { return }
        if given == nil { madeEvents.publish() } else { madeEvents.markWritten() }
    }

    /// Writes what waits, one list after the other, and then the objects; the caller has opened the
    /// transaction. Models' own code may add to what waits meanwhile: lists of their own, which come
    /// last.
    func flush(
        to connection: any StoreConnection,
        _ writing: ObjectWriting
    ) throws -> Commit {
        isFlushing = true
        defer { isFlushing = false }
        let connection = marking(connection)
        var commit = Commit()
        var index = 0
        var last: [RowlessBatch] = []
        func writeLists() throws {
            while index < pending.count {
                sealed = pending.count
                let batch = pending[index]
                if let part = batch.last {
                    last.append(part)
                    index += 1
                    continue
                }
                let entity = try container.schema.entity(batch.model)
                try batch.apply(to: connection, of: entity, &commit)
                if case .unsaved = writing {} else { noteUpdated(by: batch) }
                try noteWritten([batch])
                index += 1
            }
        }
        try writeLists()
        // The registry decides about conflicts of objects alone.
        if madeRegistry?.hasChanges == true { commit.conflicts += try connection.settle() }
        try madeRegistry?.write(to: connection, writing, &commit)
        try writeLists()
        commit.conflicts += try connection.settle()
        if let conflict = commit.conflicts.first { throw error(of: conflict) }
        var rest = last[...]
        while let batch = rest.first {
            let entity = try container.schema.entity(batch.model)
            rest = rest.dropFirst(try batch.applyLast(with: rest, to: connection, of: entity))
        }
        return commit
    }

    /// Notes what batches have written.
    func noteWritten(_ batches: [any ChangeBatch]) throws {
        let isFollowed = !container.observers.isEmpty
        let schema = container.schema
        for batch in batches {
            let entity = try schema.entity(batch.model)
            try touched.add(batch, of: entity, in: schema, isFollowed: isFollowed)
        }
        for batch in batches { try written.add(batch, of: schema.entity(batch.model)) }
    }

    /// What a save throws that meets a row which somebody else has changed.
    func error(of conflict: ChangeConflict) -> StoreError {
        let entity = container.schema.entity(ofTable: conflict.table)
        return StoreError(
            .conflict,
            table: conflict.table,
            column: entity.map { $0.description.names(of: Array(conflict.columns)) },
            explanation: conflict.theirs == nil
                ? "the row was deleted since it was read"
                : "the row was changed since it was read"
        )
        .naming(conflict.key)
    }

    /// Forgets what came after so many lists. A model's own code may have forgotten more.
    func forget(after count: Int) {
        if pending.count > count { pending.removeSubrange(count...) }
        forgetRows()
    }

    /// Makes the rows of what waits anew for the next fetch.
    func forgetRows() {
        seen.removeAll()
    }

    /// Throws `writeInsideRead` while this context goes over rows.
    func requireNoRead() throws {
        guard reads == 0 else {
            throw StoreError(
                .writeInsideRead,
                explanation: isReading
                    ? "the context was made to read; save in `perform`"
                    : "the context is going over the rows of a fetch; save after it"
            )
        }
    }

    /// Runs `body` with a connection to a store that looks as if everything that waits were saved: it
    /// is written in a transaction that is undone afterwards.
    ///
    /// - Complexity: that of saving it.
    /// - Throws: what `body` throws, and what writing throws: ``StoreError`` and
    ///   ``ModelEncodingError``.
    func withPendingWritten<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        if isReading { try requireNoRead() }
        return try whileReading {
            try withWriteSession { connection in
                try connection.transaction(keeping: false) {
                    var commit = Commit()
                    let connection = marking(connection)
                    for batch in pending where batch.last == nil {
                        try batch.apply(to: connection, of: entity(of: batch.model), &commit)
                    }
                    // What others have changed is for the save to find out.
                    _ = try connection.settle()
                    try madeRegistry?.write(to: connection, .unsaved, &commit)
                    defer { madeRegistry?.undoPlan() }
                    let outer = unsavedKeys
                    unsavedKeys = try givenKeys(by: commit)
                    defer { unsavedKeys = outer }
                    return try body(connection)
                }
            }
        }
    }

    /// The keys that the store has given to values that wait without one, by table.
    private func givenKeys(by commit: Commit) throws -> [String: Set<Int64>] {
        var given: [String: Set<Int64>] = [:]
        for batch in pending where batch.verb?.adds == true {
            let entity = try entity(of: batch.model)
            guard let column = entity.generatedColumn, !(batch.model is AnyObject.Type) else {
                continue
            }
            var keys = given[entity.table] ?? Set(commit.keys(of: batch.model))
            keys.subtract(try batch.rows(of: entity).compactMap { $0.integer(column) })
            given[entity.table] = keys
        }
        return given
    }
}
