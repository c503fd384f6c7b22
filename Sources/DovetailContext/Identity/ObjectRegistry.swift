import DovetailModel
import DovetailStore
import Foundation

/// The objects of one context: one for each row, and which of them wait to be saved. What a save writes
/// of them is in `ObjectRegistry+Save.swift`, and what becomes of them then in
/// `ObjectRegistry+Ending.swift`.
final class ObjectRegistry {
    /// Invariant: a context has one registry, and clears it when it ends.
    unowned(unsafe) let context: ModelContext
    /// The objects by class; those of a class and of its subclasses together.
    var maps: [ObjectIdentifier: ObjectMap] = [:]
    // Each insertion and each save goes to these, so they are not checked for overlapping accesses at run
    // time. No access calls out: what an object's `deinit` does comes after the array is replaced.
    /// In the order in which they came. What is no longer in that state stays until the save.
    @exclusivity(unchecked) var inserted: [any PersistentModel] = []
    var deleted: [any PersistentModel] = []
    /// Whether some are there twice: they were kept, and deleted again.
    var hasDeletedAgain = false
    /// Those of ``inserted`` that are not new any more. The list keeps them alive.
    @exclusivity(unchecked) var leftInserted: Set<ObjectIdentifier> = []
    /// Those of ``deleted`` that are not to be deleted any more. The list keeps them alive.
    @exclusivity(unchecked) var leftDeleted: Set<ObjectIdentifier> = []
    /// Whether an object may wait whose key is that of another one in its map.
    @exclusivity(unchecked) var hasHidden = false
    /// The classes of changed objects, in the order in which the first of each came.
    var changedMaps: [ObjectMap] = []
    /// The class that was asked for last.
    @exclusivity(unchecked) var lastMap: (identifier: ObjectIdentifier, map: ObjectMap)?
    /// The class one of whose objects was changed last.
    var lastColumns: (identifier: ObjectIdentifier, columns: AttributeColumns)?
    /// Which objects are on a list of ``ObjectMap/stale`` ones: those of this round. Never 0.
    @exclusivity(unchecked) var round: UInt32 = 1
    /// The rows of what waits, by class, as far as a fetch has asked for them.
    var overlays: [ObjectIdentifier: PendingRows] = [:]
    /// An object whose large values are there, and one that was made of its row and has them.
    var arrived: (object: any PersistentModel, row: any PersistentModel)?
    /// The objects in each of them whose rows lack large values.
    var partialRows: [ObjectIdentifier: PartialRows] = [:]
    /// The objects whose relationships may hold what no row says: a rollback looks at these, and at those that
    /// wait.
    @exclusivity(unchecked) var moved = MovedObjects()
    /// The keys of rows that were deleted here.
    var removed = RemovedKeys()
    /// What properties that cannot be nil held before they held nothing, by their objects.
    var former: [ObjectIdentifier: FormerObjects] = [:]
    /// The objects whose rows refer to a new object by a key that it shares with a row, by the new one.
    var meant: [ObjectIdentifier: [any PersistentModel]] = [:]
    /// The lists that were read while new objects waited that may have the keys of rows in them, by the class.
    var readBesideNew: [ObjectIdentifier: [(holder: any PersistentModel, index: Int)]] = [:]
    /// The rows of join tables.
    var joins = ObjectJoins()
    /// Objects with relationships of which a save asks how many they hold, and which have changed.
    var counted: [ObjectIdentifier: any PersistentModel] = [:]
    /// What takes a save inside of a transaction back, the latest last.
    var saved: [Undo] = []
    /// How ``saved`` takes back what the save that goes on writes beside objects.
    var staged: [Undo] = []
    /// What waited when the outermost transaction began, as far as it has changed since; nil outside of one,
    /// and where nothing waited.
    var log: WaitingLog?

    /// An object that was saved inside of a transaction, as it was before.
    enum Undo {
        /// One that was marked before has what it asked then.
        case inserted(any PersistentModel, marked: FaultBatch?)
        case changed(any PersistentModel, RowImage)
        case deleted(any PersistentModel, RowImage)
        /// Rows that were written beside their objects, which are read again.
        case rows(TouchedRows)

