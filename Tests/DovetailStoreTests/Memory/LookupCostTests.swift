import Dovetail
import DovetailStore
import Testing

/// What queries of large tables cost, counted in rows and nodes.
@Suite struct LookupCostTests {
    private let entity = EntityBinding(Pet.self)
    private let store: any DataStore
    private static let count = 100_000

    init() throws {
        store = MemoryConfiguration().makeStore(for: Schema([Pet.self]))
        try store.withConnection { connection in
            try connection.transaction(keeping: true) {
                let writer = try connection.writer(.insert, into: entity)
                let pets = (0..<Self.count).lazy.map { Pet($0, "Rex") }
                try ModelWriter.writeRows(pets, to: writer) { _ in try writer.finishRow() }
            }
        }
    }

    /// What one query costs.
    private func visits(
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
        try store.withSnapshot { connection in
            for id in stride(from: 0, to: Self.count, by: 7) {
                let key = QueryExpression.equal(
                    .attribute(0, isOptional: false),
                    .value(.integer(Int64(id)))
                )
                let (rows, visits) = try visits(of: Query(entity, filter: key), on: connection)
                // Nodes have 16 keys or more: five of them lie over each other for a million rows.
                #expect(rows == 1 && visits <= 5)
            }
        }
    }

    @Test func `a limit without an order ends the search`() throws {
        try store.withSnapshot { connection in
            let first = try visits(of: Query(entity, limit: 3, offset: 2), on: connection)
            #expect(first.rows == 3)
            #expect(first.visits == 5)
            #expect(try connection.count(of: Query(entity)) == Self.count)
        }
    }

    @Test func `a small save beside a snapshot leaves that as it is`() throws {
        try store.withSnapshot { snapshot in
            try store.withConnection { connection in
                let writer = try connection.writer(.update, into: entity)
                for id in [1, 50_000, 99_999] {
                    let pet = CollectionOfOne(Pet(id, "Mia"))
                    try ModelWriter.writeRows(pet, to: writer) { _ in try writer.finishRow() }
                }
            }
            let mia = QueryExpression.equal(
                .attribute(1, isOptional: false),
                .value(.text("Mia"))
            )
            #expect(try snapshot.count(of: Query(entity, filter: mia)) == 0)
            #expect(
                try store.withReadConnection { try $0.count(of: Query(entity, filter: mia)) } == 3
            )
        }
    }
}
