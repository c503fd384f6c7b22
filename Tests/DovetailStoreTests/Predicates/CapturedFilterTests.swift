import Dovetail
import DovetailStore
import Foundation
import StoreTestSupport
import Testing

/// A plain value that programs pass around, no attribute of any model.
private struct ParcelFilter: Codable, Sendable {
    var number: Int
    var name: String?
    var numbers: [Int] = []
}

@Model private struct Parcel: Identifiable, Equatable {
    #Index<Parcel>([\.price])
    let id: Int
    var name: String
    var note: String?
    var price: Double
    var cost: Decimal
    var ratio: Double?
}

/// Captured values, and what is computed of them, before a row is read.
@Suite struct CapturedFilterTests {
    private static func parcel(_ number: Int) -> Parcel {
        let name = "n\(number)"
        return Parcel(
            id: number,
            name: name,
            note: number % 3 == 0 ? nil : name,
            price: Double(number) / 2,
            cost: Decimal(number) / 4,
            ratio: number % 4 == 0 ? nil : Double(number)
        )
    }

    private static let all: [Parcel] = (0..<40).map(parcel)

    private func same(
        _ count: Int,
        _ context: ModelContext,
        _ predicate: Predicate<Parcel>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let order = [SortDescriptor(\Parcel.id)]
        let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
        let wanted = try Self.all.filter(predicate.evaluate)
        #expect(found == wanted && found.count == count, sourceLocation: sourceLocation)
    }

    private func filled(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Parcel.self))
        context.insert(contentsOf: Self.all)
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `members of a captured optional`(kind: StoreKind) throws {
        let context = try filled(kind)
        let filter: ParcelFilter? = ParcelFilter(number: 7, name: "n7", numbers: [1, 2])
        let none: ParcelFilter? = nil
        try same(1, context, #Predicate<Parcel> { $0.note == filter?.name })
        try same(14, context, #Predicate<Parcel> { $0.note == none?.name })
        try same(1, context, #Predicate<Parcel> { $0.id == filter?.number ?? 0 })
        try same(
            1,
            context,
            #Predicate<Parcel> {
                if let filter { $0.id == filter.number && $0.name != "x" } else { true }
            }
        )
        try same(
            40,
            context,
            #Predicate<Parcel> { if let none { $0.id == none.number } else { true } }
        )
        try same(
            2,
            context,
            #Predicate<Parcel> { if let filter { filter.numbers.contains($0.id) } else { false } }
        )
        try same(1, context, #Predicate<Parcel> { filter == nil || $0.id == filter!.number })
        try same(40, context, #Predicate<Parcel> { none == nil || $0.id == none!.number })
    }

    @Test(arguments: StoreKind.allCases)
    func `what is computed of captured values`(kind: StoreKind) throws {
        let context = try filled(kind)
        let (base, half, top, dec, flag) = (5, 0.5, 30.0, Decimal(2), true)
        let (largest, zero, optional) = (Int.max, 0.0, Int?.none)
        try same(1, context, #Predicate<Parcel> { $0.id == base + 2 })
        try same(32, context, #Predicate<Parcel> { $0.id > base + 2 })
        try same(9, context, #Predicate<Parcel> { $0.price > top * half })
        try same(1, context, #Predicate<Parcel> { $0.cost == dec + 1 })
        try same(1, context, #Predicate<Parcel> { $0.id == (flag ? base : 9) })
        try same(1, context, #Predicate<Parcel> { $0.id == optional ?? base })
        try same(1, context, #Predicate<Parcel> { optional != nil || $0.id == base + 2 })
        try same(40, context, #Predicate<Parcel> { optional == nil || $0.id == base + 2 })
        try same(0, context, #Predicate<Parcel> { optional != nil && $0.id == base + 2 })
        try same(4, context, #Predicate<Parcel> { (base + 1...base + 4).contains($0.id) })
        // No number equals nothing, not even nil.
        let notANumber = try context.fetchCount(
            FetchDescriptor<Parcel>(predicate: #Predicate<Parcel> { $0.ratio == zero / zero })
        )
        #expect(notANumber == 0)
        let beyond = try context.fetchCount(
            FetchDescriptor<Parcel>(predicate: #Predicate<Parcel> { $0.id == largest + base })
        )
        #expect(beyond == 0)
    }

    @Test func `an index serves what is compared with it`() throws {
        let context = try filled(.sqlite)
        let (base, top, half, none) = (5, 30.0, 0.5, ParcelFilter?.none)
        func plan(_ predicate: Predicate<Parcel>) throws -> String {
            try context.explain(FetchDescriptor(predicate: predicate)).description
        }
        #expect(try plan(#Predicate<Parcel> { $0.id == base + 2 }).contains("looks up rows"))
        #expect(try plan(#Predicate<Parcel> { $0.price > top * half }).contains("looks up rows"))
        #expect(
            try plan(#Predicate<Parcel> { none != nil || $0.id == base }).contains("looks up rows")
        )
    }
}
