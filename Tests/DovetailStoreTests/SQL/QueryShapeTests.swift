// swift-format-ignore-file: NeverForceUnwrap
// A forced unwrap is one of the expressions.

import Dovetail
import DovetailSQL
import StoreTestSupport
import Testing

@testable import DovetailTesting

/// Queries of one shape have one SQL, and their constants are in the order of its parameters.
@Suite struct QueryShapeTests {
    private let entity = EntityBinding(Specimen.self)
    private let dialect = SQLiteDialect()
    private let renderer = SQLRenderer(SQLiteDialect())

    @Test func `constants are no part of a shape`() throws {
        func byCount(_ count: Int) throws -> Query {
            let predicate = #Predicate<Specimen> { $0.count == count && $0.name.contains("a") }
            return Query(entity, filter: try QueryTranslator(entity).filter(predicate))
        }
        let (seven, bindings) = QueryShape.select(try byCount(7), dialect)
        #expect(seven == QueryShape.select(try byCount(8), dialect).shape)
        #expect(bindings == [.value(.integer(7)), .value(.text("a"))])
        #expect(seven != QueryShape.count(try byCount(7), dialect).shape)
    }

    @Test func `null, limits, orders and lengths of lists are`() {
        let flag = QueryExpression.attribute(1, isOptional: true)
        let filters: [QueryExpression?] = [
            nil, .equal(flag, .value(.null)), .equal(flag, .value(.integer(1))),
            .equal(.attribute(1, isOptional: false), .value(.integer(1))),
            .isIn(flag, [.integer(1)]), .isIn(flag, [.integer(1), .null]),
            .isIn(flag, [.integer(1), .integer(2)]),
        ]
        var queries = filters.map { Query(entity, filter: $0) }
        queries.append(Query(entity, limit: 1))
        queries.append(Query(entity, offset: 1))
        queries.append(Query(entity, order: [QueryOrder(column: 1)]))
        queries.append(Query(entity, order: [QueryOrder(column: 1, isAscending: false)]))
        queries.append(Query(EntityBinding(Pet.self)))
        #expect(Set(queries.map { QueryShape.select($0, dialect).shape }).count == queries.count)
    }

    /// A statement that compares as text would be used for decimals otherwise.
    @Test func `how a value is compared is`() throws {
        let entity = EntityBinding(WideRow.self)
        func expectTwo(_ first: Predicate<WideRow>, _ second: Predicate<WideRow>) throws {
            let queries = try [first, second].map {
                Query(entity, filter: try QueryTranslator(entity).filter($0))
            }
            let texts = try queries.map { try renderer.select($0).text }
            #expect(texts[0] != texts[1])
            let shapes = queries.map { QueryShape.select($0, dialect).shape }
            #expect(shapes[0] != shapes[1])
        }
        let (three, nine, letter) = (3, 9 as Decimal, "a")
        try expectTwo(
            #Predicate { ($0.detail.count ?? 0) > three },
            #Predicate { ($0.detail.price ?? 0) > nine }
        )
        try expectTwo(
            #Predicate { ($0.optName ?? letter).count == three },
            #Predicate { $0.optName!.count == three }
        )
        let context = ModelContext(
            try ModelContainer(
                for: WideRow.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true)
            )
        )
        context.insert(WideRow(1) { $0.detail = Detail(count: 10, price: 10) })
        try context.save()
        let byCount = #Predicate<WideRow> { $0.detail.count! > three }
        let byPrice = #Predicate<WideRow> { $0.detail.price! > nine }
        #expect(try context.fetchCount(FetchDescriptor(predicate: byCount)) == 1)
        #expect(try context.fetchCount(FetchDescriptor(predicate: byPrice)) == 1)
    }

    /// Random predicates: what one shape renders to is one text, with the same bindings.
    @Test(arguments: SeededRandom.seeds)
    func `a shape tells the text`(seed: UInt64) throws {
        let entity = EntityBinding(WideRow.self)
        var maker = TermMaker(SeededRandom(seed: seed))
        var texts: [QueryShape: String] = [:]
        for round in 0..<400 {
            let term = maker.predicate()
            var query = Query(entity, filter: try QueryTranslator(entity).filter(term.predicate))
            if maker.random.isOne(in: 2) { query.order = [QueryOrder(column: round % 3)] }
            let (shape, bindings) = QueryShape.select(query, dialect)
            let sql = try renderer.select(query)
            let comment: Comment = "seed \(seed), round \(round): \(term.predicateSource())"
            #expect(sql.bindings == bindings, comment)
            #expect(texts.updateValue(sql.text, forKey: shape) ?? sql.text == sql.text, comment)
        }
    }
}
