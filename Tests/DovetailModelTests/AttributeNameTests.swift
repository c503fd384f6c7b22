import Dovetail
import Testing

@Model
private struct Named: Equatable {
    @Attribute(name: "a\"b") var quoted: Int
    @Attribute(name: "c\\d") var backslash: Int
    @Attribute(name: #"e"f\"#) var raw: Int
    @Attribute(name: "größe in €") var umlaut: Int
    @Attribute(name: "😀") var emoji: Int
    @Attribute(name: "tab\tnew\nline\u{1}") var controls: Int
    @Attribute(name: "nul\0nul") var null: Int
    @Attribute(name: "") var empty: Int
    @Attribute(name: "\u{7F}") var delete: Int
    @Attribute(.primaryKey, name: "the key") var key: Int
    @Attribute(name: "$type") var type: Int
    @Attribute(name: "a/b") var slash: Int
    @Attribute(name: "[0]") var brackets: Int
}

@Model(typeName: "a \"lorry\"")
private struct Truck {
    var id: Int
}

/// Names in documents that are no Swift names.
struct AttributeNameTests {
    private let names = [
        "a\"b", "c\\d", "e\"f\\", "größe in €", "😀", "tab\tnew\nline\u{1}", "nul\0nul", "",
        "\u{7F}", "the key", "$type", "a/b", "[0]",
    ]

    @Test
    func `are written and found`() throws {
        let table = Dictionary(uniqueKeysWithValues: zip(names, 1...))
        let named = try Named(decoding: JSONEncoder().encode(table), as: .json)
        #expect(named.quoted == 1)
        #expect(named.umlaut == 4)
        #expect(named.null == 7)
        #expect(named.empty == 8)
        #expect(named.brackets == 13)
        let data = try named.encoded(as: .json)
        #expect(try JSONDecoder().decode([String: Int].self, from: data) == table)
        #expect(try Named(decoding: data, as: .json) == named)
        #expect(named.id == 10)
    }

    @Test
    func `are the names of the attributes`() {
        #expect(Named.modelAttributes.map(\.name) == names)
        #expect(Named.modelAttributes.filter(\.isPrimaryKey).map(\.name) == ["the key"])
        #expect(Truck.typeName == "a \"lorry\"")
        #expect(Box<Int>.typeName == "Box")
    }

    @Test
    func `every scalar may be escaped`() throws {
        let fields = names.enumerated().map { index, name in
            let escaped = name.utf16.map { unit in
                let digits = String(unit, radix: 16, uppercase: index % 2 == 0)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            return "\"\(escaped.joined())\" : \(index)"
        }
        let named = try Named(json: "{\(fields.joined(separator: ","))}")
        #expect(named.quoted == 0)
        #expect(named.brackets == 12)
    }

    @Test
    func `are quoted in paths`() throws {
        #expect(try decodingError(of: Named.self, #"{"[0]":""}"#).path == #"["[0]"]"#)
        #expect(try decodingError(of: Named.self, #"{"":""}"#).path == #"[""]"#)
        #expect(try decodingError(of: Named.self, #"{"größe in €":""}"#).path == #"["größe in €"]"#)
        #expect(try decodingError(of: Named.self, #"{"😀":true}"#).path == "😀")
        #expect(try decodingError(of: Named.self, "{}").path == #"["a"b"]"#)
    }
}
