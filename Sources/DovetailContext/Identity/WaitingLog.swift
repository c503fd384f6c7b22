import DovetailModel
import DovetailStore

/// What waited when a transaction began, as far as the transaction has changed it. One that throws gives it
/// back, so that the objects are what they were at its start.
///
/// What did not wait then is made what it was at the last save, for which each object keeps its row. So this
/// is about objects alone that were inserted, changed or deleted before: what they were is noted before they
/// change for the first time.
///
/// It costs memory linear in what changes inside, and in what waited where that is saved inside.
final class WaitingLog {
    /// An object that waited.
    struct Entry {
        let object: any PersistentModel
        let state: ObjectBacking.State
        let isChanged: Bool
        let base: RowImage?
        let key: RowKey?
        let slots: [RelationSlot]
        let places: [RelationPlace]
        /// What it asks where its row is marked.
        let marked: FaultBatch?
    }

    /// The lists of a registry, as they were at the start.
    struct Lists {
        var inserted: [any PersistentModel] = []
        var changed: [(map: ObjectMap, objects: [any PersistentModel])] = []
        var deleted: [any PersistentModel] = []
        var counted: [ObjectIdentifier: any PersistentModel] = [:]
        var purges: [PredicateBatch] = []
        var released: [ObjectIdentifier: [ReleasedMember]] = [:]
        var former: [ObjectIdentifier: FormerObjects] = [:]
    }

    /// An attribute of an object, by its setter.
    private struct Attribute: Hashable {
        let object: ObjectIdentifier
        let path: ObjectIdentifier
    }

    /// How many objects were in the lists, to which others are added at the end.
    private let counts:
        (inserted: Int, changed: [(map: ObjectMap, count: Int)], deleted: Int, purges: Int)
    /// What had left relationships of deleted objects.
    private let released: [ObjectIdentifier: [ReleasedMember]]
    /// What objects had been taken out of that they cannot be without.
    private let former: [ObjectIdentifier: FormerObjects]
    /// Who was to read the rows of what waited.
    let recorder: GraphRecorder?
    /// What was in them; nil until a save or a rollback inside has emptied them.
    private(set) var taken: Lists?
    /// Those that waited and have changed since, in the order in which they did.
    private(set) var entries: [Entry] = []
    private var known: Set<ObjectIdentifier> = []
    /// The objects that have changed since and did not wait. No other object gets the identity of one of them
    /// that was at the start.
    private var others: Set<ObjectIdentifier> = []
    /// Give attributes back what they were. Of two of one attribute the first one is true.
    private var values: [() -> Void] = []
    private var attributes: Set<Attribute> = []
    /// The objects of which all attributes are noted.
    private var copied: Set<ObjectIdentifier> = []
    /// The relationships that have changed and whose keys others hold.
    private(set) var lists: [(object: any PersistentModel, index: Int)] = []
    private var listed: [ObjectIdentifier: Set<Int>] = [:]

    init(_ registry: ObjectRegistry) {
        recorder = registry.recorder
        (released, former) = (registry.released, registry.former)
        counts = (
            registry.inserted.count, registry.changedMaps.map { ($0, $0.changed.count) },
            registry.deleted.count, registry.purges.count
        )
    }

    /// Whether an object waited, and has changed since.
    func has(_ object: any PersistentModel) -> Bool { known.contains(ObjectIdentifier(object)) }

    /// Whether what waits of an object has come since the start.
    func isNew(_ object: any PersistentModel) -> Bool { others.contains(ObjectIdentifier(object)) }

    /// Notes what an object is, before it changes.
    func note(_ object: any PersistentModel) {
        let identifier = ObjectIdentifier(object)
        guard !known.contains(identifier), !others.contains(identifier) else { return }
        let backing = object.persistentBacking
        let isWaiting =
            switch backing.state {
            case .inserted, .deleted: true
            case .stored: backing.isChanged
            case .detached, .gone: false
            }
        guard isWaiting else {
            others.insert(identifier)
            return
        }
        known.insert(identifier)
        entries.append(
            Entry(
                object: object,
                state: backing.state,
                isChanged: backing.isChanged,
                base: backing.base,
                key: backing.key,
                slots: backing.slots,
                places: backing.places,
                marked: backing.batch?.marked == nil ? nil : backing.batch
            )
        )
    }

