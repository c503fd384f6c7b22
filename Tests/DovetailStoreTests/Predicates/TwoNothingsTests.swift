import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model private struct Allowance: Identifiable, Equatable, Sendable {
    let id: Int
    var limits: [String: Int?]
    var marks: [Int?]
    var cap: Int??
    var change = Change()
}

@Model private struct Change: Equatable, Sendable {
    var meta: ModelDocument?
    var steps: [Int??] = []
}

/// Optionals of optionals: columns, and values inside of documents.
@Suite struct TwoNothingsTests {
    private static let rows = [
        Allowance(id: 1, limits: ["a": 1, "b": nil], marks: [nil, 1], cap: nil),
        Allowance(
            id: 2,
            limits: ["a": nil],
            marks: [1, nil],
            cap: .some(nil),
            change: Change(meta: .null)
        ),
        Allowance(id: 3, limits: [:], marks: [], cap: 1, change: Change(meta: 7, steps: [1, 2])),
    ]

    private func found(_ kind: StoreKind, _ predicate: Predicate<Allowance>) throws -> [Int] {
        let context = ModelContext(try kind.container(Allowance.self))
        context.insert(contentsOf: Self.rows)
        // Before and after the save.
        let order = [SortDescriptor(\Allowance.id)]
        let descriptor = FetchDescriptor(predicate: predicate, sortBy: order)
        let waiting = try context.fetch(descriptor).map(\.id)
        try context.save()
        let stored = try ModelContext(context.container).fetch(descriptor).map(\.id)
        #expect(waiting == stored)
        return stored
    }

    @Test(arguments: StoreKind.allCases)
    func `a value is found where it is`(_ kind: StoreKind) throws {
        let (one, two, null) = (Int??.some(1), Int??.some(2), Int??.some(nil))
        #expect(try found(kind, #Predicate { $0.limits["a"] == one }) == [1])
        #expect(try found(kind, #Predicate { $0.limits["a"] != one }) == [2, 3])
        #expect(try found(kind, #Predicate { $0.limits["a"] == two }) == [])
        #expect(try found(kind, #Predicate { $0.marks.first == one }) == [2])
        #expect(try found(kind, #Predicate { $0.cap == nil }) == [1])
        #expect(try found(kind, #Predicate { $0.cap == null }) == [2])
        #expect(try found(kind, #Predicate { $0.cap == one }) == [3])
        #expect(try found(kind, #Predicate { $0.change.steps.contains(one) }) == [3])
        let seven: ModelDocument? = 7
        #expect(try found(kind, #Predicate { $0.change.meta == seven }) == [3])
    }

    @Test(arguments: StoreKind.allCases)
    func `what no store knows is refused`(_ kind: StoreKind) throws {
        let (null, five) = (Int??.some(nil), Int?.some(5))
        let refused: [Predicate<Allowance>] = [
            #Predicate { $0.limits["a"] == nil }, #Predicate { $0.limits["a"] != null },
            #Predicate { $0.marks.first == nil }, #Predicate { $0.change.meta == nil },
            #Predicate { $0.change.steps.contains(null) },
            #Predicate { $0.limits["a", default: five] == five },
            #Predicate { ($0.limits["a"] ?? five) == five },
            #Predicate { $0.limits["a"].flatMap { $0 == nil } ?? false },
        ]
        for predicate in refused {
            #expect(throws: QueryError.self) { _ = try found(kind, predicate) }
        }
    }
}
