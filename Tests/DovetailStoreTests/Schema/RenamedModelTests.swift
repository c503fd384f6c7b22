import Dovetail
import DovetailPostgres
import DovetailStore
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

private enum OldTrips {
    @Model(typeName: "Trip") struct Trip: Identifiable, Sendable {
        let id: Int
        var place: Venue
    }
    @Model struct Venue: Sendable { var city: String }
}

private enum NewTrips {
    @Model(typeName: "Journey", aliases: ["Trip"]) struct Journey: Identifiable, Sendable {
        let id: Int
        var place: Venue
    }
    @Model(typeName: "Trip") struct Trip: Identifiable, Sendable {
        let id: Int
        var place: Venue
    }
    @Model struct Venue: Sendable {
        var city: String
        var zip: String
    }
}

private enum OldTypes {
    @Model(typeName: "Person") struct Person: Identifiable { let id: Int }
    @Model(typeName: "Trip", table: "trips") struct Trip: Identifiable { let id: Int }
    @Model(typeName: "Car") final class Car {
        var name = ""
        init() {}
    }
    @Model(typeName: "Ship") class Ship {
        var name = ""
        init() {}
    }
    @Model(typeName: "Ferry") final class Ferry: Ship {
        override init() { super.init() }
    }
    @Model(typeName: "Song") final class Song {
        var tags: [Tag] = []
        init() {}
    }
    @Model(typeName: "Tag") final class Tag {
        var songs: [Song] = []
        init() {}
    }
}

private enum NewTypes {
    @Model(typeName: "Person", table: "people") struct Person: Identifiable { let id: Int }
    @Model(typeName: "Journey", aliases: ["Trip"]) struct Journey: Identifiable { let id: Int }
    @Model(typeName: "Vehicle") class Vehicle {
        var name = ""
        init() {}
    }
    @Model(typeName: "Car") final class Car: Vehicle {
        override init() { super.init() }
    }
    @Model(typeName: "Ferry") final class Ferry {
        var name = ""
        init() {}
    }
    @Model(typeName: "Song") final class Song {
        @Relationship(originalName: "tags") var labels: [Tag] = []
        init() {}
    }
    @Model(typeName: "Tag") final class Tag {
        var songs: [Song] = []
        init() {}
    }
}

private enum OldShips {
    @Model(typeName: "Ship") class Ship {
        var name: String
        init(_ name: String) { self.name = name }
    }
    @Model(typeName: "Tug") final class Tug: Ship {
        override init(_ name: String) { super.init(name) }
    }
}

private enum NewShips {
    @Model(typeName: "Ship") class Ship {
        var name: String
        init(_ name: String) { self.name = name }
    }
    @Model(typeName: "Towboat", aliases: ["Tug"]) final class Towboat: Ship {
        override init(_ name: String) { super.init(name) }
    }
}

private enum NewestTypes {
    @Model(typeName: "Track", aliases: ["Song"]) final class Track {
        var tags: [Tag] = []
        init() {}
    }
    @Model(typeName: "Tag") final class Tag {
        var songs: [Track] = []
        init() {}
    }
}

