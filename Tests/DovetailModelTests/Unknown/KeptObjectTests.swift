import Dovetail
import DovetailTesting
import Testing

private typealias MaybeInt = Int?

@ModelProtocol
private protocol ScenePart {}

@Model private struct Dot: ScenePart { var x = 0 }

@Model(unknownFields: .preserve)
private struct Scene: Identifiable, Equatable {
    var id: Int = 1
    @Attribute(name: "data.shapes") var shapes: Int?
    @Attribute(name: "data.more.size") var size: MaybeInt
    @Attribute(.omittedWhenEmpty, name: "data.more.tags") var tags: [String] = []
    @Attribute(name: "a.b.c", aliases: ["a.old", "former.c"]) var c: String?
    @Attribute(name: "any.shape") var shape: (any ScenePart)?
    @Attribute(.transformed(by: SecondsSince1970.self), name: "at.date") var date: Date?
    // Always written.
    @Attribute(name: "full.low") var low: Int? = 1
    @Attribute(name: #"odd\.name.x"#) var odd: Int?

    static func == (left: Self, right: Self) -> Bool {
        (try? ModelDocument(left)) == (try? ModelDocument(right))
            && left.unknownFields == right.unknownFields
    }
}

@Model(version: 2, unknownFields: .preserve)
private struct AgedScene: Equatable {
    @Attribute(name: "data.shapes") var shapes: Int?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document.rename("content", to: "data")
    }
}

@Model
private struct Careless: Equatable { @Attribute(name: "data.shapes") var shapes: Int? }

