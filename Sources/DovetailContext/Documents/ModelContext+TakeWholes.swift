import DovetailModel
import DovetailStore

extension ModelContext {
    /// Whether a relationship of a class leads to objects that documents have no name for, and that are inside of its
    /// own.
    package func isWhole(_ name: String, of type: any PersistentModel.Type) -> Bool {
        let shape = ObjectShape.of(type)
        return wholes(of: type).contains { shape.relationships[$0].name == name }
    }

    /// Makes what an object has inside of it, that documents have no name for, what the other side has.
    ///
    /// - Parameters:
    ///   - name: The relationship; nil for all of them.
    ///   - object: The object.
    ///   - bases: What was changed here.
    /// - Complexity: linear in the number of the objects inside, and in that of the changed rows of their classes.
    /// - Throws: ``StoreError`` of kind `foreignKeyViolation` for one that cannot be without another object, which is
    ///   not there, of kind `unsupported` for what cannot be merged, and what a fetch throws. Nothing is changed in
    ///   the context then, unless that is one of what is put back elsewhere.
    package func takeWholes(
        _ name: String?,
        of object: any PersistentModel,
        over bases: DocumentBases
    ) throws {
        try enter()
        defer { leave() }
        try beginUse()
        let type = type(of: object)
        let shape = ObjectShape.of(type)
        let indexes = wholes(of: type).filter {
            name == nil || shape.relationships[$0].name == name
        }
        guard let row = try rowName(of: object), !indexes.isEmpty else { return }
        let reader = WholeReader(self, over: bases)
        var here = try reader.here(indexes.map { (object, $0) })
        let before = try reader.before(indexes.map { (row, type, $0, object) }, here)
        // Those that are elsewhere come with what is inside of them.
        try reader.add(before.parts.compactMap(\.object), to: &here)
        let objects = try before.parts.map { part in
            try newObject(part.type, from: RowImage(part.row), entity(of: part.type))
        }
        let changes = try zip(before.parts, objects).map { part, new in
            try part.object.map { try differences(of: $0, to: new) } ?? []
        }
        let references = try references(of: before, reader)
        let lists = try indexes.map { try wholeList($0, of: type) }
        // From here on nothing can fail, but a fetch of what is put back to where the other side has it.
        var final: [any PersistentModel] = []
        for (position, part) in before.parts.enumerated() {
            if let known = part.object {
                known.takeAttributes(of: objects[position], changing: changes[position])
                final.append(known)
            } else {
                insertObject(objects[position], part.name.key)
                final.append(objects[position])
            }
        }
        for (position, index, other) in references {
            ObjectGraph.replace(final[position], index, with: other.map { [$0] } ?? [])
        }
        func replace(_ object: any PersistentModel, _ list: WholeList, _ inside: [Int]) {
            let order = inside.map { (position: $0, place: before.place(of: $0, in: list)) }
                .sorted { $0.place < $1.place }
            ObjectGraph.replace(object, list.index, with: order.map { final[$0.position] })
        }
        for (place, list) in lists.enumerated() { replace(object, list, before.roots[place]) }
        for (position, part) in before.parts.enumerated() {
            for list in try reader.about(part.type).lists {
                replace(final[position], list, before.children(of: position, in: list.index))
            }
        }
        let kept = Set(final.lazy.map { ObjectIdentifier($0) })
        let leaving = here.parts.compactMap { part in
            part.object.map { (name: part.name, object: $0) }
        }
        .filter { !kept.contains(ObjectIdentifier($0.object)) }
        // Before they go with what they are inside of.
        let gone = try leaving.filter { try !putBack($0.object, $0.name, over: bases) }
        for (_, object) in gone { deleteObject(object) }
    }

    /// Puts what was moved here into an object, which goes, to where the other side has it.
    ///
    /// - Complexity: linear in the number of the objects inside, and a query for each list that was not loaded.
    /// - Throws: what a fetch throws.
    package func putBackMoved(
        from object: any PersistentModel,
        over bases: DocumentBases
    ) throws {
        let owned = try objectsOwned(by: object)
        let names = Set(owned.lazy.map(\.name) + [try rowName(of: object)].compactMap { $0 })
        for (name, inner) in owned {
            guard let values = bases[name]?.values else { continue }
            let owners = try owners(of: values, in: table(of: Swift.type(of: inner)))
            if names.isDisjoint(with: owners) { _ = try putBack(inner, name, over: bases) }
        }
    }

    /// Puts an object with a name that was moved here to where the other side has it.
    ///
    /// - Returns: whether that has it.
    private func putBack(
        _ object: any PersistentModel,
        _ name: RowName,
        over bases: DocumentBases
    ) throws -> Bool {
        guard ObjectShape.of(Swift.type(of: object)).reference != nil,
            let values = bases[name]?.values
        else { return false }
        let entity = try table(of: Swift.type(of: object))
        let row = RowImage(values)
        let holders = try ownedColumns(of: entity)
        for (column, owner) in holders where values[column] != .null {
            let table = container.schema.entity(ofTable: owner)
            let key = RowKey([values[column]])
            if let table, try self.object(key, in: table) == nil { row.setNull(column) }
        }
        let columns = ColumnSet(holders.map(\.column))
        try take(row, columns: entity.withChoices(columns), of: name.key, in: entity)
        return true
    }

    /// The objects that parts refer to without having them inside, by the positions of the parts and the
    /// relationships; nil for one that is not there.
    private func references(
        of forest: WholeForest,
        _ reader: WholeReader
    ) throws -> [(position: Int, index: Int, other: (any PersistentModel)?)] {
        var wanted: [String: Set<RowKey>] = [:]
        for part in forest.parts {
            for (column, table) in try reader.about(part.type).references
            where part.row[column] != .null {
                wanted[table, default: []].insert(RowKey([part.row[column]]))
            }
        }
        var found: [String: [RowKey: any PersistentModel]] = [:]
        for (table, keys) in wanted {
            guard let entity = container.schema.entity(ofTable: table) else {
                continue
            }
            found[table] = try objects(of: entity, with: keys)
        }
        var references: [(position: Int, index: Int, other: (any PersistentModel)?)] = []
        for (position, part) in forest.parts.enumerated() {
            let about = try reader.about(part.type)
            let row = RowImage(part.row)
            for case .key(let index, let column) in try entity(of: part.type).relationshipColumns {
                guard let table = about.references.first(where: { $0.column == column })?.table
                else { continue }
                let key = part.row[column]
                if key == .null {
                    // Of a relationship to a protocol the one that has a key counts.
                    if !about.entity.hasOtherChoice(column, in: row) {
                        references.append((position, index, nil))
                    }
                    continue
                }
                let other = found[table]?[RowKey([key])]
                if other == nil, try about.entity.requires(column, in: row) {
                    throw StoreError(
                        .foreignKeyViolation,
                        table: about.entity.table,
                        column: about.entity.attributes[column].name,
                        explanation: "the row refers to an object that is not there"
                    )
                }
                references.append((position, index, other))
            }
        }
        return references
    }
}

extension WholeForest {
    /// The place of a part among the others of a relationship.
    fileprivate func place(of position: Int, in list: WholeList) -> Int64 {
        let part = parts[position]
        guard let column = list.target(part.name.table)?.order,
            case .integer(let place) = part.row[column]
        else { return .max }
        return place
    }
}
