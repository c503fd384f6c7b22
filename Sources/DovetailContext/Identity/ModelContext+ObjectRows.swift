public import DovetailModel
public import DovetailStore

// Objects and their rows: the attributes, which the class itself reads and writes, and the columns after
// them, which are the context's.

extension ModelContext {
    /// The row of an object, as it would be saved.
    ///
    /// - Parameters:
    ///   - isBase: Whether it is to be the row before a change, in which other objects are as they were
    ///     before they were deleted.
    ///   - deferred: Columns of which it says only that the object has not read the values.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func row<Object: PersistentModel>(
        of object: Object,
        isBase: Bool = false,
        deferring deferred: ColumnSet = []
    ) throws -> RowImage {
        let entity = try entity(of: type(of: object))
        let row = RowImage(columns: entity.columnCount)
        let wanted = deferred.isEmpty ? nil : ColumnSet(entity.classColumns).subtracting(deferred)
        try write(object, to: row, entity, isBase: isBase, wanted: wanted)
        for column in deferred { row.deferValue(column) }
        return row
    }

    /// Writes the columns of the row of an object.
    ///
    /// - Parameters:
    ///   - isBase: As for a row.
    ///   - wanted: The columns of the attributes that count, beside which all columns of relationships and
    ///     of hidden keys are written; nil for all attributes.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column, and what `sink`
    ///   throws.
    func write<Object: PersistentModel>(
        _ object: Object,
        to sink: any RowSink,
        _ entity: EntityBinding,
        isBase: Bool = false,
        wanted: ColumnSet? = nil
    ) throws {
        let backing = object.persistentBacking
        try entity.writeAttributes(of: object, to: sink, wanted)
        // One that a document has made, and that leads to nothing yet, is linked and has no relationships.
        if !backing.isLinked || backing.knownShape == nil { _ = backing.shape(of: object) }
        for relationship in entity.relationshipColumns {
            switch relationship {
            case .key(let index, let column):
                let key = backing.slots[index].key(evenOfDeleted: isBase)
                try RowKey.set(column, of: sink, to: key)
            case .member(let owner, let index, let key, let order):
                let owner = ObjectIdentifier(owner)
                if let place = backing.order(owner, index) {
                    try sink.set(order, integer: place)
                } else {
                    try sink.setNull(order)
                }
                guard let key else { continue }
                let holder = backing.holderSlot(owner, index).key(evenOfDeleted: isBase)
                try RowKey.set(key, of: sink, to: holder)
            }
        }
        if let column = entity.hiddenKeyColumn, case .integer(let key)? = backing.key {
            try sink.set(column, integer: key)
        }
    }

    /// The object of the row at which a cursor is, if this context has it; its key otherwise.
    ///
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    func known<Object: PersistentModel>(
        at row: any RowSource,
        _ entity: EntityBinding,
        _ map: ObjectMap,
        _ commit: Int
    ) throws -> (object: Object?, key: RowKey) {
        let key = try RowKey(row: row, entity: entity)
        // Of a table of several classes it may be of another one.
        let object: Object? =
            entity.classTable == nil
            ? map.objects.object(key, as: Object.self) : map.objects[key] as? Object
        guard let known = object else { return (nil, key) }
        let backing = known.persistentBacking
        if backing.state == .stored, backing.commit < commit, registry.seen < commit {
            if backing.isChanged {
                // The attributes wait to be written; what waits of lists is put over their rows.
                ObjectGraph.unloadLists(of: known)
            } else if !map.hidden.isEmpty, map.hidden[key] != nil {
                // The row may be that of a new object with the same key, which waits.
            } else {
                let any: any PersistentModel = known
                try refresh(any, from: row)
                backing.commit = commit
            }
        } else if backing.state == .stored, !backing.isChanged,
            registry.readAnew?.insert(ObjectIdentifier(known)).inserted == true,
            map.hidden.isEmpty || map.hidden[key] == nil
        {
            let any: any PersistentModel = known
            try refresh(any, from: row)
        } else if backing.isPartial, backing.state == .stored {
            let any: any PersistentModel = known
            try takeDeferred(of: any, from: row, entity)
        }
        return (known, key)
    }

    /// Reads rows as values; those of a class with `@Model` as the objects of this context.
    ///
    /// - Parameter advance: Moves to the next row; false after the last one.
    /// - Throws: ``ModelDecodingError`` for a row that is no value of the model, and what `advance`
    ///   throws.
    @inlinable
    func readRows<Value: Model>(
        of model: Value.Type,
        from row: any RowSource,
        _ entity: EntityBinding,
        into values: inout [Value],
        advance: () throws -> Bool
    ) throws {
        try withoutActuallyEscaping(advance) { advance in
            try readRows(of: model, from: AdvancedRows(row, advance), entity, into: &values)
        }
    }

    /// Reads all rows of a cursor, which is before the first one.
    ///
    /// - Throws: the same, and what the cursor throws.
    @inlinable
    func readRows<Value: Model>(
        of model: Value.Type,
        from cursor: any RowCursor,
        _ entity: EntityBinding,
        into values: inout [Value]
    ) throws {
        // Whoever knows the model appends here: below, each time the type of the array would be made.
        if Value.self is AnyObject.Type,
            try readObjects(
                of: model,
                from: cursor,
                entity,
                // Invariant: the objects are of the model.
                body: { values.append(unsafeBitCast($0, to: Value.self)) }
            )
        {
            return
        }
        try ModelReader.readRows(of: model, from: cursor, fields: entity.fields) { read in
            try cursor.forEachRow { values.append(try read()) }
        }
    }

    /// Reads rows as objects of this context; false for a model that is no class with `@Model`.
    ///
    /// - Parameter body: Takes the objects, which are of the model.
    @usableFromInline
    func readObjects(
        of model: any Model.Type,
        from cursor: any RowCursor,
        _ entity: EntityBinding,
        body: (AnyObject) -> Void
    ) throws -> Bool {
        guard let type = model as? any PersistentModel.Type else { return false }
        func read<Object: PersistentModel>(_ type: Object.Type) throws {
            if let table = entity.classTable {
                return try readObjects(of: type, from: cursor, in: table) { body($0) }
            }
            let registry = registry
            let map = registry.map(of: type)
            let commit = container.commits.count
            let hasRelationships =
                !map.shape.relationships.isEmpty || !entity.relationshipColumns.isEmpty
            var batch = FaultBatchMaker(loadedFor: registry.loading)
            let isFaulting = !map.shape.relationships.isEmpty
            let isMarking = entity.markColumn != nil
            let isDeferring = !entity.deferrableColumns.isEmpty
            try ModelReader.readRows(of: type, from: cursor, fields: entity.fields) { read in
                try cursor.forEachRow {
                    if isMarking, !entity.isLive(cursor) {
                        return body(try deletedObject(at: cursor, entity, map, make: read))
                    }
                    let (known, key): (Object?, RowKey) = try known(at: cursor, entity, map, commit)
                    if let known {
                        if isFaulting { batch.add(known.persistentBacking) }
                        return body(known)
                    }
                    let object = try read()
                    registry.adopt(object, key, commit, in: map)
                    if isDeferring {
                        object.persistentBacking.deferred = entity.deferredColumns(in: cursor)
                    }
                    if hasRelationships { try readRelationships(of: object, from: cursor, entity) }
                    if isFaulting { batch.add(object.persistentBacking) }
                    body(object)
                }
            }
        }
        try read(type)
        return true
    }

    /// The object of the row at which a cursor is, of a class that is known at run time only.
    ///
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    func anyObject(
        at row: any RowSource,
        _ entity: EntityBinding,
        of type: any PersistentModel.Type
    ) throws -> any PersistentModel {
        func read<Object: PersistentModel>(_ type: Object.Type) throws -> any PersistentModel {
            var objects: [Object] = []
            var isFirst = true
            try readRows(of: type, from: row, entity, into: &objects) {
                defer { isFirst = false }
                return isFirst
            }
            // Invariant: a row gives an object, or the call above has thrown.
            return objects[0]
        }
        return try read(type)
    }

    /// Gives an object what its row says.
    ///
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    func refresh<Object: PersistentModel>(_ object: Object, from row: any RowSource) throws {
        let type = type(of: object)
        let entity = try entity(of: type)
        let new = try newObject(type, from: row, entity)
        let backing = object.persistentBacking
        var problem: (any Error)?
        let changed = try backing.isObserved ? changes(of: object, to: new) : []
        backing.changing(object, changed[...]) {
            object.takeAttributes(of: new)
            let places = backing.places
            backing.places = []
            do {
                try readRelationships(of: object, from: row, entity, known: places)
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }

    /// The properties that another object of a class has other values in, and all relationships, of
    /// which only their readers can tell.
    private func changes<Object: PersistentModel>(
        of object: Object,
        to new: any PersistentModel
    ) throws -> [any AnyKeyPath & Sendable] {
        try differences(of: object, to: new)
            + object.persistentBacking.shape(of: object).relationships.map(\.keyPath)
    }

    /// The attributes that another object of the class has other values in.
    ///
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func differences<Object: PersistentModel>(
        of object: Object,
        to other: any PersistentModel
    ) throws -> [any AnyKeyPath & Sendable] {
        let type = type(of: object)
        guard Swift.type(of: other) == type else { return [] }
        let entity = try entity(of: type)
        let (mine, theirs) = (object.persistentBacking.deferred, other.persistentBacking.deferred)
        let unread = mine.union(theirs)
        let known = unread.isEmpty ? nil : ColumnSet(entity.classColumns).subtracting(unread)
        let rows = try [object as any PersistentModel, other].map { object in
            let row = RowImage(columns: entity.columnCount)
            try entity.writeAttributes(of: object, to: row, known)
            return row
        }
        let changed = entity.classColumns.filter { column in
            // What was read, and has to be read again, may be another value.
            unread.contains(column)
                ? !mine.contains(column) : !rows[0].holdsSame(column, as: rows[1])
        }
        // As properties of the classes that declare them: so they are tracked.
        let attributes = try container.schema.entity(type.modelRoot).attributes
        return changed.map { attributes[$0].keyPath }
    }

    /// Notes that a row is there again to which another one refers.
    private func noteBack(_ key: RowKey, of column: Int, _ entity: EntityBinding) {
        for reference in entity.description.references where reference.column == column {
            registry.noteBack(reference.table, key)
        }
    }

    func readRelationships<Object: PersistentModel>(
        of object: Object,
        from row: any RowSource,
        _ entity: EntityBinding,
        known: [RelationPlace] = []
    ) throws {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        for (index, relationship) in shape.relationships.enumerated() where !relationship.holdsKey {
            backing.slots[index] = .unloaded
        }
        func slot(_ column: Int) throws -> RelationSlot {
            if row.isNull(column) { return .nothing }
            let key = RowKey([try QueryValue(row, column, entity.attributes[column])])
            if !registry.removed.isEmpty { noteBack(key, of: column, entity) }
            return .key(key)
        }
        for relationship in entity.relationshipColumns {
            switch relationship {
            case .key(let index, let column):
                let new = try slot(column)
                if !registry.isMeant(backing.slots[index], by: new) { backing.slots[index] = new }
            case .member(let owner, let index, let key, let order):
                guard let owner = owner as? any PersistentModel.Type else { continue }
                var holder = try key.map { try slot($0) } ?? .nothing
                let place = row.integer(order)
                guard place != nil || holder.key != nil else { continue }
                let old = known.first { $0.owner == ObjectIdentifier(owner) && $0.index == index }
                if let old, registry.isMeant(old.holder, by: holder) { holder = old.holder }
                backing.places.append(
                    RelationPlace(
                        owner: ObjectIdentifier(owner),
                        index: index,
                        holder: holder,
                        order: place
                    )
                )
            }
        }
    }
}

extension RelationSlot {
    /// The key of the object that it holds.
    var key: RowKey? { key(evenOfDeleted: false) }

    /// The key of the object that it holds; nil for one that was deleted, unless that is asked for, too.
    /// No row holds the key of one whose row is gone; one that the policy of the save keeps is not deleted.
    func key(evenOfDeleted isBase: Bool) -> RowKey? {
        switch self {
        case .key(let key): return key
        case .one(let object):
            switch object.persistentBacking.state {
            case .deleted:
                let backing = object.persistentBacking
                let isThere = isBase || backing.context?.registry.plan.keeps(object) == true
                return isThere ? backing.key : nil
            case .inserted, .stored: return object.persistentBacking.key
            case .gone, .detached: return nil
            }
        case .nothing, .unloaded, .many, .stranger: return nil
        }
    }
}
