public import DovetailModel
public import DovetailStore
public import Foundation

extension ModelContext {
    /// The values of a fetch whose predicate says no more than what a key is that is a whole number or
    /// text, as most are: `$0.id == 7`. Nil for every other one.
    ///
    /// The type of such a predicate is known here, where the model is, so its parts are loads. To take
    /// them out of a predicate of any type (``AttributeEquality``) took longer than fetching the row.
    @inlinable
    func fetchByPlainKey<Value: Model>(_ descriptor: FetchDescriptor<Value>) throws -> [Value]? {
        guard descriptor.takesFirst, let condition = descriptor.condition else { return nil }
        switch condition {
        case .integer(let path, let key): return try fetch(where: path, is: key)
        case .text(let path, let key): return try fetch(where: path, is: key)
        case .uuid(let path, let key): return try fetch(where: path, is: key)
        case .predicate(let predicate):
            let expression = predicate.expression
            if let equality = KeyEquality<Value, Int>(expression) {
                return try fetch(where: equality.path, is: equality.key)
            }
            if let equality = KeyEquality<Value, String>(expression) {
                return try fetch(where: equality.path, is: equality.key)
            }
            return nil
        }
    }

    /// The value, or none, whose key is the one that is given; nil where the path is not that of the key.
    @inlinable
    func fetch<Value: Model, Key>(where path: AnyKeyPath, is key: Key) throws -> [Value]? {
        guard try isPlainKey(path, of: Value.self) else { return nil }
        var values: [Value] = []
        try withRow(of: Value.self) { entity, sink in
            try KeyForm.write(key, of: entity, to: sink)
        } body: { cursor, entity in
            values = [
                try ModelReader.readRow(
                    of: Value.self,
                    from: cursor,
                    fields: entity.fields,
                    spareState
                )
            ]
        }
        return values
    }
}

/// The parts of a predicate `$0.path == key`.
@usableFromInline
struct KeyEquality<Root, Key: Codable & Equatable & Sendable> {
    /// What `#Predicate` makes of it.
    @usableFromInline typealias Expression = PredicateExpressions.Equal<
        PredicateExpressions.KeyPath<PredicateExpressions.Variable<Root>, Key>,
        PredicateExpressions.Value<Key>
    >

    @usableFromInline let path: AnyKeyPath
    @usableFromInline let key: Key

    /// Nil for an expression of another type.
    ///
    /// The cast asks for one type, which the caller's module knows. A generic function that opened the
    /// expression would make the metadata of `Expression` at each call: that took longer than fetching
    /// the row.
    @inlinable
    @inline(__always)
    init?(_ expression: any PredicateExpression) {
        guard type(of: expression) == Expression.self, let equality = expression as? Expression
        else { return nil }
        path = equality.lhs.keyPath
        key = equality.rhs.value
    }
}
