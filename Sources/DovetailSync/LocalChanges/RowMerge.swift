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

        /// The row that it becomes, if any.
        func row(mine: RowImage?, theirs: RowImage?) -> RowImage? {
            switch self {
            case .theirs: theirs
            case .mine: mine
            case .both(let row): row
            }
        }
    }

    /// The columns that both sides have changed, of several that are one value the first one; nil stands for a
    /// row that is in conflict as a whole: one side has deleted it, or its model refuses what both have made of it.
    typealias Conflicts = [Int?]

    private let entity: EntityBinding
    private let columns: ColumnSet
    private let rules: ConflictRules
    /// Columns of which both sides have all or none.
    private let holders: ColumnSet
    /// Columns of which no two rows have the same values: what both sides make of one is one value.
    private let groups: [ColumnSet]

    /// - Parameters:
    ///   - others: Columns that do not count, such as places in lists.
    ///   - holders: Columns that refer to the object which a row is inside of, one of several.
    init(
        _ entity: EntityBinding,
        _ rules: ConflictRules,
        besides others: ColumnSet = [],
        in holders: ColumnSet = []
    ) {
        self.entity = entity
        columns = entity.valueSet.subtracting(others)
        self.rules = rules
        self.holders = holders
        groups = entity.description.indexes.lazy.filter { $0.isUnique && $0.columns.count > 1 }
            .map { ColumnSet($0.columns) }
    }

    /// The same with all columns that say one thing together with some of them.
    private func together(_ columns: ColumnSet) -> ColumnSet {
        let all = entity.withChoices(columns)
        return all.meets(holders) ? all.union(holders) : all
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
            // Deleted here. One that was made here, too, is there because it was told, or because both sides have
            // made one: nobody knows.
            guard let base, !differ(theirs, base) else { return whole }
            return (.mine, [])
        case (let mine?, nil):
            guard let base else { return (.mine, []) }
            return differ(mine, base) ? whole : (.theirs, [])
        case (let mine?, let theirs?):
            return try merge(base, mine, theirs)
        }
    }

    /// Whether two rows differ in columns that count.
    func differ(_ row: RowImage, _ other: RowImage) -> Bool { !differences(row, other).isEmpty }

    /// The columns that count in which two rows differ: of several that are one value all or none.
    func differences(_ row: RowImage, _ other: RowImage) -> ColumnSet {
        together(row.columns(of: columns, differingFrom: other))
    }

    /// What becomes of a row that is in conflict as a whole.
    var whole: (outcome: Outcome, conflicts: Conflicts) {
        (rules[nil] == .listWins ? .theirs : .mine, [nil])
    }

    private func merge(
        _ base: RowImage?,
        _ mine: RowImage,
        _ theirs: RowImage
    ) throws -> (outcome: Outcome, conflicts: Conflicts) {
        let differing = differences(mine, theirs)
        func changed(_ row: RowImage) -> ColumnSet {
            guard let base else { return differing }
            return together(row.columns(of: differing, differingFrom: base))
        }
        var (here, there) = (changed(mine), changed(theirs))
        var contested: [ColumnSet] = []
        for group in groups where here.meets(group) && there.meets(group) {
            let both = differing.intersection(group)
            contested.append(both)
            (here, there) = (here.union(both), there.union(both))
        }
        let first = mine.columns(of: columns, differingFrom: theirs).first(where: holders.contains)
        let conflicts = here.filter { column in
            there.contains(column) && entity.leader(of: column) == column
                && (column == first || !holders.contains(column))
        }
        var lost = together(ColumnSet(conflicts.filter { rules[$0] == .listWins }))
        for group in contested where lost.meets(group) { lost = lost.union(group) }
        let kept = here.subtracting(lost)
        if kept.isEmpty { return (.theirs, conflicts) }
        if kept == differing { return (.mine, conflicts) }
        let both = RowImage(columns: entity.columnCount)
        try theirs.write(to: both)
        for column in kept { try mine.write(column, to: both, at: column) }
        return (.both(both), conflicts)
    }
}
