package import DovetailModel

/// A part of what waits that writes no row, and looks at or keeps what was changed since an entity was
/// synchronized.
package final class BaseBatch: ChangeBatch {
    package let model: any Model.Type
    private let body: (any StoreConnection, EntityBinding) throws -> Void

    /// Makes a part.
    ///
    /// - Parameter body: Is called in the transaction, when it is the part's turn.
    package init(
        _ model: any Model.Type,
        _ body: @escaping (any StoreConnection, EntityBinding) throws -> Void
    ) {
        self.model = model
        self.body = body
    }

    package var verb: WriteVerb? { .update }
    package var count: Int? { 0 }

    package func rows(of entity: EntityBinding) -> [RowImage] { [] }

    package func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        try body(connection, entity)
    }
}
