import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

enum ParcelSpeed: String, Codable, CaseIterable { case slow, fast }

enum ParcelShape: Int, Codable { case flat, round }

/// A plain `Codable` struct, of the kind that people have already.
struct ParcelAddress: Codable {
    struct Place: Codable {
        var height: Double
        var isKnown: Bool
        var zone: String?
    }

    var city: String
    var number: Int
    var speed: ParcelSpeed
    var second: ParcelSpeed?
    var place: Place
    var last: Place?
    var since: Date
    var mark: UUID
    var price: Decimal
    var weight: Float
    var seal: Data
    var link: URL?
    var names: [String]
    var stops: [Place]
    var labels: [String: Int]
    var wait = Duration.seconds(1)
    var watched = 0 { didSet { watched = max(watched, oldValue) } }
    var title: String { city.uppercased() }
}

struct ParcelRenamed: Codable {
    var code: String
    var other: String

    enum CodingKeys: String, CodingKey {
        case code = "zip_code"
        case other
    }
}

/// Its initializer takes any key.
struct ParcelOpen: Codable {
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var code: String

    init(code: String) { self.code = code }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        code = try members.allKeys.first.map { try members.decode(String.self, forKey: $0) } ?? ""
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        if let key = Key(stringValue: "any") { try members.encode(code, forKey: key) }
    }
}

@Model final class ParcelTrip {
    var number: Int
    var address: ParcelAddress
    var former: ParcelAddress?
    var renamed = ParcelRenamed(code: "1", other: "2")
    var open = ParcelOpen(code: "3")
    var speed = ParcelSpeed.slow
    var speeds: [ParcelSpeed] = []
    var shape = ParcelShape.flat

    init(_ number: Int, _ address: ParcelAddress, former: ParcelAddress? = nil) {
        self.number = number
        self.address = address
        self.former = former
    }
}

@Model struct ParcelRecord: Identifiable {
    var id: Int
    var address: ParcelAddress
}

/// Predicates and orders by members of plain `Codable` values.
struct CodableMemberTests {
    private static func place(_ random: inout SeededRandom) -> ParcelAddress.Place {
        ParcelAddress.Place(
            height: Double(random.below(8)) / 4,
            isKnown: random.isOne(in: 2),
            zone: random.isOne(in: 2) ? nil : random.pick(["", "a", "\"b\"", "ß"])
        )
    }

    private static func address(_ random: inout SeededRandom) -> ParcelAddress {
        ParcelAddress(
            city: random.pick(["Bonn", "Köln", "bonn", "", "a\"b\\c"]),
            number: random.below(5) - 2,
            speed: random.pick([ParcelSpeed.slow, .fast]),
            second: random.pick([nil, ParcelSpeed.slow, .fast]),
            place: place(&random),
            last: random.isOne(in: 2) ? nil : place(&random),
            since: Date(timeIntervalSince1970: Double(random.below(4)) / 2),
            mark: UUID(uuidString: "00000000-0000-0000-0000-00000000000\(random.pick(["A", "b"]))")
                ?? UUID(),
            price: Decimal(random.below(4)) / 10,
            weight: Float(random.below(4)) / 10,
            seal: Data([UInt8(random.below(3))]),
            link: random.isOne(in: 2) ? nil : URL(string: "https://a.example/b?c=d"),
            names: (0..<random.below(3)).map { _ in random.pick(["a", "b", "c"]) },
            stops: (0..<random.below(3)).map { _ in place(&random) },
            labels: random.isOne(in: 2) ? [:] : ["a": random.below(2)]
        )
    }

    private struct Work {
        let context: ModelContext
        let parcels: [ParcelTrip]

        init(_ kind: StoreKind, _ name: String) throws {
            var random = SeededRandom(seed: Soak.seed(for: "\(name), \(kind)"))
            let container = try kind.container([ParcelTrip.self, ParcelRecord.self])
            let writer = ModelContext(container)
            for number in 0..<60 {
                let address = CodableMemberTests.address(&random)
                let former = random.isOne(in: 2) ? nil : CodableMemberTests.address(&random)
                let parcel = ParcelTrip(number, address, former: former)
                parcel.speed = random.pick([ParcelSpeed.slow, .fast])
                parcel.speeds = random.isOne(in: 2) ? [] : [parcel.speed]
                writer.insert(parcel)
                writer.insert(ParcelRecord(id: number, address: address))
            }
            try writer.save()
            context = ModelContext(container)
            parcels = try context.fetch(
                FetchDescriptor<ParcelTrip>(sortBy: [SortDescriptor(\.number)])
            )
        }

