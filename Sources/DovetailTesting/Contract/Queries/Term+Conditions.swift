import Dovetail

// Terms of several parts: what each means is written here once, beside its node and its source.

extension Term where Output == Bool {
    static func and(_ first: Term, _ second: Term) -> Term {
        .lazily(first, second, node: { Nodes.and($0, $1) }, source: { "(\($0) && \($1))" }) {
            first,
            second,
            run in
            let left = first(run)
            if left == false { return false }
            let right = second(run)
            if right == false { return false }
            return left == nil || right == nil ? nil : true
        }
    }

    static func or(_ first: Term, _ second: Term) -> Term {
        .lazily(first, second, node: { Nodes.or($0, $1) }, source: { "(\($0) || \($1))" }) {
            first,
            second,
            run in
            let left = first(run)
            if left == true { return true }
            let right = second(run)
            if right == true { return true }
            return left == nil || right == nil ? nil : false
        }
    }

    static func not(_ operand: Term) -> Term {
        .of(operand, node: { Nodes.not($0) }, source: { "!\($0)" }) { value, _ in !value }
    }

    /// Equality, which is never missing. Two missing values are equal, but for floating point numbers that are no
    /// optionals: those are no numbers.
    static func equal<Value: RandomValue>(
        _ first: Term<Value>,
        _ second: Term<Value>,
        isNegated: Bool
    ) -> Term {
        // What is no number equals nothing, and nil neither.
        let hasNaN = first.constant?.isNaN == true || second.constant?.isNaN == true
        return .lazily(
            first,
            second,
            node: { isNegated ? Nodes.notEqual($0, $1) : Nodes.equal($0, $1) },
            source: { "(\($0) \(isNegated ? "!=" : "==") \($1))" }
        ) { first, second, run in
            let left = first(run).flatMap { $0.isMissing ? nil : $0 }
            let right = second(run).flatMap { $0.isMissing ? nil : $0 }
            if hasNaN { return isNegated }
            guard let left, let right else {
                let areNothing =
                    left == nil && right == nil && !(Value.self is any FloatingPoint.Type)
                return areNothing != isNegated
            }
            return Value.areEqual(left, right, run) != isNegated
        }
    }

    /// Equality of a value that may be nil and one that may not.
    static func equal<Value: RandomValue>(
        _ first: Term<Value?>,
        toValue second: Term<Value>
    ) -> Term {
        let hasNaN = first.constant?.isNaN == true || second.constant?.isNaN == true
        return .lazily(
            first,
            second,
            node: { Nodes.equalOrOptional($0, $1) },
            source: { "(\($0) == \($1))" }
        ) { first, second, run in
            let left = first(run) ?? nil
            let right = second(run)
            if hasNaN { return false }
            guard let left, let right else {
                return left == nil && right == nil && !(Value.self is any FloatingPoint.Type)
            }
            return Value.areEqual(left, right, run)
        }
    }

    static func isNil<Value: RandomValue>(_ operand: Term<Value?>) -> Term {
        let isNaN = operand.constant?.isNaN == true
        return Term.lazily(
            operand,
            Term<Bool>.constant(true),
            node: { operand, _ in Nodes.isNil(operand) },
            source: { operand, _ in "(\(operand) == nil)" }
        ) { operand, _, run in (operand(run) ?? nil) == nil && !isNaN }
    }

    static func comparison<Value: RandomOrdered>(
        _ comparison: RandomComparison,
        _ first: Term<Value>,
        _ second: Term<Value>
    ) -> Term {
        .of(
            first,
            second,
            node: { Nodes.comparison($0, $1, comparison) },
            source: { "(\($0) \(comparison.rawValue) \($1))" }
        ) { left, right, run in
            Value.order(left, right, run).map { comparison.holds($0) }
        }
    }

    /// `(lower...upper).contains(element)`. Swift computes the bounds first.
    static func isInside<Value: RandomOrdered>(
        _ element: Term<Value>,
        _ lower: Term<Value>,
        _ upper: Term<Value>,
        isClosed: Bool
    ) -> Term {
        Term(
            node: {
                Nodes.isInside(
                    element.node($0),
                    lower.node($0),
                    upper.node($0),
                    isClosed: isClosed
                )
            },
            meaning: { run in
                let first = lower.meaning(run)
                let last = upper.meaning(run)
                if let first, let last, let order = Value.order(first, last, run), order > 0 {
                    run.note(.range)
                }
                let value = element.meaning(run)
                func holds(_ bound: Value?, _ comparison: RandomComparison) -> Bool? {
                    guard let value, let bound else { return nil }
                    return Value.order(value, bound, run).map { comparison.holds($0) }
                }
                let isAbove = holds(first, .greaterOrEqual)
                let isBelow = holds(last, isClosed ? .lessOrEqual : .less)
                if isAbove == false || isBelow == false { return false }
                return isAbove == nil || isBelow == nil ? nil : true
            },
            source: {
                let range = "(\(lower.source($0))\(isClosed ? "..." : "..<")\(upper.source($0)))"
                return "\(range).contains(\(element.source($0)))"
            },
            variables: element.variables.union(lower.variables).union(upper.variables),
            simpler: {
                [.constant(false)]
                    + element.simpler().map { .isInside($0, lower, upper, isClosed: isClosed) }
                    + lower.simpler().map { .isInside(element, $0, upper, isClosed: isClosed) }
                    + upper.simpler().map { .isInside(element, lower, $0, isClosed: isClosed) }
            }
        )
    }

