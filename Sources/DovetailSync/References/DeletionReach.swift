import DovetailContext
import DovetailModel
import DovetailStore

/// The references by which deletions of rows lead back to their own tables: those of a tree, and of tables that
/// refer to each other.
///
/// What lists have is not to go, or to lose a reference, with what they delete. So lists delete rows after the
/// others have left them, and before others are updated, so that unique values are free again; and one with a
/// row that still refers to what goes is refused.
struct DeletionReach {
    /// What a list says of a table, as far as deletions concern it.
    struct List {
        let entity: EntityBinding
        let deleted: [RowKey]
        /// Whether each row of the table is one of the list, or deleted by it.
        let isWhole: Bool
        /// The rows to which values refer, by table and key, with the positions of these values.
        let targets: [String: [QueryValue: [Int]]]
        /// The positions of values that are not stored.
        var skipped: Set<Int> = []
        /// Those of some rows that the list has.
        let listed: ([RowKey]) throws -> Set<RowKey>
    }

    /// The tables to which rows of lists refer, and through which deletions lead to them.
    private let tables: [String: EntityBinding]

    /// - Complexity: linear in the number of references of all models, and of steps between their tables.
    init(of entities: [EntityBinding], _ schema: Schema) {
        var deleted = Set(entities.map(\.table))
        while true {
            let new = schema.bindings.filter { entity in
                !deleted.contains(entity.table)
                    && entity.owners.contains { deleted.contains($0.table) }
            }
            if new.isEmpty { break }
            deleted.formUnion(new.map(\.table))
        }
        var tables: [String: EntityBinding] = [:]
        var open = entities.flatMap(\.deletableTargets).map(\.table)
        while let table = open.popLast() {
            guard deleted.contains(table), tables[table] == nil,
                let entity = schema.entity(ofTable: table)
            else { continue }
            tables[table] = entity
            open += entity.owners.map(\.table)
        }
        self.tables = tables
    }

    /// Whether no deletion leads back.
    var isEmpty: Bool { tables.isEmpty }

    /// Whether what is deleted with a row may be one that a list has: with references of one table to itself
    /// that become nil, only these do.
    func leadsThroughRows(of entity: EntityBinding) -> Bool {
        references(of: entity).contains { $0.table != entity.table || $0.deleteRule == .cascade }
    }

    /// The references of an entity to rows that may go with what its list deletes.
    func references(of entity: EntityBinding) -> [EntityDescription.Reference] {
        entity.deletableTargets.filter { tables[$0.table] != nil }
    }

    /// The rows to which values refer, by table and key, with the positions of these values.
    ///
    /// - Complexity: linear in the number of values.
    /// - Throws: ``ModelEncodingError``.
    func targets<Value: Model>(
        of values: [Value],
        _ entity: EntityBinding
    ) throws -> [String: [QueryValue: [Int]]] {
        let references = references(of: entity)
        if references.isEmpty { return [:] }
        var targets: [String: [QueryValue: [Int]]] = [:]
        let sink = ValueSink(columns: entity.attributes.count)
        var position = 0
        try ModelWriter.writeRows(values, to: sink, attributes: entity.attributes) { _ in
            for reference in references where sink.values[reference.column] != .null {
                let key = sink.values[reference.column]
                targets[reference.table, default: [:]][key, default: []].append(position)
            }
            position += 1
        }
        return targets
    }

    /// Changes by which rows leave those that are deleted next, and would take them along. An attribute that
    /// may be nil is, until the rows are written: what they refer to may be unique, too.
    ///
    /// - Complexity: linear in the number of values.
    /// - Throws: ``ModelEncodingError``.
    func leaving<Value: Model>(
        _ values: [Value],
        _ entity: EntityBinding
    ) throws -> [RowChange] {
        let columns = entity.owners.filter { tables[$0.table] != nil }.map(\.column)
        if columns.isEmpty { return [] }
        return try values.map { value in
            let row = try RowImage(of: value, attributes: entity.attributes)
            for column in columns where entity.attributes[column].isOptional {
                row.setNull(column)
            }
            return try RowChange(updating: ColumnSet(columns), of: entity, to: row)
        }
    }

    /// For each list the positions of the values that refer to what goes, in any order.
    ///
    /// - Complexity: linear in the number of rows that go, with a query for each step from one table to
    ///   another; none where the lists are of all rows, and deletions lead through no other table.
    /// - Throws: ``StoreError``.
    func positions(in lists: [List], _ context: ModelContext) throws -> [Set<Int>] {
        var found = lists.map { _ in Set<Int>() }
        if lists.allSatisfy(\.deleted.isEmpty) || lists.allSatisfy(\.targets.isEmpty) {
            return found
        }
        var gone: [String: Set<RowKey>] = [:]
        var open: [(table: String, keys: [QueryValue])] = []
        func add(_ keys: some Sequence<RowKey>, of table: String) {
            let new = Set(keys).subtracting(gone[table] ?? [])
            if new.isEmpty { return }
            gone[table, default: []].formUnion(new)
            open.append((table, new.compactMap(\.values.first)))
        }
        for list in lists { add(list.deleted, of: list.entity.table) }
        while let (table, keys) = open.popLast() {
            for (index, list) in lists.enumerated() {
                guard let targets = list.targets[table] else { continue }
                for key in keys { found[index].formUnion(targets[key] ?? []) }
            }
            for entity in tables.values {
                let list = lists.first { $0.entity.table == entity.table }
                if list?.isWhole ?? false { continue }
                for reference in entity.owners where reference.table == table {
                    var rows: [RowKey] = []
                    let filter = entity.filter(of: keys.map { [$0] }, in: [reference.column])
                    let query = Query(entity, filter: filter)
                    try context.withRows(of: query, entity.type) { cursor, _ in
                        while try cursor.next() {
                            rows.append(try RowKey(row: cursor, entity: entity))
                        }
                    }
                    if rows.isEmpty { continue }
                    // Rows of a list have left them, or were found above.
                    let listed = try list?.listed(rows) ?? []
                    add(rows.lazy.filter { !listed.contains($0) }, of: entity.table)
                }
            }
        }
        return zip(found, lists).map { $0.subtracting($1.skipped) }
    }
}

extension EntityBinding {
    /// The references with which rows are deleted.
    fileprivate var owners: [EntityDescription.Reference] {
        description.references.filter { $0.deleteRule == .cascade }
    }

    /// The references whose rows may be deleted, with or without those that refer to them.
    fileprivate var deletableTargets: [EntityDescription.Reference] {
        description.references.filter { $0.deleteRule == .cascade || $0.deleteRule == .nullify }
    }
}
