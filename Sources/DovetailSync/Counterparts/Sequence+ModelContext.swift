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
