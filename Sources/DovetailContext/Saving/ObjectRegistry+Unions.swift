import DovetailModel
import DovetailStore

// What a save asks of relationships to protocols.

extension ObjectRegistry {
    /// Refuses to save an object that leads to one of a class which the container was made without.
    ///
    /// - Throws: ``StoreError`` of kind `invalidSchema`.
    func requireKnownClasses(_ object: any PersistentModel) throws {
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        if shape.unions.isEmpty { return }
        for part in shape.unions.lazy.flatMap(\.parts) {
            let relationship = shape.relationships[part]
            if context.container.schema.contains(relationship.target) { continue }
            switch backing.slots[part] {
            case .nothing, .unloaded, .stranger: continue
            case .many(let list) where list.count == 0: continue
            case .key, .one, .many: throw ObjectError.unknownClass(relationship, of: object)
            }
        }
    }

    /// Whether an object has to have another one of a protocol, has none, and is deleted for that: it was
    /// taken out of a list which deletes its objects.
    ///
    /// - Throws: ``StoreError`` for an object that has none, and is not deleted for that.
    func isOrphan(
        _ object: any PersistentModel,
        _ union: ObjectShape.Union
    ) throws -> Bool {
        guard union.isRequired, ObjectGraph.isEmpty(object, union) else { return false }
        let backing = object.persistentBacking
        let shape = backing.shape(of: object)
        let entity = try context.entity(of: type(of: object))
        // The part that has held one when the row was written; without a row any of them.
        let held = union.parts.filter { part in
            guard let base = backing.base else { return true }
            return entity.relationshipColumns.contains { column in
                if case .key(part, let column) = column { !base.isNull(column) } else { false }
            }
        }
        let holders = held.compactMap { part -> ObjectShape.Relationship? in
            let relationship = shape.relationships[part]
            return relationship.inverse.map {
                ObjectShape.of(relationship.target).relationships[$0]
            }
        }
        if holders.contains(where: { $0.deleteRule == .cascade }) { return true }
        throw ObjectError.missing(union.name, of: object, backing.base == nil ? nil : holders.first)
    }
}
