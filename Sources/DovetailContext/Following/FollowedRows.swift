import DovetailStore

/// One row as a commit has left it.
///
/// Invariant of the unchecked `Sendable`: the image is filled before this is made, and never changes.
struct FollowedRow: @unchecked Sendable {
    let image: RowImage
}

/// What has happened to rows of a result.
struct FollowedRows: Sendable {
    /// What a row was and is; nil where it was or is not in the result.
    struct Change: Sendable {
        let key: RowKey
        let old: FollowedRow?
        let new: FollowedRow?
        /// Its place in the order in which changes are told.
        fileprivate let place: Int
    }

    private var states: [RowKey: Change] = [:]
    private var last = 0
    /// Whether it is the whole result, which is told even if it is empty.
    let isFirst: Bool

    init(isFirst: Bool = false) {
        self.isFirst = isFirst
    }

    var isEmpty: Bool { states.isEmpty && !isFirst }

    /// The changes in the order in which their rows were added first.
    var changes: [Change] { states.values.sorted { $0.place < $1.place } }

    /// Adds what has happened to a row, after all that was added before.
    mutating func add(_ key: RowKey, _ old: FollowedRow?, _ new: FollowedRow?) {
        last += 1
        guard let known = states[key] else {
            states[key] = Change(key: key, old: old, new: new, place: last)
            return
        }
        states[key] =
            known.old == nil && new == nil
            ? nil : Change(key: key, old: known.old, new: new, place: known.place)
    }

    /// Adds what has happened after it.
    mutating func add(_ later: FollowedRows) {
        for change in later.changes { add(change.key, change.old, change.new) }
    }
}
