import Dovetail
import Testing

/// Bytes that are no UTF-8, and documents in other encodings.
struct EncodingTests {
    static let invalid: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xC2, 0xC2],
        [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE1, 0x80], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
        [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
        [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F],
        [0xF0, 0x28, 0x8C, 0xBC], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0x41, 0xC3], [0xE9],
    ]

    private func document(_ before: String, _ bytes: [UInt8], _ after: String) -> Data {
        Data(before.utf8) + Data(bytes) + Data(after.utf8)
    }

    @Test(arguments: invalid)
    func `no UTF-8`(bytes: [UInt8]) throws {
        for padding in ["", "1234567", "12345678", "é", "a long text in front of the bytes", "\\n"]
        {
            for place in [
                "\"text\":\"", "\"x\":\"", "\"x\":[\"", "\"", "\"table\":{\"", "\"shade\":\"",
            ] {
                for rest in ["\"", "12345678\"", "\\t\""] {
                    let data = document("{" + place + padding, bytes, rest + ":1}")
                    let error = try decodingError(of: Everything.self, data)
                    #expect(error.kind == .invalidEncoding)
                    #expect(error.expected == "UTF-8")
                }
            }
        }
    }

    @Test(arguments: invalid)
    func `no UTF-8 outside of strings`(bytes: [UInt8]) throws {
        for (before, after) in [
            ("", "{}"), ("{", "}"), ("{\"int\":", "}"), ("{\"x\":", "}"), ("{}", ""),
        ] {
            _ = try decodingError(of: Everything.self, document(before, bytes, after))
        }
    }

    @Test
    func `the error names byte and place`() throws {
        let data = document("{\n\"list\":[],\"text\": \"éa", [0xED, 0xA0, 0x80], "\"}")
        let error = try decodingError(of: Everything.self, data)
        #expect(error.description == "text: expected UTF-8, found byte 0xED (line 2, column 22)")
    }

    /// The first and last scalar of each length.
    @Test(arguments: [
        "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}",
        "\u{10FFFF}",
    ])
    func `edges of UTF-8`(text: String) throws {
        #expect(try Everything(json: "{\"text\":\"\(text)\"}").text == text)
        #expect(try Everything(json: "{\"x\":\"\(text)\",\"\(text)\":1}").text == nil)
    }

    @Test(arguments: [
        String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
    ])
    func `other encodings`(encoding: String.Encoding) throws {
        for text in ["{}", "{\"int\":1}", "[1]", "\u{FEFF}{}", "\u{FEFF}{\"int\":1}"] {
            let data = try #require(text.data(using: encoding))
            let error = try decodingError(of: Everything.self, data)
            #expect(error.kind == .invalidEncoding)
            #expect(error.expected == "UTF-8")
            #expect(error.found == "another encoding")
        }
    }

    @Test
    func `a byte order mark is skipped`() throws {
        #expect(try Everything(json: "\u{FEFF}{\"int\":1}").int == 1)
        #expect(try [Int](json: "\u{FEFF}[1]") == [1])
        #expect(try Int(json: "\u{FEFF}7") == 7)
        #expect(!(try [1].json().hasPrefix("\u{FEFF}")))
        for bytes in [[0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0x7B, 0x7D]] as [[UInt8]] {
            _ = try decodingError(of: Everything.self, Data(bytes))
        }
    }

    @Test
    func `slices of data`() throws {
        let data = Data("xx{\"int\":5}yy".utf8)
        #expect(try Everything(decoding: data.dropFirst(2).dropLast(2), as: .json).int == 5)
        #expect(try Everything(decoding: data[2..<11], as: .json).int == 5)
        _ = try decodingError(of: Everything.self, Data())
        _ = try decodingError(of: Everything.self, data[0..<0])
    }
}
