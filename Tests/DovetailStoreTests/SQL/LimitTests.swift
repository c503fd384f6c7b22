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
        func not(
            _ inner: some StandardPredicateExpression<Bool>
        ) -> any StandardPredicateExpression<Bool> {
            PredicateExpressions.build_Negation(inner)
        }
        for _ in 0..<150 { expression = not(expression) }
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
