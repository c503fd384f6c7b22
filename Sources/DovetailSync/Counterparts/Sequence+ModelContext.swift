public import DovetailContext
public import DovetailModel
import DovetailStore

extension Sequence
where Element: Migratable, Element.Context == ModelContext, Element.Counterpart: Model {
    /// Makes all counterparts that a context has, and its store, stand for exactly these values.
    ///
    /// ```swift
    /// try messages.synchronize(in: context)
    /// try context.save()
    /// ```
    ///
    /// - Complexity: a fetch of all counterparts, and as of `synchronize(with:in:)`.
    /// - Throws: as `synchronize(with:in:)`, and what the fetch throws.
    @discardableResult
    public func synchronize(
        in context: ModelContext
    ) throws -> SynchronizeResult<Element.Counterpart> {
        try synchronize(
            with: context.fetch(FetchDescriptor<Element.Counterpart>()),
            in: context
        )
    }

    /// Removes the counterparts of these values from a context, and nothing else.
    ///
    /// - Complexity: a fetch of all counterparts, and as of `remove(from:in:)`.
    /// - Throws: as `remove(from:in:)`, and what the fetch throws.
    @discardableResult
    public func remove(
        from context: ModelContext
    ) throws -> SynchronizeResult<Element.Counterpart> {
        try remove(from: context.fetch(FetchDescriptor<Element.Counterpart>()), in: context)
    }
}

extension Sequence
where Element: Migratable, Element.Context == ModelContext, Element.Counterpart: PersistentModel {
    /// Makes the counterparts that one object has stand for exactly these values. New ones come to the end
    /// of the relationship.
    ///
    /// ```swift
    /// try messages.synchronize(within: \StoredChat.messages, of: chat, in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - relationship: Where the object has them.
    ///   - owner: The object.
    ///   - context: The context of the object.
    /// - Complexity: the counterparts of this one object, however many others there are, and as of
    ///   `synchronize(with:in:)`.
    /// - Throws: as `synchronize(with:in:)`.
    @discardableResult
    public func synchronize<Owner: PersistentModel>(
        within relationship: ReferenceWritableKeyPath<Owner, [Element.Counterpart]>,
        of owner: Owner,
        in context: ModelContext
    ) throws -> SynchronizeResult<Element.Counterpart> {
        let result = try synchronize(with: owner[keyPath: relationship], in: context)
        let held = Set(owner[keyPath: relationship])
        // The update by default has made another one.
        let new = (result.updated + result.added).filter { !held.contains($0) }
        if !new.isEmpty { owner[keyPath: relationship] += new }
        return result
    }
}
