import Dovetail
import DovetailTesting
import Foundation
import Testing

/// Objects of one document share their lists of names, whatever the names are and however many
/// there are: each object still has its own.
struct SharedNamesTests {
    /// The names of an object: those of records in one of a few shapes, of dictionaries, long ones,
    /// such that differ after seven bytes, outside of ASCII, with escapes, repeated and empty.
    private static func names(_ random: inout SeededRandom) -> [String] {
        let shapes = [
            ["id", "name", "description of it"], ["id", "name"], ["id", "title"], [], ["", ""],
            ["attribute1", "attribute2", "attribute1"], ["größe", "grösse", "a\"b", "日本語の名前"],
            (0..<70).map { "field\($0)" }, (0..<70).map { _ in "same" },
        ]
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return (0..<3).map { _ in "\(UInt64.random(in: 0...UInt64.max, using: &random))" }
        case 1: return ["key\(Int.random(in: 0..<40, using: &random))", "value"]
        default: return shapes.randomElement(using: &random) ?? []
        }
    }

    private static func list(_ random: inout SeededRandom, _ count: Int) -> [[String]] {
        (0..<count).map { _ in names(&random) }
    }

    /// Text made without the library's writer.
    private static func json(_ objects: [[String]]) -> Data {
        let texts = objects.map { names in
            names.enumerated().map { index, name in
                #""\#(name.replacingOccurrences(of: "\"", with: "\\\""))":[\#(index),{"in":0}]"#
            }
            .joined(separator: ",")
        }
        return Data("[{\(texts.joined(separator: "},{"))}]".utf8)
    }

    @Test
    func `every object has its own names`() throws {
        var random = SeededRandom()
        let objects = Self.list(&random, 3_000)
        let document = try ModelDocument(decoding: Self.json(objects), as: .json)
        let elements = try #require(document.arrayValue)
        try #require(elements.count == objects.count, random.comment)
        for (element, names) in zip(elements, objects) {
            let members = try #require(element.members)
            #expect(members.map(\.key) == names, random.comment)
            #expect(
                members.map(\.value)
                    == names.indices.map { [.integer($0), ["in": 0]] as ModelDocument },
                random.comment
            )
        }
        #expect(try document.encoded(as: .json) == Self.json(objects), random.comment)
    }

    @Test(arguments: [ModelFormat.plist, .binaryPlist])
    func `every object of a property list has its own names`(format: ModelFormat) throws {
        var random = SeededRandom()
        // Property lists have no object that repeats a name.
        let objects = Self.list(&random, 1_000).filter { Set($0).count == $0.count }
        let document = try ModelDocument(decoding: Self.json(objects), as: .json)
        let read = try ModelDocument(decoding: try document.encoded(as: format), as: format)
        let elements = try #require(read.arrayValue)
        try #require(elements.count == objects.count, random.comment)
        for (element, names) in zip(elements, objects) {
            #expect(element.members?.map(\.key).sorted() == names.sorted(), random.comment)
        }
    }

    @Test
    func `a change of one object leaves the names of the others`() throws {
        let document = try ModelDocument(
            decoding: Data(#"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]"#.utf8),
            as: .json
        )
        var changed = document
        changed.rename("[1].a", to: "first")
        changed["[1].c"] = 7
        changed.remove("[2].a")
        #expect(changed == [["a": 1, "b": 2], ["first": 3, "b": 4, "c": 7], ["b": 6]])
        #expect(document == [["a": 1, "b": 2], ["a": 3, "b": 4], ["a": 5, "b": 6]])
    }

    @Test
    func `models of many shapes are read from a document`() throws {
        var random = SeededRandom()
        let tables = (0..<2_000).map { _ in
            // The last of a repeated name counts in a dictionary.
            ShapedTable(values: Dictionary(Self.names(&random).map { ($0, $0.count) }) { $1 })
        }
        let document = try ModelDocument(tables)
        #expect(try [ShapedTable](document) == tables, random.comment)
        let json = try tables.encoded(as: .json)
        #expect(
            try [ShapedTable](ModelDocument(decoding: json, as: .json)) == tables,
            random.comment
        )
    }

    @Test
    func `errors name members by the list of their own object`() throws {
        let document: ModelDocument = [
            ["label": "a", "amounts": [["amount": 1], ["amount": 2]]],
            ["label": "b", "amounts": [["amount": 1], ["amount": "x"]]],
        ]
        #expect {
            try [ShapedAccount](document)
        } throws: { error in
            (error as? ModelDecodingError)?.path == "[1].amounts[1].amount"
        }
    }

    /// Each value that a step puts in is a tree of its own, in the memory of the one before.
    @Test
    func `values that migrations put in are read by their own names`() throws {
        let old = (0..<200).map { #"{"kind":\#($0 % 3),"sum":\#($0)}"# }.joined(separator: ",")
        let accounts = try [MigratedShapedAccount](decoding: Data("[\(old)]".utf8), as: .json)
        #expect(
            accounts.map(\.amounts)
                == (0..<200).map { [ShapedAmount(amount: $0), ShapedAmount(amount: 1)] }
        )
    }
}

@Model
struct ShapedTable: Equatable {
    var values: [String: Int]
}

@Model
struct ShapedAmount: Equatable {
    var amount: Int
}

@Model
struct ShapedAccount: Equatable {
    var label: String
    var amounts: [ShapedAmount]
}

@Model(version: 2)
struct MigratedShapedAccount: Equatable {
    var amounts: [ShapedAmount]

    static func migrate(_ document: inout ModelDocument, from version: Int) throws {
        let sum = document.remove("sum") ?? .null
        switch document.remove("kind")?.intValue {
        case 0: document["amounts"] = [["amount": sum], ["amount": 1]]
        case 1: document["amounts"] = [["other": 0, "amount": sum], ["other": 0, "amount": 1]]
        default: document["amounts"] = [["amount": sum, "z": []], ["amount": 1, "z": []]]
        }
    }
}
