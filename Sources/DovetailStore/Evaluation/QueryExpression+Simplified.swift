import DovetailModel

extension QueryExpression {
    /// The expression without what is known before a row is read, where its parts are simplified
    /// already. It holds for the same rows.
    ///
    /// A predicate over a model protocol is translated for each conformer, and what it asks of the
    /// type is a constant there.
    ///
    /// - Complexity: O(1), and that of an evaluation where all parts are constants.
    /// - Throws: ``ModelDecodingError`` for a constant document that is none.
    func simplified(in entity: EntityBinding) throws -> QueryExpression {
        switch self {
        case .attribute, .value, .element, .quantified(.filter, _, _, _), .related, .outer:
            return self
        case .and(let left, let right):
            if left == .no || right == .no { return .no }
            if left == .yes { return right }
            if right == .yes { return left }
        case .or(let left, let right):
            if left == .yes || right == .yes { return .yes }
            if left == .no { return right }
            if right == .no { return left }
        case .coalesce(.value(let value), let right): return value == .null ? right : .value(value)
        case .coalesce(let left, _) where !left.isOptional: return left
        case .conditional(.value(let value), let first, let second):
            return value == .bool(true) ? first : second
        case .quantified(_, let array, _, _):
            return array == .value(.null) ? array : self
        case .comparison, .arithmetic, .call, .member, .not:
            if parts.contains(.value(.null)) { return .value(.null) }
        case .equal, .isIn, .coalesce, .conditional: break
        }
        let isConstant = parts.allSatisfy { part in
            if case .value = part { true } else { false }
        }
        guard isConstant else { return self }
        return .value(try QueryEvaluator(entity, row: RowImage(columns: 0)).value(self))
    }

    /// Whether enough of it is known before a row is read that ``simplified(in:)`` may make less of it.
    ///
    /// - Complexity: O(1).
    var hasConstantPart: Bool {
        switch self {
        case .arithmetic(_, .value, .value), .comparison(_, .value, .value), .equal(.value, .value),
            .isIn(.value, _), .coalesce(.value, _), .conditional(.value, _, _), .not(.value),
            .and(.value, _), .and(_, .value), .or(.value, _), .or(_, .value):
            true
        default: false
        }
    }

    /// What compares a value that has a default with another constant, as `($0.name ?? "") == "ann"` does, without
    /// the default: where the value is missing neither of them holds, and an index serves the second.
    ///
    /// - Complexity: O(1), but linear in a list.
    var withoutDefault: QueryExpression {
        switch self {
        case .equal(.coalesce(let value, .value(let other)), .value(let wanted))
        where wanted != .null && wanted != other:
            return .equal(value, .value(wanted))
        case .equal(.value(let wanted), .coalesce(let value, .value(let other)))
        where wanted != .null && wanted != other:
            return .equal(.value(wanted), value)
        case .isIn(.coalesce(let value, .value(let other)), let list)
        where list.present.count == list.count && !list.contains(other):
            return .isIn(value, list)
        default: return self
        }
    }

    /// Whether no row has a value of it, where of its parts that is known already. SQL knows no type of
    /// such an expression, and a server takes it for text; NULL fits everywhere.
    ///
    /// - Complexity: O(1), but linear in a chain of what is coalesced.
    var isAlwaysMissing: Bool {
        switch self {
        case .value(.null): true
        case .conditional(_, .value(.null), .value(.null)): true
        case .coalesce(let left, let right): left.isAlwaysMissing && right.isAlwaysMissing
        case .arithmetic(_, let left, let right): left == .value(.null) || right == .value(.null)
        case .related(let relation, _, .value(.null)): relation.question == .value
        default: false
        }
    }

    /// Whether no row can fulfil the condition.
    ///
    /// - Complexity: linear in the size of the expression.
    var neverHolds: Bool {
        switch self {
        case .value(let value): value != .bool(true)
        case .and(let left, let right): left.neverHolds || right.neverHolds
        case .or(let left, let right): left.neverHolds && right.neverHolds
        default: false
        }
    }

    /// The condition that every row fulfils.
    static let yes = QueryExpression.value(.bool(true))
    /// The condition that no row fulfils.
    static let no = QueryExpression.value(.bool(false))
}
