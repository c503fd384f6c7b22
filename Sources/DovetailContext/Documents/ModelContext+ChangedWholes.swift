package import DovetailModel
package import DovetailStore

/// What an object has inside of it, that documents have no name for, and that is not what it was when a document brought
/// it last.
package struct ChangedWhole {
    /// What documents name the relationship by.
    package let name: String
    /// What the object has in it, as a document; null where it is gone.
    package let document: ModelDocument
    /// The columns of the object that hold the key of what is in it.
    package let columns: [Int]
    /// All rows of it, with what they are now; nil for those that are gone.
    package let rows: [RowName: [QueryValue]?]
}

/// A relationship of an object that is looked at.
private struct Place {
    let name: RowName
    let type: any PersistentModel.Type
    let index: Int
    let object: (any PersistentModel)?
}

extension ModelContext {
    /// What was changed here of what the objects of a class have inside of them and documents have no name for, by the
    /// keys of the objects.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - bases: Gives what was changed here of tables.
    /// - Complexity: linear in the number of the changed rows of these tables, and in what the objects have inside of
    ///   them of which they are; a query for each class and level.
    /// - Throws: ``StoreError`` of kind `unsupported` for an object that is inside of two, ``ModelEncodingError`` for
    ///   what has no form in a document, and what a fetch throws.
    package func changedWholes(
        of type: any PersistentModel.Type,
        over bases: ([EntityBinding]) throws -> DocumentBases
    ) throws -> [RowKey: [ChangedWhole]] {
        let around = try WholeRelations(of: type, in: self)
        if around.isEmpty { return [:] }
        let table = try table(of: type)
        let bases = try bases(around.tables + [table])
        let keys = try around.owners(of: bases, table, in: self)
        let objects = try objects(of: table, with: keys)
        let places = try keys.sorted { $0.order(relativeTo: $1) < 0 }.flatMap { key in
            let name = RowName(table.table, key)
            let object = objects[key]
            let row = bases[name]?.values
            let gone: (any Model.Type)? =
                try row.flatMap { try table.classTable?.model(of: RowImage($0)) }
                ?? (row == nil ? nil : table.type)
            let known = object.map { Swift.type(of: $0) }
            guard let type = known ?? gone as? any PersistentModel.Type else { return [Place]() }
            return around.indexes(of: type).map {
                Place(name: name, type: type, index: $0, object: object)
            }
        }
        let reader = WholeReader(self, over: bases, isNested: true)
        var here = try reader.here(
            places.map { place in place.object.map { ($0, place.index) } }
        )
        var before = try reader.before(
            places.map { ($0.name, $0.type, $0.index, $0.object) },
            here
        )
        var numbers = WholeNumbers()
        func values(_ part: WholeForest.Part) throws -> [QueryValue] {
            try reader.about(part.type).columns.map { part.row[$0] }
        }
        try here.number(&numbers, values)
        try before.number(&numbers, values)
        var changed: [RowKey: [ChangedWhole]] = [:]
        for (whole, place) in places.enumerated()
        where here.counts(of: whole) != before.counts(of: whole) {
            var rows: [RowName: [QueryValue]?] = [:]
            for position in before.members[whole] { rows[before.parts[position].name] = .some(nil) }
            for position in here.members[whole] {
                rows[here.parts[position].name] = here.parts[position].row
            }
            let name = ObjectShape.of(place.type).relationships[place.index].name
            let document = try place.object.flatMap { try ModelDocument($0)[key: name] }
            changed[place.name.key, default: []].append(
                ChangedWhole(
                    name: name,
                    document: document ?? .null,
                    columns: try wholeList(place.index, of: place.type).targets.compactMap(\.own),
                    rows: rows
                )
            )
        }
        return changed
    }
}

/// What is around the objects inside of wholes, so that the owners of changed rows are found.
private struct WholeRelations {
    /// A relationship to the rows of a table.
    private struct Relation {
        let parent: EntityBinding
        let target: WholeList.Target
        /// Whether it is the outermost one, of the class that is asked for.
        let isOuter: Bool
    }

    private var relations: [String: [Relation]] = [:]
    private var outer: [ObjectIdentifier: [Int]] = [:]
    private(set) var tables: [EntityBinding] = []
    var isEmpty: Bool { relations.isEmpty }

    /// Looks at a class, at those below it, and at those inside. What cannot be merged is left out, and so are classes
    /// without a name, which are told by the one around them.
    init(of type: any PersistentModel.Type, in context: ModelContext) throws {
        for below in try context.table(of: type).objectTypes
        where below.inherits(from: type) && ObjectShape.of(below).reference != nil {
            for index in context.wholes(of: below) {
                guard let list = try? context.wholeList(index, of: below) else { continue }
                guard let inside = Self.classes(inside: list, context) else { continue }
                outer[ObjectIdentifier(below), default: []].append(index)
                try add(list, of: below, isOuter: true, context)
                for (type, lists) in inside {
                    for list in lists { try add(list, of: type, isOuter: false, context) }
                }
            }
        }
    }

