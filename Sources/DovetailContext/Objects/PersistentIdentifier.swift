public import DovetailModel
package import DovetailStore

/// Names one object of a container: the class and the key of its row.
///
/// ```swift
/// let id = box.persistentModelID
/// let same = context.model(for: id) as? Box
/// ```
///
/// It is known when the object is inserted, never changes after that, and is the only thing of an
/// object that may go to another task.
public struct PersistentIdentifier: Hashable, Sendable {
    /// The name of the class in documents and stores.
    public let entityName: String
    /// The key of the row; nil for an object that was never inserted.
    package let key: RowKey?
    /// Tells objects without a key from each other.
    private let address: Int?

    package init(_ entityName: String, _ key: RowKey) {
        self.entityName = entityName
        self.key = key
        address = nil
    }

    /// That of an object which was never inserted: it equals no other one.
    init(_ entityName: String, detached object: AnyObject) {
        self.entityName = entityName
        key = nil
        address = Int(bitPattern: ObjectIdentifier(object))
    }
}

extension PersistentIdentifier: Codable {
    private enum CodingKeys: String, CodingKey { case entity, key }

    /// Writes the class and the key.
    ///
    /// - Throws: `EncodingError` for an object that was never inserted.
    public func encode(to encoder: any Encoder) throws {
        guard let key else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "the object was never inserted, so nothing names it"
                )
            )
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(entityName, forKey: .entity)
        try container.encode(KeyText.text(of: key.values), forKey: .key)
    }

    /// Reads what ``encode(to:)`` has written.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .key)
        guard let values = KeyText.values(of: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .key,
                in: container,
                debugDescription: "is no key of a row"
            )
        }
        self.init(try container.decode(String.self, forKey: .entity), RowKey(values))
    }
}

extension PersistentIdentifier: ModelValue {
    /// The kind of the key that the library gives.
    public static var columnType: ColumnType { .integer }

    /// Reads the key that the library has given.
    ///
    /// - Throws: ``ModelDecodingError`` for anything but a whole number.
    public init(modelValue reader: inout ModelReader) throws {
        self.init("", .integer(try Int64(modelValue: &reader)))
    }

    /// Writes the key, in the form of its column.
    ///
    /// - Throws: ``ModelEncodingError`` for a key of several columns.
    public func encode(to writer: inout ModelWriter) throws {
        switch key?.values.first {
        case .integer(let value)?: try value.encode(to: &writer)
        case .text(let value)?: try value.encode(to: &writer)
        case .data(let value)?: try value.encode(to: &writer)
        case .date(let value)?: try value.encode(to: &writer)
        case .decimal(let value)?: try value.encode(to: &writer)
        case .double(let value)?: try value.encode(to: &writer)
        case .bool(let value)?: try value.encode(to: &writer)
        case .null?, .document?, nil:
            // No row has this key: nothing equals it.
            try Int64.min.encode(to: &writer)
        }
    }
}
