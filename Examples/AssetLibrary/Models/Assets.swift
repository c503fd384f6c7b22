// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dovetail

/// Whatever can be in a library.
@ModelProtocol(typeKey: "$type")
public protocol Asset {
    var name: String { get }
}

/// An asset that is kept in a file.
@ModelProtocol
public protocol FileAsset: Asset {
    var path: String { get }
}

@Model
public enum AssetType: String {
    case color, sound, image
}

@Model
public struct ColorAsset: Asset {
    public var red, green, blue: Int
    public var alpha: Double = 1
    public var name: String
    public var type: AssetType

    public init(name: String, red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
        self.name = name
        type = .color
    }
}

@Model
public struct SoundAsset: FileAsset {
    public var name, path: String
    public var type: AssetType

    public init(name: String, path: String) {
        self.name = name
        self.path = path
        type = .sound
    }
}

@Model
public struct ImageAsset: FileAsset {
    public var name, path: String
    public var width, height: Int
    public var type: AssetType

    public init(name: String, path: String, width: Int, height: Int) {
        self.name = name
        self.path = path
        self.width = width
        self.height = height
        type = .image
    }
}
