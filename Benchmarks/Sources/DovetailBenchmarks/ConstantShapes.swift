import Dovetail

// The documents of `LevelShape`, of models with one type key that say the other tag as a constant.

@ModelProtocol(typeKey: "kind") protocol ConstantShape {}

@Model(typeName: "Circle") struct ConstantCircle: ConstantShape {
    @Attribute(.constant) let object = "shape"
    var name: String
    var radius: Double
    var filled: Bool
}

@Model(typeName: "Rectangle") struct ConstantRectangle: ConstantShape {
    @Attribute(.constant) let object = "shape"
    var name: String
    var width: Int
    var height: Int
}

@Model(typeName: "Label") struct ConstantLabel: ConstantShape {
    @Attribute(.constant) let object = "shape"
    var name: String
    var text: String
    var size: Int
    var bold: Bool
}

@Model(typeName: "Marker") struct ConstantMarker: ConstantShape {
    @Attribute(.constant) let object = "shape"
    var name: String
    var x: Int
    var y: Int
}

extension Shape {
    /// The same shape as a model with a constant.
    var withConstant: any ConstantShape {
        switch self {
        case let shape as Circle:
            ConstantCircle(name: shape.name, radius: shape.radius, filled: shape.filled)
        case let shape as Rectangle:
            ConstantRectangle(name: shape.name, width: shape.width, height: shape.height)
        case let shape as Label:
            ConstantLabel(name: shape.name, text: shape.text, size: shape.size, bold: shape.bold)
        case let shape as Marker: ConstantMarker(name: shape.name, x: shape.x, y: shape.y)
        default: ConstantMarker(name: "", x: 0, y: 0)
        }
    }
}
