import DovetailContext
public import DovetailStore

/// A row that was changed here and in a list, in the same attributes.
public struct RowConflict: Hashable, Sendable {
    /// The table of the row, which documents of objects may have several of.
    public let table: String
    /// The values of the key columns.
    public let key: [QueryValue]
    /// The names of the columns that both sides have changed to different values; empty where one side has
    /// deleted the row and the other one changed it.
    public let attributes: [String]
}

extension RowConflict {
    /// The conflicts with each row once, and all that was noted of it: an attribute may be in conflict for its value and
    /// for a row that must not have the same one. Of a row that is in conflict as a whole, no attribute is named.
    static func byRow(_ conflicts: [RowConflict]) -> [RowConflict] {
        var places: [RowName: Int] = [:]
        var rows: [RowConflict] = []
        for conflict in conflicts {
            let name = RowName(conflict.table, RowKey(conflict.key))
            guard let place = places[name] else {
                places[name] = rows.count
                rows.append(conflict)
                continue
            }
            let known = rows[place].attributes
            let isWhole = known.isEmpty || conflict.attributes.isEmpty
            let more = conflict.attributes.filter { !known.contains($0) }
            rows[place] = RowConflict(
                table: conflict.table,
                key: conflict.key,
                attributes: isWhole ? [] : known + more
            )
        }
        return rows
    }
}
