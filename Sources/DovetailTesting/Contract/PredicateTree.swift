import Dovetail

/// Predicates of one term that are combined, with Swift's own answer beside the combined predicate.
indirect enum PredicateTree {
    case term(Predicate<Specimen>)
    case and(PredicateTree, PredicateTree)
    case or(PredicateTree, PredicateTree)
    case not(PredicateTree)

    init(depth: Int, using random: inout SeededRandom) {
        guard depth > 0, !random.isOne(in: 4) else {
            self = .term(random.pick(PredicateMakers.all)(&random))
            return
        }
        let left = PredicateTree(depth: depth - 1, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: self = .not(left)
        case 1, 2: self = .and(left, PredicateTree(depth: depth - 1, using: &random))
        default: self = .or(left, PredicateTree(depth: depth - 1, using: &random))
        }
    }

    /// What Swift's operators make of the terms' own answers.
    func evaluate(_ specimen: Specimen) throws -> Bool {
        switch self {
        case .term(let predicate): try predicate.evaluate(specimen)
        case .and(let left, let right): try left.evaluate(specimen) && right.evaluate(specimen)
        case .or(let left, let right): try left.evaluate(specimen) || right.evaluate(specimen)
        case .not(let operand): try !operand.evaluate(specimen)
        }
    }

    /// One predicate of the whole tree, to be put to a store.
    var predicate: Predicate<Specimen> {
        Predicate { _ in expression }
    }

    private var expression: any StandardPredicateExpression<Bool> {
        switch self {
        case .term(let predicate): predicate.expression
        case .and(let left, let right): Self.conjunction(left.expression, right.expression)
        case .or(let left, let right): Self.disjunction(left.expression, right.expression)
        case .not(let operand): Self.negation(operand.expression)
        }
    }

    private static func conjunction(
        _ left: some StandardPredicateExpression<Bool>,
        _ right: some StandardPredicateExpression<Bool>
    ) -> any StandardPredicateExpression<Bool> {
        PredicateExpressions.build_Conjunction(lhs: left, rhs: right)
    }

    private static func disjunction(
        _ left: some StandardPredicateExpression<Bool>,
        _ right: some StandardPredicateExpression<Bool>
    ) -> any StandardPredicateExpression<Bool> {
        PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
    }

    private static func negation(
        _ operand: some StandardPredicateExpression<Bool>
    ) -> any StandardPredicateExpression<Bool> {
        PredicateExpressions.build_Negation(operand)
    }
}
