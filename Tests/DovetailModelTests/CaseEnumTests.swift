import Dovetail
import TestAssets
import Testing

/// Every form of a case.
@Model
private enum Command: Codable, Equatable {
    case stop
    case load(key: String)
    case store(key: String, value: Int)
    case pair(Int, String)
    case mixed(Int, name: String, _ flag: Bool)
    case list([Int], table: [String: Double])
    case maybe(Int?, name: String? = nil)
    case preset(count: Int = 3, name: String = "none")
    case `default`(`in`: Int, `inout`: Int)
    case longerThanSevenBytes(alsoLongerThanSeven: Int, alsoLongerThanOther: Int)
    case `init`
    case some(Int), none
    case reader(reader: Int, object: Int), writer(key: Int, value: Int, _0: Int)

    static let all: [Command] = [
        .stop, .load(key: "a"), .store(key: "b", value: -1), .pair(1, "x"),
        .mixed(1, name: "n", true),
        .list([1, 2], table: ["a": 0.5]), .list([], table: [:]), .maybe(nil), .maybe(1, name: "y"),
        .preset(), .preset(count: 5, name: ""), .default(in: 7, `inout`: 8),
        .longerThanSevenBytes(alsoLongerThanSeven: 1, alsoLongerThanOther: 2), .`init`, .some(4),
        .none, .reader(reader: 1, object: 2), .writer(key: 1, value: 2, _0: 3),
    ]
}

/// Labels that are no plain names.
@Model
private enum Named: Equatable {
    case person(`first-name`: String, `x y`: Int = 2), `at home`(`2nd`: Int)
}

@Model
private enum Bare: Codable, Equatable, CaseIterable { case a, b }

@Model
private indirect enum Tree: Codable, Equatable {
    case leaf(Int)
    case node(left: Tree, right: Tree)
    case many([Tree])
}

@Model(naming: .snakeCase)
private enum Snake: Equatable { case wellKnown(siteName: String, Int), other }

@Model
private enum Expression: Codable, Equatable {
    case number(Double)
    indirect case negated(Expression)
}

@Model
private enum Holder {
    case one(any Asset)
    case maybe((any FileAsset)?)
    case many(list: [any Asset], table: [String: any Asset])
}

@ModelProtocol
private protocol Drawable {}

@Model
private enum Drawing: Drawable, Equatable {
    case circle(radius: Double)
    case empty
}

@Model
private struct Line: Drawable {
    var length = 1
}

@Model
private struct Canvas {
    var main: any Drawable
    var all: [any Drawable]
}

/// Enums without a raw type are written as `Codable` is synthesized.
struct CaseEnumTests {
    @Test(arguments: Command.all)
    fileprivate func everyForm(command: Command) throws {
        try expectRoundTrip(command)
        // What the one writes the other one reads.
        let ours = try command.encoded(as: .json)
        #expect(try JSONDecoder().decode(Command.self, from: ours) == command)
        let theirs = try JSONEncoder().encode(command)
        #expect(try Command(decoding: theirs, as: .json) == command)
    }

