public import DovetailModel
public import DovetailStore
import Foundation
import Synchronization

/// A unit of work: what is inserted, changed and deleted is kept until ``save()`` writes all of it
/// in one transaction, or ``rollback()`` forgets it.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(User(id: 1, name: "Ann", age: 36))
/// try context.save()
/// // BEGIN IMMEDIATE; INSERT INTO "User" ("id", "name", "age") VALUES (?1, ?2, ?3); COMMIT
/// ```
///
/// A context is synchronous, is not thread-safe, and belongs to whoever made it; a container may
/// have many. It may go from one thread to another, such as with an actor. Where two threads are in
/// calls of one context at the same time, debug builds throw ``StoreError`` of kind `concurrentUse`,
/// from the call that came second; one that cannot throw, such as `insert`, does nothing, and the next
/// one that can throws. Fetches see what waits to be saved in their own context, and nothing of other
/// contexts.
public final class ModelContext {
    /// The container whose values it reads and writes.
    public var container: ModelContainer { isMain ? ownContainer.known : ownContainer }
    private let ownContainer: ModelContainer
    /// Whether it is the main context: the container holds it, and is not held by it.
    private let isMain: Bool
    /// What waits to be saved, in the order in which it came.
    @exclusivity(unchecked) @usableFromInline var pending: [any ChangeBatch] = [] {
        didSet { if autosaveEnabled { scheduleAutosave() } }
    }
    /// Whether changes are saved soon after they are made, without a call of ``save()``. False unless
    /// it is set.
    ///
    /// ```swift
    /// container.mainContext.autosaveEnabled = true
    /// container.mainContext.insert(user)      // saved when the main actor is free again
    /// ```
    ///
    /// The save is a job of its own on the context's executor, and takes all changes that are there by
    /// then. So it works in ``ModelContainer/mainContext`` and in the context of a ``ModelActor``. A
    /// context that was made by hand has no executor, and saves nothing by itself. When a save fails,
    /// the changes stay, ``didFailToAutosave`` is posted, and the next change tries again.
    public var autosaveEnabled = false {
        didSet { if autosaveEnabled { scheduleAutosave() } }
    }
    /// Makes a job on the context's executor that calls ``autosave()``; nil where it has none.
    var makeAutosaveJob: (@Sendable () -> Void)?
    /// Whether there is such a job that has not begun.
    var isAutosaveScheduled = false
    /// Whether commits of other contexts make a job that takes them over.
    var isListening = false
    /// What was written in the transaction that is open.
    var touched = TouchedRows()
    /// What the last commit of this context is in the container's ``CommitLog``.
    var lastLogged = 0
    /// The objects that were written in the transaction that is open.
    var written = WrittenObjects()
    /// How many of `pending` take no more values, because a transaction may have to give them back
    /// as they were. Invariant: at most `pending.count`, which `transaction(_:)` and ``rollback()``
    /// see to.
    @usableFromInline var sealed = 0
    /// The rows of what waits, by model, as far as a fetch has asked for them.
    var seen: [ObjectIdentifier: Seen] = [:]
    /// The conformers of model protocols that were asked about, by the type `any P`.
    var conformerSets: [ObjectIdentifier: ConformerSet] = [:]
    /// The objects of classes with `@Model`; nil until there is one.
    private(set) var madeRegistry: ObjectRegistry?
    /// How many commits there were before the first objects were read; nil where none were.
    var commitsBeforeObjects: Int?
    /// What has happened; nil until somebody asks.
    var madeEvents: DomainEvents?
    /// How many fetches are going over their rows.
    var reads = 0
    /// Whether what waits is being written. What a model's own code saves meanwhile is part of that.
    var isFlushing = false
    /// What the store said about the last save or transaction that succeeded, such as the keys that
    /// it gave. Inside of a transaction it is about the last save there, which is not stored yet.
    ///
    /// ```swift
    /// context.insert(Note(id: nil, text: "milk"))
    /// try context.save()
    /// context.lastCommit.keys(of: Note.self)      // [1]
    /// ```
    public internal(set) var lastCommit = Commit()
    /// Who makes the changes, for ``history(since:limit:)``. It counts when a save or a transaction
    /// begins.
    public var author: String?
    /// What a save does with an object that somebody else has changed in the same attribute. Values are
    /// not asked about: the last one that is saved stays.
    public var conflictPolicy = ConflictPolicy.error
    /// What the store has said in the transaction that is open; nil outside of one.
    var given: Commit?
    /// The connection on which this context is writing; nil outside of saves and transactions.
    var session: (any StoreConnection)?
    /// The marked rows to which others may refer; nil where no model marks.
    let suspects: MarkedReferences?
    /// The entity that was asked for last.
    private var lastEntity: (model: ObjectIdentifier, entity: EntityBinding)?
    /// The key path and the model that were asked about last, and whether the one is the key of the
    /// other. The path is kept, so its identity stays its own.
    private var lastKeyPath: AnyKeyPath?
    private var lastKey: (path: ObjectIdentifier, model: ObjectIdentifier, isKey: Bool)?
    /// For readers of single rows.
    @usableFromInline let spareState: SpareReaderState = SpareReaderState()
    /// Whether a predicate of a type is ``AttributeEquality``, for the types that were asked about.
    private var equalities: [ObjectIdentifier: (any AttributeEquality.Type)?] = [:]
    /// A connection that sees one state of the store: that of ``ModelContainer/read(deadline:_:)``, or
    /// of a fetch that is several queries.
    private var snapshot: (any StoreQuerying)?
    /// Whether the context was made to read only.
    let isReading: Bool
    #if DEBUG
        /// Which thread is in a call.
        @usableFromInline let entrance: ContextEntrance = ContextEntrance()
    #endif
    /// Whether what waits is in the transaction that is open, so that no query need look at it.
    private(set) var isPendingWritten = false
    /// The keys that the store gave to what waits, by table, while it is written to be undone.
    var unsavedKeys: [String: Set<Int64>] = [:]

