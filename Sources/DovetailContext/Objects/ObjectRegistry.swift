import DovetailModel
import DovetailStore
import Foundation

/// The objects of one context: one for each row, and which of them wait to be saved.
final class ObjectRegistry {
    /// Invariant: a context has one registry, and clears it when it ends.
    private unowned let context: ModelContext
    /// The objects by class and key.
    private(set) var objects: [ObjectIdentifier: [RowKey: any PersistentModel]] = [:]
    /// In the order in which they came. What is no longer in that state stays until the save.
    private var inserted: [any PersistentModel] = []
    private var changed: [any PersistentModel] = []
    private var deleted: [any PersistentModel] = []
    /// Objects whose rows fetches have to see anew, by class.
    private var stale: [ObjectIdentifier: [any PersistentModel]] = [:]
    /// The rows of what waits, by class, as far as a fetch has asked for them.
    private var overlays: [ObjectIdentifier: PendingRows] = [:]
    /// What could not be said where it happened: the next fetch or save throws it.
    var problem: (any Error)?

    init(_ context: ModelContext) {
        self.context = context
    }

    /// Whether there are no objects.
    var isEmpty: Bool { objects.isEmpty }

    /// Whether anything waits.
    var hasChanges: Bool {
        problem != nil || inserted.contains { $0.persistentBacking.state == .inserted }
            || deleted.contains { $0.persistentBacking.state == .deleted }
            || changed.contains { $0.persistentBacking.isWaitingToChange }
    }

    /// The objects that wait to be inserted, in the order in which they came.
    var insertedObjects: [any PersistentModel] {
        inserted.filter { $0.persistentBacking.state == .inserted }
    }

    /// The objects whose rows are to be changed.
    var changedObjects: [any PersistentModel] {
        changed.filter(\.persistentBacking.isWaitingToChange)
    }

    /// The objects that wait to be deleted.
    var deletedObjects: [any PersistentModel] {
        deleted.filter { $0.persistentBacking.state == .deleted }
    }

    /// The object of a row, if there is one.
    func object(_ type: any PersistentModel.Type, _ key: RowKey) -> (any PersistentModel)? {
        objects[ObjectIdentifier(type)]?[key]
    }

    // MARK: What objects tell

    /// Takes an object that has a row.
    func register(_ object: any PersistentModel, _ key: RowKey) {
        let backing = object.persistentBacking
        backing.context = context
        backing.key = key
        backing.state = .stored
        objects[ObjectIdentifier(type(of: object)), default: [:]][key] = object
    }

    /// Takes an object that has none yet.
    func insert(_ object: any PersistentModel, _ key: RowKey) {
        register(object, key)
        object.persistentBacking.state = .inserted
        inserted.append(object)
        markStale(object)
    }

    /// Takes an object that is to be deleted.
    func delete(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        switch backing.state {
        case .inserted:
            markStale(object)
            release(object)
            backing.state = .detached
        case .stored:
            keepBase(object)
            backing.state = .deleted
            deleted.append(object)
            markStale(object)
        case .detached, .deleted, .gone: break
        }
    }

    /// Keeps an object that was to be deleted.
    func keep(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        guard backing.state == .deleted else { return }
        backing.state = .stored
        if backing.isChanged { changed.append(object) } else { backing.base = nil }
        markStale(object)
    }

    /// Keeps the row of an object before it changes.
    func markChanged(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        guard backing.state == .stored || backing.state == .inserted else { return }
        if backing.state == .stored, !backing.isChanged {
            keepBase(object)
            backing.isChanged = true
            changed.append(object)
        }
        markStale(object)
    }

    private func keepBase(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        guard backing.base == nil else { return }
        do {
            backing.base = try context.row(of: object, isBase: true)
        } catch {
            problem = problem ?? error
        }
    }

    private func markStale(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        guard !backing.isStale else { return }
        backing.isStale = true
        if context.autosaveEnabled { context.scheduleAutosave() }
        stale[ObjectIdentifier(type(of: object)), default: []].append(object)
    }

    /// Lets an object go.
    private func release(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        if let key = backing.key {
            objects[ObjectIdentifier(type(of: object))]?.removeValue(forKey: key)
        }
        backing.context = nil
    }

    // MARK: Fetching

