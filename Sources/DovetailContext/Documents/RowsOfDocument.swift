import DovetailModel
package import DovetailStore

/// The rows that a document speaks of, and what becomes of its objects where it is merged with them.
package struct RowsOfDocument {
    private let merge: DocumentMerge

    init(_ merge: DocumentMerge) { self.merge = merge }

    /// The rows that were deleted here and whose name another object has by now.
    package var replaced: some Sequence<RowName> { merge.replaced.keys }
    /// The rows that were deleted here and that the document names, without having them.
    package var dropped: [RowName] { merge.dropped.map(\.row) }
    /// What is known of changes, with references to objects that have such a name by now in the place of those
    /// to rows that were deleted.
    package var bases: DocumentBases { merge.bases ?? DocumentBases([:], isMerge: false) }
    /// The rows here that have a name which the document gives to another object.
    package var taken: [RowName] { merge.taken.map(\.row) }

    /// The rows of which the document says something: first those that it has, each before those inside of
    /// it, and then those that leave lists.
    ///
    /// - Complexity: linear in the size of the document, in what its lists hold, and in what is known of
    ///   changes.
    /// - Throws: ``StoreError``, and what a fetch throws.
    package func rows() throws -> [DocumentRow] { try merge.rows() }

    /// The pairs of two lists of which the document says something.
    ///
    /// - Complexity: linear in the size of the document, in what its lists hold, and in the number of pairs that
    ///   were changed here.
    /// - Throws: ``StoreError``.
    package func pairs() throws -> [DocumentPair] { try merge.pairs() }

    /// What objects have inside of them that documents have no name for.
    ///
    /// - Complexity: linear in what they have.
    /// - Throws: ``StoreError``, and ``ModelEncodingError`` for an attribute that has no form in a column.
    package func wholes() throws -> [DocumentWhole] { try merge.wholes?.all(merge) ?? [] }

    /// What is to be known of the rows of these where it is decided what becomes of them.
    ///
    /// - Parameter skipped: The objects of the document that do not come.
    /// - Complexity: linear in what is inside, in all three forms.
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    package func outcome(
        of choices: WholeChoices,
        besides skipped: Set<RowName>
    ) throws -> WholeOutcome {
        let others = Set(try merge.nodes.compactMap { try merge.name(of: $0.object) })
        return try merge.wholes?.outcome(choices, merge, besides: others.subtracting(skipped))
            ?? WholeOutcome()
    }

    /// The names of the rows of the objects inside of what is merged as a whole.
    package func namesInside() throws -> [RowName] {
        try merge.inside.compactMap { try merge.name(of: $0.object) }
    }

    /// The rows of the join tables that lead to an object, as it is.
    ///
    /// - Throws: ``StoreError``.
    package func pairs(of object: any PersistentModel) throws -> [RowName] {
        try merge.pairs(of: object)
    }

    /// The row of a join table by which an object is in the list that the document fills; nil for others.
    ///
    /// - Throws: ``StoreError``.
    package func pairOfList(_ object: any PersistentModel) throws -> RowName? {
        try merge.filled.flatMap { try merge.pair($0, object) }
    }

    /// Whether an object was in the list that the document fills, where its row says so.
    ///
    /// - Parameter values: What is known of the row.
    /// - Throws: ``StoreError``.
    package func wasInList(
        _ object: any PersistentModel,
        _ values: [QueryValue]
    ) throws -> Bool {
        guard let filled = merge.filled, let owner = try merge.name(of: filled.object),
            let place = try merge.memberColumn(filled, of: Swift.type(of: object))
        else { return true }
        return values[place.column] == owner.key.values.first
    }

    /// The names of the rows of all its objects.
    ///
    /// - Complexity: linear in their number.
    package func names() throws -> Set<RowName> {
        Set(try merge.nodes.compactMap { try merge.name(of: $0.object) })
    }

    /// The objects of the document, and what becomes of each; without those that do not come.
    ///
    /// - Throws: ``ModelDecodingError`` for a row of both sides that is no object of its class.
    package func objects(_ decisions: DocumentDecisions) throws -> [MergedDocument.Given] {
        try merge.objects(decisions)
    }

    /// The rows that stay where the document puts another object, in relationships to one.
    package func clashes(_ decisions: DocumentDecisions) throws -> [RowName] {
        try merge.clashes(decisions)
    }

    /// The rows that go with some objects which the document does not have, and those that were inside of
    /// them when a document brought them last.
    ///
    /// - Parameters:
    ///   - gone: Further rows that go, which are not among them either.
    ///   - others: The names of rows that are not among them.
    /// - Throws: ``StoreError``, and what a fetch throws.
    package func rows(
        deleting objects: [any PersistentModel],
        with gone: [RowName],
        besides others: Set<RowName>
    ) throws -> [DocumentRow] {
        let context = merge.context
        var seen = others.union(gone)
        var rows: [DocumentRow] = []
        var waiting = gone
        func add(_ name: RowName, _ object: (any PersistentModel)?) throws {
            guard seen.insert(name).inserted else { return }
            waiting.append(name)
            rows.append(
                DocumentRow(
                    name: name,
                    object: object,
                    isGiven: false,
                    isNamed: false,
                    isNew: false,
                    mine: try object.map { try context.image(of: $0) },
                    theirs: nil,
                    owner: nil
                )
            )
        }
        for object in objects {
            if let name = try context.rowName(of: object) { try add(name, object) }
        }
        // Those that were inside of them, one level after the other.
        while !waiting.isEmpty {
            let owners = Set(waiting)
            waiting = []
            // In one order, so that two plans are equal.
            for (table, bases) in (merge.bases?.rows ?? [:]).sorted(by: { $0.key < $1.key }) {
                guard let entity = merge.entity(of: table) else { continue }
                let columns = try context.ownedColumns(of: entity)
                let keys = bases.filter { _, base in
                    guard let values = base.values else { return false }
                    return columns.contains {
                        values[$0.column] != .null
                            && owners.contains(RowName($0.owner, RowKey([values[$0.column]])))
                    }
                }
                .keys.filter { !seen.contains(RowName(table, $0)) }
                .sorted { $0.order(relativeTo: $1) < 0 }
                let live = try context.objects(of: entity, with: keys)
                for key in keys { try add(RowName(table, key), live[key]) }
            }
        }
        return rows
    }

    /// The objects that belong to one, at any depth, with the names of their rows.
    ///
    /// - Parameter others: The names of rows whose own objects are not among them.
    /// - Complexity: linear in their number, and a query for each list that was not loaded.
    package func owned(
        by object: any PersistentModel,
        upTo others: Set<RowName>
    ) throws -> [(name: RowName, object: any PersistentModel)] {
        try merge.context.objectsOwned(by: object, upTo: others)
    }

    /// The columns in which the rows of a table refer to the one that they belong to.
    package func ownedColumns(of table: String) throws -> ColumnSet {
        guard let entity = merge.entity(of: table) else { return [] }
        return ColumnSet(try merge.context.ownedColumns(of: entity).map(\.column))
    }
}

