import Dovetail
import DovetailTesting
import Foundation
import TestAssets
import Testing

/// Models are read from a document in memory and written to one, as from text and to text.
@Suite struct DocumentModelTests {
    private static let moment = Date(timeIntervalSinceReferenceDate: 1234.5)

    private var visit: TreeVisit {
        TreeVisit(
            id: 7,
            at: Self.moment,
            photo: Data([1, 2]),
            price: Decimal(string: "1.10") ?? 0,
            ratio: 0.1,
            tags: ["b", "a"],
            link: URL(string: "https://example.org/a"),
            state: .open,
            inner: [TreeInner(name: "x", size: nil)],
            byName: ["k": 1]
        )
    }

    @Test func `kinds are kept`() throws {
        let document = try ModelDocument(visit)
        #expect(document["at"]?.kind == .date)
        #expect(document["photo"]?.kind == .data)
        #expect(document["price"]?.kind == .decimal)
        #expect(document["tags"] == ["a", "b"])
        #expect(document["inner[0]"] == ["name": "x"])
        #expect(try TreeVisit(document) == visit)
    }

    @Test func `a document of any format is read`() throws {
        for format in [ModelFormat.json, .plist, .binaryPlist] {
            let document = try ModelDocument(decoding: visit.encoded(as: format), as: format)
            #expect(try TreeVisit(document) == visit, "\(format)")
        }
    }

    @Test func `equal sets give equal documents`() throws {
        let parts = (0..<40).map { TreeInner(name: "n\($0)", size: $0 % 7) }
        let first = try ModelDocument(TreeSets(parts: Set(parts)))
        let second = try ModelDocument(TreeSets(parts: Set(parts.reversed())))
        let texts = [first, second].map { "\($0)" }
        #expect(texts[0] == texts[1])
        #expect(try TreeSets(first).parts.count == 40)
    }

    @Test func `lists of any P go to documents and back`() throws {
        let assets: [any Asset] = [
            ColorAsset(name: "c", red: 1, green: 2, blue: 3), SoundAsset(name: "s", path: "p"),
        ]
        var document = try ModelDocument(assets)
        #expect(document["[1].$type"] == "SoundAsset")
        #expect(try [any Asset](document).map(\.name) == ["c", "s"])
        // The type key may be anywhere.
        let tag = document["[0]"]?.remove("$type")
        document["[0].$type"] = tag
        #expect(document["[0]"]?.members?.last?.key == "$type")
        #expect(try [any Asset](document).first is ColorAsset)
        document["[1].path"] = 3
        let error = try #require(throws: ModelDecodingError.self) { try [any Asset](document) }
        #expect(error.description == "[1].path: expected String, found 3")
    }

    @Test func `errors have paths`() throws {
        var document = try ModelDocument(visit)
        document["inner[0].name"] = nil
        let missing = try #require(throws: ModelDecodingError.self) { try TreeVisit(document) }
        #expect(missing.path == "inner[0].name")
        #expect(missing.kind == .missingField)
        document["inner"] = [["name": "a", "size": "large"]]
        let mismatch = try #require(throws: ModelDecodingError.self) { try TreeVisit(document) }
        #expect(mismatch.description == "inner[0].size: expected Int, found \"large\"")
        #expect(mismatch.line == 0)
        document["inner"] = .object([.init(key: "a", value: 1)])
        let object = try #require(throws: ModelDecodingError.self) { try TreeVisit(document) }
        #expect(object.description == "inner: expected array, found object")
    }

    @Test func `a repeated field is refused`() throws {
        let document = ModelDocument.object([
            .init(key: "name", value: "a"), .init(key: "name", value: "b"),
        ])
        let error = try #require(throws: ModelDecodingError.self) { try TreeInner(document) }
        #expect(error.kind == .repeatedField)
    }

