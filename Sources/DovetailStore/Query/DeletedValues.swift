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
        guard let isLive = entity.rowFilter, entity.markColumn != nil else {
            if deleted == .only { self.filter = .value(.bool(false)) }
            return
        }
        switch deleted {
        case .excluded: break
        case .included: self.filter = filter
        case .only: self.filter = filter.map { .and(.not(isLive), $0) } ?? .not(isLive)
        }
    }

    /// Whether it asks for deleted rows, too.
    package var seesDeleted: Bool {
        guard entity.markColumn != nil, let isLive = entity.rowFilter else { return false }
        func leavesOut(_ filter: QueryExpression?) -> Bool {
            if case .and(let left, let right)? = filter {
                return leavesOut(left) || leavesOut(right)
            }
            return filter == isLive
        }
        return !leavesOut(filter)
    }
}
