import DovetailModel
import DovetailStore

extension ModelContext {
    /// A row of a join table, as one of its sides sees it.
    private typealias JoinRow = (key: RowKey, places: JoinLink.Places)

    /// Loads a relationship that has a join table: what the rows say, and over them what waits.
    ///
    /// - Returns: how many rows of the join table were read.
    /// - Complexity: one query of the join table, and one of the objects that this context does not have.
    /// - Throws: what a fetch throws.
    func load(
        _ join: JoinColumns,
        _ relationship: ObjectShape.Relationship,
        _ index: Int,
        of objects: [any PersistentModel]
    ) throws -> Int {
        let stored = objects.filter { $0.persistentBacking.state != .inserted }
        let rows = try rows(of: join, stored.compactMap(\.persistentBacking.key))
        let found = rows.values.joined()
        _ = try load(relationship.target, found.map(\.key))
        for object in objects {
            let rows = object.persistentBacking.key.flatMap { rows[$0] }
            meet(rows ?? [], of: object, relationship, join)
        }
        for object in objects {
            let backing = object.persistentBacking
            guard case .unloaded = backing.slots[index] else { continue }
            let list = ObjectGraph.emptyList(of: relationship.target)
            members(join, of: object).forEach(list.append)
            backing.slots[index] = .many(list)
        }
        return found.count
    }

    /// The objects that are linked with another one, in their order.
    private func members(
        _ join: JoinColumns,
        of object: any PersistentModel
    ) -> [any PersistentModel] {
        registry.joins.links(join, of: object)
            .filter { $0.isWanted && !join.other($0).persistentBacking.state.isDeleted }
            .sorted { left, right in
                let places = [left, right].map { join.place($0.places) ?? .min }
                if places[0] != places[1] { return places[0] < places[1] }
                let keys = [left, right].compactMap { join.other($0).persistentBacking.key }
                return keys.count == 2 && keys[0].order(relativeTo: keys[1]) < 0
            }
            .map(join.other)
    }

    /// The rows of a join table that hold some keys, by these.
    private func rows(of join: JoinColumns, _ keys: [RowKey]) throws -> [RowKey: [JoinRow]] {
        if keys.isEmpty { return [:] }
        let table = try entity(of: join.table)
        let query = Query(table, filter: table.filter(of: keys, in: join.own))
        return try withRows(of: query, join.table) { cursor, _ in
            var rows: [RowKey: [JoinRow]] = [:]
            while try cursor.next() {
                let key = { column in
                    RowKey([try QueryValue(cursor, column, table.attributes[column])])
                }
                let places = JoinLink.Places(
                    ofMember: cursor.integer(2),
                    ofOwner: join.isOwnInverse ? nil : cursor.integer(3)
                )
                rows[try key(join.own), default: []].append((try key(join.other), places))
            }
            return rows
        }
    }

    /// Brings the links of an object in step with the rows that it has. Those that wait to be written stay
    /// as they are.
    private func meet(
        _ rows: [JoinRow],
        of object: any PersistentModel,
        _ relationship: ObjectShape.Relationship,
        _ join: JoinColumns
    ) {
        guard let inverse = relationship.inverse else { return }
        var gone: [ObjectIdentifier: JoinLink] = [:]
        for link in registry.joins.links(join, of: object) { gone[ObjectIdentifier(link)] = link }
        for (key, places) in rows {
            guard let other = registry.referred(relationship.target, key) else { continue }
            let known = registry.joins.link(join, object, other)
            if let known { gone[ObjectIdentifier(known)] = nil }
            if let known, known.isChanged {
                // Somebody else has added the pair that waits here. If it is taken back, that goes, too.
                known.stored = places
                continue
            }
            let link = known ?? registry.joins.makeLink(join, object, other)
            // One that was made and taken back here may have been made by somebody else.
            (link.places, link.stored, link.isWanted) = (places, places, true)
            if known == nil { ObjectGraph.unload(other, inverse, without: object) }
        }
        for link in gone.values {
            link.stored = nil
            // What was set here is still set, and what was only moved stays removed.
            if link.isSet { continue }
            registry.joins.remove(link, join)
            ObjectGraph.unload(join.other(link), inverse)
        }
    }
}
