import Foundation

// Documents and undeclared fields in models that are plain `Codable` too, for coders other than
// ours. What a coder lacks comes back as what it has instead: dates and data as it writes them,
// members in its order, and of a repeated key the last one.
//
// Dovetail's own reader and writer do not come here: they use `ModelValue`.

extension ModelDocument: Codable {
    /// Reads any value that the decoder tells apart: null, truth values, numbers, strings, dates,
    /// data, arrays and objects.
    ///
    /// ```swift
    /// struct Envelope: Codable {
    ///     var id: Int
    ///     var payload: ModelDocument
    /// }
    /// let envelope = try JSONDecoder().decode(Envelope.self, from: data)
    /// let name = envelope.payload["groups[0].name"]?.stringValue
    /// ```
    ///
    /// - Complexity: linear in the size of the document and in its depth, as the decoder's path is
    ///   looked at on every level.
    /// - Throws: `DecodingError` for anything else, and for what is nested deeper than
    ///   ``ModelReader/maximumDepth``.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count <= ModelReader.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "nested deeper than \(ModelReader.maximumDepth) levels"
                )
            )
        }
        if let object = try? decoder.container(keyedBy: DocumentCodingKey.self) {
            let node = DocumentNode()
            for key in object.allKeys {
                node.append(key.stringValue, try object.decode(ModelDocument.self, forKey: key))
            }
            self.init(.object(node))
        } else if var array = try? decoder.unkeyedContainer() {
            var values: [ModelDocument] = []
            while !array.isAtEnd { values.append(try array.decode(ModelDocument.self)) }
            self.init(.array(DocumentNode(values: values)))
        } else {
            self = try Self.scalar(in: decoder.singleValueContainer())
        }
    }

    /// Tries one type after the other: a decoder does not say what it holds. Truth values come
    /// before numbers, since some decoders take `true` for 1, and whole numbers before others.
    private static func scalar(
        in container: any SingleValueDecodingContainer
    ) throws -> ModelDocument {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(UInt64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) {
            // More digits than a double has, where the decoder keeps them.
            let decimal = (try? container.decode(Decimal.self)).map { DocumentNumber.decimal($0) }
            guard let decimal, decimal.double == value, decimal != .double(value) else {
                return .double(value)
            }
            return ModelDocument(.number(decimal))
        }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Date.self) { return .date(value) }
        return .data(try container.decode(Data.self))
    }

    /// Writes the value. Numbers are whole numbers, doubles or decimals, whichever holds all of
    /// their digits.
    ///
    /// ```swift
    /// let data = try JSONEncoder().encode(envelope)
    /// ```
    ///
    /// - Complexity: linear in the size of the document and in its depth, as the encoder's path is
    ///   looked at on every level.
    /// - Throws: `EncodingError` for a number that none of these holds, for what is nested deeper
    ///   than ``ModelReader/maximumDepth``, and what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        guard encoder.codingPath.count <= ModelReader.maximumDepth else {
            throw unencodable(
                "nested deeper than \(ModelReader.maximumDepth) levels",
                encoder.codingPath
            )
        }
        switch storage {
        case .array(let node):
            var array = encoder.unkeyedContainer()
            for value in node.values { try array.encode(value) }
        case .object(let node):
            var object = encoder.container(keyedBy: DocumentCodingKey.self)
            for (key, value) in zip(node.keys, node.values) {
                try object.encode(value, forKey: DocumentCodingKey(stringValue: key))
            }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(to: &container)
        }
    }

    /// Writes a value that is no container. A text is written as the first type that is equal to
    /// it, in the order in which ``init(from:)`` tries them.
    private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
        switch storage {
        case .null, .array, .object: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .number(let number):
            if number.kind == .integer, let value = Int64(number.text) {
                try container.encode(value)
            } else if number.kind == .integer, let value = UInt64(number.text) {
                try container.encode(value)
            } else if case .double(let value) = number {
                try container.encode(value)
            } else if let value = number.double, DocumentNumber.double(value) == number {
                try container.encode(value)
            } else if let value = number.decimal {
                try container.encode(value)
            } else {
                throw unencodable(
                    "a number that neither a double nor a decimal can hold",
                    container.codingPath
                )
            }
        }
    }

    /// The error that this value has no form in the encoder.
    private func unencodable(_ why: String, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue(self, .init(codingPath: path, debugDescription: why))
    }
}

extension UnknownFields: Codable {
    /// Reads an object, or a list of two when there are members beside a tag.
    ///
    /// - Complexity: that of `ModelDocument.init(from:)`.
    /// - Throws: `DecodingError` when there is neither.
    public init(from decoder: any Decoder) throws {
        let document = try ModelDocument(from: decoder)
        guard !document.isNull, let fields = UnknownFields(document) else {
            throw DecodingError.typeMismatch(
                UnknownFields.self,
                .init(codingPath: decoder.codingPath, debugDescription: "not an object")
            )
        }
        self = fields
    }

    /// Writes an object, or a list of two when there are members beside a tag.
    ///
    /// - Complexity: that of `ModelDocument.encode(to:)`.
    /// - Throws: what ``ModelDocument`` throws.
    public func encode(to encoder: any Encoder) throws {
        try document.encode(to: encoder)
    }
}

/// Any name, as a document's members have them. Never an index: elements go into unkeyed
/// containers.
private struct DocumentCodingKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) { nil }
}

// Synthesized code calls these for the property that `@Model(unknownFields: .preserve)` adds. A
// document without it is read as one without undeclared fields: a synthesized `init(from:)` does
// not use the property's default.

extension KeyedDecodingContainer {
    /// The undeclared fields of a model that is `Codable`; none where the document has none.
    ///
    /// - Throws: `DecodingError` when the member is there and not an object.
    public func decode(_ type: UnknownFields.Type, forKey key: Key) throws -> UnknownFields {
        try decodeIfPresent(type, forKey: key) ?? UnknownFields()
    }
}

extension KeyedEncodingContainer {
    /// Writes the undeclared fields of a model that is `Codable`, if there are any.
    ///
    /// - Throws: what ``ModelDocument`` throws.
    public mutating func encode(_ fields: UnknownFields, forKey key: Key) throws {
        guard !fields.isEmpty else { return }
        try encode(fields.document, forKey: key)
    }
}
