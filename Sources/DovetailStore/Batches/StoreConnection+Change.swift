import DovetailModel

/// What is stored in the place of a row that is about to change.
package enum StoredState {
    /// The row, which may be written.
    case row(RowImage)
    /// Nothing is there to delete, or to change.
    case gone
    /// Somebody else has changed it.
    case conflict(ChangeConflict)

    package var conflict: ChangeConflict? {
        if case .conflict(let conflict) = self { conflict } else { nil }
    }
}

extension StoreQuerying {
    /// Reads the row of an update or a deletion, and compares it with the base. An attribute that both sides
    /// have set is a conflict, also where they have set it to one value: two that raise a counter by one from
    /// the same number would raise it once. A reference, or a place in a list, that both have made the same
    /// is none. What was read from the row in another form than it would be written in now is what it was.
    ///
    /// - Complexity: that of a look into the index of the key.
    /// - Throws: ``StoreError``; `notFound` for an update without a base of a row that does not exist;
    ///   ``ModelDecodingError`` for a row that holds something else than its kinds say.
    package func stored(for change: RowChange, _ entity: EntityBinding) throws -> StoredState {
        guard let (stored, roundings) = try row(change.key, entity) else {
            if change.skipsMissing { return .gone }
            guard change.base != nil else {
                throw StoreError(
                    .notFound,
                    table: entity.table,
                    explanation: "there is no row with this key to update"
                )
            }
            return .conflict(try conflict(change, change.columns, nil, entity))
        }
        guard let base = change.base else { return .row(stored) }
        let changed = try change.columns.filter { column in
            let theirs = try value(column, stored, entity)
            func isTheirs(_ row: RowImage) throws -> Bool {
                let value = try value(column, row, entity)
                // An object that was saved still has the value that it had before.
                return theirs == roundings[column]?.stored(value) ?? value
            }
            if try isTheirs(base) { return false }
            let attribute = entity.attributes[column]
            if attribute.isDeclared,
                attribute.holdsSame(column, of: stored, as: base, entity.fields)
            {
                return false
            }
            guard let mine = change.mine, !attribute.isDeclared else { return true }
            return try !isTheirs(mine)
        }
        if changed.isEmpty { return .row(stored) }
        return .conflict(try conflict(change, ColumnSet(changed), stored, entity))
    }

    /// The row with a key, and how the store rounds its columns; nil without one.
    private func row(
        _ key: [QueryValue],
        _ entity: EntityBinding
    ) throws -> (row: RowImage, roundings: [ColumnRounding?])? {
        let cursor = try rows(of: Query(entity, filter: entity.filter(of: [key])))
        defer { cursor.close() }
        guard try cursor.next() else { return nil }
        return (
            RowImage(try entity.values(of: cursor)),
            entity.attributes.indices.map { cursor.rounding(of: $0) }
        )
    }

    private func value(
        _ column: Int,
        _ row: RowImage,
        _ entity: EntityBinding
    ) throws -> QueryValue {
        try QueryValue(row, column, entity.attributes[column])
    }

    private func conflict(
        _ change: RowChange,
        _ columns: ColumnSet,
        _ theirs: RowImage?,
        _ entity: EntityBinding
    ) throws -> ChangeConflict {
        let change = try change.whole()
        return ChangeConflict(
            table: entity.table,
            verb: change.verb,
            key: change.key,
            columns: columns,
            base: try change.base.map { try entity.values(of: $0) } ?? [],
            mine: try change.mine.map { try entity.values(of: $0) },
            theirs: try theirs.map { try entity.values(of: $0) }
        )
    }
}

extension RowImage {
    /// The row with the columns that an update sets. It is filled no further.
    func merged(_ change: RowChange) throws -> RowImage {
        if let mine = change.mine {
            for column in change.columns { try mine.write(column, to: self, at: column) }
        }
        return self
    }
}

extension StoreWriting where Self: StoreQuerying {
    /// Reads the row, compares it, and writes all of it.
    public func apply(_ change: RowChange, to entity: EntityBinding) throws -> ChangeConflict? {
        try applyByReading(change, to: entity)
    }

    /// The same, for stores that do it only where their statement has met no row.
    package func applyByReading(
        _ change: RowChange,
        to entity: EntityBinding
    ) throws -> ChangeConflict? {
        guard !change.isWhole else {
            let writer = try writer(change.verb, into: entity)
            try change.write(to: writer, entity)
            try writer.finishRow()
            try writer.finish()
            return nil
        }
        switch try stored(for: change, entity) {
        case .conflict(let conflict): return conflict
        case .gone: return nil
        case .row(let row):
            let writer = try writer(change.verb, into: entity)
            try row.merged(change).write(to: writer)
            try writer.finishRow()
            try writer.finish()
            return nil
        }
    }
}

extension StoreQuerying where Self: StoreWriting & StoreTransactions {
    /// Writes changes in one transaction, or in the one that is open.
    ///
    /// ```swift
    /// context.insert(User(id: 1, name: "Ann", age: 36))
    /// try other.store.withConnection { try $0.apply(context.changes, of: other.schema) }
    /// ```
    ///
    /// Rows that somebody else has changed are left as they are and come back in
    /// ``Commit/conflicts``; all others are written.
    ///
    /// - Complexity: linear in the number of rows.
    /// - Throws: ``StoreError``, with the key of the row that was refused, and
    ///   ``ModelEncodingError``. Nothing was written then.
    public func apply(_ changes: ChangeSet, of schema: Schema) throws -> Commit {
        author = changes.author
        let rules = MarkRules(schema)
        let suspects = rules.map(MarkedReferences.init)
        let connection = MarkingConnection.over(self, rules, suspects)
        var commit = try transaction(keeping: true) {
            var commit = Commit()
            for batch in changes.batches {
                try batch.apply(to: connection, of: schema.entity(batch.model), &commit)
            }
            commit.conflicts += try connection.settle()
            try suspects?.check(schema, on: self)
            return commit
        }
        commit.number = lastCommitNumber
        return commit
    }
}
