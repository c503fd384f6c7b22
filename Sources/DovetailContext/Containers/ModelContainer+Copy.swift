import DovetailModel
import DovetailStore

/// How far ``ModelContainer/copy(to:allowingRounding:deadline:progress:)`` has come.
public struct CopyProgress: Hashable, Sendable {
    /// The table whose rows were copied last.
    public let table: String
    /// How many rows of all tables are in the other store.
    public let copied: Int
    /// How many rows there are.
    public let total: Int
}

/// What ``ModelContainer/copy(to:allowingRounding:deadline:progress:)`` has found equal in both stores.
public struct CopyReport: Hashable, Sendable {
    /// One table.
    public struct Table: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// How many rows it has.
        public let rows: Int
        /// A checksum over all of them, the same in every store and process (64 bits).
        public let checksum: UInt64
    }

    /// The tables, those first that others refer to.
    public let tables: [Table]
}

extension ModelContainer {
    /// Copies all rows, also those that are marked as deleted, into another container, of whatever kind
    /// its store is, and compares both.
    ///
    /// ```swift
    /// let file = try ModelContainer(for: User.self, configurations: ModelConfiguration(url: url))
    /// let report = try await memory.copy(to: file) { print($0.copied, "of", $0.total) }
    /// ```
    ///
    /// The source is read in one snapshot; others use it meanwhile where its store can. Rows are
    /// written in transactions of about a thousand, more where rows refer to later ones. So a copy
    /// that ended early, by cancellation or a failure, goes on where it was when it is made again.
    /// The other container has to be new, or left by such a copy.
    ///
    /// - Parameters:
    ///   - other: A container of the same models. Nobody else may write to it meanwhile.
    ///   - allowingRounding: Whether dates are rounded where the other store keeps fewer digits of them, as
    ///     PostgreSQL does (`Date/inMicroseconds`). Otherwise a row that would lose digits ends the copy. The dates
    ///     at which rows were marked as deleted are always rounded.
    ///   - deadline: When it has to be done, such as `.now + .seconds(60)`; nil for no end.
    ///   - progress: Called after each transaction, on a thread of this container.
    /// - Complexity: linear in the size of the rows: one pass to write them, and one over each store
    ///   to compare them. Memory holds the rows of one transaction.
    /// - Throws: ``StoreError``: `invalidSchema` when the other one lacks a model, `copyDiffers` when
    ///   it holds other rows in the end, `outOfRange` for a date that would be rounded, which names the column and
    ///   the key of the row, `cancelled` and `deadlineExceeded`, and what reading and
    ///   writing throw; ``ModelDecodingError`` for a column that does not hold what its kind says.
    @discardableResult
    public func copy(
        to other: ModelContainer,
        allowingRounding: Bool = false,
        deadline: ContinuousClock.Instant? = nil,
        progress: (@Sendable (CopyProgress) -> Void)? = nil
    ) async throws -> CopyReport {
        try await run(on: readQueue, deadline) { source in
            try source.store.withSnapshot { connection in
                var copy = try StoreCopy(from: source.schema, on: connection, to: other, progress)
                copy.allowsRounding = allowingRounding
                // Also of a part, where the rest cannot be written.
                defer { other.tellOfOtherRows() }
                do {
                    try copy.write()
                    let report = try copy.compare()
                    // The keys of new objects come after those that were copied.
                    try other.hiddenKeys.open(other.store, for: other.schema)
                    return report
                } catch {
                    try? other.hiddenKeys.open(other.store, for: other.schema)
                    throw error
                }
            }
        }
    }
}

/// The work of one copy.
private struct StoreCopy {
    private let source: any StoreQuerying
    private let target: any DataStore
    private let entities: [EntityBinding]
    /// The tables whose dates the target rounds.
    private let rounding: Set<String>
    var allowsRounding = false
    private let report: (@Sendable (CopyProgress) -> Void)?
    private let total: Int
    private var copied = 0
    /// Rows that were read and not written.
    private var waiting: [(entity: EntityBinding, row: RowImage)] = []
    /// How many rows are written at once. It grows while rows refer to later ones.
    private var batch = Self.usualBatch

    private static let usualBatch = 1000

    init(
        from schema: Schema,
        on source: any StoreQuerying,
        to other: ModelContainer,
        _ report: (@Sendable (CopyProgress) -> Void)?
    ) throws {
        self.source = source
        self.report = report
        target = other.store
        entities = schema.inReferenceOrder
        for model in schema.models { _ = try other.schema.entity(model) }
        rounding = Set(
            try entities.filter { entity in
                try other.schema.entity(entity.type).attributes.contains(where: \.roundsDates)
            }
            .map(\.table)
        )
        total = try entities.reduce(0) { try $0 + source.count(of: Query($1, .included)) }
    }

