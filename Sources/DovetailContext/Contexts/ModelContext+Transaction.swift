import DovetailModel
import DovetailStore

extension ModelContext {
    /// Runs `body` in one transaction of the store, then saves what it changed and what waited
    /// before. When `body` or saving throws, the store and the context are again as they were before: what
    /// waited still waits.
    ///
    /// ```swift
    /// try context.transaction {
    ///     context.delete(old)
    ///     context.insert(new)
    /// }
    /// // BEGIN IMMEDIATE; DELETE FROM "User" WHERE "id" = ?1; INSERT INTO "User" …; COMMIT
    /// ```
    ///
    /// The transaction holds the store's write lock from its start, and objects are what is stored then, but for
    /// what waits; so what `body` reads stays true until the end. A server lets others write meanwhile: what they
    /// have changed of the same rows is a ``ConflictError`` there, and an object that was read before is what is stored
    /// when a fetch inside of `body` gives it.
    ///
    /// An inner call is a savepoint: it can fail alone, and what it saves is stored when the outermost one ends. It
    /// saves the objects that wait before it begins, so that what was changed in the outer one is there when it
    /// fails.
    ///
    /// - Complexity: of objects that waited before, what they were is kept as far as they change inside, and
    ///   of all of them from a save inside on.
    /// - Throws: what `body` and ``save()`` throw. Where a relationship could not be read because another transaction was
    ///   in the way, or the call was cancelled, that is thrown also if `body` has made another error of it.
    public func transaction(_ body: () throws -> Void) throws {
        try enter()
        defer { leave() }
        if isFlushing { return try partOfFlush(body) }
        try requireNoRead()
        // What waits of objects belongs to the outer transaction, and stays where this one throws.
        if given == nil {
            madeRegistry?.beginTransaction()
        } else if madeRegistry?.hasChanges == true {
            try save()
        }
        let before = pending
        let eventsBefore = madeEvents?.waiting
        let givenBefore = given
        let writtenBefore = written
        given = Commit()
        let sealedBefore = sealed
        let savedBefore = madeRegistry?.savedCount ?? 0
        let commitsBefore = container.commits.count
        // Lists of the outer one take no more values, so that `before` keeps them as they are.
        sealed = pending.count
        forgetRows()
        do {
            try withWriteSession { connection in
                defer {
                    if givenBefore == nil {
                        withdrawAnnouncement()
                        madeRegistry?.readAnew = nil
                    }
                }
                connection.author = author
                try connection.transaction(keeping: true) {
                    if givenBefore == nil {
                        _ = try noteForeignCommits(on: connection)
                        try beginUpToDate()
                        if connection.missesForeignCommits { madeRegistry?.readAnew = [] }
                    }
                    try body()
                    madeRegistry?.recorder?.beginSave()
                    if givenBefore == nil { notifyWillSave() }
                    try duringFlush { try callHooks() }
                    try beginUse()
                    let commit = try flush(to: connection, .amongOthers)
                    if givenBefore == nil {
                        try checkReferences(on: connection)
                        announce()
                    }
                    given?.append(commit)
                }
                if givenBefore == nil {
                    given?.number = connection.lastCommitNumber
                    didCommit(on: connection)
                }
            }
        } catch {
            let error = cause(of: error)
            let notices = madeRegistry?.notices
            notices?.begin()
            defer { notices?.end() }
            noteForgotten()
            pending = before
            madeEvents?.waiting = eventsBefore ?? DomainEvents.Waiting()
            sealed = sealedBefore
            given = givenBefore
            forgetRows()
            madeRegistry?.undoPlan()
            if given == nil { madeRegistry?.forgetSeen(after: commitsBefore) }
            madeRegistry?.restoreToStart(savedBefore: savedBefore)
            if given == nil { touched = TouchedRows() }
            written = writtenBefore
            throw error
        }
        lastCommit = given ?? Commit()
        given = givenBefore
        if given == nil {
            madeRegistry?.forgetSeen(after: commitsBefore)
            madeRegistry?.endTransaction()
        }
        forgetPending()
        given?.append(lastCommit)
        if given == nil { notifySaved(isTransaction: true) }
        publishEvents()
    }

    /// Notes whether another process has committed. Which rows it has written nobody knows: those of all objects are
    /// read again.
    func noteForeignCommits(on connection: any StoreConnection) throws -> Bool {
        guard try connection.noteForeignCommits() else { return false }
        container.commits.add(.any(of: container.schema), by: nil)
        return true
    }

    /// Takes over what others have committed before a transaction, so that objects which it does not fetch are
    /// up to date, too. One that cannot be saved yet may be in order by its end: the save says it otherwise.
    func beginUpToDate() throws {
        do { try madeRegistry?.takeCommits() } catch is ModelEncodingError {}
    }

    /// Runs a transaction that a model's own code begins while it is written: what `body` adds is
    /// written after it, or forgotten when it throws.
    private func partOfFlush(_ body: () throws -> Void) throws {
        let count = pending.count
        let events = madeEvents?.waiting
        do {
            try body()
        } catch {
            forget(after: count)
            madeEvents?.waiting = events ?? DomainEvents.Waiting()
            throw error
        }
    }
}
