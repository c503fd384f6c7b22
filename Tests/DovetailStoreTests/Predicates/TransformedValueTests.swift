import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model private struct Member: Identifiable, Sendable {
    let id: Int
    @Attribute(.transformed(by: ISO8601Day.self)) var joined: Date
    @Attribute(.transformed(by: ISO8601Day.self)) var left: Date?
    @Attribute(.transformed(by: MillisecondsSince1970.self)) var seen: Date?
    @Attribute(.transformed(by: DecimalAsString.self)) var debt: Decimal?
    var isGuest: Bool = false
}

/// What is stored through a transform, where it is not named directly: optionals, choices, and what is selected.
@Suite struct TransformedValueTests {
    private static let day = Date(timeIntervalSince1970: 86400 * 1000)

    private static func later(_ days: Double) -> Date { day + 86400 * days }

    private static let rows = [
        Member(id: 1, joined: day, left: later(2), seen: later(0.5), debt: 1.5),
        Member(id: 2, joined: later(1), left: nil, seen: nil, debt: nil, isGuest: true),
        Member(id: 3, joined: later(-2), left: later(-1), seen: later(-3), debt: 20),
        Member(id: 4, joined: later(3), left: nil, seen: later(3), debt: 1.5),
    ]

    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(Member.self))
        context.insert(contentsOf: Self.rows)
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `optionals are compared as their values are`(_ kind: StoreKind) throws {
        let context = try context(kind)
        func check(_ predicate: Predicate<Member>, _ line: Int = #line) throws {
            // A value that is read has no time of day.
            let expected = try Self.rows.filter { try predicate.evaluate($0) }.map(\.id)
            let order = [SortDescriptor(\Member.id)]
            let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order))
            #expect(found.map(\.id) == expected, "line \(line)")
        }
        let (day, noon) = (Self.day, Self.later(0.5))
        let (two, days) = (Self.later(2), [Self.later(2), Self.later(-1)])
        let debts: [Decimal?] = [1.5, nil]
        try check(#Predicate { $0.left != nil && $0.left! > day })
        try check(#Predicate { $0.left == nil || $0.left! < noon })
        try check(#Predicate { ($0.left ?? day) < noon })
        try check(#Predicate { ($0.left ?? $0.joined) >= two })
        try check(#Predicate { ($0.left ?? $0.joined) == two })
        try check(#Predicate { ($0.left ?? $0.joined) != two })
        try check(#Predicate { two <= ($0.left ?? $0.joined) })
        try check(#Predicate { if let left = $0.left { left < noon } else { false } })
        try check(#Predicate { if let left = $0.left { left == two } else { $0.isGuest } })
        try check(#Predicate { $0.left.flatMap { $0 < noon } ?? true })
        try check(#Predicate { ($0.isGuest ? $0.joined : ($0.left ?? day)) > noon })
        try check(#Predicate { ($0.isGuest ? day : $0.joined) == day })
        try check(#Predicate { days.contains($0.left ?? day) })
        try check(#Predicate { days.contains($0.isGuest ? $0.joined : two) })
        try check(#Predicate { (day...two).contains($0.left ?? noon) })
        try check(#Predicate { $0.seen != nil && $0.seen! >= noon })
        try check(#Predicate { ($0.debt ?? 0) == 1.5 })
        try check(#Predicate { debts.contains($0.debt) })
    }

    @Test(arguments: StoreKind.allCases)
    func `an order that is not kept is refused in every form`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let refused: [Predicate<Member>] = [
            #Predicate { $0.debt! < 3 }, #Predicate { ($0.debt ?? 0) < 3 },
            #Predicate { if let debt = $0.debt { debt > 3 } else { true } },
            // Of two columns with different transforms nobody knows the order.
            #Predicate { ($0.left ?? $0.joined) < $0.seen! },
        ]
        for predicate in refused {
            #expect(throws: QueryError.self) {
                _ = try context.fetch(FetchDescriptor(predicate: predicate))
            }
        }
        #expect(throws: QueryError.self) { _ = try context.max(\Member.debt) }
    }

    @Test(arguments: StoreKind.allCases)
    func `what is selected is the value`(_ kind: StoreKind) throws {
        let context = try context(kind)
        #expect(try context.max(\Member.joined) == Self.later(3))
        #expect(try context.min(\Member.left) == Self.later(-1))
        #expect(try context.max(\Member.left, where: #Predicate { $0.isGuest }) == nil)
        #expect(try context.max(\Member.joined, where: #Predicate { $0.id > 9 }) == nil)
        let order = [SortDescriptor(\Member.id)]
        let debts = try context.select(.value(\Member.debt), sortBy: order)
        #expect(debts == [1.5, nil, 20, 1.5])
        let seen = try context.select(.value(\Member.id), .value(\.seen), sortBy: order)
        #expect(seen.map(\.1) == Self.rows.map(\.seen))
        let groups = try context.select(.value(\Member.debt), .count())
        #expect(Dictionary(uniqueKeysWithValues: groups) == [1.5: 2, nil: 1, 20: 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `groups are asked for values through the transform`(_ kind: StoreKind) throws {
        let context = try context(kind)
        // Noon is no day: what is after it is a later day.
        let noon = Self.later(0.5)
        let late = try context.select(
            .value(\Member.isGuest),
            .min(\.joined),
            having: .max(\.joined) > noon
        )
        #expect(late.map(\.0) == [false, true])
        #expect(late.map(\.1) == [Self.later(-2), Self.later(1)])
        let early = try context.select(.value(\Member.isGuest), having: .min(\.joined) < Self.day)
        #expect(early == [false])
    }
}
