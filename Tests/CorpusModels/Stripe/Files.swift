import Dovetail

@Model(naming: .snakeCase, typeName: "file")
struct File: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date?
    var filename: String?
    var id: String
    var links: List?
    var purpose: String
    var size: Int
    var title: String?
    var type: String?
    var url: String?
}

@Model(naming: .snakeCase, typeName: "file_link")
struct FileLink: StripeObject {
    @Attribute(.transformed(by: SecondsSince1970.self)) var created: Date
    var expired: Bool
    @Attribute(.transformed(by: SecondsSince1970.self)) var expiresAt: Date?
    var file: Expandable
    var id: String
    var livemode: Bool
    var metadata: [String: String]
    var url: String
}
