import DovetailModel
package import DovetailStore

/// A row of which a document says something, in the three forms that are merged.
package struct DocumentRow {
    package let name: RowName
    /// The object that is stored, or the one of the document where none is.
    package let object: (any PersistentModel)?
    /// Whether the document has it; otherwise it says that it is gone, or is in no list.
    package let isGiven: Bool
    /// Whether the document has it, or names it.
    package let isNamed: Bool
    /// Whether the store has no row of it, and has had none since the last document.
    package let isNew: Bool
    /// What it is here; nil for none.
    package let mine: RowImage?
    /// What the document has; nil for none.
    package let theirs: RowImage?
    /// The row of the object of the document that this one is inside of.
    package let owner: RowName?
}

/// What becomes of the rows of a document beside what that says.
package struct DocumentDecisions {
    /// Objects of the document that do not come: they were deleted here, or are inside of such.
    package var skipped: Set<RowName> = []
    /// Columns that stay what they are here.
    package var kept: [RowName: ColumnSet] = [:]
    /// Rows that the document does not have and that stay.
    package var staying: Set<RowName> = []
    /// Columns in which rows refer to nothing any more, because they have left a list there: here they may be
    /// in one of which the document says nothing.
    package var cleared: [RowName: ColumnSet] = [:]
    /// Pairs of two lists, by the rows of join tables, that stay what they are here.
    package var pairs: Set<RowName> = []
    /// The positions of what is merged as a whole and becomes what the document has.
    package var wholes: Set<Int> = []

    package init() {}

    /// Whether the reference of a row in a column is that of the document.
    func takes(_ column: Int, of name: RowName) -> Bool {
        !skipped.contains(name) && !staying.contains(name)
            && kept[name]?.contains(column) != true
    }
}

/// A list in rows of others, of which a document says what it holds: those have the key of its object in a
/// column.
struct SpokenList: Hashable {
    let table: String
    let column: Int
    let owner: RowKey
}

extension DocumentMerge {
    /// The name of the row of an object of the document or of the context.
    func name(of object: any PersistentModel) throws -> RowName? {
        if let key = keys[ObjectIdentifier(object)] {
            return RowName(try context.table(of: type(of: object)).table, key)
        }
        return try context.rowName(of: object)
    }

    /// A link of each class that a relationship leads to and the container knows: of one to a protocol several,
    /// otherwise the link itself.
    func parts(of link: Link) -> [Link] {
        let shape = ObjectShape.of(type(of: link.object))
        guard let union = shape.union(of: link.index) else { return [link] }
        return union.parts.compactMap { part in
            guard (try? context.table(of: shape.relationships[part].target)) != nil else {
                return nil
            }
            let others = link.others.filter { shape.part(of: union, to: type(of: $0)) == part }
            return Link(object: link.object, index: part, others: others)
        }
    }

    /// The relationship by which a link leads to a class: of one to a protocol the part.
    func relationship(
        _ link: Link,
        to member: any PersistentModel.Type
    ) -> (index: Int, relationship: ObjectShape.Relationship) {
        let shape = ObjectShape.of(type(of: link.object))
        let part = shape.union(of: link.index).flatMap { shape.part(of: $0, to: member) }
        let index = part ?? link.index
        return (index, shape.relationships[index])
    }

    /// The column in the rows of a class in which a relationship of others, that they hold no key of, has the
    /// key of its object; nil for a join table, and where those hold the key.
    func memberColumn(
        _ link: Link,
        of member: any PersistentModel.Type
    ) throws -> (table: String, column: Int)? {
        let (place, relationship) = relationship(link, to: member)
        let entity = try context.entity(of: member)
        for part in entity.relationshipColumns {
            switch part {
            case .key(let index, let column) where index == relationship.inverse:
                return (entity.table, column)
            case .member(let owner, let index, let key?, _)
            where relationship.inverse == nil && index == place
                && ObjectIdentifier(owner) == ObjectIdentifier(relationship.owner):
                return (entity.table, key)
            default: continue
            }
        }
        return nil
    }

    /// The column of a relationship to one in the rows of its own objects; nil where others hold the key.
    func ownColumn(_ link: Link) throws -> Int? {
        for case .key(link.index, let column)
            in try context.entity(of: type(of: link.object)).relationshipColumns
        {
            return column
        }
        return nil
    }