    /// Notes the value of an attribute of an object, before it changes.
    func noteValue<Object: PersistentModel, Value>(
        of object: Object,
        _ path: KeyPath<Object, Value>
    ) {
        note(object)
        guard has(object), !noteCopy(of: object),
            attributes.insert(
                Attribute(object: ObjectIdentifier(object), path: ObjectIdentifier(path))
            ).inserted,
            let path = path as? ReferenceWritableKeyPath<Object, Value>
        else { return }
        let value = object[keyPath: path]
        values.append { object._$taking { object[keyPath: path] = value } }
    }

    /// Notes what all attributes of an object are whose class inherits them, and may override their setters, which are
    /// not to run; false for any other one, whose attributes are noted one by one, which costs less, and for one that
    /// has a value that no row can hold.
    private func noteCopy(of object: any PersistentModel) -> Bool {
        let type = type(of: object)
        guard type != type.modelRoot, let context = object.persistentBacking.context else {
            return false
        }
        if copied.contains(ObjectIdentifier(object)) { return true }
        guard let row = try? context.row(of: object), let entity = try? context.entity(of: type),
            let copy = try? context.newObject(type, from: row, entity)
        else { return false }
        // The values themselves: a row may have rounded them.
        copy.takeAttributes(of: object)
        copied.insert(ObjectIdentifier(object))
        values.append {
            let changed = (try? context.differences(of: object, to: copy)) ?? []
            object.persistentBacking.changing(object, changed[...]) {
                object.takeAttributes(of: copy)
            }
        }
        return true
    }

    /// Notes the values of all attributes of an object that waited: they are about to change without their
    /// setters.
    func noteValues(of object: any PersistentModel, in context: ModelContext) {
        guard has(object), let entity = try? context.entity(of: type(of: object)) else { return }
        for column in entity.classColumns {
            noteValue(of: object, at: entity.attributes[column].keyPath)
        }
    }

    private func noteValue<Object: PersistentModel>(of object: Object, at path: AnyKeyPath) {
        guard let root = type(of: path).rootType as? any PersistentModel.Type else { return }
        func typed<Root: PersistentModel>(_ root: Root.Type) {
            func typed<Value>(_ type: Value.Type) {
                guard let path = path as? KeyPath<Root, Value>, let object = object as? Root else {
                    return
                }
                noteValue(of: object, path)
            }
            _openExistential(type(of: path).valueType, do: typed)
        }
        typed(root)
    }

    /// Notes that a relationship changes which the rows of others say.
    func noteList(of object: any PersistentModel, _ index: Int) {
        guard listed[ObjectIdentifier(object), default: []].insert(index).inserted else { return }
        lists.append((object, index))
    }

    /// Notes what everything that waited is, before it is saved or taken back.
    ///
    /// - Parameter withValues: Whether attributes change without their setters.
    func noteAll(of registry: ObjectRegistry, withValues: Bool = false) {
        if taken == nil {
            let lists = waiting(in: registry)
            taken = lists
            let changed = lists.changed.lazy.flatMap(\.objects)
            for object in [
                AnySequence(lists.inserted), AnySequence(changed), AnySequence(lists.deleted),
            ]
            .joined() { note(object) }
        }
        guard withValues else { return }
        for entry in entries { noteValues(of: entry.object, in: registry.context) }
    }

    /// What waited at the start, in the order in which it had come.
    func waiting(in registry: ObjectRegistry) -> Lists {
        if let taken { return taken }
        return Lists(
            inserted: Array(registry.inserted.prefix(counts.inserted)),
            changed: counts.changed.map { ($0.map, Array($0.map.changed.prefix($0.count))) },
            deleted: Array(registry.deleted.prefix(counts.deleted)),
            counted: registry.counted,
            purges: Array(registry.purges.prefix(counts.purges)),
            released: registry.released.merging(released) { $1 },
            former: former
        )
    }

    /// Gives the attributes back what they were.
    func restoreValues() {
        for restore in values.reversed() { restore() }
        values = []
    }
}
