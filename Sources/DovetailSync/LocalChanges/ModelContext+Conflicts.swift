package import DovetailContext
import DovetailModel
import DovetailStore

extension ModelContext {
    /// Resolves a conflict that is kept, when the context is saved.
    ///
    /// - Parameters:
    ///   - texts: What the properties of its model hold.
    ///   - takesRemote: Whether the row becomes what the list has.
    /// - Throws: ``StoreError``, of kind `invalidSchema` where the container has no such model or table.
    package func resolveConflict(_ texts: [String?], takingRemote takesRemote: Bool) throws {
        guard let kept = KeptConflicts.rows(self), let conflict = KeptConflict(texts),
            let entity = container.schema.entity(ofTable: conflict.table)
        else {
            throw StoreError(
                .invalidSchema,
                table: texts[1],
                explanation: "the conflict is none of this container's"
            )
        }
        if takesRemote { try takeRemote(conflict, entity) }
        try kept.change(keeping: [], forgetting: [texts])
    }

    private func takeRemote(_ conflict: KeptConflict, _ entity: EntityBinding) throws {
        if entity.type is any PersistentModel.Type {
            return try takeRemoteObject(conflict, entity)
        }
        guard let remote = conflict.remote else {
            return enqueue(RowBatch(entity.type, .delete, [RowChange(deleting: conflict.key)]))
        }
        var row: [QueryValue]?
        try withRows(of: entity.type, keys: [RowKey(conflict.key)]) { cursor in
            if try cursor.next() { row = try entity.values(of: cursor) }
        }
        var columns = ColumnSet()
        var values = row ?? Array(repeating: .null, count: entity.attributes.count)
        for (column, attribute) in entity.attributes.enumerated() {
            guard let value = remote[attribute.name] else { continue }
            values[column] = value
            columns.insert(column)
        }
        if row == nil {
            // One attribute of a row that is gone is in conflict with nothing.
            if conflict.attribute != nil { return }
            let change = try RowChange(.upsert, RowImage(values), of: entity)
            return enqueue(RowBatch(entity.type, .upsert, [change]))
        }
        let change = try RowChange(updating: columns, of: entity, to: RowImage(values))
        enqueue(RowBatch(entity.type, .update, [change]))
    }

    /// Makes an object what the document has, with the one that it is inside of, where that waits to be decided.
    ///
    /// - Parameter inner: The conflicts that are decided by this, from inside to outside.
    private func takeRemoteObject(
        _ conflict: KeptConflict,
        _ entity: EntityBinding,
        after inner: Set<KeptConflict> = []
    ) throws {
        var key = RowKey(conflict.key)
        var known = try object(key, in: entity)
        guard let remote = conflict.remote else {
            guard let known else { return }
            let tables = tablesOfDocuments(of: type(of: known)).map(\.entity)
            try putBackMoved(from: known, over: changedRows(of: tables))
            return delete(anyObject: known)
        }
        // It was deleted here, and another one has its name by now.
        if known == nil, conflict.attribute == nil,
            let other = try self.key(ofObjectNamedAs: remote, in: entity)
        {
            (key, known) = (other, try object(other, in: entity))
        }
        // One attribute of an object that is gone is in conflict with nothing.
        if known == nil, conflict.attribute != nil { return }
        if let known, let name = conflict.attribute, isWhole(name, of: type(of: known)) {
            return try takeRemoteWholes(name, of: known)
        }
        var columns = ColumnSet()
        let row = RowImage(columns: entity.attributes.count)
        for (column, attribute) in entity.attributes.enumerated() {
            guard let value = remote[attribute.name] else { continue }
            try value.set(column, of: row)
            columns.insert(column)
        }
        // It may refer to itself, which is there afterwards.
        var own = ColumnSet()
        for reference in entity.description.references where columns.contains(reference.column) {
            let attribute = entity.attributes[reference.column]
            let value = try QueryValue(row, reference.column, attribute)
            guard value != .null,
                let target = container.schema.entity(ofTable: reference.table),
                try object(RowKey([value]), in: target) == nil
            else { continue }
            if target.table == entity.table, RowKey([value]) == key {
                own.insert(reference.column)
            } else if reference.deleteRule == .cascade,
                let outer = try KeptConflicts.deletion(of: [value], reference.table, in: self),
                !inner.contains(outer)
            {
                try takeRemoteObject(outer, target, after: inner.union([conflict]))
            } else if attribute.isOptional {
                // What it would lead to is not there.
                columns = columns.subtracting(entity.withChoices([reference.column]))
            }
        }
        try take(row, columns: columns.subtracting(own), of: key, in: entity)
        if !own.isEmpty { try take(row, columns: own, of: key, in: entity) }
        if known != nil { try leaveCircle(around: key, in: entity) }
        if known == nil, let object = try self.object(key, in: entity) {
            try bringBackPairs(of: object, key)
            try takeRemoteWholes(nil, of: object)
        }
    }

    /// Lets an object be inside of itself no more: the one around it that was put into it here is where it was.
    private func leaveCircle(around key: RowKey, in entity: EntityBinding) throws {
        let name = RowName(entity.table, key)
        var seen: Set<RowName> = []
        var inner = (name: name, entity: entity)
        while seen.insert(inner.name).inserted,
            let object = try object(inner.name.key, in: inner.entity)
        {
            let row = try inner.entity.values(of: image(of: object))
            let outer = try owners(of: row, in: inner.entity).first
            guard let outer,
                let table = container.schema.entity(ofTable: outer.table)
            else { return }
            if outer == name {
                let base = try changedRows(of: [inner.entity])[inner.name]?.values
                let nothing = RowImage(columns: inner.entity.attributes.count)
                return try take(
                    base.map { RowImage($0) } ?? nothing,
                    columns: ColumnSet(try ownedColumns(of: inner.entity).map(\.column)),
                    of: inner.name.key,
                    in: inner.entity
                )
            }
            inner = (outer, table)
        }
    }

    /// What was changed here of some tables, as far as the store knows.
    ///
    /// - Throws: ``StoreError``.
    func changedRows(of tables: [EntityBinding]) throws -> DocumentBases {
        var rows: [String: [RowKey: BaseRow]] = [:]
        try withReadConnection { connection in
            for entity in tables {
                rows[entity.table] = try BaseUpdate.all(of: entity, on: connection)
            }
        }
        return DocumentBases(rows, isMerge: true)
    }

    /// Makes what an object has inside of it, and documents have no name for, what the other side has.
    ///
    /// - Parameter name: The relationship; nil for all of them.
    private func takeRemoteWholes(_ name: String?, of object: any PersistentModel) throws {
        let tables = tablesOfDocuments(of: type(of: object)).map(\.entity)
        try takeWholes(name, of: object, over: changedRows(of: tables))
    }

    /// Puts an object that is back into the lists that it was in there.
    private func bringBackPairs(of object: any PersistentModel, _ key: RowKey) throws {
        guard let own = key.values.first else { return }
        for list in try listsOfPairs(of: type(of: object)) {
            let bases = try withReadConnection { try $0.bases(of: list.entity) }
            guard case .rows(let rows) = bases else { continue }
            let others = rows.filter { $0.values != nil && $0.key[list.own] == own }
                .map { RowKey([$0.key[list.other]]) }
            try put(others, into: list, of: object)
        }
    }
}
