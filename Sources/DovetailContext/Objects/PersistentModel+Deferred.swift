public import DovetailModel
import DovetailStore

// Large values that an object does not read with its row: `@Attribute(.externalStorage)`. The storage holds nil
// or nothing until the property is read, and `ObjectBacking.deferred` says so. What generated code asks
// for comes before the storage is seen, whoever looks at it: the accessors, a document, or the row that a save
// compares. So nobody else has to know of it.

extension PersistentModel {
    /// The value of a property that the object has not read, which is to be stored; nil for one that it has,
    /// and for one that cannot be read. Called by generated code.
    ///
    /// An error is thrown by the next fetch or save of the context.
    @inlinable
    public func _$deferred<Value>(_ keyPath: @autoclosure () -> KeyPath<Self, Value>) -> Value? {
        persistentBacking.isPartial ? deferredValue(keyPath()) : nil
    }

    /// The same before the object is written; nil also where the writer does not want the next field. Called
    /// by generated code.
    ///
    /// - Throws: what a fetch throws.
    public func _$deferred<Value>(
        _ keyPath: KeyPath<Self, Value>,
        for writer: borrowing ModelWriter
    ) throws -> Value? {
        let backing = persistentBacking
        guard backing.isPartial, writer.wantsNextField, let reader = backing.reader else {
            return nil
        }
        // A document has all values: one query.
        if !writer.isRow { reader.readLargeValues(of: [self]) }
        return try reader.deferredValue(of: self, keyPath)
    }

    /// The same where some value was not read.
    @usableFromInline
    func deferredValue<Value>(_ keyPath: KeyPath<Self, Value>) -> Value? {
        guard let reader = persistentBacking.reader, reader.mayEnter() else { return nil }
        defer { reader.leave() }
        do {
            return try reader.deferredValue(of: self, keyPath)
        } catch {
            reader.registry.problem = reader.registry.problem ?? error
            return nil
        }
    }

    /// Whether an object that was made of its row has the value of a property, which is then taken from it:
    /// otherwise this one keeps what it has read before. Called by generated code.
    public func _$takes<Value>(
        _ keyPath: KeyPath<Self, Value>,
        from other: any PersistentModel
    ) -> Bool {
        let deferred = other.persistentBacking.deferred
        guard !deferred.isEmpty, let registry = persistentBacking.reader?.registry else {
            return true
        }
        guard let column = try? registry.columns(of: type(of: self)).column(of: keyPath) else {
            return true
        }
        return !deferred.contains(column)
    }

    /// Notes that an attribute will have another value, as ``_$willChange(_:)``, whether the object has read
    /// the one that is there or not. Called by generated code.
    ///
    /// In a context the value that is there is read first: a save compares with it what is stored.
    public func _$willReplace<Value>(_ keyPath: KeyPath<Self, Value>) -> KeyPath<Self, Value> {
        let path = _$willChange(keyPath)
        let backing = persistentBacking
        guard backing.isPartial else { return path }
        let column: Int? =
            if let registry = backing.reader?.registry {
                try? registry.columns(of: type(of: self)).column(of: path)
            } else {
                // A class has the attributes of the one above it first.
                Self.modelAttributes.firstIndex { $0.isAttribute(path) }
            }
        if let column { backing.deferred = backing.deferred.subtracting([column]) }
        return path
    }

    /// Becomes what another object is that was made of a row, but for relationships.
    func takeAttributes(of other: any PersistentModel) {
        _$taking { _$take(from: other) }
        persistentBacking.deferred = other.persistentBacking.deferred
    }

    /// Takes attributes of another object as a program sets them: its context saves them.
    func takeAttributes(
        of other: any PersistentModel,
        changing keyPaths: [any AnyKeyPath & Sendable]
    ) {
        let backing = persistentBacking
        if let registry = backing.context?.registry {
            for keyPath in keyPaths { registry.markChanged(self, keyPath) }
            registry.log?.noteValues(of: self, in: registry.context)
        }
        backing.changing(self, keyPaths[...]) { takeAttributes(of: other) }
    }
}

extension ObjectBacking {
    /// What reads the row of the object; nil for one that has none.
    fileprivate var reader: ModelContext? {
        context ?? batch?.ended?.context ?? batch?.marked?.reader
    }
}

