import DovetailModel
package import DovetailStore

/// Two objects of which a document says whether they are in each other's lists.
package struct DocumentPair {
    /// The row of the join table.
    package let name: RowName
    /// The rows of both objects.
    package let ends: [RowName]
    /// Whether the document has it.
    package let isGiven: Bool
    /// Its row, as it is here; nil for none.
    package let mine: [QueryValue]?
}

extension EntityBinding {
    /// The rows of both objects of a row of a join table.
    package func ends(of key: RowKey) -> [RowName] {
        description.references.compactMap { reference in
            key.values.indices.contains(reference.column)
                ? RowName(reference.table, RowKey([key.values[reference.column]])) : nil
        }
    }
}

extension DocumentMerge {
    /// The list that a link without parts fills, where another one leads back to it.
    func list(_ link: Link) -> ListOfPairs? {
        let shape = ObjectShape.of(type(of: link.object))
        return ListOfPairs(shape.relationships[link.index], of: shape, in: context)
    }

    /// The row of an object with one that a link holds, or will hold; nil for one without a join table.
    func pair(_ link: Link, _ other: any PersistentModel) throws -> RowName? {
        let index = relationship(link, to: type(of: other)).index
        let part = Link(object: link.object, index: index, others: [])
        guard let list = list(part), let own = try name(of: link.object)?.key.values.first,
            let other = try name(of: other)?.key.values.first
        else { return nil }
        return RowName(list.entity.table, list.key(own, other))
    }

    /// The pairs of which the document says something. What it says twice counts as it says last.
    ///
    /// - Complexity: linear in the size of the document, in what its lists hold, and in the number of pairs that
    ///   were changed here.
    /// - Throws: ``StoreError``.
    func pairs() throws -> [DocumentPair] {
        guard let bases else { return [] }
        var order: [RowName] = []
        var said: [RowName: Bool] = [:]
        var here: [RowName: [QueryValue]] = [:]
        func say(_ list: ListOfPairs, _ own: RowName, _ other: RowName, _ isGiven: Bool) {
            guard let first = own.key.values.first, let last = other.key.values.first else {
                return
            }
            for key in list.keys(first, last) {
                let name = RowName(list.entity.table, key)
                if said.updateValue(isGiven, forKey: name) == nil { order.append(name) }
            }
        }
        var changed: [String: [QueryValue: [RowKey]]] = [:]
        for link in links.flatMap(parts) {
            guard let list = list(link), let own = try name(of: link.object),
                let key = own.key.values.first
            else { continue }
            let table = try context.table(of: list.target).table
            // What was in the list when a document had it.
            let side = "\(list.own) \(list.entity.table)"
            if changed[side] == nil {
                changed[side] = Dictionary(
                    grouping: (bases.rows[list.entity.table] ?? [:]).keys,
                    by: { $0.values[list.own] }
                )
            }
            for known in changed[side]?[key] ?? [] {
                say(list, own, RowName(table, RowKey([known.values[list.other]])), false)
            }
            for other in ObjectGraph.held(by: link.object, link.index) {
                guard relationship(link, to: type(of: other)).index == link.index,
                    let name = try name(of: other)
                else { continue }
                say(list, own, name, false)
                for row in list.keys(key, name.key.values.first ?? .null) {
                    let known =
                        row.values[list.own] == key
                        ? list.link(link.object, other, in: context)
                        : list.link(other, link.object, in: context)
                    here[RowName(list.entity.table, row)] = list.row(row, known)
                }
            }
            for other in link.others {
                if let name = try name(of: other) { say(list, own, name, true) }
            }
        }
        for reference in dropped {
            let link = Link(object: reference.object, index: reference.index, others: [])
            guard let list = list(link), let own = try name(of: link.object) else { continue }
            say(list, own, reference.row, true)
        }
        return order.map { name in
            DocumentPair(
                name: name,
                ends: entity(of: name.table)?.ends(of: name.key) ?? [],
                isGiven: said[name] ?? false,
                mine: here[name]
            )
        }
    }

    /// The rows of the join tables that lead to an object, as it is.
    func pairs(of object: any PersistentModel) throws -> [RowName] {
        let shape = ObjectShape.of(type(of: object))
        return try shape.relationships.indices.filter { !shape.isLaterPart($0) }.flatMap { index in
            let link = Link(object: object, index: index, others: [])
            guard shape.relationships[index].isToMany else { return [RowName]() }
            let parts = parts(of: link).contains { list($0) != nil }
            return parts
                ? try ObjectGraph.held(by: object, index).compactMap { try pair(link, $0) } : []
        }
    }
}

extension DocumentGraph {
    /// The join tables of the lists that the document has, and of another list.
    func joinTables(
        with filled: (object: any PersistentModel, index: Int)?,
        in context: ModelContext
    ) -> [EntityBinding] {
        var tables: [String: EntityBinding] = [:]
        func add(_ shape: ObjectShape, _ index: Int) {
            for part in shape.union(of: index)?.parts ?? index..<index + 1 {
                let list = ListOfPairs(shape.relationships[part], of: shape, in: context)
                if let entity = list?.entity { tables[entity.table] = entity }
            }
        }
        for node in nodes {
            let shape = ObjectShape.of(type(of: node.alone))
            for (index, _) in node.fields { add(shape, index) }
        }
        if let filled { add(.of(type(of: filled.object)), filled.index) }
        return tables.values.sorted { $0.table < $1.table }
    }
}
