import Dovetail
import TestAssets
import Testing

@Model
private struct Visitor: Equatable {
    let id: Int
    @Attribute(name: "profile.avatar.url") var avatar: URL
    var note: String?
    @Attribute(name: "profile.name") var name: String
    @Attribute(name: "profile.avatar.width") var width: Int?
    @Attribute(name: "settings.theme") var theme: String?
    @Attribute(name: "settings.deep.size") let size: Int?
    @Attribute(name: #"Test\.Domain.a"#) var domain: Int = 7
    @Attribute(name: #"odd\.name"#) var odd: Int?
}

@Model
private struct Shelf {
    @Attribute(name: "content.first") var first: any Asset
    @Attribute(name: "content.others") var others: [any Asset] = []
    @Attribute(name: "content.plain") var plain: Plain?
}

@Model
private struct Limits: Equatable {
    @Attribute(name: "limits.low") var low: Int? = 1
    @Attribute(name: "limits.high") var high: Int?
}

/// Attributes whose fields are in objects of their own: `@Attribute(name: "profile.avatar.url")`.
struct NestedFieldTests {
    private static let full = """
        {"id":1,"profile":{"avatar":{"url":"http://a.b","width":3},"name":"n"},"note":"x",\
        "settings":{"theme":"dark","deep":{"size":5}},"Test.Domain":{"a":8},"odd.name":9}
        """

    @Test
    func `every object is written once`() throws {
        let visitor = try Visitor(json: Self.full)
        #expect(visitor.avatar.absoluteString == "http://a.b")
        #expect(visitor.name == "n")
        #expect(visitor.width == 3)
        #expect(visitor.theme == "dark")
        #expect(visitor.size == 5)
        #expect(visitor.domain == 8)
        #expect(visitor.odd == 9)
        #expect(try visitor.json() == Self.full)
    }

    @Test
    func `an object without fields is left out`() throws {
        let short = #"{"id":1,"profile":{"avatar":{"url":"u"},"name":""},"Test.Domain":{"a":7}}"#
        let visitor = try Visitor(json: short)
        #expect(visitor.theme == nil)
        #expect(visitor.domain == 7)
        #expect(try visitor.json() == short)
        let limits = try Limits(json: #"{"limits":{"low":null}}"#)
        #expect(limits == Limits(low: nil, high: nil))
        #expect(try limits.json() == #"{"limits":{"low":null}}"#)
        #expect(try Limits(json: "{}").low == 1)
        #expect(try [Visitor](json: "[]").json() == "[]")
        #expect(try [visitor, visitor].json() == "[\(short),\(short)]")
    }

    @Test(
        arguments: [
            #"{"settings":null,"profile":{"name":"n","avatar":{"url":"u"}},"id":1}"#,
            #"{"settings":{},"profile":{"x":[{}],"name":"n","avatar":{"y":1,"url":"u"}},"id":1}"#,
            #"{"profile.name":4,"profile":{"avatar":{"url":"u"},"name":"n","url":[]},"id":1}"#,
            #"{"id":1,"pr\u006ffile":{"name":"n","avatar":{"u\u0072l":"u"}},"settings":{"deep":null}}"#,
        ]
    )
    func `what is not declared is skipped`(json: String) throws {
        let visitor = try Visitor(json: json)
        #expect(visitor.name == "n")
        #expect(visitor.avatar.relativeString == "u")
        #expect(visitor.size == nil)
        #expect(visitor.domain == 7)
    }

    @Test
    func `protocols and Codable types`() throws {
        let json = """
            {"content":{"first":{"$type":"SoundAsset","name":"s","path":"p","type":"sound"},\
            "others":[],"plain":{"marks":[1],"title":"t"}}}
            """
        let shelf = try Shelf(json: json)
        #expect(shelf.first.name == "s")
        #expect(try shelf.json() == json)
    }

    @Test(
        arguments: [
            ("{\n \"id\": 1}", "profile.avatar.url", 1, 1),
            ("[]", "", 1, 1),
            (#"{"id":1,"profile":{"avatar":{"url":"u"}}}"#, "profile.name", 1, 1),
            ("{\"profile\":\n{\"avatar\":{\"url\":5}}}", "profile.avatar.url", 2, 18),
            (#"{"profile":{"avatar":[]}}"#, "profile.avatar", 1, 22),
            (#"{"profile":"x"}"#, "profile", 1, 12),
            (#"{"Test.Domain":{"a":true}}"#, #"["Test.Domain"].a"#, 1, 21),
        ]
    )
    func `errors say where`(json: String, path: String, line: Int, column: Int) throws {
        let error = try decodingError(of: Visitor.self, json)
        #expect(error.path == path)
        #expect(error.line == line)
        #expect(error.column == column)
    }

    @Test
    func `missing fields have the full path`() throws {
        let error = try decodingError(of: [Visitor].self, #"[{"id":1,"profile":{"name":"n"}}]"#)
        #expect(error.kind == .missingField)
        #expect(error.path == "[0].profile.avatar.url")
    }

    @Test(
        arguments: [
            (#"{"profile":{},"profile":{}}"#, "profile"),
            (#"{"profile":null,"profile":{}}"#, "profile"),
            (#"{"profile":{"name":"a","name":"b"}}"#, "profile.name"),
            (#"{"profile":{"avatar":{"width":1,"width":null}}}"#, "profile.avatar.width"),
            (#"{"settings":{"deep":{},"deep":{}}}"#, "settings.deep"),
        ]
    )
    func `a field twice anywhere`(json: String, path: String) throws {
        let error = try decodingError(of: Visitor.self, json)
        #expect(error.kind == .repeatedField)
        #expect(error.path == path)
    }

    @Test
    func `attributes of one object are neighbours`() {
        #expect(
            Visitor.modelAttributes.map(\.name) == [
                "id", "profile.avatar.url", "profile.avatar.width", "profile.name", "note",
                "settings.theme", "settings.deep.size", "Test.Domain.a", "odd.name",
            ]
        )
    }

    @Test
    func `depth is counted`() throws {
        let deep = 511
        let open = String(repeating: "[", count: deep)
        let close = String(repeating: "]", count: deep)
        let inside = #"{"id":1,"profile":{"x":"# + open + close + "}}"
        #expect(try decodingError(of: Visitor.self, inside).kind == .tooDeep)
    }
}

@Model(unknownFields: .preserve)
private struct DeepPreserved: Equatable {
    @Attribute(name: "p.z") var z = 0
    @Attribute(name: "p.q.y") var y = 0
    @Attribute(name: "p.q.r.x") var x = 0
}

struct ManyUnknownNestedTests {
    /// Each of them once copied all that came before it.
    @Test
    func `fields beside nested attributes are kept in their order`() throws {
        func fields(_ name: String) -> String {
            (0..<3000).map { "\"\(name)\($0)\":\($0)" }.joined(separator: ",")
        }
        let json =
            "{\"p\":{\"z\":1,\(fields("a")),\"q\":{\"y\":2,\(fields("b")),\"r\":{\"x\":3,\(fields("c"))}}},"
            + "\(fields("d"))}"
        let value = try DeepPreserved(json: json)
        #expect(value.x == 3 && value.y == 2 && value.z == 1)
        let document = try ModelDocument(json: json)
        #expect(try ModelDocument(json: value.json()) == document)
        #expect(value.unknownFields.members.count == 3001)
        try expectRoundTrip(value)
    }
}
