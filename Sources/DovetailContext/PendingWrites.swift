public import DovetailModel
public import DovetailStore

/// Values of one model that wait to be written in one way. A ``ModelContext`` owns them, in the
/// order in which they came.
///
/// The closure is made where the model is known, in the caller's module, so that the loop over the
/// values is specialized code although this class is not generic.
///
/// Invariant: where `verb` is not nil, `values` is a ``PendingValues`` of `model`, and more values
/// may be appended to it. `ModelContext.enqueue` alone makes such ones.
@usableFromInline
final class PendingWrites {
    /// What is done with each value; nil for writes that take no further ones, such as a deletion
    /// by a predicate.
    @usableFromInline let verb: WriteVerb?
    @usableFromInline let model: any Model.Type
    /// The values, which `write` holds too. Boxed, so that appending does not copy them.
    @usableFromInline let values: AnyObject
    /// Writes the values. It may run many times: for each fetch that has to see them, and to save.
    @usableFromInline let write: (any StoreConnection, EntitySchema) throws -> Void

    @usableFromInline
    init(
        _ verb: WriteVerb?,
        _ model: any Model.Type,
        values: AnyObject,
        write: @escaping (any StoreConnection, EntitySchema) throws -> Void
    ) {
        self.verb = verb
        self.model = model
        self.values = values
        self.write = write
    }
}

/// The values of a ``PendingWrites``, in a box that its closure shares.
@usableFromInline
final class PendingValues<Value> {
    @usableFromInline var array: [Value]

    @inlinable
    init(_ array: [Value]) {
        self.array = array
    }
}
