/// What `synchronize(with:in:)` has done with counterparts.
///
/// ```swift
/// let result = try messages.synchronize(with: stored, in: context)
/// print(result)                       // 2 added, 1 updated, 1 removed, 997 unchanged
/// for removal in result.removals where removal.reason == .notBuilt { … }
/// ```
public struct SynchronizeResult<Counterpart> {
    /// Why a counterpart was removed.
    public enum Reason: Hashable, Sendable {
        /// No value was given that it stands for.
        case notGiven
        /// It stands for no value: ``Migratable/build(from:)`` has given nil.
        case notBuilt
        /// Another counterpart stands for the same value.
        case repeated
        /// It was to be removed.
        case asked
    }

    /// A counterpart that was removed, and why.
    public struct Removal {
        /// The counterpart.
        public let counterpart: Counterpart
        /// Why it was removed.
        public let reason: Reason

        /// Makes a removal, for tests.
        public init(_ counterpart: Counterpart, _ reason: Reason) {
            self.counterpart = counterpart
            self.reason = reason
        }
    }

    /// The counterparts of values that had none, in the order in which these were given.
    public let added: [Counterpart]
    /// The counterparts of values that have changed, in the order in which they were given to
    /// synchronize with. An update that deletes and exports has given another one.
    public let updated: [Counterpart]
    /// What was removed, in the same order.
    public let removals: [Removal]
    /// The counterparts of values that are as they were, in the same order.
    public let unchanged: [Counterpart]

    /// What was removed.
    public var removed: [Counterpart] { removals.map(\.counterpart) }

    /// Whether nothing had to be done.
    public var isEmpty: Bool { added.isEmpty && updated.isEmpty && removals.isEmpty }

    /// Makes a result, for tests.
    public init(
        added: [Counterpart] = [],
        updated: [Counterpart] = [],
        removals: [Removal] = [],
        unchanged: [Counterpart] = []
    ) {
        self.added = added
        self.updated = updated
        self.removals = removals
        self.unchanged = unchanged
    }
}

extension SynchronizeResult: Sendable where Counterpart: Sendable {}
extension SynchronizeResult.Removal: Sendable where Counterpart: Sendable {}

extension SynchronizeResult: CustomStringConvertible {
    /// The four numbers in one line.
    public var description: String {
        "\(added.count) added, \(updated.count) updated, \(removals.count) removed, "
            + "\(unchanged.count) unchanged"
    }
}
