import Dovetail
import Testing

@ModelProtocol(typeKey: "t") private protocol Tiny {}
@ModelProtocol(typeKey: "type") private protocol Short {}
@ModelProtocol(typeKey: "$kindOfThing") private protocol Middle {}
@ModelProtocol(typeKey: "theKindOfThing") private protocol Long {}

@Model(typeName: "A") private struct BriefThing: Tiny, Short, Middle, Long, Equatable {
    var title = "", thing = 0
}
@Model(typeName: "a name of more bytes")
private struct WordyThing: Tiny, Short, Middle, Long, Equatable {
    var title = "", thing = 0
}

/// Type keys shorter and longer than what is compared at once, at every place of an object.
struct TypeKeyLengthTests {
    private func documents(_ key: String, _ name: String) -> [String] {
        let tag = "\"\(key)\":\"\(name)\""
        let (title, thing) = ("\"title\":\"\(key)\"", "\"thing\":7")
        let objects = [[tag, title, thing], [title, tag, thing], [title, thing, tag]]
        return objects.flatMap { (members: [String]) -> [String] in
            let compact: String = "{" + members.joined(separator: ",") + "}"
            let spaced: String = "{ " + members.joined(separator: " , ") + " }"
            return [compact, spaced, compact.replacing(":", with: " : ")]
        }
    }

    private func check<Value>(
        _ key: String,
        _ decode: (Data) throws -> [Value]
    ) throws {
        for name in ["A", "a name of more bytes"] {
            for document in documents(key, name) {
                for rest in ["", String(repeating: " ", count: 100)] {
                    let values = try decode(Data("[\(document),\(document)]\(rest)".utf8))
                    #expect(values.count == 2)
                    for value in values {
                        if name == "A" {
                            #expect(
                                value as? BriefThing == BriefThing(title: key, thing: 7),
                                "\(document)"
                            )
                        } else {
                            #expect(
                                value as? WordyThing == WordyThing(title: key, thing: 7),
                                "\(document)"
                            )
                        }
                    }
                }
                // A second key is refused wherever the first one is.
                let twice = document.dropLast() + ",\"\(key)\":\"\(name)\"}"
                #expect(throws: ModelDecodingError.self) { try decode(Data("[\(twice)]".utf8)) }
            }
        }
    }

    @Test
    func `type keys of every length`() throws {
        try check("t") { try [any Tiny](decoding: $0, as: .json) }
        try check("type") { try [any Short](decoding: $0, as: .json) }
        try check("$kindOfThing") { try [any Middle](decoding: $0, as: .json) }
        try check("theKindOfThing") { try [any Long](decoding: $0, as: .json) }
    }
}
