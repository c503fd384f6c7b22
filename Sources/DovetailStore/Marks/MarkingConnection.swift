package import DovetailModel
import Foundation

/// A connection to a store some of whose models mark their deleted rows: what deletes such rows sets the date,
/// and what inserts one whose key is marked brings it back. All the rest is the connection's.
///
/// Stores need not know of it, but for unique groups (``EntityDescription/mark``).
package final class MarkingConnection {
    private let connection: any StoreConnection
    private let rules: MarkRules
    private let suspects: MarkedReferences

    private init(
        _ connection: any StoreConnection,
        _ rules: MarkRules,
        _ suspects: MarkedReferences
    ) {
        self.connection = connection
        self.rules = rules
        self.suspects = suspects
    }

    /// A connection that marks; the same one where no model does.
    package static func over(
        _ connection: any StoreConnection,
        _ rules: MarkRules?,
        _ suspects: MarkedReferences?
    ) -> any StoreConnection {
        guard let rules, let suspects else { return connection }
        return MarkingConnection(connection, rules, suspects)
    }

    // MARK: Marking

    /// Marks rows and does with those that refer to them what their rules say.
    ///
    /// The work is a list and not recursion, so that a chain of rows may have any length.
    ///
    /// - Returns: how many of the rows themselves there were.
    private func mark(_ query: Query) throws -> Int {
        let date = QueryExpression.value(.date(.now))
        var count: Int?
        var waiting = [query]
        while let query = waiting.popLast() {
            guard let column = query.entity.markColumn else {
                _ = try connection.delete(query)
                continue
            }
            let references = rules.references(to: query.entity)
            let keys = references.isEmpty ? [] : try connection.keys(of: query)
            let marked = try connection.update(query, setting: [QueryAssignment(column, date)])
            count = count ?? marked
            if keys.isEmpty { continue }
            for reference in references {
                let child = reference.entity
                let rows = Query(child, filter: child.filter(of: keys, in: [reference.column]))
                switch reference.rule {
                case .cascade: waiting.append(rows)
                case .nullify:
                    let nothing = QueryAssignment(reference.column, .value(.null))
                    _ = try connection.update(rows, setting: [nothing])
                case .deny, .noAction:
                    for key in keys { suspects.add(key[0], of: query.entity) }
                }
            }
        }
        return count ?? 0
    }

    /// Marks the rows with some keys, as far as there are any.
    func mark(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        for part in entity.parts(of: keys.map { RowKey($0) }) {
            _ = try mark(Query(entity, filter: entity.filter(of: part)))
        }
    }

    /// Those of some keys whose rows are marked.
    ///
    /// - Complexity: one question; for keys of several columns one for each.
    func marked(of keys: [[QueryValue]], _ entity: EntityBinding) throws -> Set<RowKey> {
        let known = keys.lazy.filter { !$0.contains(.null) }.map { RowKey($0) }
        var marked: Set<RowKey> = []
        for part in entity.parts(of: Array(known)) {
            let found = try connection.keys(of: marking(part, entity))
            let wanted = Set(part.lazy.map { RowKey($0) })
            let same = found.lazy.map { RowKey($0) }.filter(wanted.contains)
            if same.count == found.count {
                marked.formUnion(same)
                continue
            }
            // The store gives a key in another form than it takes it.
            for key in part where try connection.count(of: marking([key], entity)) > 0 {
                marked.insert(RowKey(key))
            }
        }
        return marked
    }

    /// Asks for the marked rows with some keys.
    private func marking(_ keys: [[QueryValue]], _ entity: EntityBinding) -> Query {
        Query(entity, .only, filter: entity.filter(of: keys))
    }

    /// Notes to which rows a row refers.
    func noteReferences(of row: RowImage, _ entity: EntityBinding) throws {
        for reference in rules.references(of: entity) {
            let column = reference.column
            suspects.add(
                try QueryValue(row, column, entity.attributes[column]),
                of: reference.target
            )
        }
    }

    /// The writer of the store itself.
    func plainWriter(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        try connection.writer(verb, into: entity)
    }
}

extension MarkingConnection: StoreWriting {
    package func writer(_ verb: WriteVerb, into entity: EntityBinding) throws -> any RowWriter {
        let refers = verb != .delete && !rules.references(of: entity).isEmpty
        guard entity.markColumn != nil || refers else {
            return try connection.writer(verb, into: entity)
        }
        return MarkingWriter(verb, entity, on: self)
    }

    /// Marks the rows. Those that are asked for although they are marked are removed.
    package func delete(_ query: Query) throws -> Int {
        guard query.entity.markColumn != nil, !query.seesDeleted else {
            return try connection.delete(query)
        }
        return try mark(query)
    }

