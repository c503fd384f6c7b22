import Dovetail
import DovetailTesting
import Testing

@ModelProtocol(
    tagging: .untagged,
    unknown: .preserve,
    conformers: UntaggedCircle.self,
    UntaggedSquare.self,
    UntaggedForm.self
)
protocol UntaggedShape {}
@Model struct UntaggedCircle: UntaggedShape, Equatable { var radius: Int }
@Model struct UntaggedSquare: UntaggedShape, Equatable { var side: Int; var unit: String? }
@Model enum UntaggedForm: String, UntaggedShape { case round, edged }

@ModelProtocol(tagging: .untagged, conformers: UntaggedLeft.self, UntaggedRight.self)
protocol UntaggedStrict {}
@Model struct UntaggedLeft: UntaggedStrict, Equatable { var left: Int }
@Model struct UntaggedRight: UntaggedStrict, Equatable { var right: Int }

/// Unions of which nothing says what a value is but the value.
struct UntaggedTests {
    @Model struct Person: Equatable { var name: String; var age: Int? }
    @Model struct Team: Equatable { var title: String; var members: [Person] = [] }
    struct Plain: Codable, Equatable { var q: Int }

    @Model(tagging: .untagged)
    indirect enum Value: Equatable {
        case nothing
        case flag(Bool)
        case count(Int)
        case share(Double)
        case text(String)
        case person(Person)
        case team(Team)
        case point(x: Int, y: Int, name: String? = nil)
        case people([Person])
        case teams([Team])
        case words([String])
        case others([Value])
        case plain(Plain)
    }