        /// Nil for rows.
        var object: (any PersistentModel)? {
            switch self {
            case .inserted(let object, _), .changed(let object, _), .deleted(let object, _): object
            case .rows: nil
            }
        }
    }

    /// An object that waits, whose row others have changed or deleted.
    struct Unsettled {
        let object: any PersistentModel
        /// The columns that both have changed.
        var columns: ColumnSet = []
    }

    /// What a save has found out that is not finished.
    var plan = SavePlan()

    /// The commit of the container up to which the objects are what is stored, but for what waits.
    var seen: Int
    /// Objects that wait to be changed or deleted, and whose rows others have changed or deleted.
    var unsettled: [ObjectIdentifier: Unsettled] = [:]
    /// Those of them whose rows others have deleted.
    var lost: [ObjectIdentifier: any PersistentModel] = [:]
    /// Those of them of which nothing waits any more.
    var outdated: [any PersistentModel] = []
    /// Rows that this context has written beside its objects, or whose objects may have been read as they were
    /// not stored: they are read again as after a commit of another one.
    var besides = TouchedRows()
    /// What has left relationships of objects that wait to be deleted, by these.
    var released: [ObjectIdentifier: [ReleasedMember]] = [:]
    /// Reads the rows that the next save writes; nil where nobody wants them.
    var recorder: GraphRecorder?

    /// The objects that say to be in a relationship to one, by the object that has it, where they are
    /// several: others have put one there, and this context another one. Both say so until the save.
    var rivals: [ObjectIdentifier: [any PersistentModel]] = [:]

    /// Whether the context only reads for objects that have none: theirs has ended, or their rows are marked.
    var servesOthers = false

    /// What removes marked rows of objects, after everything else.
    var purges: [PredicateBatch] = []

    /// What objects ask whose rows are marked.
    private(set) lazy var marked = FaultBatch(MarkedObjects(of: context))

    /// For how many objects a relationship is being loaded; 0 for none.
    var loading = 0

    /// What observers of objects are told at the end of a call.
    let notices = WithheldNotices()

    /// The objects whose rows were read in the transaction that is open; nil outside of one, and where the store tells
    /// what others commit. What was read before it may be another thing by now.
    var readAnew: Set<ObjectIdentifier>?

    /// What could not be said where it happened: the next fetch or save throws it.
    var problem: (any Error)?

    init(_ context: ModelContext) {
        self.context = context
        seen = context.commitsBeforeObjects ?? context.container.commits.count
    }

    /// Whether there are no objects.
    var isEmpty: Bool { maps.values.allSatisfy(\.objects.isEmpty) }

    /// Whether anything waits.
    var hasChanges: Bool {
        problem != nil || !purges.isEmpty || inserted.contains(where: isNew)
            || deleted.contains { $0.persistentBacking.state == .deleted }
            || changedMaps.contains { map in
                map.changed.contains { $0.persistentBacking.isWaitingToChange }
            }
    }

    /// The objects that wait to be inserted, in the order in which they came.
    var insertedObjects: [any PersistentModel] {
        inserted.filter(isNew)
    }

    /// Whether an object waits to be inserted, and in this context: it may have left it for another one.
    func isNew(_ object: any PersistentModel) -> Bool {
        let backing = object.persistentBacking
        return backing.state == .inserted && backing.context === context
    }

    /// The objects whose rows are to be changed.
    var changedObjects: [any PersistentModel] {
        changedMaps.flatMap { $0.changed.filter(\.persistentBacking.isWaitingToChange) }
    }

    /// The objects that wait to be deleted, in the order in which they were: first an object, then what
    /// was deleted with it.
    var deletedObjects: [any PersistentModel] {
        let objects = deleted.filter { $0.persistentBacking.state == .deleted }
        if !hasDeletedAgain { return objects }
        var known: Set<ObjectIdentifier> = []
        return objects.reversed().filter { known.insert(ObjectIdentifier($0)).inserted }.reversed()
    }