    /// The rows of which the document says something: first those that it has, each before those inside of
    /// it, and then those that leave lists.
    ///
    /// - Complexity: linear in the size of the document, in what its lists hold, and in what is known of
    ///   changes; one query for each table of these.
    /// - Throws: ``StoreError``, and what a fetch throws.
    func rows() throws -> [DocumentRow] {
        guard let bases else { return [] }
        var said: [RowName: [Int: QueryValue]] = [:]
        var spoken: Set<SpokenList> = []
        var objects: [RowName: any PersistentModel] = [:]
        var order: [RowName] = []
        var owners: [RowName: RowName] = [:]
        let given = Set(try (nodes + inside).compactMap { try name(of: $0.object) })
        func note(_ name: RowName, _ object: any PersistentModel) {
            if given.contains(name) || objects.updateValue(object, forKey: name) != nil { return }
            order.append(name)
        }
        for link in links.flatMap(parts) {
            guard let name = try name(of: link.object) else { continue }
            if let column = try ownColumn(link) {
                let other = try link.others.first.flatMap { try self.name(of: $0) }
                said[name, default: [:]][column] = other?.key.values.first ?? .null
                continue
            }
            let relationship = ObjectShape.of(type(of: link.object)).relationships[link.index]
            guard relationship.join == nil,
                let place = try memberColumn(link, of: relationship.target)
            else { continue }
            spoken.insert(SpokenList(table: place.table, column: place.column, owner: name.key))
            for other in link.others {
                guard let member = try self.name(of: other) else { continue }
                said[member, default: [:]][place.column] = name.key.values.first ?? .null
                if relationship.isOwning { owners[member] = name }
                note(member, other)
            }
            for other in ObjectGraph.held(by: link.object, link.index) {
                if let member = try self.name(of: other) { note(member, other) }
            }
        }
        for reference in dropped {
            let link = Link(object: reference.object, index: reference.index, others: [])
            let target = ObjectShape.of(type(of: link.object)).relationships[link.index].target
            guard let name = try name(of: link.object) else { continue }
            if let column = try ownColumn(link) {
                said[name, default: [:]][column] = reference.row.key.values.first ?? .null
            } else if let place = try memberColumn(link, of: target) {
                said[reference.row, default: [:]][place.column] = name.key.values.first ?? .null
            }
        }
        if bases.isMerge { try leaveOthers(owners, &said) }
        var columns: [String: Set<Int>] = [:]
        for list in spoken { columns[list.table, default: []].insert(list.column) }
        try addMoved(&objects, &order, given, spoken, columns)
        var rows: [DocumentRow] = []
        for node in nodes {
            guard let name = try name(of: node.object) else { continue }
            // What replaces a row that nobody has changed is nothing to be known.
            if !bases.isMerge, bases[name] == nil { continue }
            let isStored = node.object !== node.alone
            let mine = isStored ? try context.image(of: node.object) : nil
            let known = bases[name]
            let row = try row(
                of: known?.values,
                mine,
                said[name] ?? [:],
                node.alone,
                in: name.table
            )
            if let row {
                _ = try leaves(spoken, columns, row, name, said[name] ?? [:], isGiven: true)
            }
            rows.append(
                DocumentRow(
                    name: name,
                    object: node.object,
                    isGiven: true,
                    isNamed: true,
                    isNew: mine == nil && known == nil,
                    mine: mine,
                    theirs: row,
                    owner: owners[name]
                )
            )
        }
        for name in order {
            let object = objects[name]
            let said = said[name] ?? [:]
            let mine = try object.map { try context.image(of: $0) }
            let known = bases[name]
            var theirs = try row(of: known?.values, mine, said, nil, in: name.table)
            // What was inserted here is in no document yet.
            if known != nil, known?.values == nil, said.isEmpty { theirs = nil }
            // Nobody can say where one is that has no name and is not here.
            if object == nil, let known, isNameless(known, in: name.table) { theirs = nil }
            if let row = theirs, try leaves(spoken, columns, row, name, said, isGiven: false) {
                theirs = nil
            }
            rows.append(
                DocumentRow(
                    name: name,
                    object: object,
                    isGiven: false,
                    isNamed: !said.isEmpty,
                    isNew: false,
                    mine: mine,
                    theirs: theirs,
                    owner: nil
                )
            )
        }
        return rows
    }

