import Dovetail
import StoreTestSupport
import Testing

private struct Weight: Equatable, Sendable {
    var grams: Int
}

private enum Grams: ModelTransform {
    static func decode(_ stored: Int) throws -> Weight {
        guard stored >= 0 else { throw ModelTransformError(expected: "a weight") }
        return Weight(grams: stored)
    }
    static func encode(_ value: Weight) -> Int { value.grams }
}

private enum Reversed: ModelTransform {
    static func decode(_ stored: String) -> String { String(stored.reversed()) }
    static func encode(_ value: String) -> String { String(value.reversed()) }
}

private enum Words: ModelTransform {
    struct Empty: Error {}
    static func decode(_ stored: [String]) throws -> String {
        if stored.isEmpty { throw Empty() }
        return stored.joined(separator: " ")
    }
    static func encode(_ value: String) -> [String] { value.split(separator: " ").map { "\($0)" } }
}

@Model
private enum State: Int {
    case open = 1
    @Fallback case unknown = 0
}

@Model
private enum Kind: String {
    case small
    @Fallback case other
}

@Model
private struct Parcel: Identifiable, Equatable, Sendable {
    @Attribute(name: "meta.id") let id: Int
    var note: String?
    @Attribute(name: "meta.sender.name") var sender: String = "s"
    @Attribute(.transformed(by: Grams.self)) var weight: Weight = Weight(grams: 5)
    @Attribute(.transformed(by: Grams.self), name: "meta.tare") var tare: Weight?
    @Attribute(.transformed(by: SecondsSince1970.self)) var sent: Date?
    @Attribute(.transformed(by: ISO8601Day.self)) var day: Date = Date(timeIntervalSince1970: 0)
    @Attribute(.transformed(by: Reversed.self)) var code: String = "ab"
    @Attribute(.transformed(by: Words.self)) var words: String = "a b"
    @Attribute(.transformed(elementsBy: SecondsSince1970.self)) var stops: [Date] = []
    @Attribute(.transformed(by: BoolAsInteger.self)) var fragile: Bool = true
    @Attribute(.omittedWhenEmpty) var tags: [String]
    @Attribute(.omittedWhenEmpty) var label: String = "x"
    @Attribute(aliases: ["status"]) var state: State = .open
    var kind: Kind = .small
    var span: Duration = .milliseconds(1500)
    @Attribute(.transformed(by: DurationInSeconds.self)) var seconds: Duration = .milliseconds(250)

    init(_ id: Int) {
        self.id = id
        tags = []
    }
}

/// A model with nested fields that is itself in a column.
@Model
private struct Place: Equatable, Sendable {
    @Attribute(name: "address.street") var street: String?
    @Attribute(name: "address.position.x", aliases: ["x"]) var x: Int?
    var note: String = "n"
}

@Model
private struct Stopover: Identifiable, Equatable, Sendable {
    @Attribute(.primaryKey, .transformed(by: Hexadecimal.self), name: "meta.hash") let hash: Data
    @Attribute(.transformed(by: ISO8601Day.self)) var day: Date
    @Attribute(.transformed(by: MillisecondsSince1970.self), name: "meta.moment") var moment: Date?
    var place = Place(x: 1)
    var places: [Place] = [Place(), Place(street: "a", x: 2)]
}

/// What options of `@Attribute` mean for the columns of a store.
struct AttributeOptionColumnTests {
    private static let columns = [
        "meta.id", "meta.sender.name", "meta.tare", "note", "weight", "sent", "day", "code",
        "words", "stops", "fragile", "tags", "label", "state", "kind", "span", "seconds",
    ]

