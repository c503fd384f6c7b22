import Dovetail
import Foundation
import StoreTestSupport
import Testing

/// What people complain of in SwiftData, and what happens here.
struct ComplaintTests {
    private func traced(_ log: StatementLog, _ models: any Model.Type...) throws -> ModelContainer {
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        return try ModelContainer(for: models, configurations: configuration)
    }

    // MARK: 1. Slow with many rows

    @Test func `counting and deleting by a predicate is one statement, and reads no row`() throws {
        let log = StatementLog()
        let container = try traced(log, TripNote.self)
        let context = ModelContext(container)
        for number in 0..<100 { context.insert(TripNote(text: "\(number)", stars: number)) }
        try context.save()
        let other = ModelContext(container)
        _ = log.take()
        let many = #Predicate<TripNote> { $0.stars >= 50 }
        #expect(try other.fetchCount(FetchDescriptor(predicate: many)) == 50)
        try other.delete(model: TripNote.self, where: many)
        try other.save()
        let statements = log.take().map(\.sql)
        #expect(statements.count { $0.hasPrefix("SELECT") } == 1)
        #expect(statements.contains { $0.hasPrefix("SELECT count(*)") })
        #expect(statements.count { $0.hasPrefix("DELETE") } == 1)
        var page = FetchDescriptor<TripNote>(sortBy: [SortDescriptor(\.stars)])
        page.fetchLimit = 10
        let plan = try other.explain(page)
        #expect(plan.statement.contains("LIMIT"))
    }

