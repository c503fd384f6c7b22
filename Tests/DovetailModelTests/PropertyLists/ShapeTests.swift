import Dovetail
import Foundation
import Testing

@Model
private enum ListedFigure: Equatable {
    case circle(radius: Double)
    case empty
    case pair(Int, Int = 5)
    indirect case group([ListedFigure], name: String?)
}

@Model
private struct ListedShape: Equatable {
    @Attribute(name: "profile.avatar.url") var avatar: String?
    @Attribute(name: "profile.size") var size: Int?
    @Attribute(.omittedWhenEmpty) var tags: [String]
    @Attribute(.transformed(by: SecondsSince1970.self)) var at: Date
    @Attribute(.transformed(by: Hexadecimal.self)) var bytes: Data
    @Attribute(aliases: ["old"]) var name: String
    var maybe: Int? = 3
    var figures: [ListedFigure] = []
}

/// What macros write beside plain fields, in property lists.
struct PropertyListShapeTests {
    private static let formats: [ModelFormat] = [.plist, .binaryPlist]

    private static let values: [ListedShape] = [
        ListedShape(
            avatar: "u",
            size: nil,
            tags: [],
            at: Date(timeIntervalSince1970: 12.5),
            bytes: Data([255]),
            name: "n",
            maybe: nil,
            figures: [.circle(radius: 2), .empty, .pair(1), .group([.empty], name: nil)]
        ),
        ListedShape(
            avatar: nil,
            size: nil,
            tags: ["t"],
            at: Date(timeIntervalSince1970: 0),
            bytes: Data(),
            name: ""
        ),
    ]

    @Test(arguments: formats)
    func `come back`(format: ModelFormat) throws {
        let written = try Self.values.encoded(as: format)
        let again = try [ListedShape](decoding: written, as: format)
        #expect(again == Self.values)
        let document = try ModelDocument(decoding: written, as: format)
        // Objects whose fields are all left out are not written.
        #expect(document["[0].profile"] == ["avatar": ["url": "u"]])
        #expect(document["[1].profile"] == nil)
        #expect(document["[0].maybe"] == .null)
        #expect(document["[0].tags"] == nil)
        #expect(document["[0].bytes"] == "ff")
    }

    @Test(arguments: formats)
    func `their errors have a path`(format: ModelFormat) throws {
        func failure(_ path: String, _ value: ModelDocument?) throws -> ModelDecodingError {
            var document = try ModelDocument(
                decoding: Self.values.encoded(as: format),
                as: format
            )
            document[path] = value
            let data = try document.encoded(as: format)
            return try #require(throws: ModelDecodingError.self) {
                try [ListedShape](decoding: data, as: format)
            }
        }
        #expect(try failure("[0].bytes", "xx").path == "[0].bytes")
        #expect(try failure("[0].profile", 3).path == "[0].profile")
        #expect(try failure("[0].profile.size", "x").path == "[0].profile.size")
        #expect(try failure("[1].name", nil).path == "[1].name")
        #expect(try failure("[1].name", nil).kind == .missingField)
        #expect(try failure("[1].old", "twice").kind == .repeatedField)
        #expect(try failure("[0].figures[0]", ["square": [:]]).path == "[0].figures[0]")
        #expect(try failure("[0].figures[0]", ["square": [:]]).kind == .unknownCase)
        #expect(try failure("[0].figures[0].empty", [:]).kind == .unknownCase)
        #expect(try failure("[0].figures[0]", [:]).found == "object without fields")
        let type = try #require(throws: ModelDecodingError.self) {
            try [any Vehicle](
                decoding: ([["$type": "lorry", "load": 1], ["$type": "plane"]] as ModelDocument)
                    .encoded(as: format),
                as: format
            )
        }
        #expect(type.path == "[1]")
        #expect(type.kind == .unknownType)
        #expect(type.found == "type \"plane\"")
        let none = try #require(throws: ModelDecodingError.self) {
            try [any Vehicle](
                decoding: ([["load": 1]] as ModelDocument).encoded(as: format),
                as: format
            )
        }
        #expect(none.found == "object without \"$type\"")
        let twice = try #require(throws: ModelDecodingError.self) {
            try [any Vehicle](
                decoding: ([["$type": "lorry", "load": 1, "Vehicle": "truck"]] as ModelDocument)
                    .encoded(as: format),
                as: format
            )
        }
        #expect(twice.kind == .repeatedField)
    }
}
