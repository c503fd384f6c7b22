import DovetailModel
import DovetailStore

extension ModelContext {
    /// How a fetch of a model sees what waits.
    enum Waiting {
        /// Nothing of the model waits.
        case nothing
        /// These rows, over those of the store.
        case rows(PendingRows)
        /// A deletion by a predicate, or of a row that others refer to, which only the store can
        /// carry out.
        case deletion
    }

    /// What waits of what a query looks at. One that asks for deleted rows, or other tables of which more waits than
    /// new rows, is asked where everything that waits was written.
    func waiting(of query: Query) throws -> Waiting {
        if isPendingWritten { return .nothing }
        let relations = query.filter?.relations ?? []
        if !relations.isEmpty, !hasChanges { return .nothing }
        guard !query.seesDeleted, !query.order.contains(where: { $0.expression.isRelated }),
            !mayLoseReferences(query),
            let others = relations.isEmpty ? [:] : try newRows(of: relations)
        else { return hasChanges ? .deletion : .nothing }
        let waiting = try waiting(of: query.entity.type, deferring: query.deferred)
        guard case .rows(var rows) = waiting, !relations.isEmpty else { return waiting }
        rows.others = others
        return .rows(rows)
    }

    /// What waits of the tables to which relations lead, where no stored row is seen in another way by it: where
    /// each leads to a row by its key, and nothing but new rows waits of their tables. To what is new only what is
    /// new refers.
    ///
    /// - Returns: nil where a stored row may be.
    private func newRows(of relations: [QueryRelation]) throws -> [ObjectIdentifier: PendingRows]? {
        var found: [ObjectIdentifier: PendingRows] = [:]
        for relation in relations {
            let entity = relation.entity
            guard [relation.column] == entity.keyColumns else { return nil }
            switch try waiting(of: entity.type) {
            case .nothing: break
            case .rows(let rows):
                guard rows.isNew else { return nil }
                found[entity.tableIdentifier] = rows
            case .deletion: return nil
            }
        }
        return found
    }

    /// Whether a query asks for a reference that waits to be taken out of rows by the rule of a deletion. Where
    /// nothing leads back, no object says so.
    private func mayLoseReferences(_ query: Query) -> Bool {
        guard let registry = madeRegistry, !registry.deleted.isEmpty, !isPendingWritten,
            let type = query.entity.type as? any PersistentModel.Type
        else { return false }
        let asked = ([query.filter].compactMap(\.self) + query.order.map(\.expression))
            .reduce(ColumnSet()) { $0.union($1.columns) }
        return query.entity.relationshipColumns.contains { part in
            guard case .key(let index, let column) = part, asked.contains(column) else {
                return false
            }
            let relationship = ObjectShape.of(type).relationships[index]
            let target = relationship.target.rootIdentifier
            return relationship.inverse == nil
                && registry.deleted.contains {
                    $0.persistentBacking.state == .deleted
                        && Swift.type(of: $0).rootIdentifier == target
                }
        }
    }

    /// What waits of a model. What was not a row yet becomes one.
    ///
    /// - Parameter deferred: Columns of large values that rows may lack which the objects have not read.
    /// - Complexity: linear in what has come since the last fetch of the model.
    /// - Throws: ``StoreError`` for what could not be saved, as far as the context can tell, and
    ///   ``ModelEncodingError``.
    func waiting(
        of model: any Model.Type,
        deferring deferred: ColumnSet = []
    ) throws -> Waiting {
        if isPendingWritten { return .nothing }
        let objects =
            try model is AnyObject.Type
            ? madeRegistry?.overlay(of: entity(of: model), deferring: deferred) : nil
        if mayDeleteObject(seenIn: model) { return .deletion }
        if pending.isEmpty { return objects.map { .rows($0) } ?? .nothing }
        let identifier = ObjectIdentifier(model)
        let table = model.tableIdentifier
        // Taken out, so that adding to it does not copy it.
        var known =
            try seen.removeValue(forKey: identifier)
            ?? Seen(rows: PendingRows(container.schema.entity(model)))
        if let last = known.last { try known.addRows(of: last) }
        while known.lists < pending.count {
            let batch = pending[known.lists]
            known.lists += 1
            if batch.verb?.adds != true, batch.verb != .update,
                container.schema.isDeletion(of: batch.model, seenIn: model)
            {
                known.hasDeletion = true
            }
            guard batch.model.tableIdentifier == table else { continue }
            known.added = 0
            known.last = batch
            try known.addRows(of: batch)
        }
        // Instances of classes may change until they are saved.
        if !(model is AnyObject.Type) { seen[identifier] = known }
        if known.hasDeletion { return .deletion }
        if let objects { return .rows(objects) }
        return known.last == nil ? .nothing : .rows(known.rows)
    }

    /// Whether an object waits to be deleted that rows of values may refer to: by the rule of the reference they go,
    /// too, or lose it. Those of objects, and the pairs of their lists, the context keeps in step itself.
    ///
    /// - Complexity: linear in the number of classes; where such a reference is declared, in that of the objects that
    ///   wait to be deleted.
    private func mayDeleteObject(seenIn model: any Model.Type) -> Bool {
        guard let registry = madeRegistry, !registry.deleted.isEmpty,
            !(model is AnyObject.Type || model is any JoinModel.Type)
        else { return false }
        return registry.maps.contains { root, map in
            container.schema.isDeletion(of: map.shape.type, seenIn: model)
                && registry.deleted.contains {
                    $0.persistentBacking.state == .deleted
                        && Swift.type(of: $0).rootIdentifier == root
                }
        }
    }

    /// What the fetches of a model have seen.
    struct Seen {
        var rows: PendingRows
        /// How many lists of `pending` were looked at.
        var lists = 0
        /// The last list of the model, which may grow, and how many of its rows were added.
        var last: (any ChangeBatch)?
        var added = 0
        var hasDeletion = false

        /// Adds the rows of a list that were not added.
        mutating func addRows(of batch: any ChangeBatch) throws {
            // What comes after a deletion by a predicate may be new again: the store has to tell.
            guard let verb = batch.verb, !hasDeletion else {
                hasDeletion = true
                return
            }
            let all = try batch.rows(of: rows.entity)
            for row in all[Swift.min(added, all.count)...] { try rows.add(row, verb) }
            added = all.count
        }
    }
}
