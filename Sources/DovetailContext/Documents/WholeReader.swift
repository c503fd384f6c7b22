import DovetailModel
import DovetailStore

/// Reads what objects have inside of them, as it is here and as it was when a document brought it last: one level
/// after the other, so that the depth does not matter, and with one query for each relationship of a level.
final class WholeReader {
    let context: ModelContext
    private let bases: DocumentBases
    /// Whether a whole may be inside of another one.
    private let isNested: Bool
    /// The rows of objects that are inside of something else in the document, with what is inside of them.
    private let elsewhere: Set<RowName>
    private var classes: [ObjectIdentifier: WholeClass] = [:]
    /// The objects that were read, each with the whole that it belongs to.
    private var seen: [ObjectIdentifier: Set<Int?>] = [:]
    /// The changed rows of tables.
    private var changed: [String: ChangedRows] = [:]

    init(
        _ context: ModelContext,
        over bases: DocumentBases,
        isNested: Bool = false,
        besides elsewhere: Set<RowName> = []
    ) {
        self.context = context
        self.bases = bases
        self.isNested = isNested
        self.elsewhere = elsewhere
    }

    /// What is known of a class.
    ///
    /// - Throws: ``StoreError`` of kind `unsupported` for one that cannot be merged.
    func about(_ type: any PersistentModel.Type) throws -> WholeClass {
        if let known = classes[ObjectIdentifier(type)] { return known }
        let new = try context.wholeClass(type)
        classes[ObjectIdentifier(type)] = new
        return new
    }

    // MARK: Here

    /// A relationship of an object to be read.
    private struct Place {
        let whole: Int?
        let parent: Int?
        let object: any PersistentModel
        let index: Int
    }

    /// Reads what is inside of some relationships of objects of the context; nil for one that it does not have.
    ///
    /// - Complexity: linear in the number of objects.
    /// - Throws: ``StoreError`` of kind `unsupported` for an object that is inside of two others, or of a class
    ///   that cannot be merged, and what a fetch throws.
    func here(_ owners: [(object: any PersistentModel, index: Int)?]) throws -> WholeForest {
        var forest = WholeForest(wholes: owners.count)
        let places = owners.enumerated().compactMap { whole, owner in
            owner.map { Place(whole: whole, parent: nil, object: $0.object, index: $0.index) }
        }
        try grow(&forest, places)
        return forest
    }

    /// Adds objects that are elsewhere, with what is inside of them.
    func add(_ objects: [any PersistentModel], to forest: inout WholeForest) throws {
        for object in objects where seen[ObjectIdentifier(object)] == nil {
            let place = Place(whole: nil, parent: nil, object: object, index: 0)
            try grow(&forest, add(object, place, &forest))
        }
    }

    private func grow(_ forest: inout WholeForest, _ first: [Place]) throws {
        var places = first
        while !places.isEmpty {
            try load(places)
            var next: [Place] = []
            for place in places {
                for object in ObjectGraph.held(by: place.object, place.index) {
                    if place.whole == nil, seen[ObjectIdentifier(object)] != nil { continue }
                    next += try add(object, place, &forest)
                }
            }
            places = next
        }
    }

    /// Adds an object.
    ///
    /// - Returns: its own relationships to what is inside of it.
    private func add(
        _ object: any PersistentModel,
        _ place: Place,
        _ forest: inout WholeForest
    ) throws -> [Place] {
        let type = type(of: object)
        let about = try about(type)
        guard let name = try context.rowName(of: object) else { return [] }
        let row = try about.entity.values(of: context.image(of: object))
        // One with a name may be elsewhere, too.
        let isNamed = ObjectShape.of(type).reference != nil
        let holders = isNamed ? [] : about.holders.filter { row[$0] != .null }
        let others = seen[ObjectIdentifier(object), default: []]
        let isAlone = isNested ? !others.contains(place.whole) : others.isEmpty
        seen[ObjectIdentifier(object)] = others.union([place.whole])
        guard isAlone, holders.count < 2 else {
            throw ModelContext.unmergeable(about.entity.table, "are inside of two others")
        }
        let position = forest.add(
            WholeForest.Part(
                type: type,
                name: name,
                object: object,
                row: row,
                index: place.index,
                parent: place.parent,
                whole: place.whole
            )
        )
        if elsewhere.contains(name) { return [] }
        return about.lists.map {
            Place(whole: place.whole, parent: position, object: object, index: $0.index)
        }
    }

