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
    }

    private(set) var fates: [ObjectIdentifier: (object: any PersistentModel, fate: Fate)] = [:]

    /// Whether nothing was found out.
    var isEmpty: Bool { fates.isEmpty }

    /// What is done with an object; nil for what its changes say.
    subscript(_ object: any PersistentModel) -> Fate? { fates[ObjectIdentifier(object)]?.fate }

    /// Decides what is done with an object.
    func decide(_ object: any PersistentModel, _ fate: Fate) {
        fates[ObjectIdentifier(object)] = (object, fate)
        // Nothing refers to it any more.
        if case .gone = fate { object.persistentBacking.state = .gone }
    }

    /// Forgets everything.
    func undo() {
        for (object, fate) in fates.values {
            if case .gone = fate { object.persistentBacking.state = .stored }
        }
        fates = [:]
    }
}

extension RowImage {
    /// A row with some columns of another one.
    func taking(
        _ columns: ColumnSet,
        from other: RowImage,
        of entity: EntityBinding
    ) throws -> RowImage {
        let row = RowImage(columns: entity.attributes.count)
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

    /// The columns of the places in relationships to several.
    var orderColumns: ColumnSet {
        ColumnSet(
            relationshipColumns.lazy.compactMap { part in
                if case .member(_, _, _, let order) = part { order } else { nil }
            }
        )
    }
}

extension ColumnSet {
    func subtracting(_ other: ColumnSet) -> ColumnSet {
        ColumnSet(lazy.filter { !other.contains($0) })
    }

    func union(_ other: ColumnSet) -> ColumnSet {
        var all = self
        for column in other { all.insert(column) }
        return all
    }
}
