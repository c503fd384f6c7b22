import DovetailContext
import DovetailModel
import DovetailStore

// Two lists that lead back to each other are a set of pairs, which the rows of a join table are. A pair that one
// side has added is there, one that a side has removed is gone, and nothing of it can be in conflict.

extension ObjectMerge {
    /// Decides which pairs stay what they are here, and notes what the other side has.
    ///
    /// - Complexity: linear in the size of the document, in what its lists hold, and in the number of pairs that
    ///   were changed here.
    /// - Throws: ``StoreError``.
    func decidePairs(_ document: RowsOfDocument) throws {
        if bases.joins.isEmpty { return }
        let pairs = try document.pairs()
        for pair in pairs where !pair.ends.contains(where: unknown.contains) {
            if pair.ends.contains(where: { orphans[$0] != nil }) {
                // It is gone there with an object that stays here.
                if pair.mine != nil { decisions.pairs.insert(pair.name) }
                bases.give(nil, pair.name)
            } else {
                decide(pair)
            }
        }
        let said = Set(pairs.lazy.map(\.name))
        for object in orphans.values {
            for name in try document.pairs(of: object) where !said.contains(name) {
                bases.give(nil, name)
            }
        }
        for entity in bases.joins {
            for key in (known.rows[entity.table] ?? [:]).keys {
                let name = RowName(entity.table, key)
                // With an object that the other side does not have any more.
                let isGone = entity.ends(of: key).contains {
                    ended.contains($0) || orphans[$0] != nil
                }
                if isGone, !said.contains(name) { bases.give(nil, name) }
            }
        }
    }

    private func decide(_ pair: DocumentPair) {
        let old = known[pair.name]
        let isHere = pair.mine != nil
        if isMerge, pair.isGiven != isHere {
            let wasThere = old.map { $0.values != nil } ?? isHere
            // What comes back with an object was removed with that.
            let isRevived = pair.ends.contains(where: revived.contains)
            let isAbsent = pair.ends.contains(where: decisions.skipped.contains)
            if pair.isGiven == wasThere && !isRevived || isAbsent {
                decisions.pairs.insert(pair.name)
            }
        } else if old == nil, pair.isGiven == isHere {
            return
        }
        guard pair.isGiven else { return bases.give(nil, pair.name) }
        var places = ColumnSet()
        let entity = bases.joins.first { $0.table == pair.name.table }
        let columns = entity?.orderColumns ?? []
        if isMerge, let base = old?.values, let mine = pair.mine {
            places = ColumnSet(columns.filter { base[$0] != .null && base[$0] != mine[$0] })
        }
        let nothing = pair.name.key.values + columns.map { _ in QueryValue.null }
        bases.give(
            old?.values ?? pair.mine ?? nothing,
            pair.name,
            keeping: places,
            isNew: !isHere && !decisions.pairs.contains(pair.name)
        )
    }

    /// Those of some objects that the list which the document fills does not have because it has lost them there, and
    /// not because they were put into it here.
    ///
    /// - Throws: ``StoreError``.
    func listed(_ others: [Object], _ document: RowsOfDocument) throws -> [Object] {
        try others.filter { object in
            guard let name = try context.rowName(of: object) else { return true }
            let wasListed =
                if let pair = try document.pairOfList(object) {
                    known[pair].map { $0.values != nil } ?? true
                } else {
                    try known[name]?.values.map { try document.wasInList(object, $0) } ?? true
                }
            if !wasListed { unlisted.insert(name) }
            return wasListed
        }
    }
}
