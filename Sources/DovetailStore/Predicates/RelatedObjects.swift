import DovetailModel

/// What a relationship leads to, as predicates see it: the rows of one table, or those of several where
/// it is one to a protocol.
struct RelatedObjects {
    /// The rows of each table. Of a relationship to one, at most one of them is there.
    var parts: [RelatedObject]
    /// Finds what the protocol requires; nil for a relationship to a class.
    var requirements: RequirementIndex?
    /// Whether there is no object whose list they are: that of `$0.owner?.items`. Nil where there always
    /// is one.
    var isHolderMissing: QueryExpression?

    /// The one table of a relationship to a class.
    private var only: RelatedObject? { parts.count == 1 ? parts[0] : nil }

    /// What the row says.
    func value(_ body: (RelatedObject) throws -> QueryExpression) rethrows -> QueryExpression {
        guard let first = parts.first else { return .value(.null) }
        return try parts.dropFirst().reduce(body(first)) { .coalesce($0, try body($1)) }
    }

    /// What several rows say.
    func answer(
        _ question: QueryRelation.Question,
        _ body: (RelatedObject) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        let answers = try parts.map { $0.answer(question, try body($0)) }
        guard let first = answers.first else {
            switch question {
            case .value: return .value(.null)
            case .any: return .no
            case .all: return .yes
            case .count: return .value(.integer(0))
            }
        }
        return answers.dropFirst().reduce(first) { left, right in
            switch question {
            case .value: .coalesce(left, right)
            case .any: .or(left, right)
            case .all: .and(left, right)
            case .count: .arithmetic(.add, left, right)
            }
        }
    }

    /// Whether there are no rows.
    var isEmpty: QueryExpression {
        let empty = parts.map { part in
            part.condition == nil
                ? QueryExpression.equal(part.answer(.count, .value(.null)), .value(.integer(0)))
                : .not(part.answer(.any, .yes))
        }
        return empty.dropFirst().reduce(empty.first ?? .yes) { .and($0, $1) }
    }

    /// Whether there is no row, as `== nil` asks.
    var isNothing: QueryExpression {
        let missing = parts.map { QueryExpression.equal($0.identifier, .value(.null)) }
        return missing.dropFirst().reduce(missing.first ?? .yes) { .and($0, $1) }
    }

    /// The key of the row, which needs no look at it where that is known.
    var identifier: QueryExpression { value { $0.identifier } }

    /// The same where there is one table only.
    var onlyIdentifier: QueryExpression? { only?.identifier }
}
