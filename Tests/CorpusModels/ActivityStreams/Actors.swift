import Dovetail

// The actors of the vocabulary.

@Model
struct Application: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var image: StreamValue?
}

@Model
struct Group: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
}

@Model
struct Organization: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
}

@Model
struct Person: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var image: StreamValue?
    var location: StreamValue?
    var url: StreamValue?
    @Attribute(name: "vcard:given-name") var vcardGivenName: String?
    @Attribute(name: "vcard:family-name") var vcardFamilyName: String?
}

@Model
struct Service: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
}
