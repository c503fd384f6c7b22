import Dovetail
import Testing

struct DocumentPathTests {
    private static let json = """
        {"groups":[{"name":"first","tags":["a","b"]},{"name":"second"}],"a.b":1,"a":{"b":2},\
        "":3,"x[0]":4,"back\\\\slash":5,"é":{"":{"":6}},"say \\"hi\\"":7,"nothing":null,\
        "twice":1,"twice":2}
        """

    @Test(arguments: [
        ("groups[0].name", "\"first\""), ("groups[0].tags[1]", "\"b\""),
        ("groups[1].name", "\"second\""),
        ("a.b", "2"), ("a\\.b", "1"), ("[\"a.b\"]", "1"), ("[\"\"]", "3"), ("x\\[0]", "4"),
        ("[\"x[0]\"]", "4"), ("back\\\\slash", "5"), ("é..", "6"), ("é[\"\"][\"\"]", "6"),
        ("[\"say \"hi\"\"]", "7"), ("nothing", "null"), ("twice", "2"),
        ("[\"groups\"][0][\"tags\"][0]", "\"a\""), ("groups[00000].name", "\"first\""),
    ])
    func `paths are read`(path: String, json: String) throws {
        let document = try ModelDocument(json: Self.json)
        let expected = try ModelDocument(json: json)
        #expect(document[path] == expected)
    }

    @Test(arguments: [
        "groups[2]", "groups[-1]", "groups.name", "groups[0][0]", "a.b.c", "nothing.x", "x[0]",
        "groups[99999999999999999999]", "groups[]", "groups[0", "groups.", ".groups", "A", "[0]",
        "groups[0].name.", "groups[0]..name",
    ])
    func `finds nothing`(path: String) throws {
        var document = try ModelDocument(json: Self.json)
        let before = document
        #expect(document[path] == nil)
        let removed = document.remove(path)
        let isRenamed = document.rename(path, to: "y")
        #expect(removed == nil)
        #expect(!isRenamed)
        document[path] = nil
        #expect(document == before)
    }

    @Test
    func `the empty path is the document`() throws {
        var document = try ModelDocument(json: Self.json)
        #expect(document[""] == document)
        document[""] = 1
        #expect(document == 1)
        document[""] = nil
        #expect(document.isNull)
        let isRenamed = document.rename("", to: "x")
        #expect(!isRenamed)
    }

    @Test
    func `keys and indices`() throws {
        let document = try ModelDocument(json: Self.json)
        #expect(document[key: "a.b"] == 1)
        #expect(document[key: "x[0]"] == 4)
        #expect(document[key: "groups"]?[1]?[key: "name"] == "second")
        #expect(document["groups"]?[-1] == nil)
        #expect(document["groups"]?[2] == nil)
        #expect(document[0] == nil)
        #expect(document["groups"]?[key: "name"] == nil)
        #expect(document.values(forKey: "twice") == [1, 2])
        #expect(document.values(forKey: "a.b") == [1])
        #expect(document["groups"]?.values(forKey: "name") == [])
        #expect(document.count == 11)
        #expect(document["groups"]?.count == 2)
        #expect(document["a.b"]?.count == 0)
    }

    /// A path that an error printed leads to the place of the error.
    @Test(arguments: ["a", "a.b", "x y", "[0]", "a\"b", "", "é", "a]b", "a\\b", "\"]"])
    func `paths of errors`(key: String) throws {
        let document: ModelDocument = .object([.init(key: key, value: [1, ["n": "x"]])])
        let error = try decodingError(of: [String: [[String: Int]]].self, try document.json())
        #expect(document[error.path] == 1)
    }

