import Dovetail

/// The flat record that documents and stores are measured with.
@Model
struct FlatRecord: Codable, Identifiable, Equatable {
    var id: Int
    var name: String
    var email: String
    var age: Int
    var score: Double
    var isActive: Bool
    var city: String

    static func samples(_ count: Int) -> [FlatRecord] { samples(in: 0..<count) }

    static func samples(in range: Range<Int>) -> [FlatRecord] {
        range.map { index in
            FlatRecord(
                id: index,
                name: "Person number \(index)",
                email: "person\(index)@example.com",
                age: 18 + index % 70,
                score: Double(index % 10_000) / 100,
                isActive: index % 3 == 0,
                city: ["Lisbon", "Oslo", "Ljubljana", "Reykjavik"][index % 4]
            )
        }
    }
}

/// Four conformers of one protocol, mixed.
@ModelProtocol
protocol Shape {
    var name: String { get }
}

@Model
struct Circle: Shape, Codable {
    var name: String
    var radius: Double
    var filled: Bool
}

@Model
struct Rectangle: Shape, Codable {
    var name: String
    var width: Int
    var height: Int
}

@Model
struct Label: Shape, Codable {
    var name: String
    var text: String
    var size: Int
    var bold: Bool
}

@Model
struct Marker: Shape, Codable {
    var name: String
    var x: Int
    var y: Int
}

enum Shapes {
    static func samples(_ count: Int) -> [any Shape] {
        (0..<count).map { index in
            switch index &* 2_654_435_761 >> 7 & 3 {
            case 0: Circle(name: "circle \(index)", radius: Double(index % 500) / 4, filled: true)
            case 1: Rectangle(name: "rect \(index)", width: index % 640, height: index % 480)
            case 2:
                Label(name: "label \(index)", text: "Text number \(index)", size: 12, bold: false)
            default: Marker(name: "marker \(index)", x: index, y: -index)
            }
        }
    }

    /// A compact array of `shapes`, each with its type key at one end of the object.
    static func document(of shapes: [any Shape], typeKeyFirst: Bool) throws -> Data {
        let objects = try shapes.map { shape in
            let type = "\"$type\":\"\(type(of: shape))\""
            let encoded = try ModelWriter.encode(as: .json) { try shape.encode(to: &$0) }
            let object = String(decoding: encoded, as: UTF8.self)
            return typeKeyFirst
                ? "{\(type)," + String(object.dropFirst())
                : String(object.dropLast()) + ",\(type)}"
        }
        return Data(("[" + objects.joined(separator: ",") + "]").utf8)
    }
}

/// The same shapes as a person writes them for `JSONDecoder`: a box that looks at the type first.
struct CodableShape: Codable {
    let shape: any Shape

    private enum Keys: String, CodingKey { case type = "$type" }

    init(_ shape: any Shape) { self.shape = shape }

    init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .type) {
        case "Circle": shape = try Circle(from: decoder)
        case "Rectangle": shape = try Rectangle(from: decoder)
        case "Label": shape = try Label(from: decoder)
        default: shape = try Marker(from: decoder)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        switch shape {
        case let shape as Circle:
            try container.encode("Circle", forKey: .type)
            try shape.encode(to: encoder)
        case let shape as Rectangle:
            try container.encode("Rectangle", forKey: .type)
            try shape.encode(to: encoder)
        case let shape as Label:
            try container.encode("Label", forKey: .type)
            try shape.encode(to: encoder)
        case let shape as Marker:
            try container.encode("Marker", forKey: .type)
            try shape.encode(to: encoder)
        default: break
        }
    }
}