    /// All rows of a table in the order of their keys, the same in every store.
    private func query(_ entity: EntityBinding, offset: Int = 0) -> Query {
        Query(
            entity,
            .included,
            order: entity.keyColumns.map { QueryOrder(column: $0) },
            offset: offset
        )
    }

    /// Writes the rows that the target does not have. Those that it has are the first ones, since an
    /// earlier copy wrote them in the same order; ``compare()`` finds out when they are not.
    mutating func write() throws {
        for entity in entities {
            let known = try target.withReadConnection { try $0.count(of: Query(entity, .included)) }
            copied += known
            let cursor = try source.stream(query(entity, offset: known))
            defer { cursor.close() }
            while try cursor.next() {
                let row = RowImage(columns: entity.columnCount)
                for (column, attribute) in entity.attributes.enumerated() {
                    try value(cursor, column, attribute, entity).set(column, of: row)
                }
                waiting.append((entity, row))
                if waiting.count >= batch { try writeWaiting(isLast: false) }
            }
            // The next table may be in another store.
            try writeWaiting(isLast: false)
        }
        try writeWaiting(isLast: true)
    }

    /// What a column holds, as the target keeps it.
    ///
    /// - Throws: ``StoreError`` for a date that loses digits which it may not lose.
    private func value(
        _ row: any RowSource,
        _ column: Int,
        _ attribute: ModelAttribute,
        _ entity: EntityBinding
    ) throws -> QueryValue {
        let value = try QueryValue(exactly: row, column, attribute)
        guard case .date(let date) = value, rounding.contains(entity.table) else { return value }
        let rounded = date.inMicroseconds
        guard rounded == date || allowsRounding || column == entity.markColumn else {
            throw StoreError(
                .outOfRange,
                table: entity.table,
                column: attribute.name,
                explanation: "the other store keeps whole microseconds of dates, and this one "
                    + "has more digits; copy with `allowingRounding: true`"
            )
            .naming(all: [try RowKey(row: row, entity: entity).values])
        }
        return .date(rounded)
    }

    /// Writes what waits in one transaction. Where that refers to later rows, it waits for them.
    private mutating func writeWaiting(isLast: Bool) throws {
        guard let last = waiting.last else { return }
        try StoreInterruption.current?.check()
        do {
            try target.withConnection { connection in
                try connection.transaction(keeping: true) {
                    var index = waiting.startIndex
                    while index < waiting.endIndex {
                        let entity = waiting[index].entity
                        let writer = try connection.writer(.insert, into: entity)
                        while index < waiting.endIndex, waiting[index].entity.table == entity.table
                        {
                            try waiting[index].row.write(to: writer)
                            try writer.finishRow()
                            index += 1
                        }
                        try writer.finish()
                    }
                }
            }
        } catch let error as StoreError where error.kind == .foreignKeyViolation && !isLast {
            batch = waiting.count * 2
            return
        }
        copied += waiting.count
        waiting.removeAll(keepingCapacity: true)
        batch = Self.usualBatch
        report?(CopyProgress(table: last.entity.table, copied: copied, total: total))
    }

    /// Goes over both stores.
    func compare() throws -> CopyReport {
        let tables = try entities.map { entity in
            let wanted = try table(entity, source, rounds: rounding.contains(entity.table))
            let found = try target.withSnapshot { try table(entity, $0) }
            guard wanted == found else {
                throw StoreError(
                    .copyDiffers,
                    table: entity.table,
                    explanation: wanted.rows == found.rows
                        ? "the copy has other rows" : "the copy has another number of rows"
                )
            }
            return wanted
        }
        return CopyReport(tables: tables)
    }

    private func table(
        _ entity: EntityBinding,
        _ connection: any StoreQuerying,
        rounds: Bool = false
    ) throws -> CopyReport.Table {
        let cursor = try connection.stream(query(entity))
        defer { cursor.close() }
        var digest = RowDigest()
        var rows = 0
        while try cursor.next() {
            if rows % 1000 == 0 { try StoreInterruption.current?.check() }
            digest.add(cursor, of: entity, roundingDates: rounds)
            rows += 1
        }
        return CopyReport.Table(name: entity.table, rows: rows, checksum: digest.value)
    }
}
