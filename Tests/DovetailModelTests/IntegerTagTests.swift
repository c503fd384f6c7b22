import Dovetail
import Testing

/// Names of types that are whole numbers in documents.
struct IntegerTagTests {
    private func read(_ json: String) throws -> any NumberedVehicle {
        try NumberedVehicleModel.decode(Data(json.utf8), as: .json)
    }

    @Test(arguments: ["3", "33", "3.0", "0.3e1"])
    func `is read as a number`(tag: String) throws {
        for json in [#"{"kind":\#(tag),"wheels":4}"#, #"{"wheels":4 , "kind" : \#(tag) }"#] {
            let vehicle = try #require(try read(json) as? Rickshaw)
            #expect(vehicle.wheels == 4)
        }
    }

    @Test
    func `is written as a number`() throws {
        #expect(
            try [Sledge() as any NumberedVehicle].encoded(as: .json)
                == Data(#"[{"kind":-10,"name":"s"}]"#.utf8)
        )
        // The property is named like the key.
        let vehicle: any NumberedVehicle = Rickshaw(kind: 33)
        let data = try vehicle.encoded(as: .json)
        #expect(String(decoding: data, as: UTF8.self) == #"{"kind":33,"wheels":3}"#)
        #expect(try NumberedVehicleModel.decode(data, as: .json) as? Rickshaw == .init(kind: 33))
        #expect(NumberedVehicleModel.typeName(of: vehicle) == "3")
    }

    @Test(
        arguments: [
            (#"{"kind":"3"}"#, .typeMismatch, "kind"), (#"{"kind":null}"#, .typeMismatch, "kind"),
            (#"{"kind":4}"#, .unknownType, ""), (#"{"kind":3.5}"#, .numberOutOfRange, "kind"),
            (#"{"kind":1e99}"#, .numberOutOfRange, "kind"), ("{}", .unknownType, ""),
            (#"{"kind":03}"#, .invalidSyntax, "kind"), (#"{"kind":-}"#, .invalidSyntax, "kind"),
        ] as [(String, ModelDecodingError.Kind, String)]
    )
    func `is nothing else`(json: String, kind: ModelDecodingError.Kind, path: String) throws {
        let error = try #require(throws: ModelDecodingError.self) { try read(json) }
        #expect(error.kind == kind, "\(error)")
        #expect(error.path == path)
    }

    @Test
    func `beside the content`() throws {
        let list: [any NumberedBeside] = [Sledge(), Rickshaw(wheels: 5)]
        let data = try list.encoded(as: .json)
        #expect(
            String(decoding: data, as: UTF8.self)
                == #"[{"t":-10,"c":{"name":"s"}},{"t":3,"c":{"wheels":5}}]"#
        )
        let again = try [any NumberedBeside](decoding: data, as: .json)
        #expect(again.map(\.wheels) == [0, 5])
        let old = Data(#"{"c":{},"tag":33}"#.utf8)
        #expect(try NumberedBesideModel.decode(old, as: .json) is Rickshaw)
    }

    @Test
    func `a name that is no number is an error when written`() throws {
        let vehicle: any NumberedVehicle = Nameless()
        let error = try #require(throws: ModelEncodingError.self) {
            try vehicle.encoded(as: .json)
        }
        #expect(error.kind == .notRepresentable)
        #expect(error.explanation.contains("Nameless"))
        let beside: any NumberedBeside = Nameless()
        #expect(throws: ModelEncodingError.self) { try beside.encoded(as: .json) }
    }
}
