import Foundation

// Plain `Codable` types as properties. Foundation's coders read and write the part of the document
// that belongs to them. That is many times slower than a model and meant for types that are not
// your own; a type of your own gets `@Model` or a `ModelTransform`.

extension ModelReader {
    /// Reads a plain `Decodable` value. Generated code calls it for a property whose type is no
    /// ``ModelValue``.
    ///
    /// ```swift
    /// struct Route: ModelValue {
    ///     let polygon: Polygon  // Codable, of another package
    ///     init(modelValue reader: inout ModelReader) throws {
    ///         polygon = try reader.readCodable(Polygon.self)
    ///     }
    /// }
    /// ```
    ///
    /// Dates inside of it are ISO 8601 in JSON, as everywhere in Dovetail. In a row the column
    /// holds JSON.
    ///
    /// - Complexity: that of `JSONDecoder`, in property lists of `PropertyListDecoder`, after a
    ///   pass that finds the end of the value.
    /// - Throws: ``ModelDecodingError`` with the path inside the value. What its initializer throws
    ///   of its own has the reason `rejected`.
    public mutating func readCodable<Value: Decodable>(_ type: Value.Type) throws -> Value {
        forgetTaggedObject()
        if isPropertyList {
            return try readPropertyListCodable(type)
        }
        let start: UnsafePointer<UInt8>
        let text: Data
        if isRow, try rowIsNull() {
            (start, text) = (cursor, Data("null".utf8))
        } else {
            if isRow { try enterColumnDocument() }
            start = cursor
            text = try textOfValue(as: type)
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = DateText.date(iso8601: text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "not ISO 8601")
                )
            }
            return date
        }
        do {
            return try decoder.decode(type, from: text)
        } catch let failure as DecodingError {
            throw error(for: failure, of: type, at: start)
        } catch {
            throw rejection(of: type, error, at: start)
        }
    }

    /// The JSON of the value under the cursor, which is then skipped. A tree is written as JSON
    /// first.
    private mutating func textOfValue(as type: Any.Type) throws -> Data {
        let start = cursor
        guard source == .tree else {
            try skipValue()
            return Data(bytes(from: start, to: cursor))
        }
        let document = try readTreeDocument()
        do {
            return try document.encoded(as: .json)
        } catch {
            throw rejection(of: type, error, at: start)
        }
    }

    /// The error for something that is no `DecodingError`: what an initializer of the type throws
    /// of its own.
    mutating func rejection(
        of type: Any.Type,
        _ failure: any Error,
        at start: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        error(
            .rejected,
            expected: "\(type)",
            found: String("\(failure)".prefix(DocumentExcerpt.limit)),
            at: start
        )
    }

    /// The error of Foundation's decoder as one of ours, with its coding path after the path of the
    /// value.
    ///
    /// - Parameter pathStart: how many components of the coding path lie outside of the value.
    mutating func error(
        for failure: DecodingError,
        of type: Any.Type,
        at start: UnsafePointer<UInt8>,
        pathStart: Int = 0
    ) -> ModelDecodingError {
        let kind: ModelDecodingError.Kind
        let (expected, found): (String, String)
        let codingPath: [any CodingKey]
        switch failure {
        case .typeMismatch(let type, let context):
            (kind, expected, found) = (.typeMismatch, "\(type)", "another value")
            codingPath = context.codingPath
        case .valueNotFound(let type, let context):
            (kind, expected, found) = (.typeMismatch, "\(type)", "null")
            codingPath = context.codingPath
        case .keyNotFound(let key, let context):
            (kind, expected, found) = (.missingField, "a value", "no such field")
            codingPath = context.codingPath + [key]
        case .dataCorrupted(let context):
            (kind, expected, found) = (.rejected, "\(type)", context.debugDescription)
            codingPath = context.codingPath
        @unknown default:
            (kind, expected, found) = (.rejected, "\(type)", "another value")
            codingPath = []
        }
        let outer = error(kind, expected: expected, found: found, at: start)
        var path = DocumentPath(text: outer.path)
        for key in codingPath.dropFirst(pathStart) {
            if let index = key.intValue {
                path.append(index: index)
            } else {
                path.append(key: key.stringValue)
            }
        }
        return ModelDecodingError(
            kind: kind,
            path: "",
            expected: expected,
            // `outer.found` has no stored data when the value comes from a store.
            found: outer.found
        )
        .moved(to: outer, path: path.text)
    }
}

