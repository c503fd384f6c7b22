import DovetailModel
import DovetailStore

/// The merge of three forms of one row, of which each may be missing.
struct RowMerge {
    /// What the row becomes.
    enum Outcome {
        /// What the list says.
        case theirs
        /// What it is here.
        case mine
        /// Some columns of each.
        case both(RowImage)
    }

    /// The columns that both sides have changed; nil stands for the row that one side has deleted.
    typealias Conflicts = [Int?]

    private let columns: ColumnSet
    private let rules: ConflictRules
    private let count: Int

    /// - Parameter others: Columns that do not count, such as places in lists.
    init(_ entity: EntityBinding, _ rules: ConflictRules, besides others: ColumnSet = []) {
        columns = entity.valueSet.subtracting(others)
        count = entity.attributes.count
        self.rules = rules
    }

    /// Merges one row.
    ///
    /// - Returns: what it becomes, and what is in conflict, whatever the rules make of that.
    func merge(
        base: RowImage?,
        mine: RowImage?,
        theirs: RowImage?
    ) throws -> (outcome: Outcome, conflicts: Conflicts) {
        switch (mine, theirs) {
        case (nil, nil): return (.theirs, [])
        case (nil, let theirs?):
            // Deleted here. A row that neither side had before is a new one there.
            guard let base else { return (.theirs, []) }
            return differ(theirs, base) ? whole : (.mine, [])
        case (let mine?, nil):
            guard let base else { return (.mine, []) }
            return differ(mine, base) ? whole : (.theirs, [])
        case (let mine?, let theirs?):
            return try merge(base, mine, theirs)
        }
    }

    /// Whether two rows differ in columns that count.
    func differ(_ row: RowImage, _ other: RowImage) -> Bool { !differences(row, other).isEmpty }

    /// The columns that count in which two rows differ.
    func differences(_ row: RowImage, _ other: RowImage) -> ColumnSet {
        row.columns(of: columns, differingFrom: other)
    }

    private var whole: (outcome: Outcome, conflicts: Conflicts) {
        (rules[nil] == .listWins ? .theirs : .mine, [nil])
    }

    private func merge(
        _ base: RowImage?,
        _ mine: RowImage,
        _ theirs: RowImage
    ) throws -> (outcome: Outcome, conflicts: Conflicts) {
        let differing = mine.columns(of: columns, differingFrom: theirs)
        let here = base.map { mine.columns(of: differing, differingFrom: $0) } ?? differing
        let there = base.map { theirs.columns(of: differing, differingFrom: $0) } ?? differing
        let conflicts = here.filter { there.contains($0) }
        let kept = here.subtracting(ColumnSet(conflicts.filter { rules[$0] == .listWins }))
        if kept.isEmpty { return (.theirs, conflicts) }
        if kept == differing { return (.mine, conflicts) }
        let both = RowImage(columns: count)
        try theirs.write(to: both)
        for column in kept { try mine.write(column, to: both, at: column) }
        return (.both(both), conflicts)
    }
}
