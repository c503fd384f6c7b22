import Dovetail
import DovetailPostgres
import DovetailStore
import DovetailTesting
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

struct CrewID: TypedIdentifier { let rawValue: UUID }

@Model struct Crew: Identifiable, Equatable, Sendable {
    let id: CrewID
    var name: String
}

@Model struct Mate: Identifiable, Equatable, Sendable {
    let id: UUID
    @Attribute(.references(Crew.self, deleteRule: .cascade)) var crew: CrewID?
    @Attribute(.unique) var badge: UUID
    var former: [UUID] = []
    var name: String = ""
}

@Model struct Bunk: Equatable, Sendable {
    @Attribute(.primaryKey) var ship: UUID
    @Attribute(.primaryKey) var number: Int
    var sailor: UUID?
}

@Model final class Fleet {
    @Attribute(.primaryKey) var id: UUID
    @Relationship(deleteRule: .cascade, inverse: \Vessel.fleet) var vessels: [Vessel] = []
    var ports: [Port] = []

    init(id: UUID) { self.id = id }
}

@Model final class Vessel {
    @Attribute(.primaryKey) var id: UUID
    var fleet: Fleet?

    init(id: UUID) { self.id = id }
}

@Model final class Port {
    @Attribute(.primaryKey) var id: UUID
    var fleets: [Fleet] = []

    init(id: UUID) { self.id = id }
}

@Model(table: "old_tokens") struct OldToken: Identifiable, Equatable, Sendable {
    let id: UUID
    var text: UUID
    var note: String?
}

@Model(table: "old_tokens") struct TokenOfText: Identifiable, Equatable, Sendable {
    let id: String
    var text: String
}

