import Dovetail
import DovetailTesting
import Testing

@ModelProtocol(aliases: ["type"], tagging: .adjacent(tag: "t", content: "c"))
private protocol BesideNote {}

@ModelProtocol(tagging: .external)
private protocol AroundNote {}

/// Keeps elements that it cannot read.
@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"), unknown: .preserve)
private protocol KeptNote: BesideNote {}

@ModelProtocol
private protocol InsideNote {}

@Model(unknownFields: .preserve)
private struct NoteKeeper: KeptNote, AroundNote, InsideNote, Equatable {
    var x: Int?
    var inner: NoteBox?
    @Attribute(name: "deep.y") var y: Int?
}

@Model(unknownFields: .throw)
private struct Refuser: KeptNote, AroundNote, Equatable { var x: Int? }

@Model
private struct Skipper: KeptNote, AroundNote, Equatable { var x: Int? }

@Model
private enum Word: String, KeptNote, AroundNote { case a }

@Model(unknownFields: .preserve)
private final class Shared: KeptNote, AroundNote { var x: Int? }

@Model(version: 2, unknownFields: .preserve)
private struct Aged: KeptNote, AroundNote, Equatable {
    var new: Int
    var seen: Int?

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        document["new"] = document["old"].map { $0 } ?? 0
        document["seen"] = .integer(document.members?.count ?? -1)
    }
}

/// Its hook sees what was beside the tag.
@Model(unknownFields: .preserve)
private struct Hooked: KeptNote, AroundNote, ModelLifecycle {
    var count: Int?

    mutating func didDecode() throws { count = unknownFields.besideTag.count }
}

/// Reads and writes by hand, and holds a model that keeps.
private struct ByHand: KeptNote, AroundNote, Model {
    var keeper: NoteKeeper

    static var typeName: String { "ByHand" }
    static var modelAttributes: [ModelAttribute] { [] }
    static var unknownFieldsPolicy: UnknownPolicy { .preserve }
    static func _hasNoParameters() {}

    init(keeper: NoteKeeper) { self.keeper = keeper }

    init(modelValue reader: inout ModelReader) throws {
        var keeper: NoteKeeper?
        var object = try reader.beginObject()
        while try reader.nextKey(in: &object) != nil {
            keeper = try NoteKeeper(modelValue: &reader)
        }
        self.keeper = keeper ?? NoteKeeper()
    }

    func encode(to writer: inout ModelWriter) throws {
        let scope = try writer.beginObject()
        try writer.field("\"keeper\":", keeper)
        try writer.endObject(scope)
    }
}

@Model
private struct NoteBox: Equatable {
    var notes: [any BesideNote] = []
    var around: [String: any AroundNote] = [:]

    static func == (left: Self, right: Self) -> Bool {
        (try? ModelDocument(left)) == (try? ModelDocument(right))
    }
}

@Model
private struct NoteRow: Identifiable {
    var id: Int
    var note: any KeptNote
    var others: [any AroundNote] = []
}

@Model(unknownFields: .preserve)
private struct KeeperRow: KeptNote, Identifiable, Equatable, Codable { var id: Int }

/// Members of the object around a value with adjacent or external tagging.
struct MembersBesideTagTests {
    private static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    private func document(_ json: String) throws -> ModelDocument {
        try ModelDocument(decoding: Data(json.utf8), as: .json)
    }

    /// What becomes of a list of notes that is read and written, as a document.
    private func rewritten<Note>(
        _ before: ModelDocument,
        _ format: ModelFormat,
        by table: RootCoding<Note>
    ) throws -> ModelDocument {
        let values = try [Note](decoding: before.encoded(as: format), as: format, by: table)
        return try ModelDocument(decoding: values.encoded(as: format, by: table), as: format)
    }

