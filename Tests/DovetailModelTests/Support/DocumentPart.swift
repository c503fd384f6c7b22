import Foundation
import Testing

/// Expects that what models wrote of a document is in the document: no field has another value.
///
/// Returns how many objects were compared that have a string in the field `typeKey`.
@discardableResult
func expectPart(
    _ ours: Any,
    of theirs: Any,
    _ place: String = "",
    typeKey: String = "type"
) throws -> Int {
    switch ours {
    case let object as [String: Any]:
        let other = try #require(theirs as? [String: Any], "\(place)")
        var count = object[typeKey] is String ? 1 : 0
        for (name, value) in object {
            let original = try #require(other[name], "\(place).\(name)")
            count += try expectPart(value, of: original, "\(place).\(name)", typeKey: typeKey)
        }
        return count
    case let array as [Any]:
        let other = try #require(theirs as? [Any], "\(place)")
        try #require(array.count == other.count, "\(place)")
        var count = 0
        for (index, value) in array.enumerated() {
            count += try expectPart(value, of: other[index], "\(place)[\(index)]", typeKey: typeKey)
        }
        return count
    default:
        #expect((ours as? NSObject)?.isEqual(theirs) == true, "\(place): \(ours), \(theirs)")
        return 0
    }
}

/// Any JSON, as a plain `Codable` type.
enum AnyJSON: Codable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([AnyJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
