import Dovetail
import Testing

@Model(unknownFields: .preserve)
private struct CodableNote: Codable, Equatable {
    var title: String
}

@Model(unknownFields: .preserve)
private final class CodablePage: Codable {
    var notes: [CodableNote] = []

    init() {}
}

/// Documents and undeclared fields in models that are plain `Codable`, too.
struct CodableUnknownFieldsTests {
    private func document(_ json: String) throws -> ModelDocument {
        try ModelDocument(decoding: Data(json.utf8), as: .json)
    }

    private func throughJSON<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    private func throughPropertyList<Value: Codable>(
        _ value: Value,
        _ format: PropertyListSerialization.PropertyListFormat
    ) throws -> Value {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        return try PropertyListDecoder().decode(Value.self, from: encoder.encode(value))
    }

    @Test
    func `models are Codable with their undeclared fields`() throws {
        let note = try CodableNote(json: #"{"title":"t","a":{"b":[1,null,"x",true,1.5]},"c":{}}"#)
        #expect(try throughJSON(note) == note)
        #expect(try throughPropertyList(note, .xml) == note)
        #expect(try throughPropertyList(note, .binary) == note)
        let page = CodablePage()
        page.notes = [note]
        page.unknownFields.members = [.init(key: "z", value: 1)]
        let again = try throughJSON(page)
        // Foundation's coders have no order of members.
        #expect(try ModelDocument(again) == ModelDocument(page))
    }

    @Test
    func `no fields are no member`() throws {
        let note = CodableNote(title: "t")
        let data = try JSONEncoder().encode(note)
        #expect(String(decoding: data, as: UTF8.self) == #"{"title":"t"}"#)
        #expect(try JSONDecoder().decode(CodableNote.self, from: data) == note)
        let data2 = Data(#"{"title":"t","unknownFields":[1]}"#.utf8)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CodableNote.self, from: data2)
        }
    }

    @Test(arguments: [
        "{}", "[]", #"{"a":{"b":[{"c":null}]},"":[[],[[]]]}"#, #"["",true,false,null]"#,
        "[0,-1,9223372036854775807,-9223372036854775808,18446744073709551615]",
        "[0.1,1.50,-2e10,1e300,5e-324,0.30000000000000004]",
        "[12345678901234567890123.25,1234567890123456789012345678901234567]",
    ])
    func `documents come back`(json: String) throws {
        let document = try document(json)
        #expect(try throughJSON(document) == document)
        #expect(try throughJSON(["k": [document]]) == ["k": [document]])
    }

    @Test
    func `property lists keep their kinds`() throws {
        let document = ModelDocument.object([
            .init(key: "at", value: .date(Date(timeIntervalSinceReferenceDate: 8))),
            .init(key: "raw", value: .data(Data([1, 2]))), .init(key: "n", value: .double(0.5)),
        ])
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let again = try throughPropertyList(document, format)
            #expect(again == document)
            #expect(again["raw"]?.kind == .data)
        }
    }

    @Test
    func `what no coder holds is an error`() throws {
        for json in ["[1e400]", "[1.2345678901234567890123456789012345678901234567890]"] {
            let document = try document(json)
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(document) }
        }
        var deep = ModelDocument.array([])
        for _ in 0..<ModelReader.maximumDepth + 100 { deep = .array([deep]) }
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(deep) }
    }
}