extension ObjectRegistry {
    /// Notes that nobody can read any more what an object has not read.
    func giveUpDeferred(of object: any PersistentModel) {
        let backing = object.persistentBacking
        guard backing.isPartial else { return }
        let columns = (try? context.entity(of: type(of: object)))?.classColumns ?? []
        let deferred = backing.deferred
        backing.deferred = ColumnSet(columns.indices.filter { deferred.contains(columns[$0]) })
    }
}

extension ModelContext {
    /// Reads a large value of an object; nil for one that it has, or where its row is gone.
    ///
    /// - Complexity: one query by the key; linear in the size of the value.
    /// - Throws: what a fetch throws.
    fileprivate func deferredValue<Object: PersistentModel, Value>(
        of object: Object,
        _ keyPath: KeyPath<Object, Value>
    ) throws -> Value? {
        let backing = object.persistentBacking
        // The object may be of a class below the one that declares the property.
        let type: any PersistentModel.Type = Swift.type(of: object as any PersistentModel)
        guard let column = try registry.columns(of: type).column(of: keyPath),
            backing.deferred.contains(column), let key = backing.key
        else { return nil }
        var found: (any PersistentModel)?
        if let arrived = registry.arrived, arrived.object === object {
            found = arrived.row
        } else {
            let entity = try entity(of: type)
            // A marked row is there, too.
            var query = Query(entity, .included, filter: entity.filter(of: [key.values]))
            query.deferLargeValues(butFor: [column])
            found = try withRows(of: query, type, false) { cursor, entity in
                try cursor.next() ? try newObject(type, from: cursor, entity) : nil
            }
        }
        guard let found = found as? Object else { return nil }
        backing.deferred = backing.deferred.subtracting([column])
        return found[keyPath: keyPath]
    }

    /// Takes the large values of a row that an object has not read, and nothing else: what others have changed
    /// beside them is not seen before the next fetch.
    ///
    /// - Throws: ``ModelDecodingError`` for a row that is no object of the class.
    func takeDeferred<Object: PersistentModel>(
        of object: Object,
        from row: any RowSource,
        _ entity: EntityBinding
    ) throws {
        let backing = object.persistentBacking
        let arriving = backing.deferred.subtracting(entity.deferredColumns(in: row))
        if arriving.isEmpty { return }
        let type = type(of: object)
        let attributes = try self.entity(of: type.modelRoot).attributes
        registry.arrived = (object, try newObject(type, from: row, self.entity(of: type)))
        defer { registry.arrived = nil }
        for column in arriving { _ = object[keyPath: attributes[column].keyPath as AnyKeyPath] }
    }

    /// Reads all large values of objects of one table, where one of them has several or there are several of
    /// them: one query for a thousand, instead of one for each value. What cannot be read is tried
    /// again one by one.
    func readLargeValues(of objects: [any PersistentModel]) {
        let partial = objects.filter {
            let backing = $0.persistentBacking
            return backing.isPartial && backing.state == .stored && backing.context === self
        }
        guard let first = partial.first,
            partial.count > 1 || first.persistentBacking.deferred.count > 1,
            let entity = try? entity(of: type(of: first).modelRoot)
        else { return }
        var waiting: [RowKey: any PersistentModel] = [:]
        for object in partial {
            if let key = object.persistentBacking.key { waiting[key] = object }
        }
        let keys = waiting.keys.map(\.values)
        var start = 0
        while start < keys.count {
            let end = Swift.min(start + 1000, keys.count)
            let query = Query(entity, filter: entity.filter(of: Array(keys[start..<end])))
            start = end
            try? withRows(of: query, entity.type, false) { cursor, entity in
                while try cursor.next() {
                    let key = try RowKey(row: cursor, entity: entity)
                    guard let object = waiting[key] else { continue }
                    try takeDeferred(of: object, from: cursor, entity)
                }
            }
        }
    }

    /// Reads all large values of an object that is to have a new row.
    ///
    /// - Throws: what a fetch throws, and ``StoreError`` of kind `invalidObject` for values that are gone with
    ///   the row that they were in.
    func requireLargeValues<Object: PersistentModel>(of object: Object) throws {
        let backing = object.persistentBacking
        guard backing.isPartial else { return }
        var attributes = type(of: object).modelAttributes
        if backing.reader != nil {
            attributes = try entity(of: type(of: object).modelRoot).attributes
            for column in backing.deferred {
                _ = object[keyPath: attributes[column].keyPath as AnyKeyPath]
            }
        }
        guard let column = backing.deferred.first(where: { _ in true }) else { return }
        throw ObjectError.unread(attributes[column], of: object)
    }
}