    @Test func `an index is used`() throws {
        let context = ModelContext(try StoreKind.sqlite.container(TripNote.self))
        let plan = try context.explain(
            FetchDescriptor<TripNote>(predicate: #Predicate { $0.stars == 5 })
        )
        #expect(!"\(plan)".contains("goes over all rows"))
    }

    // MARK: 3. Crashes on deleted, detached and reset objects

    @Test(arguments: StoreKind.allCases)
    func `values stay readable whatever has deleted the row, and writing does no harm`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.container(Trip.self)
        let ways: [(ModelContext, Trip) throws -> Void] = [
            { context, trip in
                context.delete(trip)
                try context.save()
            },
            { context, _ in
                try context.delete(model: Trip.self)
                try context.save()
            },
            { context, trip in
                let other = ModelContext(context.container)
                try other.delete(model: Trip.self)
                try other.save()
            },
            { context, _ in try context.container.erase() },
            { context, _ in context.container.deleteAllData() },
        ]
        for (number, way) in ways.enumerated() {
            let context = ModelContext(container)
            let trip = Trip(name: "\(number)")
            trip.stops = [TripStop(place: "x", trip: trip)]
            context.insert(trip)
            try context.save()
            try way(context, trip)
            #expect(trip.name == "\(number)", "way \(number)")
            #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
            if number < 2 {
                #expect(trip.isDeleted && trip.modelContext == nil)
                trip.name = "later"
                trip.stops = []
                trip.note = TripNote(text: "n", stars: 1)
                #expect(trip.name == "later" && !context.hasChanges)
                try context.save()
            } else {
                // It is not known yet that the row is gone: a change says so when it is saved.
                trip.name = "later"
                let error = #expect(throws: ConflictError.self) { try context.save() }
                #expect(error?.conflicts.count == 1 && error?.conflicts.first?.theirs == nil)
                context.rollback()
                #expect(trip.name == "\(number)")
            }
            #expect(try context.fetchCount(FetchDescriptor<Trip>()) == 0)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `isDeleted is right before and after the save, and after a rollback`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Trip.self))
        let trip = Trip(name: "a")
        #expect(!trip.isDeleted && trip.modelContext == nil && !trip.hasChanges)
        context.insert(trip)
        try context.save()
        context.delete(trip)
        #expect(trip.isDeleted && trip.modelContext != nil)
        context.rollback()
        #expect(!trip.isDeleted && trip.modelContext != nil)
        context.delete(trip)
        try context.save()
        #expect(trip.isDeleted && trip.modelContext == nil)
    }

    @Test func `objects outlive their context and their container`() throws {
        func make() throws -> Trip {
            let context = ModelContext(try StoreKind.sqlite.container(Trip.self))
            let trip = Trip(name: "a")
            trip.stops = [TripStop(place: "x", trip: trip)]
            context.insert(trip)
            try context.save()
            return trip
        }
        let trip = try make()
        #expect(trip.name == "a" && trip.modelContext == nil)
        #expect(trip.stops.map(\.place) == ["x"])
        trip.name = "b"
        #expect(trip.name == "b")
    }

    // MARK: 4. Predicates that compile and fail

    @Test(arguments: StoreKind.allCases)
    func `predicates over optionals, enums and choices mean what they say`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Trip.self))
        let plain = Trip(name: "plain")
        let noted = Trip(name: "noted")
        noted.note = TripNote(text: "sun", stars: 5)
        noted.mood = .good
        noted.end = Date(timeIntervalSince1970: 1000)
        context.insert(plain)
        context.insert(noted)
        try context.save()
        let good = TripMood.good
        let bad = TripMood.bad
        let noMood: TripMood? = nil
        let moods: Set<TripMood> = [.good]
        let wanted: String? = nil
        let predicates: [(Predicate<Trip>, [String])] = [
            (#Predicate { $0.note == nil }, ["plain"]),
            (#Predicate { $0.note != nil }, ["noted"]),
            (#Predicate { $0.note?.text == "sun" }, ["noted"]),
            (#Predicate { $0.note?.text != "sun" }, ["plain"]),
            (#Predicate { $0.note?.text == wanted }, ["plain"]),
            (#Predicate { $0.mood == good }, ["noted"]),
            (#Predicate { $0.mood != good }, ["plain"]),
            (#Predicate { $0.mood == nil }, ["plain"]),
            (#Predicate { $0.mood == noMood }, ["plain"]),
            (#Predicate { moods.contains($0.phase) }, ["plain", "noted"]),
            (#Predicate { $0.phase == bad }, []),
            (#Predicate { ($0.note?.stars ?? 0) > 3 }, ["noted"]),
            (#Predicate { $0.end == nil ? $0.name == "plain" : $0.name == "x" }, ["plain"]),
            (
                #Predicate { trip in
                    if let end = trip.end { end > Date.distantPast } else { false }
                }, ["noted"]
            ),
            (#Predicate { $0.end.flatMap { $0 > Date.distantPast } == true }, ["noted"]),
        ]
        for (number, (predicate, names)) in predicates.enumerated() {
            #expect(
                try context.fetch(
                    FetchDescriptor(
                        predicate: predicate,
                        sortBy: [SortDescriptor(\.name, order: .reverse)]
                    )
                ).map(\.name) == names,
                "predicate \(number)"
            )
            #expect(try [plain, noted].filter(predicate.evaluate).map(\.name) == names)
        }
    }

    @Test func `what no store can do is a thrown error that names it`() throws {
        let context = ModelContext(try StoreKind.sqlite.container(Trip.self))
        let computed = FetchDescriptor<Trip>(predicate: #Predicate { $0.title == "a" })
        let error = #expect(throws: QueryError.self) { try context.fetch(computed) }
        #expect("\(error!)".contains("is not a stored attribute of Trip"))
    }

    // MARK: 5. Inverses

    @Test(arguments: StoreKind.allCases)
    func `one written side is enough, before and after insert`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Trip.self))
        let trip = Trip(name: "a")
        let first = TripStop(place: "1", trip: trip)
        #expect(trip.stops == [first])
        context.insert(trip)
        let second = TripStop(place: "2", trip: trip)
        #expect(trip.stops == [first, second] && second.modelContext === context)
        let note = TripNote(text: "n", stars: 1)
        trip.note = note
        #expect(note.trip === trip && note.modelContext === context)
        note.trip = nil
        #expect(trip.note == nil)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<TripStop>()) == 2)
    }

    // MARK: 8. Stale objects

    @Test(arguments: StoreKind.allCases)
    func `what one context saves, another one sees at its next fetch`(_ kind: StoreKind) throws {
        let container = try kind.container(Trip.self)
        let context = ModelContext(container)
        let trip = Trip(name: "a")
        context.insert(trip)
        try context.save()
        let other = ModelContext(container)
        let same = try #require(other.model(for: trip.persistentModelID) as? Trip)
        same.name = "b"
        try other.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).first === trip)
        #expect(trip.name == "b")
    }

    // MARK: 9. Identifiers

    @Test(arguments: StoreKind.allCases)
    func `an identifier is permanent from insert on`(_ kind: StoreKind) throws {
        let container = try kind.container(Trip.self)
        let context = ModelContext(container)
        let trips = (0..<5).map { Trip(name: "\($0)") }
        trips.forEach(context.insert)
        let ids = trips.map(\.persistentModelID)
        #expect(Set(ids).count == 5)
        let coded = try JSONEncoder().encode(ids)
        try context.save()
        #expect(trips.map(\.persistentModelID) == ids && trips.map(\.id) == ids)
        let decoded = try JSONDecoder().decode([PersistentIdentifier].self, from: coded)
        let other = ModelContext(container)
        #expect(decoded.map { (other.model(for: $0) as? Trip)?.name } == ["0", "1", "2", "3", "4"])
    }

    // MARK: 10. Order

    @Test(arguments: StoreKind.allCases)
    func `a list keeps the order in which it was set`(_ kind: StoreKind) throws {
        let container = try kind.container(Trip.self)
        let context = ModelContext(container)
        let trip = Trip(name: "a")
        for place in ["d", "b", "a", "c"] { trip.stops.append(TripStop(place: place, trip: trip)) }
        context.insert(trip)
        try context.save()
        func places() throws -> [String] {
            let context = ModelContext(container)
            let trips = try context.fetch(FetchDescriptor<Trip>())
            return try #require(trips.first?.modelContext === context ? trips.first : nil)
                .stops.map(\.place)
        }
        #expect(try places() == ["d", "b", "a", "c"])
        trip.stops.move(from: 0, to: 3)
        // It is in the list already, and goes to another place of it.
        _ = TripStop(place: "e", trip: trip)
        trip.stops.move(from: 4, to: 1)
        #expect(trip.stops.map(\.place) == ["b", "e", "a", "c", "d"])
        try context.save()
        #expect(try places() == trip.stops.map(\.place))
        trip.stops.sort { $0.place < $1.place }
        try context.save()
        #expect(try places() == ["a", "b", "c", "d", "e"])
    }

    @Test(arguments: StoreKind.allCases)
    func `an object is in a list once, however often it was added`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Trip.self))
        let trip = Trip(name: "a")
        context.insert(trip)
        let first = TripStop(place: "1", trip: trip)
        trip.stops.append(first)
        trip.stops.append(TripStop(place: "2", trip: trip))
        #expect(trip.stops.map(\.place) == ["1", "2"])
        trip.stops += [TripStop(place: "3", trip: trip), first, first]
        #expect(trip.stops.map(\.place) == ["1", "2", "3"])
        trip.stops.insert(trip.stops[2], at: 0)
        #expect(trip.stops.map(\.place) == ["3", "1", "2"])
        try context.save()
        trip.stops.append(first)
        #expect(trip.stops.map(\.place) == ["3", "1", "2"])
        #expect(!context.hasChanges)
        trip.stops.remove(at: 1)
        #expect(trip.stops.map(\.place) == ["3", "2"])
        try context.save()
        #expect(first.isDeleted)
    }

    // MARK: 11. Structs

    @Test(arguments: StoreKind.allCases)
    func `any Codable value is one document`(_ kind: StoreKind) throws {
        let container = try kind.container(Trip.self)
        let context = ModelContext(container)
        let trip = Trip(name: "a")
        trip.weather = TripWeather(
            days: [.init(high: 3, low: nil)],
            wind: .some(2),
            keyed: ["x": [1]]
        )
        trip.unkeyed = TripRange(from: 1, to: 2)
        context.insert(trip)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
        #expect(found.weather == trip.weather && found.unkeyed == TripRange(from: 1, to: 2))
        found.weather?.days[0].low = -1
        try other.save()
        #expect(try context.fetch(FetchDescriptor<Trip>()).first?.weather?.days[0].low == -1)
        #expect(
            container.schema.entitiesByName["Trip"]?.attributesByName["weather"]?.columnType
                == .document
        )
    }

    // MARK: 12. Cascades, rollbacks, stores in memory

    @Test(arguments: StoreKind.allCases)
    func `a cascade reaches children whose parent is required`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Trip.self))
        let trip = Trip(name: "a")
        for place in ["x", "y"] { _ = TripStop(place: place, trip: trip) }
        context.insert(trip)
        try context.save()
        let stops = trip.stops
        context.delete(trip)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<TripStop>()) == 0)
        #expect(stops.allSatisfy(\.isDeleted) && stops.map(\.place) == ["x", "y"])
    }

    @Test(arguments: StoreKind.allCases)
    func `stores in memory do not meet, and nothing is saved by itself`(_ kind: StoreKind) throws {
        let containers = try (0..<3).map { _ in try kind.container(Trip.self) }
        for container in containers {
            let context = ModelContext(container)
            #expect(!context.autosaveEnabled)
            context.insert(Trip(name: "a"))
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 0)
            try context.save()
        }
        for container in containers {
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<Trip>()) == 1)
        }
    }

    // MARK: 13. The rules of iCloud

    @Test(arguments: StoreKind.allCases)
    func `models written for iCloud are accepted as they are`(_ kind: StoreKind) throws {
        let container = try kind.container(CloudParent.self)
        let context = ModelContext(container)
        let parent = CloudParent()
        parent.children?.append(CloudChild())
        context.insert(parent)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<CloudParent>()).first)
        #expect(found.children?.count == 1 && found.name == "" && found.date == nil)
        #expect(found.modelContext === other)
        _ = try ModelContainer(
            for: CloudParent.self,
            configurations: ModelConfiguration(
                isStoredInMemoryOnly: true,
                cloudKitDatabase: .private("iCloud.example")
            )
        )
    }
}

