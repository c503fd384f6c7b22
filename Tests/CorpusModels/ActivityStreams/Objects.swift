import Dovetail

// The objects of the vocabulary, and its links.

@Model
struct Object: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var published: Moment?
    var updated: Moment?
    var attributedTo: StreamValue?
    var inReplyTo: StreamValue?
    @Attribute(name: "gsp:asWKT") var gspAsWKT: String?
}

@Model
struct Article: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var content: String?
    var attributedTo: StreamValue?
    var url: StreamValue?
}

@Model
struct Audio: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var url: StreamValue?
}

@Model
struct Document: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var url: StreamValue?
}

@Model
struct Event: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var startTime: Moment?
    var endTime: Moment?
}

@Model
struct Image: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var content: String?
    var width: Int?
    var height: Int?
    var attributedTo: StreamValue?
    var preview: StreamValue?
    var tag: StreamValue?
    var url: StreamValue?
}

@Model
struct Note: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var content: String?
    var mediaType: String?
    var summaryMap: [String: String]?
    var contentMap: [String: String]?
    var published: Moment?
    var updated: Moment?
    var attachment: StreamValue?
    var attributedTo: StreamValue?
    var audience: StreamValue?
    var generator: StreamValue?
    var icon: StreamValue?
    var image: StreamValue?
    var inReplyTo: StreamValue?
    var replies: StreamValue?
    var tag: StreamValue?
    var url: StreamValue?
    @Attribute(name: "prov:wasAttributedTo") var provWasAttributedTo: String?
    @Attribute(name: "prov:wasRevisionOf") var provWasRevisionOf: String?
}

@Model
struct Page: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var url: StreamValue?
}

@Model
struct Place: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var units: String?
    var radius: Double?
    var accuracy: Double?
    var altitude: Double?
    var latitude: Coordinate?
    var longitude: Coordinate?
    @Attribute(name: "gr:category") var grCategory: String?
}

@Model
struct Profile: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var describes: StreamValue?
    var url: StreamValue?
}

@Model
struct Relationship: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var relationship: String?
    var startTime: Moment?
    var object: StreamValue?
    var subject: StreamValue?
}

@Model
struct Tombstone: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var formerType: String?
    var deleted: Moment?
    var url: StreamValue?
}

@Model
struct Video: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var duration: String?
    var preview: StreamValue?
    var url: StreamValue?
}

@Model
struct Link: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var mediaType: String?
    var href: String?
    var hreflang: String?
    var width: Int?
    var height: Int?
    var rel: Names?
}

@Model
struct Mention: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var href: String?
}
