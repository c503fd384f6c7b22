import Foundation

// What plain `Encodable` types become: a tree, since they give their fields in any order, and may give those of
// several containers in turn.

/// Makes a document of a plain `Encodable` type, with the members of objects in the order of their names.
///
/// It belongs to one call of ``document(of:as:)``.
final class DocumentEncoder: Encoder {
    /// What a document is for, which decides on the forms of what is no text, number or truth value.
    enum Form {
        /// As JSON has it: dates and data as text.
        case json
        /// As a property list has it: dates and data as they are, and the rest as types write themselves.
        case propertyList
    }

    /// A value that was given, or a container that may get more.
    enum Part {
        case value(ModelDocument)
        case object(EncodedObject)
        case array(EncodedArray)
        /// What an encoder has made that a type keeps for its superclass.
        case encoder(DocumentEncoder)
    }

    let form: Form
    private let place: CodablePlace
    private lazy var path = place.path
    /// How many containers this one is in.
    private let depth: Int
    private let limit: Limit
    /// What was given; nil for nothing.
    private(set) var part: Part?

    /// Whether anything was to be inside of more containers than a document may have: known to all encoders of a value.
    private final class Limit {
        var isExceeded = false
    }

    private init(_ form: Form, _ place: CodablePlace, depth: Int, _ limit: Limit) {
        self.form = form
        self.place = place
        self.depth = depth
        self.limit = limit
    }

    /// The document of a value.
    ///
    /// - Throws: what the value throws, `EncodingError` for one that gives nothing, and ``ModelEncodingError`` for one
    ///   of more than ``ModelReader/maximumDepth`` levels.
    static func document<Value: Encodable>(
        of value: Value,
        as form: Form
    ) throws -> ModelDocument {
        let encoder = DocumentEncoder(form, .root, depth: 0, Limit())
        try encoder.put(value: value)
        try encoder.requireDepth()
        guard let part = encoder.part else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "\(Value.self) encodes nothing")
            )
        }
        return part.document
    }

    var codingPath: [any CodingKey] { place.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedEncoder<Key>(object: object(), encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedEncoder(array: array(), encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The object that this one makes, which a type may ask for more than once.
    private func object() -> EncodedObject {
        if case .object(let object) = part { return object }
        let object = EncodedObject()
        part = .object(object)
        return object
    }

    private func array() -> EncodedArray {
        if case .array(let array) = part { return array }
        let array = EncodedArray()
        part = .array(array)
        return array
    }

    /// Whether what is inside of this one is beside the document.
    var isDeepest: Bool { depth >= ModelReader.maximumDepth }

    /// The encoder of a value inside of this one.
    ///
    /// - Throws: ``ModelEncodingError`` where that is too deep.
    private func inner(_ key: some CodingKey) throws -> DocumentEncoder {
        let inner = nested(key)
        try requireDepth()
        return inner
    }

    /// The same for a container, to open which throws no error. One that is too deep is beside the document, which is
    /// refused in the end.
    func nested(_ key: some CodingKey) -> DocumentEncoder {
        guard !isDeepest else {
            limit.isExceeded = true
            return DocumentEncoder(form, place, depth: depth, limit)
        }
        return DocumentEncoder(form, CodablePlace(outer: path, key: key), depth: depth + 1, limit)
    }

    private func requireDepth() throws {
        guard limit.isExceeded else { return }
        throw ModelEncodingError(
            kind: .tooDeep,
            explanation: "a Codable value is nested deeper than \(ModelReader.maximumDepth) levels"
        )
    }

    /// What a value inside of this one becomes. One that gives nothing is an empty object.
    func part<Value: Encodable>(of value: Value, _ key: some CodingKey) throws -> Part {
        if let scalar = try scalar(value) { return .value(scalar) }
        let encoder = try inner(key)
        try value.encode(to: encoder)
        return encoder.part ?? .value(.object([]))
    }

    func put<Value: Encodable>(value: Value) throws {
        if let scalar = try scalar(value) {
            part = .value(scalar)
        } else {
            try value.encode(to: self)
        }
    }

    func put(_ document: ModelDocument) { part = .value(document) }

    // MARK: Scalars

    /// What a value becomes that has a form of its own; nil for others, which write themselves.
    private func scalar<Value: Encodable>(_ value: Value) throws -> ModelDocument? {
        if Value.self == String.self, let value = value as? String { return .string(value) }
        if Value.self == Date.self, let value = value as? Date {
            return form == .json ? .string(try DateText.iso8601(value)) : .date(value)
        }
        if Value.self == Data.self, let value = value as? Data {
            return form == .json ? .string(value.base64EncodedString()) : .data(value)
        }
        if Value.self == ModelDocument.self { return value as? ModelDocument }
        guard form == .json else { return nil }
        if Value.self == URL.self, let value = value as? URL {
            return .string(value.absoluteString)
        }
        if Value.self == Decimal.self, let value = value as? Decimal { return .decimal(value) }
        return nil
    }

    /// A number; in a property list one of the width of a double.
    func number(_ value: Float) -> ModelDocument {
        form == .json && value.isFinite
            ? ModelDocument(.number(.shortest("\(value)"))) : .double(Double(value))
    }
}

extension DocumentNumber {
    /// A number as its shortest text says, which loses the ".0" of a whole one.
    fileprivate static func shortest(_ text: String) -> DocumentNumber {
        .text(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
}

extension DocumentEncoder.Part {
    /// What was given so far. The recursion ends at ``ModelReader/maximumDepth`` levels: what is deeper is no part of it.
    fileprivate var document: ModelDocument {
        switch self {
        case .value(let document): document
        case .object(let object): object.document
        case .array(let array):
            ModelDocument(.array(DocumentNode(values: array.parts.map(\.document))))
        case .encoder(let encoder): encoder.part?.document ?? .object([])
        }
    }
}

/// An array that gets elements.
final class EncodedArray {
    var parts: [DocumentEncoder.Part] = []
}

/// An object that gets members.
final class EncodedObject {
    private var members: [(key: String, part: DocumentEncoder.Part)] = []

    func set(_ part: DocumentEncoder.Part, _ key: String) { members.append((key, part)) }

    /// What was given a name last.
    ///
    /// - Complexity: linear in the members. Only containers in it ask, which may be asked for again.
    subscript(key: String) -> DocumentEncoder.Part? { members.last { $0.key == key }?.part }

    /// The members in the order of their names. Of several with one name the last one counts.
    fileprivate var document: ModelDocument {
        let places = members.indices.sorted { left, right in
            let (first, second) = (members[left].key, members[right].key)
            if ExactText.precedes(first, second) { return true }
            return left < right && ExactText.areSame(first, second)
        }
        var (keys, values): ([String], [ModelDocument]) = ([], [])
        keys.reserveCapacity(places.count)
        values.reserveCapacity(places.count)
        for place in places {
            let (key, part) = members[place]
            if let last = keys.last, ExactText.areSame(last, key) {
                values[values.count - 1] = part.document
            } else {
                keys.append(key)
                values.append(part.document)
            }
        }
        return ModelDocument(.object(DocumentNode(keys: keys, values: values)))
    }
}
