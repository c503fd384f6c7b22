import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model private struct Reading: Identifiable, Sendable {
    let id: Int
    var level: Double
    var former: Double?
    var name: String?
    var title: String?
    var labels: [String: String] = [:]
}

/// Numbers that are none, and the first of two optionals.
@Suite struct ComputedNumberTests {
    private static let rows = [
        Reading(id: 1, level: .infinity, former: nil, name: "a", title: "b"),
        Reading(id: 2, level: 1, former: 2, title: "a"),
        Reading(id: 3, level: -.infinity, former: 3, labels: ["x": "a"]),
        Reading(id: 4, level: 2, former: nil),
    ]

    private func check(_ kind: StoreKind, _ predicates: [Predicate<Reading>]) throws {
        let context = ModelContext(try kind.container(Reading.self))
        context.insert(contentsOf: Self.rows)
        try context.save()
        for predicate in predicates {
            let expected = try Self.rows.filter { try predicate.evaluate($0) }.map(\.id)
            let order = [SortDescriptor(\Reading.id)]
            let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
            #expect(found.map(\.id) == expected, "\(predicate)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what is no number equals nothing`(_ kind: StoreKind) throws {
        let (nan, infinity) = (Double.nan, Double.infinity)
        try check(
            kind,
            [
                #Predicate { $0.level - infinity == $0.level - infinity },
                #Predicate { $0.level - infinity != $0.level - infinity },
                #Predicate { ($0.former ?? nan) == ($0.former ?? nan) },
                #Predicate { ($0.former ?? nan) == $0.former },
                #Predicate { $0.level - infinity == $0.former },
                #Predicate { $0.former != $0.level - infinity },
                #Predicate { ($0.former ?? $0.level) == $0.level },
            ]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `the first of two optionals is one`(_ kind: StoreKind) throws {
        try check(
            kind,
            [
                #Predicate { ($0.name ?? $0.title) == "a" },
                #Predicate { ($0.name ?? $0.title) == nil },
                #Predicate { ($0.name ?? $0.title) != nil },
                #Predicate { ($0.name ?? $0.title ?? "a") == "a" },
                #Predicate { ($0.labels["x"] ?? $0.title) == "a" },
                #Predicate { ($0.name ?? $0.title)?.hasPrefix("a") ?? false },
            ]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `an expression that was made elsewhere is one of the predicate`(_ kind: StoreKind) throws {
        let net = #Expression<Reading, Double> { $0.level - ($0.former ?? 0) }
        let size = #Expression<Reading, Int> { $0.labels.count }
        let isNamed = #Expression<Reading, Bool> { $0.name != nil }
        try check(
            kind,
            [
                #Predicate { try net.evaluate($0) < 0 },
                #Predicate { try net.evaluate($0) > 0 && size.evaluate($0) == 0 },
                #Predicate { try isNamed.evaluate($0) || size.evaluate($0) > 0 },
            ]
        )
    }
}
