import DovetailContext
import DovetailModel
import DovetailStore

/// What becomes of rows that want one unique value, of which one was changed here and the list has the other one.
struct Rivals {
    /// The rows of the list that are not stored, because one that was changed here keeps their value.
    var left: Set<RowKey> = []
    /// The columns in which rows that were changed here get what the other side has.
    var yielded: [RowKey: ColumnSet] = [:]

    /// How many decisions they are.
    fileprivate var count: Int { left.count + yielded.values.reduce(0) { $0 + Array($1).count } }
}

/// The three forms of a row that may have a unique value which the list gives to another one.
private struct RivalForms {
    let base: RowImage?
    let mine: RowImage
    var theirs: RowImage?
    /// Whether the list says something of the row.
    var isSpoken: Bool
}

extension LocalMerge {
    /// Decides about rows that want one unique value, before a list is merged.
    ///
    /// What a row yields may be what another one has got here, and so may what a row keeps that is left as it is. So it is
    /// looked again as long as something was decided.
    ///
    /// - Parameter gone: The keys that the list says were deleted; nil for those that it does not have.
    /// - Complexity: nothing for an entity without unique values; otherwise the rows are read that were changed here, and
    ///   where they have got a unique value, the list is gone over once for each group of columns, and again for each
    ///   round in which rows want one value.
    /// - Throws: ``StoreError``, ``ModelEncodingError``, and ``SynchronizeError`` for two values of one key.
    func settleRivals(
        _ listed: ListedValues<Value>,
        _ scope: SynchronizeScope<Value>,
        gone: [RowKey]?
    ) throws {
        rivals = Rivals()
        let groups = entity.description.indexes.filter(\.isUnique).map(\.columns)
        guard isMerge, !groups.isEmpty, let known = bases?.known, !known.isEmpty else { return }
        var rows: [RowKey: RivalForms] = [:]
        for (key, mine) in try stored(Array(known.keys)).rows {
            let base = known[key]?.values.map { RowImage($0) }
            rows[key] = RivalForms(base: base, mine: mine, theirs: nil, isSpoken: false)
        }
        if rows.isEmpty { return }
        try ask(listed, for: Array(rows.keys), &rows)
        let absent = rows.keys.filter { rows[$0]?.theirs == nil }
        for key in try gone ?? deletedThere(absent, scope) { rows[key]?.isSpoken = true }
        var count: Int?
        while count != rivals?.count, refused.isEmpty {
            count = rivals?.count
            for group in groups { try settle(group, rows, listed, isDelta: gone != nil) }
            let left = (rivals?.left ?? []).filter { rows[$0] == nil }
            for (key, mine) in try stored(Array(left)).rows {
                rows[key] = RivalForms(base: mine, mine: mine, theirs: nil, isSpoken: true)
            }
            try ask(listed, for: Array(left), &rows)
        }
    }

    /// Takes what a list has of some rows.
    private func ask(
        _ listed: ListedValues<Value>,
        for keys: [RowKey],
        _ rows: inout [RowKey: RivalForms]
    ) throws {
        if keys.isEmpty { return }
        for value in try listed.with(keys.map(\.values), entity.keyColumns) {
            let theirs = try RowImage(of: value, attributes: entity.attributes)
            let key = RowKey(try entity.key(of: theirs))
            rows[key]?.theirs = theirs
            rows[key]?.isSpoken = true
        }
    }

    /// What a row becomes, as far as is decided.
    private func result(_ key: RowKey, _ forms: RivalForms) throws -> RowImage? {
        if rivals?.left.contains(key) == true { return forms.mine }
        guard forms.isSpoken else {
            return try yielding(key, forms.mine, to: forms.base)
        }
        return try outcome(key, forms.base, forms.mine, forms.theirs).outcome
            .row(mine: forms.mine, theirs: forms.theirs)
    }

    /// What a row of the list becomes; nil where it is not stored.
    private func result(
        _ key: RowKey,
        listed theirs: RowImage,
        _ rows: [RowKey: RivalForms]
    ) throws -> RowImage? {
        if let forms = rows[key] { return try result(key, forms) }
        guard let base = bases?.known[key] else { return theirs }
        let (stored, broken) = try stored([key])
        if broken.contains(key) { return theirs }
        return try outcome(key, base.values.map { RowImage($0) }, stored[key], theirs).outcome
            .row(mine: stored[key], theirs: theirs)
    }

