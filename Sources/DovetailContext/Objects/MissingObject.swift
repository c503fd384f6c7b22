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
    /// - Complexity: as ``PlaceholderValue/make(_:_:)``.
    static func make<Object: PersistentModel>(_ type: Object.Type, _ key: RowKey?) -> Object? {
        let attributes = Object.modelAttributes
        let keys = attributes.indices.filter { attributes[$0].isPrimaryKey }
        var known: [Int: QueryValue] = [:]
        if let key, key.values.count == keys.count {
            for (column, value) in zip(keys, key.values) { known[column] = value }
        }
        guard let object = PlaceholderValue.make(type, known) else { return nil }
        object.persistentBacking.key = key
        object.persistentBacking.state = .gone
        return object
    }
}

extension PersistentModel {
    /// What a required relationship gives whose object is not there any more.
    ///
    /// It stays in the relationship, unless the row could not be read for a reason that may pass.
    func missing<Object: PersistentModel>(_ index: Int) -> Object? {
        let backing = persistentBacking
        if let object = former(index) as? Object { return object }
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
        for part in union.parts {
            if let object = former(part) as? Value { return object }
        }
        let parts = union.parts.filter { if case .key = backing.slots[$0] { true } else { false } }
        for part in parts + Array(union.parts) {
            func made<Object: PersistentModel>(_ type: Object.Type) -> Object? { missing(part) }
            if let object = made(shape.relationships[part].target) as? Value { return object }
        }
        return nil
    }
}
