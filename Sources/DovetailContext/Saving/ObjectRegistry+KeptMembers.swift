import DovetailModel
import DovetailStore

// Where a policy keeps an object that was deleted here, what its relationships held stays in them: that it has left
// them is no change which anybody has made.

/// An object that has left a relationship of one that is deleted, by the rule `nullify`.
struct ReleasedMember {
    let object: any PersistentModel
    /// The relationship of the deleted one.
    let index: Int
}

extension ObjectRegistry {
    /// Notes that an object leaves a relationship of one that is deleted.
    func noteRelease(_ member: any PersistentModel, _ index: Int, of object: any PersistentModel) {
        released[ObjectIdentifier(object), default: []].append(
            ReleasedMember(object: member, index: index)
        )
    }

    /// Lets the objects stay in the relationships of those that the policy keeps, where nothing else has changed
    /// that.
    ///
    /// - Complexity: a look into the index of the key for each.
    /// - Throws: what the store throws.
    func keepMembers(on connection: any StoreConnection) throws {
        if released.isEmpty { return }
        for (object, fate) in plan.fates.values {
            guard case .keep = fate, let members = released[ObjectIdentifier(object)] else {
                continue
            }
            let relationships = object.persistentBacking.shape(of: object).relationships
            for member in members {
                try keep(member, in: relationships[member.index], on: connection)
            }
        }
    }

    /// Writes an object without that it has left a relationship.
    private func keep(
        _ member: ReleasedMember,
        in relationship: ObjectShape.Relationship,
        on connection: any StoreConnection
    ) throws {
        let object = member.object
        let backing = object.persistentBacking
        guard backing.context === context, backing.isWaitingToChange, let base = backing.base,
            let key = backing.key
        else { return }
        let entity = try context.entity(of: type(of: object))
        let row = try context.row(of: object)
        let (references, orders) = entity.columns(of: relationship, member.index)
        // It may be in another one by now.
        guard references.contains(where: { !base.isNull($0) }),
            entity.withChoices(references).allSatisfy({ row.isNull($0) })
        else { return }
        let columns: ColumnSet
        let stored: RowImage
        switch plan[object] {
        case .update(let theirs, let changed): (stored, columns) = (theirs, changed)
        case nil:
            guard let changed = try change(of: object, entity)?.columns,
                case .row(let theirs) = try connection.stored(
                    for: RowChange(deleting: key.values),
                    entity
                )
            else { return }
            (stored, columns) = (theirs, changed)
        case .insert, .delete, .keep, .gone, .adopt, .absorbed: return
        }
        plan.decide(
            object,
            .update(stored, columns: columns.subtracting(references).subtracting(orders))
        )
    }
}

extension EntityBinding {
    /// The columns by which a row says that its object is in a relationship of another one, and where.
    fileprivate func columns(
        of relationship: ObjectShape.Relationship,
        _ index: Int
    ) -> (references: ColumnSet, orders: ColumnSet) {
        var (references, orders) = (ColumnSet(), ColumnSet())
        for part in relationshipColumns {
            switch part {
            case .key(let own, let column) where own == relationship.inverse:
                references.insert(column)
            case .member(let owner, index, let column, let order)
            where ObjectIdentifier(owner) == ObjectIdentifier(relationship.owner):
                if let column { references.insert(column) }
                orders.insert(order)
            case .key, .member: continue
            }
        }
        return (references, orders)
    }
}
