import Dovetail
import DovetailTesting
import Testing

/// Strings, whatever is in them and however long they are.
struct StringTests {
    static let spellings: [(String, String)] = [
        ("\"\"", ""), (#""a""#, "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0000""#, "\0"), (#""a\u0000b""#, "a\0b"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
        (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00x""#, "😀x"), (#""\ud800\udc00""#, "\u{10000}"),
        (#""\udbff\udfff""#, "\u{10FFFF}"), (#""\uffff""#, "\u{FFFF}"), ("\"\u{7F}\"", "\u{7F}"),
        ("\"é\u{2028}\u{FEFF}\"", "é\u{2028}\u{FEFF}"), ("\"e\u{301}\"", "e\u{301}"),
        (#""\\u0041""#, "\\u0041"), (#""\\\"""#, "\\\""), ("\"👩‍👩‍👧\"", "👩‍👩‍👧"),
        (#""\u001f\u0020""#, "\u{1F} "),
    ]

    @Test(arguments: spellings)
    func `is read scalar by scalar`(document: String, value: String) throws {
        let found = try String(json: document)
        #expect(Array(found.unicodeScalars) == Array(value.unicodeScalars))
        let field = try Box<String>(json: "{\"value\":\(document)}").value
        #expect(Array(field.unicodeScalars) == Array(value.unicodeScalars))
        try expectRoundTrip(value)
    }

    /// A short string may be made of a load that goes beyond its end, so what follows it must not
    /// become part of it.
    @Test(arguments: ["é€😀é€😀", "abcdefghijklmnop", "0", ""])
    func `what follows a string is no part of it`(next: String) throws {
        for length in 0...17 {
            let text = String("abcdefghijklmnopq".prefix(length))
            let found = try [String](decoding: Data("[\"\(text)\",\"\(next)\"]".utf8), as: .json)
            #expect(found == [text, next])
            #expect(found[0].utf8.count == length && found[0].hashValue == text.hashValue)
            #expect(Array((found[0] + next).utf8) == Array((text + next).utf8))
        }
    }

    /// Reading goes sixteen bytes at a time, and eight near the end of the document; writing goes
    /// eight. So every length and every place of a special character around these steps is tried.
    @Test(arguments: ["", "\"", "\\", "\n", "\0", "é", "€", "😀", "\u{1F}", "\u{7F}", "/"])
    func `every length and place`(special: String) throws {
        for length in 0...40 {
            for place in 0...(special.isEmpty ? 0 : length) {
                let plain = String(repeating: "x", count: length)
                let value = plain.prefix(place) + special + plain.dropFirst(place)
                let box = Box(value: String(value))
                #expect(try Box<String>(json: box.json()) == box)
                // Nothing after the string may become part of it, and nothing in it may change.
                let tail = try [String](json: [String(value), "", "t"].json())
                #expect(tail == [String(value), "", "t"])
            }
        }
    }

    @Test
    func `control characters are escaped`() throws {
        let controls = String(
            String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) })
        )
        let json = try controls.json()
        #expect(json.utf8.allSatisfy { $0 >= 0x20 })
        #expect(json.hasPrefix(#""\u0000\u0001"#))
        #expect(json.hasSuffix(#"\u001e\u001f""#))
        #expect(json.contains(#"\b\t\n\u000b\f\r"#))
        #expect(try String(json: json) == controls)
    }

    @Test
    func `plain text is not escaped`() throws {
        #expect(try "a/é€😀\u{7F}".json() == "\"a/é€😀\u{7F}\"")
    }

    @Test
    func `random texts`() throws {
        var random = SeededRandom()
        for _ in 0..<3_000 {
            let value = random.text(upTo: 40)
            let back = try Box<String>(json: Box(value: value).json()).value
            let isSame = Array(back.unicodeScalars) == Array(value.unicodeScalars)
            #expect(isSame, "\(value.debugDescription) \(random.comment)")
            let decoded = try JSONDecoder().decode([String].self, from: [value].encoded(as: .json))
            #expect(decoded == [value], random.comment)
        }
    }

    @Test
    func `long texts`() throws {
        for length in [511, 512, 513, 1000, 100_000] {
            try expectRoundTrip(String(repeating: "y", count: length))
            try expectRoundTrip(String(repeating: "\u{1}", count: length))
        }
    }
}
