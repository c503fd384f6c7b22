import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Values in predicates that are not `Codable`, which Foundation's are.
struct ConstantTests {
    private let rows = [
        Parcel(id: 1, state: .late(days: 3), last: .lost),
        Parcel(id: 2, state: .late(days: 4)),
        Parcel(id: 3, state: .returned(to: "Ann", days: 3), last: .late(days: 3)),
        Parcel(id: 4, state: .lost),
    ]

    private func ids(
        _ kind: StoreKind,
        _ inline: InlinePredicate<Parcel>
    ) throws -> [Int] {
        let predicate = inline.predicate
        let context = ModelContext(try kind.container([Parcel.self]))
        context.insert(contentsOf: rows)
        try context.save()
        let stored = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.id)
        #expect(try rows.filter(predicate).map(\.id) == stored)
        return stored
    }

    @Test(arguments: StoreKind.allCases)
    func `an enum with values is compared`(_ kind: StoreKind) throws {
        let wanted = Parcel.State.returned(to: "Ann", days: 3)
        #expect(try ids(kind, #Predicate { $0.state == .late(days: 3) }) == [1])
        #expect(try ids(kind, #Predicate { $0.state != .lost }) == [1, 2, 3])
        #expect(try ids(kind, #Predicate { $0.state == wanted }) == [3])
        #expect(try ids(kind, #Predicate { $0.last == .lost || $0.state == .lost }) == [1, 4])
        #expect(try ids(kind, #Predicate { $0.state == $0.last }) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `one of a list, and one that may be missing`(_ kind: StoreKind) throws {
        let list: [Parcel.State] = [.lost, .late(days: 4)]
        #expect(try ids(kind, #Predicate { list.contains($0.state) }) == [2, 4])
        #expect(
            try ids(kind, #Predicate { [Parcel.State.lost, .late(days: 4)].contains($0.state) })
                == [2, 4]
        )
        #expect(try ids(kind, #Predicate { ![.lost].contains($0.state) }) == [1, 2, 3])
        let none: Parcel.State? = nil
        let some: Parcel.State? = .late(days: 3)
        #expect(try ids(kind, #Predicate { $0.last == none }) == [2, 4])
        #expect(try ids(kind, #Predicate { some == nil || $0.last == some }) == [3])
        #expect(try ids(kind, #Predicate { $0.last ?? .lost == .lost }) == [1, 2, 4])
    }

    @Test func `one is written in an error, and cannot be coded`() throws {
        let predicate = #Predicate<Parcel> { $0.state == .late(days: 3) }
        let constant = PredicateExpressions.Constant(Parcel.State.late(days: 3))
        #expect("\(constant)" == "late(days: 3)")
        #expect(constant.evaluate(PredicateBindings()) == .late(days: 3))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(constant) }
        #expect("\(FetchDescriptor(predicate: predicate))".contains("late(days: 3)"))
    }
}

@Model private struct Parcel: Identifiable, Equatable {
    @Model enum State: Equatable {
        case late(days: Int)
        case returned(to: String, days: Int)
        case lost
    }

    var id: Int
    var state: State
    var last: State?
}
