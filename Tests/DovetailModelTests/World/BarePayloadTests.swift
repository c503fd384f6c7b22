import Dovetail
import DovetailTesting
import Testing

/// `@Model(payload: .bare)`: a case with one value is its field's value.
struct BarePayloadTests {
    @Model(naming: .snakeCase, payload: .bare)
    indirect enum Parent: Equatable {
        case pageId(String)
        case workspace(Bool)
        case block(Block)
        case maybe(Int?)
        case either([Parent])
        case none
        case range(from: Int, to: Int)
        case pair(Int, Int)
    }

    @Model struct Block: Equatable { var depth: Int }

    static let cases: [(value: Parent, json: String)] = [
        (.pageId("x"), #"{"page_id":"x"}"#), (.workspace(true), #"{"workspace":true}"#),
        (.block(Block(depth: 2)), #"{"block":{"depth":2}}"#), (.maybe(nil), #"{"maybe":null}"#),
        (.maybe(3), #"{"maybe":3}"#),
        (.either([.none, .maybe(1)]), #"{"either":[{"none":{}},{"maybe":1}]}"#),
        (.none, #"{"none":{}}"#), (.range(from: 1, to: 2), #"{"range":{"from":1,"to":2}}"#),
        (.pair(1, 2), #"{"pair":{"_0":1,"_1":2}}"#),
    ]

    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist, .cbor])
    func `a value stands for its case`(format: ModelFormat) throws {
        var count = 0
        for (value, json) in Self.cases {
            #expect(try value.encoded(as: .json) == Data(json.utf8))
            #expect(try Parent(decoding: Data(json.utf8), as: .json) == value)
            #expect(try Parent(decoding: value.encoded(as: format), as: format) == value)
            count += 1
        }
        #expect(count == 9)
    }

    @Test
    func `laws hold`() throws { try checkModels(Self.cases.map(\.value), changes: 1_000) }

    @Test
    func `errors know their place`() throws {
        for (json, path) in [
            (#"{"page_id":1}"#, "page_id"), (#"{"block":{"depth":"x"}}"#, "block.depth"),
            (#"{"either":[{"maybe":1},{"maybe":"x"}]}"#, "either[1].maybe"),
        ] {
            let error = try #require(throws: ModelDecodingError.self) {
                try Parent(decoding: Data(json.utf8), as: .json)
            }
            #expect(error.path == path)
        }
        let second = try #require(throws: ModelDecodingError.self) {
            try Parent(decoding: Data(#"{"maybe":1,"page_id":"x"}"#.utf8), as: .json)
        }
        #expect(second.kind == .unknownCase)
    }
}
