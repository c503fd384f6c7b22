import Foundation

// Plain `Codable` types as properties. The part of the document that belongs to them goes through a tree, as they ask
// for it in any order. That is slower than a model and meant for types that are not your own; a type of your own gets
// `@Model` or a `ModelTransform`. What they become is what Foundation's coders make of them, byte by byte in JSON.

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
    /// - Complexity: linear in the value, with a tree of it.
    /// - Throws: ``ModelDecodingError`` with the path inside the value. What its initializer throws
    ///   of its own has the reason `rejected`.
    public mutating func readCodable<Value: Decodable>(_ type: Value.Type) throws -> Value {
        forgetTaggedObject()
        return try readCodable(type, asInPropertyList: isPropertyList)
    }

    /// The same where it is known which of both forms the value has.
    mutating func readCodable<Value: Decodable>(
        _ type: Value.Type,
        asInPropertyList isPropertyList: Bool
    ) throws -> Value {
        var isNull = false
        if isRow {
            isNull = try rowIsNull()
            if !isNull { try enterColumnDocument() }
        }
        let start = cursor
        let document = isNull ? .null : try readDocument()
        let decoder = DocumentDecoder(
            document: document,
            isPropertyList: isPropertyList,
            place: .root
        )
        do {
            return try decoder.value(type)
        } catch let failure as DecodingError {
            throw error(for: failure, of: type, at: start)
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

    /// The error of a decoder as one of ours, with its coding path after the path of the value.
    mutating func error(
        for failure: DecodingError,
        of type: Any.Type,
        at start: UnsafePointer<UInt8>
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
        for key in codingPath {
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
    /// - Complexity: linear in the value, with a tree of it, and O(*n* log *n*) for the members of each object.
    /// - Throws: ``ModelEncodingError`` when the value refuses (`rejected`).
    public mutating func writeCodable<Value: Encodable>(_ value: Value) throws {
        if let value = value as? any UnorderedCollection, try value.writeInOrder(to: &self) {
            return
        }
        try codableDocument(value).encode(to: &self)
    }

    /// A plain `Encodable` value as the document that it becomes where the writer is.
    func codableDocument<Value: Encodable>(_ value: Value) throws -> ModelDocument {
        do {
            return try DocumentEncoder.document(
                of: value,
                as: isPropertyList ? .propertyList : .json
            )
        } catch {
            throw Self.refusal(of: Value.self, error)
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
