public import DovetailModel

// What the accessors call that the macro writes. For a property whose type may be a class with
// `@Model` overload resolution chooses: such a property is a relationship, any other an attribute.

extension PersistentModel {
    /// Notes that a property is read. Called by generated code.
    @inlinable
    public func _$willRead<Value>(_ keyPath: @autoclosure () -> KeyPath<Self, Value>) {
        // Nobody tracks most reads: no key path is made for them.
        if isObservationTracked() { persistentBacking.isTracked(self, keyPath()) }
    }

    /// Notes that an attribute will change, and gives back its key path, for ``_$didChange(_:)``. Called by
    /// generated code.
    public func _$willChange<Value>(_ keyPath: KeyPath<Self, Value>) -> KeyPath<Self, Value> {
        let backing = persistentBacking
        // Before the change is noted: an observer may save what waits, or take it back.
        backing.willChange(self, keyPath)
        if let context = backing.context {
            let registry = context.registry
            if registry.log != nil { registry.noteValue(of: self, keyPath) }
            registry.markChanged(self, keyPath)
        }
        return keyPath
    }

    /// Notes that a property has changed. Called by generated code.
    public func _$didChange<Value>(_ keyPath: KeyPath<Self, Value>) {
        persistentBacking.didChange(self, keyPath)
    }

    /// Gives the object values that no program sets, without its observers. Called by generated code.
    public func _$taking(_ body: () -> Void) {
        let isOuter = !persistentBacking.isTaking
        persistentBacking.isTaking = true
        body()
        if isOuter { persistentBacking.isTaking = false }
    }

    // MARK: Reading

    /// The value of an attribute. Called by generated code.
    @_disfavoredOverload
    public func _$value<Value>(
        _ keyPath: KeyPath<Self, Value>,
        _ storage: Value?,
        _ slot: Int
    ) -> Value {
        persistentBacking.isRead(self, keyPath)
        // Invariant: an initializer sets every attribute before it ends, which the compiler checks.
        return storage.unsafelyUnwrapped
    }

    /// The object of a relationship that always has one. Called by generated code.
    ///
    /// Where it cannot be read any more, such as where its row is gone, it is one of empty values that is
    /// deleted (`MissingObject`). It ends the program for a class of which none can be made.
    public func _$value<Object: PersistentModel>(
        _ keyPath: KeyPath<Self, Object>,
        _ storage: Object?,
        _ slot: Int
    ) -> Object {
        if let object = other(keyPath, storage, slot) { return object }
        let index = persistentBacking.index(of: self, at: slot)
        guard let object: Object = missing(index) else { hasNoObject(keyPath) }
        return object
    }

    /// The object of a relationship. Called by generated code.
    public func _$value<Object: PersistentModel>(
        _ keyPath: KeyPath<Self, Object?>,
        _ storage: Object?,
        _ slot: Int
    ) -> Object? {
        other(keyPath, storage, slot)
    }

    /// The objects of a relationship. Called by generated code.
    public func _$value<Object: PersistentModel>(
        _ keyPath: KeyPath<Self, [Object]>,
        _ storage: [Object]?,
        _ slot: Int
    ) -> [Object] {
        persistentBacking.beginning != nil ? storage ?? [] : list(keyPath, storage, slot).objects
    }

    /// The same for an optional array. Called by generated code.
    public func _$value<Object: PersistentModel>(
        _ keyPath: KeyPath<Self, [Object]?>,
        _ storage: [Object]?,
        _ slot: Int
    ) -> [Object]? {
        persistentBacking.beginning != nil ? storage ?? [] : list(keyPath, storage, slot).objects
    }

    /// Ends the program: the type of the property leaves nothing else to give, and of a class with attributes whose
    /// values nobody knows, as of a struct or an enum that does not list its cases, no object can be made.
    func hasNoObject<Value>(_ keyPath: KeyPath<Self, Value>) -> Never {
        fatalError(
            "\(Self.self): the required relationship \(keyPath) has no object; its row is gone, or "
                + "cannot be read"
        )
    }

