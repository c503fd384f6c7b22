import DovetailStore

extension QueryExpression {
    /// The operands of a tree of `and`s as one list, so that a chain has one pair of parentheses.
    var conjuncts: [QueryExpression] {
        leaves { if case .and(let left, let right) = $0 { (left, right) } else { nil } }
    }

    /// The same of `or`s.
    var disjuncts: [QueryExpression] {
        leaves { if case .or(let left, let right) = $0 { (left, right) } else { nil } }
    }

    /// What a tree ends in, from left to right. It may be as deep as it is long, so nothing here calls itself.
    private func leaves(
        _ branches: (QueryExpression) -> (QueryExpression, QueryExpression)?
    ) -> [QueryExpression] {
        var (found, waiting) = ([QueryExpression](), [self])
        while let expression = waiting.popLast() {
            if let (left, right) = branches(expression) {
                waiting += [right, left]
            } else {
                found.append(expression)
            }
        }
        return found
    }

    /// Whether it is a constant that is not missing.
    var isPresentConstant: Bool {
        if case .value(let value) = self { value != .null } else { false }
    }

    /// Whether it is the remainder of values that fit, which fits.
    var isPlainRemainder: Bool {
        guard case .arithmetic(.remainder, let left, let right) = self else { return false }
        return [left, right].allSatisfy {
            switch $0 {
            case .attribute, .value: true
            default: false
            }
        }
    }
}

extension QueryArithmetic {
    /// The operator, the same in every dialect.
    var sql: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .remainder: "%"
        }
    }
}

extension QueryComparison {
    /// The operator, the same in every dialect.
    var sql: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