/// Objects around attributes none of which has a value.
struct KeptObjectTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func document(_ json: String) throws -> ModelDocument {
        try ModelDocument(decoding: Data(json.utf8), as: .json)
    }

    private func expect<Value: Model & Equatable>(
        _ type: Value.Type,
        _ json: String,
        isWrittenAs expected: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (before, after) = try (document(json), document(expected))
        for format in Self.formats {
            let value = try Value(decoding: before.encoded(as: format), as: format)
            let data = try value.encoded(as: format)
            let written = try ModelDocument(decoding: data, as: format)
            #expect(written == after, "\(format.name)", sourceLocation: sourceLocation)
            let again = try Value(decoding: data, as: format)
            #expect(again == value, "\(format.name)", sourceLocation: sourceLocation)
        }
        let value = try Value(before)
        #expect(try ModelDocument(value) == after, sourceLocation: sourceLocation)
        #expect(try Value(after) == value, sourceLocation: sourceLocation)
    }

    static let kept = [
        #""data":{}"#, #""data":null"#, #""data":{"more":{}}"#, #""data":{"more":null}"#,
        #""data":{"shapes":1,"more":{}}"#, #""data":{"more":{"size":1}}"#,
        #""data":{"more":{"tags":["x"]}}"#, #""data":{"q":1,"more":null}"#,
        #""data":{"more":{"q":{}}}"#, #""a":{}"#, #""a":null"#, #""a":{"b":{}}"#,
        #""a":{"b":null}"#, #""a":{"b":{"c":"x"},"x":{}}"#, #""any":{}"#,
        #""any":{"shape":{"$type":"Dot","x":0}}"#, #""at":null"#, #""at":{"date":5}"#,
        #""odd.name":{}"#, #""data":{},"a":null,"any":{},"at":{},"odd.name":null,"z":{}"#,
        #""former":{}"#, #""former":null"#, #""former":{"q":1}"#,
    ]

    @Test(arguments: kept)
    func `are written back as they were`(fields: String) throws {
        let json = #"{"id":1,\#(fields),"full":{"low":1}}"#
        try expect(Scene.self, json, isWrittenAs: json)
    }

    @Test(arguments: [
        // A declared field that is null or empty is left out, the object around it is not.
        (#""data":{"shapes":null}"#, #""data":{}"#),
        (#""data":{"more":{"tags":[],"size":null}}"#, #""data":{"more":{}}"#),
        (#""at":{"date":null},"any":{"shape":null}"#, #""at":{},"any":{}"#),
        // A value that stands under an old name moves, and takes no empty object along.
        (#""a":{"old":"x"}"#, #""a":{"b":{"c":"x"}}"#),
        (#""a":null,"former":{"c":"x"}"#, #""a":{"b":{"c":"x"}}"#),
        (#""a":{"b":{},"old":"x"}"#, #""a":{"b":{"c":"x"}}"#),
    ])
    func `are written with what is left in them`(fields: String, expected: String) throws {
        try expect(
            Scene.self,
            #"{"id":1,\#(fields)}"#,
            isWrittenAs: #"{"id":1,\#(expected),"full":{"low":1}}"#
        )
    }

    @Test
    func `are written where the object stands`() throws {
        let json = #"{"id":1,"data":null,"a":{"b":{}},"full":{"low":1},"z":2}"#
        let scene = try Scene(json: json)
        #expect(try scene.json() == json)
        #expect(scene.unknownFields["data"]?.isNull == true)
        #expect(try Scene(json: #"{"full":{}}"#).unknownFields.isEmpty)
        #expect(try Scene(json: #"{"full":{}}"#).json() == #"{"id":1,"full":{"low":1}}"#)
        #expect(try Scene(json: #"{"data":{"shapes":1}}"#).unknownFields.isEmpty)
    }

    @Test
    func `give way to values`() throws {
        var scene = try Scene(json: #"{"data":null,"a":{"b":{}}}"#)
        scene.shapes = 2
        scene.c = "c"
        #expect(
            try scene.json()
                == #"{"id":1,"data":{"shapes":2},"a":{"b":{"c":"c"}},"full":{"low":1}}"#
        )
        // What somebody puts there that is no object does not hide the attributes.
        scene = Scene(size: nil)
        scene.unknownFields.members = [
            .init(key: "data", value: 5), .init(key: "a", value: ["b": 1]),
        ]
        #expect(try scene.json() == #"{"id":1,"a":{},"full":{"low":1}}"#)
    }

    @Test
    func `of older versions are written back`() throws {
        try expect(AgedScene.self, #"{"content":{}}"#, isWrittenAs: #"{"$version":2,"data":{}}"#)
        try expect(
            AgedScene.self,
            #"{"content":null}"#,
            isWrittenAs: #"{"$version":2,"data":null}"#
        )
        try expect(
            AgedScene.self,
            #"{"$version":2,"data":{}}"#,
            isWrittenAs: #"{"$version":2,"data":{}}"#
        )
    }

    @Test
    func `are left out by models that keep nothing`() throws {
        try expect(Careless.self, #"{"data":{}}"#, isWrittenAs: "{}")
        try expect(Careless.self, #"{"data":null}"#, isWrittenAs: "{}")
    }

    @Test
    func `are kept in rows`() async throws {
        let container = try ModelContainer(
            for: Scene.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let documents = Self.kept.enumerated().map { index, fields in
            #"{"id":\#(index + 10),\#(fields),"full":{"low":1}}"#
        }
        let fetched = try await container.perform { context in
            for json in documents { context.insert(try Scene(json: json)) }
            try context.save()
            let order = [SortDescriptor(\Scene.id)]
            return try ModelContext(context.container)
                .fetch(FetchDescriptor<Scene>(sortBy: order))
                .map { try ModelDocument($0) }
        }
        #expect(try fetched == documents.map(document))
    }

    @Test
    func `models that keep them obey the laws`() throws {
        for fields in [#""data":{"more":null},"a":{"b":{}}"#, #""at":{},"any":null"#] {
            try checkModel(try Scene(json: #"{"id":1,\#(fields)}"#), changes: 2_000)
        }
        try checkModel(Scene(size: nil), changes: 2_000)
    }
}
