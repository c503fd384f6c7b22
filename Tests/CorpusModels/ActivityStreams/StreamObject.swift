public import Dovetail

// Models of the types of the Activity Vocabulary that the documents of the W3C hold, one for each
// name, with the fields that the documents give it.

/// What has a type of the vocabulary. A document may give several names, also of other
/// vocabularies; the first one counts that is known.
@ModelProtocol(typeKey: "type", tagKind: .stringOrList)
public protocol StreamObject {
    /// The name to show.
    var name: String? { get }
}

/// What JSON-LD reads the names of a document with: an address, an object, or a list of these.
struct LinkedDataContext: ModelValue {
    var document: ModelDocument

    init(modelValue reader: inout ModelReader) throws {
        document = try ModelDocument(modelValue: &reader)
        guard [.string, .object, .array].contains(document.kind) else {
            throw reader.rejected(expected: "an address, an object or a list")
        }
    }

    func encode(to writer: inout ModelWriter) throws {
        try document.encode(to: &writer)
    }
}

/// A date. The vocabulary allows one without seconds, and the documents hold one without an
/// offset, so the text is kept.
struct Moment: RawRepresentable, ModelValue {
    var rawValue: String
}

/// One name or several.
enum Names: Codable {
    case one(String)
    case several([String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let name = try? container.decode(String.self) {
            self = .one(name)
        } else {
            self = .several(try container.decode([String].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .one(let name): try container.encode(name)
        case .several(let names): try container.encode(names)
        }
    }
}

/// Degrees, which one document holds as text.
enum Coordinate: Codable {
    case degrees(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let degrees = try? container.decode(Double.self) {
            self = .degrees(degrees)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .degrees(let degrees): try container.encode(degrees)
        case .text(let text): try container.encode(text)
        }
    }
}
