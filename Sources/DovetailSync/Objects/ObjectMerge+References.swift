import DovetailContext
import DovetailModel
import DovetailStore

extension ObjectMerge {
    /// Lets references stay what they are here that the document sets to objects which do not come.
    func keepReferences(_ rows: [DocumentRow]) throws {
        if decisions.skipped.isEmpty { return }
        for row in rows where !decisions.skipped.contains(row.name) {
            guard let theirs = row.theirs else { continue }
            let entity = try table(row.name.table).entity
            for reference in entity.description.references {
                let attribute = entity.attributes[reference.column]
                let value = try QueryValue(theirs, reference.column, attribute)
                let target = RowName(reference.table, RowKey([value]))
                guard value != .null, decisions.skipped.contains(target) else { continue }
                guard row.mine != nil else {
                    // A new one comes without it, if it can.
                    if try entity.requires(reference.column, in: theirs) { refuse(target, []) }
                    bases.give(value, reference.column, of: row.name, nil)
                    continue
                }
                if decisions.kept[row.name]?.contains(reference.column) == true { continue }
                let columns = entity.withChoices([reference.column])
                decisions.kept[row.name] = (decisions.kept[row.name] ?? []).union(columns)
                try give(theirs, row.name, row.mine)
            }
        }
    }
}
