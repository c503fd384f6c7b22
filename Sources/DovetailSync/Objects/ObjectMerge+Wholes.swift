import DovetailContext
import DovetailModel
import DovetailStore

// Objects inside of others that documents have no name for are merged as a whole: where one side has changed what an
// object has in a list, that side's is there.

extension ObjectMerge {
    /// Decides what objects have inside of them that documents have no name for.
    ///
    /// - Throws: ``StoreError``, and ``ModelEncodingError`` for an attribute that has no form in a column.
    func decideWholes(_ wholes: [DocumentWhole], _ isNew: Set<RowName>) throws {
        for (place, whole) in wholes.enumerated()
        where !decisions.skipped.contains(whole.owner) {
            if isNew.contains(whole.owner) || revived.contains(whole.owner) {
                try take(whole, place)
            } else if whole.isSame {
                try settle(whole)
            } else if !whole.isChangedThere {
                continue
            } else if !whole.isChangedHere || rules[nil] == .listWins {
                try take(whole, place)
            } else if rules[nil] != .storeWins {
                refuse(whole.owner, [whole.name])
            }
        }
    }

    /// Lets the objects be those of the document.
    private func take(_ whole: DocumentWhole, _ place: Int) throws {
        decisions.wholes.insert(place)
        try settle(whole)
        removed += whole.leaving
        bases.delete(try whole.leaving.compactMap { try context.rowName(of: $0) })
    }

    /// Notes that the other side has the objects that are on both sides, and no others.
    private func settle(_ whole: DocumentWhole) throws {
        var rows: [RowName: [QueryValue]] = [:]
        for object in whole.staying {
            guard let name = try context.rowName(of: object) else { continue }
            rows[name] = try table(name.table).entity.values(of: context.image(of: object))
        }
        for name in whole.changed { bases.give(rows[name], name) }
    }
}
