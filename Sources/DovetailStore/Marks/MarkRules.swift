import DovetailModel

/// Which models of a schema mark their deleted rows, and who refers to these.
package struct MarkRules: Sendable {
    /// A column that holds the key of a row of a model that marks.
    struct Reference: Sendable {
        let entity: EntityBinding
        let column: Int
        /// The table that is referred to.
        let target: EntityBinding
        let rule: DeleteRule
    }

    /// By the table that is referred to.
    private let incoming: [String: [Reference]]
    /// By the table that refers.
    private let outgoing: [String: [Reference]]

    /// Nil where no model marks.
    ///
    /// - Complexity: linear in the number of references.
    package init?(_ schema: Schema) {
        let marking = schema.bindings.filter { $0.markColumn != nil }
        if marking.isEmpty { return nil }
        let targets = Dictionary(
            marking.map { ($0.table, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let all = schema.bindings.flatMap { entity in
            entity.description.references.compactMap { reference in
                targets[reference.table].map {
                    Reference(
                        entity: entity,
                        column: reference.column,
                        target: $0,
                        rule: reference.deleteRule
                    )
                }
            }
        }
        incoming = Dictionary(grouping: all, by: \.target.table)
        outgoing = Dictionary(grouping: all, by: \.entity.table)
    }

    /// The columns that refer to rows of an entity.
    func references(to entity: EntityBinding) -> [Reference] { incoming[entity.table] ?? [] }

    /// The columns by which rows of an entity refer to such rows.
    func references(of entity: EntityBinding) -> [Reference] { outgoing[entity.table] ?? [] }
}
