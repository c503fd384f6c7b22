import DovetailContext
import DovetailModel
import DovetailStore

/// What a document of objects makes of the rows that were changed here, in all tables of which it speaks: which of
/// them the other side has in another form, and in which one.
///
/// It is put to what waits in two parts, before and after everything else that the save writes: what the program
/// changes beside the document stays a change made here. It belongs to one unit of work of one context.
final class ObjectBases {
    /// The tables of whose rows the document may speak.
    private(set) var tables: [EntityBinding]
    /// The other tables whose rows may go, or lose a reference, with rows that the document deletes.
    private(set) var referring: [EntityBinding]
    /// Those that no document has brought yet.
    private var first: Set<String>
    /// Whether changes made here count.
    let isMerge: Bool
    /// What was changed when the document was read, by table.
    private(set) var known: [String: [RowKey: BaseRow]]
    /// What was changed of objects that the document may name without having them, by table.
    private var named: [String: [RowKey: BaseRow]] = [:]
    /// All that was changed, by table.
    var all: [String: [RowKey: BaseRow]] { known.merging(named) { first, _ in first } }
    /// The join tables among them.
    private(set) var joins: [EntityBinding] = []
    /// What the other side has of rows.
    private(set) var given: [RowName: BaseRow] = [:]
    /// The columns of places in lists that were changed here.
    private(set) var places: [RowName: ColumnSet] = [:]
    /// The rows that are what the document says, with what they are without it.
    private var settled: [(name: RowName, row: RowImage?)] = []
    /// The keys that the other side has in columns, beside what was given, and the rows as they are here.
    private var keys: [(name: RowName, column: Int, key: QueryValue, row: [QueryValue]?)] = []
    /// The rows that go with the document.
    private(set) var gone: Set<RowName> = []
    /// The rows that the document brings as new ones.
    private(set) var inserted: Set<RowName> = []
    /// What waited before the document.
    private let mark: ObjectChangeMark
    /// The objects of the document that waited before it, as they were.
    private var waiting: [WaitingRow] = []
    /// What the document changes of these, of whose rows nothing else is noted: most are those of other documents
    /// that wait for the same save.
    private(set) var overlays: [RowName: (columns: ColumnSet, values: [QueryValue])] = [:]

    /// Nil where the store does not know what was changed.
    ///
    /// - Throws: ``StoreError``, of kind `historyDisabled` where it has to know.
    init?(
        _ context: ModelContext,
        of type: any PersistentModel.Type,
        isMerge: Bool
    ) throws {
        let all = context.tablesOfDocuments(of: type)
        var tables: [EntityBinding] = []
        var first: Set<String> = []
        var known: [String: [RowKey: BaseRow]] = [:]
        let isKnown = try context.withReadConnection { connection in
            for (entity, isOwned) in all {
                switch try connection.bases(of: entity) {
                case nil: return false
                case .all:
                    // What only names objects of another class is no list of them.
                    if !isMerge, !isOwned { continue }
                    first.insert(entity.table)
                case .rows: break
                }
                tables.append(entity)
                known[entity.table] = try BaseUpdate.all(of: entity, on: connection) ?? [:]
            }
            return true
        }
        guard isKnown else {
            if isMerge { throw BaseUpdate.unknown(try context.table(of: type)) }
            return nil
        }
        self.tables = tables
        self.first = first
        self.known = known
        self.isMerge = isMerge
        mark = context.objectChangeMark
        let names = Set(tables.map(\.table))
        var referring: [String: EntityBinding] = [:]
        for entity in tables {
            for other in BaseUpdate.tables(referringTo: entity, context.container.schema)
            where !names.contains(other.table) {
                referring[other.table] = other
            }
        }
        self.referring = Array(referring.values)
        try add(context.joinTablesOfDocuments(of: type), in: context, thatAreKnown: true)
        if !isMerge { return }
        for entity in context.tablesNamedInDocuments(of: type) where !names.contains(entity.table) {
            let bases = try context.withReadConnection { try $0.bases(of: entity) }
            guard case .rows(let rows) = bases else { continue }
            named[entity.table] = BaseUpdate.byKey(rows)
        }
    }

    /// Adds join tables: the first document that speaks of their lists is the one from which their pairs count.
    ///
    /// - Parameter isKnown: Whether only those are added that a document has spoken of before.
    /// - Throws: ``StoreError``.
    func add(
        _ others: [EntityBinding],
        in context: ModelContext,
        thatAreKnown isKnown: Bool = false
    ) throws {
        for entity in others where !joins.contains(where: { $0.table == entity.table }) {
            try context.withReadConnection { connection in
                switch try connection.bases(of: entity) {
                case nil: return
                case .all where isKnown: return
                case .all: first.insert(entity.table)
                case .rows: break
                }
                known[entity.table] = try BaseUpdate.all(of: entity, on: connection) ?? [:]
                tables.append(entity)
                joins.append(entity)
                referring.removeAll { $0.table == entity.table }
            }
        }
    }

