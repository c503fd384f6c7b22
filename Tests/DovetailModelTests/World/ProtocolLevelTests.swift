import Dovetail
import DovetailTesting
import Testing

@ModelProtocol(typeKey: "object") protocol Noted { var id: String { get } }
@ModelProtocol(typeKey: "type", typeName: "block") protocol NoteBlock: Noted {}
@ModelProtocol(typeKey: "style", typeName: "list") protocol NoteList: NoteBlock {}
@Model(typeName: "page") struct NotePage: Noted, Equatable { var id: String }
@Model(typeName: "paragraph", unknownFields: .preserve)
struct NoteParagraph: NoteBlock, Equatable { var id: String; var text: String }
@Model(typeName: "heading", unknownFields: .throw)
struct NoteHeading: NoteBlock, Equatable { var id: String; var object = "block"; var level: Int }
@Model(typeName: "bullet") struct NoteBullet: NoteList {
    var id: String
    var children: [any NoteBlock] = []
}
@Model(typeName: "rule") enum NoteRule: NoteBlock, Equatable {
    case thin(id: String), thick(id: String)
    var id: String {
        switch self {
        case .thin(let id), .thick(let id): id
        }
    }
}

/// A model protocol that refines another one with a key and a name of its own is one of its
/// conformers.
struct ProtocolLevelTests {
    @Model struct Results: Identifiable {
        var id: Int
        var results: [any Noted]
        var blocks: [any NoteBlock] = []
        var first: (any Noted)?
    }

    static let json =
        #"{"id":1,"results":[{"object":"page","id":"1"},"#
        + #"{"object":"block","type":"paragraph","id":"2","text":"t","more":{"x":1.5}},"#
        + #"{"object":"block","type":"list","style":"bullet","id":"3","#
        + #""children":[{"object":"block","type":"paragraph","id":"4","text":"u"}]},"#
        + #"{"object":"block","type":"rule","thin":{"id":"5"}}],"#
        + #""blocks":[{"object":"block","type":"list","style":"bullet","id":"6","children":[]}],"#
        + #""first":{"type":"heading","id":"7","object":"block","level":1}}"#

    private func results() throws -> Results {
        try Results(decoding: Data(Self.json.utf8), as: .json)
    }

    @Test
    func `each level leads to the next one`() throws {
        let results = try results()
        #expect(results.results[0] is NotePage)
        #expect(
            (results.results[1] as? NoteParagraph)?.unknownFields["more"]?["x"]?.numberText == "1.5"
        )
        let bullet = try #require(results.results[2] as? NoteBullet)
        #expect((bullet.children[0] as? NoteParagraph)?.text == "u")
        #expect(results.results[3] as? NoteRule == .thin(id: "5"))
        #expect(results.first as? NoteHeading == NoteHeading(id: "7", level: 1))
        #expect(NotedModel.conformers.knownNames == ["block", "page"])
        #expect(NoteBlockModel.conformers.knownNames == ["heading", "list", "paragraph", "rule"])
        #expect(NoteListModel.conformers.knownNames == ["bullet"])
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `all tags are written`(format: ModelFormat) throws {
        let again = try Results(decoding: results().encoded(as: format), as: format)
        #expect(try again.encoded(as: .json) == Data(Self.json.utf8))
        #expect(try Results(ModelDocument(again)).encoded(as: .json) == Data(Self.json.utf8))
        try checkModel(again, changes: 2_000)
    }

    @Test
    func `the keys may be anywhere`() throws {
        for json in [
            #"{"id":"1","type":"paragraph","text":"[{","object":"block"}"#,
            #"{"text":"[{", "object" : "block" , "id":"1", "type" : "paragraph"}"#,
            #"{"object":"block","id":"1","text":"[{","type":"paragraph"}"#,
        ] {
            let block = try NotedModel.decode(Data(json.utf8), as: .json)
            #expect(block as? NoteParagraph == NoteParagraph(id: "1", text: "[{"))
            let same = try NoteBlockModel.decode(Data(json.utf8), as: .json)
            #expect(same as? NoteParagraph == NoteParagraph(id: "1", text: "[{"))
        }
    }

    @Test
    func `rows hold all levels`() throws {
        let container = try ModelContainer(
            for: Results.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        context.insert(try results())
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Results>())
        #expect(try stored[0].encoded(as: .json) == Data(Self.json.utf8))
    }

    @Test(
        arguments: [
            (#"{"object":"block","id":"1"}"#, "", "object without \"type\""),
            (#"{"object":"block","type":"x","id":"1"}"#, "", "type \"x\""),
            (#"{"object":"paragraph","id":"1","text":""}"#, "", "type \"paragraph\""),
            (#"{"object":"block","type":"heading","id":"1","level":"x"}"#, "level", "\"x\""),
            (#"{"object":"block","type":"heading","id":"1","level":1,"z":1}"#, "z", "\"z\""),
            (
                #"{"object":"block","type":"paragraph","type":"heading","id":"1"}"#, "type",
                "\"type\" again"
            ),
        ]
    )
    func `errors know their place`(json: String, path: String, found: String) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try NotedModel.decode(Data(json.utf8), as: .json)
        }
        #expect(error.path == path)
        #expect(error.found == found)
    }

    @Test
    func `a property that is named like the key above has to hold its name`() throws {
        let wrong = NoteHeading(id: "1", object: "page", level: 1)
        let error = try #require(throws: ModelEncodingError.self) {
            try NotedModel.encode(wrong, as: .json)
        }
        #expect(error.kind == .typeKeyConflict)
        let concrete = String(decoding: try wrong.encoded(as: .json), as: UTF8.self)
        #expect(concrete == #"{"id":"1","object":"page","level":1}"#)
    }

    @Test
    func `many are read and written`() throws {
        let notes = (0..<100_000).map { number -> any Noted in
            if number % 2 == 0 { return NotePage(id: "\(number)") }
            return NoteParagraph(id: "\(number)", text: "t")
        }
        let again = try [any Noted](decoding: notes.encoded(as: .json), as: .json)
        #expect(again.count == 100_000 && again[99_999] is NoteParagraph)
    }
}
