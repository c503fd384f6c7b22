import Dovetail
import Foundation
import Testing

/// From one format to another through `ModelDocument`.
struct ConversionTests {
    private static let formats: [ModelFormat] = [.plist, .binaryPlist]

    private func document(_ json: String) throws -> ModelDocument {
        try ModelDocument(decoding: Data(json.utf8), as: .json)
    }

    @Test(arguments: formats)
    func `what both formats have`(format: ModelFormat) throws {
        for json in [
            "null", "true", "-12", "1.50", "1e2", "\"x\"", "[]", "{}", "[null,[1,{\"a\":null}]]",
            "18446744073709551616", "-170141183460469231731687303715884105728", "0.1", "1e300",
            "-0.0", "-0", "123456789.125",
        ] {
            let read = try document(json)
            let again = try ModelDocument(decoding: read.encoded(as: format), as: format)
            #expect(again == read, "\(json)")
            #expect(try ModelDocument(decoding: again.encoded(as: .json), as: .json) == read)
        }
    }

    @Test(arguments: formats)
    func `what property lists lack`(format: ModelFormat) throws {
        for json in [
            "[\"$null\"]", "{\"a\":1,\"a\":2}", "0.12345678901234567891", "1e400", "-1e400",
            "1.0000000000000000000000001",
        ] {
            let failure = try #require(throws: ModelEncodingError.self, "\(json)") {
                try document(json).encoded(as: format)
            }
            #expect(failure.kind == .notRepresentable, "\(json)")
        }
        let large = "1" + String(repeating: "0", count: 38) + "1"
        #expect(throws: ModelEncodingError.self) { try document(large).encoded(as: .binaryPlist) }
    }

    @Test(arguments: formats)
    func `dates and data become text`(format: ModelFormat) throws {
        let moment = Date(timeIntervalSinceReferenceDate: 1)
        let list: ModelDocument = ["at": .date(moment), "bytes": .data(Data([1, 2]))]
        let read = try ModelDocument(decoding: list.encoded(as: format), as: format)
        #expect(read["at"]?.kind == .date)
        let json = String(decoding: try read.encoded(as: .json), as: UTF8.self)
        #expect(json == #"{"at":"2001-01-01T00:00:01Z","bytes":"AQI="}"#)
        // And back: text is read where a model asks for a date or bytes.
        let text = try document(json).encoded(as: format)
        let box = try [String: ModelDocument](decoding: text, as: format)
        #expect(box["at"]?.kind == .string)
        let dates = try Box<Date>(
            decoding: (["value": .string("2001-01-01T00:00:01Z")] as ModelDocument)
                .encoded(as: format),
            as: format
        )
        #expect(dates.value == moment)
        let bytes = try Box<Data>(
            decoding: (["value": "AQI="] as ModelDocument).encoded(as: format),
            as: format
        )
        #expect(bytes.value == Data([1, 2]))
        #expect(throws: ModelEncodingError.self) {
            try ModelDocument.double(.nan).encoded(as: .json)
        }
    }

    @Test(arguments: formats)
    func `numbers of other kinds`(format: ModelFormat) throws {
        func data(_ value: ModelDocument) throws -> Data { try value.encoded(as: format) }
        #expect(try Int(decoding: data(2.0), as: format) == 2)
        #expect(try Double(decoding: data(2), as: format) == 2)
        #expect(try Decimal(decoding: data(2), as: format) == 2)
        #expect(try Decimal(decoding: data(0.1), as: format) == Decimal(string: "0.1"))
        #expect(try Decimal(decoding: data("12.50"), as: format) == Decimal(string: "12.5"))
        for (value, kind): (ModelDocument, ModelDecodingError.Kind) in [
            (2.5, .numberOutOfRange), (300, .numberOutOfRange), ("2", .typeMismatch),
            (true, .typeMismatch), (.double(.nan), .numberOutOfRange), (nil, .typeMismatch),
        ] {
            let failure = try #require(throws: ModelDecodingError.self) {
                try Int8(decoding: data(value), as: format)
            }
            #expect(failure.kind == kind, "\(value)")
        }
        for text in ["12x", "", "0x1", "NaN", " 1"] {
            #expect(throws: ModelDecodingError.self) {
                try Decimal(decoding: data(.string(text)), as: format)
            }
        }
    }

    @Test(arguments: formats)
    func `errors of enums and of plain Codable types`(format: ModelFormat) throws {
        func error<Value: ModelValue>(
            _ type: Value.Type,
            _ value: ModelDocument
        ) throws -> ModelDecodingError {
            try #require(throws: ModelDecodingError.self) {
                try Value(decoding: value.encoded(as: format), as: format)
            }
        }
        let shade = try error([Shade].self, ["dark", "green"])
        #expect(shade.path == "[1]")
        #expect(shade.kind == .unknownCase)
        #expect(shade.found == "\"green\"")
        #expect(try error([Level].self, [5]).kind == .unknownCase)
        let plain = try error(
            [Everything].self,
            [[:], ["plain": ["title": "t", "marks": [1, "x"]]]]
        )
        #expect(plain.path == "[1].plain.marks[1]")
        let repeated = try error([Box<Int>].self, [["value": "x"]])
        #expect(repeated.path == "[0].value")
        #expect(repeated.found == "\"x\"")
    }

    @Test func `formats are equal by what they are`() {
        #expect(ModelFormat.plist != .binaryPlist)
        #expect(ModelFormat.json != .plist)
        #expect(ModelFormat.cbor == .cbor)
        let other = ModelFormat(name: "CBOR", decode: { _ in nil }, encode: { _ in Data() })
        #expect(other != .cbor)
    }
}
