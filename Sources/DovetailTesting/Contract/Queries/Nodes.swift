import Dovetail

/// The nodes that `#Predicate` writes, of operands whose types only the running program knows.
enum Nodes {
    typealias Condition = any TermNode<Bool>

    // MARK: Logic

    static func and(_ left: some TermNode<Bool>, _ right: some TermNode<Bool>) -> Condition {
        PredicateExpressions.build_Conjunction(lhs: left, rhs: right)
    }

    static func or(_ left: some TermNode<Bool>, _ right: some TermNode<Bool>) -> Condition {
        PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
    }

    static func not(_ operand: some TermNode<Bool>) -> Condition {
        PredicateExpressions.build_Negation(operand)
    }

    static func conditional<Value>(
        _ condition: some TermNode<Bool>,
        _ first: some TermNode<Value>,
        _ second: some TermNode<Value>
    ) -> any TermNode<Value> {
        PredicateExpressions.build_Conditional(condition, first, second)
    }

    // MARK: Comparison

    static func equal<Value: Equatable>(
        _ left: some TermNode<Value>,
        _ right: some TermNode<Value>
    ) -> Condition {
        PredicateExpressions.build_Equal(lhs: left, rhs: right)
    }

    static func notEqual<Value: Equatable>(
        _ left: some TermNode<Value>,
        _ right: some TermNode<Value>
    ) -> Condition {
        PredicateExpressions.build_NotEqual(lhs: left, rhs: right)
    }

    static func equalOrOptional<Value: Equatable & Codable & Sendable>(
        _ left: some TermNode<Value?>,
        _ right: some TermNode<Value>
    ) -> Condition {
        PredicateExpressions.build_EqualOrOptional(lhs: left, rhs: right)
    }

    static func isNil<Value: Equatable & Codable & Sendable>(
        _ operand: some TermNode<Value?>
    ) -> Condition {
        PredicateExpressions.build_Equal(lhs: operand, rhs: PredicateExpressions.build_NilLiteral())
    }

    static func comparison<Value: Comparable>(
        _ left: some TermNode<Value>,
        _ right: some TermNode<Value>,
        _ operation: RandomComparison
    ) -> Condition {
        PredicateExpressions.build_Comparison(lhs: left, rhs: right, op: operation.nodeOperator)
    }

    static func isInside<Value: Comparable>(
        _ element: some TermNode<Value>,
        _ lower: some TermNode<Value>,
        _ upper: some TermNode<Value>,
        isClosed: Bool
    ) -> Condition {
        if isClosed {
            let range = PredicateExpressions.build_ClosedRange(lower: lower, upper: upper)
            return PredicateExpressions.build_contains(range, element)
        }
        let range = PredicateExpressions.build_Range(lower: lower, upper: upper)
        return PredicateExpressions.build_contains(range, element)
    }

    // MARK: Numbers

    static func arithmetic<Value: RandomNumber>(
        _ operation: RandomOperator,
        _ left: some TermNode<Value>,
        _ right: some TermNode<Value>
    ) -> any TermNode<Value> {
        switch operation {
        case .add: PredicateExpressions.build_Arithmetic(lhs: left, rhs: right, op: .add)
        case .subtract: PredicateExpressions.build_Arithmetic(lhs: left, rhs: right, op: .subtract)
        case .multiply: PredicateExpressions.build_Arithmetic(lhs: left, rhs: right, op: .multiply)
        case .divide, .remainder: Value.division(operation, left, right)
        }
    }

    static func minus<Value: Numeric & SignedNumeric & Codable & Sendable>(
        _ operand: some TermNode<Value>
    ) -> any TermNode<Value> {
        PredicateExpressions.build_UnaryMinus(operand)
    }

    // MARK: Optionals

    static func coalesce<Value>(
        _ first: some TermNode<Value?>,
        _ second: some TermNode<Value>
    ) -> any TermNode<Value> {
        PredicateExpressions.build_NilCoalesce(lhs: first, rhs: second)
    }

    static func unwrapped<Value>(_ operand: some TermNode<Value?>) -> any TermNode<Value> {
        PredicateExpressions.build_ForcedUnwrap(operand)
    }

    static func flatMap<Value, Result>(
        _ operand: some TermNode<Value?>,
        _ body: (PredicateExpressions.Variable<Value>) -> any TermNode<Result>
    ) -> any TermNode<Result?> {
        func make<Body: TermNode<Result>>(_ known: Body) -> any TermNode<Result?> {
            PredicateExpressions.build_flatMap(operand) { body($0) as? Body ?? known }
        }
        return make(body(PredicateExpressions.Variable()))
    }

    // MARK: Collections

    // A body's type is known only when it was made, so each is made once for that. Two bodies of one
    // term have one type.

    static func quantified<Elements: Sequence>(
        _ quantifier: RandomQuantifier,
        _ elements: some TermNode<Elements>,
        _ body: (PredicateExpressions.Variable<Elements.Element>) -> any TermNode<Bool>
    ) -> Condition {
        func make<Body: TermNode<Bool>>(_ known: Body) -> Condition {
            switch quantifier {
            case .contains:
                PredicateExpressions.build_contains(elements) { body($0) as? Body ?? known }
            case .allSatisfy:
                PredicateExpressions.build_allSatisfy(elements) { body($0) as? Body ?? known }
            }
        }
        return make(body(PredicateExpressions.Variable()))
    }

