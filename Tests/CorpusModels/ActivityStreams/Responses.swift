import Dovetail

// Activities that answer or rate something.

@Model
struct Accept: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var context: StreamValue?
    var inReplyTo: StreamValue?
    var object: StreamValue?
    var result: StreamValue?
    var target: StreamValue?
}

@Model
struct TentativeAccept: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct Reject: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct TentativeReject: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct Like: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var published: Moment?
    var actor: StreamValue?
    var audience: StreamValue?
    var context: StreamValue?
    var object: StreamValue?
    var to: StreamValue?
}

@Model
struct Dislike: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var published: Moment?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct Block: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct Flag: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct Follow: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var context: StreamValue?
    var object: StreamValue?
}

@Model
struct Ignore: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct Join: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct Leave: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}

@Model
struct Question: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var content: String?
    var closed: Moment?
    var anyOf: StreamValue?
    var oneOf: StreamValue?
    var replies: StreamValue?
    var result: StreamValue?
}
