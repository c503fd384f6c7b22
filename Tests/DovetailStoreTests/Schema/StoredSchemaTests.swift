import Dovetail
import StoreTestSupport
import Testing

private enum Old {
    @Model(typeName: "Account")
    struct Account: Identifiable, Equatable, Sendable {
        #Index<Account>([\.name])
        let id: Int
        var name: String
        var age: Int?
    }
}

private enum New {
    @Model(typeName: "Account")
    struct Account: Identifiable, Equatable, Sendable {
        let id: Int
        @Attribute(.unique) var name: String
        var age: Int
        var city: String?
    }

    /// The same table as the old one's, with another index.
    @Model(typeName: "Account")
    struct Indexed: Identifiable, Equatable, Sendable {
        #Index<Indexed>([\.age, \.name])
        let id: Int
        var name: String
        var age: Int?
    }
}

/// What a database knows of its own tables.
@Suite struct StoredSchemaTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    @Test func `the description of each table is in the database`() throws {
        _ = try ModelContainer.file(file, Worker.self)
        let database = try RawDatabase(file)
        #expect(
            try database.rows("SELECT entity, version FROM dovetail_schema ORDER BY entity")
                == [["Team", "1"], ["Worker", "1"]]
        )
        #expect(try database.value("SELECT value FROM dovetail_store WHERE name = 'format'") == "1")
        let json = try #require(
            try database.value("SELECT description FROM dovetail_schema WHERE entity = 'Worker'")
        )
        let stored = try JSONDecoder().decode(EntityDescription.self, from: Data(json.utf8))
        #expect(stored == EntityDescription(Worker.self))
    }

    @Test func `tables are strict, with their indexes and foreign keys`() throws {
        _ = try ModelContainer.file(file, Worker.self)
        let database = try RawDatabase(file)
        #expect(try database.value("SELECT strict FROM pragma_table_list('Worker')") == "1")
        let keys = try database.rows(
            """
            SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list('Worker')
            ORDER BY "from"
            """
        )
        #expect(
            keys == [["boss", "Worker", "id", "NO ACTION"], ["team", "Team", "id", "SET NULL"]]
        )
        let indexes = try database.rows(
            """
            SELECT group_concat(c.name), l."unique"
            FROM pragma_index_list('Worker') l, pragma_index_info(l.name) c
            GROUP BY l.name ORDER BY 1
            """
        )
        #expect(
            indexes == [
                ["age", "0"], ["boss", "0"], ["city,age", "0"], ["city,badge", "1"],
                ["e_mail", "1"], ["team", "0"],
            ]
        )
    }

    @Test func `a model that changed is refused with all that differs`() throws {
        let first = ModelContext(try .file(file, Old.Account.self))
        first.insert(Old.Account(id: 1, name: "Ann", age: nil))
        try first.save()
        let before = try RawDatabase(file).rows("SELECT * FROM dovetail_schema")
        let error = #expect(throws: StoreError.self) {
            try ModelContainer.file(file, New.Account.self)
        }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.table == "Account")
        #expect(error?.location == file.path)
        for part in [
            "age: is required now", "city: the column is new", "name: is unique now",
        ] {
            #expect(error?.explanation.contains(part) == true, "\(part)")
        }
        #expect(try RawDatabase(file).rows("SELECT * FROM dovetail_schema") == before)
        // The one that was there first works on.
        #expect(try first.fetchCount(FetchDescriptor<Old.Account>()) == 1)
    }

    @Test func `what another program has taken away is seen when the store is opened`() throws {
        _ = try ModelContainer.file(file, Old.Account.self, Memo.self)
        func explanation() -> String? {
            let error = #expect(throws: StoreError.self) {
                try ModelContainer.file(file, Old.Account.self, Memo.self)
            }
            #expect(error?.kind == .invalidSchema)
            return error?.explanation
        }
        let database = try RawDatabase(file)
        try database.execute("ALTER TABLE Account RENAME COLUMN age TO years")
        #expect(explanation()?.contains("age: the column is not there any more") == true)
        try database.execute("ALTER TABLE Account RENAME TO Accounts")
        #expect(explanation()?.contains(": the table is not there any more") == true)
        try database.execute(
            "DROP TABLE Memo; ALTER TABLE Accounts RENAME TO ACCOUNT; "
                + "ALTER TABLE ACCOUNT RENAME COLUMN years TO AGE"
        )
        #expect(explanation()?.contains(": the table is not there any more") == true)
        try database.execute("ALTER TABLE ACCOUNT RENAME COLUMN AGE TO years")
        #expect(explanation()?.contains("Account.age: the column is not") == true)
        #expect(explanation()?.contains("Memo: the table is not") == true)
        try database.execute("ALTER TABLE ACCOUNT RENAME COLUMN years TO AGE")
        // The table is made anew when nothing says that it was there. Case is nothing to SQLite.
        try database.execute("DELETE FROM dovetail_schema WHERE entity = 'Memo'")
        let context = ModelContext(try .file(file, Old.Account.self, Memo.self))
        context.insert(Memo(id: nil, text: "new"))
        context.insert(Old.Account(id: 1, name: "Ann", age: 3))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Memo>()) == 1)
        #expect(
            try ModelContext(context.container).fetch(FetchDescriptor<Old.Account>())[0].age == 3
        )
    }

    @Test func `an index that is missing is added, and none is taken away`() throws {
        _ = try ModelContainer.file(file, Old.Account.self)
        for _ in 0..<2 {
            _ = try ModelContainer.file(file, New.Indexed.self)
            _ = try ModelContainer.file(file, Old.Account.self)
        }
        let indexes = try RawDatabase(file).rows(
            "SELECT name FROM pragma_index_list('Account') WHERE origin = 'c'"
        )
        #expect(indexes.count == 2)
    }

    @Test func `opening again writes nothing`() throws {
        _ = try ModelContainer.file(file, Worker.self, Memo.self)
        let before = try Data(contentsOf: file)
        _ = try ModelContainer.file(file, Worker.self, Memo.self)
        #expect(try Data(contentsOf: file) == before)
        _ = try ModelContainer.file(file, Worker.self, allowsSave: false)
    }

    @Test func `a form that only a newer Dovetail knows is refused`() throws {
        _ = try ModelContainer.file(file, Memo.self)
        try RawDatabase(file).execute("UPDATE dovetail_store SET value = 2 WHERE name = 'format'")
        let error = #expect(throws: StoreError.self) { try ModelContainer.file(file, Memo.self) }
        #expect(error?.kind == .newerFormat)
        #expect(error?.location == file.path)
    }

    @Test(arguments: ["key", "indexes[0].columns", "references[0].column"])
    func `a description with a position that no column has is an error`(path: String) throws {
        _ = try ModelContainer.file(file, Worker.self)
        let value = path.hasSuffix("column") ? "99" : "json('[99]')"
        try RawDatabase(file).execute(
            """
            UPDATE dovetail_schema SET description = json_set(description, '$.\(path)', \(value))
            WHERE entity = 'Worker'
            """
        )
        let error = #expect(throws: StoreError.self) { try ModelContainer.file(file, Worker.self) }
        #expect(error?.kind == .corrupt)
        #expect(error?.table == "Worker")
    }

    @Test(arguments: ["", "{}", "[1]", "not JSON"])
    func `a description that is damaged is an error`(text: String) throws {
        _ = try ModelContainer.file(file, Memo.self)
        try RawDatabase(file).execute("UPDATE dovetail_schema SET description = '\(text)'")
        let error = #expect(throws: StoreError.self) { try ModelContainer.file(file, Memo.self) }
        #expect(error?.kind == .corrupt)
        #expect(error?.table == "Memo")
    }

    @Test func `of many that open an empty file at once one makes the tables`() async throws {
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let container = try ModelContainer.file(
                        file,
                        Worker.self,
                        Memo.self,
                        busyTimeout: .seconds(20)
                    )
                    try await container.perform { context in
                        context.insert(Memo(id: nil, text: "\(number)"))
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        let context = ModelContext(try .file(file, Memo.self))
        let texts = try context.fetch(FetchDescriptor<Memo>()).map(\.text)
        #expect(Set(texts) == Set((0..<8).map { "\($0)" }))
    }
}
