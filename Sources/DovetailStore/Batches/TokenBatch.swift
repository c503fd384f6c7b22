package import DovetailModel

/// A part of what waits that keeps the token of an entity, and writes no row.
package final class TokenBatch: ChangeBatch {
    package let model: any Model.Type
    private let expected: String?
    /// What is kept; nil to forget it.
    package let token: String?

    /// Makes a part.
    ///
    /// - Parameter expected: What has to be kept until then; another one is refused.
    package init(_ model: any Model.Type, _ token: String?, after expected: String?) {
        self.model = model
        self.token = token
        self.expected = expected
    }

    package var verb: WriteVerb? { .update }
    package var count: Int? { 0 }

    package func rows(of entity: EntityBinding) -> [RowImage] { [] }

    package func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        guard try connection.token(of: entity) == expected else {
            throw StoreError(
                .planOutdated,
                table: entity.table,
                explanation:
                    "changes up to another token were saved meanwhile; ask for those since then"
            )
        }
        try connection.setToken(token, of: entity)
    }
}
