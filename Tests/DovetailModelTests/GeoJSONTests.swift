import Dovetail
import StoreTestSupport
import Testing

@ModelProtocol(typeKey: "type")
private protocol GeoObject { var bbox: [Double]? { get } }

@ModelProtocol
private protocol Geometry: GeoObject {}

/// A member of a collection, whose type is written there.
@ModelProtocol(conformers: Feature.self)
private protocol FeatureType: GeoObject {}

@Model
private struct Point: Geometry {
    var bbox: [Double]?
    var coordinates: [Double]
}

@Model
private struct MultiPoint: Geometry {
    var bbox: [Double]?
    var coordinates: [[Double]]
}

@Model
private struct LineString: Geometry {
    var bbox: [Double]?
    var coordinates: [[Double]]
}

@Model
private struct MultiLineString: Geometry {
    var bbox: [Double]?
    var coordinates: [[[Double]]]
}

/// Keeps the type in a property of its own.
@Model(typeName: "Polygon")
private struct PolygonGeometry: Geometry {
    var type = "Polygon"
    var bbox: [Double]?
    var coordinates: [[[Double]]]
}

@Model
private struct MultiPolygon: Geometry {
    var bbox: [Double]?
    var coordinates: [[[[Double]]]]
}

@Model
private struct GeometryCollection: Geometry {
    var bbox: [Double]?
    var geometries: [any Geometry]
}

@Model
private struct Feature: FeatureType {
    var id: FeatureID?
    var bbox: [Double]?
    var geometry: (any Geometry)?
    var properties: [String: AnyJSON]?
}

@Model
private struct FeatureCollection: GeoObject {
    var bbox: [Double]?
    var features: [any FeatureType]
}

private enum FeatureID: Codable, Equatable {
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}

/// RFC 7946 through models, on the files of mapbox/geojsonhint.
struct GeoJSONTests {
    private static let folder = "polymorphic/geojson"
    private static let good = SharedCorpora.documents(in: folder + "/good", suffix: ".geojson")
    private static let bad = SharedCorpora.documents(in: folder + "/bad", suffix: ".geojson")

    @Test(.needsCorpora)
    func `good files keep their types`() throws {
        #expect(Self.good.count == 18)
        var tagged = 0
        for path in Self.good {
            let data = try SharedCorpora.contents(of: path, in: Self.folder + "/good")
            let object = try GeoObjectModel.decode(data, as: .json)
            let written = try object.encoded(as: .json)
            let theirs = try JSONSerialization.jsonObject(with: data)
            let count = try expectPart(
                JSONSerialization.jsonObject(with: written),
                of: theirs,
                path
            )
            #expect(count == Self.taggedObjects(in: theirs), "\(path)")
            tagged += count
            let again = try GeoObjectModel.decode(written, as: .json).encoded(as: .json)
            #expect(again == written, "\(path)")
        }
        #expect(tagged > 18)
    }

    /// Objects with a type, without those in `properties`.
    private static func taggedObjects(in value: Any) -> Int {
        if let array = value as? [Any] {
            return array.reduce(0) { $0 + taggedObjects(in: $1) }
        }
        guard let object = value as? [String: Any] else { return 0 }
        return object.reduce(object["type"] is String ? 1 : 0) {
            $1.key == "properties" ? $0 : $0 + taggedObjects(in: $1.value)
        }
    }

    /// Wrong by rules about numbers of positions, their order and names of other objects, which
    /// these models do not declare.
    private static let accepted: Set<String> = [
        "bad-polygon-interiorring-rhr", "bbox-4or6elements",
        "different-first-last", "different-first-size", "excessive_precision_truncated",
        "feature_changed_semantics", "featurecollection_changed_semantics",
        "geometry_changed_semantics", "geometrycollection_nested", "geometrycollection_single",
        "point-toofew", "point-toomany", "polygon_winding_order", "short-line",
        "short-linearring", "short-multilinestring",
    ]

    @Test(.needsCorpora)
    func `bad files are typed errors`() throws {
        #expect(Self.bad.count == 44)
        for path in Self.bad {
            let data = try SharedCorpora.contents(of: path, in: Self.folder + "/bad")
            let name = String(path.dropLast(".geojson".count))
            if Self.accepted.contains(name) {
                _ = try GeoObjectModel.decode(data, as: .json)
            } else {
                #expect(throws: ModelDecodingError.self, "\(name)") {
                    try GeoObjectModel.decode(data, as: .json)
                }
            }
        }
    }
}
