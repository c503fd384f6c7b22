import Dovetail
import StoreTestSupport
import Testing

@Model struct Census: Equatable, Sendable {
    var species: String
    @Attribute(name: "number") var count: Int
    var heaviest: Double?
}

/// Queries in SQL, whose values are bound.
@Suite struct RawSQLTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try StoreKind.sqlite.container(Pet.self))
        context.insert(contentsOf: Pet.four)
        try context.save()
    }

    @Test func `rows are values of a model, by the names of their columns`() throws {
        let found = try context.sql(
            "SELECT count(*) AS NUMBER, species, 1 AS other FROM Pet GROUP BY species ORDER BY 2",
            as: Census.self
        )
        let kinds = Dictionary(grouping: Pet.four) { $0.species.rawValue }
        #expect(
            found == kinds.keys.sorted().map { Census(species: $0, count: kinds[$0]?.count ?? 0) }
        )
        let pets = try context.sql("SELECT * FROM Pet ORDER BY id", as: Pet.self)
        #expect(pets == Pet.four.sorted { $0.id < $1.id })
    }

    @Test func `what is interpolated is a value and never SQL`() throws {
        let name = Pet.four[0].name
        let named = try context.sql("SELECT * FROM Pet WHERE name = \(name)", as: Pet.self)
        #expect(named == Pet.four.filter { $0.name == name })
        for hostile in ["' OR 1=1 --", "\"; DROP TABLE Pet; --", "a\0b", "?1", "\\"] {
            #expect(
                try context.sql("SELECT * FROM Pet WHERE name = \(hostile)", as: Pet.self) == []
            )
            let table: SQLQuery = "SELECT * FROM \(identifier: hostile)"
            #expect(throws: StoreError.self) { try context.sql(table, as: Pet.self) }
        }
        let count: SQLQuery = "SELECT * FROM \(identifier: "Pet") WHERE \(identifier: "id") > \(0)"
        #expect(try context.sql(count, as: Pet.self).count == Pet.four.filter { $0.id > 0 }.count)
        let none: String? = nil
        #expect(
            try context.sql("SELECT * FROM Pet WHERE nickname IS \(none)", as: Pet.self).count
                == Pet.four.filter { $0.nickname == nil }.count
        )
    }

    @Test func `what waits is seen`() throws {
        context.insert(Pet(77, "waits"))
        #expect(try context.sql("SELECT * FROM Pet WHERE id = \(77)", as: Pet.self).count == 1)
        #expect(context.hasChanges)
    }

    @Test(arguments: [
        "DELETE FROM Pet", "SELECT 1; DELETE FROM Pet", "SELECT 1; SELECT 2", "BEGIN", "",
        "-- nothing", "SELECT * FROM Nobody", "SELECT id FROM", "SELECT id FROM Pet\u{0}",
    ])
    func `what is no single query is an error, and changes nothing`(text: String) throws {
        let query = SQLQuery(stringLiteral: text)
        #expect(throws: (any Error).self) { try context.sql(query, as: Pet.self) }
        #expect(try context.fetchCount(FetchDescriptor<Pet>()) == Pet.four.count)
    }

    @Test(arguments: [
        ("SELEC 'secret'", "from its byte 0 on"), ("SELECT 'secret' FROM Nobody", "names a table"),
        ("SELECT id + FROM Pet", "from its byte 12 on"), ("SELECT id, nobody FROM Pet", "nobody"),
    ])
    func `what is no SQL is an error that says why`(text: String, reason: String) throws {
        let error = #expect(throws: StoreError.self) {
            try context.sql(SQLQuery(stringLiteral: text), as: Pet.self)
        }
        let description = error?.description ?? ""
        #expect(description.contains(reason) && !description.contains("secret"))
    }

    @Test func `columns that are missing or of another kind are named`() throws {
        let missing = #expect(throws: ModelDecodingError.self) {
            try context.sql("SELECT species FROM Pet", as: Census.self)
        }
        #expect(missing?.kind == .missingField)
        #expect(missing?.path == "number")
        let other = #expect(throws: ModelDecodingError.self) {
            try context.sql("SELECT species, name AS number FROM Pet", as: Census.self)
        }
        #expect(other?.path == "number")
        let tooLarge = UInt64.max
        #expect(throws: QueryError.self) {
            try context.sql("SELECT * FROM Pet WHERE id = \(tooLarge)", as: Pet.self)
        }
    }

    @Test func `a store without SQL says so`() throws {
        let memory = ModelContext(try StoreKind.memory.container(Pet.self))
        #expect(!memory.container.store.capabilities.contains(.sql))
        let error = #expect(throws: StoreError.self) {
            try memory.sql("SELECT * FROM Pet", as: Pet.self)
        }
        #expect(error?.kind == .unsupported)
    }
}
