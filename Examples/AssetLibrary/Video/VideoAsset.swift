// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import AssetModels
import Dovetail

/// An asset that the library's own module knows nothing of.
@Model
public struct VideoAsset: FileAsset {
    public var name, path: String
    public var seconds: Double

    public init(name: String, path: String, seconds: Double) {
        self.name = name
        self.path = path
        self.seconds = seconds
    }
}
