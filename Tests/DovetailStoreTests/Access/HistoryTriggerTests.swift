import Dovetail
import Foundation
import StoreTestSupport
import Testing

private enum Before {
    @Model(typeName: "Hike") struct Hike: Identifiable, Equatable {
        let id: Int
        var title: String
        var isDone: Bool
    }
}

private enum After {
    @Model(typeName: "Hike") struct Hike: Identifiable, Equatable {
        let id: Int
        var isDone: Bool
        var title: String
    }
}

private enum Longer {
    @Model(typeName: "Hike") struct Hike: Identifiable, Equatable {
        let id: Int
        var title: String
        var isDone: Bool
        var length: Int?
    }
}

/// The triggers by which SQLite keeps a history, in a file that others and other versions of a program change.
@Suite struct HistoryTriggerTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
        let context = try self.context(Before.Hike.self)
        context.insert(Before.Hike(id: 1, title: "a", isDone: false))
        try context.save()
    }

    private func context(_ model: any Model.Type) throws -> ModelContext {
        var configuration = ModelConfiguration(url: file)
        configuration.history = StoreHistory()
        return ModelContext(try ModelContainer(for: [model], configuration: configuration))
    }

    private func changes(_ context: ModelContext) throws -> [[String]] {
        try context.history(since: 1).flatMap(\.changes).map(\.changedColumns)
    }

    @Test func `opening makes nothing anew that is there`() throws {
        func version() throws -> String {
            let value = try RawDatabase(file).value("PRAGMA schema_version")
            return try #require(value)
        }
        let before = try version()
        for _ in 0..<3 { _ = try context(Before.Hike.self) }
        #expect(try version() == before)
    }

    @Test func `a table that is made anew keeps its history`() throws {
        try RawDatabase(file).execute(
            """
            BEGIN;
            CREATE TABLE other (id INTEGER NOT NULL PRIMARY KEY, title TEXT NOT NULL,
                isDone INTEGER NOT NULL) STRICT;
            INSERT INTO other SELECT * FROM Hike;
            DROP TABLE Hike;
            ALTER TABLE other RENAME TO Hike;
            COMMIT
            """
        )
        let context = try self.context(Before.Hike.self)
        context.update(Before.Hike(id: 1, title: "here", isDone: false))
        try context.save()
        #expect(try changes(context) == [["title"]])
        #expect(try context.localChanges(of: Before.Hike.self).count == 1)
    }

    @Test func `changed columns are told by their names when properties have another order`() throws
    {
        let context = try self.context(After.Hike.self)
        context.update(After.Hike(id: 1, isDone: false, title: "b"))
        try context.save()
        context.update(After.Hike(id: 1, isDone: true, title: "b"))
        try context.save()
        #expect(try changes(context) == [["title"], ["isDone"]])
    }

    @Test func `a column that only the table has got is an error when the file is opened`() throws {
        let database = try RawDatabase(file)
        try database.execute("ALTER TABLE Hike ADD COLUMN length INTEGER")
        try database.execute("DELETE FROM dovetail_schema")
        let error = #expect(throws: StoreError.self) { _ = try self.context(Longer.Hike.self) }
        #expect(error?.kind == .invalidSchema && error?.table == "Hike")
        #expect(error.map { "\($0)".contains("dovetail_history_Hike") } == true)
        try database.execute("ALTER TABLE dovetail_history_Hike ADD COLUMN length INTEGER")
        let context = try self.context(Longer.Hike.self)
        context.update(Longer.Hike(id: 1, title: "a", isDone: false, length: 3))
        try context.save()
        #expect(try changes(context) == [["length"]])
    }
}