    /// Lets rows that the document has inside of others be inside of nothing else.
    private func leaveOthers(
        _ owners: [RowName: RowName],
        _ said: inout [RowName: [Int: QueryValue]]
    ) throws {
        var holders: [String: ColumnSet] = [:]
        for name in owners.keys {
            if holders[name.table] == nil, let entity = entity(of: name.table) {
                holders[name.table] = try context.holders(of: entity)
            }
            for column in holders[name.table] ?? [] where said[name]?[column] == nil {
                said[name]?[column] = .null
            }
        }
    }

    /// Takes a row out of the lists that do not have it any more.
    ///
    /// - Returns: whether it goes with that: it cannot be without them, or they are the one that the document
    ///   is a list of.
    private func leaves(
        _ spoken: Set<SpokenList>,
        _ columns: [String: Set<Int>],
        _ row: RowImage,
        _ name: RowName,
        _ said: [Int: QueryValue],
        isGiven: Bool
    ) throws -> Bool {
        guard let columns = columns[name.table], let entity = entity(of: name.table) else {
            return false
        }
        for column in columns.sorted() where said[column] == nil {
            let attribute = entity.attributes[column]
            let holder = try QueryValue(row, column, attribute)
            if holder == .null { continue }
            let list = SpokenList(table: name.table, column: column, owner: RowKey([holder]))
            guard spoken.contains(list) else { continue }
            let isRequired = try entity.requires(column, in: row)
            if !isGiven, removes(list) || isRequired { return true }
            if !isRequired { row.setNull(column) }
        }
        return false
    }

    /// Whether what is not in a list any more is deleted: it is the one that the document fills.
    private func removes(_ list: SpokenList) -> Bool {
        guard let filled, let owner = try? name(of: filled.object), owner.key == list.owner,
            let place = try? memberColumn(
                filled,
                of: ObjectShape.of(type(of: filled.object)).relationships[filled.index].target
            )
        else { return false }
        return place == (list.table, list.column)
    }

    /// Adds the rows that were in lists when a document brought them last, and are elsewhere by now.
    private func addMoved(
        _ objects: inout [RowName: any PersistentModel],
        _ order: inout [RowName],
        _ given: Set<RowName>,
        _ spoken: Set<SpokenList>,
        _ columns: [String: Set<Int>]
    ) throws {
        guard let bases else { return }
        for (table, columns) in columns.sorted(by: { $0.key < $1.key }) {
            guard let entity = entity(of: table) else { continue }
            let keys = (bases.rows[table] ?? [:]).filter { key, base in
                let name = RowName(table, key)
                guard let values = base.values, !given.contains(name), objects[name] == nil
                else { return false }
                return columns.contains {
                    values[$0] != .null
                        && spoken.contains(
                            SpokenList(table: table, column: $0, owner: RowKey([values[$0]]))
                        )
                }
            }
            .keys.sorted { $0.order(relativeTo: $1) < 0 }
            let found = try context.objects(of: entity, with: keys)
            for key in keys {
                objects[RowName(table, key)] = found[key]
                order.append(RowName(table, key))
            }
        }
    }

    /// The entity of a table.
    func entity(of table: String) -> EntityBinding? {
        context.container.schema.entity(ofTable: table)
    }

    /// A row as it was, or is, with what a document says.
    private func row(
        of base: [QueryValue]?,
        _ mine: RowImage?,
        _ said: [Int: QueryValue],
        _ alone: (any PersistentModel)?,
        in table: String
    ) throws -> RowImage? {
        guard let entity = entity(of: table) else { return nil }
        let row: RowImage
        if let base {
            row = RowImage(base)
        } else if let mine {
            row = RowImage(columns: entity.columnCount)
            try mine.write(to: row)
        } else if alone != nil {
            row = RowImage(columns: entity.columnCount)
        } else {
            return nil
        }
        if let alone { try context.entity(of: type(of: alone)).writeAttributes(of: alone, to: row) }
        for (column, value) in said where value == .null { row.setNull(column) }
        for (column, value) in said where value != .null {
            // Of a relationship to a protocol one column has a key.
            for other in entity.withChoices([column]) { row.setNull(other) }
            try value.set(column, of: row)
        }
        return row
    }
}
