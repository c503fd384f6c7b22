import Dovetail
import Foundation
import Testing

@Suite
struct UnionErrorTests {
    private static func error(_ json: String) throws -> ModelDecodingError {
        try #require(throws: ModelDecodingError.self) {
            try Clause(decoding: Data(json.utf8), as: .json)
        }
    }

    /// Three levels; the innermost object is written as it is given.
    private static func nested(_ inner: String) -> String {
        "{\"title\":\"a\",\n \"all\":[{\"title\":\"b\",\n \"all\":[\(inner)]}]}"
    }

    @Test(arguments: [
        (#"{"title" 3}"#, ModelDecodingError.Kind.invalidSyntax),
        (#"{"title":tru}"#, .invalidSyntax),
        (#"{"title":"\ud800"}"#, .invalidEncoding),
        (#"{"title":01}"#, .invalidSyntax),
    ])
    func `what breaks the format is told as such`(
        inner: String,
        kind: ModelDecodingError.Kind
    ) throws {
        let error = try Self.error(Self.nested(inner))
        #expect(error.kind == kind && error.line == 3, "\(error)")
        #expect(error.path.hasPrefix("all[0].all[0]"), "\(error)")
    }

    @Test func `an end inside of a nested union`() throws {
        let error = try Self.error("{\"title\":\"a\",\n \"all\":[{\"title\":\"x\"")
        #expect(error.kind == .unexpectedEnd && error.line == 2, "\(error)")
    }

    @Test func `what is too deep`() throws {
        let depth = ModelReader.maximumDepth
        let json =
            String(repeating: #"{"all":["#, count: depth) + "true"
            + String(repeating: "]}", count: depth)
        #expect(try Self.error(json).kind == .tooDeep)
    }

    @Test func `the error of a union in the only case that is meant has its place`() throws {
        let wrong = try Self.error(Self.nested(#"{"all":[{"least":"x"}]}"#))
        #expect(wrong.kind == .unknownCase && wrong.path == "all[0].all[0].all[0]", "\(wrong)")
        #expect(wrong.line == 3, "\(wrong)")
        for part in ["always", "reference ($ref: ", "object (least: expected Int, found \"x\")"] {
            #expect(wrong.found.contains(part), "\(wrong)")
        }
        let repeated = try Self.error(Self.nested(#"{"title":"x","title":"y"}"#))
        #expect(repeated.path == "all[0].all[0]", "\(repeated)")
        #expect(repeated.found.contains("title"), "\(repeated)")
    }

    @Test func `where several cases can be meant the outer one names them`() throws {
        let json = Data(#"{"a":[{"least":"x"}],"b":[{"least":"x"}]}"#.utf8)
        let error = try #require(throws: ModelDecodingError.self) {
            try EitherClause(decoding: json, as: .json)
        }
        #expect(error.path == "" && error.found.contains("first (a"), "\(error)")
        #expect(error.found.contains("second (b"), "\(error)")
    }

    @Test func `a property list and a document in memory`() throws {
        let document: ModelDocument = ["all": [["all": [["least": "x"]]]]]
        for format in [ModelFormat.plist, .binaryPlist, .cbor] {
            let data = try document.encoded(as: format)
            let error = try #require(throws: ModelDecodingError.self) {
                try Clause(decoding: data, as: format)
            }
            #expect(error.path == "all[0].all[0]", "\(error)")
        }
        let error = try #require(throws: ModelDecodingError.self) { try Clause(document) }
        #expect(error.path == "all[0].all[0]", "\(error)")
    }

    @Test func `a case that refuses a value by an error of syntax is one of several`() throws {
        #expect(try Version(decoding: Data(#""1.x""#.utf8), as: .json) == .text("1.x"))
        #expect(try Version(decoding: Data(#""1.2""#.utf8), as: .json) == .number(Dotted(1, 2)))
    }
}

@Model(unknownFields: .preserve) private struct ClauseReference {
    @Attribute(name: "$ref") var ref: String
}

@Model(tagging: .untagged) private indirect enum Clause {
    case always(Bool)
    case reference(ClauseReference)
    case object(ClauseObject)
}

@Model private struct ClauseObject {
    var title: String?
    var all: [Clause]?
    var least: Int?
}

@Model private struct FirstClause { var a: [Clause] }
@Model private struct SecondClause { var b: [Clause] }

@Model(tagging: .untagged) private enum EitherClause {
    case first(FirstClause)
    case second(SecondClause)
}

/// A value with a grammar of its own, which throws what a reader throws of a broken document.
private struct Dotted: ModelValue, Equatable {
    let major: Int
    let minor: Int

    init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

    init(modelValue reader: inout ModelReader) throws {
        let parts = try String(modelValue: &reader).split(separator: ".").map { Int($0) }
        guard parts.count == 2, let major = parts[0], let minor = parts[1] else {
            throw ModelDecodingError(
                kind: .invalidSyntax,
                path: "",
                expected: "two numbers",
                found: "something else"
            )
        }
        self.init(major, minor)
    }

    func encode(to writer: inout ModelWriter) throws {
        try "\(major).\(minor)".encode(to: &writer)
    }
}

@Model(tagging: .untagged) private enum Version: Equatable {
    case number(Dotted)
    case text(String)
}
