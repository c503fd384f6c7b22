import Dovetail
import Foundation
import StoreTestSupport
import Testing

@Model final class ClockedShift {
    var start: Date
    var end: Date?
    @Relationship(deleteRule: .cascade, inverse: \ClockedBreak.shift) var breaks: [ClockedBreak] =
        []

    init(_ start: Date) { self.start = start }
}

@Model final class ClockedBreak {
    var start: Date
    var shift: ClockedShift?

    init(_ start: Date) { self.start = start }
}

/// Dates of which a store keeps whole microseconds: an object that was saved still has all of its own.
struct RoundedDateTests {
    private static let exact = Date(timeIntervalSinceReferenceDate: 800_000_000.123_456_789)

    @Test(arguments: StoreKind.allCases, [0, 1, 2, 3])
    func `what was just saved can be deleted`(_ kind: StoreKind, _ order: Int) throws {
        let container = try kind.container(ClockedShift.self, ClockedBreak.self)
        let context = ModelContext(container)
        let (shift, rest) = (ClockedShift(Self.exact), ClockedBreak(Self.exact))
        shift.breaks = [rest]
        context.insert(shift)
        try context.save()
        if order != 1 { context.delete(shift) }
        if order != 0 { context.delete(rest) }
        if order == 3 { context.delete(shift) }
        try context.save()
        let fresh = ModelContext(container)
        #expect(try fresh.fetchCount(FetchDescriptor<ClockedShift>()) == (order == 1 ? 1 : 0))
        #expect(try fresh.fetchCount(FetchDescriptor<ClockedBreak>()) == 0)
    }

    /// Another attribute was changed by somebody else, which is merged.
    @Test(arguments: StoreKind.allCases)
    func `a date that was just saved can be changed beside others`(_ kind: StoreKind) throws {
        let container = try kind.container(ClockedShift.self, ClockedBreak.self)
        let (context, other) = (ModelContext(container), ModelContext(container))
        let shift = ClockedShift(Self.exact)
        context.insert(shift)
        try context.save()
        let theirs = try #require(try other.fetch(FetchDescriptor<ClockedShift>()).first)
        theirs.end = Self.exact + 1
        try other.save()
        shift.start = Self.exact - 1
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<ClockedShift>())
        #expect(found.count == 1 && found[0].end != nil && found[0].start < Self.exact)
        // Both have set one: that is a conflict.
        other.processPendingChanges()
        theirs.start = Self.exact + 2
        try other.save()
        shift.start = Self.exact + 3
        #expect(throws: ConflictError.self) { try context.save() }
    }
}