    private func stored(_ parcels: [Parcel]) throws -> (ModelContext, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), Parcel.self))
        context.insert(contentsOf: parcels)
        try context.save()
        return (context, folder)
    }

    @Test
    func `every attribute is one column`() throws {
        var parcel = Parcel(1)
        parcel.sender = "me"
        parcel.tare = Weight(grams: 3)
        parcel.sent = Date(timeIntervalSince1970: 12.5)
        parcel.stops = [Date(timeIntervalSince1970: 7)]
        let (context, folder) = try stored([parcel, Parcel(2)])
        #expect(try context.fetch(FetchDescriptor<Parcel>()) == [parcel, Parcel(2)])
        let database = try RawDatabase(folder.file())
        let table = try database.rows("SELECT name FROM pragma_table_info('Parcel')")
        #expect(table.map { $0[0] } == Self.columns)
        #expect(
            try database.rows("SELECT * FROM Parcel") == [
                [
                    "1", "me", "3", nil, "5", "12.5", "1970-01-01", "ba", #"["a","b"]"#, "[7]",
                    "1", "[]", "x", "1", "small", "1.5", "0.25",
                ],
                [
                    "2", "s", nil, nil, "5", nil, "1970-01-01", "ba", #"["a","b"]"#, "[]", "1",
                    "[]", "x", "1", "small", "1.5", "0.25",
                ],
            ]
        )
        let types = try database.rows(
            "SELECT typeof(sent), typeof(fragile), typeof(seconds), typeof(weight) FROM Parcel"
        )
        #expect(types[0] == ["real", "integer", "real", "integer"])
    }

    @Test
    func `rows are updated and deleted by a nested key`() throws {
        let (context, folder) = try stored([Parcel(1), Parcel(2)])
        defer { withExtendedLifetime(folder) {} }
        var changed = Parcel(2)
        changed.sender = "you"
        changed.tags = ["t"]
        changed.label = ""
        context.upsert(changed)
        context.delete(Parcel(1))
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Parcel>()) == [changed])
        let result = try context.synchronize([Parcel(3), changed])
        #expect(result.unchanged == 1)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Parcel>()) == 2)
    }

    @Test
    func `predicates compare stored forms`() throws {
        let parcels = (1...5).map { number in
            var parcel = Parcel(number)
            parcel.sender = "s\(number)"
            parcel.sent = number == 5 ? nil : Date(timeIntervalSince1970: Double(number) * 100)
            parcel.day = Date(timeIntervalSince1970: Double(number) * 86_400)
            parcel.code = "a\(number)"
            parcel.fragile = number.isMultiple(of: 2)
            parcel.seconds = .milliseconds(number * 10)
            parcel.state = number == 1 ? .unknown : .open
            return parcel
        }
        let (context, _) = try stored(parcels)
        let moment = Date(timeIntervalSince1970: 200)
        let day = parcels[2].day
        let codes = ["a1", "a4"]
        let span = Duration.milliseconds(30)
        let predicates: [Predicate<Parcel>] = [
            #Predicate { $0.sent == moment }, #Predicate { $0.sent != moment },
            #Predicate { $0.sent == nil }, #Predicate { $0.day < day },
            #Predicate { day <= $0.day }, #Predicate { $0.code == "a3" },
            #Predicate { codes.contains($0.code) }, #Predicate { $0.fragile == true },
            #Predicate { $0.seconds > span }, #Predicate { $0.sender > "s2" && $0.id != 4 },
        ]
        for predicate in predicates {
            let found = try context.fetch(FetchDescriptor(predicate: predicate))
            #expect(try found == parcels.filter { try predicate.evaluate($0) }, "\(predicate)")
        }
        let sorted = FetchDescriptor(sortBy: [SortDescriptor(\Parcel.day, order: .reverse)])
        #expect(try context.fetch(sorted).map(\.id) == [5, 4, 3, 2, 1])
    }

    @Test(arguments: [-1.5, -1, -0.25, 0, 0.0004, 0.25, 0.9996, 1, 1.5, 2, 2.75, 3])
    func `constants between stored forms`(count: Double) throws {
        let stopovers = (0...3).map { (number: Int) -> Stopover in
            let moment = Date(timeIntervalSince1970: Double(number) / 1000)
            return Stopover(
                hash: Data([UInt8(number)]),
                day: Date(timeIntervalSince1970: Double(number) * 86_400),
                moment: number == 3 ? nil : moment
            )
        }
        let context = ModelContext(try .inMemory(Stopover.self))
        context.insert(contentsOf: stopovers)
        try context.save()
        let day = Date(timeIntervalSince1970: count * 86_400)
        let moment = Date(timeIntervalSince1970: count / 1000)
        let days = [day, stopovers[0].day]
        let moments: [Date?] = [moment, stopovers[2].moment]
        let predicates: [Predicate<Stopover>] = [
            #Predicate { $0.day < day }, #Predicate { $0.day <= day },
            #Predicate { $0.day > day }, #Predicate { $0.day >= day },
            #Predicate { day < $0.day }, #Predicate { day >= $0.day },
            #Predicate { $0.day == day }, #Predicate { $0.day != day },
            #Predicate { days.contains($0.day) }, #Predicate { !days.contains($0.day) },
            #Predicate { $0.moment == moment }, #Predicate { moment != $0.moment },
            #Predicate { moments.contains($0.moment) },
        ]
        for predicate in predicates {
            let found = try context.fetch(FetchDescriptor(predicate: predicate))
            #expect(try found == stopovers.filter { try predicate.evaluate($0) }, "\(predicate)")
        }
    }

    @Test
    func `a key with a transform in a nested object`() throws {
        let context = ModelContext(try .inMemory(Stopover.self))
        let now = Date(timeIntervalSince1970: 0)
        let stopovers = (0...3).map { Stopover(hash: Data([UInt8($0)]), day: now) }
        context.insert(contentsOf: stopovers)
        try context.save()
        let key = Data([2])
        let found = try context.fetch(
            FetchDescriptor<Stopover>(predicate: #Predicate { $0.id == key })
        )
        #expect(found == [stopovers[2]])
        var changed = stopovers[1]
        changed.place.street = "s"
        let result = try context.synchronize([stopovers[0], changed])
        #expect(result.updated == [changed.id])
        #expect(result.unchanged == 1)
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Stopover>()) == [stopovers[0], changed])
    }

    @Test
    func `what a store cannot compare is an error`() throws {
        let (context, _) = try stored([])
        let predicates: [Predicate<Parcel>] = [
            #Predicate { $0.fragile }, #Predicate { $0.code.contains("a") },
            #Predicate { $0.code < "b" }, #Predicate { $0.code == $0.sender },
        ]
        for predicate in predicates {
            #expect(throws: QueryError.self, "\(predicate)") {
                try context.fetch(FetchDescriptor(predicate: predicate))
            }
        }
        let unordered = FetchDescriptor(sortBy: [SortDescriptor(\Parcel.code)])
        #expect(throws: QueryError.self) { try context.fetch(unordered) }
    }

    @Test(
        arguments: [
            ("weight = -1", "weight: expected a weight, found an integer"),
            ("weight = 'x'", "weight: expected Int, found text"),
            ("\"meta.tare\" = 'x'", "meta.tare: expected Int, found text"),
            ("day = 'x'", "day: expected a day such as 2024-03-01, found text"),
            ("words = '[]'", "words: expected String, found another value, refused by Words"),
            ("words = '[5]'", "words[0]: expected String, found another value"),
            ("stops = '[1,\"x\"]'", "stops[1]: expected Double, found another value"),
            ("kind = x'00'", "kind: expected String, found bytes"),
            ("state = 'x'", "state: expected Int, found text"),
        ]
    )
    func `errors name the column and no value`(change: String, description: String) throws {
        let (context, folder) = try stored([Parcel(1)])
        let database = try RawDatabase(folder.file())
        try database.loosen("Parcel")
        try database.execute("UPDATE Parcel SET \(change)")
        let error = try #require(throws: (any Error).self) {
            try context.fetch(FetchDescriptor<Parcel>())
        }
        #expect("\(error)".hasPrefix("Parcel." + description), "\(error)")
    }

    @Test
    func `unknown raw values in rows`() throws {
        let (context, folder) = try stored([Parcel(1)])
        try RawDatabase(folder.file()).execute("UPDATE Parcel SET state = 9, kind = 'huge'")
        let parcel = try #require(try context.fetch(FetchDescriptor<Parcel>()).first)
        #expect(parcel.state == .unknown)
        #expect(parcel.kind == .other)
    }
}
