import Dovetail
import Testing
import ToolchainPredicates

/// `Predicate.all`, `.any` and `.not`.
struct PredicateCompositionTests {
    static let parts = [
        #Predicate<Film> { $0.isSeen }, #Predicate<Film> { $0.year > 1980 },
        #Predicate<Film> { $0.title.isEmpty },
    ]

    private func ids(_ predicate: Predicate<Film>) throws -> [Int] {
        try Film.samples.filter { try predicate.evaluate($0) }.map(\.id)
    }

    @Test
    func `all of them, one of them and not one hold as && and || and ! do`() throws {
        let closures: [(Film) -> Bool] = [{ $0.isSeen }, { $0.year > 1980 }, { $0.title.isEmpty }]
        let films = Film.samples
        #expect(
            try ids(.all(Self.parts))
                == films.filter { f in closures.allSatisfy { $0(f) } }.map(\.id)
        )
        #expect(
            try ids(.any(Self.parts)) == films.filter { f in closures.contains { $0(f) } }.map(\.id)
        )
        #expect(try ids(.not(Self.parts[0])) == films.filter { !$0.isSeen }.map(\.id))
        #expect(
            try ids(.not(.any([.not(Self.parts[0]), .all([Self.parts[1]])])))
                == films.filter { $0.isSeen && $0.year <= 1980 }.map(\.id)
        )
    }

    @Test
    func `all of none holds and one of none does not`() throws {
        #expect(try ids(.all([])).count == Film.samples.count)
        #expect(try ids(.any([])).isEmpty)
    }

    @Test
    func `the parts can be taken out of the expression`() throws {
        let all = Predicate.all(Self.parts)
        let node = try #require(all.expression as? PredicateExpressions.PredicateJoin<Film>)
        #expect(node.predicates.count == 3 && node.needsAll)
        #expect(node.variable.key == all.variable.key)
        let any = Predicate.any(Self.parts)
        let one = try #require(any.expression as? PredicateExpressions.PredicateJoin<Film>)
        #expect(one.predicates.count == 3 && !one.needsAll)
        let not = Predicate.not(Self.parts[1])
        typealias Negation = PredicateExpressions.Negation<PredicateExpressions.PredicateJoin<Film>>
        let inner = try #require(not.expression as? Negation).wrapped
        #expect("\(inner.predicates[0].expression)" == "\(Self.parts[1].expression)")
        #expect("\(inner)".hasPrefix("All([Comparison("))
    }

    @Test
    func `a composed predicate is evaluated by others`() throws {
        let both = Predicate.all([Self.parts[0], Self.parts[1]])
        let outer = #Predicate<Film> { try both.evaluate($0) || $0.id == 1 }
        #expect(
            try ids(outer)
                == Film.samples.filter { $0.isSeen && $0.year > 1980 || $0.id == 1 }.map(\.id)
        )
    }

    @Test
    func `predicates of two inputs are composed`() throws {
        let same = Foundation.Predicate<Int, Int>({ first, second in
            PredicateExpressions.build_Equal(lhs: first, rhs: second)
        })
        #expect(try Predicate.not(same).evaluate(1, 2))
        #expect(try !Predicate.all([same, .not(same)]).evaluate(2, 2))
    }

    @Test
    func `what holds whole predicates cannot be encoded`() {
        let node = PredicateExpressions.PredicateJoin(
            predicates: Self.parts,
            needsAll: true,
            variable: .init()
        )
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(node) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                PredicateExpressions.PredicateJoin<Film>.self,
                from: Data("[]".utf8)
            )
        }
    }
}

/// The nodes that Foundation on Linux lacks.
struct PredicateNodeTests {
    typealias Text = PredicateExpressions.Value<String>

    @Test
    func `text nodes are written and read again`() throws {
        let (root, other) = (Text("Straße"), Text("SSE"))
        let contains = PredicateExpressions.build_localizedStandardContains(root, other)
        let again = try JSONDecoder().decode(
            type(of: contains),
            from: JSONEncoder().encode(contains)
        )
        #expect(again.root.value == "Straße" && again.other.value == "SSE")
        #expect(try again.evaluate(PredicateBindings()))
        let lowercased = PredicateExpressions.build_lowercased(other)
        let lower = try JSONDecoder().decode(
            type(of: lowercased),
            from: JSONEncoder().encode(lowercased)
        )
        #expect(try lower.evaluate(PredicateBindings()) == "sse")
    }

    @Test
    func `text nodes say what they are`() {
        let suffix = PredicateExpressions.build_hasSuffix(Text("ab"), Text("b"))
        #expect("\(suffix)".hasPrefix("HasSuffix(root: Value<"))
        #expect(
            "\(PredicateExpressions.build_lowercased(Text("A")))".hasPrefix("Lowercased(")
        )
    }
}
