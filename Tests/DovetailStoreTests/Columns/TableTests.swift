import Dovetail
import StoreTestSupport
import Testing

/// The tables as `sqlite3` sees them.
@Suite struct TableTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func columns(_ table: String) throws -> [String] {
        try RawDatabase(folder.file())
            .rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(table)')")
            .map { $0.map { $0 ?? "NULL" }.joined(separator: " ") }
    }

    @Test func `every kind has its column type and nullability`() throws {
        _ = try ModelContainer.file(folder.file(), Cabinet.self)
        #expect(
            try columns("Cabinet") == [
                "id INTEGER 1 1", "int8 INTEGER 1 0", "int16 INTEGER 1 0", "int32 INTEGER 1 0",
                "int64 INTEGER 1 0", "uint INTEGER 1 0", "uint8 INTEGER 1 0",
                "uint16 INTEGER 1 0", "uint32 INTEGER 1 0", "uint64 INTEGER 1 0",
                "double REAL 1 0", "float REAL 1 0", "flag INTEGER 1 0", "text TEXT 1 0",
                "optText TEXT 0 0", "date TEXT 1 0", "decimal TEXT 1 0", "data BLOB 1 0",
                "optData BLOB 0 0", "url TEXT 0 0", "uuid TEXT 0 0", "species TEXT 1 0",
                "size INTEGER 1 0", "owner INTEGER 0 0", "address TEXT 0 0",
                "addresses TEXT 1 0", "counts TEXT 1 0", "labels TEXT 1 0", "asset TEXT 0 0",
                "assets TEXT 1 0", "stamp TEXT 1 0", "optStamp TEXT 0 0",
            ]
        )
    }

    @Test func `composite keys and unusual names`() throws {
        _ = try ModelContainer.file(folder.file(), Seat.self, Order.self)
        #expect(try columns("Seat") == ["row TEXT 1 1", "number INTEGER 1 2"])
        #expect(
            try columns("order") == [
                "a\"b TEXT 1 0", "primary key INTEGER 1 1", "select TEXT 0 0",
            ]
        )
    }

    @Test func `rows as a reporting tool reads them`() throws {
        let context = ModelContext(try .file(folder.file(), Pet.self))
        context.insert(contentsOf: Pet.four)
        try context.save()
        let rows = try RawDatabase(folder.file()).rows("SELECT * FROM Pet WHERE age >= 3")
        #expect(
            rows == [
                ["1", "Rex", "3", "30.5", "1", "dog", nil, "7"],
                ["2", "Mia", "12", "1.0", "0", "cat", "Mimi", nil],
            ]
        )
    }

    @Test func `the key of a whole number is the row's own number`() throws {
        let context = ModelContext(try .file(folder.file(), Pet.self))
        context.insert(Pet(7, "Rex"))
        try context.save()
        #expect(try RawDatabase(folder.file()).value("SELECT rowid FROM Pet") == "7")
    }

    @Test func `the file is in WAL mode`() throws {
        _ = try ModelContainer.file(folder.file(), Pet.self)
        #expect(try RawDatabase(folder.file()).value("PRAGMA journal_mode") == "wal")
    }
}
