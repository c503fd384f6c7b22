import Dovetail
import TestAssets
import Testing

@Model
private struct Node {
    var child: [Node]?
    var table: [String: Node]?
}

@Model
private struct Bag: Asset {
    var name = "bag"
    var assets: [any Asset] = []
}

/// Documents are at most 512 levels deep, whatever they are read into.
struct DepthTests {
    private static func nested(_ open: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + String(repeating: close, count: depth)
    }

    private func expectLimit<Value: ModelValue>(
        _ type: Value.Type,
        levels: Int = 1,
        outside: Int = 1,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ document: (Int) -> String
    ) throws {
        let most = (512 - outside) / levels
        _ = try Value(json: document(most))
        let error = try decodingError(of: type, document(most + 1), sourceLocation: sourceLocation)
        #expect(error.kind == .tooDeep, sourceLocation: sourceLocation)
        #expect(error.expected == "at most 512 levels", sourceLocation: sourceLocation)
        let bomb = try decodingError(of: type, document(100_000), sourceLocation: sourceLocation)
        #expect(bomb.kind == .tooDeep, sourceLocation: sourceLocation)
    }

    @Test
    func `unknown fields`() throws {
        try expectLimit(Everything.self) { "{\"x\":\(Self.nested("[", "]", $0))}" }
        try expectLimit(Everything.self) {
            "{\"x\":\(Self.nested("{\"a\":", "}", $0 - 1).replacing(":}", with: ":{}}"))}"
        }
        try expectLimit(Everything.self, levels: 2) {
            "{\"x\":" + Self.nested("[{\"a\":", "}]", $0).replacing(":}", with: ":0}") + "}"
        }
        try expectLimit(Inner.self) { "{\"x\":\(Self.nested("[", "]", $0)),\"number\":1}" }
    }

    @Test
    func `containers of models`() throws {
        try expectLimit(Node.self, levels: 2, outside: 0) {
            Self.nested("{\"child\":[", "]}", $0)
        }
        try expectLimit(Node.self, levels: 2, outside: 0) {
            Self.nested("{\"table\":{\"k\":", "}}", $0).replacing(":}", with: ":{\"child\":null}}")
                .replacing(":{\"child\":null}", with: ":null")
                .replacing("\"k\":null", with: "")
        }
    }

    @Test
    func `polymorphic containers`() throws {
        let open = "{\"$type\":\"Bag\",\"name\":\"b\",\"assets\":["
        try expectLimit(Bag.self, levels: 2, outside: 0) { Self.nested(open, "]}", $0) }
        // The type key comes last, so that everything before it is passed over first.
        let late = "{\"name\":\"b\",\"assets\":["
        _ = try Bag(json: Self.nested(late, "],\"$type\":\"Bag\"}", 100))
        let error = try decodingError(of: Bag.self, Self.nested(late, "],\"$type\":\"Bag\"}", 257))
        #expect(error.kind == .tooDeep)
        let bomb = try decodingError(
            of: Bag.self,
            Self.nested(late, "],\"$type\":\"Bag\"}", 100_000)
        )
        #expect(bomb.kind == .tooDeep)
    }

    @Test(arguments: [
        "int", "text", "date", "list", "grid", "distinct", "table", "numbered", "inner", "plain",
        "asset",
        "file", "assets", "assetTable", "assetGrid", "shade", "level", "bool", "double", "decimal",
        "",
    ])
    func `bombs in every kind`(field: String) throws {
        for (open, close) in [
            ("[", "]"), ("{\"a\":", "}"), ("[{\"$type\":", "}]"), ("{\"1\":[", "]}"), ("[[", ""),
        ] {
            let bomb = Self.nested(open, close, 100_000)
            let error = try decodingError(of: Everything.self, "{\"\(field)\":\(bomb)}")
            #expect([.tooDeep, .typeMismatch, .unknownType].contains(error.kind))
            #expect(error.description.utf8.count < 100_000)
        }
    }

    @Test
    func `writing stops there too`() throws {
        var bag: any Asset = Bag()
        for _ in 0..<255 { bag = Bag(assets: [bag]) }
        _ = try bag.encoded(as: .json)
        let deeper: any Asset = Bag(assets: [bag])
        let error = try #require(throws: ModelEncodingError.self) { try deeper.encoded(as: .json) }
        #expect(error.kind == .tooDeep)
    }
}