    @Test func `older objects are migrated inside of each other`() throws {
        let document: ModelDocument = [
            "label": "outer", "parts": [["label": "a"], ["$version": 2, "name": "b"]],
        ]
        let read = try TreeAged(document)
        #expect(read == TreeAged(name: "outer", parts: [TreeAged(name: "a"), TreeAged(name: "b")]))
        #expect(document["label"] == "outer", "the document is as it was")
        let written = try ModelDocument(read)
        #expect(written["parts[1].$version"] == 2)
        #expect(try TreeAged(written) == read)
        let error = try #require(throws: ModelDecodingError.self) {
            try TreeAged(["label": "x", "parts": [["label": 1]]])
        }
        #expect(error.path == "parts[0].label")
    }

    @Test func `elements that cannot be read are kept as the documents they are`() throws {
        let strange: ModelDocument = ["$type": "Boulder", "size": "x", "at": .date(Self.moment)]
        let read = try TreeKept(["things": [strange, ["$type": "Boulder", "size": 2]]])
        #expect(read.things.count == 2)
        #expect(read.things[1] is Boulder)
        let written = try ModelDocument(read)
        #expect(written["things[0]"] == strange)
        #expect(written["things[0].at"]?.kind == .date)
    }

    @Test func `plain Codable properties are in it as JSON has them`() throws {
        let plain = TreePlain(part: .init(at: Self.moment, link: URL(string: "https://e.org")))
        let document = try ModelDocument(plain)
        #expect(document["part.at"]?.kind == .string)
        #expect(try TreePlain(document) == plain)
        var dated = document
        dated["part.at"] = .date(Self.moment)
        #expect(try TreePlain(dated) == plain)
    }

    @Test func `what is too deep is refused`() throws {
        let deep = (0..<600).reduce(ModelDocument.null) { inner, _ in .array([inner]) }
        let error = try #require(throws: ModelDecodingError.self) {
            try TreeHolder(["value": deep])
        }
        #expect(error.kind == .tooDeep)
        #expect(throws: ModelEncodingError.self) { try ModelDocument(TreeHolder(value: deep)) }
    }

    @Test func `numbers are those of their text`() throws {
        let document = try ModelDocument(
            decoding: Data(#"{"value":[1.25,1e2,-0,7,0.1,123456789012345680]}"#.utf8),
            as: .json
        )
        let read = try TreeNumbers(document)
        #expect(read.value == [1.25, 100, -0.0, 7, 0.1, 123_456_789_012_345_680])
        #expect(read.value[2].sign == .minus)
        let whole = try ModelDocument(decoding: Data(#"{"value":[1e2,2.0]}"#.utf8), as: .json)
        #expect(try TreeWholes(whole).value == [100, 2])
        let large = try ModelDocument(decoding: Data(#"{"value":[1e400]}"#.utf8), as: .json)
        let error = try #require(throws: ModelDecodingError.self) { try TreeNumbers(large) }
        #expect(error.kind == .numberOutOfRange)
        #expect(error.path == "value[0]")
    }
}

/// What a conformer of `any P` finds in place of its object, however it reads it.
@Suite struct TaggedObjectTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]
    private static let orders: [ModelDocument] = [
        ["$type": "TreeSkipped", "size": 1], ["size": 1, "$type": "TreeSkipped"],
    ]

    @Test(arguments: orders)
    func `whoever passes over it passes over all of it`(element: ModelDocument) throws {
        let list: ModelDocument = [element, ["$type": "Boulder", "size": 2], element]
        #expect(try [any KeptThing](list).map(\.size) == [-1, 2, -1])
        for format in Self.formats {
            let read = try [any KeptThing](decoding: list.encoded(as: format), as: format)
            #expect(read.map(\.size) == [-1, 2, -1], "\(format)")
        }
    }

    @Test(
        arguments: [
            ["$type": "TreeWhole", "size": 1], ["size": 1, "$type": "TreeWhole"],
        ] as [ModelDocument]
    )
    func `whoever reads a document gets all of it`(element: ModelDocument) throws {
        for format in Self.formats {
            let read = try [any KeptThing](
                decoding: ModelDocument.array([element]).encoded(as: format),
                as: format
            )
            #expect((read.first as? TreeWhole)?.document == element, "\(format)")
        }
    }

    @Test func `what is no object is told with its place`() throws {
        for format in Self.formats {
            let list: ModelDocument = [["$type": "TreeNumber", "size": 1]]
            let error = try #require(throws: ModelDecodingError.self) {
                try StrictThingList(decoding: ["list": list].encoded(as: format), as: format)
            }
            #expect(error.path == "list[0]", "\(format)")
            #expect(error.found == "object", "\(format)")
        }
    }
}

@Model struct TreeInner: Hashable {
    var name: String
    var size: Int?
}

@Model enum TreeState: String { case open, shut }

@Model struct TreeVisit: Equatable {
    var id: Int
    var at: Date
    var photo: Data
    var price: Decimal
    var ratio: Float
    var tags: Set<String>
    var link: URL?
    var state: TreeState
    var inner: [TreeInner]
    var byName: [String: Int]
}

@Model struct TreeSets { var parts: Set<TreeInner> }
@Model struct TreeHolder { var value: ModelDocument }
@Model struct TreeNumbers { var value: [Double] }
@Model struct TreeWholes { var value: [Int] }

@Model(version: 2)
struct TreeAged: Equatable {
    var name: String
    var parts: [TreeAged] = []

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("label", to: "name")
    }
}

@Model struct TreeKept { var things: [any KeptThing] }

struct TreePart: Codable, Equatable {
    var at: Date
    var link: URL?
}

@Model struct TreePlain: Equatable { var part: TreePart }

struct TreeSkipped: KeptThing, Model {
    static let typeName = "TreeSkipped"
    var size: Int { -1 }

    init(modelValue reader: inout ModelReader) throws { try reader.skipValue() }
    func encode(to writer: inout ModelWriter) throws {
        try writer.endObject(writer.beginObject())
    }
    static func _boxed(from reader: inout ModelReader) throws -> any KeptThing {
        try Self(modelValue: &reader)
    }
}

struct TreeWhole: KeptThing, Model {
    static let typeName = "TreeWhole"
    var document: ModelDocument
    var size: Int { -1 }

    init(modelValue reader: inout ModelReader) throws {
        document = try ModelDocument(modelValue: &reader)
    }
    func encode(to writer: inout ModelWriter) throws { try document.encode(to: &writer) }
}

@ModelProtocol(conformers: TreeNumber.self)
protocol StrictThing {}

struct TreeNumber: StrictThing, Model {
    static let typeName = "TreeNumber"
    var value: Int

    init(modelValue reader: inout ModelReader) throws { value = try reader.readInteger() }
    func encode(to writer: inout ModelWriter) throws { try writer.write(value) }
}

@Model struct StrictThingList { var list: [any StrictThing] }
