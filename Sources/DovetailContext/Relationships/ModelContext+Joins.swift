import DovetailModel
import DovetailStore

extension ModelContext {
    /// The objects of a relationship that has a join table, in their order: what the rows say, and over
    /// them what waits. An error is thrown by the next fetch or save.
    ///
    /// - Complexity: one query of the join table, and one for each 500 objects that this context does not
    ///   have.
    func objects(
        joinedTo object: any PersistentModel,
        _ key: QueryValue,
        _ relationship: ObjectShape.Relationship,
        _ join: JoinColumns
    ) -> [any PersistentModel] {
        let target = relationship.target
        do {
            let isNew = object.persistentBacking.state == .inserted
            let rows = try isNew ? [] : rows(of: join, key)
            let missing = rows.map(\.key).filter { registry.object(target, $0) == nil }
            for start in stride(from: 0, to: missing.count, by: 500) {
                let part = missing.dropFirst(start).prefix(500)
                _ = found(target) { entity in
                    let column = entity.keyColumns[0]
                    let list = QueryList(part.compactMap { $0.values.first })
                    return (.isIn(.attribute(column, isOptional: false), list), [])
                }
            }
            meet(rows, of: object, relationship, join)
        } catch {
            registry.problem = registry.problem ?? error
        }
        return registry.joins.links(join, of: object)
            .filter { $0.isWanted && !join.other($0).persistentBacking.state.isDeleted }
            .sorted { left, right in
                let places = [left, right].map { join.place($0.places) ?? .min }
                if places[0] != places[1] { return places[0] < places[1] }
                let keys = [left, right].compactMap { join.other($0).persistentBacking.key }
                return keys.count == 2 && keys[0].order(relativeTo: keys[1]) < 0
            }
            .map(join.other)
    }

    /// The rows of a join table that hold the key of one object.
    private func rows(
        of join: JoinColumns,
        _ key: QueryValue
    ) throws -> [(key: RowKey, places: JoinLink.Places)] {
        let table = try entity(of: join.table)
        let isOwn = QueryExpression.equal(
            .attribute(join.own, isOptional: false),
            .value(key)
        )
        return try withRows(of: Query(table, filter: isOwn), join.table) { cursor, _ in
            var rows: [(key: RowKey, places: JoinLink.Places)] = []
            while try cursor.next() {
                let other = try QueryValue(cursor, join.other, table.attributes[join.other])
                let places = JoinLink.Places(
                    ofMember: cursor.integer(2),
                    ofOwner: join.isOwnInverse ? nil : cursor.integer(3)
                )
                rows.append((RowKey([other]), places))
            }
            return rows
        }
    }

    /// Brings the links of an object in step with the rows that it has. Those that wait to be written stay
    /// as they are.
    private func meet(
        _ rows: [(key: RowKey, places: JoinLink.Places)],
        of object: any PersistentModel,
        _ relationship: ObjectShape.Relationship,
        _ join: JoinColumns
    ) {
        guard let inverse = relationship.inverse else { return }
        var gone: [ObjectIdentifier: JoinLink] = [:]
        for link in registry.joins.links(join, of: object) where !link.isChanged {
            gone[ObjectIdentifier(link)] = link
        }
        for (key, places) in rows {
            guard let other = registry.object(relationship.target, key) else { continue }
            let known = registry.joins.link(join, object, other)
            if let known, known.isChanged {
                // Somebody else has added the pair that waits here. If it is taken back, that goes, too.
                if known.stored == nil { known.stored = places }
                continue
            }
            let link = known ?? registry.joins.makeLink(join, object, other)
            // One that was made and taken back here may have been made by somebody else.
            (link.places, link.stored, link.isWanted) = (places, places, true)
            gone[ObjectIdentifier(link)] = nil
            if known == nil { ObjectGraph.unload(other, inverse, without: object) }
        }
        for link in gone.values {
            registry.joins.remove(link, join)
            ObjectGraph.unload(join.other(link), inverse)
        }
    }
}
