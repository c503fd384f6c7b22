import Dovetail

/// Makes random terms.
struct TermMaker {
    var random: SeededRandom
    /// Whether there is a row; not in a predicate of an element.
    private var hasRow = true
    /// The variables of closures around the term, by their types.
    private var variables: [ObjectIdentifier: [Int]] = [:]
    private var count = 0

    init(_ random: SeededRandom) {
        self.random = random
    }

    /// A condition of random depth.
    mutating func predicate() -> Term<Bool> {
        count = 0
        return condition(1 + random.below(4))
    }

    /// A term of a type: one of several parts, or a leaf where `depth` is 0.
    mutating func term<Value: RandomValue>(_ type: Value.Type, _ depth: Int) -> Term<Value> {
        if depth > 0, !random.isOne(in: 4), let term = Value.compound(&self, depth - 1) {
            return term
        }
        return leaf(type)
    }

    /// A column, a member of an embedded value, a variable, or a constant.
    private mutating func leaf<Value: RandomValue>(_ type: Value.Type) -> Term<Value> {
        let known = variables[ObjectIdentifier(type)] ?? []
        if !known.isEmpty, !random.isOne(in: 4) { return .variable(random.pick(known)) }
        if !Value.members.isEmpty, random.isOne(in: 5) || !hasRow, let detail = someDetail() {
            return .member(detail, random.pick(Value.members))
        }
        guard hasRow, !Value.columns.isEmpty, !random.isOne(in: 4) else {
            return .constant(.constant(&random))
        }
        return .column(random.pick(Value.columns))
    }

    /// An embedded value whose members are looked at.
    private mutating func someDetail() -> Term<Detail>? {
        let known = variables[ObjectIdentifier(Detail.self)] ?? []
        if !known.isEmpty { return .variable(random.pick(known)) }
        return hasRow ? .column(random.pick(Detail.columns)) : nil
    }

    /// A body in which a new variable stands for a value.
    mutating func body<Value: RandomValue, Body: RandomValue>(
        over type: Value.Type,
        _ body: Body.Type,
        _ depth: Int
    ) -> (number: Int, term: Term<Body>) {
        count += 1
        let (number, outer) = (count, variables)
        variables[ObjectIdentifier(type), default: []].append(number)
        let term = term(body, depth)
        variables = outer
        return (number, term)
    }

    /// The same where nothing else is known than the variable.
    mutating func isolatedBody<Value: RandomValue>(
        over type: Value.Type,
        _ depth: Int
    ) -> (number: Int, term: Term<Bool>) {
        let (outer, hadRow) = (variables, hasRow)
        (variables, hasRow) = ([:], false)
        let made = body(over: type, Bool.self, depth)
        (variables, hasRow) = (outer, hadRow)
        return made
    }

    /// A condition on the row that uses no variable around it.
    mutating func rowCondition(_ depth: Int) -> Term<Bool> {
        let outer = variables
        variables = [:]
        let term = condition(max(0, depth))
        variables = outer
        return term
    }

    /// Whether a predicate of the row may stand here.
    var canEvaluateRow: Bool { hasRow }
}
