import Dovetail
import DovetailStore
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
