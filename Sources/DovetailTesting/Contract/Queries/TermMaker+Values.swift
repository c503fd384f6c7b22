import Dovetail

extension Term {
    static func conditional(_ maker: inout TermMaker, _ depth: Int) -> Term {
        let condition = maker.condition(Swift.max(0, depth - 1))
        let first = maker.term(Output.self, depth)
        return .choice(condition, first, maker.term(Output.self, depth))
    }

    /// A value of one that may be nil: `??`, `!`, and `!` where it was asked before.
    static func present(_ maker: inout TermMaker, _ depth: Int) -> Term {
        let optional = maker.term(Output?.self, depth)
        switch maker.random.below(8) {
        case 0: return .unwrapped(optional)
        case 1:
            return .choice(
                .isNil(optional),
                maker.term(Output.self, depth),
                .unwrapped(optional)
            )
        default: return .coalesced(optional, maker.term(Output.self, depth))
        }
    }
}

extension Term where Output: RandomNumber {
    static func arithmetic(_ maker: inout TermMaker, _ depth: Int) -> Term {
        let first = maker.term(Output.self, depth)
        let second = maker.term(Output.self, depth)
        return .arithmetic(maker.random.pick(Output.operators), first, second)
    }
}

extension TermMaker {
    private static let chainable: [any RandomValue.Type] = [
        Int.self, String.self, Double.self, Date.self, Decimal.self, Detail.self, Bool.self,
        Data.self, Color.self,
    ]

    /// `value.flatMap { … }`.
    mutating func chained<Body: RandomValue>(_ type: Body.Type, _ depth: Int) -> Term<Body?> {
        func chain<Whole: RandomValue>(_ whole: Whole.Type) -> Term<Body?> {
            let optional = term(Whole?.self, depth)
            let body = body(over: whole, type, depth)
            return .chained(optional, body.number, body.term)
        }
        let whole: any RandomValue.Type = random.pick(Self.chainable)
        return chain(whole)
    }

    /// `lowercased()` and `uppercased()`.
    mutating func changedText(_ depth: Int) -> Term<String> {
        let isUpper = random.isOne(in: 2)
        return .of(
            term(String.self, depth),
            node: { Nodes.changed($0, isUpper: isUpper) },
            source: { "\($0).\(isUpper ? "upper" : "lower")cased()" }
        ) { text, _ in isUpper ? text.uppercased() : text.lowercased() }
    }

    /// The count of something that has one.
    mutating func count(_ depth: Int) -> Term<Int> {
        switch random.below(5) {
        case 0: count(\String.count, depth)
        case 1: count(\Data.count, depth)
        case 2: count(\[String].count, depth)
        case 3: count(\[Detail].count, depth)
        default: count(\[String: Int].count, depth)
        }
    }

    private mutating func count<Value: RandomValue>(
        _ path: any KeyPath<Value, Int> & Sendable,
        _ depth: Int
    ) -> Term<Int> {
        .of(
            term(Value.self, depth),
            node: { Nodes.property($0, path) },
            source: { "\($0).count" }
        ) { value, _ in value[keyPath: path] }
    }

    /// `list.filter { … }`.
    mutating func filtered<Element: RandomCollected>(
        _ type: Element.Type,
        _ depth: Int
    ) -> Term<[Element]> {
        let list = term([Element].self, 0)
        let body = body(over: type, Bool.self, depth)
        return .filtered(list, body.number, body.term)
    }

    /// `list.first` and `list.last`, with the path of the first one or of the last one.
    mutating func edge<Element: RandomCollected>(
        _ first: any KeyPath<[Element], Element?> & Sendable,
        _ last: any KeyPath<[Element], Element?> & Sendable,
        _ depth: Int
    ) -> Term<Element?> {
        let isFirst = random.isOne(in: 2)
        let path = isFirst ? first : last
        return .of(
            term([Element].self, depth),
            node: { Nodes.property($0, path) },
            source: { "\($0).\(isFirst ? "first" : "last")" }
        ) { list, _ in list[keyPath: path] }
    }

    /// `list.min()` and `list.max()`.
    mutating func extreme<Element: RandomCollected & RandomOrdered>(
        _ type: [Element].Type,
        _ depth: Int
    ) -> Term<Element?> {
        let isSmallest = random.isOne(in: 2)
        return .of(
            term(type, depth),
            node: { Nodes.extreme($0, isSmallest: isSmallest) },
            source: { "\($0).\(isSmallest ? "min" : "max")()" }
        ) { list, run in
            list.reduce(nil) { (found: Element?, next) in
                guard let found, let order = Element.order(next, found, run) else { return next }
                return (isSmallest ? order < 0 : order > 0) ? next : found
            }
        }
    }

    /// An element by its place.
    mutating func element<Element: RandomCollected>(
        _ type: Element.Type,
        _ depth: Int
    ) -> Term<Element> {
        let index = random.below(3)
        return .of(
            term([Element].self, depth),
            node: { Nodes.element($0, index) },
            source: { "\($0)[\(index)]" }
        ) { list, run in
            if list.indices.contains(index) { return list[index] }
            run.note(.index)
            return nil
        }
    }

    private static let names = ["a", "b", "", "é", "e\u{301}", "a.b", "a\0", "none"]

    /// `labels["a"]`.
    mutating func label() -> Term<Int?> {
        let name = random.pick(Self.names)
        let whole = term([String: Int].self, 0)
        let isCaptured = whole.constant != nil
        return .of(
            whole,
            node: { Nodes.label($0, name) },
            source: { "\($0)[\(name.source)]" }
        ) { labels, run in
            isCaptured ? .some(labels[name]) : Self.label(labels, name, run)
        }
    }

    /// `labels["a", default: …]`.
    mutating func labelOrDefault(_ depth: Int) -> Term<Int> {
        let name = random.pick(Self.names)
        return .lazily(
            term([String: Int].self, 0),
            term(Int.self, depth),
            node: { Nodes.label($0, name, $1) },
            source: { "\($0)[\(name.source), default: \($1)]" }
        ) { labels, other, run in
            let labels = labels(run)
            let value = labels.flatMap { Self.label($0, name, run) ?? nil }
            return value ?? other(run)
        }
    }

    /// A member by the bytes of its name.
    private static func label(_ labels: [String: Int], _ name: String, _ run: TermRun) -> Int?? {
        let value = labels.first { $0.key.utf8.elementsEqual(name.utf8) }?.value
        run.note(.bytes, if: value != labels[name])
        return .some(value)
    }
}
