public import Dovetail

/// What the vocabulary allows wherever it speaks of an object: its address, itself, or a list.
public indirect enum StreamValue: ModelValue {
    /// Where the object is.
    case address(String)
    /// An object that says its type.
    case object(any StreamObject)
    /// An object without a type of the vocabulary, which is an `Object`, or a `Link` if it links.
    case untyped(any StreamObject)
    /// Several of these.
    case list([StreamValue])

    /// Reads any of the forms.
    public init(modelValue reader: inout ModelReader) throws {
        try self.init(ModelDocument(modelValue: &reader), &reader)
    }

    private init(_ document: ModelDocument, _ reader: inout ModelReader) throws {
        switch document.kind {
        case .string:
            self = .address(document.stringValue ?? "")
        case .array:
            self = .list(try (document.arrayValue ?? []).map { try StreamValue($0, &reader) })
        case .object:
            let data = try document.encoded(as: .json)
            if Self.hasKnownType(document) {
                self = .object(try StreamObjectModel.decode(data, as: .json))
            } else {
                let name = document[key: "href"] == nil ? "Object" : "Link"
                let object = try StreamObjectModel.decode(data, as: .json, typeName: name)
                self = .untyped(object)
            }
        default:
            throw reader.rejected(expected: "an address, an object or a list")
        }
    }

    /// Writes the form that was read.
    public func encode(to writer: inout ModelWriter) throws {
        switch self {
        case .address(let address): try address.encode(to: &writer)
        case .object(let object): try StreamObjectModel.encode(object, to: &writer)
        case .untyped(let object): try StreamObjectModel.encodeContent(object, to: &writer)
        case .list(let values): try values.encode(to: &writer)
        }
    }

    /// The names of the vocabulary.
    private static let knownNames = Set(StreamObjectModel.conformers.knownNames)

    private static func hasKnownType(_ document: ModelDocument) -> Bool {
        guard let type = document[key: "type"] else { return false }
        let names = type.stringValue.map { [$0] } ?? type.arrayValue?.compactMap(\.stringValue)
        return names.map { !knownNames.isDisjoint(with: $0) } ?? true
    }
}