    /// The classes of the objects inside, each with its own relationships; nil where one cannot be merged.
    private static func classes(
        inside list: WholeList,
        _ context: ModelContext
    ) -> [(any PersistentModel.Type, [WholeList])]? {
        var seen: Set<ObjectIdentifier> = []
        var classes: [(any PersistentModel.Type, [WholeList])] = []
        var waiting = list.targets.flatMap(\.entity.objectTypes)
        while let type = waiting.popLast() {
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            guard let about = try? context.wholeClass(type) else { return nil }
            classes.append((type, about.lists))
            waiting += about.lists.flatMap(\.targets).flatMap(\.entity.objectTypes)
        }
        return classes
    }

    private mutating func add(
        _ list: WholeList,
        of type: any PersistentModel.Type,
        isOuter: Bool,
        _ context: ModelContext
    ) throws {
        let parent = try context.table(of: type)
        for target in list.targets {
            let table = target.entity.table
            if relations[table] == nil { tables.append(target.entity) }
            relations[table, default: []].append(
                Relation(parent: parent, target: target, isOuter: isOuter)
            )
        }
    }

    /// The relationships of a class that are told as a whole.
    func indexes(of type: any PersistentModel.Type) -> [Int] { outer[ObjectIdentifier(type)] ?? [] }

    /// The keys of the objects that have changed rows inside of them, at any depth, or had.
    func owners(
        of bases: DocumentBases,
        _ table: EntityBinding,
        in context: ModelContext
    ) throws -> Set<RowKey> {
        var owners: Set<RowKey> = []
        let holdsKeys = relations.values.joined().contains { $0.isOuter && $0.target.own != nil }
        if holdsKeys { owners.formUnion((bases.rows[table.table] ?? [:]).keys) }
        var seen: Set<RowName> = []
        var waiting = Dictionary(
            uniqueKeysWithValues: tables.map { ($0.table, Set((bases.rows[$0.table] ?? [:]).keys)) }
        )
        while !waiting.isEmpty {
            var next: [String: Set<RowKey>] = [:]
            for (table, keys) in waiting {
                let new = keys.filter { seen.insert(RowName(table, $0)).inserted }
                guard let all = relations[table], let entity = all.first?.target.entity,
                    !new.isEmpty
                else { continue }
                let rows = try rows(new, of: entity, bases, context)
                for relation in all {
                    let parents = try parents(of: new, rows, relation, bases, context)
                    if relation.isOuter {
                        owners.formUnion(parents)
                    } else {
                        next[relation.parent.table, default: []].formUnion(parents)
                    }
                }
            }
            waiting = next
        }
        return owners
    }

    /// Some rows as they were and as they are.
    private func rows(
        _ keys: Set<RowKey>,
        of entity: EntityBinding,
        _ bases: DocumentBases,
        _ context: ModelContext
    ) throws -> [[QueryValue]] {
        let before = keys.compactMap { bases[RowName(entity.table, $0)]?.values }
        let live = try context.objects(of: entity, with: keys).values
        return try before + live.map { try entity.values(of: context.image(of: $0)) }
    }

    /// The keys of the rows around some.
    private func parents(
        of keys: Set<RowKey>,
        _ rows: [[QueryValue]],
        _ relation: Relation,
        _ bases: DocumentBases,
        _ context: ModelContext
    ) throws -> [RowKey] {
        if let member = relation.target.member {
            return rows.compactMap { $0[member] == .null ? nil : RowKey([$0[member]]) }
        }
        guard let own = relation.target.own else { return [] }
        let table = relation.parent.table
        let before = (bases.rows[table] ?? [:]).filter { _, base in
            guard let key = base.values?[own] else { return false }
            return key != .null && keys.contains(RowKey([key]))
        }
        let live = try context.keys(of: relation.parent, with: Array(keys), in: own)
        return before.keys + live
    }
}

extension ModelContext {
    /// The keys of the rows of a table that have one of some keys in a column.
    fileprivate func keys(
        of table: EntityBinding,
        with others: [RowKey],
        in column: Int
    ) throws -> [RowKey] {
        guard let type = table.type as? any PersistentModel.Type else { return [] }
        func keys<Object: PersistentModel>(_ type: Object.Type) throws -> [RowKey] {
            try stride(from: 0, to: others.count, by: 500).flatMap { start in
                let part = Array(others[start..<Swift.min(start + 500, others.count)])
                let found: [Object] = try objects(
                    of: Query(table, filter: table.filter(of: part, in: column))
                )
                return found.compactMap(\.persistentBacking.key)
            }
        }
        return try keys(type)
    }
}
