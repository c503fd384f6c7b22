import Dovetail
import Testing

@ModelProtocol(unknown: .skip)
private protocol Animal { var legs: Int { get } }

@Model
private struct Dog: Animal, Equatable { var legs: Int }

@ModelProtocol(unknown: .preserve)
private protocol Plant { var height: Int { get } }

@Model
private struct Tree: Plant {
    var height: Int
    var guests: [any Animal] = []
}

@Model
private struct Farm {
    var animals: [any Animal] = []
    var named: [String: any Animal]?
    var first: (any Animal)?
    @Attribute(unknown: .throw) var strict: [any Animal] = []
    @Attribute(unknown: .throw) var plant: (any Plant)?
    @Attribute(unknown: .skip) var plants: [any Plant] = []
    @Attribute(unknown: .preserve) var kept: (any Plant)?
}

private enum Store {
    @Model
    struct Item: Hashable { var x: Int }

    @Model
    struct Shelf: Equatable {
        @Attribute(unknown: .skip) var items: [Item] = []
        @Attribute(unknown: .skip) var byName: [String: Item]?
        @Attribute(unknown: .skip) var numbers: Set<Int> = []
        @Attribute(.transformed(elementsBy: SecondsSince1970.self), unknown: .skip)
        var dates: [Date] = []
    }
}