    /// Reads and writes a list in every format and as a document in memory.
    private func expectRewritten<Note>(
        _ json: String,
        as expected: String,
        by table: RootCoding<Note>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (before, after) = try (document("[\(json)]"), document("[\(expected)]"))
        for format in Self.formats {
            let written = try rewritten(before, format, by: table)
            #expect(written == after, "\(format.name)", sourceLocation: sourceLocation)
        }
        let values = try [Note](before, by: table)
        let written = try ModelDocument(values, by: table)
        #expect(written == after, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        #"{"t":"NoteKeeper","c":{},"id":7}"#, #"{"id":7,"t":"NoteKeeper","c":{}}"#,
        #"{"c":{"x":1},"id":7,"t":"NoteKeeper"}"#,
        #"{"t":"NoteKeeper","id":null,"c":{"x":1},"":{}}"#,
        #"{"a":1,"c":{"u":{"id":2}},"b":[{"t":1}],"t":"NoteKeeper","d":2.50}"#,
        // Members inside of the content, beside nested tags, and around a path.
        #"{"t":"NoteKeeper","c":{"x":1,"v":2,"deep":{}},"v":3}"#,
        #"{"t":"NoteKeeper","c":{"inner":{"notes":[{"t":"NoteKeeper","c":{},"m":2},{"t":"Skipper","c":{}}],"around":{}}},"n":1}"#,
        #"{"t":"NoteKeeper","c":{"inner":{"notes":[],"around":{"k":{"q":0,"NoteKeeper":{"inner":{"notes":[{"t":"NoteKeeper","c":{}}],"around":{}}}}}}},"n":1}"#,
        #"{"t":"Shared","c":{"x":1},"s":[1]}"#, #"{"t":"Ghost","c":{},"id":7}"#,
        #"{"t":"Refuser","c":{},"id":7}"#, #"{"t":"NoteKeeper","c":[],"id":7}"#,
        #"{"t":"ByHand","c":{"keeper":{"x":1}}}"#,
    ])
    func `beside an adjacent tag are written back`(json: String) throws {
        try expectRewritten(json, as: json, by: RootCoding(KeptNoteModel.self))
    }

    @Test(arguments: [
        #"{"NoteKeeper":{},"id":7}"#, #"{"id":7,"NoteKeeper":{}}"#,
        #"{"a":{"NoteKeeper":{}},"NoteKeeper":{"x":1},"b":0}"#,
        #"{"z":[],"NoteKeeper":{"inner":{"notes":[{"m":1,"c":{},"t":"NoteKeeper"}],"around":{"k":{"NoteKeeper":{},"r":2}}}}}"#,
        #"{"Shared":{"x":1},"t":"NoteKeeper","c":{}}"#,
    ])
    func `beside an external tag are written back`(json: String) throws {
        try expectRewritten(json, as: json, by: RootCoding(AroundNoteModel.self))
    }

    @Test
    func `follow the content in their order`() throws {
        let json = #"{"b":1.50,"type":"NoteKeeper","a":2e0,"c":{"x":1},"b":-0}"#
        let note = try BesideNoteModel.decode(Data(json.utf8), as: .json)
        let fields = try #require(note as? NoteKeeper).unknownFields
        #expect(fields.members.isEmpty && !fields.isEmpty)
        #expect(fields.besideTag.map(\.key) == ["b", "a", "b"])
        #expect(
            try String(decoding: BesideNoteModel.encode(note, as: .json), as: UTF8.self)
                == #"{"t":"NoteKeeper","c":{"x":1},"b":1.50,"a":2e0,"b":-0}"#
        )
    }

    @Test
    func `types that skip fields skip them`() throws {
        try expectRewritten(
            #"{"t":"Skipper","c":{"x":1,"y":2},"id":7},{"id":7,"c":"a","t":"Word"}"#,
            as: #"{"t":"Skipper","c":{"x":1}},{"t":"Word","c":"a"}"#,
            by: RootCoding(BesideNoteModel.self)
        )
    }

    @Test(arguments: [
        (#"{"t":"Refuser","c":{},"id":7}"#, "id", 1, 28),
        (#"{"id":7,"t":"Refuser","c":{}}"#, "id", 1, 7),
        ("{\"c\":{},\n \"a.b\":7,\"t\":\"Refuser\"}", #"["a.b"]"#, 2, 8),
        (#"{"t":"Refuser","c":{"x":"late"},"$version":1}"#, "$version", 1, 44),
    ])
    func `types that refuse fields refuse them`(
        json: String,
        path: String,
        line: Int,
        column: Int
    ) throws {
        let read = { (data: Data, format: ModelFormat) in
            try BesideNoteModel.decode(data, as: format)
        }
        let error = try #require(throws: ModelDecodingError.self) {
            try read(Data(json.utf8), .json)
        }
        #expect(error.kind == .unknownField)
        #expect((error.path, error.line, error.column) == (path, line, column))
        for format in Self.formats {
            let error = try #require(throws: ModelDecodingError.self) {
                try read(document(json).encoded(as: format), format)
            }
            #expect(error.kind == .unknownField && error.path == path, "\(format.name)")
        }
        let around = try #require(throws: ModelDecodingError.self) {
            try AroundNoteModel.decode(Data(#"{"Refuser":{},"id":7}"#.utf8), as: .json)
        }
        #expect(around.path == "id" && around.column == 20)
        #expect(around.description.hasPrefix("id: expected a declared field, found \"id\""))
    }

    @Test
    func `errors about tags stay what they were`() throws {
        for (json, kind, path) in [
            (#"{"t":"NoteKeeper","c":{},"id":7,"c":1}"#, .repeatedField, "c"),
            (#"{"id":7,"t":"NoteKeeper","type":"NoteKeeper","c":{}}"#, .repeatedField, "type"),
            (#"{"t":"NoteKeeper","id":7}"#, .missingField, "c"),
            (#"{"t":"NoteKeeper","c":{},"id":}"#, .invalidSyntax, "id"),
            (#"{"id":7,"t":"NoteKeeper","c":{"x":"a"}}"#, .typeMismatch, "c.x"),
        ] as [(String, ModelDecodingError.Kind, String)] {
            let error = try #require(throws: ModelDecodingError.self) {
                try BesideNoteModel.decode(Data(json.utf8), as: .json)
            }
            #expect(error.kind == kind && (error.path == path || path == "type"), "\(error)")
        }
    }

    @Test
    func `names that say the type are not written`() throws {
        var keeper = NoteKeeper(x: 1)
        let names = ["t", "type", "c", "NoteKeeper", "Word", "free", "\u{0}é"]
        keeper.unknownFields.besideTag = names.map { .init(key: $0, value: 0) }
        let beside = try BesideNoteModel.encode(keeper, as: .json)
        #expect(
            String(decoding: beside, as: UTF8.self)
                == #"{"t":"NoteKeeper","c":{"x":1},"NoteKeeper":0,"Word":0,"free":0,"\u0000é":0}"#
        )
        let around = try AroundNoteModel.encode(keeper, as: .json)
        #expect(
            String(decoding: around, as: UTF8.self)
                == #"{"NoteKeeper":{"x":1},"t":0,"type":0,"c":0,"free":0,"\u0000é":0}"#
        )
        // There is no place for them elsewhere.
        #expect(try keeper.json() == #"{"x":1}"#)
        let inside: any InsideNote = keeper
        #expect(
            try String(decoding: inside.encoded(as: .json), as: UTF8.self)
                == #"{"$type":"NoteKeeper","x":1}"#
        )
    }

    @Test
    func `count in equality and hashes`() throws {
        let read = { (json: String) in
            try BesideNoteModel.decode(Data(json.utf8), as: .json) as? NoteKeeper
        }
        let one = try #require(try read(#"{"t":"NoteKeeper","c":{},"a":1,"b":2}"#))
        let same = try #require(try read(#"{"b":2.0,"t":"NoteKeeper","c":{},"a":1}"#))
        #expect(one == same)
        #expect(one.unknownFields.hashValue == same.unknownFields.hashValue)
        #expect(try one != read(#"{"t":"NoteKeeper","c":{},"a":1}"#))
        #expect(try one != read(#"{"t":"NoteKeeper","c":{"a":1,"b":2}}"#))
    }

    @Test(arguments: formats)
    func `objects of older versions keep them`(_ format: ModelFormat) throws {
        let old = #"[{"id":1,"t":"Aged","c":{"u":2,"old":3}},{"c":{"old":4},"t":"Aged","z":{}}]"#
        let before = try document(old)
        let after = try document(
            #"[{"t":"Aged","c":{"$version":2,"new":3,"seen":3,"u":2,"old":3},"id":1},"#
                + #"{"t":"Aged","c":{"$version":2,"new":4,"seen":2,"old":4},"z":{}}]"#
        )
        let table = RootCoding(KeptNoteModel.self)
        #expect(try rewritten(before, format, by: table) == after)
        #expect(try rewritten(after, format, by: table) == after)
        let around = try document(#"[{"x":[],"Aged":{"old":3}}]"#)
        #expect(
            try rewritten(around, format, by: RootCoding(AroundNoteModel.self))
                == document(#"[{"Aged":{"$version":2,"new":3,"seen":2,"old":3},"x":[]}]"#)
        )
    }

    @Test
    func `hooks see them and nested models do not get them`() throws {
        let hooked = try BesideNoteModel.decode(
            Data(#"{"t":"Hooked","c":{},"a":1,"b":2}"#.utf8),
            as: .json
        )
        #expect((hooked as? Hooked)?.count == 2)
        for format in Self.formats {
            let data = try document(#"{"t":"ByHand","c":{"keeper":{"x":1}},"a":1}"#)
            let note = try BesideNoteModel.decode(data.encoded(as: format), as: format)
            #expect((note as? ByHand)?.keeper.unknownFields.isEmpty == true)
        }
        var keeper = NoteKeeper(x: 1)
        keeper.unknownFields.besideTag = [.init(key: "lost", value: 1)]
        #expect(
            try String(
                decoding: BesideNoteModel.encode(ByHand(keeper: keeper), as: .json),
                as: UTF8.self
            ) == #"{"t":"ByHand","c":{"keeper":{"x":1}}}"#
        )
    }

    @Test
    func `are kept in rows`() async throws {
        let note = #"{"t":"NoteKeeper","c":{"x":1},"id":7}"#
        let json = #"{"id":1,"note":\#(note),"others":[{"NoteKeeper":{},"o":{"p":1.50}}]}"#
        let container = try ModelContainer(
            for: NoteRow.self,
            KeeperRow.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        // Read beside a tag, stored as an entity: the column has both lists.
        let entities = try [
            #"{"z":1.50,"t":"KeeperRow","c":{"id":1,"a":[]},"b":null,"b":2}"#,
            #"{"t":"KeeperRow","c":{"id":2},"z":0}"#, #"{"t":"KeeperRow","c":{"id":3,"a":1}}"#,
        ].map { try #require(BesideNoteModel.decode(Data($0.utf8), as: .json) as? KeeperRow) }
        let (rows, fetched) = try await container.perform { context in
            context.insert(try NoteRow(json: json))
            for entity in entities { context.insert(entity) }
            try context.save()
            let other = ModelContext(context.container)
            let rows = try other.fetch(FetchDescriptor<NoteRow>()).map { try $0.json() }
            let order = [SortDescriptor(\KeeperRow.id)]
            return (rows, try other.fetch(FetchDescriptor<KeeperRow>(sortBy: order)))
        }
        #expect(rows == [json])
        #expect(fetched == entities)
        #expect(fetched.map(\.unknownFields.besideTag.count) == [3, 1, 0])
    }

    @Test
    func `one value holds both lists`() throws {
        let both = UnknownFields(
            [.init(key: "a", value: 1)],
            besideTag: [.init(key: "b", value: .null), .init(key: "b", value: [])]
        )
        for (fields, json) in [
            (both, #"[{"a":1},{"b":null,"b":[]}]"#), (UnknownFields(both.members), #"{"a":1}"#),
            (UnknownFields(besideTag: both.members), #"[{},{"a":1}]"#), (UnknownFields(), "{}"),
        ] {
            #expect(try fields.json() == json)
            #expect(try UnknownFields(json: json) == fields)
            let data = try JSONEncoder().encode(
                UnknownFields(fields.members, besideTag: fields.members)
            )
            #expect(
                try JSONDecoder().decode(UnknownFields.self, from: data)
                    == UnknownFields(fields.members, besideTag: fields.members)
            )
        }
        for json in ["[]", "[{}]", "[{},1]", "[{},{},{}]", "1", #""x""#] {
            #expect(try decodingError(of: UnknownFields.self, json).kind == .typeMismatch)
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(UnknownFields.self, from: Data(json.utf8))
            }
        }
        var row = KeeperRow(id: 1)
        row.unknownFields = both
        row.unknownFields.besideTag.removeLast()
        let data = try JSONEncoder().encode(row)
        #expect(try JSONDecoder().decode(KeeperRow.self, from: data) == row)
    }

    @Test
    func `models that keep them obey the laws`() throws {
        let notes = try [any KeptNote](
            decoding: Data(
                #"[{"t":"NoteKeeper","c":{"x":1},"id":{"a":[]}},{"t":"Aged","c":{"new":1},"z":null}]"#
                    .utf8
            ),
            as: .json
        )
        try checkModels(notes, changes: 2_000)
        let around = try [any AroundNote](
            decoding: Data(#"[{"a":1.50,"NoteKeeper":{"deep":{}}},{"Refuser":{}}]"#.utf8),
            as: .json
        )
        try checkModels(around, changes: 2_000)
        try checkModel(
            NoteBox(notes: [NoteKeeper(x: 1)], around: ["a": NoteKeeper(inner: NoteBox())]),
            changes: 2_000
        )
    }
}
