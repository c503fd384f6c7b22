import Dovetail
import TestAssets
import Testing

@Model
private struct Settings: Equatable {
    var required: Int
    var maybe: Int?
    var spelled: Optional<String>
    var nothing: Int? = nil
    var limit: Int? = 10
    var size = 3
    var title: String = "untitled"
    var marks: [Int] = [1]
    var shade: Shade? = .dark
    var plain: Plain? = Plain(title: "p", marks: [])
    var other: Plain?
    var promised: Int!
}

@Model
private struct Cover {
    var front: (any Asset)? = SoundAsset(name: "n", path: "p")
    var back: (any Asset)?
    var pages: [any Asset]? = []
}

/// Fields that may be absent: optionals, defaults, and both together.
struct OptionalTests {
    @Test
    func `absent fields`() throws {
        let settings = try Settings(json: #"{"required":1}"#)
        #expect(settings.maybe == nil)
        #expect(settings.spelled == nil)
        #expect(settings.nothing == nil)
        #expect(settings.limit == 10)
        #expect(settings.size == 3)
        #expect(settings.title == "untitled")
        #expect(settings.marks == [1])
        #expect(settings.shade == .dark)
        #expect(settings.plain?.title == "p")
        #expect(settings.other == nil)
        #expect(settings.promised == nil)
    }

    @Test
    func `null is nil and not the default`() throws {
        let settings = try Settings(
            json: """
                {"required":1,"maybe":null,"spelled":null,"nothing":null,"limit":null,"shade":null,
                "plain":null,"other":null}
                """
        )
        #expect(settings.limit == nil)
        #expect(settings.shade == nil)
        #expect(settings.plain == nil)
        #expect(settings.other == nil)
    }

    @Test
    func `nil is left out unless a default would come back`() throws {
        var settings = try Settings(json: #"{"required":1}"#)
        settings.limit = nil
        settings.shade = nil
        settings.plain = nil
        let json = try settings.json()
        #expect(
            json == """
                {"required":1,"limit":null,"size":3,"title":"untitled","marks":[1],"shade":null,\
                "plain":null}
                """
        )
        #expect(try Settings(json: json) == settings)
    }

    @Test
    func `filled fields`() throws {
        var settings = try Settings(json: #"{"required":1}"#)
        settings.maybe = -1
        settings.promised = 5
        settings.spelled = ""
        settings.nothing = 0
        settings.limit = 11
        settings.other = Plain(title: "o", marks: [2])
        #expect(try Settings(json: settings.json()) == settings)
    }

    @Test
    func `optional protocols with a default`() throws {
        var cover = try Cover(json: "{}")
        #expect(cover.front?.name == "n")
        #expect(cover.back == nil)
        #expect(cover.pages?.isEmpty == true)
        cover.front = nil
        cover.pages = nil
        let json = try cover.json()
        #expect(json == #"{"front":null,"pages":null}"#)
        let back = try Cover(json: json)
        #expect(back.front == nil)
        #expect(back.pages == nil)
    }

    @Test(arguments: ["size", "title", "marks"])
    func `null is no value of a defaulted field`(name: String) throws {
        let error = try decodingError(of: Settings.self, "{\"required\":1,\"\(name)\":null}")
        #expect(error.kind == .typeMismatch)
        #expect(error.path == name)
        #expect(error.found == "null")
    }

    @Test
    func `a required field is missing`() throws {
        let error = try decodingError(of: [Settings].self, "[ {\"maybe\": 1} ]")
        #expect(error.kind == .missingField)
        #expect(
            error.description
                == "[0].required: expected a value, found no such field (line 1, column 3)"
        )
    }

    @Test
    func `optionals in containers`() throws {
        try expectRoundTrip([1, nil, 2] as [Int?])
        try expectRoundTrip(["a": nil, "b": "x"] as [String: String?])
        #expect(try ([nil, true] as [Bool?]).json() == "[null,true]")
    }
}
