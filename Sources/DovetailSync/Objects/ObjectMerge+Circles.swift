import DovetailContext
import DovetailModel
import DovetailStore

extension ObjectMerge {
    /// Sees that no object gets inside of itself: both sides may have moved one, each into the other's. What
    /// the document has moved there is in conflict then.
    ///
    /// - Complexity: linear in the depth of each object that was moved here and stays where it is.
    /// - Throws: what a fetch throws, and ``ModelEncodingError`` for what cannot be kept as a conflict.
    func breakCircles(_ rows: [DocumentRow]) throws {
        let moved = try rows.filter { row in
            guard let kept = decisions.kept[row.name], row.mine != nil, row.theirs != nil else {
                return false
            }
            return try kept.meets(holders(of: row.name.table))
        }
        if moved.isEmpty { return }
        let all = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for row in moved {
            while let circle = try circle(around: row, all) {
                if try !decide(circle.compactMap { all[$0] }) { break }
            }
        }
    }

    /// The columns in which rows of a table refer to the one that they are inside of, also where they have to.
    private func holders(of name: String) throws -> ColumnSet {
        ColumnSet(try context.ownedColumns(of: table(name).entity).map(\.column))
    }

    /// The rows around one, up to itself; nil where it is inside of others.
    private func circle(
        around row: DocumentRow,
        _ all: [RowName: DocumentRow]
    ) throws -> [RowName]? {
        var path = [row.name]
        var seen: Set<RowName> = [row.name]
        while let last = path.last, let owner = try owner(of: last, all[last]) {
            if owner == row.name { return path }
            // Another circle, which is found from its own rows.
            guard seen.insert(owner).inserted else { return nil }
            path.append(owner)
        }
        return nil
    }

    /// What a row will be inside of.
    private func owner(of name: RowName, _ row: DocumentRow?) throws -> RowName? {
        let entity = try table(name.table).entity
        let stored = try row == nil ? context.object(name.key, in: entity) : nil
        let mine = try row?.mine ?? stored.map { try context.image(of: $0) }
        for (column, owner) in try context.ownedColumns(of: entity) {
            let isKept = decisions.kept[name]?.contains(column) == true
            guard let image = isKept ? mine : row?.theirs ?? mine else { continue }
            let key = try QueryValue(image, column, entity.attributes[column])
            if key != .null { return RowName(owner, RowKey([key])) }
        }
        return nil
    }

    /// Decides what becomes of a circle.
    ///
    /// - Returns: whether anything was decided.
    private func decide(_ circle: [DocumentRow]) throws -> Bool {
        var isDecided = false
        for row in circle {
            guard let mine = row.mine, let theirs = row.theirs else { continue }
            let table = try table(row.name.table)
            let holders = try holders(of: row.name.table)
            let kept = decisions.kept[row.name] ?? []
            let moved = table.rows.differences(mine, theirs)
                .filter { holders.contains($0) && !kept.contains($0) }
            guard let column = moved.first else { continue }
            isDecided = true
            try note([column], row)
            if table.rules[column] == .listWins {
                if try !takeMoves(of: circle) {
                    // The rest of it is of objects of which the document says nothing.
                    refuse(row.name, [table.entity.comparedName(of: column)])
                    return false
                }
                return true
            }
            decisions.kept[row.name] = kept.union(table.entity.withChoices(ColumnSet(moved)))
            try noteCleared(row)
            try give(theirs, row.name, mine)
        }
        return isDecided
    }

    /// Lets rows be inside of what the document has them in.
    ///
    /// - Returns: whether one of them was to stay where it is here.
    private func takeMoves(of circle: [DocumentRow]) throws -> Bool {
        var isChanged = false
        for row in circle {
            guard let kept = decisions.kept[row.name] else { continue }
            let columns = try table(row.name.table).entity
                .withChoices(holders(of: row.name.table))
            if !kept.meets(columns) { continue }
            isChanged = true
            decisions.kept[row.name] = kept.subtracting(columns)
            try noteCleared(row)
        }
        return isChanged
    }
}
