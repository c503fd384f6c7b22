import Dovetail
import Testing

@Suite struct OlderVersionTests {
    @Test(arguments: [ModelFormat.json, .plist, .binaryPlist])
    func `an older shape is written step by step`(_ format: ModelFormat) throws {
        let engine = Engine(name: "V8", power: 90)
        let expected = [
            #"{"title":"V8","power":"90 kW"}"#, #"{"$version":2,"name":"V8","power":"90 kW"}"#,
            #"{"$version":3,"name":"V8","power":90}"#,
        ]
        for (index, text) in expected.enumerated() {
            let data = try engine.encoded(as: format, version: index + 1)
            let document = try ModelDocument(decoding: data, as: format)
            #expect(try document == ModelDocument(decoding: Data(text.utf8), as: .json))
            #expect(document.members?.map(\.key).contains("$version") == (index > 0))
            #expect(try Engine(decoding: data, as: format) == engine)
        }
    }

    @Test func `nested models stay in their version unless the model takes them down`() throws {
        let data = try Workshop.sample.encoded(as: .json, version: 1)
        let document = try ModelDocument(decoding: data, as: .json)
        #expect(document["owner.city"] == .string("Oslo"))
        #expect(document["$version"] == nil)
        #expect(document["owner.$version"] == .integer(2))
        #expect(document["engine.title"] == .string("built in"))
        #expect(document["engine.$version"] == nil)
        #expect(document["items[0].$version"] == .integer(3))
        let again = try Workshop(decoding: data, as: .json)
        #expect(try ModelDocument(again) == ModelDocument(Workshop.sample))
    }

    @Test func `without a way down nothing is written`() throws {
        let error = #expect(throws: ModelEncodingError.self) {
            try Tyre(name: "a", millimetres: 1).encoded(as: .json, version: 1)
        }
        #expect(error?.kind == .noOlderVersion)
        #expect(error?.description == "Tyre gives no way down to version 1")
        for version in [0, -1, 4, Int.max, Int.min] {
            let error = #expect(throws: ModelEncodingError.self) {
                try Engine(name: "a", power: 1).encoded(as: .json, version: version)
            }
            #expect(error?.kind == .noOlderVersion)
        }
        #expect(try Stud(name: "a").encoded(as: .json, version: 1) == Data(#"{"name":"a"}"#.utf8))
    }
}