    /// Loads relationships that are about to be read, those of one class together.
    private func load(_ places: [Place]) throws {
        struct Relation: Hashable {
            let type: ObjectIdentifier
            let index: Int
        }
        var waiting: [Relation: [any PersistentModel]] = [:]
        for place in places {
            let shape = ObjectShape.of(type(of: place.object))
            for part in shape.union(of: place.index)?.parts ?? place.index..<place.index + 1
            where context.isUnloaded(place.object, part) {
                let relation = Relation(type: ObjectIdentifier(shape.type), index: part)
                waiting[relation, default: []].append(place.object)
            }
        }
        for (relation, objects) in waiting { try context.load(relation.index, of: objects) }
    }

    // MARK: Before

    /// A relationship of a row to be read.
    private struct RowPlace {
        let whole: Int?
        let parent: Int?
        let name: RowName
        let row: [QueryValue]
        let object: (any PersistentModel)?
        let list: WholeList
    }

    /// A row that was inside of another one.
    private struct Found {
        let place: RowPlace
        let name: RowName
        /// What is known of it; nil where it was not changed.
        let row: [QueryValue]?
        var object: (any PersistentModel)?
    }

    /// The rows that were changed, by the key in a column.
    private struct ChangedRows {
        private var rows: [Int: [QueryValue: [(RowName, [QueryValue])]]] = [:]
        private let all: [(RowName, [QueryValue])]

        init(_ table: String, _ bases: DocumentBases) {
            all = (bases.rows[table] ?? [:]).compactMap { key, base in
                base.values.map { (RowName(table, key), $0) }
            }
        }

        mutating func with(_ key: QueryValue, in column: Int) -> [(RowName, [QueryValue])] {
            if rows[column] == nil { rows[column] = Dictionary(grouping: all) { $0.1[column] } }
            return rows[column]?[key] ?? []
        }
    }

    /// Reads what was inside of some relationships when a document brought it last.
    ///
    /// - Parameters:
    ///   - owners: The objects, by their rows; one that is not there any more has no object.
    ///   - here: What is inside of them now.
    /// - Complexity: linear in the number of rows, and in that of the rows of their tables that were changed.
    /// - Throws: ``StoreError`` of kind `unsupported` for a class that cannot be merged, and what a fetch throws.
    func before(
        _ owners: [(
            name: RowName, type: any PersistentModel.Type, index: Int,
            object: (any PersistentModel)?
        )],
        _ here: WholeForest
    ) throws -> WholeForest {
        var forest = WholeForest(wholes: owners.count)
        let places = try owners.enumerated().map { whole, owner in
            let entity = try context.table(of: owner.type)
            let row =
                try bases[owner.name]?.values
                ?? owner.object.map { try entity.values(of: context.image(of: $0)) }
            return RowPlace(
                whole: whole,
                parent: nil,
                name: owner.name,
                row: row ?? Array(repeating: .null, count: entity.attributes.count),
                object: owner.object,
                list: try context.wholeList(owner.index, of: owner.type)
            )
        }
        try grow(&forest, places, here)
        return forest
    }

    /// Adds objects that were elsewhere, with what was inside of them.
    ///
    /// - Parameter objects: The objects by their rows; one that was deleted here has none.
    func add(
        before objects: [(name: RowName, object: (any PersistentModel)?)],
        to forest: inout WholeForest,
        _ here: WholeForest
    ) throws {
        for (name, object) in objects where forest.positions[name] == nil {
            guard let row = bases[name]?.values ?? here[name]?.row,
                let type = try here[name]?.type ?? objectType(of: row, in: name.table)
            else { continue }
            let position = forest.add(
                WholeForest.Part(
                    type: type,
                    name: name,
                    object: object,
                    row: row,
                    index: 0,
                    parent: nil,
                    whole: nil
                )
            )
            let places = try about(type).lists.map {
                RowPlace(
                    whole: nil,
                    parent: position,
                    name: name,
                    row: row,
                    object: object,
                    list: $0
                )
            }
            try grow(&forest, places, here)
        }
    }

