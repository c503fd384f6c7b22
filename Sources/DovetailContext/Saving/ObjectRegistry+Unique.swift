import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// Finds out which new objects have the unique values of stored rows, or of each other, after the
    /// store has refused one. Such an object becomes the row that is there: an upsert.
    ///
    /// - Complexity: linear in the number of new and changed objects of classes with unique values, and
    ///   one query for each group of them.
    /// - Returns: whether there are any that were not known before.
    /// - Throws: ``StoreError`` of kind `uniqueViolation` that names both keys where two rows would have
    ///   to become one, and what the store throws.
    func resolveUniqueValues(on connection: any StoreConnection) throws -> Bool {
        var isFound = false
        var classes: [ObjectIdentifier: UniqueValues] = [:]
        var order: [ObjectIdentifier] = []
        func add(
            _ object: any PersistentModel,
            _ body: (inout UniqueValues, EntityBinding) throws -> Void
        ) throws {
            // Classes that share a table share its unique values.
            let entity = try context.entity(of: type(of: object).modelRoot)
            let identifier = entity.tableIdentifier
            if classes[identifier] == nil {
                classes[identifier] = UniqueValues(entity, map(of: type(of: object)), plan)
                order.append(identifier)
            }
            if var values = classes.removeValue(forKey: identifier) {
                defer { classes[identifier] = values }
                try body(&values, entity)
            }
        }
        for object in deletedObjects {
            // The policy may have kept its row.
            if plan.keeps(object) { continue }
            try add(object) { values, _ in values.addLeaving(object) }
        }
        // Those with a row first: a new object becomes the row that it meets.
        let changed = changedObjects
        let isNew = { (object: any PersistentModel) in
            if case .insert? = self.plan[object] { true } else { false }
        }
        for object in changed.filter({ !isNew($0) }) + changed.filter(isNew) + insertedObjects {
            switch plan[object] {
            case .absorbed, .delete, .keep, .gone: continue
            case .adopt: try add(object) { values, _ in values.addLeaving(object) }
            case .update, .insert, nil:
                if plan.isDropped(object) { continue }
                let own = try context.entity(of: type(of: object))
                try add(object) { values, _ in
                    try values.add(object, row(of: object, own, plan))
                }
            }
        }
        for identifier in order {
            guard var values = classes[identifier] else { continue }
            if try values.resolve(on: connection) { isFound = true }
        }
        return isFound
    }
}
