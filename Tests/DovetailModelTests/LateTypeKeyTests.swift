import Dovetail
import DovetailTesting
import TestAssets
import Testing

/// A type key after other fields is found by its bytes, before these are checked.
struct LateTypeKeyTests {
    private func outcome(_ json: String) -> String {
        do {
            let assets = try [any Asset](decoding: Data(json.utf8), as: .json)
            return assets.map { "\($0)" }.joined(separator: ", ")
        } catch let error as ModelDecodingError {
            return "\(error.kind) \(error.path) \(error.expected)"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        arguments: [
            #"{"name":"$type","path":"$type","$type":"SoundAsset"}"#,
            #"{"name":"{","path":"}]|","$type":"SoundAsset"}"#,
            #"{"$typed":"ColorAsset","name":"a","path":"b","$type" : "SoundAsset"}"#,
            #"{"$":"ColorAsset","$typ":"x","name":"a","path":"b","$type":"SoundAsset"}"#,
            #"{"other":{"$type":"ColorAsset"},"name":"a","path":"b","$type":"SoundAsset"}"#,
            #"{"name":"a","path":"b","$type":"SoundAsset","other":{"$type":"ColorAsset"}}"#,
        ]
    )
    func `the right one`(object: String) throws {
        let assets = try [any Asset](decoding: Data("[\(object),\(object)]".utf8), as: .json)
        #expect(assets.count == 2)
        #expect(assets.allSatisfy { $0 is SoundAsset })
    }

    @Test
    func `errors about what stands before`() throws {
        func error(_ json: String) throws -> ModelDecodingError {
            try #require(throws: ModelDecodingError.self) {
                try [any Asset](decoding: Data(json.utf8), as: .json)
            }
        }
        // The first wrong byte is told, although the conformer would refuse the 5 before it.
        let comma = try error(#"[{"name":5,"path":"" "x":1,"$type":"SoundAsset"}]"#)
        #expect(comma.kind == .invalidSyntax)
        #expect(comma.column == 22)
        let name = try error(#"[{"name":5,"path":"","$type":"SoundAsset"}]"#)
        #expect(name.kind == .typeMismatch)
        #expect(name.path == "[0].name")
        let again = try error(#"[{"name":"","path":"","$type":"SoundAsset","$type":"SoundAsset"}]"#)
        #expect(again.kind == .repeatedField)
        let unknown = try error(#"[{"name":"","path":"","$type":"None"}]"#)
        #expect(unknown.kind == .unknownType)
        #expect(unknown.column == 2)
        let syntax = try error(#"[{"name":"","path":tru,"$type":"None"}]"#)
        #expect(syntax.kind == .typeMismatch || syntax.kind == .invalidSyntax)
    }

    /// A key with an escape is never found by its bytes, so both ways are compared.
    @Test
    func `changed documents end alike`() throws {
        var random = SeededRandom()
        let noise = Array(#""$type:{}[],\x05 SoundAsset"#.utf8)
        let documents = [
            #"[{"name":"s","path":"p","type":"sound",KEY:"SoundAsset","more":1}"#
                + #",{"name":"long enough for a block","path":"/a/b",KEY:"SoundAsset"}]"#,
            #"[{"red":1,"green":2,"blue":3,"name":"c",KEY:"ColorAsset"}, {"name":"$type","#
                + #""path":"$type" , KEY : "SoundAsset" , "last":["x"]}]"#,
        ]
        for _ in 0..<4_000 {
            var bytes = Array(documents[Int.random(in: 0..<2, using: &random)].utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let byte = noise.randomElement(using: &random) ?? 0x20
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = byte
                case 1: bytes.insert(byte, at: place)
                default: bytes.remove(at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let plain = text.replacing("KEY", with: #""$type""#)
            let escaped = text.replacing("KEY", with: #""\u0024type""#)
            #expect(outcome(plain) == outcome(escaped), "\(plain) \(random.comment)")
        }
    }
}
