import Dovetail
import TestAssets

/// A place where conformers of the test assets are declared in every other way.
enum Studio {
    @Model
    struct NestedAsset: FileAsset, Equatable {
        var name, path: String
        var tint: ColorAsset?
    }
}

extension Studio {
    @Model(typeName: "film \"8 mm\" ü")
    struct NamedAsset: Asset, Equatable {
        var name: String
    }
}

/// Conforms in an extension, away from its declaration.
@Model
struct LateAsset: Equatable {
    var name: String
    var inner: Inner = Inner()
}

extension LateAsset: FileAsset {
    var path: String { "/" + name }
}

@Model(naming: .snakeCase)
struct GroupAsset: Asset {
    var name: String
    var memberAssets: [any Asset]
    var mainAsset: (any FileAsset)?
}

/// Conforms through a protocol that is no model protocol.
protocol Sketchy: Asset {}

@Model
struct SketchAsset: Sketchy, Equatable {
    var name: String
}

/// A value that cannot carry a type key.
@Model
enum WordAsset: String, Asset {
    case word
    var name: String { rawValue }
}

// Two protocols beside each other, the second one with a type key that needs escapes.

@ModelProtocol
protocol Shape {
    var area: Double { get }
}

@ModelProtocol(typeKey: "the \"kind\"")
protocol Figure: Shape, Sendable {}

@ModelProtocol
protocol Polygon: Figure {}

@Model
struct Square: Polygon, Equatable {
    var side: Double
    var area: Double { side * side }
}

@Model
struct Circle: Shape, Equatable {
    var radius: Double
    var area: Double { 3 * radius * radius }
}

// Two conformers that claim one name.

@ModelProtocol
protocol Twin {}

enum First {
    @Model(typeName: "same") struct One: Twin {}
    @Model struct Other: Twin { var x = 1 }
}

enum Second {
    @Model(typeName: "same") struct Two: Twin {}
}
