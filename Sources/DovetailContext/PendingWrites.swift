public import DovetailModel
public import DovetailStore

/// Values of one model that wait to be written in one way.
///
/// The closure is made where the model is known, in the caller's module, so that the loop over the
/// values is specialized code although this class is not generic.
@usableFromInline
final class PendingWrites {
    @usableFromInline let verb: WriteVerb?
    @usableFromInline let model: any Model.Type
    @usableFromInline let values: AnyObject
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

/// The values of a ``PendingWrites``.
@usableFromInline
final class PendingValues<Value> {
    @usableFromInline var array: [Value]

    @inlinable
    init(_ array: [Value]) {
        self.array = array
    }
}