    static func filter<Element: Codable & Sendable>(
        _ elements: some TermNode<[Element]>,
        _ body: (PredicateExpressions.Variable<Element>) -> any TermNode<Bool>
    ) -> any TermNode<[Element]> {
        func make<Body: TermNode<Bool>>(_ known: Body) -> any TermNode<[Element]> {
            PredicateExpressions.build_filter(elements) { body($0) as? Body ?? known }
        }
        return make(body(PredicateExpressions.Variable()))
    }

    static func contains<Element: Equatable>(
        _ elements: some TermNode<[Element]>,
        _ element: some TermNode<Element>
    ) -> Condition {
        PredicateExpressions.build_contains(elements, element)
    }

    /// A property that every collection has. Its path has to be one of the concrete type: that of a
    /// generic one is another.
    static func property<Elements, Value>(
        _ elements: some TermNode<Elements>,
        _ path: any KeyPath<Elements, Value> & Sendable
    ) -> any TermNode<Value> {
        PredicateExpressions.build_KeyPath(root: elements, keyPath: path)
    }

    static func extreme<Element: Comparable>(
        _ elements: some TermNode<[Element]>,
        isSmallest: Bool
    ) -> any TermNode<Element?> {
        isSmallest
            ? PredicateExpressions.build_min(elements) : PredicateExpressions.build_max(elements)
    }

    static func element<Element: Sendable>(
        _ elements: some TermNode<[Element]>,
        _ index: Int
    ) -> any TermNode<Element> {
        PredicateExpressions.build_subscript(elements, PredicateExpressions.build_Arg(index))
    }

    static func label(
        _ labels: some TermNode<[String: Int]>,
        _ name: String
    ) -> any TermNode<Int?> {
        PredicateExpressions.build_subscript(labels, PredicateExpressions.build_Arg(name))
    }

    static func label(
        _ labels: some TermNode<[String: Int]>,
        _ name: String,
        _ other: some TermNode<Int>
    ) -> any TermNode<Int> {
        PredicateExpressions.build_subscript(
            labels,
            PredicateExpressions.build_Arg(name),
            default: other
        )
    }

    static func member<Value>(
        _ detail: some TermNode<Detail>,
        _ property: RandomProperty<Detail, Value>
    ) -> any TermNode<Value> {
        PredicateExpressions.build_KeyPath(root: detail, keyPath: property.path)
    }

    // MARK: Text

    static func isRelated(
        _ text: some TermNode<String>,
        _ other: some TermNode<String>,
        _ relation: RandomTextRelation
    ) -> Condition {
        switch relation {
        case .contains: PredicateExpressions.build_contains(text, other)
        case .starts: PredicateExpressions.build_starts(text, with: other)
        case .hasSuffix: PredicateExpressions.build_hasSuffix(text, other)
        case .containsFolded:
            PredicateExpressions.build_localizedStandardContains(text, other)
        }
    }

    static func compared(
        _ text: some TermNode<String>,
        _ other: some TermNode<String>,
        isLocalized: Bool,
        _ order: ComparisonResult
    ) -> Condition {
        let wanted = PredicateExpressions.build_Arg(order)
        if isLocalized {
            let found = PredicateExpressions.build_localizedCompare(text, other)
            return PredicateExpressions.build_Equal(lhs: found, rhs: wanted)
        }
        let found = PredicateExpressions.build_caseInsensitiveCompare(text, other)
        return PredicateExpressions.build_Equal(lhs: found, rhs: wanted)
    }

    static func changed(_ text: some TermNode<String>, isUpper: Bool) -> any TermNode<String> {
        isUpper
            ? PredicateExpressions.build_uppercased(text)
            : PredicateExpressions.build_lowercased(text)
    }

    // MARK: Other predicates

    static func evaluate<Input>(
        _ predicate: Predicate<Input>,
        _ input: some TermNode<Input>
    ) -> Condition {
        PredicateExpressions.build_evaluate(PredicateExpressions.build_Arg(predicate), input)
    }
}

/// An order between two values.
enum RandomComparison: String, CaseIterable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    var nodeOperator: PredicateExpressions.ComparisonOperator {
        switch self {
        case .less: .lessThan
        case .lessOrEqual: .lessThanOrEqual
        case .greater: .greaterThan
        case .greaterOrEqual: .greaterThanOrEqual
        }
    }

    func holds(_ order: Int) -> Bool {
        switch self {
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

/// What is said of all elements.
enum RandomQuantifier: String, CaseIterable {
    case contains
    case allSatisfy
}

/// What is said of two texts.
enum RandomTextRelation: CaseIterable {
    case contains
    case starts
    case hasSuffix
    case containsFolded

    func source(_ text: String, _ other: String) -> String {
        switch self {
        case .contains: "\(text).contains(\(other))"
        case .starts: "\(text).starts(with: \(other))"
        case .hasSuffix: "\(text).hasSuffix(\(other))"
        case .containsFolded: "\(text).localizedStandardContains(\(other))"
        }
    }
}
