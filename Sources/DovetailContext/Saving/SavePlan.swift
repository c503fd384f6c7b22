import DovetailModel
import DovetailStore

/// What a save has found out about objects while it writes them: how conflicts are resolved, and which
/// object stands for which row. The objects learn of it when everything is written, or it is undone.
final class SavePlan {
    /// What is done with one object instead of what its changes say.
    enum Fate {
        /// These columns of the object are written over a stored row; of the others it takes what is
        /// stored.
        case update(RowImage, columns: ColumnSet)
        /// Its row was deleted and is inserted again, without what some columns have referred to.
        case insert(without: ColumnSet)
        /// It is deleted whatever is stored.
        case delete
        /// It is not deleted.
        case keep(RowImage)
        /// Its row was deleted, and stays so.
        case gone
        /// It is new, and stands for a stored row, and for others that had the same unique value, the
        /// latest first.
        case adopt(RowImage?, absorbed: [any PersistentModel])
        /// Another one has the same unique value and stands for both.
        case absorbed(by: any PersistentModel)
    }

    /// An object that leaves relationships to one, whose other side belongs to another object now.
    struct Leaving {
        let object: any PersistentModel
        /// Its row as it is stored; nil where it has none.
        let stored: RowImage?
        /// What does not refer to anything any more.
        var columns: ColumnSet = []
        /// Whether it has to have what it loses, or was to be deleted with it: it is deleted.
        var isDropped = false
    }

    /// What ``ObjectRegistry/settleOnes(on:)`` has found out, which follows from the fates.
    private(set) var leaving: [ObjectIdentifier: Leaving] = [:]
    private(set) var fates: [ObjectIdentifier: (object: any PersistentModel, fate: Fate)] = [:]
    /// The objects that were given another key, with what they and the map of their class had.
    private(set) var keys:
        [(object: any PersistentModel, old: RowKey?, map: ObjectMap, (any PersistentModel)?)] = []

    /// Whether nothing was found out.
    var isEmpty: Bool { fates.isEmpty && leaving.isEmpty }

    /// Whether anything was found out about an object.
    func contains(_ object: any PersistentModel) -> Bool {
        let identifier = ObjectIdentifier(object)
        return fates[identifier] != nil || leaving[identifier] != nil
    }

    /// Whether the row of an object goes, which nobody has asked for.
    func isDropped(_ object: any PersistentModel) -> Bool {
        leaving[ObjectIdentifier(object)]?.isDropped ?? false
    }

    /// What is done with an object; nil for what its changes say.
    subscript(_ object: any PersistentModel) -> Fate? {
        fates.isEmpty ? nil : fates[ObjectIdentifier(object)]?.fate
    }

    /// Whether an object that waited to be deleted is not.
    func keeps(_ object: any PersistentModel) -> Bool {
        if case .keep? = self[object] { true } else { false }
    }

    /// Whether another object stands for the row of an object.
    func isAbsorbed(_ object: any PersistentModel) -> Bool {
        if case .absorbed? = self[object] { true } else { false }
    }

    /// Decides what is done with an object.
    func decide(_ object: any PersistentModel, _ fate: Fate) {
        fates[ObjectIdentifier(object)] = (object, fate)
        // Nothing refers to it any more.
        if case .gone = fate { object.persistentBacking.state = .gone }
    }

    /// Takes an object out of a relationship to one.
    ///
    /// - Parameter column: The column that refers to nothing any more; nil to delete its row.
    func leave(_ object: any PersistentModel, column: Int?, stored: RowImage?) {
        let identifier = ObjectIdentifier(object)
        var leaving = leaving[identifier] ?? Leaving(object: object, stored: stored)
        if let column { leaving.columns.insert(column) } else { leaving.isDropped = true }
        self.leaving[identifier] = leaving
    }

    /// Forgets who leaves relationships: a fate may have changed.
    func forgetLeaving() {
        if !leaving.isEmpty { leaving = [:] }
    }

    /// Gives an object the key of the row that it stands for, by which it is found from now on.
    func give(_ key: RowKey, to object: any PersistentModel, in map: ObjectMap) {
        let backing = object.persistentBacking
        keys.append((object, backing.key, map, map.objects[key]))
        backing.key = key
        map.objects.put(object, key)
    }

    /// Gives an object the key of the one that stands for it.
    func give(_ key: RowKey, toAbsorbed object: any PersistentModel, in map: ObjectMap) {
        let backing = object.persistentBacking
        keys.append((object, backing.key, map, map.objects[key]))
        backing.key = key
    }

    /// Forgets everything.
    func undo() {
        for (object, old, map, known) in keys.reversed() {
            if let key = object.persistentBacking.key {
                if let known { map.objects.put(known, key) } else { map.objects.remove(key) }
            }
            object.persistentBacking.key = old
        }
        for (object, fate) in fates.values {
            if case .gone = fate { object.persistentBacking.state = .stored }
        }
        fates = [:]
        leaving = [:]
        keys = []
    }
}

extension RowImage {
    /// A row with some columns of another one.
    func taking(
        _ columns: ColumnSet,
        from other: RowImage,
        of entity: EntityBinding
    ) throws -> RowImage {
        let row = RowImage(columns: entity.columnCount)
        for column in entity.attributes.indices {
            try (columns.contains(column) ? other : self).write(column, to: row, at: column)
        }
        return row
    }
}

extension EntityBinding {
    /// Whether two rows hold the same value in a column, one of which may have been read and the other
    /// one been written by its object.
    func isSame(_ column: Int, _ left: RowImage, _ right: RowImage) -> Bool {
        if left.holdsSame(column, as: right) { return true }
        let attribute = attributes[column]
        guard let left = try? QueryValue(left, column, attribute),
            let right = try? QueryValue(right, column, attribute)
        else { return false }
        return left == right
    }

    /// The columns in which two rows differ.
    func differences(_ left: RowImage, _ right: RowImage) -> ColumnSet {
        ColumnSet(attributes.indices.lazy.filter { !isSame($0, left, right) })
    }
}
