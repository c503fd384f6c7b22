/// What a store may be unable to do.
public enum StoreCapability: String, CaseIterable, Hashable, Sendable {
    /// Reading while another thread writes.
    case concurrentReads
    /// ``DataStore/backup(to:)``.
    case backup
    /// ``DataStore/history(since:limit:of:)``.
    case history
    /// Ending a statement that runs, when its task is cancelled or its deadline is over.
    case interruption
    /// Keeping what was saved when its container is gone, so that it is there when the store is opened
    /// again.
    case persistence
    /// Text with U+0000 in it. Without it, writing some throws `unsupported` with the column.
    case textWithNUL
    /// Dates to the last bit. Without it they are rounded to the nearest microsecond, before anything is
    /// compared, and `Date/inMicroseconds` gives what comes back.
    case exactDates
    /// Queries in SQL: ``StoreQuerying/rows(of:)-(SQLQuery)``.
    case sql
    /// Exchanging the unique values of rows in one update or upsert: ``StoreWriting/park(_:of:)``.
    case uniqueSwaps
    /// Keeping the token of a list of changes: ``StoreTransactions/setToken(_:of:)``.
    case changeTokens
    /// Knowing what was changed since a list was synchronized: ``StoreQuerying/bases(of:)``.
    case localChanges
    /// Foreign keys and their delete rules (``EntityDescription/references``). Without it, opening a
    /// store for models that refer to each other throws `unsupported`.
    case references
    /// Unique columns and groups beside the key (``EntityDescription/indexes``). Without it, opening
    /// a store for models that have some throws `unsupported`.
    case uniqueGroups
    /// Keys that the store gives (``EntityBinding/generatedColumn``). Without it, opening a store for
    /// models that have some throws `unsupported`.
    case generatedKeys
}

/// What a store cannot do, each with its reason.
///
/// ```swift
/// container.store.capabilities.reason(against: .backup)      // "there is no file"
/// ```
public struct StoreCapabilities: Hashable, Sendable {
    private let reasons: [StoreCapability: String]

    /// A store that can do everything but this.
    public init(without reasons: [StoreCapability: String] = [:]) {
        self.reasons = reasons
    }

    /// Whether the store can do something.
    public func contains(_ capability: StoreCapability) -> Bool { reasons[capability] == nil }

    /// Why it cannot; nil where it can.
    public func reason(against capability: StoreCapability) -> String? { reasons[capability] }

    /// Refuses models that need what the store cannot do. A store without ``StoreCapability/references``,
    /// ``StoreCapability/uniqueGroups`` or ``StoreCapability/generatedKeys`` calls it when it is opened.
    ///
    /// - Complexity: linear in the number of entities.
    /// - Throws: ``StoreError`` of kind `unsupported`, with the table and the reason.
    public func check(_ schema: Schema) throws {
        for entity in schema.bindings {
            for capability in entity.neededCapabilities {
                guard let reason = reason(against: capability) else { continue }
                throw StoreError(.unsupported, table: entity.table, explanation: reason)
            }
        }
    }
}

extension EntityBinding {
    /// What a store has to be able to do for the model, beyond what every store can.
    ///
    /// - Complexity: linear in the number of attributes.
    public var neededCapabilities: [StoreCapability] {
        var needed: [StoreCapability] = []
        if !description.references.isEmpty { needed.append(.references) }
        if description.indexes.contains(where: \.isUnique) { needed.append(.uniqueGroups) }
        if generatedColumn != nil { needed.append(.generatedKeys) }
        return needed
    }
}
