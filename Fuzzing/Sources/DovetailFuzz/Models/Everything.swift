import Dovetail
import TestAssets

@Model
enum Shade: String, CaseIterable {
    case dark, light
    case inBetween = "somewhere in between"
}

@Model
enum Level: Int, CaseIterable {
    case low = -1
    case high = 300
}

struct ThingID: TypedIdentifier {
    let rawValue: Int64
}

struct Plain: Codable, Hashable, Sendable {
    var title: String
    var marks: [Int]
}

@Model
struct Inner: Hashable, Sendable {
    var number: Int = 0
    var text: String?
}

/// A field of each kind, all of them optional, so that a document can hold any one of them.
@Model
struct Everything {
    var int: Int?
    var narrow: Int8?
    var unsigned: UInt16?
    var wide: UInt64?
    var bool: Bool?
    var text: String?
    var double: Double?
    var float: Float?
    var decimal: Decimal?
    var date: Date?
    var data: Data?
    var url: URL?
    var uuid: UUID?
    var shade: Shade?
    var level: Level?
    var thing: ThingID?
    var inner: Inner?
    var plain: Plain?
    var list: [Int]?
    var grid: [[String]]?
    var distinct: Set<Int>?
    var table: [String: Int]?
    var numbered: [Int: Inner]?
    var asset: (any Asset)?
    var file: (any FileAsset)?
    var assets: [any Asset]?
    var assetTable: [String: any Asset]?
    var assetGrid: [[any Asset]]?
}

extension Everything {
    /// A document with all of the fields filled, kept short.
    static let document = """
        {"int":-12,"narrow":7,"unsigned":65535,"wide":18446744073709551615,"bool":true,\
        "text":"é\\n\\ud83d\\ude00\\"","double":1.5e-7,"float":0.25,"decimal":12.345,\
        "date":"2024-03-01T10:20:30.5+01:00","data":"AQI=","url":"http://a.b/c",\
        "uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","shade":"somewhere in between","level":300,\
        "thing":9,"inner":{"number":1,"text":null},"plain":{"title":"t","marks":[1]},\
        "list":[1, 2],"grid":[["a"],[]],"distinct":[1],"table":{"k":1},"numbered":{"5":{}},\
        "asset":{"name":"c","red":1,"green":2,"blue":3,"$type":"ColorAsset"},\
        "file":{"$type":"SoundAsset","name":"s","path":"p","type":"sound"},\
        "assets":[{"$type":"FarAsset","name":"f","path":"q","distance":2}],\
        "assetTable":{"x":{"$type":"SoundAsset","name":"s","path":"p"}},\
        "assetGrid":[[],[{"$type":"SoundAsset","name":"s","path":"p"}]],\
        "unknown":{"a":[true,false,null,-0.5e+3,"\\u0041"]}}
        """
}