    /// `[1, 2].contains(element)`, which is never missing.
    static func isIn<Value: RandomValue>(_ element: Term<Value>, _ list: [Value]) -> Term {
        Term(
            node: { Nodes.contains(PredicateExpressions.build_Arg(list), element.node($0)) },
            meaning: { run in
                let value = element.meaning(run).flatMap { $0.isMissing ? nil : $0 }
                guard let value else { return list.contains(where: \.isMissing) }
                return list.contains { !$0.isMissing && Value.areEqual($0, value, run) }
            },
            source: {
                let values = list.map(\.source).joined(separator: ", ")
                return "([\(values)] as [\(Value.self)]).contains(\(element.source($0)))"
            },
            variables: element.variables,
            simpler: {
                let shorter = list.indices.map { index in
                    var list = list
                    list.remove(at: index)
                    return Term.isIn(element, list)
                }
                let halves =
                    list.count < 4
                    ? []
                    : [
                        Term.isIn(element, Array(list.prefix(list.count / 2))),
                        Term.isIn(element, Array(list.dropFirst(list.count / 2))),
                    ]
                return [.constant(false)] + halves + shorter
                    + element.simpler().map { .isIn($0, list) }
            }
        )
    }

    /// What is said of two texts.
    static func isRelated(
        _ relation: RandomTextRelation,
        _ text: Term<String>,
        _ other: Term<String>
    ) -> Term {
        .of(
            text,
            other,
            node: { Nodes.isRelated($0, $1, relation) },
            source: { relation.source($0, $1) }
        ) { text, other, run in relation.holds(text, other, run) }
    }

    /// `text.localizedCompare(other) == .orderedSame`.
    static func isOrdered(
        _ text: Term<String>,
        _ other: Term<String>,
        isLocalized: Bool,
        _ order: ComparisonResult
    ) -> Term {
        let name = isLocalized ? "localizedCompare" : "caseInsensitiveCompare"
        let wanted =
            order == .orderedSame
            ? "orderedSame" : order == .orderedAscending ? "orderedAscending" : "orderedDescending"
        return .lazily(
            text,
            other,
            node: { Nodes.compared($0, $1, isLocalized: isLocalized, order) },
            source: { "(\($0).\(name)(\($1)) == .\(wanted))" }
        ) { text, other, run in
            let (first, second) = (text(run), other(run))
            guard let text = first, let other = second else { return false }
            let found =
                isLocalized
                ? TextFolding.compareLocalized(text, other)
                : TextFolding.compareCaseInsensitive(text, other)
            return found == order
        }
    }

    /// `list.contains { … }` and `list.allSatisfy { … }`.
    static func quantified<Element: RandomCollected>(
        _ quantifier: RandomQuantifier,
        _ list: Term<[Element]>,
        _ number: Int,
        _ body: Term<Bool>
    ) -> Term {
        .closure(list, number, body) { list, body in
            Nodes.quantified(quantifier, list) { variable in
                body { scope, number in scope.with(number, variable) }
            }
        } source: { list, body in
            "\(list).\(quantifier.rawValue) \(body)"
        } meaning: { list, body, run in
            guard let list else { return nil }
            let isAny = quantifier == .contains
            for element in list where (body(element, run) ?? false) == isAny { return isAny }
            return !isAny
        }
    }

    /// `list.contains(element)`: Swift computes the element for each one of the list, or once.
    static func contains<Element: RandomCollected>(
        _ list: Term<[Element]>,
        _ element: Term<Element>
    ) -> Term {
        .lazily(
            list,
            element,
            node: { Nodes.contains($0, $1) },
            source: { "\($0).contains(\($1))" }
        ) { list, element, run in
            guard let list = list(run) else {
                _ = element(run)
                return nil
            }
            guard let element = element(run) else { return false }
            return list.contains { Element.areEqual($0, element, run) }
        }
    }
}

extension RandomTextRelation {
    /// Whether two texts are related to a store.
    func holds(_ text: String, _ other: String, _ run: TermRun) -> Bool {
        let bytes = (Array(text.utf8), Array(other.utf8))
        let holds: Bool
        let holdsInSwift: Bool
        switch self {
        case .containsFolded: return TextFolding.contains(text, other)
        case .starts:
            holds = bytes.0.starts(with: bytes.1)
            holdsInSwift = text.starts(with: other)
        case .hasSuffix:
            holds = bytes.0.reversed().starts(with: bytes.1.reversed())
            holdsInSwift = text.hasSuffix(other)
        case .contains:
            holds =
                bytes.1.isEmpty || bytes.0.indices.contains { bytes.0[$0...].starts(with: bytes.1) }
            holdsInSwift = Self.contains(text, other)
        }
        run.note(.bytes, if: holds != holdsInSwift)
        return holds
    }

    /// Letter by letter, as the node does it. `String` has another function of this name.
    private static func contains<Text: Collection>(_ text: Text, _ part: Text) -> Bool
    where Text.Element: Equatable {
        text.contains(part)
    }
}
