import Dovetail

extension Term {
    /// A member of an embedded value.
    static func member(_ detail: Term<Detail>, _ property: RandomProperty<Detail, Output>) -> Term {
        .of(
            detail,
            node: { Nodes.member($0, property) },
            source: { "\($0).\(property.name)" }
        ) { detail, _ in detail[keyPath: property.path] }
    }

    /// `!` of a value that may be nil.
    static func unwrapped(_ operand: Term<Output?>) -> Term {
        var term = Term.of(operand, node: { Nodes.unwrapped($0) }, source: { "\($0)!" }) {
            value,
            run in
            if value == nil { run.note(.unwrap) }
            return value
        }
        term.constant = operand.constant ?? nil
        return term
    }

    /// `value.flatMap { … }`.
    static func chained<Whole: RandomValue, Body: RandomValue>(
        _ whole: Term<Whole?>,
        _ number: Int,
        _ body: Term<Body>
    ) -> Term where Output == Body? {
        .closure(whole, number, body) { whole, body in
            Nodes.flatMap(whole) { variable in
                body { scope, number in scope.with(number, variable) }
            }
        } source: { whole, body in
            "\(whole).flatMap \(body)"
        } meaning: { whole, body, run in
            guard let value = whole ?? nil else { return .some(nil) }
            return body(value, run)
        }
    }

    /// `list.filter { … }`.
    static func filtered<Element: RandomCollected>(
        _ list: Term<[Element]>,
        _ number: Int,
        _ body: Term<Bool>
    ) -> Term where Output == [Element] {
        .closure(list, number, body) { list, body in
            Nodes.filter(list) { variable in
                body { scope, number in scope.with(number, variable) }
            }
        } source: { list, body in
            "\(list).filter \(body)"
        } meaning: { list, body, run in
            list.map { $0.filter { body($0, run) == true } }
        }
    }
}

extension Term where Output: RandomNumber {
    static func arithmetic(_ operation: RandomOperator, _ first: Term, _ second: Term) -> Term {
        .of(
            first,
            second,
            node: { Nodes.arithmetic(operation, $0, $1) },
            source: { "(\($0) \(operation.rawValue) \($1))" }
        ) { left, right, run in Output.result(operation, left, right, run) }
    }
}

extension Term where Output: RandomNumber & SignedNumeric {
    /// `-number`, which is computed as zero without it.
    static func negated(_ operand: Term) -> Term {
        .of(operand, node: { Nodes.minus($0) }, source: { "(-\($0))" }) { value, run in
            Output.result(.subtract, 0, value, run)
        }
    }

    static func negated(_ maker: inout TermMaker, _ depth: Int) -> Term {
        .negated(maker.term(Output.self, depth))
    }
}
