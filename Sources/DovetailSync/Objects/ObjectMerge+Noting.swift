import DovetailContext
import DovetailModel
import DovetailStore

// What is noted of a row that is merged: what the other side has, and what is in conflict.

extension ObjectMerge {
    /// Notes what the other side has of a row.
    func give(_ theirs: RowImage?, _ name: RowName, _ mine: RowImage? = nil) throws {
        let entity = try table(name.table).entity
        var places: ColumnSet = []
        if let mine, let base = known[name]?.values {
            let theirs = try theirs.map(entity.values)
            let moved = entity.placeColumns.filter { place in
                theirs.map { $0[place.holder] != base[place.holder] } ?? false
            }
            // The place of one that both sides have put into a list says nothing of an order that was changed here.
            for column in entity.orderColumns
            where base[column] != .null && !moved.contains(where: { $0.order == column }) {
                let now = try QueryValue(mine, column, entity.attributes[column])
                if now != base[column] { places.insert(column) }
            }
        }
        bases.give(try theirs.map(entity.values), name, keeping: places)
    }

    func refuse(_ name: RowName, _ attributes: [String]) {
        refused.append(
            RowConflict(table: name.table, key: name.key.values, attributes: attributes)
        )
    }

    /// Notes what is in conflict.
    func note(_ found: RowMerge.Conflicts, _ row: DocumentRow) throws {
        if found.isEmpty { return }
        let table = try table(row.name.table)
        if found.contains(where: { table.rules[$0] == .error }) {
            refuse(row.name, found.compactMap { $0.map(table.entity.comparedName) })
        }
        for column in found where table.rules[column] == .keep {
            let conflict = try KeptConflict(
                key: row.name.key,
                column,
                base: base(row.name) ?? (known[row.name] == nil ? row.mine : nil),
                remote: row.theirs,
                of: table.entity
            )
            tables[row.name.table]?.conflicts.add(conflict)
        }
    }

    /// Notes what is still another value there, and can stay in conflict.
    func note(_ row: DocumentRow) throws {
        if row.isNew { return }
        let entity = try table(row.name.table).entity
        let isHere =
            row.mine != nil && (row.theirs != nil || decisions.staying.contains(row.name))
            || revived.contains(row.name)
        var open: Set<String?> = []
        if isHere != (row.theirs != nil) {
            open = [nil]
        } else {
            for column in decisions.kept[row.name] ?? [] {
                open.insert(entity.comparedName(of: column))
            }
            open.formUnion(self.open[row.name] ?? [])
        }
        tables[row.name.table]?.conflicts.note(row.name.key.values, open: open)
    }
}