enum TripMood: String, Codable { case good, bad }

struct TripWeather: Codable, Equatable {
    struct Day: Codable, Equatable {
        var high: Int
        var low: Int?
    }
    var days: [Day]
    var wind: Int?
    var keyed: [String: [Int]]
}

/// A value that is coded without keys.
struct TripRange: Codable, Equatable {
    var from: Int
    var to: Int

    init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        from = try container.decode(Int.self)
        to = try container.decode(Int.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(from)
        try container.encode(to)
    }
}

@Model final class Trip {
    var name: String
    var end: Date?
    var mood: TripMood?
    var phase = TripMood.good
    var weather: TripWeather?
    var unkeyed: TripRange?
    @Relationship(deleteRule: .cascade, inverse: \TripStop.trip) var stops: [TripStop] = []
    @Relationship(deleteRule: .nullify, inverse: \TripNote.trip) var note: TripNote?
    var title: String { name.uppercased() }

    init(name: String) { self.name = name }
}

@Model final class TripStop {
    var place: String
    var trip: Trip

    init(place: String, trip: Trip) {
        self.place = place
        self.trip = trip
    }
}

@Model final class TripNote {
    #Index<TripNote>([\.stars])

    var text: String
    var stars: Int
    var trip: Trip?

    init(text: String, stars: Int) {
        self.text = text
        self.stars = stars
    }
}

@Model final class CloudParent {
    var name: String = ""
    var date: Date?
    var isOn: Bool = false
    @Relationship(deleteRule: .cascade, inverse: \CloudChild.parent) var children: [CloudChild]? =
        []
    init() {}
}

@Model final class CloudChild {
    var name: String = ""
    var parent: CloudParent?
    init() {}
}

extension Array {
    fileprivate mutating func move(from index: Int, to target: Int) {
        insert(remove(at: index), at: target)
    }
}
