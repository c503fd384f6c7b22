/// Whether deleted values are asked for, of a model with `@Model(deletion: .mark)`.
public enum DeletedValues: Hashable, Sendable {
    /// Values that were not deleted.
    case excluded
    /// All values.
    case included
    /// Values that were deleted.
    case only
}

extension Query {
    /// Asks for rows of an entity, also for deleted ones. Of a model whose rows are removed there are none.
    public init(
        _ entity: EntityBinding,
        _ deleted: DeletedValues,
        filter: QueryExpression? = nil,
        order: [QueryOrder] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.init(entity, filter: filter, order: order, limit: limit, offset: offset)
        guard let isLive = entity.liveFilter else {
            if deleted == .only { self.filter = .value(.bool(false)) }
            return
        }
        switch deleted {
        case .excluded: break
        case .included: self.filter = .all([entity.classFilter, filter])
        case .only: self.filter = .all([entity.classFilter, .not(isLive), filter])
        }
    }

    /// Whether it asks for deleted rows, too.
    package var seesDeleted: Bool {
        guard let isLive = entity.liveFilter else { return false }
        func leavesOut(_ filter: QueryExpression?) -> Bool {
            if case .and(let left, let right)? = filter {
                return leavesOut(left) || leavesOut(right)
            }
            return filter == isLive
        }
        return !leavesOut(filter)
    }
}

extension QueryExpression {
    /// The condition that all of some conditions hold; nil for none.
    static func all(_ conditions: [QueryExpression?]) -> QueryExpression? {
        let all = conditions.compactMap(\.self)
        guard let first = all.first else { return nil }
        return all.dropFirst().reduce(first) { .and($0, $1) }
    }
}
