import Dovetail
import DovetailTesting
import TestAssets
import Testing

@Model
private struct Holder {
    var asset: any Asset
    var tail: Int
}

/// The type key is found wherever it is among the fields.
struct TypeKeyPlaceTests {
    private let fields = [
        #""name":"s""#, #""path":"p\u0000""#, #""type":"sound""#,
        #""other":{"$type":"x","a":[1,"]"]}"#,
        #""more":[{"$type":"ColorAsset"},"$type"]"#,
    ]

    @Test(arguments: 0...5, [#""$type""#, #""\u0024type""#, #""$\u0074\u0079pe""#])
    func `every place`(place: Int, key: String) throws {
        var all = fields
        all.insert(key + #" : "SoundAsset""#, at: place)
        for separator in [",", " ,\n\t"] {
            let json = "{\"asset\":{\(all.joined(separator: separator))} ,\"tail\":1}"
            let holder = try Holder(json: json)
            #expect(holder.asset as? SoundAsset == SoundAsset(name: "s", path: "p\0"))
            #expect(holder.tail == 1)
        }
    }

    @Test
    func `every order of fields`() throws {
        var random = SeededRandom()
        for _ in 0..<300 {
            let all = (fields + [#""$type":"SoundAsset""#]).shuffled(using: &random)
            let list =
                "[{\(all.joined(separator: ","))},{\(all.reversed().joined(separator: ", "))}]"
            let assets = try [any Asset](decoding: Data(list.utf8), as: .json)
            let expected = SoundAsset(name: "s", path: "p\0")
            #expect(assets.map { $0 as? SoundAsset } == [expected, expected], random.comment)
        }
    }

    @Test
    func `the name may be escaped`() throws {
        let json = #"{"asset":{"$type":"\u0053ound\u0041sset","name":"","path":""},"tail":2}"#
        #expect(try Holder(json: json).asset is SoundAsset)
        let named = #"{"asset":{"$type":"film \"8 mm\" \u00fc","name":"x"},"tail":2}"#
        #expect(try Holder(json: named).asset is Studio.NamedAsset)
        #expect(
            try Holder(json: Holder(asset: Studio.NamedAsset(name: ""), tail: 1).json()).tail == 1
        )
    }

    /// A protocol without a type key has that of the protocol it refines, through several steps.
    @Test
    func `the key is inherited`() throws {
        let key = #"{"the \"kind\"":"Square","side":2}"#
        #expect(try [any Figure](decoding: Data("[\(key)]".utf8), as: .json).first is Square)
        #expect(try [any Polygon](decoding: Data("[\(key)]".utf8), as: .json).first is Square)
        let polygon: any Polygon = Square(side: 2)
        #expect(try polygon.encoded(as: .json) == Data(key.utf8))
        let shape: any Shape = Square(side: 2)
        #expect(try shape.encoded(as: .json) == Data(#"{"$type":"Square","side":2}"#.utf8))
        let error = try #require(throws: ModelDecodingError.self) {
            try [any Polygon](decoding: Data(#"[{"$type":"Square","side":2}]"#.utf8), as: .json)
        }
        #expect(error.found == #"object without "the "kind"""#)
    }
}
