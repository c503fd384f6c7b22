import Dovetail
import StoreTestSupport
import Testing

struct ParcelID: TypedIdentifier { let rawValue: Int64 }

@Model final class KeptParcel {
    @Attribute(.primaryKey) var id: ParcelID
    var weight = 0.0

    init(id: ParcelID, weight: Double = 0) {
        self.id = id
        self.weight = weight
    }
}

extension KeptParcel: Entity {}

private struct Parcels: Repository {
    typealias Stored = KeptParcel
    let context: any EntityContext

    func heavy() throws -> [KeptParcel] { try all(where: #Predicate { $0.weight > 10 }) }
}

/// Gives one value for ever.
private struct Constant: IdentifierGenerator {
    func next() -> ParcelID? { ParcelID(rawValue: 1) }
}

struct RepositoryTests {
    /// A context of a new store of each kind, and one without a store.
    static func withContexts(_ body: (any EntityContext) throws -> Void) throws {
        for kind in StoreKind.allCases {
            try body(ModelContext(kind.container(KeptParcel.self)))
        }
        try body(EntitiesInMemory())
    }

    @Test func `a repository finds, adds and removes in any context`() throws {
        try Self.withContexts { context in
            let parcels = Parcels(context: context)
            for number in 1...4 {
                let id = ParcelID(rawValue: Int64(number))
                try parcels.add(KeptParcel(id: id, weight: Double(number) * 5))
            }
            #expect(try parcels.all().count == 4)
            try parcels.save()
            let heavy = try parcels.heavy()
            #expect(Set(heavy.map(\.id.rawValue)) == [3, 4])
            let id = ParcelID(rawValue: 2)
            let second = try #require(try parcels.object(id: id))
            #expect(try parcels.object(where: #Predicate { $0.id == id }) === second)
            #expect(try parcels.object(id: ParcelID(rawValue: 9)) == nil)
            #expect(throws: QueryError.self) {
                try parcels.object(where: #Predicate { $0.weight > 10 })
            }
            try parcels.remove(second)
            try parcels.save()
            #expect(try parcels.object(id: id) == nil && parcels.all().count == 3)
        }
    }

    @Test func `an identifier that is taken is not given`() throws {
        try Self.withContexts { context in
            let parcels = Parcels(context: context)
            var ids = SequentialIdentifiers(as: ParcelID.init(rawValue:))
            try parcels.add(KeptParcel(id: ParcelID(rawValue: 1)))
            try parcels.save()
            try parcels.add(KeptParcel(id: ParcelID(rawValue: 2)))
            #expect(try parcels.nextID(from: &ids).rawValue == 3)
            #expect(try parcels.nextID(from: &ids).rawValue == 4)

            var again = SequentialIdentifiers(as: ParcelID.init(rawValue:))
            var constant = Constant()
            var last = SequentialIdentifiers(startingAt: .max, as: ParcelID.init(rawValue:))
            #expect(try parcels.nextID(from: &last).rawValue == .max)
            for fails in [
                { try parcels.nextID(from: &again, attempts: 2) },
                { try parcels.nextID(from: &again, attempts: -1) },
                { try parcels.nextID(from: &constant) },
                { try parcels.nextID(from: &last) },
            ] {
                let error = #expect(throws: StoreError.self) { _ = try fails() }
                #expect(error?.kind == .uniqueViolation && error?.table == "KeptParcel")
            }
            #expect(try parcels.nextID(from: &again).rawValue == 3)
        }
    }
}

struct UUIDv7Tests {
    private final class Clock {
        var now: Double
        init(_ now: Double) { self.now = now }
    }

    /// The next identifiers of a generator as text, as many as it has.
    private func texts(_ count: Int, of ids: inout UUIDv7Identifiers<UUID>) -> [String] {
        (0..<count).compactMap { _ in ids.next()?.uuidString }
    }

    @Test func `the time, the version and the variant are in their places`() {
        let date = Date(timeIntervalSince1970: 1_730_500_000.125)
        var ids = UUIDv7Identifiers(now: { date })
        let made = texts(2, of: &ids)
        #expect(made.count == 2 && made[0].hasPrefix("0192E9D6-797D-7000-"))
        #expect(made[1].hasPrefix("0192E9D6-797D-7001-"))
        for text in made { #expect("89AB".contains(Array(text)[19])) }
        #expect(made[0].suffix(16) != made[1].suffix(16))
    }

    @Test func `identifiers of one generator are ordered whatever the clock does`() {
        let clock = Clock(1_000)
        var ids = UUIDv7Identifiers(now: { Date(timeIntervalSince1970: clock.now) })
        var made: [String] = []
        for step in 0..<10 {
            clock.now += step.isMultiple(of: 2) ? 0.002 : -5
            made += texts(1_000, of: &ids)
        }
        #expect(made.count == 10_000 && zip(made, made.dropFirst()).allSatisfy(<))
    }

    @Test func `times that 48 bits do not hold end nothing`() {
        for now in [-1.0, -.infinity, .nan] {
            var ids = UUIDv7Identifiers(now: { Date(timeIntervalSince1970: now) })
            #expect(texts(1, of: &ids).first?.hasPrefix("00000000-0000-7000-") == true)
        }
        var late = UUIDv7Identifiers(now: { Date(timeIntervalSince1970: .infinity) })
        let made = texts(5_000, of: &late)
        #expect(made.count == 4_096 && made.allSatisfy { $0.hasPrefix("FFFFFFFF-FFFF-7") })
    }
}
