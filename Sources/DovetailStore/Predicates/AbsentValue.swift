import DovetailModel
import Foundation
import Synchronization

/// What an attribute of an embedded model is whose field its document does not have: an older version has written it
/// without, or it was left out because it is empty. A fetch gives the default of the property then, and so does a
/// query.
///
/// Nothing says at run time what the default is, so a document without the field is read.
enum AbsentValue {
    private struct Attribute: Hashable {
        let model: ObjectIdentifier
        let path: String
    }

    private static let known = Mutex<[Attribute: QueryValue]>([:])

    /// The value; NULL where there is none, which is so for what has to be there, for optional attributes, and for
    /// defaults that are another value each time.
    ///
    /// - Complexity: O(1), but for the first time for an attribute.
    static func of(_ attribute: ModelAttribute, in model: any Model.Type) -> QueryValue {
        if attribute.isOptional || attribute.isPrimaryKey { return .null }
        let key = Attribute(model: ObjectIdentifier(model), path: attribute.path)
        if let value = known.withLock({ $0[key] }) { return value }
        // Outside of the lock: code of the model runs.
        let value = read(attribute, model) ?? .null
        known.withLock { $0[key] = value }
        return value
    }

    private static func read<Value: Model>(
        _ attribute: ModelAttribute,
        _ model: Value.Type
    ) -> QueryValue? {
        let attributes = Value.modelAttributes
        guard let column = attributes.firstIndex(where: { $0.path == attribute.path }),
            let placeholder = PlaceholderValue.make(model),
            var document = try? ModelDocument(placeholder)
        else { return nil }
        _ = document.remove(attribute.path)
        func value() -> QueryValue? {
            guard let value = try? Value(document),
                let row = try? RowImage(of: value, attributes: attributes)
            else { return nil }
            return try? QueryValue(row, column, attributes[column])
        }
        guard let first = value(), first == value() else { return nil }
        return first
    }
}

extension QueryExpression {
    /// The part of a document that is an attribute of an embedded model.
    ///
    /// - Parameter isOptional: Whether there may be no model, and nothing of it.
    func embedded(
        _ attribute: ModelAttribute,
        of model: any Model.Type,
        orNil isOptional: Bool = false
    ) -> QueryExpression {
        let member = member([.path(attribute.path)], attribute.columnType)
            .read(as: type(of: attribute.keyPath as AnyKeyPath).valueType)
        let absent = AbsentValue.of(attribute, in: model)
        if absent == .null { return member }
        let value = QueryExpression.coalesce(member, .value(absent))
        return isOptional ? .conditional(.equal(self, .value(.null)), .value(.null), value) : value
    }
}
