import Dovetail
import DovetailStore
import Testing

@testable import DovetailTesting

/// What queries of large tables cost, counted in rows and nodes.
@Suite struct LookupCostTests {
    private static let count = 100_000
    private static let pets = EntityBinding(Pet.self)
    /// Made once, and only read.
    private static let store = Result {
        let store = MemoryConfiguration().makeStore(for: Schema([Pet.self]))
        try insert((0..<count).lazy.map { Pet($0, "Rex") }, pets, store)
        return store
    }

    private static func insert<Value: Model>(
        _ values: some Sequence<Value>,
        _ entity: EntityBinding,
        _ store: any DataStore
    ) throws {
        try store.withConnection { connection in
            try connection.transaction(keeping: true) {
                let writer = try connection.writer(.insert, into: entity)
                try ModelWriter.writeRows(values, to: writer) { _ in try writer.finishRow() }
            }
        }
    }

    /// What one query gives and costs.
    private func cost(
        of query: Query,
        on connection: any StoreQuerying
    ) throws -> (rows: Int, visits: Int) {
        let connection = try #require(connection as? any MemoryQuerying)
        let before = connection.visits.count
        let cursor = try connection.rows(of: query)
        var rows = 0
        while try cursor.next() { rows += 1 }
        return (rows, connection.visits.count - before)
    }

    @Test func `looking up by key in a loop is logarithmic`() throws {
        try Self.store.get().withSnapshot { connection in
            for id in stride(from: 0, to: Self.count, by: 7) {
                let key = QueryExpression.equal(
                    .attribute(0, isOptional: false),
                    .value(.integer(Int64(id)))
                )
                let cost = try cost(of: Query(Self.pets, filter: key), on: connection)
                // Nodes have 16 keys or more: five of them lie over each other for a million rows.
                #expect(cost.rows == 1 && cost.visits <= 5)
            }
        }
    }

    @Test func `a list of keys is looked up key by key`() throws {
        try Self.store.get().withReadConnection { connection in
            let keys = [7, 99_999, 7, 100_000, 50_000].map { QueryValue.integer($0) }
            let filter = QueryExpression.isIn(.attribute(0, isOptional: false), QueryList(keys))
            let cost = try cost(of: Query(Self.pets, filter: filter), on: connection)
            #expect(cost.rows == 3 && cost.visits <= 20)
        }
    }

    @Test func `a limit without an order ends the search, and counting all looks at nothing`()
        throws
    {
        try Self.store.get().withSnapshot { connection in
            let cost = try cost(of: Query(Self.pets, limit: 3, offset: 2), on: connection)
            #expect(cost.rows == 3 && cost.visits == 5)
            let byKey = Query(Self.pets, order: [QueryOrder(column: 0)], limit: 4, offset: 3)
            #expect(try self.cost(of: byKey, on: connection).visits == 7)
            let before = (connection as? any MemoryQuerying)?.visits.count
            #expect(try connection.count(of: Query(Self.pets)) == Self.count)
            #expect((connection as? any MemoryQuerying)?.visits.count == before)
        }
    }

    @Test func `unique values and indexes are looked up`() throws {
        let entity = EntityBinding(Player.self)
        let store = MemoryConfiguration().makeStore(for: Schema([Player.self]))
        let players = (0..<2_000).lazy.map { Player($0, email: "p\($0)", age: $0 / 4) }
        try Self.insert(players, entity, store)
        let email = try #require(entity.column(of: \Player.email))
        let age = try #require(entity.column(of: \Player.age))
        let byEmail = QueryExpression.equal(
            .attribute(email, isOptional: true),
            .value(.text("p77"))
        )
        let byAge = QueryExpression.equal(.attribute(age, isOptional: false), .value(.integer(9)))
        try store.withReadConnection { connection in
            let one = try cost(of: Query(entity, filter: byEmail), on: connection)
            #expect(one.rows == 1 && one.visits <= 6)
            let four = try cost(of: Query(entity, filter: byAge), on: connection)
            #expect(four.rows == 4 && four.visits <= 15)
            let ages = QueryExpression.isIn(
                .attribute(age, isOptional: false),
                [.integer(9), .integer(11), .integer(9)]
            )
            let eight = try cost(of: Query(entity, filter: ages), on: connection)
            #expect(eight.rows == 8 && eight.visits <= 40)
            // Both sides of an `or` would have to name rows.
            let either = try cost(of: Query(entity, filter: .or(byEmail, byAge)), on: connection)
            #expect(either.rows == 5 && either.visits == 2_000)
        }
    }

