import Dovetail
import Testing

@ModelProtocol(typeKey: "live")
protocol Unnamed {}
@Model(typeName: "", aliases: ["none"]) struct EmptyNamed: Unnamed, Equatable { var x: Int }
@Model struct OtherNamed: Unnamed, Equatable { var x: Int }

@ModelProtocol(typeKey: "live", tagKind: .boolean)
protocol Broadcast {}
@Model(typeName: "true") struct Live: Broadcast, Equatable { var x: Int }
@Model(typeName: "false") struct Recorded: Broadcast, Equatable { var x: Int }
@Model struct Misnamed: Broadcast { var x: Int }

@ModelProtocol(tagging: .adjacent(tag: "t", content: "c"), tagKind: .boolean)
protocol Beside {}
@Model(typeName: "true") struct Yes: Beside, Equatable { var x: Int }

/// Names of types that are the empty string, or true and false in documents.
struct BooleanTagTests {
    static let formats: [ModelFormat] = [.json, .plist, .binaryPlist]

    @Test(arguments: formats)
    func `boolean tags come back from every format`(format: ModelFormat) throws {
        let unnamed: [any Unnamed] = [EmptyNamed(x: 1), OtherNamed(x: 2)]
        let first = try [any Unnamed](decoding: unnamed.encoded(as: format), as: format)
        #expect(
            first.first as? EmptyNamed == EmptyNamed(x: 1)
                && first.last as? OtherNamed == OtherNamed(x: 2)
        )
        let streams: [any Broadcast] = [Live(x: 1), Recorded(x: 2)]
        let second = try [any Broadcast](decoding: streams.encoded(as: format), as: format)
        #expect(second.first as? Live == Live(x: 1) && second.last as? Recorded == Recorded(x: 2))
        let beside: [any Beside] = [Yes(x: 3)]
        let third = try [any Beside](decoding: beside.encoded(as: format), as: format)
        #expect(third.first as? Yes == Yes(x: 3) && third.count == 1)
    }

    @Test
    func `boolean tags are written as what they are`() throws {
        #expect(
            try [Live(x: 1) as any Broadcast].encoded(as: .json)
                == Data(#"[{"live":true,"x":1}]"#.utf8)
        )
        #expect(
            try [EmptyNamed(x: 1) as any Unnamed].encoded(as: .json)
                == Data(#"[{"live":"","x":1}]"#.utf8)
        )
        #expect(
            try [Yes(x: 1) as any Beside].encoded(as: .json)
                == Data(#"[{"t":true,"c":{"x":1}}]"#.utf8)
        )
    }

    @Test
    func `boolean tags are found wherever they stand`() throws {
        let late = Data(#"[{"x":1,"live":false}, {"x":2 , "live" : true}]"#.utf8)
        let streams = try [any Broadcast](decoding: late, as: .json)
        #expect(streams.first is Recorded && streams.last is Live)
        let empty = Data(#"[{"x":1,"live":""},{"live":"none","x":2}]"#.utf8)
        #expect(try [any Unnamed](decoding: empty, as: .json).allSatisfy { $0 is EmptyNamed })
    }

    @Test(
        arguments: [
            (#"{"live":"true","x":1}"#, .typeMismatch), (#"{"live":1,"x":1}"#, .typeMismatch),
            (#"{"x":1}"#, .unknownType),
        ] as [(String, ModelDecodingError.Kind)]
    )
    func `boolean tags are nothing else`(json: String, kind: ModelDecodingError.Kind) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try BroadcastModel.decode(Data(json.utf8), as: .json)
        }
        #expect(error.kind == kind)
    }

    @Test
    func `another name cannot be written as a boolean`() throws {
        let error = try #require(throws: ModelEncodingError.self) {
            try BroadcastModel.encode(Misnamed(x: 1), as: .json)
        }
        #expect(error.kind == .notRepresentable)
        #expect(error.explanation.hasSuffix("are told apart by true and false"))
    }
}
