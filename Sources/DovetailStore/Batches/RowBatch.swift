public import DovetailModel

/// Rows that are written in one way, each with what it was before, where that counts.
public final class RowBatch: ChangeBatch {
    /// The model of the rows.
    public let model: any Model.Type
    /// What happens to each row.
    public let verb: WriteVerb?
    private let all: [RowChange]

    /// Makes a batch of changes of one verb.
    public init(_ model: any Model.Type, _ verb: WriteVerb, _ changes: [RowChange]) {
        self.model = model
        self.verb = verb
        all = changes
    }

    /// How many rows there are.
    public var count: Int? { all.count }

    /// The changes that it was made of.
    public func changes(of entity: EntityBinding) -> [RowChange] { all }

    /// The rows as they shall be; of deletions the keys.
    public func rows(of entity: EntityBinding) throws -> [RowImage] {
        try all.map { change in
            if let mine = change.mine { return mine }
            let row = RowImage(columns: entity.columnCount)
            try change.write(to: row, entity)
            return row
        }
    }

    /// Writes the rows. One that somebody else has changed is left as it is, and reported.
    public func apply(
        to connection: any StoreConnection,
        of entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        guard verb == .update || verb == .upsert else {
            return try write(all, to: connection, entity, &commit)
        }
        var changes = all
        var conflicts: [ChangeConflict] = []
        let comparesBases = !all.allSatisfy(\.isWhole)
        try writeSwapping(on: connection, entity, &commit, comparesBases: comparesBases) {
            // Compared before rows give up a value, and then written as a whole: of a unique group
            // also the columns that do not change are given up.
            (changes, conflicts) = try connection.wholeRows(for: all, entity)
            return changes.map(\.key)
        } _: { commit in
            try write(changes, to: connection, entity, &commit)
        }
        commit.conflicts += conflicts
    }

    private func write(
        _ changes: [RowChange],
        to connection: any StoreConnection,
        _ entity: EntityBinding,
        _ commit: inout Commit
    ) throws {
        var writer: (any RowWriter)?
        for (position, change) in changes.enumerated() {
            do {
                guard change.isWhole else {
                    // What was held back comes before it.
                    try writer?.finish()
                    let conflict = try connection.change(change, at: position, of: entity) {
                        changes[$0]
                    }
                    if let conflict { commit.conflicts.append(conflict) }
                    continue
                }
                let rows = try writer ?? connection.writer(change.verb, into: entity)
                writer = rows
                try change.write(to: rows, entity)
                try rows.finishRow()
                if change.verb.adds, let key = rows.lastKey { commit.add(key, of: entity) }
            } catch let error as StoreError {
                guard let row = change.mine else { throw error.naming(change.key) }
                throw connection.naming(row, in: error, of: entity)
            }
        }
        try writer?.finish()
    }
}

extension StoreQuerying {
    /// Changes as those of whole rows, each compared with its base, and the conflicts of the others.
    ///
    /// - Throws: ``StoreError`` and ``ModelDecodingError``.
    package func wholeRows(
        for changes: [RowChange],
        _ entity: EntityBinding
    ) throws -> (changes: [RowChange], conflicts: [ChangeConflict]) {
        var conflicts: [ChangeConflict] = []
        let whole: [RowChange] = try changes.compactMap { change in
            if change.isWhole { return change }
            switch try stored(for: change, entity) {
            case .gone: return nil
            case .row(let row): return try RowChange(.update, row.merged(change), of: entity)
            case .conflict(let conflict):
                conflicts.append(conflict)
                return nil
            }
        }
        return (whole, conflicts)
    }
}
