import DovetailContext
import DovetailModel
import DovetailStore

/// Which rows are still changed on one side only when a list is stored, and what they were.
///
/// Invariant of the unchecked exclusivity: it belongs to one unit of work of one context.
final class BaseUpdate {
    private let model: any Model.Type
    private let table: String
    /// What was changed when the list was compared.
    let known: [RowKey: BaseRow]
    /// What both sides do not have in the same form after it.
    private var remaining: [RowKey: BaseRow]
    /// Whether anything has to be kept: a list of what there is already leaves nothing to save.
    private(set) var isNeeded = false
    /// The rows that the list writes.
    private var written: Set<RowKey> = []
    /// Whether a row that somebody else changes meanwhile must not be written.
    private let isMerge: Bool

    /// Nil where the store does not know what was changed.
    ///
    /// - Throws: ``StoreError``.
    init?(_ context: ModelContext, _ entity: EntityBinding, isMerge: Bool = false) throws {
        guard let rows = try context.bases(of: entity) else { return nil }
        model = entity.type
        table = entity.table
        self.isMerge = isMerge
        known = Dictionary(
            rows.map { (RowKey($0.key), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        remaining = known
    }

    /// The same of a store that has to know.
    ///
    /// - Throws: ``StoreError``, of kind `historyDisabled` where it does not.
    static func required(_ context: ModelContext, _ entity: EntityBinding) throws -> BaseUpdate {
        if let bases = try BaseUpdate(context, entity, isMerge: true) { return bases }
        throw StoreError(
            .historyDisabled,
            table: entity.table,
            explanation: "the store does not know what was changed here; set `history` in the "
                + "configuration to keep one"
        )
    }

    /// Both sides have a row in the same form.
    func settle(_ key: RowKey) {
        if remaining.removeValue(forKey: key) != nil { isNeeded = true }
    }

    /// The other side has a row in another form.
    func keep(_ base: BaseRow) {
        if remaining.updateValue(base, forKey: RowKey(base.key)) != base { isNeeded = true }
    }

    /// Takes over what a list writes.
    ///
    /// - Parameters:
    ///   - keys: The rows that it updates and deletes.
    ///   - inserts: Whether it inserts rows.
    ///   - isGiven: Whether the list has a row.
    func take(writing keys: [RowKey], inserting inserts: Bool, given isGiven: (RowKey) -> Bool) {
        written.formUnion(keys)
        if inserts || !keys.isEmpty { isNeeded = true }
        if isMerge { return }
        for key in keys { settle(key) }
        for key in known.keys where isGiven(key) { settle(key) }
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

    /// The part of what waits that comes before the rows of the list: it sees what others have changed since
    /// the comparison. In a transaction nobody has.
    var beginning: any ChangeBatch {
        RowlessBatch(model) { [self] connection, entity in
            for row in try connection.bases(of: entity) ?? [] {
                let key = RowKey(row.key)
                if known[key] != nil { continue }
                if !written.contains(key) {
                    keep(row)
                } else if isMerge {
                    throw Self.outdated([key], table)
                }
            }
        }
    }

    /// The part that comes after them: what was changed counts from here on.
    var end: any ChangeBatch {
        RowlessBatch(model) { [self] connection, entity in
            try connection.setBases(Array(remaining.values), of: entity)
        }
    }
}
