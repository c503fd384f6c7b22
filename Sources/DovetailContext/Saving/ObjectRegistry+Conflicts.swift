import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// Compares everything that waits with what is stored, and decides about what others have changed.
    ///
    /// - Complexity: a look into the index of the key for each deleted object, and two for each changed one.
    /// - Returns: whether there was anything to decide about.
    /// - Throws: ``ConflictError`` with all conflicts about which nothing was decided, and what the policy
    ///   and the store throw.
    func resolveConflicts(
        on connection: any StoreConnection,
        _ policy: ConflictPolicy
    ) throws -> Bool {
        let known = plan.fates.count
        var refused: [ObjectConflict] = []
        var outdated: [any PersistentModel] = []
        var gone: [any PersistentModel] = []
        // First what others have deleted: a reference to an object that goes is no change of the other one.
        for (isLost, object) in [true, false].flatMap({ isLost in
            changedObjects.map { (isLost, $0) }
        })
        where plan[object] == nil {
            let entity = try context.entity(of: type(of: object))
            guard let change = try change(of: object, entity, plan),
                case .conflict(let conflict) = try connection.stored(for: change, entity),
                (conflict.theirs == nil) == isLost
            else { continue }
            let alike = columnsReadAlike(in: conflict, of: type(of: object), entity)
            let columns = entity.withChoices(conflict.columns.subtracting(alike))
                .subtracting(entity.orderColumns)
            if columns.isEmpty {
                plan.decide(
                    object,
                    conflict.theirs.map { .update(RowImage($0), columns: change.columns) } ?? .gone
                )
                continue
            }
            let found = ObjectConflict(conflict, columns, object, entity)
            let lost: ColumnSet
            let resolution = try policy.resolution(of: found)
            switch resolution {
            case .error:
                refused.append(found)
                outdated.append(object)
                if conflict.theirs == nil { gone.append(object) }
                continue
            case .storeWins: lost = columns
            case .contextWins: lost = []
            case .contextWinsOnly(let names):
                lost = ColumnSet(columns.lazy.filter { !names.contains(entity.name(of: $0)) })
            }
            switch conflict.theirs {
            case let theirs?:
                let kept = change.columns.subtracting(entity.withOrders(lost))
                plan.decide(object, .update(RowImage(theirs), columns: kept))
            case nil where resolution == .contextWins:
                plan.decide(object, .insert(without: []))
            case nil: plan.decide(object, .gone)
            }
        }
        var waiting = deletedObjects.filter { plan[$0] == nil }
        while true {
            // Those that are not changed as far as others go that they refer to.
            var unchanged: [any PersistentModel] = []
            let count = plan.fates.count
            for object in waiting {
                let entity = try context.entity(of: type(of: object))
                let conflict: ChangeConflict
                switch try change(ofDeleted: object, entity, on: connection) {
                case .conflict(let found): conflict = found
                case .noChange:
                    unchanged.append(object)
                    continue
                case nil: continue
                }
                guard let theirs = conflict.theirs else { continue }
                let found = ObjectConflict(conflict, conflict.columns, object, entity)
                switch try policy.resolution(of: found) {
                case .error:
                    refused.append(found)
                    outdated.append(object)
                case .storeWins, .contextWinsOnly: plan.decide(object, .keep(RowImage(theirs)))
                case .contextWins: plan.decide(object, .delete)
                }
            }
            waiting = unchanged
            if plan.fates.count == count || waiting.isEmpty { break }
        }
        for object in waiting { plan.decide(object, .delete) }
        if !refused.isEmpty {
            // Their rows are read again after a rollback, also where another process has changed them.
            for object in outdated { noteUnsettled(object) }
            for object in gone { lost[ObjectIdentifier(object)] = object }
            throw ConflictError(refused)
        }
        try keepTogether(on: connection)
        try keepMembers(on: connection)
        try deleteGivenParts()
        try dropLostReferences(on: connection)
        return plan.fates.count > known
    }

    /// The columns of a conflict that nobody has changed: objects of the class read the same from both rows, of which
    /// one is what the object was. A hook may have changed what was read, and a transform may have several forms for
    /// one value, as one that encrypts.
    func columnsReadAlike(
        in conflict: ChangeConflict,
        of type: any PersistentModel.Type,
        _ entity: EntityBinding
    ) -> ColumnSet {
        let columns = ColumnSet(conflict.columns.lazy.filter { entity.attributes[$0].isDeclared })
        guard let theirs = conflict.theirs, !columns.isEmpty else { return [] }
        do {
            let stored = try context.newObject(type, from: RowImage(theirs), entity)
            let (base, written) = (RowImage(conflict.base), RowImage(columns: entity.columnCount))
            try entity.writeAttributes(of: stored, to: written, columns)
            let object = try context.newObject(type, from: base, entity)
            return ColumnSet(
                columns.lazy.filter { column in
                    let attribute = entity.attributes[column]
                    return entity.isSame(column, base, written)
                        || attribute.holdsSame(column, of: written, as: base, entity.fields)
                        || attribute.transform != nil
                            && Self.isEqual(object, stored, attribute.keyPath)
                }
            )
        } catch {
            // A row that is no object was changed by somebody else.
            return []
        }
    }

    /// Whether two objects have the same value in an attribute whose type says what that means.
    private static func isEqual(
        _ object: any PersistentModel,
        _ other: any PersistentModel,
        _ keyPath: AnyKeyPath
    ) -> Bool {
        func equal<Value: Equatable>(_ value: Value, _ other: Any?) -> Bool {
            value == other as? Value
        }
        guard let value = object[keyPath: keyPath] as? any Equatable else { return false }
        return equal(value, other[keyPath: keyPath])
    }

    /// An object that is inserted again may have referred to one that was deleted with it, or is deleted here. What
    /// this context has not changed becomes nil, as in the row that others have deleted that one from.
    private func dropLostReferences(on connection: any StoreConnection) throws {
        for (object, fate) in plan.fates.values {
            guard case .insert = fate, let base = object.persistentBacking.base else { continue }
            let entity = try context.entity(of: type(of: object))
            let row = try context.row(of: object)
            var lost = ColumnSet()
            for (column, attribute) in entity.attributes.enumerated() {
                guard let target = attribute.reference?.target, attribute.isOptional,
                    !entity.isRequired(column), !row.isNull(column), base.holdsSame(column, as: row)
                else { continue }
                let key = try QueryValue(row, column, attribute)
                let other = (target as? any PersistentModel.Type).flatMap {
                    referred($0, RowKey([key]))
                }
                if let other, case .insert? = plan[other] { continue }
                // Its row goes before this one comes.
                if let other, other.persistentBacking.state == .deleted, !plan.keeps(other) {
                    lost.insert(column)
                    continue
                }
                let owner = try context.entity(of: target)
                let isKey = QueryExpression.equal(
                    .attribute(owner.keyColumns[0], isOptional: false),
                    .value(key)
                )
                if try connection.count(of: Query(owner, filter: isKey)) == 0 {
                    lost.insert(column)
                }
            }
            plan.decide(object, .insert(without: lost))
        }
    }
}

