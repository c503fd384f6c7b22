public import DovetailContext
public import DovetailModel

// How counterparts are removed where nothing else is said, by what they are.

extension Migratable where Context == ModelContext, Counterpart: Model & Identifiable {
    /// Deletes the value when the context is saved.
    public static func delete(_ counterpart: Counterpart, from context: ModelContext) {
        context.delete(counterpart)
    }
}

extension Migratable where Context == ModelContext, Counterpart: PersistentModel {
    /// Deletes the object when the context is saved.
    public static func delete(_ counterpart: Counterpart, from context: ModelContext) {
        context.delete(counterpart)
    }
}

extension Migratable where Context: EntityContext, Counterpart: Entity {
    /// Removes the object from the context.
    ///
    /// - Throws: what the context throws.
    public static func delete(_ counterpart: Counterpart, from context: Context) throws {
        try context.remove(counterpart)
    }
}

extension Migratable where Context == ModelContext, Counterpart: Entity {
    /// Deletes the object when the context is saved.
    public static func delete(_ counterpart: Counterpart, from context: ModelContext) {
        context.delete(counterpart)
    }
}

extension Migratable where Context == any EntityContext, Counterpart: Entity {
    /// Removes the object from the context.
    ///
    /// - Throws: what the context throws.
    public static func delete(_ counterpart: Counterpart, from context: any EntityContext) throws {
        try context.remove(counterpart)
    }
}
