import Dovetail

// The other activities of the vocabulary.

@Model
struct Activity: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
    var result: StreamValue?
}

@Model
struct Add: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var published: Moment?
    var actor: StreamValue?
    var context: StreamValue?
    var generator: StreamValue?
    var object: StreamValue?
    var origin: StreamValue?
    var target: StreamValue?
}

@Model
struct Announce: StreamObject {
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
struct Arrive: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var location: StreamValue?
    var origin: StreamValue?
}

@Model
struct Create: StreamObject {
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
struct Delete: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var published: Moment?
    var actor: StreamValue?
    var object: StreamValue?
    var origin: StreamValue?
}

@Model
struct Invite: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
    var target: StreamValue?
}

@Model
struct Listen: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var instrument: StreamValue?
    var object: StreamValue?
}

@Model
struct Move: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
    var origin: StreamValue?
    var target: StreamValue?
}

@Model
struct Offer: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var bcc: StreamValue?
    var bto: StreamValue?
    var cc: StreamValue?
    var context: StreamValue?
    var object: StreamValue?
    var target: StreamValue?
    var to: StreamValue?
}

@Model
struct Read: StreamObject {
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
struct Remove: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
    var origin: StreamValue?
    var target: StreamValue?
}

@Model
struct Travel: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var origin: StreamValue?
    var target: StreamValue?
}

@Model
struct Undo: StreamObject {
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
struct Update: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
    @Attribute(name: "oa:created") var oaCreated: String?
    @Attribute(name: "oa:creator") var oaCreator: String?
    @Attribute(name: "oa:hasTarget") var oaHasTarget: String?
    @Attribute(name: "oa:motivatedBy") var oaMotivatedBy: String?
    @Attribute(name: "prov:generated") var provGenerated: String?
    @Attribute(name: "prov:wasInformedBy") var provWasInformedBy: String?
    @Attribute(name: "oa:hasBody") var oaHasBody: StreamValue?
}

@Model
struct View: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var actor: StreamValue?
    var object: StreamValue?
}
