import Dovetail
import TestAssets
import Testing

/// Conformers are found wherever they are declared, with nothing to set up.
struct ConformerPlaceTests {
    @Test(
        arguments: [
            ("ColorAsset", #","red":1,"green":2,"blue":3"#), ("SoundAsset", #","path":"p""#),
            ("NestedAsset", #","path":"p""#), (#"film \"8 mm\" ü"#, ""), ("LateAsset", ""),
            ("GroupAsset", #","member_assets":[]"#), ("SketchAsset", ""),
            ("FarAsset", #","path":"far","distance":1.5"#),
        ]
    )
    func `of asset`(name: String, fields: String) throws {
        let json = "[{\"$type\":\"\(name)\",\"name\":\"n\"\(fields)}]"
        let assets = try [any Asset](decoding: Data(json.utf8), as: .json)
        #expect(assets.map(\.name) == ["n"])
        // Written again it is of the same type.
        let again = try assets.encoded(as: .json)
        #expect(String(decoding: again, as: UTF8.self).hasPrefix("[{\"$type\":\"\(name)\","))
        #expect(
            try [any Asset](decoding: again, as: .json).map { "\($0)" } == assets.map { "\($0)" }
        )
    }

    @Test
    func `of a module that nobody imports`() throws {
        let document = #"{"$type":"FarAsset","name":"n","path":"far","distance":1.5}"#
        let file = try #require(
            try [any FileAsset](decoding: Data("[\(document)]".utf8), as: .json).first
        )
        #expect(String(reflecting: type(of: file)) == "FarAssets.FarAsset")
        #expect(file.path == "far")
        #expect(try file.encoded(as: .json) == Data(document.utf8))
        let group = try AssetGroup(json: "{\"name\":\"g\",\"assets\":[\(document)]}")
        #expect(group.assets.map(\.name) == ["n"])
    }

    @Test(arguments: ["ColorAsset", "SketchAsset", "GroupAsset"])
    func `not of a refined protocol that it does not conform to`(name: String) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try [any FileAsset](decoding: Data("[{\"$type\":\"\(name)\"}]".utf8), as: .json)
        }
        #expect(error.kind == .unknownType)
        #expect(
            error.expected
                == "a conformer of FileAsset (FarAsset, LateAsset, NestedAsset, SoundAsset)"
        )
    }

    @Test
    func `the names are known`() {
        #expect(
            FileAssetModel.conformers.knownNames
                == ["FarAsset", "LateAsset", "NestedAsset", "SoundAsset"]
        )
        #expect(ShapeModel.conformers.knownNames == ["Circle", "Square"])
    }

    @Test
    func `from many threads at once`() async throws {
        let document = Data(#"[{"$type":"FarAsset","name":"n","path":"f","distance":1}]"#.utf8)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    _ = try? [any Asset](decoding: Data(#"[{"$type":"?"}]"#.utf8), as: .json)
                    return try [any FileAsset](decoding: document, as: .json).count
                }
            }
            for try await count in group { #expect(count == 1) }
        }
    }
}
