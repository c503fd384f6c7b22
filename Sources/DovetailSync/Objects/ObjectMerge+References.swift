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

    /// Lets a row that the document has by itself be inside of nothing there, where it was inside of what the document
    /// does not have any more.
    ///
    /// - Parameter gone: What that is.
    func leave(_ gone: Set<RowName>, _ row: DocumentRow) throws {
        guard row.isGiven, let theirs = row.theirs, !gone.isEmpty else { return }
        let entity = try table(row.name.table).entity
        let holders = try context.holders(of: entity)
        for reference in entity.description.references where holders.contains(reference.column) {
            let (column, attribute) = (
                reference.column, entity.attributes[reference.column]
            )
            let key = try QueryValue(theirs, column, attribute)
            let here = try row.mine.map { try QueryValue($0, column, attribute) } ?? .null
            guard key != .null, gone.contains(RowName(reference.table, RowKey([key]))),
                here == key || here == .null
            else { continue }
            theirs.setNull(column)
        }
    }

    /// Notes in which columns a row refers to nothing any more, because it has left a list there.
    func noteCleared(_ row: DocumentRow) throws {
        guard let mine = row.mine, let theirs = row.theirs else { return }
        let table = try table(row.name.table)
        let left = table.rows.differences(mine, theirs).filter {
            table.entity.attributes[$0].reference != nil && theirs.isNull($0) && !mine.isNull($0)
                && !table.entity.hasOtherChoice($0, in: theirs)
                && decisions.kept[row.name]?.contains($0) != true
        }
        decisions.cleared[row.name] = left.isEmpty ? nil : ColumnSet(left)
    }
}
