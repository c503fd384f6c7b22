import DovetailContext
import DovetailModel
import DovetailStore

// What becomes of the rows that both sides have, or one of them has no more.

extension ObjectMerge {
    /// The rows that were deleted here, and are another object in the document by now, or have others inside.
    func changedThere(
        _ rows: [DocumentRow],
        _ wholes: [DocumentWhole]
    ) throws -> Set<RowName> {
        var changed = Set(wholes.lazy.filter(\.isChangedThere).map(\.owner))
        for row in rows.reversed() where row.isGiven {
            guard let theirs = row.theirs else { continue }
            let merge = try table(row.name.table).rows
            if row.isNew {
                changed.insert(row.name)
            } else if row.mine == nil, base(row.name).map({ merge.differ(theirs, $0) }) ?? true {
                // Of one that was made here, too, nobody knows what it was.
                changed.insert(row.name)
            }
            guard let owner = row.owner else { continue }
            if row.mine == nil {
                if changed.contains(row.name) { changed.insert(owner) }
            } else if let old = base(row.name) ?? row.mine,
                try refers(theirs, to: owner, row.name.table),
                try !refers(old, to: owner, row.name.table)
            {
                // It was moved there.
                changed.insert(owner)
            }
        }
        return changed
    }

    private func refers(_ row: RowImage, to name: RowName, _ table: String) throws -> Bool {
        let entity = try self.table(table).entity
        return try entity.description.references.contains { reference in
            guard reference.table == name.table else { return false }
            let attribute = entity.attributes[reference.column]
            return RowKey([try QueryValue(row, reference.column, attribute)]) == name.key
        }
    }

    /// Merges a row that was deleted here: it stays so, unless the document has another one.
    func mergeDeleted(_ row: DocumentRow, isChanged: Bool) throws {
        let name = row.name
        guard row.isGiven, let theirs = row.theirs else {
            // It is gone there, too, or has only left a list.
            if row.theirs == nil { ended.insert(name) }
            return try give(row.theirs, name)
        }
        try give(theirs, name)
        if let owner = row.owner, revived.contains(owner) {
            revived.insert(name)
            return
        }
        if isChanged || row.owner.map(disputed.contains) == true {
            disputed.insert(name)
            try note([nil], row)
            let isOwned = row.owner.map(decisions.skipped.contains) ?? false
            if rules[nil] == .listWins, !isOwned {
                revived.insert(name)
                return
            }
        }
        decisions.skipped.insert(name)
    }

    /// Merges a row that is there.
    func merge(_ row: DocumentRow, _ document: RowsOfDocument) throws {
        guard let mine = row.mine else { return }
        let table = try table(row.name.table)
        let old = known[row.name]
        let base = old == nil ? mine : old?.values.map { RowImage($0) }
        let (outcome, conflicts) = try table.rows.merge(
            base: base,
            mine: mine,
            theirs: row.theirs
        )
        guard let theirs = row.theirs else {
            return try mergeGone(row, outcome, conflicts, base: base, document)
        }
        try note(conflicts, row)
        switch outcome {
        case .theirs: break
        case .mine: decisions.kept[row.name] = table.rows.differences(mine, theirs)
        case .both(let both): decisions.kept[row.name] = table.rows.differences(both, theirs)
        }
        try noteCleared(row)
        if old != nil { try give(theirs, row.name, mine) }
    }

    /// Merges a row that the document does not have, with what is inside of it.
    private func mergeGone(
        _ row: DocumentRow,
        _ outcome: RowMerge.Outcome,
        _ conflicts: RowMerge.Conflicts,
        base: RowImage?,
        _ document: RowsOfDocument
    ) throws {
        guard let object = row.object else { return }
        var conflicts = conflicts
        let all = try document.owned(by: object, upTo: coming)
        // Those that the document has go where it says, unless they were put here.
        let moved = try all.filter { name, _ in
            guard coming.contains(name), let kept = decisions.kept[name] else { return false }
            return kept.meets(try document.ownedColumns(of: name.table))
        }
        let owned = all.filter { !coming.contains($0.name) }
        let inside = Set(owned.lazy.map(\.name) + [row.name])
        // What was put into it here is still inside of others there.
        let elsewhere = Set(
            try owned.map(\.name).filter { name in
                guard let values = known[name]?.values else { return false }
                let owners = try context.owners(of: values, in: table(name.table).entity)
                return !owners.isEmpty && inside.isDisjoint(with: owners)
            }
        )
        if conflicts.isEmpty, base != nil {
            let isChanged = try owned.contains { name, object in
                guard let old = known[name] else { return false }
                guard let base = old.values.map({ RowImage($0) }) else { return true }
                return try table(name.table).rows.differ(context.image(of: object), base)
            }
            if isChanged || !moved.isEmpty { conflicts = [nil] }
        }
        try note(conflicts, row)
        let stays =
            if conflicts.isEmpty, case .theirs = outcome { false } else {
                conflicts.isEmpty || rules[nil] != .listWins
            }
        if stays {
            decisions.staying.insert(row.name)
            bases.give(nil, row.name)
            orphans[row.name] = object
            // What was inside of it is not there any more either.
            if base != nil {
                for (name, object) in owned where !elsewhere.contains(name) {
                    bases.give(nil, name)
                    orphans[name] = object
                }
            }
        } else {
            removed.append(object)
            let names = owned.map(\.name)
            bases.delete([row.name] + names.filter { !elsewhere.contains($0) })
            released.formUnion(elsewhere)
            for name in elsewhere { bases.give(known[name]?.values, name) }
            for (name, _) in moved {
                let columns = try document.ownedColumns(of: name.table)
                let all = try table(name.table).entity.withChoices(columns)
                decisions.kept[name] = decisions.kept[name]?.subtracting(all)
            }
        }
    }
}
