import DovetailModel
package import DovetailStore

// The columns of rows that say what relationships hold, and in which order.

extension EntityBinding {
    /// The columns of relationships, and of places in those of others.
    var relationColumns: [Int] {
        relationshipColumns.flatMap { part in
            switch part {
            case .key(_, let column): [column]
            case .member(_, _, let key, let order): [order] + (key.map { [$0] } ?? [])
            }
        }
    }

    /// The columns of the places in relationships to several; of all classes that share the table, and of a
    /// join table all beside the keys.
    package var orderColumns: ColumnSet {
        if type is any JoinModel.Type { return valueSet }
        if let classTable { return ColumnSet(classTable.orderColumns) }
        return ColumnSet(
            relationshipColumns.lazy.compactMap { part in
                if case .member(_, _, _, let order) = part { order } else { nil }
            }
        )
    }

    /// The columns of the places of its objects in lists, each with the one that says in whose list it is.
    package var placeColumns: [(order: Int, holder: Int)] {
        guard let type = type as? any PersistentModel.Type else { return [] }
        let relationships = ObjectShape.of(type).relationships
        return relationshipColumns.compactMap { part in
            guard case .member(let owner, let index, let key, let order) = part else { return nil }
            if let key { return (order, key) }
            for case .key(let own, let column) in relationshipColumns
            where relationships[own].inverse == index && relationships[own].target == owner {
                return (order, column)
            }
            return nil
        }
    }
}