/// What an older version of a program has stored.
@Suite struct RenamedModelTests {
    /// Its rows are in the table with the old name: a new table would be empty.
    @Test func `a table that has the old name of a model is not passed over`() throws {
        let folder = try TemporaryFolder()
        _ = try ModelContainer.file(folder.file(), OldTrips.Trip.self)
        let error = #expect(throws: StoreError.self) {
            _ = try ModelContainer.file(folder.file(), NewTrips.Journey.self)
        }
        #expect(error?.kind == .invalidSchema)
        #expect(error.map { "\($0)".contains("the table is still named Trip") } == true)
        // Where the name belongs to another model, it is that one's.
        _ = try ModelContainer.file(folder.file(), NewTrips.Journey.self, NewTrips.Trip.self)
    }

    /// Opens a store for some models after others have made their tables.
    private func refusal(
        _ kind: StoreKind,
        _ old: [any Model.Type],
        _ new: [any Model.Type]
    ) throws -> String {
        let folder = try TemporaryFolder()
        let schema = kind == .postgres ? try FreshSchema() : nil
        func open(_ models: [any Model.Type]) throws {
            if let schema {
                let configuration = PostgresConfiguration(schema.connectionString)
                _ = try ModelContainer(for: models, configuration: configuration)
            } else {
                let configuration = ModelConfiguration(url: folder.file())
                _ = try ModelContainer(for: models, configuration: configuration)
            }
        }
        try open(old)
        let error = #expect(throws: StoreError.self) { try open(new) }
        #expect(error?.kind == .invalidSchema)
        // Nothing was made beside it.
        try open(old)
        return error.map { "\($0)" } ?? ""
    }

    private static let persistent = StoreKind.allCases.filter { $0 != .memory }

    @Test(arguments: persistent)
    func `no table that a model had is passed over`(_ kind: StoreKind) throws {
        let named = { (name: String) in "the table is still named \(name)" }
        #expect(
            try refusal(kind, [OldTypes.Person.self], [NewTypes.Person.self])
                .hasSuffix(named("Person"))
        )
        #expect(
            try refusal(kind, [OldTypes.Trip.self], [NewTypes.Journey.self])
                .hasSuffix(named("trips"))
        )
        #expect(
            try refusal(kind, [OldTypes.Car.self], [NewTypes.Vehicle.self, NewTypes.Car.self])
                .hasSuffix(named("Car"))
        )
        #expect(
            try refusal(kind, [OldTypes.Ship.self, OldTypes.Ferry.self], [NewTypes.Ferry.self])
                .hasSuffix(named("Ship"))
        )
    }

    @Test(arguments: persistent)
    func `no table with the pairs of two lists is passed over`(_ kind: StoreKind) throws {
        #expect(
            try refusal(kind, [OldTypes.Song.self], [NewTypes.Song.self])
                .hasSuffix("the table is still named Song$tags")
        )
        let renamed = try refusal(kind, [OldTypes.Song.self], [NewestTypes.Track.self])
        #expect(renamed.contains("Track: the table is still named Song"))
        #expect(
            renamed.contains(
                "Tag$songs: the table is still named Song$tags, and its columns owner and member "
                    + "have changed places"
            )
        )
    }

    @Test func `an identifier that a program has kept leads to the object of a renamed class`()
        throws
    {
        let folder = try TemporaryFolder()
        let old = ModelContext(
            try .file(folder.file(), OldShips.Ship.self, OldShips.Tug.self)
        )
        let tug = OldShips.Tug("x")
        old.insert(tug)
        try old.save()
        let kept = try JSONEncoder().encode(tug.persistentModelID)
        let id = try JSONDecoder().decode(PersistentIdentifier.self, from: kept)
        let context = ModelContext(
            try .file(folder.file(), NewShips.Ship.self, NewShips.Towboat.self)
        )
        let found = try #require(context.model(for: id) as? NewShips.Towboat)
        #expect(found.name == "x")
        let registered: NewShips.Towboat? = context.registeredModel(for: id)
        #expect(registered === found)
        let above: NewShips.Ship? = context.registeredModel(for: id)
        #expect(above === found)
    }

    @Test func `a field that a document in a column does not have is said to be absent`() throws {
        let folder = try TemporaryFolder()
        try ModelContext(.file(folder.file(), OldTrips.Trip.self))
            .keep([OldTrips.Trip(id: 1, place: OldTrips.Venue(city: "Rome"))])
        let context = ModelContext(try .file(folder.file(), NewTrips.Trip.self))
        let error = #expect(throws: ModelDecodingError.self) {
            _ = try context.fetch(FetchDescriptor<NewTrips.Trip>())
        }
        #expect(error.map { "\($0)" } == "Trip.place.zip: expected a value, found no such field")
    }
}

extension ModelContext {
    /// Inserts values and saves them.
    fileprivate func keep<Value: Model & Identifiable>(_ values: [Value]) throws {
        insert(contentsOf: values)
        try save()
    }
}
