package import DovetailModel

/// A part of what waits that tells of no row: it looks at what is stored when it is its turn, keeps something
/// about an entity, or changes rows of which other parts tell.
package class RowlessBatch: ChangeBatch {
    package let model: any Model.Type
    /// Whether it comes after everything else that a save writes, also of objects.
    package let isLast: Bool
    private let body: (any StoreConnection, EntityBinding) throws -> Void
    private let committed: () -> Void
    /// What is done together with others, and does so.
    private let part: AnyObject?
    private let together: ((ArraySlice<RowlessBatch>, any StoreConnection) throws -> Int)?

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
        (part, together) = (nil, nil)
    }

    /// Makes a part that comes after everything else, together with others of its kind that come one after the
    /// other.
    ///
    /// - Parameters:
    ///   - part: What it has to do.
    ///   - body: Is called in the transaction with all of them, in their order.
    package init<Part: AnyObject>(
        _ model: any Model.Type,
        last part: Part,
        _ body: @escaping ([Part], any StoreConnection) throws -> Void
    ) {
        self.model = model
        self.part = part
        isLast = true
        self.body = { connection, _ in try body([part], connection) }
        committed = {}
        together = { batches, connection in
            let parts = batches.prefix { $0.part is Part }.compactMap { $0.part as? Part }
            try body(parts, connection)
            return parts.count
        }
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

    /// Has its turn after everything else, and that of those behind it with which it is done together.
    ///
    /// - Parameter batches: This one, and those behind it.
    /// - Returns: for how many it was the turn.
    package final func applyLast(
        with batches: ArraySlice<RowlessBatch>,
        to connection: any StoreConnection,
        of entity: EntityBinding
    ) throws -> Int {
        if let together { return try together(batches, connection) }
        try body(connection, entity)
        return 1
    }
}

extension ChangeBatch {
    /// The batch as a part that comes after everything else that is saved with it; nil for others.
    package var last: RowlessBatch? {
        (self as? RowlessBatch).flatMap { $0.isLast ? $0 : nil }
    }
}
