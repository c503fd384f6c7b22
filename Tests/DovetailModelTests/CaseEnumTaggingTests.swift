import Dovetail
import Testing

@ModelProtocol(typeKey: "kind", aliases: ["was"])
private protocol Step {}

@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"))
private protocol BesideStep: Step {}

@ModelProtocol(tagging: .external)
private protocol AroundStep: Step {}

@ModelProtocol(typeKey: "kind", tagKind: .integer)
private protocol NumberedStep {}

@ModelProtocol(typeKey: "kind", tagKind: .stringOrList)
private protocol ListedStep {}

@Model(typeName: "7", aliases: ["Move"])
private enum Move: BesideStep, AroundStep, NumberedStep, ListedStep, Equatable, Sendable {
    case walk(distance: Double, Int), rest
    case kind(kind: String), was
    indirect case again(Move, times: Int = 2)
}

/// An enum with values as `any P`, with the name of its type in every place.
struct CaseEnumTaggingTests {
    private static let moves: [(Move, String)] = [
        (.walk(distance: 2, 3), #""walk":{"distance":2,"_1":3}"#), (.rest, #""rest":{}"#),
        (.again(.rest), #""again":{"_0":{"rest":{}},"times":2}"#),
    ]

    private static let unknown = #""x":[{"kind":"y","t":1}],"z":{}"#

    @Test(arguments: moves)
    fileprivate func inside(move: Move, fields: String) throws {
        for key in [#""kind":"7""#, #""was":"7""#, #""k\u0069nd" : "Move""#] {
            for text in [
                "{\(key),\(fields)}", "{\(fields),\(key)}",
                "{ \(Self.unknown), \(fields) ,\n\(key) }",
                "{\(fields),\(Self.unknown),\(key)}", "{\(Self.unknown),\(key),\(fields)}",
            ] {
                let read = try [any Step](decoding: Data("[\(text),\(text)]".utf8), as: .json)
                #expect(read.map { $0 as? Move } == [move, move], "\(text)")
            }
        }
        let step: any Step = move
        #expect(try step.encoded(as: .json) == Data(#"{"kind":"7",\#(fields)}"#.utf8))
        for text in [#"{"kind":7,\#(fields)}"#, #"{\#(fields),"kind" : 7e0}"#] {
            #expect(try NumberedStepModel.decode(Data(text.utf8), as: .json) as? Move == move)
        }
        for text in [
            #"{"kind":["?","Move"],\#(fields)}"#, #"{\#(fields),"kind":["7","Other"]}"#,
            #"{\#(fields),"kind":"Move"}"#,
        ] {
            #expect(try ListedStepModel.decode(Data(text.utf8), as: .json) as? Move == move)
        }
    }

    @Test(arguments: moves)
    fileprivate func beside(move: Move, fields: String) throws {
        for text in [
            #"{"t":"7","c":{\#(fields)}}"#, #"{"c":{\#(fields)},"t":"Move"}"#,
            #"{ \#(Self.unknown), "c" : {\#(Self.unknown),\#(fields)}, "y": 1, "t" : "7" }"#,
        ] {
            let read = try [any BesideStep](decoding: Data("[\(text),\(text)]".utf8), as: .json)
            #expect(read.map { $0 as? Move } == [move, move], "\(text)")
        }
        let step: any BesideStep = move
        #expect(try step.encoded(as: .json) == Data(#"{"t":"7","c":{\#(fields)}}"#.utf8))
    }

    @Test(arguments: moves)
    fileprivate func around(move: Move, fields: String) throws {
        for text in [
            #"{"7":{\#(fields)}}"#, #"{\#(Self.unknown),"Move":{\#(fields)}}"#,
            #"{"Move" : { \#(fields), \#(Self.unknown) } , \#(Self.unknown)}"#,
        ] {
            let read = try [any AroundStep](decoding: Data("[\(text),\(text)]".utf8), as: .json)
            #expect(read.map { $0 as? Move } == [move, move], "\(text)")
        }
        let step: any AroundStep = move
        #expect(try step.encoded(as: .json) == Data(#"{"7":{\#(fields)}}"#.utf8))
    }

    /// The values of the case `kind` are an object, which is no name of a type.
    @Test
    func `a case named like the type key`() throws {
        let step: any Step = Move.kind(kind: "k")
        let beside: any BesideStep = Move.kind(kind: "k")
        let text = #"{"t":"7","c":{"kind":{"kind":"k"}}}"#
        #expect(try beside.encoded(as: .json) == Data(text.utf8))
        #expect(
            try BesideStepModel.decode(Data(text.utf8), as: .json) as? Move == .kind(kind: "k")
        )
        for step in [step, Move.was] {
            let error = #expect(throws: ModelEncodingError.self) { try step.encoded(as: .json) }
            #expect(error?.kind == .typeKeyConflict)
        }
        for text in [
            #"{"kind":"7","kind":{"kind":"k"}}"#, #"{"kind":{"kind":"k"},"kind":"7"}"#,
        ] {
            #expect(throws: ModelDecodingError.self) {
                try StepModel.decode(Data(text.utf8), as: .json)
            }
        }
    }

    @Test(
        arguments: [
            (#"{"walk":{"distance":"x","_1":3},"kind":"7"}"#, "walk.distance"),
            (#"{"walk":{"distance":1},"kind":"7"}"#, "walk._1"),
            (#"{"rest":{},"walk":{"distance":1,"_1":3},"kind":"7"}"#, ""),
            (#"{"run":{},"kind":"7"}"#, ""), (#"{"kind":"7"}"#, ""),
            (#"{"rest":{},"kind":"7","kind":"7"}"#, "kind"),
        ]
    )
    func `errors say where`(json: String, path: String) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try StepModel.decode(Data(json.utf8), as: .json)
        }
        #expect(error.path == path)
    }

    @Test
    func `every prefix is an error`() {
        for text in [
            #"{"walk":{"distance":2,"_1":3},"kind":"7"}"#, #"{"c":{"rest":{}},"t":"7"}"#,
            #"{"x":1,"7":{"rest":{}}}"#,
        ] {
            let data = Data(text.utf8)
            for count in data.indices {
                let prefix = data.prefix(count)
                #expect(throws: ModelDecodingError.self) {
                    try StepModel.decode(prefix, as: .json)
                }
                #expect(throws: ModelDecodingError.self) {
                    try BesideStepModel.decode(prefix, as: .json)
                }
                #expect(throws: ModelDecodingError.self) {
                    try AroundStepModel.decode(prefix, as: .json)
                }
            }
        }
    }
}
