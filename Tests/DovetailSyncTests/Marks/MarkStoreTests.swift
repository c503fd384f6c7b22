import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model(typeName: "Sheet") struct SheetWithoutMark: Identifiable, Equatable {
    let id: Int
    @Attribute(.unique) var title: String
    var size: Int = 0
    var binder: Int?
}

@Model(deletion: .mark) struct Plain: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
}

@Model(typeName: "Plain") struct PlainBefore: Identifiable, Equatable, Sendable {
    let id: Int
    var text: String
}

/// What stores and containers do with marked rows.
@Suite struct MarkStoreTests {
    @Test func `copies have the deleted rows, in both directions`() async throws {
        for (kind, other) in [(StoreKind.sqlite, StoreKind.memory), (.memory, .sqlite)] {
            let context = ModelContext(try kind.stationery())
            context.insert(contentsOf: (0..<3000).map { Sheet($0, "\($0)") })
            try context.save()
            try context.delete(model: Sheet.self, where: #Predicate { $0.id % 3 == 0 })
            try context.save()
            let date = try context.deletionDate(of: Sheet.self, id: 3)
            let target = try other.stationery()
            let report = try await context.container.copy(to: target)
            #expect(report.tables.first { $0.name == "Sheet" }?.rows == 3000)
            let copied = ModelContext(target)
            #expect(try copied.sheets() == context.sheets())
            #expect(try copied.sheets(.only) == context.sheets(.only))
            #expect(try copied.deletionDate(of: Sheet.self, id: 3) == date)
            // Nothing of a deleted row is left in the next one.
            copied.insert(Sheet(9000, "new"))
            try copied.save()
            #expect(try copied.fetch(Sheet.self, id: 9000) != nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `erasing removes deleted rows, too`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.stationery())
        context.insert(contentsOf: [Sheet(1, "a"), Sheet(2, "b")])
        try context.save()
        context.delete(Sheet(1, "a"))
        try context.save()
        try context.container.erase()
        #expect(try context.sheets(.included).isEmpty)
    }

    @Test func `a table without the mark is another one`() throws {
        let folder = try TemporaryFolder()
        let configuration = ModelConfiguration(url: folder.file())
        do {
            let context = ModelContext(
                try ModelContainer(for: PlainBefore.self, configurations: configuration)
            )
            context.insert(PlainBefore(id: 1, text: "a"))
            try context.save()
        }
        do {
            _ = try ModelContainer(for: Plain.self, configurations: configuration)
            Issue.record("the table lacks the column")
        } catch let error as StoreError {
            #expect(error.kind == .invalidSchema)
            #expect(error.explanation.contains("$deleted: the column is new"))
        }
        let other = try TemporaryFolder()
        let marked = ModelConfiguration(url: other.file())
        _ = try ModelContainer(for: Plain.self, configurations: marked)
        do {
            _ = try ModelContainer(for: PlainBefore.self, configurations: marked)
            Issue.record("the table has a column more")
        } catch let error as StoreError {
            #expect(error.explanation.contains("$deleted: the column is gone"))
        }
        // Opened again, it is the same one.
        let context = ModelContext(try ModelContainer(for: Plain.self, configurations: marked))
        context.insert(Plain(id: 1, text: "a"))
        try context.save()
        context.delete(Plain(id: 1, text: "a"))
        try context.save()
        let again = ModelContext(try ModelContainer(for: Plain.self, configurations: marked))
        #expect(try again.all(Plain.self).isEmpty && again.all(Plain.self, .only).count == 1)
    }

    @Test func `the history has deletions and what comes back`() throws {
        let context = ModelContext(try StoreKind.sqlite.stationery())
        context.insert(Sheet(1, "a", size: 3))
        try context.save()
        context.delete(Sheet(1, "a"))
        try context.save()
        context.insert(Sheet(1, "b"))
        try context.save()
        context.update(Sheet(1, "c"))
        try context.save()
        context.delete(Sheet(1, "c"))
        try context.save()
        try context.purge(Sheet.self)
        try context.save()
        let changes = try context.history(since: 0).flatMap(\.changes)
        #expect(changes.map(\.verb) == [.insert, .delete, .insert, .update, .delete])
        #expect(try changes[1].value(as: Sheet.self) == Sheet(1, "a", size: 3))
        #expect(try changes[2].value(as: Sheet.self) == Sheet(1, "b"))
        #expect(changes[3].changedColumns == ["title"])
    }

    @Test func `statements are those that the page says`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let context = ModelContext(
            try ModelContainer(for: Plain.self, configurations: configuration)
        )
        context.insert(Plain(id: 1, text: "a"))
        try context.save()
        _ = log.take()
        context.delete(Plain(id: 1, text: "a"))
        try context.save()
        let marking = log.take().map(\.sql).filter { $0.hasPrefix("UPDATE") }
        #expect(
            marking == [
                #"UPDATE "Plain" SET "$deleted" = ?1 WHERE (("$deleted" IS NULL) AND ("id" = ?2))"#
            ]
        )
        _ = log.take()
        _ = try context.all(Plain.self)
        #expect(
            log.takeReads().map(\.sql).contains(
                #"SELECT "id", "text", "$deleted" FROM "Plain" WHERE ("$deleted" IS NULL)"#
            )
        )
    }

    @Test func `a unique value is looked up in its index`() throws {
        let context = ModelContext(try StoreKind.sqlite.stationery())
        let descriptor = FetchDescriptor<Sheet>(predicate: #Predicate { $0.title == "a" })
        let explanation = try context.explain(descriptor)
        #expect(explanation.advice == nil, "\(explanation)")
        let sized = FetchDescriptor<Sheet>(predicate: #Predicate { $0.size == 1 })
        #expect(try context.explain(sized).advice?.contains(#"\.size"#) == true)
    }
}
