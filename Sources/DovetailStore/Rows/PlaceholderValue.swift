package import DovetailModel
import Foundation

/// A value of a model whose attributes mean nothing, such as `0`, `""` and `[]`, or the first case: where one is
/// needed and nobody has said which.
package enum PlaceholderValue {
    /// A value; nil for a model with an attribute for which none is found.
    ///
    /// - Parameter known: What some columns hold, if the model takes it.
    /// - Complexity: linear in the number of attributes, and reads a row once more for each value that a type refuses.
    package static func make<Value: Model>(
        _ type: Value.Type,
        _ known: [Int: QueryValue] = [:]
    ) -> Value? {
        let attributes = Value.modelAttributes
        let fields = RowFields(attributes)
        var candidates = attributes.map { $0.isOptional ? [.null] : values(of: $0) }
        for (column, value) in known { candidates[column].insert(value, at: 0) }
        while true {
            let row = RowImage(columns: attributes.count)
            for (column, values) in candidates.enumerated() {
                guard let value = values.first, (try? value.set(column, of: row)) != nil else {
                    return nil
                }
            }
            do {
                return try ModelReader.readRow(of: type, from: row, fields: fields)
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
        return [first, embedded(in: attribute)].compactMap { $0 } + others
    }

    /// The document of a placeholder, for an attribute that is a model.
    private static func embedded(in attribute: ModelAttribute) -> QueryValue? {
        guard attribute.columnType == .document, attribute.transform == nil,
            let model = Swift.type(of: attribute.keyPath as AnyKeyPath).valueType
                as? any Model.Type,
            !(model is any ManagedModel.Type)
        else { return nil }
        return make(model).flatMap { document(of: $0) }
    }

    /// What a column has of an embedded value; nil for one that has no form.
    static func document(of value: some ModelValue) -> QueryValue? {
        (try? value.encoded(as: .json)).map { .document(String(decoding: $0, as: UTF8.self)) }
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