    @Test func `pages backwards by an index, equal ones in the order of their keys`() throws {
        let entity = EntityBinding(Player.self)
        let store = MemoryConfiguration().makeStore(for: Schema([Player.self]))
        let players = (0..<2_000).lazy.map { Player($0, email: "p\($0)", age: $0 / 4) }
        try Self.insert(players, entity, store)
        let age = try #require(entity.column(of: \Player.age))
        let newest = Query(
            entity,
            order: [QueryOrder(column: age, isAscending: false)],
            limit: 10,
            offset: 5
        )
        var young = newest
        young.filter = .comparison(
            .less,
            .attribute(age, isOptional: false),
            .value(.integer(2))
        )
        let pages = [
            (newest, [1993, 1994, 1995, 1988, 1989, 1990, 1991, 1984, 1985, 1986]),
            (young, [1, 2, 3]),
        ]
        try store.withReadConnection { connection in
            for (query, wanted) in pages {
                #expect(try self.cost(of: query, on: connection).visits < 40)
                let cursor = try connection.rows(of: query)
                for id in wanted {
                    #expect(try cursor.next())
                    #expect(cursor.cell(entity.keyColumns[0]).integer == Int64(id))
                }
                #expect(try !cursor.next())
            }
        }
    }

    @Test func `pages and ranges by key, forwards and backwards`() throws {
        try Self.store.get().withSnapshot { connection in
            func key(_ comparison: QueryComparison, _ id: Int64) -> QueryExpression {
                .comparison(comparison, .attribute(0, isOptional: false), .value(.integer(id)))
            }
            for isAscending in [true, false] {
                var query = Query(
                    Self.pets,
                    order: [QueryOrder(column: 0, isAscending: isAscending)],
                    limit: 50
                )
                try query.begin(after: Self.pets.values(of: RowImage(of: Pet(70_000, "Rex"))))
                let page = try cost(of: query, on: connection)
                #expect(page.rows == 50 && page.visits <= 60, "\(isAscending)")
            }
            let range = QueryExpression.and(key(.greater, 500), key(.lessOrEqual, 520))
            let found = try cost(of: Query(Self.pets, filter: range), on: connection)
            #expect(found.rows == 20 && found.visits <= 30)
            let turned = QueryExpression.comparison(
                .greater,
                .value(.integer(7)),
                .attribute(0, isOptional: false)
            )
            #expect(try cost(of: Query(Self.pets, filter: turned), on: connection).visits <= 15)
            let byName = Query(
                Self.pets,
                filter: range,
                order: [QueryOrder(column: 1), QueryOrder(column: 0, isAscending: false)]
            )
            #expect(try cost(of: byName, on: connection).visits <= 30)
        }
    }

    @Test func `pages and ranges by an index`() throws {
        let entity = EntityBinding(Player.self)
        let store = MemoryConfiguration().makeStore(for: Schema([Player.self]))
        let players = (0..<2_000).lazy.map { Player($0, email: "p\($0)", age: $0 / 4) }
        try Self.insert(players, entity, store)
        let age = try #require(entity.column(of: \Player.age))
        let id = try #require(entity.column(of: \Player.id))
        try store.withReadConnection { connection in
            let cursor = try connection.rows(
                of: Query(entity, filter: nil, limit: 1, offset: 1_000)
            )
            _ = try cursor.next()
            let last = try entity.values(of: cursor)
            for (first, second) in [(true, true), (false, false)] {
                var query = Query(
                    entity,
                    order: [
                        QueryOrder(column: age, isAscending: first),
                        QueryOrder(column: id, isAscending: second),
                    ],
                    limit: 10
                )
                try query.begin(after: last)
                let page = try cost(of: query, on: connection)
                #expect(page.rows == 10 && page.visits <= 25, "\(first) \(second)")
            }
            let old = QueryExpression.comparison(
                .greaterOrEqual,
                .attribute(age, isOptional: false),
                .value(.integer(495))
            )
            let found = try cost(of: Query(entity, filter: old), on: connection)
            #expect(found.rows == 20 && found.visits <= 50)
        }
    }
}
