import Dovetail
import DovetailTesting
import Foundation
import Testing

/// What is read of XML, and what is refused, with its place.
struct XMLPropertyListTests {
    /// Text is looked at in words of eight bytes.
    @Test func `a character is escaped wherever it stands`() throws {
        for character in [
            "<", ">", "&", "\t", "\n", "\r", "é", "漢", "\u{1F600}", "\u{FFFD}", "\u{7F}",
        ] {
            for place in 0..<20 {
                for rest in [0, 1, 7, 8, 9] {
                    let text =
                        String(repeating: "x", count: place) + character
                        + String(repeating: "y", count: rest) + character
                    let data = try [text].encoded(as: .plist)
                    #expect(try [String](decoding: data, as: .plist) == [text])
                    let read = try PropertyListSerialization.propertyList(from: data, format: nil)
                    #expect(read as? [String] == [text], "\(text.debugDescription)")
                }
            }
        }
        for code in [0, 1, 8, 11, 12, 14, 31] as [UInt8] {
            for place in 0..<10 {
                let text =
                    String(repeating: "x", count: place) + String(UnicodeScalar(code)) + "abcdefgh"
                #expect(throws: ModelEncodingError.self) { try [text].encoded(as: .plist) }
            }
        }
    }

    private func document(_ body: String) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://x.y/z">
            <plist version="1.0">\(body)</plist>
            """.utf8
        )
    }

    private func read(_ body: String) throws -> ModelDocument {
        try ModelDocument(decoding: document(body), as: .plist)
    }

    @Test func `every element`() throws {
        let moment = Date(timeIntervalSinceReferenceDate: 1)
        let accepted: [(String, ModelDocument)] = [
            ("<dict/>", [:]), ("<dict></dict>", [:]), ("<dict >\n</dict >", [:]),
            ("<array/>", []), ("<array><array/></array>", [[]]), ("<string/>", ""),
            ("<string></string>", ""), ("<true/>", true), ("<false></false>", false),
            ("<integer>-12</integer>", -12), ("<integer>+0x1f</integer>", 31),
            ("<integer> 007</integer>", 7), ("<real>+1.50e1</real>", 15.0),
            ("<real>-Infinity</real>", .double(-.infinity)), ("<real>nan</real>", .double(.nan)),
            ("<date>2001-01-01T00:00:01Z</date>", .date(moment)),
            ("<date>2001-01-01T00:00:01Z</date><!-- .5 -->", .date(moment)),
            ("<data> A\nQ I=\t</data>", .data(Data([1, 2]))), ("<data/>", .data(Data())),
            ("<string>a&lt;&#x41;&#66;&amp;<![CDATA[<&>]]>c<!-- no -->d</string>", "a<AB&<&>cd"),
            ("<string>&#0;\u{1}</string>", "\0\u{1}"), ("<string a='>'>x</string>", "x"),
            ("<string>$null</string>", nil),
            ("<!-- a --><?p i?><true/><!-- b -->", true),
            (
                "<dict><key>b</key><true/><key>a&#98;</key><!-- x --> <false/></dict>",
                ["b": true, "ab": false]
            ),
            ("<dict><key>é</key><string>\u{1F600}</string></dict>", ["é": "\u{1F600}"]),
        ]
        for (body, expected) in accepted {
            #expect(try read(body) == expected, "\(body)")
        }
        let digits = "123456789012345678901234567890123456789012345"
        #expect(try read("<integer>\(digits)</integer>").numberText == digits)
    }

    @Test func `the element plist may be missing`() throws {
        #expect(try ModelDocument(decoding: Data(" <true/> ".utf8), as: .plist) == true)
        let marked = Data([0xEF, 0xBB, 0xBF] + Array("<string>x</string>".utf8))
        #expect(try ModelDocument(decoding: marked, as: .plist) == "x")
    }

    @Test(arguments: [
        "", "<dict>", "<dict><key>a</key></dict>", "<dict><true/></dict>", "<array>", "<array/",
        "<dict/ >", "<array></dict>", "<string>a", "<string>a</integer>", "<string>a<b/></string>",
        "<string>&nbsp;</string>", "<string>&#;</string>", "<string>&#xD800;</string>",
        "<string>&lt</string>", "<string>&", "<string><![CDATA[a</string>", "<integer/>",
        "<integer>1_2</integer>", "<integer>12 </integer>", "<integer>0x</integer>",
        "<real>0x1p3</real>", "<real/>", "<real>1.2.3</real>", "<date>2001-13-01T00:00:00Z</date>",
        "<date>2001-01-01T00:00:00+01:00</date>", "<data>A</data>", "<data>!!!!</data>",
        "<true>x</true>", "<key>a</key>", "<plist/>", "<unknown/>", "x", "<true/><true/>",
        "<!-- ", "<array>/></array>", "<dict>/></dict>", "true", "<dict><key/></dict>",
    ])
    func `broken documents`(body: String) {
        #expect(throws: ModelDecodingError.self) { try read(body) }
        #expect(throws: ModelDecodingError.self) {
            try Box<[String: Int]>(decoding: document(body), as: .plist)
        }
    }

    @Test func `entities and other encodings are refused`() throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>
            <plist version="1.0"><string>&b;</string></plist>
            """
        let failure = try #require(throws: ModelDecodingError.self) {
            try ModelDocument(decoding: Data(bomb.utf8), as: .plist)
        }
        #expect(failure.expected == "a document type without declarations")
        for data in [
            Data("<?xml version='1.0' encoding='UTF-16'?><plist><true/></plist>".utf8),
            Data("<string>".utf8) + [0xC0, 0x80] + Data("</string>".utf8),
        ] {
            let failure = try #require(throws: ModelDecodingError.self) {
                try ModelDocument(decoding: data, as: .plist)
            }
            #expect(failure.kind == .invalidEncoding)
        }
    }

    @Test func `depth is limited`() throws {
        let levels = ModelReader.maximumDepth
        func nested(_ count: Int) -> String {
            String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
        }
        #expect(try read(nested(levels)).kind == .array)
        let failure = try #require(throws: ModelDecodingError.self) { try read(nested(levels + 1)) }
        #expect(failure.kind == .tooDeep)
        #expect(throws: ModelDecodingError.self) { try read(nested(100_000)) }
        #expect(throws: ModelDecodingError.self) {
            try Box<Int?>(
                decoding: document("<dict><key>x</key>\(nested(100_000))</dict>"),
                as: .plist
            )
        }
    }

    @Test func `an error says path line and column`() throws {
        let text = """
            <plist version="1.0">
            <array>
            \t<dict>
            \t\t<key>list</key>
            \t\t<array>
            \t\t\t<string>é</string>
            \t\t\t<integer>7</integer>
            \t\t</array>
            \t</dict>
            </array>
            </plist>
            """
        let failure = try #require(throws: ModelDecodingError.self) {
            try [[String: [String]]](decoding: Data(text.utf8), as: .plist)
        }
        #expect(failure.description == "[0].list[1]: expected String, found 7 (line 7, column 4)")
        let missing = try #require(throws: ModelDecodingError.self) {
            try [Box<Int>](decoding: Data(text.utf8), as: .plist)
        }
        #expect(
            missing.description
                == "[0].value: expected a value, found no such field (line 3, column 2)"
        )
    }

    @Test(arguments: ["R&D", "a<b>", "x \r y", "é & ö", "]]>"])
    func `the path of an error has keys as they are read`(key: String) throws {
        let data = try ["m": [key: ["x"]]].encoded(as: .plist)
        let error = try #require(throws: ModelDecodingError.self) {
            try [String: [String: [Int]]](decoding: data, as: .plist)
        }
        let document = try ModelDocument(decoding: data, as: .plist)
        #expect(document[error.path] == "x")
        let json = try ["m": [key: ["x"]]].encoded(as: .json)
        let same = try #require(throws: ModelDecodingError.self) {
            try [String: [String: [Int]]](decoding: json, as: .json)
        }
        #expect(error.path == same.path)
    }

    @Test func `a value that reads nothing is an error`() throws {
        struct Nothing: ModelValue {
            init(modelValue reader: inout ModelReader) throws {}
            func encode(to writer: inout ModelWriter) throws { try writer.writeNull() }
        }
        for body in ["<array><integer>1</integer></array>", "<array><array/><true/></array>"] {
            #expect(throws: ModelDecodingError.self) {
                try [Nothing](decoding: document(body), as: .plist)
            }
        }
        #expect(try [Nothing](decoding: document("<array/>"), as: .plist).isEmpty)
    }

    @Test func `what XML cannot hold is a typed error`() throws {
        for text in ["\0", "\u{1}", "a\u{1F}", "\u{FFFE}", "\u{FFFF}"] {
            let failure = try #require(throws: ModelEncodingError.self) {
                try text.encoded(as: .plist)
            }
            #expect(failure.kind == .notRepresentable)
            #expect(throws: ModelEncodingError.self) { try [text: 1].encoded(as: .plist) }
            let binary = try text.encoded(as: .binaryPlist)
            #expect(try String(decoding: binary, as: .binaryPlist) == text)
        }
    }

    @Test func `changed bytes give a value or a typed error`() throws {
        var random = SeededRandom()
        let value = try Everything(json: Everything.document)
        let written = try value.encoded(as: .plist)
        for _ in 0..<10_000 {
            var changed = written
            let place = Int.random(in: 0..<changed.count, using: &random)
            changed[place] = UInt8.random(in: 0...255, using: &random)
            do {
                _ = try Everything(decoding: changed, as: .plist)
            } catch is ModelDecodingError {}
            do {
                _ = try ModelDocument(decoding: changed, as: .plist)
            } catch is ModelDecodingError {}
        }
        for length in 0..<written.count - 9 {
            #expect(throws: ModelDecodingError.self) {
                try Everything(decoding: written.prefix(length), as: .plist)
            }
        }
    }
}
