import Dovetail
import TestAssets
import Testing

/// `[any P]` and `any P` as whole documents.
struct PolymorphicRootTests {
    private let sound = SoundAsset(name: "s", path: "p")
    private let color = ColorAsset(name: "c", red: 1, green: 2, blue: 3)

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    @Test
    func `arrays at the root`() throws {
        let assets: [any Asset] = [color, sound, SketchAsset(name: "k")]
        let data = try assets.encoded(as: .json)
        #expect(text(data).hasPrefix(#"[{"$type":"ColorAsset","red":1"#))
        let back = try [any Asset](decoding: data, as: .json)
        #expect(back.map(\.name) == ["c", "s", "k"])
        #expect(back[0] as? ColorAsset == color)
        #expect(back[2] as? SketchAsset == SketchAsset(name: "k"))
        #expect(try [any Asset](decoding: Data(" [ ] ".utf8), as: .json).isEmpty)
        let none: [any Asset] = []
        #expect(text(try none.encoded(as: .json)) == "[]")
    }

    @Test
    func `arrays of a refined protocol`() throws {
        let files: [any FileAsset] = [sound, LateAsset(name: "l")]
        let data = try files.encoded(as: .json)
        #expect(try [any FileAsset](decoding: data, as: .json).map(\.path) == ["p", "/l"])
        #expect(try [any Asset](decoding: data, as: .json).map(\.name) == ["s", "l"])
    }

    @Test
    func `dictionaries at the root`() throws {
        let assets: [String: any Asset] = ["second": sound, "first": color]
        let data = try assets.encoded(as: .json)
        #expect(text(data).hasPrefix(#"{"first":{"$type":"ColorAsset","red":1"#))
        let back = try [String: any Asset](decoding: data, as: .json)
        #expect(back.count == 2)
        #expect(back["first"] as? ColorAsset == color)
        #expect(back["second"] as? SoundAsset == sound)
        #expect(try [Int: any Asset](decoding: Data("{}".utf8), as: .json).isEmpty)
        let error = try #require(throws: ModelDecodingError.self) {
            try [Int: any Asset](decoding: data, as: .json)
        }
        #expect(error.path == "first")
        let concrete = ["a": sound]
        #expect(try text(concrete.encoded(as: .json)) == #"{"a":"# + sound.json() + "}")
        #expect(
            try [String: SoundAsset](decoding: concrete.encoded(as: .plist), as: .plist) == concrete
        )
    }

    @Test
    func `dictionaries in files`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        let assets: [String: any Asset] = ["s": sound]
        try assets.save(as: .binaryPlist, to: file)
        #expect(try [String: any Asset](contentsOf: file)["s"] as? SoundAsset == sound)
        try ["s": sound].save(as: .json, to: file)
        #expect(try [String: SoundAsset](contentsOf: file) == ["s": sound])
        #expect(throws: ModelDecodingError.self) { try [String: any Asset](contentsOf: file) }
    }

    @Test
    func `one value`() throws {
        let asset: any Asset = sound
        let document = #"{"$type":"SoundAsset","name":"s","path":"p","type":"sound"}"#
        #expect(text(try asset.encoded(as: .json)) == document)
        let file: any FileAsset = sound
        #expect(text(try file.encoded(as: .json)) == document)
        // Its own type is declared, so nothing has to be told apart.
        #expect(try text(sound.encoded(as: .json)) == sound.json())
        #expect(!text(try sound.encoded(as: .json)).contains("$type"))
        #expect(!text(try [sound].encoded(as: .json)).contains("$type"))
    }

    @Test
    func `arrays of concrete models`() throws {
        let data = try [sound, sound].encoded(as: .json)
        #expect(try [SoundAsset](decoding: data, as: .json) == [sound, sound])
        let error = try #require(throws: ModelDecodingError.self) {
            try [any Asset](decoding: data, as: .json)
        }
        #expect(error.kind == .unknownType)
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, ""), ("{}", .typeMismatch, ""), ("[", .unexpectedEnd, "[0]"),
            ("[1]", .typeMismatch, "[0]"), ("[null]", .typeMismatch, "[0]"),
            ("[[]]", .typeMismatch, "[0]"), ("[{}]", .unknownType, "[0]"),
            (#"[{"$type":"SketchAsset","name":"k"},]"#, .invalidSyntax, "[1]"),
            (#"[{"$type":"SketchAsset","name":"k"}] x"#, .trailingContent, ""),
        ] as [(String, ModelDecodingError.Kind, String)]
    )
    func `a broken root is an error with its place`(
        json: String,
        kind: ModelDecodingError.Kind,
        path: String
    ) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try [any Asset](decoding: Data(json.utf8), as: .json)
        }
        #expect(error.kind == kind)
        #expect(error.path == path)
    }

    @Test
    func `a conformer that is no object`() throws {
        let word: any Asset = WordAsset.word
        let single = try #require(throws: ModelEncodingError.self) { try word.encoded(as: .json) }
        #expect(single.kind == .noObject)
        let list = try #require(throws: ModelEncodingError.self) {
            try [sound, word, sound].encoded(as: .json)
        }
        #expect(list.kind == .noObject)
        #expect(list.explanation.contains("WordAsset"))
    }
}
