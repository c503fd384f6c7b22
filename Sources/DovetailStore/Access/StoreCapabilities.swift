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
    /// Exchanging the unique values of rows in one update or upsert: ``StoreWriting/park(_:of:)``.
    case uniqueSwaps
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
}
