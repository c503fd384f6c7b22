import DovetailModel
import Foundation

// The identifier of a model whose key is several columns, which has none of its own: `$0.id == line.id`.

extension QueryTranslator {
    /// Whether the row has the identifier that an expression gives; nil where it is about something else.
    ///
    /// - Throws: ``QueryError`` for an identifier that is none of a captured value, and for one that lacks a member.
    func keyEquality(
        _ node: some PredicateExpression,
        _ other: some PredicateExpression
    ) throws -> QueryExpression? {
        guard entity.keyCount > 1 else { return nil }
        let isLeft = isCompositeKey(node)
        guard isLeft || isCompositeKey(other) else { return nil }
        return try isLeft ? hasKey(other) : hasKey(node)
    }

    private func hasKey(_ node: some PredicateExpression) throws -> QueryExpression {
        guard isCaptured(node), let identifier = try? node.evaluate(captures.bindings) else {
            throw QueryError(
                expression: "\(node)",
                explanation: "is no captured identifier; compare the properties of the key"
            )
        }
        return entity.filter(of: try KeyForm.values(of: identifier, of: entity).map { [$0] } ?? [])
    }

    /// Whether the row has one of some identifiers; nil where the element is something else.
    ///
    /// - Throws: ``QueryError`` for more than ``mostUnrolled``, and for one that lacks a member.
    func hasKey(
        among identifiers: some Sequence,
        _ node: some PredicateExpression
    ) throws -> QueryExpression? {
        guard entity.keyCount > 1, isCompositeKey(node) else { return nil }
        let keys = try identifiers.compactMap { try KeyForm.values(of: $0, of: entity) }
        guard keys.count <= Self.mostUnrolled else {
            throw QueryError(
                expression: "\(node)",
                explanation:
                    "is compared with \(keys.count) identifiers of several columns; a store is asked for "
                    + "\(Self.mostUnrolled) at most"
            )
        }
        return entity.filter(of: keys)
    }

    private func isCompositeKey(_ node: some PredicateExpression) -> Bool {
        (node as? any PathExpression)?.isCompositeKey(of: self) == true
    }
}

/// Which key paths lead to the identifier of a model. That of a key of several columns is computed, so a value of
/// the model is made whose key is like nothing else in it.
enum IdentifierPath {
    private static let known = PathMemory<Bool>()

    /// - Complexity: O(1), but the first time a row is read.
    static func isOne(_ path: AnyKeyPath, of entity: EntityBinding) -> Bool {
        known.answer(for: path, of: entity.type) { leads(path, from: entity.type, entity) }
    }

    private static func leads<Value: Model>(
        _ path: AnyKeyPath,
        from model: Value.Type,
        _ entity: EntityBinding
    ) -> Bool {
        guard let model = model as? any (Model & Identifiable).Type else { return false }
        return isIdentifier(path, of: model, entity)
    }

    private static func isIdentifier<Value: Model & Identifiable>(
        _ path: AnyKeyPath,
        of model: Value.Type,
        _ entity: EntityBinding
    ) -> Bool {
        guard type(of: path).valueType == Value.ID.self else { return false }
        var key: [Int: QueryValue] = [:]
        for (position, column) in entity.keyColumns.enumerated() {
            switch entity.attributes[column].columnType {
            case .integer: key[column] = .integer(Int64(100 + position))
            case .text: key[column] = .text("key \(position)")
            default: break
            }
        }
        guard let value = PlaceholderValue.make(model, key) else { return false }
        return (value as Any)[keyPath: path] as? Value.ID == value.id
    }
}
