import Dovetail

@Model(naming: .snakeCase)
struct User: Identifiable {
    var id: Int
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool
    var city: String?
    @Attribute(name: "created_on") var createdAt: Date
}

@Model
struct Product: Identifiable {
    @Attribute(.primaryKey) var sku: String
    var title: String
    var price: Double
    var weight: Int
    var tags: [String] = []
}

@ModelProtocol(typeKey: "$type")
protocol Asset {
    var name: String { get }
}

@ModelProtocol
protocol FileAsset: Asset {
    var path: String { get }
}

@Model
enum AssetType: String {
    case color, sound, image
}

@Model
struct ColorAsset: Asset {
    var name: String
    var red, green, blue: Int
    var alpha: Double = 1
    var type: AssetType
}

@Model
struct SoundAsset: FileAsset {
    var name, path: String
    var type: AssetType
}

@Model
struct ImageAsset: FileAsset {
    var name, path: String
    var width, height: Int
    var type: AssetType
}

@Model
struct AssetGroup {
    var name: String
    var assets: [any Asset] = []
}

@Model
struct AssetLibrary: Identifiable {
    @Attribute(.primaryKey) var name: String
    var groups: [AssetGroup]
}

extension User: Fetchable {}
extension Product: Fetchable {}
extension AssetLibrary: Fetchable {}