    @Test
    func `paths are set`() throws {
        var document: ModelDocument = [:]
        document["a"] = 1
        document["b.c.d"] = "x"
        document["list[0].name"] = true
        document["list[1]"] = [1, 2]
        document["list[1][2]"] = 3
        document["b.c.d"] = 2.5
        document[key: "b.c"] = nil
        document["e\\.f"] = nil
        document[key: "e.f"] = .null
        #expect(
            try document.json()
                == #"{"a":1,"b":{"c":{"d":2.5}},"list":[{"name":true},[1,2,3]],"e.f":null}"#
        )
        document["e\\.f.g"] = 1
        document["list"]?[0]?["name"] = "nested"
        document["list[1][0]"] = nil
        document["b"] = nil
        document["a"]?["no"] = 1
        #expect(
            try document.json() == #"{"a":1,"list":[{"name":"nested"},[2,3]],"e.f":{"g":1}}"#
        )
    }

    @Test
    func `setting without a place changes nothing`() throws {
        for (path, expected, found, at) in [
            ("a.b", "object", "integer", "a"), ("a[0]", "array", "integer", "a"),
            ("list[2]", "an index from 0 to 1", "2", "list"), ("[0]", "array", "object", ""),
            ("list.x", "object", "array", "list"),
            ("new.list[1]", "an index from 0 to 0", "1", "new.list"),
            ("new[0].x[7].y", "an index from 0 to 0", "7", "new[0].x"),
            ("text.x", "object", "string", "text"),
        ] {
            var document: ModelDocument = ["a": 1, "list": [0], "text": ""]
            let before = document
            document[path] = 5
            #expect(document == before, "\(path)")
            let error = #expect(throws: ModelDecodingError.self, "\(path)") {
                try document.set(path, to: 5)
            }
            #expect(error?.expected == expected, "\(path)")
            #expect(error?.found == found, "\(path)")
            #expect(error?.path == at, "\(path)")
            #expect(document == before, "\(path)")
        }
        var document: ModelDocument = [1]
        document[-1] = 2
        document[5] = 2
        #expect(document == [1])
        document[1] = 2
        #expect(document == [1, 2])
    }

    @Test
    func `set throws`() throws {
        var document: ModelDocument = nil
        try document.set("profile.urls[0]", to: "http://a")
        try document.set("profile.urls[1]", to: "http://b")
        #expect(document == ["profile": ["urls": ["http://a", "http://b"]]])
        try document.set("", to: 1)
        #expect(document == 1)
    }

    @Test
    func `members are renamed by path`() throws {
        var document = try ModelDocument(json: Self.json)
        let renamed = [
            document.rename("groups", to: "domains"),
            document.rename("domains[0].name", to: "the.title"),
            document.rename("a\\.b", to: "c"),
            document.rename("twice", to: "both"),
            document.rename("groups", to: "again"),
            document.rename("domains[0]", to: "again"),
        ]
        #expect(renamed == [true, true, true, true, false, false])
        #expect(document.members?.map(\.key).prefix(3) == ["domains", "c", "a"])
        #expect(document["domains[0].the\\.title"] == "first")
        #expect(document.values(forKey: "both") == [1, 2])
        // Nothing is lost when the name is taken.
        var taken: ModelDocument = ["old": 1, "new": 2]
        taken.rename("old", to: "new")
        #expect(taken.values(forKey: "new") == [1, 2])
    }

    @Test
    func `values are removed by path`() throws {
        var document = try ModelDocument(json: Self.json)
        let tag = document.remove("groups[0].tags[0]")
        #expect(tag == "a")
        #expect(document["groups[0].tags"] == ["b"])
        let last = document.remove("twice")
        #expect(last == 2)
        #expect(document["twice"] == nil)
        let groups = document.remove("groups")
        #expect(groups?.count == 2)
        let rest = document.remove("")
        #expect(rest?.count == 8)
        #expect(document.isNull)
    }

    @Test
    func `many members`() {
        var document: ModelDocument = [:]
        for number in 0..<50 { document["k\(number)"] = .integer(number) }
        #expect(document["k40"] == 40)
        document.rename("k40", to: "k0")
        #expect(document["k0"] == 40)
        #expect(document["k40"] == nil)
        document["k0"] = -1
        #expect(document.values(forKey: "k0") == [0, -1])
        document["k0"] = nil
        #expect(document["k0"] == nil)
        #expect(document["k49"] == 49)
        document["new"] = 1
        #expect(document["new"] == 1)
        #expect(document.count == 49)
        for number in 1..<49 {
            #expect(document["k\(number)"] == (number == 40 ? nil : .integer(number)))
        }
    }
}
