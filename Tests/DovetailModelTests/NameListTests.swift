import Dovetail
import Testing

/// `type` may be a list, of which the first one counts that is known.
@ModelProtocol(typeKey: "type", tagKind: .stringOrList)
private protocol ListedObject {
    var name: String? { get }
}

@Model(typeName: "Object", aliases: ["Note", "Article"])
private struct Thing: ListedObject, Equatable {
    var type: Names?
    var id: String?
    var name: String?
    var content: String?
}

@Model(typeName: "Person", aliases: ["Group"])
private struct Actor: ListedObject, Equatable {
    var type: Names?
    var id: String?
    var name: String?
}

/// One name or several.
private enum Names: Codable, Equatable {
    case one(String)
    case several([String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let name = try? container.decode(String.self) {
            self = .one(name)
        } else {
            self = .several(try container.decode([String].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .one(let name): try container.encode(name)
        case .several(let names): try container.encode(names)
        }
    }
}

/// Types that a list of names gives.
struct NameListTests {
    private func read(_ json: String) throws -> any ListedObject {
        try ListedObjectModel.decode(Data(json.utf8), as: .json)
    }

    @Test
    func `the first known name counts`() throws {
        let json = #"{"type":["prov:Entity","Note","Person"],"name":"n"}"#
        let thing = try read(json)
        #expect(thing is Thing)
        #expect(String(decoding: try thing.encoded(as: .json), as: UTF8.self) == json)
        #expect(try read(#"{"name":"n","type":["Person","Note"]}"#) is Actor)
        let created: any ListedObject = Thing(name: "n")
        #expect(try created.encoded(as: .json) == Data(#"{"type":"Object","name":"n"}"#.utf8))
        let wrong: any ListedObject = Thing(type: .several(["Person", "Note"]))
        #expect(throws: ModelEncodingError.self) { try wrong.encoded(as: .json) }
    }

    @Test(
        arguments: [
            (#"{"type":[]}"#, .unknownType), (#"{"type":["x"]}"#, .unknownType),
            (#"{"type":[1,"Note"]}"#, .typeMismatch), (#"{"type":["Note",1]}"#, .typeMismatch),
            (#"{"type":{}}"#, .typeMismatch), (#"{"type":["Note"}"#, .invalidSyntax),
            (#"{"type":["Note""#, .unexpectedEnd),
        ] as [(String, ModelDecodingError.Kind)]
    )
    func `errors about lists of names`(json: String, kind: ModelDecodingError.Kind) throws {
        let error = try #require(throws: ModelDecodingError.self) { try read(json) }
        #expect(error.kind == kind, "\(error)")
    }
}
