import Dovetail
import Testing

@ModelProtocol(unknown: .skip)
private protocol SkippedParcel { var weight: Int { get } }

@Model(version: 2)
private struct ParcelBox: SkippedParcel {
    var weight: Int
    var inner: [any SkippedParcel] = []

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("grams", to: "weight")
        document.rename("content", to: "inner")
    }
}

@Model
private struct ParcelLetter: SkippedParcel {
    var weight: Int
    var extras: [any SkippedParcel] = []
}

@Model(version: 2)
private struct ParcelVan {
    var parcels: [any SkippedParcel] = []
    var sent: Date?
    var trailer: [String: ParcelVan]?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("items", to: "parcels")
    }
}

@ModelProtocol(unknown: .preserve)
private protocol ShipCargo {}

@Model
private struct CargoCrate: ShipCargo {
    var parcels: [any SkippedParcel]
    var label: String
}

@Model
private struct CargoShip { var cargo: [any ShipCargo] = [] }

/// Reports of elements that are left out where documents are migrated, kept and long.
struct SkipReportTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func data(_ document: ModelDocument, _ format: ModelFormat) throws -> Data {
        try document.encoded(as: format)
    }

    private func document(_ json: String) throws -> ModelDocument {
        try ModelDocument(decoding: Data(json.utf8), as: .json)
    }

    private static let old = """
        {"items":[{"$type":"ParcelLetter","weight":1},
         {"$type":"ParcelBox","grams":2,
          "content":[{"$type":"Tube"},{"$type":"ParcelBox","grams":3,"content":[7]}]},
         {"$type":"ParcelBox","$version":2,"weight":4,"inner":[{"$type":"ParcelLetter"}]}],
         "trailer":{"a.b":{"items":[{"$type":"ParcelLetter","weight":"x"}]}}}
        """
    /// By the names in the document that is read, in every format.
    private static let paths = [
        "items[1].content[0]", "items[1].content[1].content[0]", "items[2].inner[0]",
        #"trailer["a.b"].items[0]"#,
    ]

    @Test(arguments: formats, [false, true])
    func `elements of migrated objects are reported`(format: ModelFormat, hasDate: Bool) throws {
        var old = try document(Self.old)
        // JSON has it as text, property lists as a date.
        if hasDate { old["sent"] = .date(Date(timeIntervalSinceReferenceDate: 8)) }
        var skipped: [SkippedElement] = []
        let van = try ParcelVan(decoding: data(old, format), as: format, report: &skipped)
        #expect(van.parcels.map(\.weight) == [1, 2, 4])
        let paths = Self.paths
        #expect(skipped.map(\.path) == paths)
        let errors = skipped.compactMap { $0.error as? ModelDecodingError }
        #expect(
            errors.map(\.path) == [
                paths[0], paths[1], paths[2] + ".weight", paths[3] + ".weight",
            ]
        )
        if format != .binaryPlist { #expect(errors.allSatisfy { $0.line > 0 && $0.column > 0 }) }
    }

    @Test
    func `lines are those of the element in the document`() throws {
        let text = """
            {"$version":2,
             "parcels":[{"$type":"ParcelLetter","weight":1},
             {"$type":"ParcelBox","grams":2,
              "content":[{"$type":"Tube"},{"$type":"ParcelBox","grams":3,"content":[7]}]}]}
            """
        var skipped: [SkippedElement] = []
        _ = try ParcelVan(decoding: Data(text.utf8), as: .json, report: &skipped)
        #expect(
            skipped.map(\.description) == [
                "parcels[1].content[0]: expected a conformer of SkippedParcel (ParcelBox, "
                    + "ParcelLetter), found type \"Tube\" (line 4, column 14)",
                "parcels[1].content[1].content[0]: expected object, found 7 (line 4, column 73)",
            ]
        )
    }

    @Test(arguments: formats)
    func `what is left out or kept itself is reported once`(format: ModelFormat) throws {
        var skipped: [SkippedElement] = []
        let van = try ParcelVan(
            decoding: data(
                document(
                    """
                    {"$version":2,"parcels":[
                     {"$type":"ParcelLetter","weight":1,"extras":[{"$type":"A"}]},
                     {"$type":"ParcelLetter","extras":[{"$type":"B"},
                      {"$type":"ParcelLetter","extras":[{"$type":"C"}],"weight":9}],"weight":"x"},
                     {"$type":"ParcelBox","content":[{"$type":"D"}]}]}
                    """
                ),
                format
            ),
            as: format,
            report: &skipped
        )
        #expect(van.parcels.map(\.weight) == [1])
        #expect(skipped.map(\.path) == ["parcels[0].extras[0]", "parcels[1]", "parcels[2]"])
        let cargo = #"{"$type":"CargoCrate","parcels":[{"$type":"E"}]}"#
        let ship = try CargoShip(
            decoding: data(document(#"{"cargo":[\#(cargo)]}"#), format),
            as: format,
            report: &skipped
        )
        #expect(ship.cargo.count == 1)
        #expect(skipped.isEmpty)
    }

    @Test(arguments: formats)
    func `many cost one pass in every format`(format: ModelFormat) throws {
        // A pass over the document for each would take minutes.
        let count = 10_000
        let outer = try document(
            #"{"$type":"ParcelLetter","weight":"x","extras":[{"$type":"Cat","n":[1,2,3]}]}"#
        )
        let inner = try document(#"{"$type":"ParcelBox","grams":1,"content":[{"$type":"Cat"}]}"#)
        let document = ModelDocument.object([
            .init(key: "$version", value: 2),
            .init(
                key: "parcels",
                value: .array((0..<count).map { $0.isMultiple(of: 2) ? outer : inner })
            ),
        ])
        var skipped: [SkippedElement] = []
        let van = try ParcelVan(decoding: data(document, format), as: format, report: &skipped)
        #expect(van.parcels.count == count / 2)
        #expect(
            skipped.map(\.path)
                == (0..<count).map {
                    $0.isMultiple(of: 2) ? "parcels[\($0)]" : "parcels[\($0)].content[0]"
                }
        )
    }
}
