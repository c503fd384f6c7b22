import Dovetail
import Foundation
import Testing

/// What a step put into an object is read like what the document holds.
@Suite struct MigrationValueTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func data(_ json: String, _ format: ModelFormat) throws -> Data {
        try ModelDocument(decoding: Data(json.utf8), as: .json).encoded(as: format)
    }

    @Test(arguments: formats)
    func `errors in a value name it and the object`(format: ModelFormat) throws {
        let old = try data(#"{"a.b":[{"ok":{}},{"parts":[{"n":1},{"n":"x"}],"id":7}]}"#, format)
        let error = #expect(throws: ModelDecodingError.self) {
            try [String: [MovedParts]](decoding: old, as: format)
        }
        #expect(error?.path == #"["a.b"][1].box.parts[1].n"#)
        #expect(error?.kind == .typeMismatch)
        #expect(error?.found.contains("x") == true)
        #expect((error?.line ?? 0) > 0 || error?.offset != nil)
        let missing = #expect(throws: ModelDecodingError.self) {
            try [MovedParts](decoding: data(#"[{"parts":[{"m":1}],"id":7}]"#, format), as: format)
        }
        #expect(missing?.path == "[0].box.parts[0].n")
        #expect(missing?.kind == .missingField)
    }

    @Test(arguments: formats)
    func `what is left out of a value is reported with its path`(format: ModelFormat) throws {
        let old = try data(
            """
            [{"things":[{"$type":"Pebble","size":1},{"$type":"Cloud"},{"$type":"Pebble"}],"id":1},
             {"things":[{"$type":"Pebble","size":2}],"id":2}]
            """,
            format
        )
        var skipped: [SkippedElement] = []
        let read = try [MovedThings](decoding: old, as: format, report: &skipped)
        #expect(read.map { $0.shelf.things.map(\.size) } == [[1], [2]])
        #expect(read.map(\.id) == [1, 2])
        #expect(skipped.map(\.path) == ["[0].shelf.things[1]", "[0].shelf.things[2]"])
        let errors = skipped.compactMap { $0.error as? ModelDecodingError }
        #expect(errors.map(\.kind) == [.unknownType, .missingField])
    }

    /// Each of them has the next one in a value that its step puts in.
    @Test(arguments: formats)
    func `values may hold what is migrated again, to a limit`(format: ModelFormat) throws {
        func document(_ levels: Int) -> ModelDocument {
            (0..<levels).reduce(ModelDocument.null) { inner, level in
                var object: ModelDocument = ["n": .integer(level)]
                if level > 0 { object["inner"] = inner }
                return object
            }
        }
        let levels = ModelReader.maximumMigrations
        let read = try MovedChain(decoding: document(levels).encoded(as: format), as: format)
        var count = 0
        var next: MovedChain? = read
        while let chain = next {
            count += 1
            #expect(chain.n == levels - count)
            next = chain.box?.inner.first
        }
        #expect(count == levels)
        let error = #expect(throws: ModelDecodingError.self) {
            try MovedChain(decoding: document(levels + 1).encoded(as: format), as: format)
        }
        #expect(error?.kind == .tooDeep)
    }

    @Test(arguments: formats)
    func `a step has to leave an object`(format: ModelFormat) throws {
        let old = try data(#"{"list":[{"id":1}]}"#, format)
        let error = MigrationStepper.$step.withValue({ $0 = 7 }) {
            #expect(throws: ModelDecodingError.self) {
                try [String: [MigratedAnything]](decoding: old, as: format)
            }
        }
        #expect(error?.kind == .typeMismatch)
        #expect(error?.path == "list[0]")
        #expect(error?.expected == "object")
    }

    /// Of a property list every level of migrations sees a document of all that is in it.
    @Test func `many migrations in each other do not use up a binary property list`() throws {
        var document: ModelDocument = ["n": 0]
        for level in 1..<90 {
            let list = ModelDocument.array((0..<50).map { .integer(level * 100 + $0) })
            document = ["n": .integer(level), "list": list, "inner": document]
        }
        let read = try MovedChain(decoding: document.encoded(as: .binaryPlist), as: .binaryPlist)
        #expect(read.n == 89)
    }

    /// What a step moves may hold types that Foundation's coders read, in the form of the format.
    @Test(arguments: formats)
    func `plain Codable values may be moved`(format: ModelFormat) throws {
        let plain = MovedPlain(count: 7, at: Date(timeIntervalSinceReferenceDate: 12.5))
        let old = try MovedPlainOld(plain: plain, price: 1.5).encoded(as: format)
        let read = try MovedPlainHolder(decoding: old, as: format)
        #expect(read.box.plain == plain)
        #expect(read.box.price == 1.5)
    }

    /// `PropertyListEncoder` makes a dictionary of a decimal number.
    @Test func `a decimal number of Foundation may be moved`() throws {
        let encoder = PropertyListEncoder()
        for outputFormat in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            encoder.outputFormat = outputFormat
            let price = Decimal(string: "12.75") ?? 0
            let plain = MovedPlain(count: 1, at: Date(timeIntervalSinceReferenceDate: 0))
            let old = try encoder.encode(MovedPlainOld(plain: plain, price: price))
            let read = try MovedPlainHolder(decoding: old, as: .plist)
            #expect(read.box == MovedPlainBox(plain: plain, price: price))
        }
    }

    /// The reader goes back to a preserved element from inside of a value.
    @Test(arguments: formats)
    func `elements in a value are kept`(format: ModelFormat) throws {
        let text = """
            [{"id":1,"things":[{"$type":"Boulder","size":"x","in":{"a":[1,{"b":2}]}},
              {"$type":"Boulder","size":3}]},{"id":2,"things":[]}]
            """
        let read = try [MovedKept](decoding: data(text, format), as: format)
        #expect(read.map(\.id) == [1, 2])
        #expect(read[0].shelf.things.count == 2)
        let written = try ModelDocument(decoding: read.encoded(as: format), as: format)
        #expect(written["[0].shelf.things[0].in.a[1].b"]?.intValue == 2)
        #expect(written["[0].shelf.things[0].size"]?.stringValue == "x")
    }
}

