import Dovetail
import TestAssets

/// A conformer that only the runtime's records make known: the tests never import this module.
@Model
struct FarAsset: FileAsset {
    var name: String
    var path: String
    var distance: Double
}