extension ObjectConflict {
    fileprivate init(
        _ conflict: ChangeConflict,
        _ columns: ColumnSet,
        _ object: any PersistentModel,
        _ entity: EntityBinding
    ) {
        identifier = PersistentIdentifier(type(of: object).typeName, RowKey(conflict.key))
        attributes = columns.map { entity.name(of: $0) }
            .reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        let hidden = entity.orderColumns.union(ColumnSet(entity.foreignColumns))
        func named(
            _ values: [QueryValue],
            without unknown: ColumnSet = []
        ) -> [String: QueryValue] {
            let hidden = hidden.union(unknown)
            return Dictionary(
                values.enumerated().lazy.filter { !hidden.contains($0.offset) }
                    .map { (entity.name(of: $0.offset), $0.element) },
                // Of several columns of a relationship at most one holds a key.
                uniquingKeysWith: { first, second in first == .null ? second : first }
            )
        }
        // What the object never read, and cannot read any more.
        let unread = conflict.theirs == nil ? object.persistentBacking.deferred : []
        base = named(conflict.base, without: unread)
        mine = conflict.mine.map { named($0, without: unread) }
        theirs = conflict.theirs.map { named($0) }
    }
}

extension EntityBinding {
    /// What conflicts and changes call a column: the name of the property.
    func name(of column: Int) -> String {
        if let name = classTable?.relationshipName(of: column) { return name }
        for case .key(let index, column) in relationshipColumns {
            return links[index].relationship.name
        }
        return attributes[column].property
    }

    /// Whether a column is one of several, one of which has to hold a key.
    fileprivate func isRequired(_ column: Int) -> Bool {
        description.choices?.contains { $0.isRequired && $0.columns.contains(column) } ?? false
    }

    /// Some columns with those of the places in the lists that they say an object is in.
    fileprivate func withOrders(_ columns: ColumnSet) -> ColumnSet {
        columns.union(
            ColumnSet(placeColumns.lazy.filter { columns.contains($0.holder) }.map(\.order))
        )
    }
}
