import Dovetail

/// A part of a random predicate: the nodes that it is made of, what it means to a store, how it is
/// written in Swift, and simpler terms that may take its place.
struct Term<Output: RandomValue> {
    /// The nodes, with the variables of the predicate and of the closures around it.
    let node: (TermScope) -> any TermNode<Output>
    /// The value for a row, to a store; nil where it is missing. It is computed in the order in which
    /// Swift computes it, and says where Swift differs.
    let meaning: (TermRun) -> Output?
    /// The Swift that `#Predicate` takes.
    let source: (TermSource) -> String
    /// The variables of closures that it uses.
    let variables: Set<Int>
    /// Simpler terms, the simplest first.
    let simpler: () -> [Term<Output>]
    /// The constant that it is.
    var constant: Output?
}

/// The variables that nodes are made with.
struct TermScope {
    /// The row, unless the predicate is one of an element.
    var row: PredicateExpressions.Variable<WideRow>?
    /// Those of closures, by their numbers.
    var variables: [Int: any Sendable] = [:]

    init(_ row: PredicateExpressions.Variable<WideRow>? = nil) {
        self.row = row
    }

    /// The scope of a closure.
    func with<Value>(_ number: Int, _ variable: PredicateExpressions.Variable<Value>) -> TermScope {
        var inner = self
        inner.variables[number] = variable
        return inner
    }
}

/// The constants that stand before a predicate which is written in Swift: other predicates.
final class TermSource {
    private(set) var lines: [String] = []

    /// Defines a predicate, and gives its name.
    func define(_ type: String, _ value: String) -> String {
        let name = "other\(lines.count + 1)"
        lines.append("let \(name): Predicate<\(type)> = \(value)")
        return name
    }
}

/// One computation of a term for a row.
final class TermRun {
    /// Where a store does not mean what Swift means, by a rule of Documentation/Queries.md.
    enum Rule: Int, CaseIterable {
        /// Whole numbers end at 64 bits; Swift ends the program.
        case overflow
        /// A division by zero is missing; Swift ends the program, or gives no number.
        case division
        /// What is no number is compared with nothing.
        case nan
        /// `!` of nil is missing; Swift throws.
        case unwrap
        /// An element past the end is missing; Swift throws.
        case index
        /// A range whose bounds are the wrong way round is empty; Swift throws.
        case range
        /// Text is compared by its bytes; Swift compares letters.
        case bytes
        /// Narrow numbers are computed with 64 bits, so the value is nothing that Swift can hold. Only
        /// the stores are compared.
        case width
    }

    let row: WideRow
    var variables: [Int: any Sendable] = [:]
    private(set) var rules: Set<Rule> = []

    init(_ row: WideRow) {
        self.row = row
    }

    func note(_ rule: Rule) { rules.insert(rule) }
    func note(_ rule: Rule, if holds: Bool) { if holds { rules.insert(rule) } }

    /// Computes with a variable that stands for a value.
    func with<Value: Sendable, Result>(
        _ number: Int,
        _ value: Value,
        _ body: () -> Result
    ) -> Result {
        variables[number] = value
        return body()
    }
}

extension Term {
    /// A constant.
    static func constant(_ value: Output) -> Term {
        Term(
            node: { _ in PredicateExpressions.build_Arg(value) },
            meaning: { run in
                // Nothing is computed with what is no number.
                run.note(.nan, if: value.isNaN)
                return value.isNaN ? nil : value
            },
            source: { _ in value.source },
            variables: [],
            simpler: { value.simplerValues.map { .constant($0) } },
            constant: value
        )
    }

    /// A column of the row.
    static func column(_ property: RandomProperty<WideRow, Output>) -> Term {
        Term(
            node: { scope in
                // Invariant: `TermMaker` makes columns only where there is a row.
                guard let row = scope.row else { return PredicateExpressions.build_Arg(.plain) }
                return PredicateExpressions.build_KeyPath(root: row, keyPath: property.path)
            },
            meaning: { $0.row[keyPath: property.path] },
            source: { _ in "row.\(property.name)" },
            variables: [],
            simpler: { [.constant(.plain)] }
        )
    }

    /// The variable of a closure.
    static func variable(_ number: Int) -> Term {
        Term(
            node: { scope in
                guard
                    let variable = scope.variables[number]
                        as? PredicateExpressions.Variable<Output>
                else { return PredicateExpressions.build_Arg(.plain) }
                return variable
            },
            meaning: { $0.variables[number] as? Output },
            source: { _ in "value\(number)" },
            variables: [number],
            simpler: { [.constant(.plain)] }
        )
    }

    /// A term of one part. Missing where the part is, unless `meaning` says something else.
    static func of<Part>(
        _ part: Term<Part>,
        node: @escaping (any TermNode<Part>) -> any TermNode<Output>,
        source: @escaping (String) -> String,
        meaning: @escaping (Part, TermRun) -> Output?
    ) -> Term {
        Term(
            node: { node(part.node($0)) },
            meaning: { run in part.meaning(run).flatMap { meaning($0, run) } },
            source: { source(part.source($0)) },
            variables: part.variables,
            simpler: {
                same(part)
                    + part.simpler().map {
                        .of($0, node: node, source: source, meaning: meaning)
                    }
            }
        )
    }

