import Dovetail

extension TermMaker {
    private static let equatable: [any RandomValue.Type] = [
        Bool.self, Int.self, Int8.self, Int64.self, UInt32.self, Double.self, Float.self,
        Decimal.self, String.self, Date.self, Data.self, UUID.self, Color.self, Level.self,
        Grade.self, Detail.self, [Int].self, [String].self, [Detail].self, [String: Int].self,
    ]
    private static let optional: [any RandomValue.Type] = [
        Bool.self, Int.self, Int8.self, Double.self, Decimal.self, String.self, Date.self,
        Data.self, UUID.self, Color.self, Level.self, Grade.self, Detail.self,
    ]
    private static let ordered: [any RandomOrdered.Type] = [
        Int.self, Int.self, Int8.self, Int64.self, UInt32.self, Double.self, Double.self,
        Float.self, Decimal.self, Decimal.self, String.self, String.self, Date.self, Date.self,
    ]
    private static let collected: [any RandomCollected.Type] = [
        Int.self, String.self, Detail.self, Detail.self,
    ]

    /// A condition of one operator at least.
    mutating func condition(_ depth: Int) -> Term<Bool> {
        let (equatable, optional) = (random.pick(Self.equatable), random.pick(Self.optional))
        let (ordered, collected) = (random.pick(Self.ordered), random.pick(Self.collected))
        return switch random.below(depth > 0 ? 24 : 12) {
        case 0, 1, 2: comparison(ordered, depth)
        case 3, 4: equality(equatable, depth)
        case 5, 6: optionalEquality(optional, depth)
        case 7: isIn(equatable, depth)
        case 8: isIn(optional, depth)
        case 9: isInside(ordered, depth)
        case 10: textCondition(depth)
        case 11: isEmpty(depth)
        case 12, 13: .and(bool(depth), bool(depth))
        case 14, 15: .or(bool(depth), bool(depth))
        case 16: .not(bool(depth))
        case 17: .conditional(&self, depth)
        case 18: .present(&self, depth)
        case 19, 20: quantified(collected, depth)
        case 21: contains(collected, depth)
        case 22: evaluated(depth)
        default: textCondition(depth)
        }
    }

    /// A part of a condition, now and then as a predicate of its own: the types of nodes would be
    /// without end otherwise.
    private mutating func bool(_ depth: Int) -> Term<Bool> {
        let term = term(Bool.self, depth)
        let isAlone = canEvaluateRow && term.variables.isEmpty && term.constant == nil
        return isAlone && random.isOne(in: 2) ? .evaluated(term) : term
    }

    private mutating func comparison<Value: RandomOrdered>(
        _ type: Value.Type,
        _ depth: Int
    ) -> Term<Bool> {
        let first = term(type, depth)
        return .comparison(random.pick(RandomComparison.allCases), first, term(type, depth))
    }

    private mutating func equality<Value: RandomValue>(
        _ type: Value.Type,
        _ depth: Int
    ) -> Term<Bool> {
        let first = term(type, depth)
        return .equal(first, term(type, depth), isNegated: random.isOne(in: 3))
    }

    private mutating func optionalEquality<Value: RandomValue>(
        _ type: Value.Type,
        _ depth: Int
    ) -> Term<Bool> {
        let first = term(Value?.self, depth)
        switch random.below(4) {
        case 0: return .isNil(first)
        case 1: return .equal(first, toValue: term(type, depth))
        default:
            return .equal(first, term(Value?.self, depth), isNegated: random.isOne(in: 3))
        }
    }

    private mutating func isIn<Value: RandomValue>(
        _ type: Value.Type,
        _ depth: Int
    ) -> Term<Bool> {
        let count = random.isOne(in: 6) ? 9 + random.below(12) : random.below(5)
        func list<Element: RandomValue>(_ type: Element.Type) -> [Element] {
            (0..<count).map { _ in Element.constant(&random) }
        }
        if random.isOne(in: 2) { return .isIn(term(type, depth), list(type)) }
        return .isIn(term(Value?.self, depth), list(Value?.self))
    }

    private mutating func isInside<Value: RandomOrdered>(
        _ type: Value.Type,
        _ depth: Int
    ) -> Term<Bool> {
        let element = term(type, depth)
        let lower = term(type, random.isOne(in: 2) ? 0 : depth)
        let upper = term(type, random.isOne(in: 2) ? 0 : depth)
        return .isInside(element, lower, upper, isClosed: random.isOne(in: 2))
    }

    private mutating func textCondition(_ depth: Int) -> Term<Bool> {
        let text = term(String.self, depth)
        let other = term(String.self, depth)
        if random.isOne(in: 3) {
            let order: ComparisonResult = random.pick([
                .orderedSame, .orderedAscending, .orderedDescending,
            ])
            return .isOrdered(text, other, isLocalized: random.isOne(in: 2), order)
        }
        return .isRelated(random.pick(RandomTextRelation.allCases), text, other)
    }

    private mutating func isEmpty(_ depth: Int) -> Term<Bool> {
        switch random.below(5) {
        case 0: isEmpty(\String.isEmpty, depth)
        case 1: isEmpty(\Data.isEmpty, depth)
        case 2: isEmpty(\[Int].isEmpty, depth)
        case 3: isEmpty(\[Detail].isEmpty, depth)
        default: isEmpty(\[String: Int].isEmpty, depth)
        }
    }

    private mutating func isEmpty<Value: RandomValue>(
        _ path: any KeyPath<Value, Bool> & Sendable,
        _ depth: Int
    ) -> Term<Bool> {
        .of(
            term(Value.self, depth),
            node: { Nodes.property($0, path) },
            source: { "\($0).isEmpty" }
        ) { value, _ in value[keyPath: path] }
    }

    private mutating func quantified<Element: RandomCollected>(
        _ type: Element.Type,
        _ depth: Int
    ) -> Term<Bool> {
        let list = term([Element].self, depth - 1)
        let body = body(over: type, Bool.self, depth - 1)
        return .quantified(random.pick(RandomQuantifier.allCases), list, body.number, body.term)
    }

    private mutating func contains<Element: RandomCollected>(
        _ type: Element.Type,
        _ depth: Int
    ) -> Term<Bool> {
        let list = term([Element].self, depth - 1)
        return .contains(list, term(type, depth - 1))
    }

    /// A predicate of the row or of an embedded value, or several that are joined.
    private mutating func evaluated(_ depth: Int) -> Term<Bool> {
        if random.isOne(in: 3) || !canEvaluateRow {
            let detail = term(Detail.self, 0)
            let body = isolatedBody(over: Detail.self, depth - 1)
            return .evaluated(detail, body.number, body.term)
        }
        let bodies = (0..<random.below(4)).map { _ in rowCondition(depth - 1) }
        return .joined(bodies, needsAll: random.isOne(in: 2))
    }
}
