public import DovetailModel
import DovetailStore

/// What a list, or a document of objects, does with rows that were changed here since the last one.
///
/// ```swift
/// try context.synchronize(users, localChanges: .merge(conflicts: .keep).conflicts(in: \.name, .listWins))
/// try context.synchronize([Album].self, from: data, as: .json, localChanges: .merge(conflicts: .storeWins))
/// ```
///
/// Merging compares three forms of a row: what it was when it was synchronized last, what it is here, and what
/// the list has. An attribute that was changed on one side only has the value of that side; one that was
/// changed on both to different values is a conflict, and so is a row that one side has deleted and the other
/// one changed. A row that was inserted here stays until a list has it. A unique value that both sides gave to
/// different rows is a conflict of the row here: it yields where the list wins, and otherwise the row of the list
/// is left out until the value is free.
///
/// The store has to know what was changed: one in memory does, and SQLite with a history
/// (`configuration.history`), which then keeps the first form of a changed row until the next list. Each list
/// looks at all rows that were changed here and that the other side does not have yet, also one of a small scope.
public struct LocalChangePolicy<Value: Model & Identifiable>: Sendable {
    /// Whether what was changed here counts.
    let isMerge: Bool
    private let conflicts: ListConflictPolicy
    private var exceptions:
        [(columns: @Sendable (QueryTranslator) throws -> [Int], ListConflictPolicy)] = []

    /// What was changed here is replaced, and what was inserted here deleted: the rows of the scope are what the
    /// list says.
    public static var replace: LocalChangePolicy {
        LocalChangePolicy(isMerge: false, conflicts: .listWins)
    }

    /// What was changed on one side is kept, attribute by attribute.
    ///
    /// - Parameter conflicts: What happens where both sides have changed the same attribute.
    public static func merge(conflicts: ListConflictPolicy = .error) -> LocalChangePolicy {
        LocalChangePolicy(isMerge: true, conflicts: conflicts)
    }

    private init(isMerge: Bool, conflicts: ListConflictPolicy) {
        self.isMerge = isMerge
        self.conflicts = conflicts
    }

    /// The same with another rule for one attribute, or one relationship to one object.
    ///
    /// - Throws: nothing here; `synchronize` throws ``QueryError`` for what is no stored attribute.
    public func conflicts<Member>(
        in attribute: any KeyPath<Value, Member> & Sendable,
        _ policy: ListConflictPolicy
    ) -> LocalChangePolicy {
        var other = self
        other.exceptions.append(({ try $0.columns(of: attribute) }, policy))
        return other
    }

    /// The rule of each column.
    ///
    /// - Throws: ``QueryError``.
    func rules(_ translator: QueryTranslator) throws -> ConflictRules {
        var columns: [Int: ListConflictPolicy] = [:]
        for (all, policy) in exceptions {
            for column in try all(translator) {
                columns[translator.entity.leader(of: column)] = policy
            }
        }
        return ConflictRules(row: conflicts, columns: columns)
    }
}

/// What happens where an attribute was changed here and in a list.
public enum ListConflictPolicy: Hashable, Sendable {
    /// The list is refused with a ``SynchronizeError`` that has all conflicts; of a list that is merged in parts,
    /// those of the first part that has any.
    case error
    /// What is stored here stays.
    case storeWins
    /// What the list has is written.
    case listWins
    /// What is stored here stays, and the conflict is kept as a `MergeConflict`, to be resolved later. The
    /// container has to be made with that model.
    case keep
}

/// What happens with conflicts of each kind.
struct ConflictRules {
    /// Of whole rows, and of columns without a rule of their own.
    let row: ListConflictPolicy
    /// By the column, or by that which stands for others that are one value with it.
    let columns: [Int: ListConflictPolicy]

    /// - Parameter column: The column; nil for a row that one side has deleted.
    subscript(column: Int?) -> ListConflictPolicy { column.flatMap { columns[$0] } ?? row }

    var keeps: Bool { row == .keep || columns.values.contains(.keep) }
}
