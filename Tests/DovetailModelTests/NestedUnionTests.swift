import Dovetail
import Testing

@Model struct Negation: Equatable { var child: Expr, negated: Bool }
@Model struct Cast: Equatable { var child: Expr, to: String }
@Model(tagging: .untagged) indirect enum Expr: Equatable {
    case negation(Negation), cast(Cast), all([Expr]), literal(Int)
}

/// Its only version 1 had another name for the expression, around which a step puts another one.
@Model(version: 2) private struct Formula: Equatable {
    var body: Expr

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        guard let old = document["text"] else { return }
        document["text"] = nil
        document["body"] = ["child": old, "to": "x"]
    }
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

    @Test func `in a document in memory, and what a migration puts in`() throws {
        let data = Self.expression(around: "7")
        let read = try Expr(decoding: data, as: .json)
        let document = try ModelDocument(decoding: data, as: .json)
        #expect(try Expr(document) == read)
        #expect(
            try [Expr](ModelDocument.array([document, 1, document])) == [read, .literal(1), read]
        )
        let old = Data(#"{"text":"#.utf8) + data + Data("}".utf8)
        let formula = try Formula(decoding: old, as: .json)
        #expect(formula.body == .cast(Cast(child: read, to: "x")))
        // Each of them is put where the one before was.
        let texts = ["1", "[2]", #"{"child":3,"negated":true}"#].map { #"{"text":\#($0)}"# }
        let list = Data("[\(texts.joined(separator: ","))]".utf8)
        #expect(
            try [Formula](decoding: list, as: .json).map(\.body) == [
                .cast(Cast(child: .literal(1), to: "x")),
                .cast(Cast(child: .all([.literal(2)]), to: "x")),
                .cast(Cast(child: .negation(Negation(child: .literal(3), negated: true)), to: "x")),
            ]
        )
        let wrong = try ModelDocument(decoding: Self.expression(around: "false"), as: .json)
        #expect(throws: ModelDecodingError.self) { try Expr(wrong) }
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
