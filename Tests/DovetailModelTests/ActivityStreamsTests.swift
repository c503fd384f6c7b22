import Dovetail
import Testing

/// `type` may be a list, of which some names are not of this vocabulary.
@ModelProtocol(typeKey: "type", tag: .stringOrList)
private protocol StreamObject {
    var name: String? { get }
}

@Model(
    typeName: "Object",
    aliases: [
        "Note", "Article", "Document", "Image", "Video", "Audio", "Page", "Event", "Place",
        "Profile", "Relationship", "Tombstone",
    ]
)
private struct Thing: StreamObject, Equatable {
    var type: Names?
    var id: String?
    var name: String?
    var content: String?
}

@Model(typeName: "Person", aliases: ["Group", "Organization", "Application", "Service"])
private struct Actor: StreamObject, Equatable {
    var type: Names?
    var id: String?
    var name: String?
}

@Model(
    typeName: "Activity",
    aliases: [
        "Like", "Offer", "Create", "Add", "Invite", "Accept", "Undo", "Follow", "Move", "Listen",
        "Arrive", "Travel", "Dislike", "Leave", "Remove", "Question", "Delete", "Ignore", "View",
        "Read", "Join", "Announce", "Block", "Flag", "Reject", "TentativeReject", "Update",
        "TentativeAccept",
    ]
)
private struct Activity: StreamObject, Equatable {
    var type: Names?
    var id: String?
    var name: String?
    var summary: String?
}

@Model(
    aliases: ["OrderedCollection", "CollectionPage", "OrderedCollectionPage"]
)
private struct Collection: StreamObject, Equatable {
    var type: Names?
    var name: String?
    var totalItems: Int?
}

@Model(aliases: ["Mention"])
private struct Link: StreamObject, Equatable {
    var type: Names?
    var name: String?
    var href: String?
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

/// Types behind a list of names, on the documents of the W3C.
struct ActivityStreamsTests {
    private static let folder = "polymorphic/activitystreams"
    private static let documents = SharedCorpora.documents(in: folder)

    private func read(_ json: String) throws -> any StreamObject {
        try StreamObjectModel.decode(Data(json.utf8), as: .json)
    }

    @Test
    func theFirstKnownNameCounts() throws {
        let json = #"{"type":["prov:Entity","Note","Person"],"name":"n"}"#
        let thing = try read(json)
        #expect(thing is Thing)
        #expect(String(decoding: try thing.encoded(as: .json), as: UTF8.self) == json)
        #expect(try read(#"{"name":"n","type":["Person","Note"]}"#) is Actor)
        let created: any StreamObject = Thing(name: "n")
        #expect(try created.encoded(as: .json) == Data(#"{"type":"Object","name":"n"}"#.utf8))
        let wrong: any StreamObject = Thing(type: .several(["Person", "Note"]))
        #expect(throws: ModelEncodingError.self) { try wrong.encoded(as: .json) }
    }

    @Test(
        arguments: [
            (#"{"type":[]}"#, .unknownType), (#"{"type":["x"]}"#, .unknownType),
            (#"{"type":[1,"Note"]}"#, .typeMismatch), (#"{"type":["Note",1]}"#, .typeMismatch),
            (#"{"type":{}}"#, .typeMismatch), (#"{"type":["Note"}"#, .invalidSyntax),
            (#"{"type":["Note""#, .unexpectedEnd),
        ] as [(String, ModelDecodingError.Reason)]
    )
    func errors(json: String, reason: ModelDecodingError.Reason) throws {
        let error = try #require(throws: ModelDecodingError.self) { try read(json) }
        #expect(error.reason == reason, "\(error)")
    }

    @Test(.enabled(if: !documents.isEmpty, "shared/corpora is absent"))
    func everyDocument() throws {
        var kept = 0
        var refused: [String: ModelDecodingError.Reason] = [:]
        for path in Self.documents {
            let data = try SharedCorpora.contents(of: path, in: Self.folder)
            do {
                let written = try StreamObjectModel.decode(data, as: .json).encoded(as: .json)
                let theirs = try JSONSerialization.jsonObject(with: data)
                let ours = try JSONSerialization.jsonObject(with: written)
                try expectPart(ours, of: theirs, path)
                let type = (ours as? [String: Any])?["type"] as? NSObject
                #expect(type == (theirs as? [String: Any])?["type"] as? NSObject, "\(path)")
                kept += 1
            } catch let error as ModelDecodingError {
                refused[path] = error.reason
            }
        }
        // The models of these tests declare a few fields only, so most of `fail` is read.
        #expect(kept == 204)
        let others = refused.filter { !$0.key.hasPrefix("fail/") && $0.value != .unknownType }
        // The first two have a map of languages as name, which the vocabulary names `nameMap`.
        #expect(
            others.keys.sorted()
                == ["simple0011.json", "simple0012.json", "vocabulary-ex196-jsonld.json"]
        )
        // Those without a type, and one of another vocabulary.
        #expect(refused.count { !$0.key.hasPrefix("fail/") } == 18)
        #expect(refused["vocabulary-ex196-jsonld.json"] == .invalidSyntax)
        #expect(refused["fail/bad-character-set.json"] == .invalidEncoding)
    }
}
