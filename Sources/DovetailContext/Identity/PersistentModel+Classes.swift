import DovetailModel
import DovetailStore

extension PersistentModel {
    /// What the context keeps objects by: the class at the top, where classes share a table.
    static var rootIdentifier: ObjectIdentifier { ObjectIdentifier(modelRoot) }
}

extension ModelContext {
    /// The entity of the class at the top, where classes share the table of an entity; otherwise the entity
    /// itself.
    ///
    /// - Throws: ``StoreError`` when the container was made without it.
    func entity(ofTable entity: EntityBinding) throws -> EntityBinding {
        try entity.classTable.map { try container.schema.entity($0.classes[0]) } ?? entity
    }

    /// The entity of the class of a row, where classes share a table.
    ///
    /// - Throws: ``StoreError`` for a class that the container was made without.
    func entity(
        of row: any RowSource,
        in table: ClassTable
    ) throws -> (type: any PersistentModel.Type, entity: EntityBinding) {
        let model = try table.model(of: row)
        // Every class with `@Model` that is a `ManagedModel` is a `PersistentModel`.
        guard let type = model as? any PersistentModel.Type else {
            throw StoreError(.invalidSchema, explanation: "\(model) is no class with @Model")
        }
        return (type, try entity(of: type))
    }

    /// An object that is made of the attributes in a row.
    ///
    /// - Parameter type: The class of the row.
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    func newObject<Object: PersistentModel>(
        _ type: Object.Type,
        from row: any RowSource,
        _ entity: EntityBinding
    ) throws -> any PersistentModel {
        let object = try ModelReader.readRow(
            of: type,
            from: entity.classTable == nil ? row : ClassRow(row, columns: entity.classLevels),
            fields: entity.fields,
            spareState
        )
        object.persistentBacking.deferred = entity.deferredColumns(in: row)
        return object
    }

    /// Reads the rows of a table of several classes, each as an object of its own class.
    ///
    /// - Throws: as `readObjects(of:from:_:_:body:)`.
    func readObjects<Object: PersistentModel>(
        of type: Object.Type,
        from row: any RowCursor,
        in table: ClassTable,
        body: (Object) -> Void
    ) throws {
        let map = registry.map(of: type)
        let commit = container.commits.count
        var batch = FaultBatchMaker(loadedFor: registry.loading)
        try row.forEachRow {
            let (model, entity) = try self.entity(of: row, in: table)
            if entity.markColumn != nil, !entity.isLive(row) {
                let object = try deletedObject(at: row, entity, map, .of(model)) {
                    try newObject(model, from: row, entity)
                }
                if let object = object as? Object { body(object) }
                return
            }
            let (known, key): (Object?, RowKey) = try known(at: row, entity, map, commit)
            if let known {
                batch.add(known.persistentBacking)
                return body(known)
            }
            let object = try newObject(model, from: row, entity)
            registry.adopt(object, key, commit, in: map, .of(model))
            try readRelationships(of: object, from: row, entity)
            batch.add(object.persistentBacking)
            // The query asks for rows of the class and of those below it alone.
            if let object = object as? Object { body(object) }
        }
    }
}

extension EntityBinding {
    /// Writes the attributes of an object into its row, and what tells its class.
    ///
    /// - Parameter wanted: The columns of some attributes, of which alone the values are encoded, or most of
    ///   the others are not; nil for the whole row.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column, and what `sink`
    ///   throws.
    func writeAttributes(
        of object: some PersistentModel,
        to sink: any RowSink,
        _ wanted: ColumnSet? = nil
    ) throws {
        guard let classTable else {
            let bits = wanted?.firstBits ?? .max
            if wanted?.isEmpty == true { return }
            return try ModelWriter.writeRow(
                object,
                to: sink,
                attributes: attributes,
                columns: declaredCount,
                wanted: bits
            )
        }
        let sinkOfClass = ClassRowSink(sink, columns: classColumns)
        let own = wanted.map { wanted in
            ColumnSet(classColumns.indices.lazy.filter { wanted.contains(classColumns[$0]) })
        }
        try ModelWriter.writeRow(
            object,
            to: sinkOfClass,
            attributes: attributes,
            columns: classColumns.count,
            wanted: own?.firstBits ?? .max
        )
        for column in foreignColumns { try sink.setNull(column) }
        try QueryValue.text(type.typeName).set(classTable.typeColumn, of: sink)
    }
}
