import Dovetail
import TestAssets

/// A conformer that only its registration makes known: the tests never import this module.
@Model
struct FarAsset: FileAsset {
    var name: String
    var path: String
    var distance: Double
}