    package func update(_ query: Query, setting assignments: [QueryAssignment]) throws -> Int {
        for reference in rules.references(of: query.entity) {
            for assignment in assignments where assignment.column == reference.column {
                if case .value(let key) = assignment.value {
                    suspects.add(key, of: reference.target)
                } else {
                    // It may refer to any row.
                    let marked = try connection.keys(of: Query(reference.target, .only))
                    for key in marked { suspects.add(key[0], of: reference.target) }
                }
            }
        }
        return try connection.update(query, setting: assignments)
    }

    /// Of rows that may be marked, or refer to such ones, they are read, compared and written.
    package func apply(_ change: RowChange, to entity: EntityBinding) throws -> ChangeConflict? {
        guard entity.markColumn == nil else { return try applyByReading(change, to: entity) }
        try noteReferences(of: change, entity)
        return try connection.apply(change, to: entity)
    }

    package func change(
        _ change: RowChange,
        at position: Int,
        of entity: EntityBinding,
        again: @escaping (Int) throws -> RowChange?
    ) throws -> ChangeConflict? {
        guard entity.markColumn == nil else { return try applyByReading(change, to: entity) }
        try noteReferences(of: change, entity)
        return try connection.change(change, at: position, of: entity, again: again)
    }

    package func settle() throws -> [ChangeConflict] { try connection.settle() }

    package var continuesAfterRefusal: Bool { connection.continuesAfterRefusal }

    package func hasUniqueValues(_ entity: EntityBinding) -> Bool {
        connection.hasUniqueValues(entity)
    }

    /// Notes to which rows a change lets a row refer.
    private func noteReferences(of change: RowChange, _ entity: EntityBinding) throws {
        if let mine = change.mine {
            for reference in rules.references(of: entity)
            where change.columns.contains(reference.column) || change.isWhole {
                let key = try QueryValue(
                    mine,
                    reference.column,
                    entity.attributes[reference.column]
                )
                suspects.add(key, of: reference.target)
            }
        }
    }

    package func park(_ keys: [[QueryValue]], of entity: EntityBinding) throws {
        try connection.park(keys, of: entity)
    }

    package func unpark(_ entity: EntityBinding) throws { try connection.unpark(entity) }
}

extension MarkingConnection: StoreQuerying {
    package func rows(of query: Query) throws -> any RowCursor { try connection.rows(of: query) }

    package func stream(_ query: Query) throws -> any RowCursor { try connection.stream(query) }

    package func rows(
        of entity: EntityBinding,
        key: (any RowSink) throws -> Void
    ) throws -> any RowCursor {
        try connection.rows(of: entity, key: key)
    }

    package func values(of selection: QuerySelection) throws -> [[QueryValue]] {
        try connection.values(of: selection)
    }

    package func rows(of selection: QuerySelection) throws -> any RowCursor {
        try connection.rows(of: selection)
    }

    package func explain(_ query: Query) throws -> QueryExplanation {
        try connection.explain(query)
    }

    package func rows(of sql: SQLQuery) throws -> (cursor: any RowCursor, columns: [String]) {
        try connection.rows(of: sql)
    }

    package func count(of query: Query) throws -> Int { try connection.count(of: query) }

    package func token(of entity: EntityBinding) throws -> String? {
        try connection.token(of: entity)
    }

    package func bases(of entity: EntityBinding) throws -> ChangedRows? {
        try connection.bases(of: entity)
    }
}

extension MarkingConnection: StoreTransactions {
    package func transaction<Result>(
        keeping: Bool,
        writingTo entities: [EntityBinding],
        _ body: () throws -> Result
    ) throws -> Result {
        try connection.transaction(keeping: keeping, writingTo: entities, body)
    }

    package func noteForeignCommits() throws -> Bool { try connection.noteForeignCommits() }
    package var missesForeignCommits: Bool { connection.missesForeignCommits }

    package func transaction<Result>(
        keeping: Bool,
        _ body: () throws -> Result
    ) throws -> Result {
        try connection.transaction(keeping: keeping, body)
    }

    package var author: String? {
        get { connection.author }
        set { connection.author = newValue }
    }

    package var lastCommitNumber: Int64? { connection.lastCommitNumber }

    package func setToken(_ token: String?, of entity: EntityBinding) throws {
        try connection.setToken(token, of: entity)
    }

    package func setBases(_ bases: [BaseRow], of entity: EntityBinding) throws {
        try connection.setBases(bases, of: entity)
    }
}