@Model
struct MovedPart {
    var n: Int
}

@Model
struct MovedBox {
    var parts: [MovedPart]
}

@Model(version: 2)
struct MovedParts {
    var id: Int?
    var box: MovedBox?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if let parts = document.remove("parts") { document["box"] = ["parts": parts] }
    }
}

@ModelProtocol(unknown: .skip)
protocol MovedThing {
    var size: Int { get }
}

@Model
struct Pebble: MovedThing {
    var size: Int
}

@Model
struct MovedShelf {
    var things: [any MovedThing]
}

@Model(version: 2)
struct MovedThings {
    var id: Int
    var shelf: MovedShelf

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if let things = document.remove("things") { document["shelf"] = ["things": things] }
    }
}

@ModelProtocol(unknown: .preserve)
protocol KeptThing {
    var size: Int { get }
}

@Model
struct Boulder: KeptThing {
    var size: Int
}

@Model
struct MovedKeepingShelf {
    var things: [any KeptThing]
}

@Model(version: 2)
struct MovedKept {
    var id: Int
    var shelf: MovedKeepingShelf

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if let things = document.remove("things") { document["shelf"] = ["things": things] }
    }
}

@Model
struct MovedChainBox {
    var inner: [MovedChain]
}

@Model(version: 2)
struct MovedChain {
    var n: Int
    var box: MovedChainBox?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        if let inner = document.remove("inner") { document["box"] = ["inner": [inner]] }
    }
}

struct MovedPlain: Codable, Equatable {
    var count: Int
    var at: Date
}

@Model
struct MovedPlainOld: Codable {
    var plain: MovedPlain
    var price: Decimal
}

@Model
struct MovedPlainBox: Equatable {
    var plain: MovedPlain
    var price: Decimal
}

@Model(version: 2)
struct MovedPlainHolder {
    var box: MovedPlainBox

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["box"] = [
            "plain": document.remove("plain") ?? .null, "price": document.remove("price") ?? .null,
        ]
    }
}
