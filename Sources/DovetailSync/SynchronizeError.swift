/// Why a list could not be synchronized. Nothing was changed.
///
/// ```swift
/// let twice = [User(id: 1, name: "Ann"), User(id: 1, name: "Eve")]
/// _ = try context.synchronize(twice)
/// // User: the elements at 0 and 1 have the same key and are not equal
/// ```
public struct SynchronizeError: Error, Hashable, Sendable {
    /// What is wrong with elements of a list.
    public enum Reason: Hashable, Sendable {
        /// Two have one key and are not equal, so that the store could not hold both.
        case differing
        /// They are outside of the scope that the list is one of.
        case outsideScope
        /// More rows than the limit allows would be deleted; ``SynchronizeError/plan`` says which.
        case tooManyDeletions
        /// They are in a list of changes that says that they were deleted.
        case alsoDeleted
        /// The list is one of the changes since another token than the one that is stored.
        case otherToken
        /// They refer to rows that are not there, in an attribute that cannot be nil.
        case unknownReference
        /// They are missing, or not those that a plan was made of, or it is a plan of another table.
        case notOfPlan
        /// Rows were changed here, too; ``SynchronizeError/conflicts`` says which.
        case conflict
        /// They refer to rows that the list deletes, or that are deleted with these (`deleteRule: .cascade`),
        /// and would be deleted, too, or lose the reference (`.nullify`). Without positions for a list that was
        /// merged in parts.
        case deletedReference
        /// The list was asked for inside of another run of the same model, by the task that does that: it would
        /// wait for itself.
        case ownRun
    }

    /// What is wrong.
    public let reason: Reason
    /// The model's name in the store; the type of values that have counterparts.
    public let table: String
    /// The positions in the list of the elements, two of those that differ. They count from 0.
    public let positions: [Int]
    /// What would have been done, where it was refused for that.
    public let plan: SynchronizePlan?
    /// The rows that were changed here and in the list, where it was refused for that.
    public let conflicts: [RowConflict]

    /// Makes an error, for tests and for code that synchronizes in a way of its own.
    public init(table: String, positions: [Int], reason: Reason = .differing) {
        self.reason = reason
        self.table = table
        self.positions = positions
        plan = nil
        conflicts = []
    }

    /// Makes the error about rows that both sides have changed.
    init(table: String, conflicts: [RowConflict]) {
        reason = .conflict
        self.table = table
        positions = []
        plan = nil
        self.conflicts = RowConflict.byRow(conflicts)
    }

    /// Makes the error about a plan that deletes more than it may.
    init(beyondLimit plan: SynchronizePlan) {
        reason = .tooManyDeletions
        table = plan.table
        positions = []
        self.plan = plan
        conflicts = []
    }
}

extension SynchronizeError: CustomStringConvertible {
    /// The table and the positions in one line.
    public var description: String {
        let few = positions.prefix(3).map(String.init)
        let list =
            positions.count > few.count
            ? "\(few.joined(separator: ", ")) and \(positions.count - few.count) more"
            : few.joined(separator: " and ")
        return switch reason {
        case .differing: "\(table): the elements at \(list) have the same key and are not equal"
        case .outsideScope: "\(table): the elements at \(list) are not in the scope of the list"
        case .alsoDeleted: "\(table): the elements at \(list) are among the deleted ones, too"
        case .otherToken:
            "\(table): the changes are not those since the token that is stored; ask for these"
        case .unknownReference:
            "\(table): the elements at \(list) refer to rows that are not there, and have to refer to some"
        case .deletedReference where positions.isEmpty:
            "\(table): elements refer to rows that the list deletes, by itself or by a delete rule"
        case .deletedReference:
            "\(table): the elements at \(list) refer to rows that the list deletes, by itself or by a "
                + "delete rule"
        case .tooManyDeletions:
            "\(plan?.summary ?? table): more deletions than the limit allows"
        case .notOfPlan where positions.isEmpty:
            "\(table): elements that the plan writes are missing, or it is a plan of another table"
        case .conflict: "\(table): \(conflictList)"
        case .notOfPlan: "\(table): the elements at \(list) are not those of the plan"
        case .ownRun:
            "\(table): synchronized inside of a run of the same model, which would wait for itself; do so before or "
                + "after it"
        }
    }

    /// How many rows are in conflict, and in which attributes.
    private var conflictList: String {
        let names = Set(conflicts.flatMap(\.attributes)).sorted()
        let rows = conflicts.count == 1 ? "a row was" : "\(conflicts.count) rows were"
        let what = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
        return "\(rows) changed here and in the list\(what)"
    }
}
