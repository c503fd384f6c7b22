import Dovetail
import Testing

@Model struct Negation: Equatable { var child: Expr, negated: Bool }
@Model struct Cast: Equatable { var child: Expr, to: String }
@Model(tagging: .untagged) indirect enum Expr: Equatable {
    case negation(Negation), cast(Cast), all([Expr]), literal(Int)
}

@ModelProtocol(tagging: .untagged, conformers: NestedLeft.self, NestedRight.self) protocol Nested {}
@Model struct NestedLeft: Nested { var inner: [any Nested], left: Int }
@Model struct NestedRight: Nested { var inner: [any Nested], right: Int }

/// Untagged unions inside of each other, whose cases are told apart by what comes after the inner one: each level
/// took twice as long as the one below.
struct NestedUnionTests {
    private static let levels = 120

    /// Casts, negations and lists inside of each other, around a text.
    private static func json(around inner: String, in object: (String, Int) -> String) -> Data {
        var text = inner
        for level in 0..<levels { text = object(text, level) }
        return Data(text.utf8)
    }

    private static func expression(around inner: String) -> Data {
        json(around: inner) { inner, level in
            switch level % 4 {
            case 0: #"{"child":\#(inner),"to":"\#(level)"}"#
            case 1: #"{"to":"\#(level)","child":\#(inner)}"#
            case 2: #"{"child":\#(inner),"negated":true}"#
            default: "[\(inner),\(level)]"
            }
        }
    }

    @Test func `many levels are read once or twice`() throws {
        let data = Self.expression(around: "7")
        let read = try Expr(decoding: data, as: .json)
        #expect(try Expr(decoding: read.encoded(as: .json), as: .json) == read)
        for format in [ModelFormat.plist, .binaryPlist] {
            #expect(try Expr(decoding: read.encoded(as: format), as: format) == read)
        }
        // The same values inside of one that is read again and again.
        #expect(
            try [Expr](decoding: Data("[".utf8) + data + Data(",1]".utf8), as: .json)[0] == read
        )
    }

    @Test func `a protocol`() throws {
        let data = Self.json(around: "") {
            #"{"inner":[\#($0)],"\#($1 % 2 == 0 ? "left" : "right")":1}"#
        }
        let read = try [any Nested](decoding: Data("[".utf8) + data + Data("]".utf8), as: .json)
        #expect(read.count == 1)
    }

    @Test func `what is wrong inside is an error with its place, and not an endless one`() throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try Expr(decoding: Self.expression(around: "false"), as: .json)
        }
        #expect(error.kind == .unknownCase)
        #expect(error.description.utf8.count < 4000)
        let short = try #require(throws: ModelDecodingError.self) {
            try Expr(decoding: Data(#"{"child":false,"to":"x"}"#.utf8), as: .json)
        }
        #expect(short.found.contains("negation") && short.found.contains("child"))
    }
}
