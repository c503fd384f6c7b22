import Dovetail
import StoreTestSupport
import TestAssets
import Testing

/// Rows that another program wrote.
@Suite struct ForeignRowTests {
    private static let secret = "s3cret"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ change: String) throws -> ModelContext {
        let context = ModelContext(try .file(folder.file(), Cabinet.self))
        context.upsert(Cabinet(1))
        try context.save()
        let database = try RawDatabase(folder.file())
        try database.loosen("Cabinet")
        try database.execute("UPDATE Cabinet SET " + change)
        return context
    }

    /// What is written into a column, the path that the error names, and its reason.
    static let broken: [(String, String, ModelDecodingError.Kind)] = [
        ("int64 = '\(secret)'", "int64", .typeMismatch),
        ("int64 = 1.5", "int64", .typeMismatch),
        ("int64 = x'00'", "int64", .typeMismatch),
        ("int8 = 128", "int8", .numberOutOfRange),
        ("uint = -1", "uint", .numberOutOfRange),
        ("double = '\(secret)'", "double", .typeMismatch),
        ("flag = 2", "flag", .typeMismatch),
        ("flag = 'true'", "flag", .typeMismatch),
        ("text = x'737263'", "text", .typeMismatch),
        ("text = CAST(x'73FF' AS TEXT)", "text", .invalidEncoding),
        ("date = '\(secret)'", "date", .typeMismatch),
        ("date = '2024-13-01 00:00:00'", "date", .typeMismatch),
        ("\"decimal\" = '\(secret)'", "decimal", .typeMismatch),
        ("data = '\(secret)'", "data", .typeMismatch),
        ("uuid = '\(secret)'", "uuid", .typeMismatch),
        ("species = '\(secret)'", "species", .unknownCase),
        ("size = 99", "size", .unknownCase),
        ("address = '\(secret)'", "address", .invalidSyntax),
        ("address = '{\"street\":\"\(secret)'", "address.street", .unexpectedEnd),
        ("address = '{\"street\":5}'", "address.street", .typeMismatch),
        ("address = '{}'", "address.street", .missingField),
        ("address = '{\"street\":\"\"} \(secret)'", "address", .trailingContent),
        ("address = x'00'", "address", .typeMismatch),
        ("addresses = '[{\"street\":\"a\"},\"\(secret)\"]'", "addresses[1]", .typeMismatch),
        ("addresses = ''", "addresses", .unexpectedEnd),
        ("counts = '{\"a\":\"\(secret)\"}'", "counts.a", .typeMismatch),
        ("asset = '{\"$type\":\"\(secret)\"}'", "asset", .unknownType),
        ("asset = '{}'", "asset", .unknownType),
        (
            "stamp = '{\"zeta\":\"\(secret)\",\"alpha\":\"\(secret)\"}'", "stamp.alpha",
            .typeMismatch
        ),
        ("stamp = '{\"alpha\":1}'", "stamp.zeta", .missingField),
        (
            "stamp = '{\"zeta\":\"\",\"alpha\":1,\"issued\":\"\(secret)\"}'", "stamp.issued",
            .rejected
        ),
    ]

    @Test(arguments: broken.indices)
    func `a column with something else names itself and not what it holds`(index: Int) throws {
        let (change, path, kind) = Self.broken[index]
        let context = try open(change)
        let error = try #require(
            #expect(throws: ModelDecodingError.self, "\(change)") {
                try context.fetch(FetchDescriptor<Cabinet>())
            }
        )
        #expect(error.path == path, "\(change): \(error)")
        #expect(error.kind == kind, "\(change): \(error)")
        for text in ["\(error)", String(reflecting: error)] {
            #expect(!text.contains(Self.secret), "\(change)")
        }
        #expect(try context.fetchCount(FetchDescriptor<Cabinet>()) == 1)
    }

    @Test func `a fetch by key tells the same, and the next row is read as if nothing were`() throws
    {
        let context = try open("text = text")
        context.upsert(Cabinet(2))
        try context.save()
        let whole = try #require(try context.fetch(Cabinet.self, id: 1))
        let database = try RawDatabase(folder.file())
        var checked = 0
        for (change, path, kind) in Self.broken {
            try database.execute("UPDATE Cabinet SET \(change) WHERE id = 1")
            for _ in 0..<2 {
                let error = #expect(throws: ModelDecodingError.self, "\(change)") {
                    try context.fetch(Cabinet.self, id: 1)
                }
                #expect(error?.path == path, "\(change)")
                #expect(error?.kind == kind, "\(change)")
                #expect(try context.fetch(Cabinet.self, id: 2)?.id == 2, "\(change)")
            }
            context.upsert(whole)
            try context.save()
            checked += 1
        }
        #expect(checked == Self.broken.count)
        #expect(try context.fetch(Cabinet.self, id: 1)?.id == 1)
    }

    @Test func `a column of another kind is found while its statement is kept`() throws {
        let context = ModelContext(try .file(folder.file(), Pet.self))
        context.insert(contentsOf: [Pet(1, "Ann"), Pet(2, "Bob")])
        try context.save()
        #expect(try context.fetch(Pet.self, id: 1) == Pet(1, "Ann"))
        #expect(try context.fetch(FetchDescriptor<Pet>()).count == 2)
        let database = try RawDatabase(folder.file())
        try database.loosen("Pet")
        try database.execute("UPDATE Pet SET name = x'00' WHERE id = 2")
        #expect(try context.fetch(Pet.self, id: 1) == Pet(1, "Ann"))
        for _ in 0..<2 {
            let byKey = #expect(throws: ModelDecodingError.self) {
                try context.fetch(Pet.self, id: 2)
            }
            #expect(byKey?.path == "name")
            let all = #expect(throws: ModelDecodingError.self) {
                try context.fetch(FetchDescriptor<Pet>())
            }
            #expect(all?.path == "name")
        }
    }

    @Test func `what another program may write as well`() throws {
        func first(_ change: String) throws -> Cabinet {
            try open(change).fetch(FetchDescriptor<Cabinet>())[0]
        }
        #expect(try first("double = 3").double == 3)
        #expect(try first("int64 = '42'").int64 == 42)
        #expect(
            try first("date = '2001-01-01T01:00:00+01:00'").date
                == Date(timeIntervalSinceReferenceDate: 0)
        )
        let token = "a0000000-0000-0000-0000-00000000000a"
        #expect(try first("uuid = '\(token)'").uuid == UUID(uuidString: token))
        let json = " { \"number\" : 3, \"unknown\":[{}], \"street\" : \"\\u00e9\" } "
        #expect(
            try first("address = '\(json)'").address == Address(street: "é", number: 3)
        )
    }

    @Test func `NULL where a value is required`() throws {
        let database = try RawDatabase(folder.file())
        try database.execute(
            "CREATE TABLE Seat (row TEXT, number INTEGER, PRIMARY KEY (row, number));"
                + "INSERT INTO Seat VALUES (NULL, 1)"
        )
        let context = ModelContext(try .file(folder.file(), Seat.self))
        let error = #expect(throws: ModelDecodingError.self) {
            try context.fetch(FetchDescriptor<Seat>())
        }
        #expect(error?.path == "row")
        #expect(error?.found == "NULL")
    }
}