    /// What is known of a row.
    subscript(name: RowName) -> BaseRow? { known[name.table]?[name.key] }

    // MARK: Before the save

    /// Notes the objects of which the document speaks, before it changes them.
    ///
    /// - Throws: ``ModelEncodingError``.
    func speak(of objects: some Sequence<any PersistentModel>, in context: ModelContext) throws {
        if !isMerge { waiting = try context.waitingRows(of: objects) }
    }

    /// Notes what the other side has of a row; nil for none.
    ///
    /// - Parameters:
    ///   - places: The columns of places in lists that were changed here, and stay so.
    ///   - isNew: Whether the document adds the row here.
    func give(
        _ values: [QueryValue]?,
        _ name: RowName,
        keeping places: ColumnSet = [],
        isNew: Bool = false
    ) {
        given[name] = BaseRow(key: name.key.values, values: values)
        if isNew { inserted.insert(name) }
        if !places.isEmpty { self.places[name] = places }
    }

    /// Notes a row that is what the document says, also where nothing of it changes.
    ///
    /// - Parameter row: What it is without the document.
    func settle(_ name: RowName, _ row: RowImage?) { settled.append((name, row)) }

    /// Forgets what was noted of rows with those that they were inside of: they are elsewhere in the document.
    func forget(_ names: some Sequence<RowName>) {
        for name in names {
            gone.remove(name)
            given[name] = nil
        }
    }

    /// Notes which key the other side has in a column of a row that is merged without it.
    ///
    /// - Parameter row: The row, where the document does not write the column.
    func give(_ key: QueryValue, _ column: Int, of name: RowName, _ row: [QueryValue]?) {
        keys.append((name, column, key, row))
    }

    /// Notes rows that go with the document.
    func delete(_ names: some Sequence<RowName>) { gone.formUnion(names) }

    /// Puts both parts to what waits, unless the document changes nothing and everything is known.
    ///
    /// It is called when the document has changed the objects: what they are then is what the other side has,
    /// unless something else was noted.
    ///
    /// - Throws: ``ModelEncodingError``.
    func enqueue(in context: ModelContext) throws {
        let changes = try context.objectChanges(since: mark, naming: given.keys)
        let names = Set(tables.map(\.table))
        for (name, entity, row) in changes.written
        where names.contains(name.table) && given[name] == nil {
            give(try entity.values(of: row), name)
        }
        for (name, row) in try context.movedPairs() where given[name] == nil { give(row, name) }
        inserted.formUnion(changes.inserted)
        // What the document has, and goes with an object that it does not have, was put there here.
        gone.formUnion(changes.deleted.filter { given[$0]?.values == nil })
        let replaced = Set(settled.lazy.map(\.name))
        for row in waiting where given[row.name] == nil && names.contains(row.name.table) {
            guard let change = try row.change(in: context) else { continue }
            if replaced.contains(row.name) {
                give(change.values, row.name)
            } else {
                overlays[row.name] = change
            }
        }
        for (name, row) in settled where given[name] == nil {
            guard let entity = tables.first(where: { $0.table == name.table }) else { continue }
            give(try row.map(entity.values), name)
        }
        for (name, column, key, row) in keys {
            let known = given[name]
            guard var values = known == nil ? row : known?.values else { continue }
            values[column] = key
            given[name] = BaseRow(key: name.key.values, values: values)
        }
        let isSame = given.allSatisfy { name, base in
            self[name].map { $0.values == base.values } ?? false
        }
        let isUnchanged = changes.written.isEmpty && !changes.concernsNamed
        if isSame, gone.isEmpty, first.isEmpty, isUnchanged, overlays.isEmpty { return }
        guard let model = tables.first?.type else { return }
        if isMerge {
            context.enqueue(
                RowlessBatch(model) { [self] connection, _ in try checkKnown(on: connection) }
            )
        }
        context.enqueue(
            RowlessBatch(model, last: self) { all, connection in
                try ObjectBasesState(all, on: connection).write(to: connection)
            }
        )
    }

    /// What is to be known again where the document is undone: what was changed of the rows of which it has said
    /// something, with nothing of those that were not.
    var replaced: ReplacedRows.Bases {
        var rows = known.mapValues { $0.mapValues { Optional($0) } }
        for name in given.keys where rows[name.table]?[name.key] == nil {
            rows[name.table, default: [:]][name.key] = .some(nil)
        }
        return rows
    }

    // MARK: In the save

    /// Sees that no row which the document writes was changed since it was merged.
    private func checkKnown(on connection: any StoreConnection) throws {
        for entity in tables {
            let now = try BaseUpdate.all(of: entity, on: connection) ?? [:]
            let outdated = now.keys.filter { key in
                let name = RowName(entity.table, key)
                return self[name] == nil && (gone.contains(name) || given[name] != nil)
            }
            if !outdated.isEmpty { throw BaseUpdate.outdated(outdated, entity.table) }
        }
    }
}