extension ModelWriter {
    /// Writes a plain `Encodable` value, its fields in the order of their names, so that equal
    /// values give equal documents; also one that is a set, or a dictionary whose keys are no field names.
    /// Sets inside of other types are written by these, in any order.
    ///
    /// ```swift
    /// func encode(to writer: inout ModelWriter) throws { try writer.writeCodable(polygon) }
    /// ```
    ///
    /// - Complexity: that of `JSONEncoder`, in property lists of `PropertyListEncoder`.
    /// - Throws: ``ModelEncodingError`` when the value refuses (`rejected`).
    public mutating func writeCodable<Value: Encodable>(_ value: Value) throws {
        if let value = value as? any UnorderedCollection, try value.writeInOrder(to: &self) {
            return
        }
        if isPropertyList { return try codableDocument(value).encode(to: &self) }
        if let tree { return tree.pointee.append(try codableDocument(value)) }
        let data = try Self.json(of: value)
        try data.withUnsafeBytes { raw in
            try raw.withMemoryRebound(to: UInt8.self) { bytes in
                if isRow {
                    try row?.set(column, document: bytes)
                } else {
                    append(bytes)
                }
            }
        }
    }

    /// A plain `Encodable` value as the document that it becomes where the writer is.
    func codableDocument<Value: Encodable>(_ value: Value) throws -> ModelDocument {
        if isPropertyList { return try propertyListDocument(of: value) }
        return try ModelDocument(decoding: Self.json(of: value), as: .json)
    }

    /// A plain `Encodable` value as JSON.
    private static func json<Value: Encodable>(of value: Value) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(DateText.iso8601(date))
        }
        do {
            return try encoder.encode(value)
        } catch {
            throw refusal(of: Value.self, error)
        }
    }

    /// The error that a plain `Encodable` value threw, as one of ours.
    static func refusal(of type: Any.Type, _ failure: any Error) -> ModelEncodingError {
        switch failure {
        case let failure as ModelEncodingError: failure
        case let failure as EncodingError:
            ModelEncodingError(kind: .rejected, explanation: "\(type): \(failure)")
        default:
            ModelEncodingError(
                kind: .rejected,
                explanation: "\(type): \(Swift.type(of: failure))"
            )
        }
    }

    /// Writes a field of a plain `Codable` type. Disfavored, so that a type that is also a
    /// ``ModelValue`` is written as that.
    ///
    /// - Throws: ``ModelEncodingError`` when the value refuses.
    @_disfavoredOverload
    public mutating func field<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        if skipsColumn() { return }
        beginField(name)
        try writeCodable(value)
        endField()
    }

    /// Writes a field of a plain `Codable` type, or leaves it out when `value` is nil; a row gets
    /// NULL.
    ///
    /// - Throws: ``ModelEncodingError`` when the value refuses.
    @_disfavoredOverload
    public mutating func field<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        if skipsColumn() { return }
        guard let value else { return try omitField() }
        try field(name, value)
    }

    /// Writes a field of a plain `Codable` type, as null when `value` is nil.
    @_disfavoredOverload
    public mutating func nullableField<Value: Encodable>(
        _ name: StaticString,
        _ value: Value?
    ) throws {
        if skipsColumn() { return }
        beginField(name)
        if let value {
            try writeCodable(value)
        } else {
            try writeNull()
        }
        endField()
    }

    /// Writes a field of a plain `Codable` collection, or leaves it out of a document when `value`
    /// is empty.
    @_disfavoredOverload
    public mutating func nonEmptyField<Value: Encodable & Collection>(
        _ name: StaticString,
        _ value: Value
    ) throws {
        if value.isEmpty, !isRow { return }
        try field(name, value)
    }
}
