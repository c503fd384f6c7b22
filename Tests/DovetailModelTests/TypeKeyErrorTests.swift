import Dovetail
import TestAssets
import Testing

@Model
private struct Library {
    var groups: [String: [any Asset]]
    var twin: (any Twin)?
    var asset: (any Asset)?
}

/// Elements whose type cannot be told.
struct TypeKeyErrorTests {
    private func error(_ element: String) throws -> ModelDecodingError {
        try decodingError(of: Library.self, "{\"groups\":{\"a\":[\n\(element)]}}")
    }

    @Test
    func `an unknown name`() throws {
        let error = try error(#"{"$type":"Nobody"}"#)
        #expect(error.kind == .unknownType)
        #expect(error.path == "groups.a[0]")
        #expect(
            error.expected.hasPrefix(
                "a conformer of Asset (Bag, ColorAsset, FarAsset, GroupAsset, "
            )
        )
        #expect(error.found == #"type "Nobody""#)
        #expect(error.line == 2)
        #expect(error.column == 1)
    }

    @Test(arguments: [
        "", "colorAsset", "ColorAsset ", "ColorAsse", "Color\\u0000", "TestAssets.ColorAsset",
    ])
    func `almost a name`(name: String) throws {
        #expect(try error("{\"$type\":\"\(name)\"}").kind == .unknownType)
    }

    @Test
    func `a long name is cut`() throws {
        let name = String(repeating: "n", count: 10_000)
        #expect(try error("{\"$type\":\"\(name)\"}").description.utf8.count < 400)
    }

    @Test(arguments: [
        "{}", #"{"name":"x"}"#, #"{"type":"ColorAsset"}"#, #"{"a":{"$type":"ColorAsset"}}"#,
    ])
    func `no type key`(element: String) throws {
        let error = try error(element)
        #expect(error.kind == .unknownType)
        #expect(
            error.description == """
                groups.a[0]: expected a conformer of Asset, found object without "$type" \
                (line 2, column 1)
                """
        )
    }

    @Test(arguments: ["1", "null", "true", "[]", "{}", #"["ColorAsset"]"#])
    func `a type key that is no string`(value: String) throws {
        let error = try error("{\"name\":\"x\", \"$type\":\(value)}")
        #expect(error.kind == .typeMismatch)
        #expect(error.path == "groups.a[0].$type")
        #expect(error.expected == "the name of a type")
        #expect(error.line == 2)
        #expect(error.column == 22)
    }

    @Test
    func `two conformers of one name`() throws {
        let error = try decodingError(of: Library.self, #"{"groups":{},"twin":{"$type":"same"}}"#)
        #expect(error.kind == .ambiguousType)
        #expect(error.path == "twin")
        #expect(error.expected == #"one conformer of Twin named "same""#)
        #expect(error.found.contains("First.One and "))
        #expect(error.found.contains("Second.Two"))
        let other = try Library(json: #"{"groups":{},"twin":{"$type":"Other"}}"#)
        #expect(other.twin is First.Other)
    }

    @Test
    func `an error inside of the element`() throws {
        let error = try error(#"{"name":"x","red":1,"green":"2","blue":3,"$type":"ColorAsset"}"#)
        #expect(
            error.description
                == #"groups.a[0].green: expected Int, found "2" (line 2, column 29)"#
        )
        let missing = try self.error(#"{"$type":"SoundAsset","name":"x"}"#)
        #expect(missing.kind == .missingField)
        #expect(missing.path == "groups.a[0].path")
    }

    static let broken: [(String, ModelDecodingError.Kind)] = [
        (#"{"name":"x","$type":"ColorAsset""#, .invalidSyntax), ("{", .invalidSyntax),
        (#"{"name":tru,"$type":"ColorAsset"}"#, .invalidSyntax), ("{,}", .invalidSyntax),
        (#"{"$type":"Color"#, .unexpectedEnd), (#"{"$type" "ColorAsset"}"#, .invalidSyntax),
        (#"{"$type":"\ud800"}"#, .invalidEncoding),
        (#"{"a":01,"$type":"SketchAsset"}"#, .invalidSyntax),
        (#"{"$type":}"#, .invalidSyntax), (#"{"a":"\x","$type":"SketchAsset"}"#, .invalidSyntax),
    ]

    @Test(arguments: broken)
    func `broken elements`(element: String, kind: ModelDecodingError.Kind) throws {
        #expect(try error(element).kind == kind)
    }
}
