import DovetailContext
import DovetailModel
import DovetailStore

/// What a list makes of the rows that were changed here: which of them the other side has in another form, and
/// in which one.
///
/// It is read when the list is compared, and again when that is saved, so that what others, or other parts of
/// the same save, have done meanwhile stays.
///
/// Invariant of the unchecked exclusivity: it belongs to one unit of work of one context.
final class BaseUpdate {
    private let entity: EntityBinding
    /// The tables whose rows may go, or lose a reference, with rows that the list deletes.
    private let referring: [EntityBinding]
    /// Whether changes made here count.
    let isMerge: Bool
    /// What was changed when the list was compared.
    private(set) var known: [RowKey: BaseRow]
    /// What the other side has of rows.
    private(set) var given: [RowKey: BaseRow] = [:]
    /// Rows that were made here, and that the other side does not have.
    private var absent: Set<RowKey> = []
    /// References that both sides have, and were set here.
    private var resolved: [(key: RowKey, column: Int, value: QueryValue)] = []
    /// Whether anything has to be kept: a list of what there is already leaves nothing to save.
    private(set) var isNeeded = false
    /// Whether the list is the first one of the table, and says something of each row.
    private let isFirst: Bool
    /// The rows that the list writes.
    private var written: Set<RowKey> = []
    /// Those of them that it deletes.
    private var deleted: Set<RowKey> = []
    /// What was changed when the rows of the list are about to be written, by table.
    private var current: [String: [RowKey: BaseRow]] = [:]
    /// The rows of which that is so, as they are then, by table, where rules may change them with a deletion.
    private var before: [String: [RowKey: [QueryValue]]] = [:]
    /// Whether all rows count as changed before the first list.
    private let countsAll: Bool
    /// Whether parts of a list are written before it is known whether they delete anything.
    var isParted = false

    /// Nil where the store does not know what was changed.
    ///
    /// - Parameter isWhole: Whether the list is one of all rows: if it is the first one, and replaces what is here, it
    ///   says something of each, so none of them has to be looked at.
    /// - Throws: ``StoreError``.
    init?(
        _ context: ModelContext,
        _ entity: EntityBinding,
        isMerge: Bool = false,
        isWhole: Bool = false
    ) throws {
        countsAll = isMerge || !isWhole
        guard
            let (known, isFirst) = try context.withReadConnection({
                [countsAll] connection -> ([RowKey: BaseRow], Bool)? in
                guard let known = try Self.changed(entity, on: connection, countsAll) else {
                    return nil
                }
                guard !countsAll, case .all = try connection.bases(of: entity) else {
                    return (known, false)
                }
                return (known, true)
            })
        else { return nil }
        self.isFirst = isFirst
        self.known = known
        self.entity = entity
        self.isMerge = isMerge
        referring = Self.tables(referringTo: entity, context.container.schema)
    }

    /// Adds rows that wait to be saved, as they are stored: a list that replaces them is put over these, too.
    ///
    /// - Throws: ``StoreError``.
    func addWaiting(_ waiting: [RowKey], in context: ModelContext) throws {
        let keys = waiting.filter { known[$0] == nil }
        if keys.isEmpty { return }
        let stored = try context.withReadConnection { try Self.rows(keys, entity, on: $0) }
        for key in keys { known[key] = BaseRow(key: key.values, values: stored[key]) }
    }

    /// The same of a store that has to know.
    ///
    /// - Throws: ``StoreError``, of kind `historyDisabled` where it does not.
    static func required(_ context: ModelContext, _ entity: EntityBinding) throws -> BaseUpdate {
        if let bases = try BaseUpdate(context, entity, isMerge: true) { return bases }
        throw unknown(entity)
    }

    /// The error of a store that does not know what was changed.
    static func unknown(_ entity: EntityBinding) -> StoreError {
        StoreError(
            .historyDisabled,
            table: entity.table,
            explanation: "the store does not know what was changed here; set `history` in the "
                + "configuration to keep one"
        )
    }

