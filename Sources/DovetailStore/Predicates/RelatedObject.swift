import DovetailModel

/// An object that a relationship leads to, as predicates see it: the row of a table that holds a value
/// in a column.
struct RelatedObject {
    /// The entity of the row.
    var entity: EntityBinding
    /// The column.
    let column: Int
    /// The value, for the row from which the relationship leads.
    var key: QueryExpression
    /// The join table between both; nil where one of them holds the key of the other.
    var join: (table: EntityBinding, columns: JoinColumns)?
    /// What has to hold of a row that counts, of several; nil for all of them.
    var condition: QueryExpression?

    /// That of a relationship to one; nil where no column says which it is.
    init?(of holder: EntityBinding, _ index: Int, _ target: EntityBinding) {
        if holder.links[index].holdsKey {
            guard let own = holder.keyColumn(of: index), target.keyColumns.count == 1 else {
                return nil
            }
            entity = target
            column = target.keyColumns[0]
            key = .attribute(own, isOptional: holder.attributes[own].isOptional)
        } else {
            guard let inverse = holder.links[index].inverse,
                let other = target.keyColumn(of: inverse)
            else { return nil }
            entity = target
            column = other
            key = .attribute(holder.keyColumns[0], isOptional: false)
        }
    }

    /// The row of a table that holds a value in a column.
    init(
        entity: EntityBinding,
        column: Int,
        key: QueryExpression,
        join: (table: EntityBinding, columns: JoinColumns)? = nil
    ) {
        self.entity = entity
        self.column = column
        self.key = key
        self.join = join
    }

    /// What the row says.
    func value(_ body: QueryExpression) -> QueryExpression {
        .related(QueryRelation(entity, column: column, .value), key, body)
    }

    /// What several rows say.
    ///
    /// - Parameter body: What is asked of each; NULL of a count.
    func answer(_ question: QueryRelation.Question, _ body: QueryExpression) -> QueryExpression {
        let body = condition.map { question.body(body, ofRowsWith: $0) } ?? body
        guard let join else {
            return .related(QueryRelation(entity, column: column, question), key, body)
        }
        // A row of the join table stands for one of the other.
        let other = QueryExpression.related(
            QueryRelation(entity, column: column, .any),
            .attribute(join.columns.other, isOptional: false),
            body
        )
        return .related(
            QueryRelation(join.table, column: join.columns.own, question),
            key,
            question == .count && condition == nil ? body : other
        )
    }

    /// The key of the row, which needs no look at it where that is known.
    var identifier: QueryExpression {
        guard entity.keyColumns != [column] else { return key }
        return value(.attribute(entity.keyColumns[0], isOptional: false))
    }
}

extension EntityBinding {
    /// The column that holds the key of a relationship.
    func keyColumn(of index: Int) -> Int? {
        for case .key(index, let column) in relationshipColumns { return column }
        return nil
    }
}

extension QueryRelation.Question {
    /// What is asked of each row, where only those count of which a condition holds.
    func body(_ body: QueryExpression, ofRowsWith condition: QueryExpression) -> QueryExpression {
        switch self {
        case .value: body
        case .any: .and(condition, body)
        case .all: .conditional(condition, body, .yes)
        case .count: condition
        }
    }
}
