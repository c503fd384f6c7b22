import DovetailModel
import DovetailStore

// What is to be done with the row of one object.

extension ObjectRegistry {
    /// The columns of its row that an object has changed; all without those of the key where nobody knows.
    ///
    /// - Throws: ``ModelEncodingError``.
    func changedColumns(
        of object: any PersistentModel,
        _ entity: EntityBinding
    ) throws -> ColumnSet {
        guard let base = object.persistentBacking.base else { return entity.valueSet }
        let row = RowImage(unknown: entity.columnCount)
        return try changedColumns(of: object, from: base, entity, in: row)
    }

    /// The same of an object that is known to have been something else.
    ///
    /// - Parameter row: A row that nobody else has, and which becomes what the object is there, in the
    ///   columns of the key, and where it may have changed.
    /// - Throws: ``ModelEncodingError``.
    func changedColumns(
        of object: any PersistentModel,
        from base: RowImage,
        _ entity: EntityBinding,
        in row: RowImage
    ) throws -> ColumnSet {
        let known = base.knownColumns
        // A hidden key is written in any case.
        let wanted = entity.hasHiddenKey ? known : known.union(entity.keySet)
        try context.write(object, to: row, entity, wanted: wanted)
        return entity.withChoices(base.columns(of: known, differingFrom: row))
    }

    /// What an object has changed in its row; nil for nothing.
    ///
    /// - Throws: ``ModelEncodingError``.
    func change(of object: any PersistentModel, _ entity: EntityBinding) throws -> RowChange? {
        let columns = try changedColumns(of: object, entity)
        if columns.isEmpty { return nil }
        try requireSameKey(columns, of: object, entity)
        return try RowChange(
            updating: columns,
            of: entity,
            to: context.row(of: object),
            from: base(of: object)
        )
    }

    /// Refuses to write an object whose key is not that of its row any more.
    ///
    /// - Parameter columns: What has changed.
    /// - Throws: ``StoreError`` of kind `invalidObject`.
    func requireSameKey(
        _ columns: ColumnSet,
        of object: any PersistentModel,
        _ entity: EntityBinding
    ) throws {
        guard columns.meets(entity.keySet) else { return }
        let changed = entity.keyColumns.filter(columns.contains)
        throw ObjectError.changedKey(changed, of: entity, object)
    }

    /// What is to be done with the row of a new or changed object; nil for nothing.
    ///
    /// - Throws: ``ModelEncodingError``.
    func change(
        of object: any PersistentModel,
        _ entity: EntityBinding,
        _ plan: SavePlan
    ) throws -> RowChange? {
        let backing = object.persistentBacking
        let leaving = plan.leaving[ObjectIdentifier(object)]
        if leaving?.isDropped == true { return nil }
        let base: RowImage?
        switch plan[object] {
        case .delete, .gone, .absorbed: return nil
        case .insert, .adopt(nil, _): base = nil
        case .keep(let stored), .update(let stored, _), .adopt(let stored?, _): base = stored
        case nil where backing.state == .inserted: base = nil
        case nil where leaving == nil: return try change(of: object, entity)
        case nil:
            let own = backing.isChanged ? try self.base(of: object) : nil
            if let own, let leaving, let stored = leaving.stored {
                // Others may have put it where it leaves.
                base = try own.taking(leaving.columns, from: stored, of: entity)
            } else {
                base = try own ?? leaving?.stored ?? context.row(of: object, isBase: true)
            }
        }
        let row = try row(of: object, entity, plan)
        guard let base else { return try RowChange(.insert, row, of: entity) }
        let columns = entity.withChoices(entity.differences(base, row))
        if columns.isEmpty { return nil }
        if backing.state == .stored { try requireSameKey(columns, of: object, entity) }
        return try RowChange(updating: columns, of: entity, to: row, from: base)
    }

