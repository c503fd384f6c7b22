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
            if case .keep = plan[object] { continue }
            try add(object) { values, _ in values.addDeleted(object) }
        }
        // Those with a row first: a new object becomes the row that it meets.
        let changed = changedObjects
        let isNew = { (object: any PersistentModel) in
            if case .insert? = self.plan[object] { true } else { false }
        }
        for object in changed.filter({ !isNew($0) }) + changed.filter(isNew) + insertedObjects {
            switch plan[object] {
            case .absorbed, .adopt, .drop, .delete, .keep, .gone: continue
            case .update, .insert, .unlink, nil:
                let own = try context.entity(of: type(of: object))
                try add(object) { values, _ in
                    try values.add(object, row(of: object, own, plan[object]))
                }
            }
        }
        for identifier in order {
            guard var values = classes[identifier] else { continue }
            for (object, absorbed) in try values.resolve(on: connection) {
                isFound = true
                try settleOnes(of: object, absorbed, on: connection)
            }
        }
        return isFound
    }

    /// An object that stands for a row may have another one in a relationship to one than that row, which
    /// the rows of the others say: its own wins.
    private func settleOnes(
        of object: any PersistentModel,
        _ absorbed: [any PersistentModel],
        on connection: any StoreConnection
    ) throws {
        let shape = object.persistentBacking.shape(of: object)
        guard let key = object.persistentBacking.key?.values.first else { return }
        for (index, relationship) in shape.relationships.enumerated()
        where !relationship.isToMany && !shape.isLaterPart(index) {
            let parts = Array(shape.union(of: index)?.parts ?? index..<index + 1)
            var own: [(object: any PersistentModel, part: Int)] = []
            for other in [object] + absorbed {
                let slots = other.persistentBacking.slots
                for part in parts where slots.indices.contains(part) {
                    if case .one(let one) = slots[part], !one.persistentBacking.state.isDeleted {
                        own.append((one, part))
                    }
                }
            }
            guard let winner = own.first?.object else { continue }
            for part in parts where !shape.relationships[part].holdsKey {
                let others = own.dropFirst().filter { $0.part == part }.map(\.object)
                try settle(shape.relationships[part], key, winner, others, on: connection)
            }
        }
    }

    /// Takes an object out of a relationship of all others of one class but of the one that has it.
    private func settle(
        _ relationship: ObjectShape.Relationship,
        _ key: QueryValue,
        _ winner: any PersistentModel,
        _ known: [any PersistentModel],
        on connection: any StoreConnection
    ) throws {
        guard let inverse = relationship.inverse,
            context.container.schema.contains(relationship.target)
        else { return }
        let entity = try context.entity(of: relationship.target)
        guard let column = entity.column(ofRelationship: inverse) else { return }
        var others = known
        let filter = QueryExpression.equal(
            .attribute(column, isOptional: entity.attributes[column].isOptional),
            .value(key)
        )
        let cursor = try connection.rows(of: Query(entity, filter: filter))
        defer { cursor.close() }
        while try cursor.next() {
            let other = try context.anyObject(at: cursor, entity, of: relationship.target)
            // What was changed here says itself where it belongs.
            if other.persistentBacking.state == .stored, !other.persistentBacking.isChanged {
                others.append(other)
            }
        }
        for other in others where other !== winner {
            let goes =
                relationship.deleteRule == .cascade
                || !ObjectShape.of(relationship.target).relationships[inverse].isOptional
            plan.decide(other, goes ? .drop : .unlink(column: column))
        }
    }
}

extension EntityBinding {
    /// The column of a relationship to one whose key the rows hold.
    fileprivate func column(ofRelationship index: Int) -> Int? {
        relationshipColumns.lazy.compactMap { part in
            if case .key(index, let column) = part { column } else { nil }
        }
        .first
    }
}
