import DovetailContext
import DovetailModel
import DovetailStore

extension LocalMerge {
    /// Decides about rows that the list does not have, and into which others were put here: these would go with them, by
    /// a rule of their own model.
    ///
    /// - Parameters:
    ///   - staying: The rows that stay what they are here, or get attributes of both sides.
    ///   - places: The places of known rows in the list.
    /// - Complexity: linear in the number of values where rows were put into such, with a look into the index of the key
    ///   for each one around them.
    /// - Throws: ``StoreError``, and ``ModelEncodingError``.
    func keepOwners(
        of staying: [RowKey: (mine: RowImage, theirs: RowImage?)],
        _ places: [RowKey: [Int]],
        _ values: [Value],
        _ scope: SynchronizeScope<Value>,
        _ merged: inout Merged
    ) throws {
        let columns = entity.description.references
            .filter { $0.table == entity.table && $0.deleteRule == .cascade }.map(\.column)
        if columns.isEmpty { return }
        var rows = staying
        let inserted = merged.kept.filter { rows[$0] == nil }
        for (key, row) in try stored(Array(inserted)).rows { rows[key] = (row, nil) }
        if rows.isEmpty { return }
        var listed: Set<RowKey> = []
        try KeySink.forEachKey(of: values, entity) { _, key in
            if let key { listed.insert(key) }
        }
        var waiting = rows.keys.sorted { $0.order(relativeTo: $1) > 0 }
        while let key = waiting.popLast() {
            for column in columns {
                guard let row = rows[key] else { continue }
                let owner = RowKey([try QueryValue(row.mine, column, entity.attributes[column])])
                guard owner != key, !listed.contains(owner), !merged.kept.contains(owner),
                    let stored = try stored([owner]).rows[owner],
                    let value = try? entity.value(of: stored) as Value,
                    try scope.places(outside: [value], entity).isEmpty
                else { continue }
                if try stays(owner, stored) {
                    merged.kept.insert(owner)
                    rows[owner] = (stored, nil)
                    waiting.append(owner)
                } else if let theirs = row.theirs {
                    // It leaves the one that goes.
                    let both = RowImage(try entity.values(of: row.mine))
                    try theirs.write(column, to: both, at: column)
                    let value: Value = try entity.value(of: both)
                    for place in places[key] ?? [] { merged.values[place] = value }
                    merged.skipped.subtract(places[key] ?? [])
                    merged.kept.remove(key)
                    rows[key] = (both, theirs)
                }
            }
        }
    }
}
