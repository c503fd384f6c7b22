import Dovetail
import StoreTestSupport
import Testing

@Suite struct TextColumnTests {
    @Test(arguments: [
        "", "a", "Zürich", "日本", "😀", "e\u{301}", "it's \"quoted\"", "a\0b", "\0", "line\r\nline",
        String(repeating: "x", count: 100_000),
    ])
    func `text comes back byte by byte`(text: String) throws {
        let cabinet = try Cabinet.roundTrip {
            $0.text = text
            $0.optText = text
        }
        #expect(cabinet.text.utf8.elementsEqual(text.utf8))
        #expect(cabinet.optText?.utf8.elementsEqual(text.utf8) == true)
    }

    /// Texts are looked at eight bytes at a time, short ones in other ways.
    @Test func `one byte that is not ASCII is seen at every place of every length`() throws {
        let folder = try TemporaryFolder()
        let context = ModelContext(try .file(folder.file(), Pet.self))
        context.insert(Pet(1, ""))
        try context.save()
        let database = try RawDatabase(folder.file())
        var checked = 0
        for length in 0...20 {
            let plain = String(repeating: "x", count: length)
            context.update(Pet(1, plain))
            try context.save()
            #expect(try context.fetch(Pet.self, id: 1)?.name == plain)
            for place in 0..<length {
                let before = String(repeating: "x", count: place)
                let after = String(repeating: "x", count: length - place - 1)
                context.update(Pet(1, before + "é" + after))
                try context.save()
                #expect(try context.fetch(Pet.self, id: 1)?.name == before + "é" + after)
                let hex =
                    String(repeating: "78", count: place) + "FF"
                    + String(repeating: "78", count: length - place - 1)
                try database.execute("UPDATE Pet SET name = CAST(x'\(hex)' AS TEXT)")
                let error = #expect(throws: ModelDecodingError.self) {
                    try context.fetch(Pet.self, id: 1)
                }
                #expect(error?.kind == .invalidEncoding)
                checked += 1
            }
        }
        #expect(checked == 210)
    }

    @Test func `the empty text is not nil`() throws {
        #expect(try Cabinet.roundTrip { $0.optText = nil }.optText == nil)
        #expect(try Cabinet.stored("typeof(optText)") { $0.optText = nil } == "null")
        #expect(try Cabinet.stored("typeof(optText)") { $0.optText = "" } == "text")
    }

    @Test func `text with a NUL is found by predicates`() throws {
        let context = ModelContext(try .inMemory(Pet.self))
        let names = ["a\0b", "a\0c", "a", "ab"]
        context.insert(contentsOf: names.enumerated().map { Pet($0, $1) })
        let prefix = "a\0b"
        let predicates: [Predicate<Pet>] = [
            #Predicate { $0.name == prefix }, #Predicate { $0.name.contains(prefix) },
            #Predicate { $0.name.starts(with: prefix) }, #Predicate { $0.name < prefix },
        ]
        for predicate in predicates {
            let found = try context.fetch(FetchDescriptor(predicate: predicate))
            let expected = try names.enumerated().filter { try predicate.evaluate(Pet($0, $1)) }
            #expect(found.map(\.id) == expected.map(\.offset), "\(predicate)")
        }
    }

    @Test func `addresses and identifiers are text`() throws {
        let url = try #require(URL(string: "https://example.com/a%20b?q=1#f"))
        let uuid = UUID()
        let cabinet = try Cabinet.roundTrip {
            $0.url = url
            $0.uuid = uuid
        }
        #expect(cabinet.url == url)
        #expect(cabinet.uuid == uuid)
        #expect(try Cabinet.stored("url") { $0.url = url } == url.absoluteString)
        #expect(try Cabinet.stored("uuid") { $0.uuid = uuid } == uuid.uuidString)
    }

    @Test func `enums and typed identifiers are their raw values`() throws {
        let cabinet = try Cabinet.roundTrip {
            $0.species = .fish
            $0.size = .large
            $0.owner = OwnerID(rawValue: .max)
        }
        #expect(cabinet.species == .fish)
        #expect(cabinet.size == .large)
        #expect(cabinet.owner == OwnerID(rawValue: .max))
        let shown = try Cabinet.stored("species || size || owner") {
            $0.species = .fish
            $0.size = .large
            $0.owner = OwnerID(rawValue: 7)
        }
        #expect(shown == "fish37")
    }

    @Test(arguments: [Data(), Data([0]), Data([0xFF, 0, 0x27]), Data(count: 100_000)])
    func `bytes come back`(data: Data) throws {
        let cabinet = try Cabinet.roundTrip {
            $0.data = data
            $0.optData = data
        }
        #expect(cabinet.data == data)
        #expect(cabinet.optData == data)
        #expect(try Cabinet.stored("typeof(optData)") { $0.optData = data } == "blob")
        #expect(try Cabinet.stored("typeof(optData)") { $0.optData = nil } == "null")
    }
}