@Suite(.needsPostgres) struct PostgresUUIDTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    private func context(_ models: any Model.Type...) throws -> ModelContext {
        let configuration = PostgresConfiguration(schema.connectionString)
        return ModelContext(try ModelContainer(for: models, configurations: [configuration]))
    }

    /// Small numbers at both ends, so that the order of bytes is seen, with letters among the digits.
    private func uuid(_ number: Int) -> UUID {
        let (low, high) = (UInt8(number & 255), UInt8(number >> 8 & 255))
        return UUID(uuid: (low, 0xAB, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, high, low))
    }

    private func types(of table: String) throws -> [String: String] {
        let rows = try schema.connect().rows(
            """
            SELECT attname, format_type(atttypid, NULL) FROM pg_attribute
            WHERE attrelid = '"\(table)"'::regclass AND attnum > 0
            """
        )
        return Dictionary(rows.map { ($0[0] ?? "", $0[1] ?? "") }) { $1 }
    }

    @Test func `keys, references and attributes that are UUIDs have that type`() throws {
        _ = try context(Crew.self, Mate.self, Bunk.self, Fleet.self, Vessel.self, Port.self)
        #expect(try types(of: "Crew") == ["id": "uuid", "name": "text"])
        #expect(
            try types(of: "Mate") == [
                "id": "uuid", "crew": "uuid", "badge": "uuid", "former": "json", "name": "text",
            ]
        )
        #expect(try types(of: "Bunk")["ship"] == "uuid")
        #expect(
            try types(of: "Vessel") == [
                "id": "uuid", "fleet": "uuid", "Fleet$vessels$order": "bigint",
            ]
        )
        #expect(try types(of: "Fleet$ports")["owner"] == "uuid")
        #expect(try types(of: "Fleet$ports")["member"] == "uuid")
    }

    @Test func `rows are written one by one and by COPY, found, changed and deleted`() throws {
        let context = try context(Crew.self, Mate.self)
        let crew = Crew(id: CrewID(rawValue: uuid(1)), name: "a")
        context.insert(crew)
        let all = (0..<3000).map { number in
            Mate(
                id: uuid(number),
                crew: number % 2 == 0 ? crew.id : nil,
                badge: uuid(number + 10_000),
                former: [uuid(number)]
            )
        }
        context.insert(contentsOf: all)
        try context.save()
        let byID = FetchDescriptor<Mate>(sortBy: [SortDescriptor(\.id)])
        let sorted = all.sorted { $0.id.uuidString < $1.id.uuidString }
        #expect(try context.fetch(byID) == sorted)
        #expect(try context.fetch(Mate.self, id: all[7].id) == all[7])
        let (few, many) = ([all[1].id, all[2].id], all.prefix(50).map(\.id))
        for ids in [few, many, []] {
            let found = FetchDescriptor<Mate>(predicate: #Predicate { ids.contains($0.id) })
            #expect(try Set(context.fetch(found).map(\.id)) == Set(ids))
        }
        let (bound, key) = (all[200].id, crew.id)
        let half = FetchDescriptor<Mate>(
            predicate: #Predicate { $0.id < bound && $0.crew == key },
            sortBy: [SortDescriptor(\.id, order: .reverse)]
        )
        let expected = sorted.reversed().filter {
            $0.id.uuidString < bound.uuidString && $0.crew == key
        }
        #expect(try context.fetch(half) == expected)
        // Unique values change places.
        var (first, second) = (all[0], all[1])
        (first.badge, second.badge) = (second.badge, first.badge)
        context.update([first, second])
        context.delete(all[2])
        try context.save()
        #expect(try context.fetch(Mate.self, id: first.id) == first)
        #expect(try context.fetchCount(byID) == 2999)
        context.delete(crew)
        try context.save()
        #expect(try context.fetchCount(byID) == 1500)
    }

    @Test func `an index serves what names a key, and nothing else is asked for as text`() throws {
        let context = try context(Crew.self, Mate.self)
        let (one, two) = (uuid(1), uuid(2))
        let ids = (0..<9).map { uuid($0) }
        let predicates: [Predicate<Mate>] = [
            #Predicate { $0.id == one }, #Predicate { [one, two].contains($0.id) },
            #Predicate { ids.contains($0.id) }, #Predicate { $0.badge == one || $0.badge == two },
            #Predicate { $0.crew == nil },
        ]
        for predicate in predicates {
            let found = FetchDescriptor<Mate>(predicate: predicate)
            let statement = try context.explain(found).statement
            #expect(!statement.contains("upper"), "\(statement)")
        }
    }

    @Test func `objects with such keys find each other`() throws {
        let context = try context(Fleet.self, Vessel.self, Port.self)
        let fleet = Fleet(id: uuid(1))
        fleet.vessels = [Vessel(id: uuid(2)), Vessel(id: uuid(3))]
        fleet.ports = [Port(id: uuid(4))]
        context.insert(fleet)
        try context.save()
        let other = try self.context(Fleet.self, Vessel.self, Port.self)
        let key = uuid(1)
        let found = FetchDescriptor<Vessel>(
            predicate: #Predicate { $0.fleet?.id == key },
            sortBy: [SortDescriptor(\.id)]
        )
        #expect(try other.fetch(found).map(\.id) == [uuid(2), uuid(3)])
        let read = try #require(try other.fetch(FetchDescriptor<Fleet>()).first)
        #expect(read.ports.map(\.id) == [uuid(4)] && read.vessels.count == 2)
        read.vessels[0].fleet = nil
        try other.save()
        #expect(try other.fetchCount(found) == 1)
    }

    @Test func `objects are in tables of others, which refer to each other by UUIDs`() throws {
        _ = try context(Fleet.self, Vessel.self, Port.self)
        // Nothing says any more that they are ours.
        try schema.connect().rows("DROP TABLE dovetail_schema, dovetail_store")
        let context = try context(Fleet.self, Vessel.self, Port.self)
        let fleet = Fleet(id: uuid(1))
        fleet.vessels = [Vessel(id: uuid(2)), Vessel(id: uuid(3))]
        context.insert(fleet)
        try context.save()
        let key = uuid(1)
        let other = try self.context(Fleet.self, Vessel.self, Port.self)
        let found = FetchDescriptor<Vessel>(predicate: #Predicate { $0.fleet?.id == key })
        #expect(try other.fetchCount(found) == 2)
        let statement = try other.explain(found).statement
        #expect(!statement.contains("upper"), "\(statement)")
    }

    @Test func `SQL of one's own takes UUIDs for columns of both types`() throws {
        let context = try context(Crew.self, Mate.self)
        let sailor = Mate(id: uuid(300), crew: nil, badge: uuid(2))
        context.insert(sailor)
        context.insert(Crew(id: CrewID(rawValue: uuid(1)), name: uuid(300).uuidString))
        try context.save()
        let id = uuid(300)
        let found = try context.sql("SELECT * FROM \"Mate\" WHERE id = \(id)", as: Mate.self)
        #expect(found == [sailor])
        let named = try context.sql("SELECT * FROM \"Crew\" WHERE name = \(id)", as: Crew.self)
        #expect(named.count == 1)
    }

    @Test func `tables of others with columns of that type are read, written and found`() throws {
        try schema.connect().rows(
            """
            CREATE TABLE old_tokens (
                id uuid PRIMARY KEY, text varchar(40) COLLATE "und-x-icu" NOT NULL, note text
            );
            INSERT INTO old_tokens
                VALUES ('0001ab00-0000-4000-8000-00000000cdef', 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F')
            """
        )
        let context = try context(OldToken.self)
        let key = try #require(UUID(uuidString: "0001AB00-0000-4000-8000-00000000CDEF"))
        var token = try #require(try context.fetch(OldToken.self, id: key))
        #expect(token.text.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        token.note = "n"
        context.upsert([token, OldToken(id: uuid(1), text: uuid(2))])
        try context.save()
        let found = FetchDescriptor<OldToken>(predicate: #Predicate { $0.id == key })
        #expect(try context.fetch(found) == [token])
        // Text that is no UUID would not come back.
        let error = #expect(throws: StoreError.self) { _ = try self.context(TokenOfText.self) }
        #expect(error?.kind == .invalidSchema && error?.column == "id")
    }

    @Test func `a table that an earlier release has made keeps its text`() throws {
        _ = try context(Crew.self)
        // What the first release made.
        try schema.connect().rows(
            """
            DROP TABLE "Crew";
            CREATE TABLE "Crew" (
                "id" text COLLATE "C" NOT NULL PRIMARY KEY, "name" text COLLATE "C" NOT NULL
            )
            """
        )
        let context = try context(Crew.self, Mate.self)
        #expect(try types(of: "Crew")["id"] == "text")
        #expect(try types(of: "Mate")["crew"] == "text")
        let crew = Crew(id: CrewID(rawValue: uuid(700)), name: "a")
        context.insert(crew)
        context.insert(Mate(id: uuid(1), crew: crew.id, badge: uuid(1)))
        try context.save()
        #expect(try context.fetch(Crew.self, id: crew.id) == crew)
        let key: CrewID? = crew.id
        let found = FetchDescriptor<Mate>(predicate: #Predicate { $0.crew == key })
        #expect(try context.fetchCount(found) == 1)
    }

    @Test func `aggregates, updates by predicate and distinct values mean UUIDs`() throws {
        let context = try context(Crew.self, Mate.self)
        let crew = CrewID(rawValue: uuid(900))
        context.insert(Crew(id: crew, name: ""))
        context.insert(
            contentsOf: (0..<20).map { Mate(id: uuid($0), crew: nil, badge: uuid($0)) }
        )
        try context.save()
        let bound = uuid(10)
        try context.update(Mate.self, where: #Predicate { $0.id < bound }) {
            try $0.set(\.crew, crew)
        }
        try context.save()
        let same = FetchDescriptor<Mate>(
            predicate: #Predicate { $0.crew == crew && $0.id == $0.badge }
        )
        #expect(try context.fetchCount(same) == 10)
        let last = try context.max(\.badge, where: #Predicate<Mate> { $0.crew == crew })
        #expect(last == uuid(9))
        let first = try context.min(\.id, where: #Predicate<Mate> { $0.crew == nil })
        #expect(first == uuid(10))
        let crews: [CrewID?] = try context.select(.value(\Mate.crew), distinct: true)
        #expect(crews.count == 2 && Set(crews) == [nil, crew])
    }

    @Test func `places in a table that two UUIDs name are found by both`() throws {
        let context = try context(Bunk.self)
        context.insert(
            contentsOf: (0..<20).map { Bunk(ship: uuid($0 % 3), number: $0, sailor: nil) }
        )
        try context.save()
        let ship = uuid(2)
        let found = FetchDescriptor<Bunk>(predicate: #Predicate { $0.ship == ship })
        #expect(try context.fetchCount(found) == 6)
        context.upsert([Bunk(ship: ship, number: 2, sailor: ship)])
        try context.save()
        let mine: UUID? = ship
        let whole = FetchDescriptor<Bunk>(predicate: #Predicate { $0.sailor == mine })
        let numbers = try context.fetch(whole).map(\.number)
        #expect(numbers == [2])
    }
}
