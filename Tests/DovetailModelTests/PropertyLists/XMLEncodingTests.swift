import Dovetail
import Foundation
import Testing

/// XML property lists in UTF-16 and UTF-32 are read, as Foundation reads them.
@Suite struct XMLEncodingTests {
    private static let encodings: [String.Encoding] = [
        .utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian,
    ]

    private func list(_ encoding: String.Encoding, name: String?, mark: Bool) throws -> Data {
        let declaration = name.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>\n" } ?? ""
        let text = """
            \(mark ? "\u{FEFF}" : "")\(declaration)<plist version="1.0"><dict>
            <key>text</key><string>žluťoučký 🐎 &amp; $null</string>
            </dict></plist>
            """
        return try #require(text.data(using: encoding))
    }

    @Test(arguments: encodings, [true, false])
    func `text comes back`(encoding: String.Encoding, mark: Bool) throws {
        let isWide = encoding == .utf32BigEndian || encoding == .utf32LittleEndian
        for name in [isWide ? "UTF-32" : "UTF-16", nil] {
            let data = try list(encoding, name: name, mark: mark)
            let document = try ModelDocument(decoding: data, as: .plist)
            #expect(document == ["text": "žluťoučký 🐎 & $null"])
            #expect(try ModelDocument(decoding: data, as: .binaryPlist) == document)
            #expect(ModelFormat(detectedIn: data) == .plist)
        }
    }

    @Test(arguments: encodings)
    func `another encoding than the declared one is an error`(encoding: String.Encoding) throws {
        let error = try #require(throws: ModelDecodingError.self) {
            try ModelDocument(decoding: list(encoding, name: "UTF-8", mark: true), as: .plist)
        }
        #expect(error.kind == .invalidEncoding)
    }

    @Test(arguments: encodings)
    func `what is cut off or no character is an error`(encoding: String.Encoding) throws {
        let data = try list(encoding, name: nil, mark: true)
        let error = try #require(throws: ModelDecodingError.self) {
            try ModelDocument(decoding: data.dropLast(), as: .plist)
        }
        #expect(error.kind == .invalidEncoding)
        #expect(error.offset != nil)
        for count in 0..<min(data.count, 120) {
            #expect(throws: ModelDecodingError.self) {
                try ModelDocument(decoding: data.prefix(count), as: .plist)
            }
        }
    }

    @Test func `half of a pair is an error`() throws {
        var data = try list(.utf16BigEndian, name: nil, mark: true)
        data.replaceSubrange(10..<12, with: [0xD8, 0x3D])
        let error = try #require(throws: ModelDecodingError.self) {
            try ModelDocument(decoding: data, as: .plist)
        }
        #expect(error.kind == .invalidEncoding)
        #expect(error.offset == 10)
    }
}