    /// The same of an object that refers to new ones which have the keys of others: these columns are written
    /// also where they hold the same key as before.
    ///
    /// - Throws: ``ModelEncodingError``.
    func change(
        of object: any PersistentModel,
        _ entity: EntityBinding,
        _ plan: SavePlan,
        giving columns: ColumnSet,
        _ passed: inout PassedKeys
    ) throws -> RowChange? {
        let change = try change(of: object, entity, plan)
        switch plan[object] {
        case .delete, .gone, .absorbed, .insert, .keep: return change
        case .adopt, .update, nil: break
        }
        if let change, change.verb == .insert { return change }
        let row = try row(of: object, entity, plan)
        let mine = try context.row(of: object)
        // Where a conflict was decided against it, it does not refer to the new one.
        let given = ColumnSet(columns.filter { entity.isSame($0, row, mine) })
        if given.isEmpty { return change }
        try passed.add(given, of: row, entity)
        return try RowChange(
            updating: entity.withChoices(given).union(change?.columns ?? []),
            of: entity,
            to: row,
            from: change?.base ?? base(of: object)
        )
    }

    /// The row of an object as it will be.
    ///
    /// - Throws: ``ModelEncodingError``.
    func row(
        of object: any PersistentModel,
        _ entity: EntityBinding,
        _ plan: SavePlan
    ) throws -> RowImage {
        let nothing = RowImage(columns: entity.columnCount)
        let row = try row(of: object, entity, plan, nothing)
        guard let leaving = plan.leaving[ObjectIdentifier(object)] else { return row }
        return try row.taking(leaving.columns, from: nothing, of: entity)
    }

    /// The same with what it leaves.
    private func row(
        of object: any PersistentModel,
        _ entity: EntityBinding,
        _ plan: SavePlan,
        _ nothing: RowImage
    ) throws -> RowImage {
        let backing = object.persistentBacking
        guard let fate = plan[object] else {
            if backing.isChanged || backing.state == .inserted {
                return try context.row(of: object)
            }
            return try plan.leaving[ObjectIdentifier(object)]?.stored ?? context.row(of: object)
        }
        if case .keep(let stored) = fate { return stored }
        let row = try context.row(of: object)
        switch fate {
        case .update(let stored, let columns):
            return try stored.taking(columns, from: row, of: entity)
        case .insert(let lost):
            try context.requireLargeValues(of: object)
            return try row.taking(lost, from: nothing, of: entity)
        case .adopt(let stored, let absorbed):
            var row = row
            if let stored, let base = object.persistentBacking.base {
                // It was to be new, and counts only where it was changed after that.
                let same = entity.classColumns.filter { base.holdsSame($0, as: row) }
                row = try row.taking(ColumnSet(same), from: stored, of: entity)
            }
            // What it refers to itself wins, and its places in lists.
            return try (absorbed.map { try context.row(of: $0) } + [stored].compactMap { $0 })
                .reduce(row) { row, other in
                    let missing = entity.relationColumns.filter { column in
                        entity.withChoices([column]).allSatisfy { row.isNull($0) }
                    }
                    return try row.taking(ColumnSet(missing), from: other, of: entity)
                }
        case .delete, .keep, .gone, .absorbed: return row
        }
    }

    /// The deletion of the row of an object; nil where there is none, or it stays.
    ///
    /// - Parameter compared: What has to be as it was; nil for the attributes and the references, but for those
    ///   to what is deleted as well, which were looked at before (``changedPart(on:)``).
    /// - Throws: ``ModelEncodingError``.
    func deletion(
        of object: any PersistentModel,
        _ entity: EntityBinding,
        _ plan: SavePlan,
        comparing compared: ColumnSet? = nil
    ) throws -> RowChange? {
        let backing = object.persistentBacking
        guard backing.state != .inserted, let key = backing.key else { return nil }
        switch plan[object] {
        case .keep, .absorbed: return nil
        case .delete: return RowChange(deleting: key.values)
        default:
            guard let base = try base(of: object) else {
                return RowChange(deleting: key.values, base: nil, comparing: [])
            }
            let all =
                try compared
                ?? entity.comparedOfDeleted.subtracting(referencesToDeleted(of: object, entity))
            return RowChange(deleting: key.values, base: base, comparing: all)
        }
    }
}
