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
    private let row: Row

    /// What tells objects of one class from each other.
    private enum Row: Hashable, Sendable {
        case key(RowKey)
        /// The address of one that was never inserted.
        case none(Int)
    }

    /// The key of the row; nil for an object that was never inserted.
    package var key: RowKey? { if case .key(let key) = row { key } else { nil } }

    package init(_ entityName: String, _ key: RowKey) {
        self.entityName = entityName
        row = .key(key)
    }

    /// That of an object which was never inserted: it equals no other one.
    init(_ entityName: String, detached object: AnyObject) {
        self.entityName = entityName
        row = .none(Int(bitPattern: ObjectIdentifier(object)))
    }
}

extension PersistentIdentifier: Identifiable {
    /// The identifier itself.
    public var id: Self { self }
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

extension PersistentIdentifier: StoredIdentifier {
    package var queryValue: QueryValue {
        // No row has the key of an object that was never inserted: nothing equals it.
        key?.values.count == 1 ? key?.values[0] ?? .null : .integer(.min)
    }
}
