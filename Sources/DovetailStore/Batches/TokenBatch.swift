package import DovetailModel

/// A part of what waits that keeps the token of an entity, and writes no row.
package final class TokenBatch: RowlessBatch {
    /// What is kept; nil to forget it.
    package let token: String?

    /// Makes a part.
    ///
    /// - Parameter expected: What has to be kept until then; another one is refused.
    package init(_ model: any Model.Type, _ token: String?, after expected: String?) {
        self.token = token
        super.init(model) { connection, entity in
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
}