    /// All objects, in no order.
    var allObjects: some Sequence<any PersistentModel> {
        maps.values.lazy.flatMap { $0.objects.values }
    }

    /// The objects of a class.
    func map(of type: any PersistentModel.Type) -> ObjectMap {
        let identifier = ObjectIdentifier(type)
        if let lastMap, lastMap.identifier == identifier { return lastMap.map }
        let root = type.rootIdentifier
        let map = maps[root] ?? ObjectMap(type.modelRoot as? any PersistentModel.Type ?? type)
        maps[root] = map
        lastMap = (identifier, map)
        return map
    }

    /// Whether the table of a map has the rows of several classes.
    func isShared(_ map: ObjectMap) throws -> Bool {
        try context.entity(of: map.shape.type).classTable != nil
    }

    /// The object of a row, if there is one.
    func object(_ type: any PersistentModel.Type, _ key: RowKey) -> (any PersistentModel)? {
        guard let map = maps[type.rootIdentifier] else { return nil }
        if let object = map.objects[key] { return object }
        return map.others.isEmpty ? nil : map.others[key].flatMap { map.objects[$0] }
    }

    // MARK: What objects tell

    /// Notes that the row of an object refers to a new one by its key: another one may have been meant.
    func noteMeant(_ new: any PersistentModel, by object: any PersistentModel) {
        moved.note(object)
        meant[ObjectIdentifier(new), default: []].append(object)
    }

    /// Notes that a relationship of an object may hold what no row says. A new one leaves with what it holds, also
    /// one that is inserted with its holder, after this.
    func noteMoved(_ object: any PersistentModel) {
        let state = object.persistentBacking.state
        if state != .detached, state != .inserted { moved.note(object) }
    }

    /// Takes an object that has a row.
    func register(_ object: any PersistentModel, _ key: RowKey) {
        register(object, key, in: map(of: type(of: object)))
    }

    /// The same, of a class whose map the caller has.
    ///
    /// - Returns: another object that had the key.
    @discardableResult
    func register(
        _ object: any PersistentModel,
        _ key: RowKey,
        in map: ObjectMap
    ) -> (any PersistentModel)? {
        let backing = object.persistentBacking
        backing.context = context
        backing.key = key
        backing.state = .stored
        guard let old = map.objects.put(object, key) else { return nil }
        hasHidden = true
        return old
    }

    /// Takes an object that was made of its row.
    ///
    /// - Parameter shape: That of its class, where it is below that of the map.
    func adopt(
        _ object: any PersistentModel,
        _ key: RowKey,
        _ commit: Int,
        in map: ObjectMap,
        _ shape: ObjectShape? = nil
    ) {
        let backing = object.persistentBacking
        backing.begin(shape ?? map.shape)
        backing.commit = commit
        register(object, key, in: map)
        readAnew?.insert(ObjectIdentifier(object))
    }

    /// Takes an object that has none yet. One whose key another object has is not found by it until it
    /// is saved, unless that one is to be deleted.
    func insert(_ object: any PersistentModel, _ key: RowKey) {
        let map = map(of: type(of: object))
        let backing = object.persistentBacking
        log?.note(object)
        // It may have been another context's.
        backing.staleRound = 0
        backing.batch = nil
        backing.wasGone = backing.state == .gone
        if let known = register(object, key, in: map) {
            if known.persistentBacking.state.isDeleted {
                log?.note(known)
                if known.persistentBacking.state == .deleted {
                    moved.noteAny()
                    map.replaced[key] = known
                }
            } else {
                map.objects.put(known, key)
                map.hidden[key] = object
            }
        }
        backing.state = .inserted
        backing.base = nil
        // One that was inserted before may still be on the list.
        if leftInserted.isEmpty || leftInserted.remove(ObjectIdentifier(object)) == nil {
            inserted.append(object)
        }
        markStale(object, in: map)
    }

