import Dovetail
import Foundation
import Observation
import StoreTestSupport
import Synchronization
import Testing

struct InPlacePoint: Codable, Equatable {
    var x = 0
    var names: [String] = []
}

enum InPlaceError: Error { case thrown }

@Model
final class InPlaceOwner {
    var name = ""
    @Relationship(inverse: \InPlacePart.owner) var parts: [InPlacePart] = []

    init() {}
}

/// A property of each kind that is changed where it is stored, and of each that is read and set.
@Model
final class InPlacePart {
    var number = 1
    var price: Double? = 2
    var text = "a"
    var words: [String] = ["a"]
    var scores: [String: Int] = [:]
    var point = InPlacePoint()
    var owner: InPlaceOwner?

    init() {}
}

/// Attributes and relationships that are changed by an operator, by a mutating function, and by a function
/// that takes them `inout`.
struct ChangeInPlaceTests {
    private static func increase(_ number: inout Int) { number += 1 }

    private static func leave(_ owner: inout InPlaceOwner?) { owner = nil }

    private static func failing<Value>(
        _ value: inout Value,
        _ change: (inout Value) -> Void
    ) throws {
        change(&value)
        throw InPlaceError.thrown
    }

    /// A container with one part that has an owner.
    private func filled(_ kind: StoreKind) throws -> ModelContainer {
        let container = try kind.container([InPlaceOwner.self, InPlacePart.self])
        let context = ModelContext(container)
        let part = InPlacePart()
        context.insert(part)
        part.owner = InPlaceOwner()
        try context.save()
        return container
    }

    private func part(in context: ModelContext) throws -> InPlacePart {
        try #require(try context.fetch(FetchDescriptor<InPlacePart>()).first)
    }

    @Test(arguments: StoreKind.allCases)
    func `each change in place is stored`(_ kind: StoreKind) throws {
        let changes: [(InPlacePart) -> Void] = [
            { $0.number += 1 },
            { Self.increase(&$0.number) },
            { $0.price? *= 2 },
            { $0.text.append("b") },
            { $0.words.append("b") },
            { $0.scores["a", default: 1] += 1 },
            { $0.point.x += 1 },
            { $0.point.names.append("b") },
            { Self.leave(&$0.owner) },
            { $0.owner?.parts.append(InPlacePart()) },
            { $0.owner?.parts.removeAll() },
        ]
        for (index, change) in changes.enumerated() {
            let container = try filled(kind)
            let context = ModelContext(container)
            let changed = try part(in: context)
            change(changed)
            #expect(context.hasChanges, "change \(index)")
            try context.save()
            let other = ModelContext(container)
            let again = try part(in: other)
            #expect(again.number == changed.number, "change \(index)")
            #expect(again.price == changed.price, "change \(index)")
            #expect(again.text == changed.text, "change \(index)")
            #expect(again.words == changed.words, "change \(index)")
            #expect(again.scores == changed.scores, "change \(index)")
            #expect(again.point == changed.point, "change \(index)")
            let names = again.owner?.parts.map(\.number)
            #expect(names == changed.owner?.parts.map(\.number), "change \(index)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what a change has done before it throws stays and is stored`(_ kind: StoreKind) throws {
        let container = try filled(kind)
        let context = ModelContext(container)
        let changed = try part(in: context)
        let owner = try #require(changed.owner)
        #expect(throws: InPlaceError.self) { try Self.failing(&changed.number) { $0 = 7 } }
        #expect(throws: InPlaceError.self) { try Self.failing(&changed.words) { $0 = ["c"] } }
        #expect(throws: InPlaceError.self) { try Self.failing(&changed.point) { $0.x = 3 } }
        #expect(throws: InPlaceError.self) { try Self.failing(&owner.parts) { $0 = [] } }
        #expect(changed.owner == nil)
        try context.save()
        let other = ModelContext(container)
        let again = try part(in: other)
        #expect(again.number == 7 && again.words == ["c"] && again.point.x == 3)
        #expect(again.owner == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `whoever tracks a property is told once of a change in place`(_ kind: StoreKind) throws {
        let context = ModelContext(try filled(kind))
        let changed = try part(in: context)
        let owner = try #require(changed.owner)
        let told = Mutex(0)
        func check(_ read: () -> Void, _ change: () -> Void) {
            let before = told.withLock { $0 }
            withObservationTracking(read) { told.withLock { $0 += 1 } }
            change()
            change()
            #expect(told.withLock { $0 } == before + 1)
        }
        check({ _ = changed.number }, { changed.number += 1 })
        check({ _ = changed.text }, { changed.text += "b" })
        check({ _ = changed.point }, { changed.point.x += 1 })
        check({ _ = changed.owner }, { Self.leave(&changed.owner) })
        check({ _ = owner.parts }, { owner.parts.append(InPlacePart()) })
        #expect(told.withLock { $0 } == 5)
    }
}