extension ModelContext {
    /// The objects that belong to one, at any depth, with the names of their rows.
    ///
    /// - Parameter others: The names of rows whose own objects are not among them.
    func objectsOwned(
        by object: any PersistentModel,
        upTo others: Set<RowName> = []
    ) throws -> [(name: RowName, object: any PersistentModel)] {
        var owned: [(name: RowName, object: any PersistentModel)] = []
        var seen: Set<RowName> = []
        var waiting = [object]
        while let object = waiting.popLast() {
            let shape = object.persistentBacking.shape(of: object)
            for (index, relationship) in shape.relationships.enumerated()
            where relationship.isOwning && !shape.isLaterPart(index) {
                for other in ObjectGraph.held(by: object, index) {
                    guard let name = try rowName(of: other),
                        seen.insert(name).inserted
                    else { continue }
                    owned.append((name, other))
                    if !others.contains(name) { waiting.append(other) }
                }
            }
        }
        return owned
    }

    /// The rows that one was inside of, or is.
    package func owners(
        of values: [QueryValue],
        in entity: EntityBinding
    ) throws -> [RowName] {
        try ownedColumns(of: entity).compactMap { column, owner in
            values[column] == .null ? nil : RowName(owner, RowKey([values[column]]))
        }
    }

    /// The columns of a table that refer to the row which those of the table belong to, and the tables of these.
    package func ownedColumns(
        of entity: EntityBinding
    ) throws -> [(column: Int, owner: String)] {
        var columns: [(column: Int, owner: String)] = []
        for type in entity.objectTypes {
            let shape = ObjectShape.of(type)
            for part in try self.entity(of: type).relationshipColumns {
                switch part {
                case .key(let index, let column) where shape.relationships[index].isOwned:
                    columns.append(
                        (column, try table(of: shape.relationships[index].target).table)
                    )
                case .member(let owner as any PersistentModel.Type, let index, let key?, _)
                where ObjectShape.of(owner).relationships[index].isOwning:
                    columns.append((key, try table(of: owner).table))
                default: continue
                }
            }
        }
        return columns
    }