    /// Gives an object that has no row yet another key: its attributes say so now.
    func change(_ object: any PersistentModel, to key: RowKey) {
        let backing = object.persistentBacking
        guard backing.key != key, let old = backing.key else { return }
        log?.note(object)
        let map = map(of: type(of: object))
        if map.objects[old] === object { map.objects.remove(old) }
        backing.key = key
        let known = map.objects[key]
        if known?.persistentBacking.state.isDeleted ?? true {
            map.objects.put(object, key)
            if let known, known.persistentBacking.state == .deleted {
                moved.noteAny()
                map.replaced[key] = known
            }
        } else {
            hasHidden = true
            map.hidden[key] = object
        }
    }

    /// Takes an object that is to be deleted.
    func delete(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        log?.note(object)
        switch backing.state {
        case .inserted:
            // What it stood in front of is found again.
            moved.noteAny()
            // Its setters are not heard while it is in no context.
            log?.noteValues(of: object, in: context)
            markStale(object)
            release(object)
            showReplaced(by: object)
            joins.remove(object)
            backing.takeBackInsertion()
            leftInserted.insert(ObjectIdentifier(object))
            showHidden(behind: object)
            showStored(behind: object)
        case .stored:
            // What stands behind it is found now.
            if hasHidden { moved.noteAny() } else { moved.noteDeletion(of: object) }
            keepWholeBase(object)
            backing.state = .deleted
            released[ObjectIdentifier(object)] = nil
            if leftDeleted.remove(ObjectIdentifier(object)) != nil { hasDeletedAgain = true }
            deleted.append(object)
            markStale(object)
            showHidden(behind: object)
        case .detached, .deleted, .gone: break
        }
    }

    /// Keeps an object that was to be deleted.
    func keep(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        guard backing.state == .deleted else { return }
        moved.noteAny()
        log?.note(object)
        backing.state = .stored
        leftDeleted.insert(ObjectIdentifier(object))
        // A new one may have had the key in between.
        if let key = backing.key {
            let map = map(of: type(of: object))
            map.replaced[key] = nil
            if let new = register(object, key, in: map), isNew(new) { map.hidden[key] = new }
        }
        if !backing.isChanged { noteSetWhileDeleted(object) }
        markStale(object)
    }

    /// Notes what was set of an object while it waited to be deleted, of which no setter has told.
    private func noteSetWhileDeleted(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        do {
            let entity = try context.entity(of: type(of: object))
            if backing.base != nil, try !changedColumns(of: object, entity).isEmpty {
                backing.isChanged = true
                return addChanged(object)
            }
        } catch {
            problem = problem ?? error
        }
        backing.base = nil
    }

    /// Takes an object whose relationships a save has to count.
    func noteCount(of object: any PersistentModel) { counted[ObjectIdentifier(object)] = object }

    /// Takes an object that has changed for the first time. Fetches see it anew: it is on one list only,
    /// since most objects are in no cache when a save lets them go.
    func addChanged(_ object: any PersistentModel) {
        let map = map(of: type(of: object))
        if map.changed.isEmpty { changedMaps.append(map) }
        map.changed.append(object)
        object.persistentBacking.staleRound = round
        if context.autosaveEnabled { context.scheduleAutosave() }
    }

    /// Notes that fetches have to see the row of an object anew.
    func markStale(_ object: any PersistentModel) {
        guard object.persistentBacking.staleRound != round else { return }
        markStale(object, in: map(of: type(of: object)))
    }

    /// The same, of a class whose map the caller has.
    private func markStale(_ object: any PersistentModel, in map: ObjectMap) {
        object.persistentBacking.staleRound = round
        if context.autosaveEnabled { context.scheduleAutosave() }
        map.stale.append(object)
    }

    /// Lets an object go.
    func release(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        if let key = backing.key, let map = maps[type(of: object).rootIdentifier],
            map.objects[key] === object
        {
            map.objects.remove(key)
        }
        backing.context = nil
    }
}
