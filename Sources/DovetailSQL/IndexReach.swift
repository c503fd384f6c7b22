import DovetailModel
import DovetailStore

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