    private func other<Object: PersistentModel, Value>(
        _ keyPath: KeyPath<Self, Value>,
        _ storage: Object?,
        _ slot: Int
    ) -> Object? {
        if persistentBacking.beginning != nil { return storage }
        if storage != nil { _$link() }
        persistentBacking.isRead(self, keyPath)
        let index = persistentBacking.index(of: self, at: slot)
        return ObjectGraph.one(self, index).map { unsafeDowncast($0, to: Object.self) }
    }

    private func list<Object: PersistentModel, Value>(
        _ keyPath: KeyPath<Self, Value>,
        _ storage: [Object]?,
        _ slot: Int
    ) -> ObjectList<Object> {
        if storage?.isEmpty == false { _$link() }
        persistentBacking.isRead(self, keyPath)
        let index = persistentBacking.index(of: self, at: slot)
        // Invariant: the shape has the class of the property, of which the list was made.
        return unsafeDowncast(ObjectGraph.list(self, index), to: ObjectList<Object>.self)
    }

    // MARK: Changing

    /// Notes that an attribute will change, and gives back the value, which is to be stored. Called by
    /// generated code.
    @_disfavoredOverload
    public func _$set<Value>(
        _ value: Value,
        _ keyPath: KeyPath<Self, Value>,
        _ slot: Int
    ) -> Value {
        _ = _$willChange(keyPath)
        return value
    }

    /// Puts an object into a relationship, and stores nothing. Called by generated code.
    public func _$set<Object: PersistentModel>(
        _ value: Object,
        _ keyPath: KeyPath<Self, Object>,
        _ slot: Int
    ) -> Object? {
        persistentBacking.willChange(self, keyPath)
        return kept(value, slot)
    }

    /// Puts an object into a relationship, and stores nothing. Called by generated code.
    public func _$set<Object: PersistentModel>(
        _ value: Object?,
        _ keyPath: KeyPath<Self, Object?>,
        _ slot: Int
    ) -> Object? {
        persistentBacking.willChange(self, keyPath)
        return kept(value, slot)
    }

    /// Puts objects into a relationship, and stores nothing. Called by generated code.
    public func _$set<Object: PersistentModel>(
        _ value: [Object],
        _ keyPath: KeyPath<Self, [Object]>,
        _ slot: Int
    ) -> [Object]? {
        persistentBacking.willChange(self, keyPath)
        return kept(value, slot)
    }

    /// Puts objects into a relationship, and stores nothing. Called by generated code.
    public func _$set<Object: PersistentModel>(
        _ value: [Object]?,
        _ keyPath: KeyPath<Self, [Object]?>,
        _ slot: Int
    ) -> [Object]? {
        persistentBacking.willChange(self, keyPath)
        return kept(value, slot)
    }

    /// Puts an object into a relationship, and gives what is to be stored: nothing, but while an initializer
    /// runs that may end without an object.
    private func kept<Object: PersistentModel>(_ object: Object?, _ slot: Int) -> Object? {
        if keepsAlone() { return object }
        keep(object, slot)
        return nil
    }

    /// The same for several.
    private func kept<Object: PersistentModel>(_ objects: [Object]?, _ slot: Int) -> [Object]? {
        if keepsAlone() { return objects }
        keep(objects ?? [], slot)
        return nil
    }

    private func keep(_ object: (any PersistentModel)?, _ slot: Int) {
        linkOnce()
        ObjectGraph.set(
            self,
            persistentBacking.index(of: self, at: slot),
            to: object
        )
    }

    private func keep<Object: PersistentModel>(_ objects: [Object], _ slot: Int) {
        linkOnce()
        let index = persistentBacking.index(of: self, at: slot)
        ObjectGraph.set(self, index, toAll: objects)
    }

    /// Whether what is set stays in the storage: where an initializer runs that may end without an object, which
    /// makes it known at its end.
    func keepsAlone() -> Bool {
        guard let open = persistentBacking.beginning else { return false }
        open.add(self)
        return true
    }

