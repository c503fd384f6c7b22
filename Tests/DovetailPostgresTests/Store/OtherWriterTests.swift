import Dovetail
import DovetailPostgres
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

@Model private final class Show {
    @Attribute(.primaryKey) var id: Int
    var isOpen = true
    var seats: [ShowSeat] = []

    init(_ id: Int) { self.id = id }
}

@Model private final class ShowSeat {
    @Attribute(.primaryKey) var id: Int
    var show: Show?

    init(_ id: Int) { self.id = id }
}

@Model private struct Visit: Identifiable, Equatable, Sendable {
    let id: Int
    var at: Date
}

@Model(deletion: .mark) private struct Page: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
}

/// Several programs that write to one database.
@Suite(.needsPostgres) struct OtherWriterTests {
    private let schema: FreshSchema

    init() throws { schema = try FreshSchema() }

    private func container() throws -> ModelContainer { try schema.container(Show.self) }

    @Test func `a fetch in a transaction gives objects what is stored`() throws {
        let mine = ModelContext(try container())
        let (show, seat) = (Show(1), ShowSeat(1))
        mine.insert(show)
        seat.show = show
        mine.insert(Show(2))
        try mine.save()
        #expect(show.seats.count == 1)
        let theirs = ModelContext(try container())
        let twin = try #require(try theirs.fetch(FetchDescriptor<Show>()).first { $0.id == 1 })
        twin.isOpen = false
        twin.seats.append(ShowSeat(2))
        try theirs.save()
        let all = FetchDescriptor<Show>(sortBy: [SortDescriptor(\.id)])
        try mine.transaction {
            let areOpen = try mine.fetch(all).map(\.isOpen)
            #expect(areOpen == [false, true])
            #expect(show.seats.map(\.id).sorted() == [1, 2])
            // What is changed here stays, and what was read is not asked for again.
            show.isOpen = true
            let first = try mine.fetch(all)[0]
            #expect(first === show && show.isOpen)
        }
        #expect(try ModelContext(container()).fetch(all).map(\.isOpen) == [true, true])
        // What waits before a transaction is in conflict with what others have stored.
        twin.isOpen = false
        show.isOpen = false
        try theirs.transaction { _ = try theirs.fetch(all) }
        #expect(throws: Never.self) { try mine.transaction { _ = try mine.fetch(all) } }
        #expect(try ModelContext(container()).fetch(all).map(\.isOpen) == [false, true])
    }

    @Test func `a transaction in whose way another one was says so, whatever was read last`() throws
    {
        let containers = try (0..<3).map { _ in try container() }
        let start = ModelContext(containers[0])
        let (first, second) = (Show(1), Show(2))
        start.insert(first)
        start.insert(second)
        second.seats.append(ShowSeat(1))
        try start.save()
        let all = FetchDescriptor<Show>(sortBy: [SortDescriptor(\.id)])
        func attempt(_ then: (ModelContext) throws -> Void) {
            let context = ModelContext(containers[1])
            let error = #expect(throws: StoreError.self) {
                try context.transaction {
                    let shows = try context.fetch(all)
                    shows[0].isOpen.toggle()
                    try context.save()
                    let reader = ModelContext(containers[0])
                    try reader.transaction {
                        _ = try reader.fetch(all)
                        let writer = ModelContext(containers[2])
                        let seat = try writer.fetch(FetchDescriptor<ShowSeat>())[0]
                        seat.show = nil
                        try writer.save()
                        seat.show = try writer.fetch(all)[1]
                        try writer.save()
                        _ = shows[1].seats.count
                    }
                    try then(context)
                }
            }
            #expect(error?.kind == .serializationFailure)
        }
        attempt { _ in }
        attempt { _ = try $0.fetchCount(FetchDescriptor<ShowSeat>()) }
        attempt { context in try context.transaction { context.insert(Show(7)) } }
        struct NotThere: Error {}
        attempt { _ in throw NotThere() }
    }

    @Test func `dates of a copy are rounded where that is allowed`() async throws {
        let folder = try TemporaryFolder()
        let file = try ModelContainer.file(folder.file(), Visit.self, Page.self)
        let target = try schema.container(Visit.self, Page.self)
        let context = ModelContext(file)
        context.insert(Page(id: 1, text: "a"))
        try context.save()
        context.delete(Page(id: 1, text: "a"))
        try context.save()
        // The library itself has written when the row was marked.
        #expect(try await file.copy(to: target).tables.map(\.rows).sorted() == [0, 1])
        let date = Date(timeIntervalSinceReferenceDate: 800_000_000.000_000_3)
        context.insert(Visit(id: 7, at: date))
        try context.save()
        let error = await #expect(throws: StoreError.self) { try await file.copy(to: target) }
        #expect(
            error?.kind == .outOfRange && error?.column == "at" && error?.keys == [[.integer(7)]]
        )
        let report = try await file.copy(to: target, allowingRounding: true)
        #expect(report.tables.map(\.rows) == [1, 1])
        let rows = try ModelContext(target).fetch(FetchDescriptor<Visit>())
        #expect(rows == [Visit(id: 7, at: date.inMicroseconds)] && rows[0].at != date)
        // The same again finds nothing to do.
        #expect(try await file.copy(to: target, allowingRounding: true) == report)
    }

}
