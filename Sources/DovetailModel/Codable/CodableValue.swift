import Foundation

// Plain `Codable` types as properties: Foundation's coders read and write the part of the document
// that belongs to them. This is the slow way, for types that are not the user's own.

extension ModelReader {
    /// Reads a plain `Decodable` value.
    ///
    /// - Complexity: that of `JSONDecoder`.
    /// - Throws: ``ModelDecodingError`` with the path inside the value.
    public mutating func readCodable<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let start: UnsafePointer<UInt8>
        let text: Data
        if isRow, try rowIsNull() {
            (start, text) = (cursor, Data("null".utf8))
        } else {
            if isRow { try enterColumnDocument() }
            start = cursor
            try skipValue()
            text = Data(bytes(from: start, to: cursor))
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
            // What an initializer of the type throws of its own.
            throw self.error(
                .rejected,
                expected: "\(type)",
                found: String("\(error)".prefix(DocumentExcerpt.limit)),
                at: start
            )
        }
    }

    private mutating func error(
        for failure: DecodingError,
        of type: Any.Type,
        at start: UnsafePointer<UInt8>
    ) -> ModelDecodingError {
        let reason: ModelDecodingError.Reason
        let (expected, found): (String, String)
        let codingPath: [any CodingKey]
        switch failure {
        case .typeMismatch(let type, let context):
            (reason, expected, found) = (.typeMismatch, "\(type)", "another value")
            codingPath = context.codingPath
        case .valueNotFound(let type, let context):
            (reason, expected, found) = (.typeMismatch, "\(type)", "null")
            codingPath = context.codingPath
        case .keyNotFound(let key, let context):
            (reason, expected, found) = (.missingField, "a value", "no such field")
            codingPath = context.codingPath + [key]
        case .dataCorrupted(let context):
            (reason, expected, found) = (.rejected, "\(type)", context.debugDescription)
            codingPath = context.codingPath
        @unknown default:
            (reason, expected, found) = (.rejected, "\(type)", "another value")
            codingPath = []
        }
        let outer = error(reason, expected: expected, found: found, at: start)
        var path = DocumentPath(text: outer.path)
        for key in codingPath {
            if let index = key.intValue {
                path.append(index: index)
            } else {
                path.append(key: key.stringValue)
            }
        }
        return ModelDecodingError(
            reason: reason,
            path: path.text,
            expected: expected,
            // Without the value itself when it comes from a store.
            found: outer.found,
            line: outer.line,
            column: outer.column
        )
    }
}

extension ModelWriter {
    /// Writes a plain `Encodable` value.
    ///
    /// - Complexity: that of `JSONEncoder`.
    /// - Throws: ``ModelEncodingError`` when the value refuses.
    public mutating func writeCodable<Value: Encodable>(_ value: Value) throws {
        let encoder = JSONEncoder()
        // Sorted, so that equal values give equal documents.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(DateText.iso8601(date))
        }
        let data: Data
        do {
            data = try encoder.encode(value)
        } catch let failure as EncodingError {
            throw ModelEncodingError(reason: .rejected, explanation: "\(Value.self): \(failure)")
        } catch let failure as ModelEncodingError {
            throw failure
        } catch {
            throw ModelEncodingError(
                reason: .rejected,
                explanation: "\(Value.self): \(type(of: error))"
            )
        }
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

    /// Writes a field of a plain `Codable` type.
    @_disfavoredOverload
    public mutating func field<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        beginField(name)
        try writeCodable(value)
        endField()
    }

    /// Writes a field of a plain `Codable` type, or leaves it out when `value` is nil.
    @_disfavoredOverload
    public mutating func field<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        guard let value else { return try omitField() }
        try field(name, value)
    }

    /// Writes a field of a plain `Codable` type, as null when `value` is nil.
    @_disfavoredOverload
    public mutating func nullableField<Value: Encodable>(
        _ name: StaticString,
        _ value: Value?
    ) throws {
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
