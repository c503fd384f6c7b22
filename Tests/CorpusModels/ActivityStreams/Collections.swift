import Dovetail

// The collections of the vocabulary and their pages.

@Model
struct Collection: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var totalItems: Int?
    var current: StreamValue?
    var first: StreamValue?
    var image: StreamValue?
    var items: StreamValue?
    var last: StreamValue?
}

@Model
struct CollectionPage: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var items: StreamValue?
    var next: StreamValue?
    var partOf: StreamValue?
    var prev: StreamValue?
}

@Model
struct OrderedCollection: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var totalItems: Int?
    var current: StreamValue?
    var first: StreamValue?
    var last: StreamValue?
    var orderedItems: StreamValue?
}

@Model
struct OrderedCollectionPage: StreamObject {
    @Attribute(name: "@context") var linkedDataContext: LinkedDataContext?
    var type: Names?
    var id: String?
    var name: String?
    var nameMap: [String: String]?
    var summary: String?
    var startIndex: Int?
    var next: StreamValue?
    var orderedItems: StreamValue?
    var partOf: StreamValue?
    var prev: StreamValue?
}
