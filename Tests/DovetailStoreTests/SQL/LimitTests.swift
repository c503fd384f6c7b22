import Dovetail
import StoreTestSupport
import Testing

@Suite struct LimitTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try .inMemory(Pet.self))
        context.insert(contentsOf: Pet.four)
        try context.save()
    }

    @Test func `more shapes of queries than are kept prepared, while rows are gone over`() throws {
        var seen = 0
        try context.withRows(of: FetchDescriptor<Pet>()) { cursor, _ in
            while try cursor.next() {
                seen += 1
                for count in 1...70 {
                    let ids = Array(1...(count + seen * 70))
                    let found = FetchDescriptor<Pet>(predicate: #Predicate { ids.contains($0.id) })
                    try #expect(context.fetchCount(found) == 4)
                }
            }
        }
        #expect(seen == 4)
    }

    @Test func `a list of thirty thousand constants`() throws {
        let ids = Array(3...30_000)
        let found = FetchDescriptor<Pet>(predicate: #Predicate { ids.contains($0.id) })
        #expect(try context.fetch(found).map(\.id) == [3, 4])
    }

    @Test func `a condition that is too deep for SQLite is an error that says so`() throws {
        var expression: any StandardPredicateExpression<Bool> =
            (#Predicate<Pet> { $0.id == 4 }).expression
        let term = (#Predicate<Pet> { $0.id == 7 }).expression
        func neither(
            _ inner: some StandardPredicateExpression<Bool>,
            _ other: some StandardPredicateExpression<Bool>
        ) -> any StandardPredicateExpression<Bool> {
            PredicateExpressions.build_Negation(
                PredicateExpressions.build_Disjunction(lhs: inner, rhs: other)
            )
        }
        for _ in 0..<150 { expression = neither(expression, term) }
        let found = FetchDescriptor<Pet>(predicate: Predicate { _ in expression })
        let context = ModelContext(
            try ModelContainer(
                for: Pet.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true)
            )
        )
        let error = #expect(throws: StoreError.self) { try context.fetch(found) }
        #expect(error?.kind == .unsupported && error?.explanation.contains("nested") == true)
    }

    @Test(arguments: StoreKind.allCases)
    func `predicates that are negated again and again, and too often`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container([Pet.self]))
        context.insert(contentsOf: Pet.four)
        try context.save()
        var predicate = #Predicate<Pet> { $0.id == 4 }
        for count in 1...200 {
            predicate = .not(predicate)
            guard [1, 2, 60, 61, 200].contains(count) else { continue }
            let ids = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.id).sorted()
            #expect(ids == (count % 2 == 0 ? [4] : [1, 2, 3]))
        }
        for _ in 0..<2_000 { predicate = .not(predicate) }
        let error = #expect(throws: QueryError.self) {
            try context.fetch(FetchDescriptor(predicate: predicate))
        }
        #expect(error?.explanation.contains("side by side") == true)
        var same = #Predicate<Pet> { $0.id == 4 }
        for _ in 0..<2_000 {
            let inner = same
            same = #Predicate<Pet> { inner.evaluate($0) }
        }
        #expect(throws: QueryError.self) {
            try context.fetchCount(FetchDescriptor(predicate: same))
        }
    }

    @Test func `a thousand terms`() throws {
        var expression: any StandardPredicateExpression<Bool> =
            (#Predicate<Pet> { $0.id == 4 }).expression
        func or(
            _ left: some StandardPredicateExpression<Bool>,
            _ right: some StandardPredicateExpression<Bool>
        ) -> any StandardPredicateExpression<Bool> {
            PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
        }
        for id in 10..<1200 {
            let term = #Predicate<Pet> { $0.id == id }
            expression = or(expression, term.expression)
        }
        let found = FetchDescriptor<Pet>(predicate: Predicate { _ in expression })
        #expect(try context.fetch(found).map(\.id) == [4])
    }
}
