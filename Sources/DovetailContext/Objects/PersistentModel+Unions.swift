import DovetailModel

// What the accessors call of a property with `@Relationship` whose type is `any P`, an optional of it or
// an array of it.

extension PersistentModel {
    /// The object of a relationship to a protocol that always has one. Called by generated code.
    ///
    /// Where it cannot be read any more, such as where its row is gone, it is one of empty values that is
    /// deleted (`MissingObject`). It ends the program for classes of which none can be made.
    public func _$anyValue<Value>(
        _ keyPath: KeyPath<Self, Value>,
        _ storage: Value?,
        _ slot: Int
    ) -> Value {
        if let value = other(keyPath, storage, slot) { return value }
        guard let union = persistentBacking.union(of: self, at: slot),
            let value = missing(union, as: Value.self)
        else { hasNoObject(keyPath) }
        return value
    }

    /// The object of a relationship to a protocol. Called by generated code.
    public func _$anyValue<Value>(
        _ keyPath: KeyPath<Self, Value?>,
        _ storage: Value?,
        _ slot: Int
    ) -> Value? {
        other(keyPath, storage, slot)
    }

    /// The objects of a relationship to a protocol. Called by generated code.
    public func _$anyValue<Value>(
        _ keyPath: KeyPath<Self, [Value]>,
        _ storage: [Value]?,
        _ slot: Int
    ) -> [Value] {
        if persistentBacking.beginning != nil { return storage ?? [] }
        return list(keyPath, storage, slot)?.values ?? []
    }

    /// The same for an optional array. Called by generated code.
    public func _$anyValue<Value>(
        _ keyPath: KeyPath<Self, [Value]?>,
        _ storage: [Value]?,
        _ slot: Int
    ) -> [Value]? {
        if persistentBacking.beginning != nil { return storage ?? [] }
        return list(keyPath, storage, slot)?.values ?? []
    }

    private func other<Value, Property>(
        _ keyPath: KeyPath<Self, Property>,
        _ storage: Value?,
        _ slot: Int
    ) -> Value? {
        if persistentBacking.beginning != nil { return storage }
        if storage != nil { _$link() }
        persistentBacking.isRead(self, keyPath)
        guard let union = persistentBacking.union(of: self, at: slot) else { return nil }
        return ObjectGraph.one(self, union).flatMap { $0 as? Value }
    }

    /// The list of a relationship; nil where no class conforms.
    private func list<Value, Property>(
        _ keyPath: KeyPath<Self, Property>,
        _ storage: [Value]?,
        _ slot: Int
    ) -> UnionList<Value>? {
        if storage?.isEmpty == false { _$link() }
        persistentBacking.isRead(self, keyPath)
        return persistentBacking.union(of: self, at: slot).map {
            ObjectGraph.list(self, $0, of: Value.self)
        }
    }

    /// Puts an object into a relationship to a protocol, and stores nothing. Called by generated code.
    public func _$anySet<Value>(
        _ value: Value,
        _ keyPath: KeyPath<Self, Value>,
        _ slot: Int
    ) -> Value? {
        persistentBacking.willChange(self, keyPath)
        return kept(value, slot)
    }

    /// Puts an object into a relationship to a protocol, and stores nothing. Called by generated code.
    public func _$anySet<Value>(
        _ value: Value?,
        _ keyPath: KeyPath<Self, Value?>,
        _ slot: Int
    ) -> Value? {
        persistentBacking.willChange(self, keyPath)
        return kept(value, slot)
    }

    /// Puts objects into a relationship to a protocol, and stores nothing. Called by generated code.
    public func _$anySet<Value>(
        _ value: [Value],
        _ keyPath: KeyPath<Self, [Value]>,
        _ slot: Int
    ) -> [Value]? {
        persistentBacking.willChange(self, keyPath)
        return kept(value, slot)
    }

    /// Puts objects into a relationship to a protocol, and stores nothing. Called by generated code.
    public func _$anySet<Value>(
        _ value: [Value]?,
        _ keyPath: KeyPath<Self, [Value]?>,
        _ slot: Int
    ) -> [Value]? {
        persistentBacking.willChange(self, keyPath)
        return kept(value, slot)
    }

    /// Puts an object into a relationship, and gives what is to be stored: nothing, but while an initializer
    /// runs that may end without an object.
    private func kept<Value>(_ value: Value?, _ slot: Int) -> Value? {
        if keepsAlone() { return value }
        keep(value, slot)
        return nil
    }

    /// The same for several.
    private func kept<Value>(_ values: [Value]?, _ slot: Int) -> [Value]? {
        if keepsAlone() { return values }
        keep(values ?? [], slot)
        return nil
    }

    private func keep<Value>(_ value: Value?, _ slot: Int) {
        linkOnce()
        guard let union = persistentBacking.union(of: self, at: slot) else { return }
        guard let value else { return ObjectGraph.set(self, union, to: nil) }
        guard let object = value as? any PersistentModel else {
            return ObjectGraph.refuse(type(of: value as Any), self, union)
        }
        ObjectGraph.set(self, union, to: object)
    }

    private func keep<Value>(_ values: [Value], _ slot: Int) {
        linkOnce()
        guard let union = persistentBacking.union(of: self, at: slot) else { return }
        ObjectGraph.set(self, union, toAll: values)
    }

    /// The objects of a relationship to a protocol, to be changed in place. Called by generated code.
    public func _$anyTaken<Value>(
        _ keyPath: KeyPath<Self, [Value]>,
        _ storage: [Value]?,
        _ slot: Int
    ) -> [Value] {
        persistentBacking.willChange(self, keyPath)
        if persistentBacking.beginning != nil { return storage ?? [] }
        return list(keyPath, storage, slot)?.take() ?? []
    }

    /// The same for an optional array. Called by generated code.
    public func _$anyTaken<Value>(
        _ keyPath: KeyPath<Self, [Value]?>,
        _ storage: [Value]?,
        _ slot: Int
    ) -> [Value]? {
        persistentBacking.willChange(self, keyPath)
        if persistentBacking.beginning != nil { return storage ?? [] }
        return list(keyPath, storage, slot)?.take() ?? []
    }

    /// Puts objects back into a relationship to a protocol, and stores nothing. Called by generated code.
    public func _$anyKept<Value>(_ value: [Value], _ slot: Int) -> [Value]? {
        kept(value, slot)
    }

    /// Puts objects back into a relationship to a protocol, and stores nothing. Called by generated code.
    public func _$anyKept<Value>(_ value: [Value]?, _ slot: Int) -> [Value]? {
        kept(value, slot)
    }

    /// Hands an object to its relationship to a protocol. Called by generated code.
    public func _$anyLinked<Value>(_ storage: Value?, _ slot: Int) -> Value? {
        guard let storage else { return nil }
        (storage as? any PersistentModel)?.linkOnce()
        keep(storage, slot)
        return nil
    }

    /// Hands objects to their relationship to a protocol. Called by generated code.
    public func _$anyLinked<Value>(_ storage: [Value]?, _ slot: Int) -> [Value]? {
        guard let storage, !storage.isEmpty else { return nil }
        for object in storage { (object as? any PersistentModel)?.linkOnce() }
        keep(storage, slot)
        return nil
    }
}
