public import DovetailModel
import DovetailStore
import Foundation

extension ModelContext {
    /// Loads the relationships that a descriptor names, for the objects that it has fetched.
    ///
    /// - Complexity: one query for each step of a key path, and one more where it has a join table;
    ///   linear in the number of rows.
    /// - Throws: ``QueryError`` for a key path that is no relationship, and what a fetch throws.
    @usableFromInline
    func prefetch<Value: Model>(
        _ descriptor: FetchDescriptor<Value>,
        of values: [Value]
    ) throws {
        let paths = descriptor.relationshipKeyPathsForPrefetching
        guard !paths.isEmpty, let type = Value.self as? any PersistentModel.Type else { return }
        func objects<Object: PersistentModel>(_ type: Object.Type) -> [any PersistentModel] {
            // Invariant: `type` is `Value`.
            unsafeBitCast(values, to: [Object].self)
        }
        for path in paths {
            let steps = try RelationshipPath.steps(of: path, from: type)
            var objects = objects(type)
            for (position, index) in steps.enumerated() {
                if position > 0 { objects = targets(of: steps[position - 1], objects) }
                guard let first = objects.first else { break }
                let union = ObjectShape.of(Swift.type(of: first)).union(of: index)
                for part in union?.parts ?? index..<index + 1 {
                    try load(part, of: objects.filter { isUnloaded($0, part) })
                }
            }
        }
    }

    /// The objects that a relationship of others leads to, as far as they are known, each once.
    private func targets(
        of index: Int,
        _ objects: [any PersistentModel]
    ) -> [any PersistentModel] {
        var seen: Set<ObjectIdentifier> = []
        return objects.compactMap { object in
            let backing = object.persistentBacking
            let target = backing.shape(of: object).relationships[index].target
            switch backing.slots[index] {
            case .one(let other): return other
            case .key(let key): return registry.referred(target, key)
            case .nothing, .unloaded, .many, .stranger: return nil
            }
        }
        .filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}

/// A key path that leads through relationships: `\Item.box`, `\Item.box?.owner`.
private enum RelationshipPath {
    /// The relationships, each by its index in the class to which the one before it leads. Objects of classes
    /// below that one have them at the same index.
    ///
    /// - Throws: ``QueryError`` for a key path that is something else.
    static func steps(
        of path: AnyKeyPath,
        from type: any PersistentModel.Type
    ) throws -> [Int] {
        // As properties of the class itself, also what it inherits.
        let all = type.modelRelationships
        if let index = all.firstIndex(where: { $0.keyPath as AnyKeyPath == path }) {
            return [index]
        }
        if let components = KeyPathComponent.all(of: path),
            let steps = steps(of: components[...], from: type)
        {
            return steps
        }
        throw QueryError(
            expression: "FetchDescriptor<\(type)>.relationshipKeyPathsForPrefetching",
            explanation:
                "\(path) is no relationship of \(type), and none of an object that one leads "
                + "to"
        )
    }

    /// The same for components. No path is made here that is equal to one through an optional.
    private static func steps(
        of components: ArraySlice<KeyPathComponent>,
        from type: any PersistentModel.Type
    ) -> [Int]? {
        guard let first = components.first else { return nil }
        let index = type.modelRelationships.firstIndex { first.reads($0.keyPath) }
        guard let index else { return nil }
        // What was no optional is one after `?.`.
        let rest = components.dropFirst().drop { !$0.isProperty }
        if rest.isEmpty { return [index] }
        let target = ObjectShape.of(type).relationships[index].target
        return steps(of: rest, from: target).map { [index] + $0 }
    }
}