    /// Makes a context in which nothing waits. Costs no I/O.
    public convenience init(_ container: ModelContainer) { self.init(container, isMain: false) }

    /// Makes a context, or the main one with a container of its own.
    init(_ container: ModelContainer, isMain: Bool) {
        (ownContainer, self.isMain) = (container, isMain)
        suspects = container.markRules.map(MarkedReferences.init)
        isReading = false
    }

    /// Makes a context that reads from one connection and saves nothing.
    init(_ container: ModelContainer, reading snapshot: any StoreQuerying) {
        (ownContainer, isMain) = (container, false)
        suspects = nil
        self.snapshot = snapshot
        isReading = true
        reads = 1
    }

    /// Whether a transaction of this context is open, so that nobody else writes.
    package var isInTransaction: Bool { given != nil }

    /// Runs `body` with a connection to read from: that of the transaction that this context is in,
    /// or one that sees what is stored.
    ///
    /// - Throws: what `body` throws, and ``StoreError``.
    package func withReadConnection<Result>(
        _ body: (any StoreQuerying) throws -> Result
    ) throws -> Result {
        try enter()
        defer { leave() }
        return try whileReading {
            if let session { return try body(session) }
            if let snapshot { return try body(snapshot) }
            return try container.store.withReadConnection(body)
        }
    }

    /// Runs `body`, which reads: nothing is saved meanwhile, and observers hear at its end of what objects have become.
    func whileReading<Result>(_ body: () throws -> Result) rethrows -> Result {
        let notices = madeRegistry?.notices
        reads += 1
        notices?.begin()
        defer {
            reads -= 1
            notices?.end()
        }
        return try body()
    }