    /// Rows by their keys.
    static func byKey(_ rows: [BaseRow]) -> [RowKey: BaseRow] {
        Dictionary(rows.map { (RowKey($0.key), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// All tables that refer to one, or to one of these.
    static func tables(
        referringTo entity: EntityBinding,
        _ schema: Schema
    ) -> [EntityBinding] {
        var names: Set<String> = [entity.table]
        var tables: [EntityBinding] = []
        while true {
            let new = schema.bindings.filter { other in
                !names.contains(other.table)
                    && other.description.references.contains { names.contains($0.table) }
            }
            if new.isEmpty { return tables }
            names.formUnion(new.map(\.table))
            tables += new
        }
    }

    /// The keys of ``known`` in their order.
    var keys: [RowKey] { known.keys.sorted { $0.order(relativeTo: $1) < 0 } }

    // MARK: Before the save

    /// Notes what the other side has of a row; nil for none.
    func give(_ values: [QueryValue]?, _ key: RowKey) {
        let base = BaseRow(key: key.values, values: values)
        if known[key] != base { isNeeded = true }
        given[key] = base
    }

    /// Notes that there is a list: the first one counts also where it is what is stored.
    func begin() {
        if isFirst { isNeeded = true }
    }

    /// Notes that a reference of a row is set, which both sides have.
    func resolve(_ key: RowKey, _ column: Int, _ value: QueryValue) {
        resolved.append((key, column, value))
        isNeeded = true
    }

    /// Notes known rows that the other side does not have, as a list says: those that were made here, and are gone
    /// here again, are on neither side then, and forgotten.
    ///
    /// - Complexity: one query for the rows that were made here, or one for each where the key has several columns;
    ///   nothing where the list changes something.
    /// - Throws: ``StoreError``.
    func noteAbsent(_ keys: [RowKey], in context: ModelContext) throws {
        let made = keys.filter { known[$0].map { $0.values == nil } ?? false }
        absent.formUnion(made)
        if isNeeded || made.isEmpty { return }
        isNeeded = try context.withReadConnection {
            try !Self.missing(Set(made), entity, on: $0).isEmpty
        }
    }

    /// Those of some keys that no row has.
    ///
    /// - Throws: ``StoreError``.
    static func missing(
        _ keys: Set<RowKey>,
        _ entity: EntityBinding,
        on connection: any StoreQuerying
    ) throws -> Set<RowKey> {
        var missing = keys
        for part in entity.parts(of: Array(keys)) {
            for key in try connection.keys(of: Query(entity, filter: entity.filter(of: part))) {
                missing.remove(RowKey(key))
            }
        }
        return missing
    }

    /// Notes which rows the list writes.
    func take(writing keys: [RowKey], deleting gone: [RowKey], inserting inserts: Bool) {
        written.formUnion(keys)
        written.formUnion(gone)
        deleted.formUnion(gone)
        if inserts || !keys.isEmpty || !gone.isEmpty { isNeeded = true }
    }

    /// The error about rows that were changed while a list was merged.
    static func outdated(_ keys: [RowKey], _ table: String) -> StoreError {
        StoreError(
            .planOutdated,
            table: table,
            explanation: "a row has changed since the list was merged; merge it again"
        )
        .naming(all: keys.map(\.values))
    }

    // MARK: In the save

    /// The part of what waits that comes before the rows of the list: it sees what was changed until then.
    var beginning: RowlessBatch {
        RowlessBatch(entity.type) { [self] connection, entity in
            (current, before) = ([:], [:])
            let rows = try Self.changed(entity, on: connection, countsAll) ?? [:]
            current[entity.table] = rows
            if isMerge {
                let outdated = written.filter { rows[$0] != nil && known[$0] == nil }
                if !outdated.isEmpty { throw Self.outdated(Array(outdated), entity.table) }
            }
            for other in referring {
                guard case .rows(let rows) = try connection.bases(of: other) else { continue }
                current[other.table] = Self.byKey(rows)
            }
            guard isParted || !deleted.isEmpty else { return }
            for table in [entity] + referring {
                let keys = Array((current[table.table] ?? [:]).keys)
                before[table.table] = try Self.rows(keys, table, on: connection)
            }
        }
    }

    /// The part that comes after them: what was changed counts from here on.
    var end: RowlessBatch {
        RowlessBatch(entity.type) { [self] connection, entity in
            var bases = current[entity.table] ?? [:]
            for (key, base) in given { bases[key] = base }
            for (key, column, value) in resolved {
                // What was changed by this alone is no change.
                guard let base = bases[key], var values = base.values else { continue }
                values[column] = value
                bases[key] = BaseRow(key: base.key, values: values)
            }
            // What a list has deleted of which it says nothing was elsewhere there.
            for key in deleted where given[key] == nil { bases[key] = nil }
            if !deleted.isEmpty {
                try forgetLost(&bases, of: entity, on: connection)
                try forgetRuled(&bases, of: entity, on: connection)
            }
            try Self.dropEqual(&bases, entity, on: connection) { [given, absent] in
                given[$0] != nil || absent.contains($0)
            }
            try connection.setBases(Array(bases.values), of: entity)
            if !deleted.isEmpty {
                for other in referring { try keep(other, on: connection) }
            }
        }
    }

    /// What was changed of an entity; nil where that is not followed.
    private static func changed(
        _ entity: EntityBinding,
        on connection: any StoreQuerying,
        _ countsAll: Bool
    ) throws -> [RowKey: BaseRow]? {
        if countsAll { return try all(of: entity, on: connection) }
        return switch try connection.bases(of: entity) {
        case .rows(let rows): byKey(rows)
        case .all: [:]
        case nil: nil
        }
    }

    /// The rows with some keys, as far as they are values of the model.
    private static func rows(
        _ keys: [RowKey],
        _ entity: EntityBinding,
        on connection: any StoreQuerying
    ) throws -> [RowKey: [QueryValue]] {
        var rows: [RowKey: [QueryValue]] = [:]
        for part in entity.parts(of: keys) {
            let cursor = try connection.rows(of: Query(entity, filter: entity.filter(of: part)))
            defer { cursor.close() }
            while try cursor.next() {
                rows[try RowKey(row: cursor, entity: entity)] = try? entity.values(of: cursor)
            }
        }
        return rows
    }

    /// The rows that were changed of an entity, which are all of them before its first list; nil where the
    /// store does not know.
    static func all(
        of entity: EntityBinding,
        on connection: any StoreQuerying
    ) throws -> [RowKey: BaseRow]? {
        switch try connection.bases(of: entity) {
        case .rows(let rows): return byKey(rows)
        case nil: return nil
        case .all:
            let cursor = try connection.stream(Query(entity))
            defer { cursor.close() }
            var rows: [BaseRow] = []
            while try cursor.next() {
                rows.append(BaseRow(key: try entity.key(of: cursor), values: nil))
            }
            return byKey(rows)
        }
    }

    /// Forgets the bases that the rows are equal to by now.
    ///
    /// - Parameter forgets: Whether it does so for a row that is on neither side. One that was made here, and is gone
    ///   here again, may have been told: it is known until the other side says something of it.
    static func dropEqual(
        _ bases: inout [RowKey: BaseRow],
        _ entity: EntityBinding,
        on connection: any StoreConnection,
        forgetting forgets: (RowKey) -> Bool
    ) throws {
        var missing = Set(bases.filter { $0.value.values == nil && forgets($0.key) }.keys)
        for part in entity.parts(of: Array(bases.keys)) {
            let cursor = try connection.rows(of: Query(entity, filter: entity.filter(of: part)))
            defer { cursor.close() }
            while try cursor.next() {
                let key = try RowKey(row: cursor, entity: entity)
                missing.remove(key)
                guard let base = bases[key]?.values else { continue }
                let digest = RowDigest(RowImage(base), of: entity).value
                if RowDigest(cursor, of: entity).value == digest { bases[key] = nil }
            }
        }
        for key in missing { bases[key] = nil }
    }

    /// Lets what became of another table's rows by the rules of deletions be no change made here.
    private func keep(_ other: EntityBinding, on connection: any StoreConnection) throws {
        guard var bases = current[other.table],
            case .rows(let rows) = try connection.bases(of: other)
        else { return }
        try forgetLost(&bases, of: other, on: connection)
        try forgetRuled(&bases, of: other, on: connection)
        if rows.allSatisfy({ bases[RowKey($0.key)] == $0 }) { return }
        try connection.setBases(Array(bases.values), of: other)
    }

    /// Lets rows that rules have deleted with those of the list be none that were deleted here, and references that
    /// they have set to nil none that were set here.
    private func forgetRuled(
        _ bases: inout [RowKey: BaseRow],
        of other: EntityBinding,
        on connection: any StoreConnection
    ) throws {
        guard let before = before[other.table], !before.isEmpty else { return }
        let now = try Self.rows(Array(before.keys), other, on: connection)
        let columns = other.description.references.map(\.column)
        for (key, row) in before {
            if other.table == entity.table, given[key] != nil { continue }
            guard let after = now[key] else {
                bases[key] = nil
                continue
            }
            guard let base = bases[key], var values = base.values else { continue }
            for column in columns where row[column] != .null && after[column] == .null {
                values[column] = .null
            }
            bases[key] = BaseRow(key: base.key, values: values)
        }
    }

    /// Takes references out of bases whose rows the list has deleted, or the rules of deletions with them: the
    /// other side has none there either.
    private func forgetLost(
        _ bases: inout [RowKey: BaseRow],
        of other: EntityBinding,
        on connection: any StoreConnection
    ) throws {
        for reference in other.description.references
        where other.attributes[reference.column].isOptional {
            guard let target = (referring + [entity]).first(where: { $0.table == reference.table })
            else { continue }
            let referred = bases.values.compactMap { base in
                base.values.map { $0[reference.column] }.flatMap {
                    $0 == .null ? nil : RowKey([$0])
                }
            }
            let missing = try Self.missing(Set(referred), target, on: connection)
            let losing = bases.filter { _, base in
                base.values.map { missing.contains(RowKey([$0[reference.column]])) } ?? false
            }
            for part in other.parts(of: Array(losing.keys)) {
                let cursor = try connection.rows(of: Query(other, filter: other.filter(of: part)))
                defer { cursor.close() }
                while try cursor.next() {
                    let key = try RowKey(row: cursor, entity: other)
                    guard cursor.isNull(reference.column), let base = losing[key],
                        var values = bases[key]?.values
                    else { continue }
                    values[reference.column] = .null
                    bases[key] = BaseRow(key: base.key, values: values)
                }
            }
        }
    }
}