    /// The rows of what waits of a class; nil for none.
    ///
    /// - Complexity: linear in what has come since the last call.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func overlay(of entity: EntityBinding) throws -> PendingRows? {
        let identifier = ObjectIdentifier(entity.type)
        let waiting = stale.removeValue(forKey: identifier) ?? []
        guard !waiting.isEmpty else { return overlays[identifier] }
        // Taken out, so that adding to it does not copy it.
        var rows = overlays.removeValue(forKey: identifier) ?? PendingRows(entity)
        for object in waiting {
            let backing = object.persistentBacking
            backing.isStale = false
            guard let key = backing.key else { continue }
            switch backing.state {
            case .inserted: rows.put(try context.row(of: object), key)
            case .stored: if backing.isChanged { rows.put(try context.row(of: object), key) }
            case .deleted, .detached, .gone: rows.put(nil, key)
            }
        }
        overlays[identifier] = rows
        return rows
    }

    // MARK: Saving

    /// What is to be written, in an order in which no row goes that another one still needs: first
    /// the changed references, then what is deleted, then other changes, then what is new.
    ///
    /// - Parameter isSaved: Whether it is saved, and not written to be seen by a query and undone.
    /// - Throws: ``StoreError`` for an object that cannot be saved, and ``ModelEncodingError``.
    func batches(isSaved: Bool) throws -> [any ChangeBatch] {
        var orphans = try self.orphans()
        if isSaved {
            orphans.forEach(context.deleteObject)
            orphans = []
        }
        let hidden = Set(orphans.map { ObjectIdentifier($0) })
        var moved = RowChanges()
        var others = RowChanges()
        for object in changedObjects where !hidden.contains(ObjectIdentifier(object)) {
            let backing = object.persistentBacking
            let entity = try context.entity(of: type(of: object))
            let row = try context.row(of: object)
            let base = backing.base
            let columns = ColumnSet(
                entity.attributes.indices.filter { column in
                    base.map { !$0.holdsSame(column, as: row) } ?? true
                }
            )
            if columns.isEmpty { continue }
            let change = try RowChange(updating: columns, of: entity, to: row, from: base)
            let isMoved = columns.contains { entity.attributes[$0].reference != nil }
            if isMoved { moved.add(change, entity) } else { others.add(change, entity) }
        }
        var gone = RowChanges()
        for object in deletedObjects + orphans where object.persistentBacking.base != nil {
            let backing = object.persistentBacking
            guard let key = backing.key else { continue }
            let entity = try context.entity(of: type(of: object))
            gone.add(
                RowChange(
                    deleting: key.values,
                    base: backing.base,
                    comparing: ColumnSet(0..<entity.declaredCount)
                ),
                entity
            )
        }
        var new = RowChanges()
        for object in insertedObjects where !hidden.contains(ObjectIdentifier(object)) {
            let entity = try context.entity(of: type(of: object))
            new.add(try RowChange(.insert, context.row(of: object), of: entity), entity)
        }
        return moved.batches(.update) + gone.batches(.delete) + others.batches(.update)
            + new.batches(.insert)
    }

    /// What nobody holds any more, and is deleted when the context is saved: objects that were taken out
    /// of a list which deletes its objects, and whose own property cannot be nil.
    ///
    /// - Throws: ``StoreError`` for an object that has to have another one, has none, and is not deleted
    ///   for that.
    private func orphans() throws -> [any PersistentModel] {
        try (changedObjects + insertedObjects).filter { object in
            let backing = object.persistentBacking
            let shape = backing.shape(of: type(of: object))
            for (index, relationship) in shape.relationships.enumerated()
            where relationship.holdsKey && !relationship.isOptional {
                guard case .nothing = backing.slots[index] else { continue }
                let holder = relationship.inverse.map {
                    ObjectShape.of(relationship.target).relationships[$0]
                }
                guard holder?.deleteRule == .cascade else {
                    throw ObjectError.missing(relationship.name, of: object, holder)
                }
                return true
            }
            return false
        }
    }

    /// Changes of rows, those of one class together.
    private struct RowChanges {
        private var changes: [(entity: EntityBinding, changes: [RowChange])] = []
        private var positions: [ObjectIdentifier: Int] = [:]

        mutating func add(_ change: RowChange, _ entity: EntityBinding) {
            let identifier = ObjectIdentifier(entity.type)
            if let position = positions[identifier] {
                changes[position].changes.append(change)
            } else {
                positions[identifier] = changes.count
                changes.append((entity, [change]))
            }
        }

        func batches(_ verb: WriteVerb) -> [any ChangeBatch] {
            changes.map { RowBatch($0.entity.type, verb, $0.changes) }
        }
    }

    /// What takes a save inside of a transaction back, the latest last.
    private var saved: [Undo] = []

    /// An object that was saved inside of a transaction, as it was before.
    private enum Undo {
        case inserted(any PersistentModel)
        case changed(any PersistentModel, RowImage)
        case deleted(any PersistentModel, RowImage)
    }

    /// How much was saved inside of the transaction that is open.
    var savedCount: Int { saved.count }

    /// Takes back what was saved after so many objects. Nothing waits.
    func undo(to count: Int) {
        while saved.count > count {
            do {
                switch saved.removeLast() {
                case .inserted(let object):
                    release(object)
                    object.persistentBacking.state = .detached
                case .changed(let object, let row): try context.refresh(object, from: row)
                case .deleted(let object, let row):
                    guard let key = object.persistentBacking.key else { continue }
                    register(object, key)
                    try context.refresh(object, from: row)
                }
            } catch {
                problem = problem ?? error
            }
        }
        for object in objects.values.lazy.flatMap(\.values) {
            object.persistentBacking.forgetLists()
        }
    }

    /// Notes how what is saved is taken back.
    private func keepSaved() {
        saved += insertedObjects.map { .inserted($0) }
        for object in changedObjects {
            if let base = object.persistentBacking.base { saved.append(.changed(object, base)) }
        }
        for object in deletedObjects {
            if let base = object.persistentBacking.base { saved.append(.deleted(object, base)) }
        }
    }

    /// Notes that everything was saved.
    ///
    /// - Parameter isOpen: Whether a transaction is open that may undo it.
    func didSave(_ commit: Int, inTransaction isOpen: Bool) {
        if isOpen { keepSaved() } else { saved = [] }
        for object in inserted {
            let backing = object.persistentBacking
            guard backing.state == .inserted else { continue }
            backing.state = .stored
            backing.commit = commit
        }
        for object in changed {
            let backing = object.persistentBacking
            backing.isChanged = false
            backing.base = nil
            // Otherwise others have saved since, what the object has not seen.
            if backing.commit == commit - 1 { backing.commit = commit }
        }
        for object in deletedObjects {
            release(object)
            object.persistentBacking.state = .gone
            object.persistentBacking.base = nil
        }
        forget()
    }

    /// Takes everything back that waits. Objects are what they were when they were last saved;
    /// inserted ones leave.
    ///
    /// - Throws: ``ModelDecodingError`` for a row that cannot be read again.
    func rollback() {
        for object in inserted where object.persistentBacking.state == .inserted {
            release(object)
            object.persistentBacking.state = .detached
        }
        for object in changed + deleted {
            let backing = object.persistentBacking
            guard backing.state == .stored || backing.state == .deleted else { continue }
            backing.state = .stored
            backing.isChanged = false
            guard let base = backing.base else { continue }
            backing.base = nil
            do {
                try context.refresh(object, from: base)
            } catch {
                problem = problem ?? error
            }
        }
        // What lists hold is asked for again.
        for object in objects.values.lazy.flatMap(\.values) {
            object.persistentBacking.forgetLists()
        }
        problem = nil
        forget()
    }

    private func forget() {
        for object in stale.values.lazy.flatMap({ $0 }) { object.persistentBacking.isStale = false }
        inserted = []
        changed = []
        deleted = []
        stale = [:]
        overlays = [:]
    }

    /// Lets all objects go, and what they hold of each other, so that no two of them keep each other.
    func close() {
        for object in objects.values.lazy.flatMap(\.values) {
            object.persistentBacking.context = nil
            object.persistentBacking.letGo(of: type(of: object))
        }
        objects = [:]
        forget()
    }
}

extension ObjectBacking {
    /// Whether it has a row that is to be changed.
    var isWaitingToChange: Bool { state == .stored && isChanged }

    /// Forgets the lists that were read, and what the rows of others say.
    func forgetLists() {
        guard let shape = knownShape else { return }
        for (index, relationship) in shape.relationships.enumerated() where !relationship.holdsKey {
            slots[index] = .unloaded
        }
    }

    /// Lets go what it holds of others, but for what can never be nil.
    func letGo(of type: any PersistentModel.Type) {
        guard let shape = knownShape else { return }
        for (index, relationship) in shape.relationships.enumerated() {
            if relationship.isToMany || relationship.isOptional { slots[index] = .nothing }
        }
        places = []
    }
}