    func linkOnce() {
        if !persistentBacking.isLinked { _$link() }
    }

    // MARK: Changing in place

    /// Notes that an attribute will change, and gives its value. Called by generated code.
    @_disfavoredOverload
    public func _$taken<Value>(
        _ keyPath: KeyPath<Self, Value>,
        _ storage: Value?,
        _ slot: Int
    ) -> Value {
        _$value(_$willChange(keyPath), storage, slot)
    }

    /// The objects of a relationship, to be changed in place. Called by generated code.
    public func _$taken<Object: PersistentModel>(
        _ keyPath: KeyPath<Self, [Object]>,
        _ storage: [Object]?,
        _ slot: Int
    ) -> [Object] {
        persistentBacking.willChange(self, keyPath)
        if persistentBacking.beginning != nil { return storage ?? [] }
        return list(keyPath, storage, slot).take()
    }

    /// The same for an optional array. Called by generated code.
    public func _$taken<Object: PersistentModel>(
        _ keyPath: KeyPath<Self, [Object]?>,
        _ storage: [Object]?,
        _ slot: Int
    ) -> [Object]? {
        persistentBacking.willChange(self, keyPath)
        if persistentBacking.beginning != nil { return storage ?? [] }
        return list(keyPath, storage, slot).take()
    }

    /// What the storage of an attribute holds while it is changed in place. Called by generated code.
    @_disfavoredOverload
    public func _$lent<Value>(_ storage: Value) -> Value { storage }

    /// What the storage of a relationship holds while it is changed in place: nothing. Called by generated code.
    public func _$lent<Object: PersistentModel>(_ storage: [Object]?) -> [Object]? { nil }

    /// Gives back the value of an attribute, which is to be stored. Called by generated code.
    @_disfavoredOverload
    public func _$kept<Value>(_ value: Value, _ slot: Int) -> Value { value }

    /// Puts objects back into a relationship, and stores nothing. Called by generated code.
    public func _$kept<Object: PersistentModel>(_ value: [Object], _ slot: Int) -> [Object]? {
        kept(value, slot)
    }

    /// Puts objects back into a relationship, and stores nothing. Called by generated code.
    public func _$kept<Object: PersistentModel>(_ value: [Object]?, _ slot: Int) -> [Object]? {
        kept(value, slot)
    }

    // MARK: After an initializer

    /// Hands what an initializer has set to the relationships, unless one around it may still end without an
    /// object. Called by generated code.
    public func _$endInitializer() {
        if let open = OpenInitializers.current { open.add(self) } else { _$link() }
    }

    /// Notes that what was set is handed to the relationships. Called by generated code.
    public func _$beginLinking() { persistentBacking.isLinked = true }

    /// An attribute stays where it is. Called by generated code.
    @_disfavoredOverload
    public func _$linked<Value>(_ storage: Value, _ slot: Int) -> Value { storage }

    /// Hands an object to its relationship. Called by generated code.
    ///
    /// That one comes first: it may have this one in turn, and have been made in the same initializer.
    public func _$linked<Object: PersistentModel>(_ storage: Object?, _ slot: Int) -> Object? {
        guard let storage else { return nil }
        storage.linkOnce()
        keep(storage, slot)
        return nil
    }

    /// Hands objects to their relationship. Called by generated code.
    public func _$linked<Object: PersistentModel>(_ storage: [Object]?, _ slot: Int) -> [Object]? {
        guard let storage, !storage.isEmpty else { return nil }
        for object in storage { object.linkOnce() }
        keep(storage, slot)
        return nil
    }
}

/// The key that the library gives each object of a class. Called by generated code.
public func _hiddenKey<Object>(
    _ keyPath: any KeyPath<Object, PersistentIdentifier> & Sendable,
    aliases: [any AnyKeyPath & Sendable] = []
) -> ModelAttribute? {
    ModelAttribute(
        hidden: "$id",
        keyPath,
        aliases: aliases,
        type: .integer,
        isOptional: false,
        primaryKey: true
    )
}
