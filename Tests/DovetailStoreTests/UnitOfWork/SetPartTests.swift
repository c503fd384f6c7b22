import Dovetail
import DovetailStore
import Foundation
import StoreTestSupport
import Testing

@Model(flattenable: true) private struct Postal: Equatable, Sendable {
    var street: String
    var zip: String?
}

@Model(flattenable: true) private struct LatLon: Equatable, Sendable {
    var lat: Double
    var lon: Double?
}

@Model(flattenable: true) private struct Premises: Equatable, Sendable {
    var street: String
    @Attribute(.flattened, prefix: "at_") var coordinate: LatLon?
}

@Model private struct DepotYard: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.flattened, prefix: "site_") var site: Premises?
}

private enum Phase: String, Codable, Sendable { case open, closed }

private struct Tally: Codable, Equatable, Sendable {
    var points: Int
}

@Model private struct Kiosk: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.flattened, prefix: "postal_") var postal: Postal?
    @Attribute(.flattened, prefix: "main_") var main: Postal = Postal(street: "M", zip: nil)
    var phase: Phase = .open
    var last: Phase?
    var tally: Tally = Tally(points: 0)
}

/// What an update of many rows sets beside plain attributes.
@Suite struct SetPartTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Kiosk.self))
        try context.keep([
            Kiosk(id: 1, postal: Postal(street: "A", zip: "1")), Kiosk(id: 2, postal: nil),
            Kiosk(id: 3, postal: Postal(street: "C", zip: nil)),
        ])
        return context
    }

    private func kiosks(_ context: ModelContext) throws -> [Kiosk] {
        try context.fetch(FetchDescriptor<Kiosk>(sortBy: [SortDescriptor(\.id)]))
    }

    /// As `kiosk.postal?.zip = "9"` does.
    @Test(arguments: StoreKind.allCases)
    func `a part of a flattened optional is set where there is one`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.update(Kiosk.self) {
            try $0.set(\.postal?.zip, "9")
            try $0.set(\.main.street, "N")
        }
        #expect(try kiosks(context).map(\.postal?.zip) == ["9", nil, "9"])
        try context.save()
        let stored = try kiosks(context)
        #expect(stored.map(\.postal?.zip) == ["9", nil, "9"] && stored[1].postal == nil)
        #expect(stored.allSatisfy { $0.main.street == "N" })
        try context.update(Kiosk.self) { try $0.set(\.postal?.zip, nil) }
        try context.save()
        #expect(
            try kiosks(context).map(\.postal) == [
                Postal(street: "A", zip: nil), nil, Postal(street: "C", zip: nil),
            ]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a part of an optional inside of another one`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(DepotYard.self))
        let there = LatLon(lat: 1, lon: nil)
        try context.keep([
            DepotYard(id: 1, site: nil),
            DepotYard(id: 2, site: Premises(street: "A", coordinate: nil)),
            DepotYard(id: 3, site: Premises(street: "B", coordinate: there)),
        ])
        try context.update(DepotYard.self) {
            try $0.set(\.site?.coordinate?.lon, 7)
            try $0.set(\.site?.street, "C")
        }
        try context.save()
        #expect(
            try context.fetch(FetchDescriptor<DepotYard>(sortBy: [SortDescriptor(\.id)])) == [
                DepotYard(id: 1, site: nil),
                DepotYard(id: 2, site: Premises(street: "C", coordinate: nil)),
                DepotYard(id: 3, site: Premises(street: "C", coordinate: LatLon(lat: 1, lon: 7))),
            ]
        )
        #expect(throws: QueryError.self) {
            try context.update(DepotYard.self) { try $0.set(\.site?.coordinate?.lat, nil) }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what has to be there is not taken from a part`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let error = #expect(throws: QueryError.self) {
            try context.update(Kiosk.self) { try $0.set(\.postal?.street, nil) }
        }
        #expect(error.map { "\($0)".contains("cannot be nil in a value of postal") } == true)
        #expect(!context.hasChanges)
    }

    @Test func `a flattened model has no column to be set`() throws {
        let context = try context(.memory)
        let error = #expect(throws: QueryError.self) {
            try context.update(Kiosk.self) { try $0.set(\.main, Postal(street: "x", zip: nil)) }
        }
        #expect(error.map { "\($0)".contains("flattened") } == true)
    }

    @Test(arguments: StoreKind.allCases)
    func `values of types that are only Codable are set`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.update(Kiosk.self, where: #Predicate { $0.id > 1 }) {
            try $0.set(\.phase, .closed)
            try $0.set(\.last, .open)
            try $0.set(\.tally, Tally(points: 7))
        }
        try context.save()
        let stored = try kiosks(context)
        #expect(stored.map(\.phase) == [.open, .closed, .closed])
        #expect(stored.map(\.last) == [nil, .open, .open])
        #expect(stored.map(\.tally.points) == [0, 7, 7])
        #expect(
            try context.fetchCount(
                FetchDescriptor<Kiosk>(predicate: #Predicate { $0.phase == .closed })
            ) == 2
        )
        try context.update(Kiosk.self) { try $0.set(\.last, nil) }
        try context.save()
        #expect(try kiosks(context).allSatisfy { $0.last == nil })
    }
}

extension ModelContext {
    /// Inserts values and saves them.
    fileprivate func keep<Value: Model & Identifiable>(_ values: [Value]) throws {
        insert(contentsOf: values)
        try save()
    }
}
