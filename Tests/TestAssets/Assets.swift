// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dovetail

/// The library of most tests: a protocol, one that refines it, and conformers.
@ModelProtocol(typeKey: "$type")
public protocol Asset {
    var name: String { get }
}

@ModelProtocol
public protocol FileAsset: Asset {
    var path: String { get }
}

@Model
public enum AssetType: String {
    case color, sound, image
}

@Model
public struct ColorAsset: Asset, Equatable, Sendable {
    public var red, green, blue: Int
    public var alpha: Double = 1
    public var name: String
    public var type: AssetType = .color

    public init(name: String, red: Int, green: Int, blue: Int) {
        self.name = name
        self.red = red
        self.green = green
        self.blue = blue
    }
}

@Model
public struct SoundAsset: FileAsset, Equatable, Sendable {
    public var name, path: String
    public var type: AssetType = .sound

    public init(name: String, path: String) {
        self.name = name
        self.path = path
    }
}

@Model
public struct AssetGroup {
    public var name: String
    public var assets: [any Asset] = []

    public init(name: String, assets: [any Asset] = []) {
        self.name = name
        self.assets = assets
    }
}