    /// The class of whose objects a row is one.
    private func objectType(
        of row: [QueryValue],
        in table: String
    ) throws -> (any PersistentModel.Type)? {
        guard let entity = context.container.schema.entity(ofTable: table)
        else { return nil }
        let model = try entity.classTable?.model(of: RowImage(row)) ?? entity.type
        return model as? any PersistentModel.Type
    }

    private func grow(
        _ forest: inout WholeForest,
        _ first: [RowPlace],
        _ here: WholeForest
    ) throws {
        var places = first
        var names: [Int?: Set<RowName>] = [:]
        while !places.isEmpty {
            var found: [Found] = []
            for place in places { found += try inside(place) }
            try findObjects(&found, here)
            var next: [RowPlace] = []
            for one in found
            where names[one.place.whole, default: []].insert(one.name).inserted {
                next += try add(one, &forest)
            }
            places = next
        }
    }

    /// The rows that were inside of one in a relationship.
    private func inside(_ place: RowPlace) throws -> [Found] {
        var found: [Found] = []
        guard let key = place.name.key.values.first else { return [] }
        for target in place.list.targets {
            let table = target.entity.table
            if let own = target.own {
                if place.row[own] == .null { continue }
                let name = RowName(table, RowKey([place.row[own]]))
                let base = bases[name]
                if let base, base.values == nil { continue }
                found.append(Found(place: place, name: name, row: base?.values))
            } else if let member = target.member {
                let rows = changed[table, default: ChangedRows(table, bases)].with(key, in: member)
                found += rows.map { Found(place: place, name: $0, row: $1) }
            }
        }
        // Those that have not changed are still there.
        guard let object = place.object, place.list.targets.contains(where: { $0.own == nil })
        else {
            return found
        }
        for member in ObjectGraph.held(by: object, place.list.index) {
            guard let name = try context.rowName(of: member), bases[name] == nil,
                place.list.target(name.table)?.own == nil
            else { continue }
            found.append(Found(place: place, name: name, row: nil, object: member))
        }
        return found
    }

    /// Finds the objects of rows, those of a table together.
    private func findObjects(_ found: inout [Found], _ here: WholeForest) throws {
        var missing: [String: [RowKey]] = [:]
        for position in found.indices where found[position].object == nil {
            let name = found[position].name
            found[position].object = here[name]?.object
            if found[position].object == nil { missing[name.table, default: []].append(name.key) }
        }
        for (table, keys) in missing {
            guard let entity = context.container.schema.entity(ofTable: table)
            else { continue }
            let objects = try context.objects(of: entity, with: keys)
            for position in found.indices where found[position].name.table == table {
                found[position].object =
                    found[position].object ?? objects[found[position].name.key]
            }
        }
    }

    private func add(_ found: Found, _ forest: inout WholeForest) throws -> [RowPlace] {
        guard let target = found.place.list.target(found.name.table),
            let row = try found.row
                ?? found.object.map({ try target.entity.values(of: context.image(of: $0)) })
        else { return [] }
        guard let type = try objectType(of: row, in: found.name.table) else { return [] }
        let about = try about(type)
        let position = forest.add(
            WholeForest.Part(
                type: type,
                name: found.name,
                object: found.object,
                row: row,
                index: found.place.list.index,
                parent: found.place.parent,
                whole: found.place.whole
            )
        )
        if elsewhere.contains(found.name) { return [] }
        return about.lists.map {
            RowPlace(
                whole: found.place.whole,
                parent: position,
                name: found.name,
                row: row,
                object: found.object,
                list: $0
            )
        }
    }
}
