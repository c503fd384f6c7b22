import Dovetail
import DovetailTesting
import Testing

/// `Data`, `URL` and `UUID`, which are strings in documents.
struct FoundationValueTests {
    @Test
    func `data of every length`() throws {
        var random = SeededRandom()
        for length in 0...65 {
            let value = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            #expect(try value.json() == "\"\(value.base64EncodedString())\"", random.comment)
            try expectRoundTrip(value, random.comment)
        }
    }

    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar"),
    ])
    func `base64 of the RFC`(text: String, value: String) throws {
        #expect(try Data(json: "\"\(text)\"") == Data(value.utf8))
        #expect(try Data(json: "\"\(text.replacing("=", with: "\\u003d"))\"") == Data(value.utf8))
    }

    @Test(arguments: ["Zg=", "Z", "Zg", "Z===", "Zm9v!", "Zm 9v", "_-==", "é"])
    func `no base64`(text: String) throws {
        let error = try decodingError(of: Box<Data>.self, "{\"value\":\"\(text)\"}")
        #expect(error.kind == .typeMismatch)
        #expect(
            error.description == """
                value: expected Data in base64, found "\(text)" (line 1, column 10)
                """
        )
    }

    @Test(
        arguments: [
            "http://www.example.com/api", "https://a.b/c?d=e&f=%20#g", "file:///tmp/x%20y",
            "relative/path", "mailto:a@b.c", "http://[::1]:80/",
        ]
    )
    func `URLs are text`(text: String) throws {
        let value = try #require(URL(string: text))
        #expect(try value.json() == "\"\(text)\"")
        #expect(try Box<URL>(json: "{\"value\":\"\(text)\"}").value == value)
        #expect(try URL(json: "\"\(text.replacing("/", with: "\\/"))\"") == value)
        try expectRoundTrip(value)
    }

    @Test(arguments: ["\"\"", "\"http://[\"", "1", "null"])
    func `no URL`(text: String) throws {
        let error = try decodingError(of: Box<URL>.self, "{\"value\":\(text)}")
        #expect(error.kind == .typeMismatch)
        #expect(error.expected == "URL")
    }

    @Test
    func `UUIDs are text in either case`() throws {
        let text = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let value = try #require(UUID(uuidString: text))
        #expect(try value.json() == "\"\(text)\"")
        #expect(try UUID(json: "\"\(text.lowercased())\"") == value)
        try expectRoundTrip(value)
        try expectRoundTrip(UUID())
    }

    @Test(
        arguments: [
            "", "E621E1F8", "E621E1F8-C36C-495A-93FC-0C247A3E6E5",
            "E621E1F8C36C495A93FC0C247A3E6E5F",
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5G", "{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}",
        ]
    )
    func `no UUID`(text: String) throws {
        let error = try decodingError(of: Box<UUID>.self, "{\"value\":\"\(text)\"}")
        #expect(error.kind == .typeMismatch)
        #expect(error.expected == "UUID")
        #expect(error.found == "\"\(text)\"")
    }
}