    /// A term of two parts, which it computes in their order.
    static func of<First, Second>(
        _ first: Term<First>,
        _ second: Term<Second>,
        node: @escaping (any TermNode<First>, any TermNode<Second>) -> any TermNode<Output>,
        source: @escaping (String, String) -> String,
        meaning: @escaping (First, Second, TermRun) -> Output?
    ) -> Term {
        .lazily(first, second, node: node, source: source) { first, second, run in
            let left = first(run)
            let right = second(run)
            guard let left, let right else { return nil }
            return meaning(left, right, run)
        }
    }

    /// A term of two parts that are computed where its meaning asks for them.
    static func lazily<First, Second>(
        _ first: Term<First>,
        _ second: Term<Second>,
        node: @escaping (any TermNode<First>, any TermNode<Second>) -> any TermNode<Output>,
        source: @escaping (String, String) -> String,
        meaning: @escaping ((TermRun) -> First?, (TermRun) -> Second?, TermRun) -> Output?
    ) -> Term {
        Term(
            node: { node(first.node($0), second.node($0)) },
            meaning: { meaning(first.meaning, second.meaning, $0) },
            source: { source(first.source($0), second.source($0)) },
            variables: first.variables.union(second.variables),
            simpler: {
                var terms = same(first) + same(second)
                for next in first.simpler() {
                    terms.append(
                        .lazily(next, second, node: node, source: source, meaning: meaning)
                    )
                }
                for next in second.simpler() {
                    terms.append(
                        .lazily(first, next, node: node, source: source, meaning: meaning)
                    )
                }
                return terms
            }
        )
    }

    /// A part in the place of the whole, and a constant.
    static func same<Part>(_ part: Term<Part>) -> [Term] {
        [.constant(.plain)] + ((part as? Term).map { [$0] } ?? [])
    }

    /// `condition ? first : second`.
    static func choice(_ condition: Term<Bool>, _ first: Term, _ second: Term) -> Term {
        Term(
            node: {
                Nodes.conditional(condition.node($0), first.node($0), second.node($0))
            },
            meaning: { condition.meaning($0) == true ? first.meaning($0) : second.meaning($0) },
            source: {
                "(\(condition.source($0)) ? \(first.source($0)) : \(second.source($0)))"
            },
            variables: condition.variables.union(first.variables).union(second.variables),
            simpler: {
                [.constant(.plain), first, second]
                    + condition.simpler().map { .choice($0, first, second) }
                    + first.simpler().map { .choice(condition, $0, second) }
                    + second.simpler().map { .choice(condition, first, $0) }
            }
        )
    }

    /// The value of an optional, or another one.
    static func coalesced(_ first: Term<Output?>, _ second: Term<Output>) -> Term {
        .lazily(first, second) {
            Nodes.coalesce($0, $1)
        } source: {
            "(\($0) ?? \($1))"
        } meaning: { first, second, run in
            (first(run) ?? nil) ?? second(run)
        }
    }

    /// What is said of each element of a collection or of the value of an optional: a closure over a
    /// variable.
    static func closure<Whole: RandomValue, Value: RandomValue>(
        _ whole: Term<Whole>,
        _ number: Int,
        _ body: Term<Value>,
        node: @escaping (any TermNode<Whole>, @escaping BodyNode<Value>) -> any TermNode<Output>,
        source: @escaping (String, String) -> String,
        meaning: @escaping (Whole?, (any Sendable, TermRun) -> Value?, TermRun) -> Output?
    ) -> Term {
        Term(
            node: { scope in
                node(whole.node(scope)) { place in body.node(place(scope, number)) }
            },
            meaning: { run in
                meaning(
                    whole.meaning(run),
                    { value, run in run.with(number, value) { body.meaning(run) } },
                    run
                )
            },
            source: { source(whole.source($0), "{ value\(number) in \(body.source($0)) }") },
            variables: whole.variables.union(body.variables.subtracting([number])),
            simpler: {
                func again(_ whole: Term<Whole>, _ body: Term<Value>) -> Term {
                    .closure(
                        whole,
                        number,
                        body,
                        node: node,
                        source: source,
                        meaning: meaning
                    )
                }
                var terms: [Term] = [.constant(.plain)]
                if let body = body as? Term, !body.variables.contains(number) {
                    terms.append(body)
                }
                return terms + body.simpler().map { again(whole, $0) }
                    + whole.simpler().map { again($0, body) }
            }
        )
    }

    /// Makes the node of a body, after the variable was put into the scope.
    typealias BodyNode<Value> = ((TermScope, Int) -> TermScope) -> any TermNode<Value>
}
