import Dovetail
import TestAssets
import Testing

/// Pretty and sorted output.
struct FormatLayoutTests {
    private func text(_ json: String, _ format: ModelFormat) throws -> String {
        let document = try ModelDocument(json: json)
        return String(decoding: try document.encoded(as: format), as: UTF8.self)
    }

    @Test
    func `pretty-printed JSON`() throws {
        let json = #"{"b":[1,{"x":"a,b:{\"[\\"},[],{}],"a":{"c":null},"e":"","d":[[2]]}"#
        #expect(
            try text(json, .json(pretty: true)) == """
                {
                  "b": [
                    1,
                    {
                      "x": "a,b:{\\"[\\\\"
                    },
                    [],
                    {}
                  ],
                  "a": {
                    "c": null
                  },
                  "e": "",
                  "d": [
                    [
                      2
                    ]
                  ]
                }
                """
        )
        for scalar in ["1", "null", "\"{\"", "[]", "{}", "-1.50"] {
            #expect(try text(scalar, .json(pretty: true, sortedKeys: true)) == scalar)
        }
    }

    @Test
    func `sorted keys`() throws {
        // U+FF5E comes before U+1F600 in scalars, and after it in UTF-16.
        let json =
            "{\"b\":1,\"a\":{\"😀\":1,\"～\":2,\"é\":3,\"Z\":4,\"\":5},\"b\":0,\"B\":[{\"y\":1.0,\"x\":1e5}]}"
        let expected =
            "{\"B\":[{\"x\":1e5,\"y\":1.0}],\"a\":{\"\":5,\"Z\":4,\"é\":3,\"～\":2,\"😀\":1},\"b\":1,\"b\":0}"
        #expect(try text(json, .json(sortedKeys: true)) == expected)
        #expect(try text(json, .json()) == json)
        let both = try text(json, .json(pretty: true, sortedKeys: true))
        #expect(both == (try text(expected, .json(pretty: true))))
    }

    @Test
    func `models and collections`() throws {
        let format = ModelFormat.json(pretty: true, sortedKeys: true)
        let sound = SoundAsset(name: "s", path: "p")
        let list: [any Asset] = [sound]
        for data in [
            try sound.encoded(as: format), try [sound].encoded(as: format),
            try list.encoded(as: format), try ["k": sound].encoded(as: format),
            try (sound as any Asset).encoded(as: format),
        ] {
            #expect(data.contains(0x0A))
        }
        #expect(try SoundAsset(decoding: sound.encoded(as: format), as: format) == sound)
        #expect(try [any Asset](decoding: list.encoded(as: format), as: format).count == 1)
        let everything = try Everything(json: Everything.document)
        let again = try Everything(decoding: everything.encoded(as: format), as: format)
        #expect(try again.json() == everything.json())
    }

    @Test
    func `layouts are formats of their own`() {
        #expect(ModelFormat.json == .json())
        #expect(ModelFormat.json != .json(pretty: true))
        #expect(ModelFormat.json(pretty: true) != .json(pretty: true, sortedKeys: true))
        #expect(ModelFormat.json(sortedKeys: true).name == "JSON")
    }

    /// A plain `Codable` value writes nothing that is too deep to be read again.
    @Test(arguments: [ModelFormat.json, .json(sortedKeys: true)])
    func `what is too deep is not written`(_ format: ModelFormat) throws {
        let holder = [[[[[[DeepHolder(value: .init(depth: 509))]]]]]]
        let error = #expect(throws: ModelEncodingError.self) { try holder.encoded(as: format) }
        #expect(error?.kind == .tooDeep)
        let less = [DeepHolder(value: .init(depth: 400))]
        #expect(try [DeepHolder](decoding: less.encoded(as: format), as: format).count == 1)
    }
}

struct Burrow: Codable, Sendable {
    var depth: Int
    init(depth: Int) { self.depth = depth }
    init(from decoder: any Decoder) throws { depth = 0 }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if depth > 0 { try container.encode(Burrow(depth: depth - 1)) }
    }
}

@Model
private struct DeepHolder {
    var value: Burrow
}