    /// Decides about rows that want one value of a group of columns.
    private func settle(
        _ group: [Int],
        _ rows: [RowKey: RivalForms],
        _ listed: ListedValues<Value>,
        isDelta: Bool
    ) throws {
        var holders: [RowKey: RowKey] = [:]
        for (key, forms) in rows {
            guard let row = try result(key, forms) else { continue }
            let values = try entity.values(of: row, in: group)
            // What the other side has, too, is none of the changes made here.
            let other = forms.isSpoken ? forms.theirs : forms.base
            if values.contains(.null)
                || other.map({ !row.differs(from: $0, in: group, of: entity) }) == true
            {
                continue
            }
            holders[RowKey(values)] = key
        }
        if holders.isEmpty { return }
        for value in try listed.with(holders.keys.map(\.values), group) {
            let theirs = try RowImage(of: value, attributes: entity.attributes)
            let identifier = try entity.key(of: theirs)
            let key = identifier.contains(.null) ? nil : RowKey(identifier)
            guard let holder = holders[RowKey(try entity.values(of: theirs, in: group))],
                holder != key,
                let forms = rows[holder], key.map({ rivals?.left.contains($0) == true }) != true
            else { continue }
            if let key {
                guard let row = try result(key, listed: theirs, rows),
                    !row.differs(from: theirs, in: group, of: entity)
                else { continue }
            }
            try decide(group, holder, forms, over: isDelta ? nil : key)
        }
    }

    /// Decides between a row that was changed here and one of the list.
    ///
    /// - Parameter listed: The key of the row of the list; nil for one that cannot be left out, because no list has it
    ///   again, or nobody knows it by its key.
    private func decide(
        _ group: [Int],
        _ holder: RowKey,
        _ forms: RivalForms,
        over listed: RowKey?
    ) throws {
        let policies = group.map { rules[entity.leader(of: $0)] }
        func isOne(_ policy: ListConflictPolicy) -> Bool { policies.contains(policy) }
        let stays = isOne(.storeWins) || isOne(.keep)
        if !isOne(.error), !stays {
            let before = rivals?.yielded[holder] ?? []
            rivals?.yielded[holder] = before.union(entity.withChoices(ColumnSet(group)))
        } else if !isOne(.error), let listed {
            rivals?.left.insert(listed)
            if isOne(.keep) {
                let isHere = forms.theirs == nil
                try keep(
                    holder,
                    isHere ? nil : entity.leader(of: group[0]),
                    forms.base,
                    forms.theirs
                )
            }
        } else {
            refuse(holder, group)
        }
    }

    // MARK: What yields

    /// A row with what the other side has in the columns that it yields; nil where that has no such row.
    private func yielding(
        _ key: RowKey,
        _ row: RowImage,
        to other: RowImage?
    ) throws -> RowImage? {
        guard let columns = rivals?.yielded[key] else { return row }
        guard let other else { return nil }
        let both = RowImage(columns: entity.columnCount)
        try row.write(to: both)
        for column in columns { try other.write(column, to: both, at: column) }
        return both
    }

    /// What becomes of a row of which the list speaks, and which may yield columns.
    ///
    /// - Throws: ``StoreError``.
    func yielded(
        _ key: RowKey,
        _ outcome: RowMerge.Outcome,
        _ mine: RowImage?,
        _ theirs: RowImage?
    ) throws -> RowMerge.Outcome {
        guard rivals?.yielded[key] != nil, let row = outcome.row(mine: mine, theirs: nil) else {
            return outcome
        }
        // What the model refuses is none of its values.
        guard let theirs, let less = try yielding(key, row, to: theirs),
            !less.columns(of: entity.valueSet, differingFrom: theirs).isEmpty,
            (try? entity.value(of: less) as Value) != nil
        else { return .theirs }
        return .both(less)
    }

    /// Lets rows yield of which the list does not speak: one that was inserted here goes.
    ///
    /// - Parameters:
    ///   - keys: Known rows that the list does not have.
    ///   - spoken: Those of which it says something nevertheless.
    /// - Throws: ``StoreError``, and ``ModelDecodingError``.
    func yieldBeside(
        _ keys: [RowKey],
        besides spoken: Set<RowKey>,
        _ merged: inout Merged
    ) throws {
        guard let bases, let yielded = rivals?.yielded, !yielded.isEmpty else { return }
        let keys = keys.filter { yielded[$0] != nil && !spoken.contains($0) }
        let rows = try stored(keys).rows
        for key in keys {
            guard let mine = rows[key] else { continue }
            merged.kept.remove(key)
            merged.digests[key] = RowDigest(mine, of: entity).value
            let base = bases.known[key]?.values.map { RowImage($0) }
            if let base, let row = try yielding(key, mine, to: base) {
                let value: Value = try (try? entity.value(of: row)) ?? entity.value(of: base)
                merged.values.append(value)
                merged.beside.append(key)
            } else {
                merged.deleted.append(key)
                bases.give(nil, key)
            }
        }
    }
}

extension RowImage {
    fileprivate func differs(
        from other: RowImage,
        in columns: [Int],
        of entity: EntityBinding
    ) -> Bool {
        !self.columns(of: ColumnSet(columns), differingFrom: other).isEmpty
    }
}