        /// Compares what a store finds with what Swift finds.
        func check(_ predicate: Predicate<ParcelTrip>, _ line: Int = #line) throws {
            let found = try context.fetch(
                FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.number)])
            )
            let wanted = try parcels.filter { try predicate.evaluate($0) }
            #expect(found.map(\.number) == wanted.map(\.number), "line \(line)")
            #expect(!wanted.isEmpty && wanted.count < parcels.count, "line \(line) tells nothing")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `members are found as Swift finds them`(_ kind: StoreKind) throws {
        let work = try Work(kind, "members")
        let mark = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))
        let link = URL(string: "https://a.example/b?c=d")
        let (half, date) = (Decimal(1) / 10, Date(timeIntervalSince1970: 0.5))
        let (tenth, seal, cities) = (Float(0.1), Data([1]), ["Bonn", ""])
        try work.check(#Predicate { $0.address.city == "Bonn" })
        try work.check(#Predicate { $0.address.city.localizedStandardContains("BON") })
        try work.check(#Predicate { cities.contains($0.address.city) })
        try work.check(#Predicate { $0.address.city.isEmpty || $0.address.number < 0 })
        try work.check(#Predicate { $0.address.number + 1 > 1 })
        try work.check(#Predicate { $0.address.place.height >= 1 && $0.address.place.isKnown })
        try work.check(#Predicate { $0.address.place.zone == nil })
        try work.check(#Predicate { $0.address.place.zone == "\"b\"" })
        try work.check(#Predicate { ($0.address.last?.height ?? 0) > 1 })
        try work.check(#Predicate { $0.address.last == nil })
        try work.check(#Predicate { $0.former?.place.isKnown == true })
        try work.check(#Predicate { $0.former == nil })
        try work.check(#Predicate { $0.address.speed == .fast })
        try work.check(#Predicate { $0.address.second == nil })
        try work.check(#Predicate { $0.address.speed.rawValue == "fast" })
        try work.check(#Predicate { $0.speed.rawValue == "fast" })
        try work.check(#Predicate { $0.speeds.contains(.fast) })
        try work.check(#Predicate { $0.address.since > date })
        try work.check(#Predicate { $0.address.mark == mark })
        try work.check(#Predicate { $0.address.price == half })
        try work.check(#Predicate { $0.address.weight == tenth })
        try work.check(#Predicate { $0.address.seal == seal })
        try work.check(#Predicate { $0.address.link == link })
        try work.check(#Predicate { $0.address.names.contains("a") })
        try work.check(#Predicate { $0.address.names.count == 2 })
        try work.check(#Predicate { $0.address.stops.contains { $0.isKnown && $0.height > 0.5 } })
        try work.check(#Predicate { $0.address.stops.filter { $0.isKnown }.count == 1 })
        try work.check(#Predicate { $0.address.labels["a"] == 1 })
    }

    @Test(arguments: StoreKind.allCases)
    func `members that wait to be written are found, too`(_ kind: StoreKind) throws {
        let work = try Work(kind, "waiting members")
        for parcel in work.parcels.prefix(10) { parcel.address.city = "Ulm" }
        try work.check(#Predicate { $0.address.city == "Ulm" })
    }

    @Test(arguments: StoreKind.allCases)
    func `values of other models are found by them`(_ kind: StoreKind) throws {
        let work = try Work(kind, "members of values")
        let found = try work.context.fetch(
            FetchDescriptor<ParcelRecord>(
                predicate: #Predicate { $0.address.place.isKnown },
                sortBy: [SortDescriptor(\.id)]
            )
        )
        #expect(found.map(\.id) == work.parcels.filter(\.address.place.isKnown).map(\.number))
    }

    @Test(arguments: StoreKind.allCases)
    func `objects are ordered by a member`(_ kind: StoreKind) throws {
        let work = try Work(kind, "order by members")
        let found = try work.context.fetch(
            FetchDescriptor<ParcelTrip>(
                sortBy: [
                    SortDescriptor(\.former?.number), SortDescriptor(\.address.since),
                    SortDescriptor(\.number),
                ]
            )
        )
        let wanted = work.parcels.sorted {
            ($0.former?.number ?? .min, $0.address.since, $0.number)
                < ($1.former?.number ?? .min, $1.address.since, $1.number)
        }
        #expect(found.map(\.number) == wanted.map(\.number))
    }

    @Test(arguments: StoreKind.allCases)
    func `what has another key or form is refused with the remedy`(_ kind: StoreKind) throws {
        let context = try Work(kind, "refused members").context
        func refusal(_ predicate: Predicate<ParcelTrip>) -> String {
            let error = #expect(throws: QueryError.self) {
                try context.fetch(FetchDescriptor(predicate: predicate))
            }
            return error?.explanation ?? ""
        }
        let wait = Duration.seconds(1)
        #expect(refusal(#Predicate { $0.renamed.code == "1" }).hasSuffix("@Model at ParcelRenamed"))
        #expect(refusal(#Predicate { $0.open.code == "1" }).hasSuffix("@Model at ParcelOpen"))
        #expect(refusal(#Predicate { $0.address.title == "A" }).contains("ParcelAddress"))
        #expect(refusal(#Predicate { $0.address.watched == 1 }).contains("ParcelAddress"))
        #expect(refusal(#Predicate { $0.address.wait == wait }).contains("ParcelAddress"))
        #expect(refusal(#Predicate { $0.shape.rawValue == 0 }).hasSuffix("CaseIterable"))
        let other = FetchDescriptor<ParcelTrip>(predicate: #Predicate { $0.renamed.other == "2" })
        #expect(try context.fetchCount(other) == 60)
    }
}
