import DovetailModel

extension QueryExpression {
    /// The value of a type that is stored as this one: what no case of an enum has is its case with `@Fallback`.
    func read(as type: Any.Type) -> QueryExpression {
        KnownCases.of(type).map { read(as: $0) } ?? self
    }

    /// The same where the cases are known.
    func read(as cases: KnownCases) -> QueryExpression {
        let own = cases.others + [cases.fallback] + (isOptional ? [.null] : [])
        return .conditional(.isIn(self, QueryList(own)), self, .value(cases.fallback))
    }

    /// What compares a value that may be a fallback with cases, as ``read(as:)`` makes it, with what is stored: an
    /// index serves the question for any other case, and the fallback is what none of them is.
    ///
    /// - Complexity: O(1), but linear in a list.
    var withoutFallback: QueryExpression {
        let (wanted, value): ([QueryValue], QueryExpression)
        switch self {
        case .equal(let operand, .value(let one)), .equal(.value(let one), let operand):
            (wanted, value) = ([one], operand)
        case .isIn(let operand, let list): (wanted, value) = (list.values, operand)
        default: return self
        }
        guard
            case .conditional(.isIn(let stored, let own), let first, .value(let fallback)) = value,
            first == stored
        else { return self }
        if wanted.contains(fallback) {
            return .not(.isIn(stored, QueryList(own.filter { !wanted.contains($0) })))
        }
        let asked = wanted.filter(own.contains)
        return asked.count == 1 ? .equal(stored, .value(asked[0])) : .isIn(stored, QueryList(asked))
    }
}
