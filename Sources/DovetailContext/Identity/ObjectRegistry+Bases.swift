import DovetailModel
import DovetailStore

// What objects were before they changed: what a save compares them with, a rollback gives back and a
// conflict tells. Of attributes, it is kept of those alone which setters have changed.

extension ObjectRegistry {
    /// Keeps what an object is before it changes.
    ///
    /// - Parameter path: The attribute that is set; nil for a relationship.
    func markChanged(_ object: any PersistentModel, _ path: AnyKeyPath? = nil) {
        guard context.mayEnter() else { return }
        defer { context.leave() }
        if path == nil { noteMoved(object) }
        log?.note(object)
        let backing = object.persistentBacking
        guard backing.state == .stored || backing.state == .inserted else { return }
        if backing.state == .stored {
            let isFirst = !backing.isChanged
            // A hook that runs before an object is written may change it.
            backing.isChanged = true
            if isFirst { forgetRemoved(by: object) }
            keepBase(object, path, isFirst: isFirst)
            if isFirst { return addChanged(object) }
        }
        markStale(object)
    }

    /// Keeps what an attribute is before it changes in a transaction that may throw.
    func noteValue<Object: PersistentModel, Value>(
        of object: Object,
        _ path: KeyPath<Object, Value>
    ) {
        guard let log, context.mayEnter() else { return }
        defer { context.leave() }
        log.noteValue(of: object, path)
    }

    /// Keeps what the columns hold of an attribute, and before the first change those of relationships.
    private func keepBase(
        _ object: any PersistentModel,
        _ path: AnyKeyPath?,
        isFirst: Bool
    ) {
        // A later change of relationships has nothing to keep.
        if !isFirst, path == nil { return }
        let backing = object.persistentBacking
        do {
            let columns = try columns(of: type(of: object))
            var wanted = ColumnSet()
            if let path {
                // What has no column of its own may be in any.
                wanted = columns.column(of: path).map { [$0] } ?? columns.all
            }
            if let base = backing.base {
                try add(wanted, of: object, to: base, columns)
            } else if isFirst {
                let entity = try context.entity(of: type(of: object))
                let base = RowImage(unknown: entity.columnCount)
                wanted = wanted.union(columns.untold)
                try context.write(object, to: base, entity, isBase: true, wanted: wanted)
                backing.base = base
            }
        } catch {
            // Without one, everything is written.
            backing.base = nil
            problem = problem ?? error
        }
    }

    /// Adds what attributes are to what is known of an object before its changes.
    private func add(
        _ wanted: ColumnSet,
        of object: any PersistentModel,
        to base: RowImage,
        _ columns: AttributeColumns
    ) throws {
        let new = ColumnSet(wanted.lazy.filter { !base.isKnown($0) })
        if new.isEmpty { return }
        columns.spare.clear()
        try context.entity(of: type(of: object)).writeAttributes(of: object, to: columns.spare, new)
        for column in new { try columns.spare.write(column, to: base, at: column) }
    }

    /// Keeps all that an object is, or was before it was changed.
    func keepWholeBase(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        do {
            backing.base = try base(of: object) ?? context.row(of: object, isBase: true)
        } catch {
            problem = problem ?? error
        }
    }

    /// What the setters of a class name.
    func columns(of type: any PersistentModel.Type) throws -> AttributeColumns {
        let identifier = ObjectIdentifier(type)
        if let lastColumns, lastColumns.identifier == identifier { return lastColumns.columns }
        let map = map(of: type)
        let columns =
            try map.columns[identifier]
            ?? AttributeColumns(
                context.entity(of: type),
                in: context.entity(of: type.modelRoot)
            )
        map.columns[identifier] = columns
        lastColumns = (identifier, columns)
        return columns
    }

    /// The row of an object before it was changed; nil for one that was not.
    ///
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func base(of object: any PersistentModel) throws -> RowImage? {
        try object.persistentBacking.base.map { try whole($0, of: object) }
    }

    /// A part of the row of an object, with the attributes about which it says nothing: these are as they
    /// were.
    ///
    /// - Parameter isDeferring: Whether it says of large values that the object has not read only that.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func whole(
        _ part: RowImage,
        of object: any PersistentModel,
        deferring isDeferring: Bool = false
    ) throws -> RowImage {
        let entity = try context.entity(of: type(of: object))
        let known = part.knownColumns
        if known.count == entity.attributes.count { return part }
        let row = RowImage(columns: entity.columnCount)
        let deferred = isDeferring ? object.persistentBacking.deferred.subtracting(known) : []
        let others = ColumnSet(entity.classColumns).subtracting(known).subtracting(deferred)
        try context.write(object, to: row, entity, isBase: true, wanted: others)
        for column in known { try part.write(column, to: row, at: column) }
        for column in deferred { row.deferValue(column) }
        return row
    }
}
