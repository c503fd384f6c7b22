import Dovetail
import TestAssets
import Testing

@Model
private struct Note: Identifiable, Equatable {
    var id: Int
    var extra: ModelDocument
    var maybe: ModelDocument?
    var list: [ModelDocument] = []
    var table: [String: ModelDocument] = [:]
}

/// Documents as values of models, at the root and in columns.
struct DocumentValueTests {
    static let samples: [ModelDocument] = [
        nil, true, false, 0, -1, 1.5, "", "é\n\"", [], [:], [nil, [1], ["a": nil]],
        ["b": 1, "a": ["x": [2.5]]],
    ]

    @Test(arguments: samples)
    func `round trip`(sample: ModelDocument) throws {
        try expectRoundTrip(sample)
        try expectRoundTrip(["k": sample])
        try expectRoundTrip(Note(id: 1, extra: sample, maybe: [1], list: [sample]))
    }

    @Test
    func `literals and accessors`() {
        let name = "x"
        let document: ModelDocument = [
            "null": nil, "bool": true, "int": 1, "double": 1.5, "string": "s", "text": "a\(name)",
            "array": [1, "2"], "object": ["k": []], "twice": 1, "twice": 2,
        ]
        #expect(document["null"]?.isNull == true)
        #expect(document["bool"]?.boolValue == true)
        #expect(document["int"]?.intValue == 1)
        #expect(document["double"]?.doubleValue == 1.5)
        #expect(document["string"]?.stringValue == "s")
        #expect(document["text"]?.stringValue == "ax")
        #expect(document["array"]?.arrayValue == [1, "2"])
        #expect(document["object"]?.members == [.init(key: "k", value: [])])
        #expect(document["missing"] == nil)
        #expect(document.values(forKey: "twice") == [1, 2])
        #expect(document.members?.count == 10)
        for (key, value) in zip(document.members?.map(\.key) ?? [], document.members ?? []) {
            let found = [
                value.value.boolValue != nil, value.value.doubleValue != nil,
                value.value.stringValue != nil, value.value.arrayValue != nil,
                value.value.members != nil, value.value.isNull,
            ]
            #expect(found.filter { $0 }.count == 1, "\(key)")
        }
        #expect(document.description.hasPrefix(#"{"null":null,"bool":true,"int":1,"double":1.5,"#))
    }

    @Test
    func `dates and data`() throws {
        let date = Date(timeIntervalSince1970: 1_709_284_830.5)
        let document: ModelDocument = ["date": .date(date), "data": .data(Data([1, 2]))]
        let json = try document.json()
        #expect(json == #"{"date":"2024-03-01T09:20:30.5Z","data":"AQI="}"#)
        #expect(document["date"]?.kind == .date)
        #expect(document["date"]?.stringValue == nil)
        let read = try ModelDocument(json: json)
        #expect(read["date"]?.kind == .string)
        #expect(read["date"] != document["date"])
        for document in [document, read] {
            #expect(document["date"]?.dateValue == date)
            #expect(document["data"]?.dataValue == Data([1, 2]))
        }
        #expect(ModelDocument.string("no date").dateValue == nil)
        #expect(ModelDocument.string("?").dataValue == nil)
        #expect(throws: ModelEncodingError.self) {
            try ModelDocument.date(.distantFuture + 1e13).json()
        }
    }

    @Test
    func `keeps order and repeated keys`() throws {
        let json = #"{"z":1,"a":{"y":1,"y":2.50,"b":null},"z":[1e2,{}]}"#
        let document = try ModelDocument(json: json)
        #expect(try document.json() == json)
        #expect(document.members?.map(\.key) == ["z", "a", "z"])
    }

    @Test
    func `models and documents`() throws {
        let asset = ColorAsset(name: "c", red: 1, green: 2, blue: 3)
        var document = try ModelDocument(asset)
        #expect(document["red"] == 1)
        #expect(document["type"] == "color")
        document["red"] = 200
        document["unknown"] = ["x"]
        #expect(try ColorAsset(document).red == 200)
        document["red"] = "x"
        let error = #expect(throws: ModelDecodingError.self) { try ColorAsset(document) }
        #expect(error?.path == "red")
        #expect(error?.line == 0)
        #expect(error?.description == "red: expected Int, found \"x\"")
        let inners = try [Inner]([["number": 1], ["number": 2, "text": "t"]] as ModelDocument)
        #expect(inners == [Inner(number: 1), Inner(number: 2, text: "t")])
        #expect(try ModelDocument(inners)[1]?["text"] == "t")
        #expect(try ModelDocument(["k": 1]) == ["k": 1])
        #expect(try ModelDocument(Double.infinity).doubleValue == .infinity)
        #expect(try ModelDocument(Date(timeIntervalSince1970: 0)).kind == .date)
        #expect(try ModelDocument(document) == document)
        #expect(throws: ModelDecodingError.self) { try Inner(["number": .double(.nan)]) }
    }

    @Test(arguments: samples)
    func `documents are columns`(sample: ModelDocument) throws {
        let container = try ModelContainer(
            for: Note.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        let notes = [
            Note(id: 1, extra: sample, maybe: nil, list: [sample, nil], table: ["k": sample]),
            Note(id: 2, extra: ["a": sample], maybe: sample),
        ]
        context.insert(contentsOf: notes)
        try context.save()
        let fetched = try context.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.id)]))
        #expect(fetched == notes)
        let same = try context.synchronize(notes)
        #expect(same.unchanged == 2)
        #expect(ModelDocument.columnType == .document)
    }
}
