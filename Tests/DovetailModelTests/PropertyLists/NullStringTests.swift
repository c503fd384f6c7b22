import Dovetail
import DovetailTesting
import Foundation
import Testing

/// Property lists have no null: the string `$null` stands for it, and is no string.
@Suite struct NullStringTests {
    private static let formats: [ModelFormat] = [.plist, .binaryPlist]

    private func list(_ document: ModelDocument, _ format: ModelFormat) throws -> Data {
        try document.encoded(as: format)
    }

    private func expectMismatch<Value: ModelValue>(
        _ type: Value.Type,
        _ document: ModelDocument,
        path: String,
        _ format: ModelFormat,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: ModelDecodingError.self, sourceLocation: location) {
            try Value(decoding: list(document, format), as: format)
        }
        #expect(error?.kind == .typeMismatch, sourceLocation: location)
        #expect(error?.path == path, sourceLocation: location)
        #expect(error?.found == "null", sourceLocation: location)
    }

    @Test(arguments: formats)
    func `null is refused where a value is declared`(format: ModelFormat) throws {
        expectMismatch(NullTexts.self, ["text": nil], path: "text", format)
        expectMismatch(NullLinks.self, ["link": nil], path: "link", format)
        expectMismatch(NullLists.self, ["list": ["a", nil]], path: "list[1]", format)
        expectMismatch(NullIdentifiers.self, ["id": nil], path: "id", format)
        expectMismatch(NullCases.self, ["kind": nil], path: "kind", format)
    }

    @Test(arguments: formats)
    func `null is nil where it may be`(format: ModelFormat) throws {
        let read = try NullableTexts(
            decoding: list(["text": nil, "list": ["a", nil]], format),
            as: format
        )
        #expect(read.text == nil)
        #expect(read.list == ["a", nil])
        try checkModel(read)
    }

    @Test(arguments: [
        "<string>$null</string>", "<string>&#36;null</string>",
        "<string><![CDATA[$null]]></string>",
        "<string >$null</string>", "<string>$n&#x75;ll</string>",
    ])
    func `every spelling in XML is null`(text: String) throws {
        let list = Data("<plist><dict><key>text</key>\(text)</dict></plist>".utf8)
        #expect(try ModelDocument(decoding: list, as: .plist)["text"]?.isNull == true)
        #expect(try NullableTexts(decoding: list, as: .plist).text == nil)
        let error = #expect(throws: ModelDecodingError.self) {
            try NullTexts(decoding: list, as: .plist)
        }
        #expect(error?.found == "null")
    }

    @Test func `in a binary property list it may be UTF-16`() throws {
        var list = Array("bplist00".utf8)
        list += [0xD1, 1, 2, 0x54] + Array("text".utf8)
        list += [0x65] + "$null".utf8.flatMap { [0, $0] }
        let table = list.count
        list += [8, 11, 16, 0, 0, 0, 0, 0, 0, 1, 1]
        for word in [3, 0, table] {
            list += (0..<8).reversed().map { UInt8(word >> ($0 * 8) & 0xFF) }
        }
        let data = Data(list)
        #expect(try ModelDocument(decoding: data, as: .binaryPlist)["text"]?.isNull == true)
        #expect(try NullableTexts(decoding: data, as: .binaryPlist).text == nil)
        #expect(throws: ModelDecodingError.self) { try NullTexts(decoding: data, as: .binaryPlist) }
    }
}

@Model struct NullTexts { var text: String }
@Model struct NullLinks { var link: URL }
@Model struct NullLists { var list: [String] }
struct NullIdentifier: TypedIdentifier { let rawValue: String }
@Model struct NullIdentifiers { var id: NullIdentifier }
@Model enum NullCase {
    case one
    @Fallback case other(String)
}
@Model struct NullCases { var kind: NullCase }
@Model struct NullableTexts: Equatable {
    var text: String?
    var list: [String?] = []
}
