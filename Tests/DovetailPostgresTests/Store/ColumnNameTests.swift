import Dovetail
import DovetailPostgres
import DovetailStore
import Foundation
import PostgresTestSupport
import StoreTestSupport
import Testing

/// Its columns are called like variables of the triggers that write a history.
@Model private struct Quote: Identifiable, Equatable, Sendable {
    let id: Int
    var old: Double
    var new: Double
    var found = false
    var tg_op = ""
}

@Model private struct Detection: Identifiable, Sendable {
    let id: Int
    var xmin: Double
}

private enum Before {
    @Model struct Part: Identifiable, Sendable {
        let id: Int
        var serial: UUID
    }
}

private enum After {
    @Model struct Part: Identifiable, Sendable {
        let id: Int
        var serial: String
    }
}

/// Names and types of columns that a server takes otherwise than it seems.
@Suite(.needsPostgres) struct ColumnNameTests {
    private let schema: FreshSchema

    init() throws {
        schema = try FreshSchema()
    }

    @Test func `a history of columns that are called like variables of triggers`() throws {
        let context = ModelContext(try schema.container(Quote.self, history: StoreHistory()))
        context.insert(contentsOf: [Quote(id: 1, old: 1, new: 2), Quote(id: 2, old: 3, new: 4)])
        try context.save()
        context.update(Quote(id: 1, old: 5, new: 2, found: true, tg_op: "INSERT"))
        context.delete(Quote(id: 2, old: 3, new: 4))
        try context.save()
        let changes = try context.history(since: 0).flatMap(\.changes)
        #expect(Set(changes.map { "\($0.verb)" }) == ["insert", "update", "delete"])
        let update = try #require(changes.first { $0.verb == .update })
        #expect(update.changedColumns.sorted() == ["found", "old", "tg_op"])
        #expect(try update.value(as: Quote.self) == Quote(id: 1, old: 1, new: 2))
    }

    @Test func `a column that each table has already is refused by its name`() throws {
        let error = #expect(throws: StoreError.self) { _ = try schema.container(Detection.self) }
        #expect(error?.kind == .invalidSchema && error?.column == "xmin")
    }

    @Test func `a text that was a UUID is refused when the store is opened`() throws {
        _ = try schema.container(Before.Part.self)
        let error = #expect(throws: StoreError.self) { _ = try schema.container(After.Part.self) }
        #expect(error?.kind == .invalidSchema && error?.column == "serial")
    }
}
