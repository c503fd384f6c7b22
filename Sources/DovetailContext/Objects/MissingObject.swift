import DovetailModel
import DovetailStore
import Foundation

/// What a required relationship gives whose object cannot be read any more: such as where another context has
/// deleted both, and this one had never read the relationship. The type of the property has no room for "none".
///
/// It is an object of its own, which is deleted (`isDeleted`): it has the key that the row referred to, nil where
/// that is possible, and otherwise values that mean nothing, as `0`, `""` and `[]`, or the first case.
enum MissingObject {
    /// An object without a row; nil for a class with an attribute for which no value is found.
    ///
    /// - Parameter key: The key that somebody has referred to.
    /// - Complexity: linear in the number of attributes, and reads a row once more for each value that a type refuses.
    static func make<Object: PersistentModel>(_ type: Object.Type, _ key: RowKey?) -> Object? {
        let attributes = Object.modelAttributes
        let fields = RowFields(attributes)
        let keys = attributes.indices.filter { attributes[$0].isPrimaryKey }
        var candidates = attributes.map { $0.isOptional ? [.null] : Self.values(of: $0) }
        if let key, key.values.count == keys.count {
            for (column, value) in zip(keys, key.values) { candidates[column].insert(value, at: 0) }
        }
        while true {
            let row = RowImage(columns: attributes.count)
            for (column, values) in candidates.enumerated() {
                guard let value = values.first, (try? value.set(column, of: row)) != nil else {
                    return nil
                }
            }
            do {
                let object = try ModelReader.readRow(of: type, from: row, fields: fields)
                object.persistentBacking.key = key
                object.persistentBacking.state = .gone
                return object
            } catch let error as ModelDecodingError {
                let refused = attributes.indices.first { column in
                    let path = attributes[column].path
                    return error.path == path || error.path.hasPrefix(path + ".")
                        || error.path.hasPrefix(path + "[")
                }
                guard let refused else { return nil }
                candidates[refused].removeFirst()
            } catch {
                return nil
            }
        }
    }

    /// Values of a column, of which the type of the property may take one.
    private static func values(of attribute: ModelAttribute) -> [QueryValue] {
        let first = firstCase(
            of: Swift.type(of: attribute.keyPath as AnyKeyPath).valueType,
            asDocument: attribute.columnType == .document
        )
        let others: [QueryValue] =
            switch attribute.columnType {
            case .boolean: [.bool(false)]
            case .integer: [.integer(0), .integer(1)]
            case .double: [.double(0)]
            case .decimal: [.decimal(0)]
            case .text:
                ["", "00000000-0000-0000-0000-000000000000", "about:blank", "0", "1970-01-01"]
                    .map { .text($0) }
            case .date: [.date(Date(timeIntervalSinceReferenceDate: 0))]
            case .data: [.data(Data()), .data(Data(count: 16))]
            case .document: ["{}", "[]", "\"\"", "0", "false", "null"].map { .document($0) }
            }
        return (first.map { [$0] } ?? []) + others
    }

    /// The raw value of the first case of an enum that lists its cases.
    private static func firstCase(of type: Any.Type, asDocument: Bool) -> QueryValue? {
        func first<Value: CaseIterable>(_ type: Value.Type) -> Any? { Value.allCases.first }
        func raw<Value: RawRepresentable>(_ value: Value) -> Any { value.rawValue }
        guard let type = type as? any CaseIterable.Type,
            let value = first(type) as? any RawRepresentable
        else { return nil }
        switch raw(value) {
        case let text as String:
            guard asDocument else { return .text(text) }
            return (try? text.encoded(as: .json)).map {
                .document(String(decoding: $0, as: UTF8.self))
            }
        case let number as any BinaryInteger:
            return asDocument ? .document("\(number)") : .integer(Int64(truncatingIfNeeded: number))
        default: return nil
        }
    }
}

extension PersistentModel {
    /// What a required relationship gives whose object is not there any more.
    ///
    /// It stays in the relationship, unless the row could not be read for a reason that may pass.
    func missing<Object: PersistentModel>(_ index: Int) -> Object? {
        let backing = persistentBacking
        let slot = backing.slots[index]
        guard let object = MissingObject.make(Object.self, slot.key) else { return nil }
        if case .key = slot, backing.context?.registry.problem == nil {
            backing.slots[index] = .one(object)
        }
        return object
    }

    /// The same of a relationship to a protocol: an object of the class whose key it has.
    func missing<Value>(_ union: ObjectShape.Union, as type: Value.Type) -> Value? {
        let backing = persistentBacking
        let shape = backing.shape(of: self)
        let parts = union.parts.filter { if case .key = backing.slots[$0] { true } else { false } }
        for part in parts + Array(union.parts) {
            func made<Object: PersistentModel>(_ type: Object.Type) -> Object? { missing(part) }
            if let object = made(shape.relationships[part].target) as? Value { return object }
        }
        return nil
    }
}