    /// The columns of a table that refer to the row which those of the table belong to, where these may be without: one
    /// of them does.
    package func holders(of entity: EntityBinding) throws -> ColumnSet {
        ColumnSet(
            try ownedColumns(of: entity).map(\.column).filter { entity.attributes[$0].isOptional }
        )
    }

    /// The tables whose rows documents of a class speak of: its own, those of what its objects own, at any
    /// depth, and those of other lists, whose rows say where they are.
    package func tablesOfDocuments(
        of type: any PersistentModel.Type
    ) -> [(entity: EntityBinding, isOwned: Bool)] {
        var tables: [String: (entity: EntityBinding, isOwned: Bool)] = [:]
        var waiting: [any PersistentModel.Type] = [type]
        while let type = waiting.popLast() {
            // A protocol may have conformers that the container was made without.
            guard let entity = try? table(of: type), tables[entity.table]?.isOwned != true else {
                continue
            }
            tables[entity.table] = (entity, true)
            for below in entity.objectTypes {
                for relationship in ObjectShape.of(below).relationships
                where relationship.join == nil {
                    if relationship.isOwning {
                        waiting.append(relationship.target)
                    } else if !relationship.holdsKey {
                        guard let other = try? table(of: relationship.target) else { continue }
                        if tables[other.table] == nil { tables[other.table] = (other, false) }
                    }
                }
            }
        }
        return tables.values.sorted { $0.entity.table < $1.entity.table }
    }

    /// The tables of the objects that documents of a class may name without having them.
    package func tablesNamedInDocuments(
        of type: any PersistentModel.Type
    ) -> [EntityBinding] {
        var tables: [String: EntityBinding] = [:]
        for (entity, isOwned) in tablesOfDocuments(of: type) where isOwned {
            for below in entity.objectTypes {
                for relationship in ObjectShape.of(below).relationships {
                    // A protocol may have conformers that the container was made without.
                    guard let other = try? table(of: relationship.target) else { continue }
                    tables[other.table] = other
                }
            }
        }
        return tables.values.sorted { $0.table < $1.table }
    }

    /// The join tables of the lists that documents of a class may have, at any depth.
    package func joinTablesOfDocuments(
        of type: any PersistentModel.Type
    ) throws -> [EntityBinding] {
        var tables: [String: EntityBinding] = [:]
        for (entity, isOwned) in tablesOfDocuments(of: type) where isOwned {
            guard let type = entity.type as? any PersistentModel.Type else { continue }
            for list in try listsOfPairs(of: type) { tables[list.entity.table] = list.entity }
        }
        return tables.values.sorted { $0.table < $1.table }
    }

    /// Whether a row of a table is one of a class, or of one below it.
    package func isRow(_ values: [QueryValue], of type: any PersistentModel.Type) throws -> Bool {
        let entity = try entity(of: type)
        guard let table = entity.classTable, case .text(let name) = values[table.typeColumn] else {
            return true
        }
        return table.model(named: name)?.inherits(from: type) ?? false
    }
}

extension EntityBinding {
    /// The classes whose objects a table has.
    var objectTypes: [any PersistentModel.Type] {
        let types: [any Model.Type] = classTable.map { $0.classes } ?? [type]
        return types.compactMap { $0 as? any PersistentModel.Type }
    }
}
