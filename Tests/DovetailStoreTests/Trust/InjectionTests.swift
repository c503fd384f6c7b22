import Dovetail
import StoreTestSupport
import Testing

/// Texts that would change a statement, wherever a text can go. What goes in comes back, and the
/// tables that are there stay as they were.
@Suite struct InjectionTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    private func container() throws -> ModelContainer {
        var configuration = ModelConfiguration(url: file)
        configuration.history = StoreHistory()
        return try ModelContainer(for: Hostile.self, Entry.self, configurations: configuration)
    }

    private func expectNoHarm(_ comment: Comment) throws {
        let context = ModelContext(try .file(file, Entry.self))
        #expect(try Ledger.state(in: context) == [1: 1], comment)
        #expect(try RawDatabase(file).value("PRAGMA integrity_check") == "ok", comment)
    }

    /// Everything that makes a statement of the names.
    private func use(_ comment: Comment) throws {
        try? FileManager.default.removeItem(at: file)
        do {
            let context = ModelContext(try container())
            context.insert(contentsOf: Ledger.entries(1, version: 1))
            context.insert(contentsOf: [Hostile(id: "a", text: "1"), Hostile(id: "b", text: "2")])
            try context.save()
            context.upsert(Hostile(id: "a", text: "3"))
            context.update(Hostile(id: "b", text: "4"))
            try context.save()
            let sorted = FetchDescriptor<Hostile>(
                predicate: #Predicate { $0.text > "2" && $0.id != "z" },
                sortBy: [SortDescriptor(\.text, comparator: .lexical, order: .reverse)]
            )
            let both = [Hostile(id: "b", text: "4"), Hostile(id: "a", text: "3")]
            #expect(try context.fetch(sorted) == both, comment)
            #expect(try context.fetchCount(sorted) == 2, comment)
            context.delete(Hostile(id: "b", text: ""))
            try context.save()
            try context.delete(model: Hostile.self, where: #Predicate { $0.text == "none" })
            try context.save()
        }
        // The tables are compared with what was stored of them.
        let context = ModelContext(try container())
        #expect(
            try context.fetch(FetchDescriptor<Hostile>()) == [Hostile(id: "a", text: "3")],
            comment
        )
        let table = try context.container.schema.entity(Hostile.self).table
        let changes = try context.history(since: 0).flatMap(\.changes).filter { $0.table == table }
        let verbs: [HistoryChange.Verb] = [.insert, .insert, .update, .update, .delete]
        #expect(changes.map(\.verb) == verbs, comment)
        #expect(
            changes.map { $0.key.description }
                == ["a", "b", "a", "b", "b"].map { key in
                    [QueryValue.text(key)].description
                },
            comment
        )
        #expect(try changes.last?.value(as: Hostile.self).text == "4", comment)
        try expectNoHarm(comment)
    }

    @Test func `names of tables`() throws {
        for name in Hostile.corpus {
            try Hostile.$names.withValue(Hostile.Names(table: name.description)) {
                try use("table \(name)")
            }
        }
    }

    @Test func `names of columns, keys and indexes`() throws {
        for (index, name) in Hostile.corpus.enumerated() {
            let other = Hostile.corpus[(index + 1) % Hostile.corpus.count]
            guard name.description.lowercased() != other.description.lowercased() else { continue }
            try Hostile.$names.withValue(Hostile.Names(key: name, text: other)) {
                try use("columns \(name) and \(other)")
            }
        }
    }

    @Test func `names that no database takes are refused`() throws {
        for name in ["", "a\0b", "\0", "sqlite_x", "Dovetail_x", String(repeating: "x", count: 64)]
        {
            let error = #expect(throws: StoreError.self) {
                try Hostile.$names.withValue(Hostile.Names(table: name)) { try container() }
            }
            #expect(error?.kind == .invalidSchema)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `values and keys`() throws {
        let rows = Hostile.values.enumerated().map { index, text in
            Hostile(id: text, text: Hostile.values[(index + 7) % Hostile.values.count])
        }
        let context = ModelContext(try container())
        context.insert(contentsOf: Ledger.entries(1, version: 1))
        context.insert(contentsOf: rows)
        try context.save()
        func expect(_ found: [Hostile], _ expected: [Hostile], _ comment: Comment) {
            #expect(found.map { Array($0.id.utf8) } == expected.map { Array($0.id.utf8) }, comment)
            #expect(
                found.map { Array($0.text.utf8) } == expected.map { Array($0.text.utf8) },
                comment
            )
        }
        expect(
            try context.fetch(
                FetchDescriptor<Hostile>(sortBy: [SortDescriptor(\.id, comparator: .lexical)])
            ),
            rows.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) },
            "all"
        )
        for row in rows {
            let (id, text) = (row.id, row.text)
            let comment: Comment = "\(id.prefix(50).debugDescription)"
            expect(
                try context.fetch(FetchDescriptor(predicate: #Predicate<Hostile> { $0.id == id })),
                [row],
                comment
            )
            let both = FetchDescriptor<Hostile>(
                predicate: #Predicate { $0.text == text && $0.id != "" && $0.id > "\u{1}x" }
            )
            let expected = rows.filter {
                Self.isEqual($0.text, text) && !$0.id.isEmpty
                    && "\u{1}x".utf8.lexicographicallyPrecedes($0.id.utf8)
            }
            expect(try context.fetch(both), expected, comment)
            context.update(Hostile(id: id, text: text + "'"))
            try context.save()
            context.upsert(row)
            try context.save()
        }
        for row in rows { context.delete(Hostile(id: row.id, text: "")) }
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Hostile>()) == 0)
        let history = try context.history(since: 0).flatMap(\.changes).filter {
            $0.table == "Hostile"
        }
        let deleted = try history.suffix(rows.count).map { try $0.value(as: Hostile.self) }
        expect(deleted, rows, "history")
        try expectNoHarm("values")
    }

    @Test func `texts inside of embedded values`() throws {
        let context = ModelContext(try .file(file, Cabinet.self, Entry.self))
        context.insert(contentsOf: Ledger.entries(1, version: 1))
        let texts = Hostile.values.filter { $0.utf8.count < 200 }
        for (index, text) in texts.enumerated() {
            var cabinet = Cabinet(index)
            cabinet.optText = text
            cabinet.optData = Data(text.utf8)
            cabinet.address = Address(street: text, number: index)
            cabinet.addresses = [Address(street: text, number: nil)]
            cabinet.counts = [text: index]
            cabinet.labels = [text]
            cabinet.stamp.zeta = text
            context.insert(cabinet)
        }
        try context.save()
        let found = try context.fetch(FetchDescriptor<Cabinet>(sortBy: [SortDescriptor(\.id)]))
        #expect(found.count == texts.count)
        for (cabinet, text) in zip(found, texts) {
            let expected = Array(text.utf8)
            let parts: [String?] = [
                cabinet.optText, cabinet.address?.street, cabinet.addresses.first?.street,
                cabinet.counts.keys.first, cabinet.labels.first, cabinet.stamp.zeta,
            ]
            #expect(parts.allSatisfy { Array(($0 ?? "none").utf8) == expected }, "\(cabinet)")
            #expect(cabinet.optData == Data(text.utf8))
        }
        try expectNoHarm("embedded values")
    }

    private static func isEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        part.isEmpty || Data(text.utf8).range(of: Data(part.utf8)) != nil
    }

    @Test func `constants of predicates`() throws {
        let texts = Hostile.values.filter { $0.utf8.count < 200 }
        let context = ModelContext(try container())
        context.insert(contentsOf: Ledger.entries(1, version: 1))
        context.insert(
            contentsOf: texts.enumerated().map { Hostile(id: "\($0)", text: $1) }
        )
        try context.save()
        func expect(
            _ predicate: Predicate<Hostile>,
            _ text: String,
            _ holds: (String) -> Bool
        ) throws {
            let found = try context.fetch(FetchDescriptor(predicate: predicate)).map(\.text)
            let expected = texts.filter(holds)
            #expect(
                found.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
                    == expected.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) },
                "\(text.debugDescription): \(predicate)"
            )
        }
        for text in texts {
            let list = [text, text + "x", "'" + text]
            try expect(#Predicate { $0.text == text }, text) { Self.isEqual($0, text) }
            try expect(#Predicate { $0.text != text }, text) { !Self.isEqual($0, text) }
            try expect(#Predicate { $0.text.contains(text) }, text) { Self.contains($0, text) }
            try expect(#Predicate { $0.text.starts(with: text) }, text) {
                $0.utf8.starts(with: text.utf8)
            }
            try expect(#Predicate { list.contains($0.text) }, text) { value in
                list.contains { Self.isEqual($0, value) }
            }
            try expect(#Predicate { $0.text <= text }, text) {
                !text.utf8.lexicographicallyPrecedes($0.utf8)
            }
        }
        let copy = texts
        try context.delete(model: Hostile.self, where: #Predicate { copy.contains($0.text) })
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Hostile>()) == 0)
        try expectNoHarm("constants")
    }

    @Test func `authors of a history`() throws {
        let context = ModelContext(try container())
        context.insert(contentsOf: Ledger.entries(1, version: 1))
        try context.save()
        for (index, author) in Hostile.values.enumerated() {
            context.author = author
            context.upsert(Hostile(id: "a", text: "\(index)"))
            try context.save()
        }
        let authors = try context.history(since: 1).map { Array(($0.author ?? "none").utf8) }
        #expect(authors == Hostile.values.map { Array($0.utf8) })
        try expectNoHarm("authors")
    }

    @Test func `paths of files and of backups`() throws {
        let names = [
            "'; DROP TABLE Entry; --", "\"", "a b", "?mode=memory", "x?mode=ro&cache=shared", "#x",
            "%00", "%20", "file:x", ":memory:", "a;b", "\n", "日本😀", "--", "-wal", "\\", "$HOME",
            "*",
        ]
        for name in names {
            let place = folder.file("place")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: place) }
            let url = place.appendingPathComponent(name)
            let copy = place.appendingPathComponent(name + "2")
            do {
                let context = ModelContext(try .file(url, Entry.self))
                context.insert(contentsOf: Ledger.entries(1, version: 1))
                try context.save()
                try context.container.store.backup(to: copy)
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: place.path)
            #expect(Set(files) == [name, name + "2"])
            for url in [url, copy] {
                let context = ModelContext(try .file(url, Entry.self))
                #expect(try Ledger.state(in: context) == [1: 1])
            }
        }
    }

    /// A path ends at a NUL, so another file would be opened.
    @Test func `a path with a NUL is refused`() throws {
        let url = folder.url.appendingPathComponent("a\0b")
        let error = #expect(throws: StoreError.self) { try ModelContainer.file(url, Entry.self) }
        #expect(error?.kind == .cannotOpen)
        let container = try StoreKind.sqlite.container(Entry.self)
        let second = #expect(throws: StoreError.self) { try container.store.backup(to: url) }
        #expect(second?.kind == .cannotOpen)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