    /// Runs `body`, all of whose fetches see one state of the store and of what waits.
    ///
    /// - Parameter models: The models that it fetches.
    /// - Throws: what `body` throws, and ``StoreError``; ``ModelEncodingError`` for a waiting value that
    ///   has no form in a column.
    @usableFromInline
    package func withOneState<Result>(
        of models: [any Model.Type],
        _ body: () throws -> Result
    ) throws -> Result {
        let hasDeletion = try models.contains {
            if case .deletion = try waiting(of: $0) { true } else { false }
        }
        return try withOneState(writing: hasDeletion, body)
    }

    /// The same, where the caller knows whether what waits has to be written for it.
    func withOneState<Result>(
        writing isWriting: Bool,
        _ body: () throws -> Result
    ) throws -> Result {
        if isWriting {
            return try withPendingWritten { _ in
                isPendingWritten = true
                defer { isPendingWritten = false }
                return try body()
            }
        }
        guard session == nil, snapshot == nil else { return try body() }
        return try container.store.withSnapshot { connection in
            snapshot = connection
            defer { snapshot = nil }
            return try body()
        }
    }

    /// Runs `body` with a connection to write on, from which this context reads meanwhile.
    ///
    /// - Throws: ``StoreError`` that says `wouldDeadlock` inside of another context's session on the
    ///   same thread, and what `body` throws.
    func withWriteSession<Result>(
        _ body: (any StoreConnection) throws -> Result
    ) throws -> Result {
        try container.withWriteSession(of: self) { connection in
            let outer = session
            session = connection
            defer { session = outer }
            return try body(connection)
        }
    }

    /// The entity of a model.
    ///
    /// - Throws: ``StoreError`` when the container was made without the model.
    func entity(of model: any Model.Type) throws -> EntityBinding {
        let identifier = ObjectIdentifier(model)
        if let lastEntity, lastEntity.model == identifier { return lastEntity.entity }
        let entity = try container.schema.entity(model)
        lastEntity = (identifier, entity)
        return entity
    }

    /// What takes the parts out of a predicate of a type that compares one attribute with a constant;
    /// nil for other predicates.
    func equality(of type: any PredicateExpression.Type) -> (any AttributeEquality.Type)? {
        let identifier = ObjectIdentifier(type)
        if let known = equalities[identifier] { return known }
        let equality = type as? any AttributeEquality.Type
        equalities[identifier] = .some(equality)
        return equality
    }

    /// Whether a key path is that of a model's key, which is one column and never nil.
    ///
    /// Key paths of one property that stand at different places of the program are different objects,
    /// and to compare them takes as long as looking up the row. So the last one is remembered by its
    /// identity.
    ///
    /// - Throws: ``StoreError`` when the container was made without the model.
    @usableFromInline
    func isPlainKey(_ path: AnyKeyPath, of model: any Model.Type) throws -> Bool {
        let (path, identity) = (path, ObjectIdentifier(path))
        let last = lastKey
        if let last, last.path == identity, last.model == ObjectIdentifier(model) {
            return last.isKey
        }
        let isKey = try entity(of: model).isPlainKey(path)
        lastKeyPath = path
        lastKey = (identity, ObjectIdentifier(model), isKey)
        return isKey
    }

    /// Whether anything waits to be saved.
    public var hasChanges: Bool { !pending.isEmpty || madeRegistry?.hasChanges == true }

    /// The objects of this context.
    var registry: ObjectRegistry {
        if let madeRegistry { return madeRegistry }
        let registry = ObjectRegistry(self)
        madeRegistry = registry
        return registry
    }

    deinit {
        if isListening { ownContainer.commits.stopListening(for: self) }
        madeRegistry?.close()
    }

    /// What waits to be saved, in the order in which it will be written.
    ///
    /// ```swift
    /// context.insert(User(id: 1, name: "Ann", age: 36))
    /// context.changes.count       // 1
    /// ```
    ///
    /// Its batches are those that the context holds: what is inserted later may be in them. What a save
    /// checks beside them, and writes of no rows, belongs to this store and is not in it.
    public var changes: ChangeSet {
        ChangeSet(pending.filter { $0.count != 0 }, author: author)
    }
}