/// Elements that collections leave out.
struct SkippedElementTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func data(_ json: String, _ format: ModelFormat) throws -> Data {
        try ModelDocument(decoding: Data(json.utf8), as: .json).encoded(as: format)
    }

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    private static let farm = """
        {"animals":[{"$type":"Dog","legs":4},{"$type":"Cat"},{"$type":"Dog"},7],
         "named":{"a":{"$type":"Dog","legs":"é"},"b":{"$type":"Dog","legs":3}},
         "plants":[{"$type":"Bush"},{"$type":"Tree","height":1,"guests":[{"$type":"Cat"}]}],
         "kept":{"$type":"Bush"}}
        """

    @Test(arguments: formats)
    func `are reported with their places`(format: ModelFormat) throws {
        var skipped: [SkippedElement] = []
        let farm = try Farm(decoding: data(Self.farm, format), as: format, report: &skipped)
        #expect(
            text(try farm.encoded(as: .json))
                == #"{"animals":[{"$type":"Dog","legs":4}],"named":{"b":{"$type":"Dog","legs":3}},"#
                + #""strict":[],"plants":[{"$type":"Tree","height":1,"guests":[]}],"#
                + #""kept":{"$type":"Bush"}}"#
        )
        #expect(
            skipped.map(\.path) == [
                "animals[1]", "animals[2]", "animals[3]", "named.a", "plants[0]",
                "plants[1].guests[0]",
            ]
        )
        let errors = skipped.compactMap { $0.error as? ModelDecodingError }
        #expect(
            errors.map(\.path) == [
                "animals[1]", "animals[2].legs", "animals[3]", "named.a.legs", "plants[0]",
                "plants[1].guests[0]",
            ]
        )
        // Without a report they are left out in silence.
        let again = try Farm(decoding: data(Self.farm, format), as: format)
        #expect(try again.json() == farm.json())
    }

    @Test
    func `errors have their lines in the whole document`() throws {
        var skipped: [SkippedElement] = []
        _ = try Farm(decoding: Data(Self.farm.utf8), as: .json, report: &skipped)
        #expect(
            skipped.map(\.description) == [
                "animals[1]: expected a conformer of Animal (Dog), found type \"Cat\" (line 1, column 38)",
                "animals[2].legs: expected a value, found no such field (line 1, column 54)",
                "animals[3]: expected object, found 7 (line 1, column 70)",
                "named.a.legs: expected Int, found \"é\" (line 2, column 37)",
                "plants[0]: expected a conformer of Plant (Tree), found type \"Bush\" (line 3, column 12)",
                "plants[1].guests[0]: expected a conformer of Animal (Dog), found type \"Cat\" "
                    + "(line 3, column 66)",
            ]
        )
    }

    @Test(arguments: formats)
    func `root arrays with a report leave out`(format: ModelFormat) throws {
        var skipped: [SkippedElement] = []
        let animals = try [any Animal](
            decoding: data(#"[{"$type":"Dog","legs":4},{"$type":"Cat"},5]"#, format),
            as: format,
            report: &skipped
        )
        #expect(animals.map(\.legs) == [4])
        #expect(skipped.map(\.path) == ["[1]", "[2]"])
        let items = try [Store.Item](
            decoding: data(#"[{"x":1},{"x":"2"},[],{"x":3}]"#, format),
            as: format,
            report: &skipped
        )
        #expect(items == [Store.Item(x: 1), Store.Item(x: 3)])
        #expect(skipped.map(\.path) == ["[1]", "[2]"])
        let plants = try [any Plant](
            decoding: data(#"[{"$type":"Bush"},{"$type":"Tree"}]"#, format),
            as: format,
            report: &skipped
        )
        #expect(plants.count == 2)
        #expect(skipped.isEmpty)
    }

    @Test(arguments: formats)
    func `any collection can leave out`(format: ModelFormat) throws {
        let json = """
            {"items":[{"x":1},{"y":1},{"x":2}],"byName":{"a":{"x":1},"b":5},\
            "numbers":[1,"x",2.5,2],"dates":[1,"x",2]}
            """
        let shelf = try Store.Shelf(decoding: data(json, format), as: format)
        #expect(shelf.items == [Store.Item(x: 1), Store.Item(x: 2)])
        #expect(shelf.byName == ["a": Store.Item(x: 1)])
        #expect(shelf.numbers == [1, 2])
        #expect(shelf.dates == [1, 2].map { Date(timeIntervalSince1970: $0) })
        #expect(try Store.Shelf(decoding: shelf.encoded(as: format), as: format) == shelf)
    }

    @Test(arguments: [
        #"{"first":{"$type":"Cat"}}"#: "first",
        #"{"strict":[{"$type":"Cat"}]}"#: "strict[0]",
        #"{"plant":{"$type":"Bush"}}"#: "plant",
    ])
    func `others are errors`(json: String, path: String) throws {
        let error = try #require(throws: ModelDecodingError.self) { try Farm(json: json) }
        #expect(error.kind == .unknownType)
        #expect(error.path == path)
    }

    @Test(arguments: [
        #"{"animals":[{"$type":"Cat","x":tru}]}"#: "animals[0].x",
        #"{"animals":[{"$type":"Dog","legs":"\q"}]}"#: "animals[0].legs",
        #"{"animals":[{"$type":"Cat""#: "animals[0].$type",
        #"{"named":{"a":{"$type":"Cat","legs":01}}}"#: "named.a.legs",
    ])
    func `broken documents are errors`(json: String, path: String) throws {
        var skipped: [SkippedElement] = []
        let error = try #require(throws: ModelDecodingError.self) {
            try Farm(decoding: Data(json.utf8), as: .json, report: &skipped)
        }
        #expect(error.path == path)
        #expect([.invalidSyntax, .unexpectedEnd].contains(error.kind))
        #expect(skipped.isEmpty)
    }

    @Test
    func `many cost one pass`() throws {
        // A pass over the document for each would take minutes.
        let count = 20_000
        let element = #"{"$type":"Cat","n":[1,2,3]}"#
        let json = "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
        var skipped: [SkippedElement] = []
        let animals = try [any Animal](decoding: Data(json.utf8), as: .json, report: &skipped)
        #expect(animals.isEmpty)
        #expect(skipped.count == count)
        let last = try #require(skipped.last?.error as? ModelDecodingError)
        #expect(last.path == "[\(count - 1)]")
        #expect(last.column == 2 + (count - 1) * (element.utf8.count + 1))
    }
}

/// What wraps a coding says the same of a value as the coding itself.
struct WrappingCodingTests {
    private typealias Maybe = OptionalCoding<ValueCoding<Int>>

    @Test
    func `absent values are absent where elements may be left out`() {
        #expect(SkippingCoding<Maybe>.isAbsent(nil))
        #expect(!SkippingCoding<Maybe>.isAbsent(1))
        #expect(SkippingCoding<Maybe>.column.isOptional)
        #expect(!SkippingCoding<ValueCoding<Int>>.isAbsent(1))
    }
}
