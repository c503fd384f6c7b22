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

/// What values of dictionaries and of `T??` are asked for.
struct KeyedValueTests {
    private let rows = [
        KeyedRow(id: 1, byNumber: [1: 1], byKind: [.a: 1], byID: [KeyedRow.Number(rawValue: 1): 1]),
        KeyedRow(id: 2, maybe: .some(nil)),
        KeyedRow(id: 3, byNumber: [2: 1], byKind: [.b: 2], maybe: 2),
    ]

    private func ids(_ kind: StoreKind, _ inline: InlinePredicate<KeyedRow>) throws -> [Int] {
        let context = ModelContext(try kind.container([KeyedRow.self]))
        context.insert(contentsOf: rows)
        try context.save()
        let stored = try context.fetch(FetchDescriptor(predicate: inline.predicate)).map(\.id)
        #expect(try rows.filter(inline.predicate).map(\.id) == stored)
        return stored
    }

    @Test(arguments: StoreKind.allCases)
    func `keys of any kind`(_ kind: StoreKind) throws {
        let (number, wanted) = (2, KeyedRow.Number(rawValue: 1))
        #expect(try ids(kind, #Predicate { $0.byNumber[1] == 1 }) == [1])
        #expect(try ids(kind, #Predicate { $0.byNumber[number] == 1 }) == [3])
        #expect(try ids(kind, #Predicate { $0.byKind[.a] == 1 }) == [1])
        #expect(try ids(kind, #Predicate { $0.byKind[.b, default: 4] == 4 }) == [1, 2])
        #expect(try ids(kind, #Predicate { $0.byID[wanted] == nil }) == [2, 3])
    }

    @Test(arguments: StoreKind.allCases)
    func `a value that tells null from nothing is compared, and not opened`(
        _ kind: StoreKind
    ) throws {
        #expect(try ids(kind, #Predicate { $0.maybe == 2 }) == [3])
        #expect(try ids(kind, #Predicate { $0.maybe == .some(nil) }) == [2])
        #expect(try ids(kind, #Predicate { $0.maybe == nil }) == [1])
        let opened: [Predicate<KeyedRow>] = [
            #Predicate { ($0.maybe ?? 2) == 2 },
            #Predicate { if let value = $0.maybe { value == nil } else { false } },
        ]
        for predicate in opened {
            let context = ModelContext(try kind.container([KeyedRow.self]))
            let error = #expect(throws: QueryError.self) {
                try context.delete(model: KeyedRow.self, where: predicate)
                try context.save()
            }
            #expect(error?.explanation.contains("null from nothing") == true)
        }
    }
}

@Model private struct KeyedRow: Identifiable, Equatable {
    @Model enum Kind: String { case a, b }
    struct Number: TypedIdentifier, Hashable { let rawValue: Int }

    var id: Int
    var byNumber: [Int: Int] = [:]
    var byKind: [Kind: Int] = [:]
    var byID: [Number: Int] = [:]
    var maybe: Int??
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
