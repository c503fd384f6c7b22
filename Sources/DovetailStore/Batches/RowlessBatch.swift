package import DovetailModel

/// A part of what waits that tells of no row: it looks at what is stored when it is its turn, keeps something
/// about an entity, or changes rows of which other parts tell.
package class RowlessBatch: ChangeBatch {
    package let model: any Model.Type
    /// Whether it comes after everything else that a save writes, also of objects.
    package let isLast: Bool
    private let body: (any StoreConnection, EntityBinding) throws -> Void
    private let committed: () -> Void

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - isLast: Whether its turn is after everything else that is saved with it.
    ///   - didCommit: Is called when all is stored.
    ///   - body: Is called in the transaction, when it is the part's turn.
    package init(
        _ model: any Model.Type,
        isLast: Bool = false,
        didCommit: @escaping () -> Void = {},
        _ body: @escaping (any StoreConnection, EntityBinding) throws -> Void
    ) {
        self.model = model
        self.isLast = isLast
        self.body = body
        committed = didCommit
    }

    package final var verb: WriteVerb? { .update }
    package final var count: Int? { 0 }

    package final func rows(of entity: EntityBinding) -> [RowImage] { [] }

    package final func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        try body(connection, entity)
    }

    package final func didCommit() { committed() }
}