    @Test
    func `the shape`() throws {
        #expect(
            try Command.all.json() == """
                [{"stop":{}},{"load":{"key":"a"}},{"store":{"key":"b","value":-1}},\
                {"pair":{"_0":1,"_1":"x"}},{"mixed":{"_0":1,"name":"n","_2":true}},\
                {"list":{"_0":[1,2],"table":{"a":0.5}}},{"list":{"_0":[],"table":{}}},{"maybe":{}},\
                {"maybe":{"_0":1,"name":"y"}},{"preset":{"count":3,"name":"none"}},\
                {"preset":{"count":5,"name":""}},{"default":{"in":7,"inout":8}},\
                {"longerThanSevenBytes":{"alsoLongerThanSeven":1,"alsoLongerThanOther":2}},\
                {"init":{}},{"some":{"_0":4}},{"none":{}},{"reader":{"reader":1,"object":2}},\
                {"writer":{"key":1,"value":2,"_0":3}}]
                """
        )
        try expectRoundTrip(Bare.a)
        #expect(try Bare.allCases.json() == #"[{"a":{}},{"b":{}}]"#)
        #expect(Bare.typeName == "Bare")
        #expect(Bare.modelAttributes.isEmpty)
        let snake = Snake.wellKnown(siteName: "s", 1)
        #expect(try snake.json() == #"{"well_known":{"site_name":"s","_1":1}}"#)
        try expectRoundTrip(snake)
    }

    @Test
    func `absent values`() throws {
        #expect(try Command(json: #"{"preset":{}}"#) == .preset())
        #expect(try Command(json: #"{"preset":{"name":"x"}}"#) == .preset(name: "x"))
        #expect(try Command(json: #"{"maybe":{"_0":null}}"#) == .maybe(nil))
    }

    @Test
    func `unknown fields are passed over`() throws {
        for json in [
            #"{"$type":"x","load":{"key":"a"}}"#, #"{"load":{"key":"a","more":[{}]},"x":{}}"#,
            #"{ "x" : [ 1 ], "y" : { "z" : {} }, "load" : { "key" : "a" } }"#,
        ] {
            #expect(try Command(json: json) == .load(key: "a"))
            #expect(
                try JSONDecoder().decode(Command.self, from: Data(json.utf8)) == .load(key: "a")
            )
        }
        #expect(try Command(json: #"{"stop":{"x":1}}"#) == .stop)
    }

    @Test(
        arguments: [
            (
                #"{"value":{"lode":{"key":1}}}"#,
                #"value: expected a case of Command, found "lode" (line 1, column 11)"#
            ),
            (
                "{\"value\":{\"$type\":\"C\",\n  \"lode\": {}}}",
                #"value: expected a case of Command, found "lode" (line 2, column 3)"#
            ),
            (
                #"{"value":{"lode":1}}"#,
                #"value: expected a case of Command, found "lode" (line 1, column 11)"#
            ),
            (
                #"{"value":{}}"#,
                "value: expected a case of Command, found object without fields (line 1, column 10)"
            ),
            (
                #"{"value":{"stop":{}, "load":{"key":"a"}}}"#,
                #"value: expected one case of Command, found "load" as well (line 1, column 22)"#
            ),
            (
                #"{"value":{"stop":{},"stop":{}}}"#,
                #"value: expected one case of Command, found "stop" as well (line 1, column 21)"#
            ),
            (
                #"{"value":{"store":{"key":"a"}}}"#,
                "value.store.value: expected a value, found no such field (line 1, column 19)"
            ),
            (
                #"{"value":{"pair":{"_0":1,"_1":2}}}"#,
                "value.pair._1: expected String, found 2 (line 1, column 31)"
            ),
            (
                #"{"value":{"load":{"key":"a","key":"b"}}}"#,
                #"value.load.key: expected each field once, found "key" again (line 1, column 35)"#
            ),
            (
                #"{"value":{"stop":null}}"#,
                "value.stop: expected object, found null (line 1, column 18)"
            ),
            (
                #"{"value":{"load":"a"}}"#,
                #"value.load: expected object, found "a" (line 1, column 18)"#
            ),
            (
                #"{"value":"stop"}"#,
                #"value: expected object, found "stop" (line 1, column 10)"#
            ),
        ]
    )
    func errors(json: String, description: String) throws {
        #expect(try decodingError(of: Box<Command>.self, json).description == description)
    }

    @Test
    func `every prefix is an error`() throws {
        let document = Data(try Command.all.json().utf8)
        for count in document.indices {
            _ = try decodingError(of: [Command].self, Data(document.prefix(count)))
        }
    }

    @Test
    func `an enum may hold itself`() throws {
        let tree = Tree.node(
            left: .leaf(1),
            right: .many([.leaf(2), .node(left: .leaf(3), right: .many([]))])
        )
        try expectRoundTrip(tree)
        #expect(try Tree(decoding: JSONEncoder().encode(tree), as: .json) == tree)
        let expression = Expression.negated(.negated(.number(1.5)))
        try expectRoundTrip(expression)
        #expect(
            try expression.json() == #"{"negated":{"_0":{"negated":{"_0":{"number":{"_0":1.5}}}}}}"#
        )
    }

    @Test
    func `depth is limited in an enum that holds itself`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"negated":{"_0":"#, count: depth) + #"{"number":{"_0":1}}"#
                + String(repeating: "}}", count: depth)
        }
        let deepest = try Expression(json: nested(255))
        #expect(try deepest.json() == nested(255))
        #expect(try decodingError(of: Expression.self, nested(256)).kind == .tooDeep)
        #expect(try decodingError(of: Expression.self, nested(100_000)).kind == .tooDeep)
        let bomb = String(repeating: #"{"many":{"_0":["#, count: 100_000)
        #expect(try decodingError(of: Tree.self, bomb).kind == .tooDeep)
        let error = #expect(throws: ModelEncodingError.self) {
            try Expression.negated(deepest).encoded(as: .json)
        }
        #expect(error?.kind == .tooDeep)
    }

    @Test
    func `payloads of protocols`() throws {
        let sound = SoundAsset(name: "s", path: "p")
        let text = #"{"$type":"SoundAsset","name":"s","path":"p","type":"sound"}"#
        for (holder, json) in [
            (Holder.one(sound), #"{"one":{"_0":\#(text)}}"#),
            (.maybe(sound), #"{"maybe":{"_0":\#(text)}}"#), (.maybe(nil), #"{"maybe":{}}"#),
            (
                .many(list: [sound, sound], table: ["a": sound]),
                #"{"many":{"list":[\#(text),\#(text)],"table":{"a":\#(text)}}}"#
            ),
        ] {
            #expect(try holder.json() == json)
            #expect(try Holder(json: json).json() == json)
        }
        let error = try decodingError(of: Holder.self, #"{"one":{"_0":{"$type":"x"}}}"#)
        #expect(error.path == "one._0")
        #expect(error.kind == .unknownType)
    }

    @Test
    func `conforms to a model protocol`() throws {
        let json = """
            {"main":{"$type":"Drawing","circle":{"radius":2}},"all":[{"$type":"Drawing","empty":{}},\
            {"$type":"Line","length":1}]}
            """
        let canvas = try Canvas(json: json)
        #expect(canvas.main as? Drawing == .circle(radius: 2))
        #expect(canvas.all.first as? Drawing == .empty)
        #expect(try canvas.json() == json)
        let late = #"{"main":{"circle":{"radius":2},"$type":"Drawing"},"all":[]}"#
        #expect(try Canvas(json: late).main as? Drawing == .circle(radius: 2))
        let error = try decodingError(
            of: Canvas.self,
            #"{"main":{"$type":"Drawing","square":{}},"all":[]}"#
        )
        #expect(
            error.description
                == #"main: expected a case of Drawing, found "square" (line 1, column 28)"#
        )
    }

    @Test func `labels that are no plain names are those of documents`() throws {
        let values: [Named] = [.person(`first-name`: "A"), .`at home`(`2nd`: 3)]
        let json = #"[{"person":{"first-name":"A","x y":2}},{"at home":{"2nd":3}}]"#
        #expect(try values.json() == json)
        #expect(try [Named](json: json) == values)
    }
}