    static let cases: [(value: Value, json: String)] = [
        (.nothing, "null"), (.flag(false), "false"), (.count(-3), "-3"), (.share(0.5), "0.5"),
        (.text("{"), #""{""#), (.person(Person(name: "a")), #"{"name":"a"}"#),
        (.team(Team(title: "t")), #"{"title":"t","members":[]}"#),
        (.point(x: 1, y: 2, name: nil), #"{"x":1,"y":2}"#),
        (.point(x: 1, y: 2, name: "n"), #"{"x":1,"y":2,"name":"n"}"#), (.people([]), "[]"),
        (.people([Person(name: "b", age: 1)]), #"[{"name":"b","age":1}]"#),
        (.teams([Team(title: "t")]), #"[{"title":"t","members":[]}]"#), (.words(["x"]), #"["x"]"#),
        (.others([.count(1), .people([])]), "[1,[]]"), (.plain(Plain(q: 1)), #"{"q":1}"#),
    ]

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `the value says which case it is`(format: ModelFormat) throws {
        var count = 0
        for (value, json) in Self.cases where json != #"{"x":1,"y":2,"name":"n"}"# {
            let list = Data("[\(json)]".utf8)
            #expect(try [Value](decoding: list, as: .json) == [value])
            #expect(try [value].encoded(as: .json) == list)
            #expect(try [Value](decoding: [value].encoded(as: format), as: format) == [value])
            count += 1
        }
        #expect(count == 14)
        let document = try ModelDocument(Self.cases[6].value)
        #expect(try Value(document) == Self.cases[6].value)
    }

    @Test
    func `laws hold`() throws {
        for (value, json) in Self.cases where json != #"{"x":1,"y":2,"name":"n"}"# {
            try checkModel(value, changes: 1_000)
        }
    }

    @Test
    func `the first case that can be read is taken`() throws {
        // An object with all that a person wants is one, whatever else it has.
        let both = Data(#"{"x":1,"y":2,"name":"n"}"#.utf8)
        #expect(try Value(decoding: both, as: .json) == .person(Person(name: "n")))
        // The field of a later case counts when that of the first is not there.
        let later = Data(#"{"age":1,"title":"t"}"#.utf8)
        #expect(try Value(decoding: later, as: .json) == .team(Team(title: "t")))
    }

    @Model struct Aliased: Equatable { @Attribute(aliases: ["label"]) var name: String }
    @Model(tagging: .untagged) enum Named: Equatable {
        case team(Team), aliased(Aliased), any(ModelDocument)
    }

    @Test
    func `a required field may be there under an alias`() throws {
        let named = try [Named](decoding: Data(#"[{"label":"x"},{"z":1.50}]"#.utf8), as: .json)
        #expect(named[0] == .aliased(Aliased(name: "x")))
        #expect(try named.encoded(as: .json) == Data(#"[{"name":"x"},{"z":1.50}]"#.utf8))
    }

    @Model(tagging: .untagged) enum OneOrMany<Item: ModelValue> { case one(Item), many([Item]) }

    @Model struct Holder: Identifiable {
        var id: Int
        var value: Value
        var maybe: Value?
        var items: OneOrMany<Person>
        var shape: any UntaggedShape
        var shapes: [any UntaggedShape] = []
    }

    static let json =
        #"{"id":1,"value":"x","maybe":{"x":1,"y":2},"items":[{"name":"a"}],"shape":{"side":2},"#
        + #""shapes":[{"radius":1},"round",{"corners":3}]}"#

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `models hold unions`(format: ModelFormat) throws {
        let holder = try Holder(decoding: Data(Self.json.utf8), as: .json)
        #expect(holder.shapes[0] as? UntaggedCircle == UntaggedCircle(radius: 1))
        #expect(holder.shapes[1] as? UntaggedForm == .round)
        #expect(holder.shapes[2] is UnknownUntaggedShape)
        let again = try Holder(decoding: holder.encoded(as: format), as: format)
        #expect(try again.encoded(as: .json) == Data(Self.json.utf8))
        #expect(try Holder(ModelDocument(again)).encoded(as: .json) == Data(Self.json.utf8))
        try checkModel(again, changes: 2_000)
    }

    @Test
    func `rows hold them as documents`() throws {
        let container = try ModelContainer(
            for: Holder.self,
            configurations: ModelConfiguration(isStoredInMemoryOnly: true)
        )
        let context = ModelContext(container)
        let cases = Self.cases.filter { $0.json != #"{"x":1,"y":2,"name":"n"}"# }
        for (index, entry) in cases.enumerated() {
            context.insert(
                Holder(
                    id: index,
                    value: entry.value,
                    maybe: index % 2 == 0 ? nil : entry.value,
                    items: .one(Person(name: "a")),
                    shape: UntaggedForm.edged
                )
            )
        }
        try context.save()
        let stored = try context.fetch(FetchDescriptor<Holder>(sortBy: [SortDescriptor(\.id)]))
        #expect(stored.map(\.value) == cases.map(\.value))
        #expect(stored.count == 14 && stored.allSatisfy { $0.shape as? UntaggedForm == .edged })
        #expect(stored[1].maybe == cases[1].value && stored[0].maybe == nil)
    }

    @Test
    func `an error says of each case why not`() throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try [UntaggedStrictHolder](decoding: Data(#"[{"item":{"left":"x"}}]"#.utf8), as: .json)
        }
        #expect(error.path == "[0].item" && error.column == 10)
        #expect(
            error.found
                == "an object that is none: UntaggedLeft (left: expected Int, found \"x\"), "
                + "UntaggedRight (right: expected a value, found no such field)"
        )
        let kind = try #require(throws: ModelDecodingError.self) {
            try [OneOrMany<Person>](decoding: Data("[1]".utf8), as: .json)
        }
        #expect(kind.path == "[0]" && kind.kind == .unknownCase)
        // The only case that takes the kind tells its own error.
        let only = try #require(throws: ModelDecodingError.self) {
            try [OneOrMany<Person>](decoding: Data(#"[[{"name":1}]]"#.utf8), as: .json)
        }
        #expect(only.path == "[0][0].name")
    }

    /// A second try by hand.
    enum Contact: ModelValue, Equatable {
        case person(Person), team(Team)

        init(modelValue reader: inout ModelReader) throws {
            switch reader.attempt({ try Person(modelValue: &$0) }) {
            case .success(let person): self = .person(person)
            case .failure: self = .team(try Team(modelValue: &reader))
            }
        }

        func encode(to writer: inout ModelWriter) throws {
            switch self {
            case .person(let person): try person.encode(to: &writer)
            case .team(let team): try team.encode(to: &writer)
            }
        }
    }

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `a failed attempt leaves the reader where it was`(format: ModelFormat) throws {
        let contacts: [Contact] = [
            .team(Team(title: "t", members: [Person(name: "x")])), .person(Person(name: "a")),
        ]
        let data = try contacts.encoded(as: format)
        #expect(try [Contact](decoding: data, as: format) == contacts)
        let error = try #require(throws: ModelDecodingError.self) {
            try [Contact](decoding: Data(#"[{"name":"a"},{"title":1}]"#.utf8), as: .json)
        }
        #expect(error.path == "[1].title")
    }

    @Test
    func `many are read`() throws {
        let values: [Value] = (0..<100_000).map {
            $0 % 3 == 0 ? .team(Team(title: "t")) : $0 % 3 == 1 ? .count($0) : .text("x")
        }
        #expect(try [Value](decoding: values.encoded(as: .json), as: .json) == values)
    }
}

@Model struct UntaggedStrictHolder { var item: any UntaggedStrict }
