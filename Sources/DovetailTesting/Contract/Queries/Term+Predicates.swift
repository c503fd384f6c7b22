import Dovetail

extension Term where Output == Bool {
    /// A condition as a predicate of its own.
    static func evaluated(_ body: Term) -> Term {
        Term(
            node: { scope in
                guard let row = scope.row else { return body.node(scope) }
                return Nodes.evaluate(body.predicate, row)
            },
            meaning: body.meaning,
            source: { "\($0.define("WideRow", body.predicateSource($0))).evaluate(row)" },
            variables: [],
            simpler: { [body] + body.simpler().map { .evaluated($0) } }
        )
    }

    /// A condition on an embedded value, as a predicate of its own.
    static func evaluated(_ detail: Term<Detail>, _ number: Int, _ body: Term) -> Term {
        .closure(detail, number, body) { detail, body in
            let predicate = Predicate<Detail> { variable in
                body { _, number in TermScope().with(number, variable) }
            }
            return Nodes.evaluate(predicate, detail)
        } source: { detail, body in
            "Predicate<Detail> \(body).evaluate(\(detail))"
        } meaning: { detail, body, run in
            detail.flatMap { body($0, run) }
        }
    }

    /// All or one of several conditions, each a predicate of its own.
    static func joined(_ bodies: [Term], needsAll: Bool) -> Term {
        Term(
            node: { scope in
                guard let row = scope.row else { return PredicateExpressions.build_Arg(needsAll) }
                let predicates = bodies.map(\.predicate)
                return Nodes.evaluate(needsAll ? .all(predicates) : .any(predicates), row)
            },
            meaning: { run in
                var isMissing = false
                for body in bodies {
                    let value = body.meaning(run)
                    if value == !needsAll { return !needsAll }
                    if value == nil { isMissing = true }
                }
                return isMissing ? nil : needsAll
            },
            source: { source in
                let names = bodies.map { source.define("WideRow", $0.predicateSource(source)) }
                let list = names.joined(separator: ", ")
                let joined = source.define("WideRow", ".\(needsAll ? "all" : "any")([\(list)])")
                return "\(joined).evaluate(row)"
            },
            variables: [],
            simpler: {
                var terms: [Term] = [.constant(needsAll)] + bodies
                for index in bodies.indices {
                    var fewer = bodies
                    fewer.remove(at: index)
                    terms.append(.joined(fewer, needsAll: needsAll))
                    terms += bodies[index].simpler().map {
                        var bodies = bodies
                        bodies[index] = $0
                        return .joined(bodies, needsAll: needsAll)
                    }
                }
                return terms
            }
        )
    }

    /// The predicate of a condition without variables of closures.
    var predicate: Predicate<WideRow> {
        Predicate { node(TermScope($0)) }
    }

    /// The same with what it needs, for messages.
    func predicateSource() -> String {
        let source = TermSource()
        let predicate = predicateSource(source)
        return (source.lines + [predicate]).joined(separator: "\n")
    }

    /// `#Predicate<WideRow> { row in … }`.
    func predicateSource(_ source: TermSource) -> String {
        "#Predicate<WideRow> { row in \(self.source(source)) }"
    }
}
