import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// Takes over what other contexts have committed since the last call.
    ///
    /// - Throws: what the store throws, and ``ModelDecodingError`` for a row that is no object of its
    ///   class. The next call tries again then.
    func takeCommits() throws {
        notices.begin()
        defer { notices.end() }
        try rereadSettled()
        try takeChanges()
        try endUnchanged()
    }

    /// Notes that a transaction has ended. What others have committed beside it was taken over as it was at its start:
    /// it is taken over again.
    ///
    /// - Parameter number: The last commit before it began.
    func forgetSeen(after number: Int) { seen = min(seen, number) }

    /// Reads what others have written since, and what was set back here.
    private func takeChanges() throws {
        let log = context.container.commits
        guard log.count != seen || !outdated.isEmpty || !besides.isEmpty else { return }
        var (rows, number) = log.changes(after: seen, besidesThoseOf: context)
        rows?.add(besides)
        if rows?.isEmpty != true || !outdated.isEmpty {
            let known = Dictionary(grouping: outdated) { type(of: $0).rootIdentifier }
            for (identifier, map) in maps {
                let objects = touched(rows, identifier, map) + (known[identifier] ?? [])
                for object in objects where object.persistentBacking.state == .deleted {
                    noteUnsettled(object)
                    // Its row may be there again, which a rollback asks.
                    lost[ObjectIdentifier(object)] = nil
                }
                let stored = objects.filter { $0.persistentBacking.state == .stored }
                // What was changed here is compared with what is stored.
                try reread(stored.filter { !$0.persistentBacking.isChanged }, deferring: true)
                try reread(stored.filter(\.persistentBacking.isChanged), deferring: false)
            }
            let isTouched = { (model: any PersistentModel.Type) in
                rows?.contains(model) ?? true || known[model.rootIdentifier] != nil
            }
            unloadLists { model in
                guard let rows, known[model.rootIdentifier] == nil else { return .any }
                return rows.moved[model.rootIdentifier]
            }
            try deleteNewcomers(of: isTouched)
        }
        seen = number
        outdated = []
        besides = TouchedRows()
    }

    /// Notes that this context writes rows beside its objects: these are read again when they are used next,
    /// and once more where the transaction throws that is open.
    ///
    /// - Parameter gone: The objects whose rows go, each with its row.
    func takeRows(_ rows: TouchedRows, gone: [(object: any PersistentModel, row: RowImage)]) {
        besides.add(rows)
        guard context.given != nil else { return }
        staged.append(.rows(rows))
        staged += gone.map { .deleted($0.object, $0.row) }
    }

    /// Notes which objects were set back, in columns that others have changed, to what they were: these
    /// are to be what is stored.
    ///
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    private func rereadSettled() throws {
        for (identifier, found) in unsettled where !found.columns.isEmpty {
            let backing = found.object.persistentBacking
            guard backing.isWaitingToChange, backing.context === context else { continue }
            let entity = try context.entity(of: type(of: found.object))
            let mine = try changedColumns(of: found.object, entity)
            if found.columns.subtracting(mine).isEmpty { continue }
            unsettled[identifier] = nil
            outdated.append(found.object)
        }
    }

    /// Notes that others have changed or deleted the row of an object that waits.
    ///
    /// - Parameter columns: What both have changed.
    func noteUnsettled(_ object: any PersistentModel, _ columns: ColumnSet = []) {
        let known = unsettled[ObjectIdentifier(object)]?.columns ?? []
        unsettled[ObjectIdentifier(object)] = Unsettled(
            object: object,
            columns: known.union(columns)
        )
    }

    /// The objects of a class whose rows were written; all of them where nobody knows.
    private func touched(
        _ rows: TouchedRows?,
        _ identifier: ObjectIdentifier,
        _ map: ObjectMap
    ) -> [any PersistentModel] {
        guard let rows, !rows.all.contains(identifier) else { return Array(map.objects.values) }
        return rows.keys[identifier]?.compactMap { map.objects[$0] } ?? []
    }

    /// How many rows one query asks for.
    private static let mostRows = 1000

    /// Reads the rows of objects of one class again.
    private func reread(
        _ objects: [any PersistentModel],
        deferring isDeferring: Bool
    ) throws {
        guard let first = objects.first else { return }
        let entity = try context.entity(of: type(of: first).modelRoot)
        let commit = context.container.commits.count
        var start = 0
        while start < objects.count {
            let part = objects[start..<min(start + Self.mostRows, objects.count)]
            start = part.endIndex
            var waiting: [RowKey: any PersistentModel] = [:]
            for object in part {
                if let key = object.persistentBacking.key { waiting[key] = object }
            }
            var query = Query(entity, filter: entity.filter(of: waiting.keys.map(\.values)))
            if isDeferring { query.deferLargeValues() }
            try context.withReadConnection { connection in
                let cursor = try connection.rows(of: query)
                defer { cursor.close() }
                while try cursor.next() {
                    let key = try RowKey(row: cursor, entity: entity)
                    guard let object = waiting.removeValue(forKey: key) else { continue }
                    // Others may have inserted it again.
                    lost[ObjectIdentifier(object)] = nil
                    try merge(object, from: cursor, entity)
                    object.persistentBacking.commit = commit
                }
            }
            try waiting.values.forEach(lose)
        }
    }

    /// Gives an object what is stored, but for what was changed here.
    private func merge(
        _ object: any PersistentModel,
        from row: any RowSource,
        _ entity: EntityBinding
    ) throws {
        let backing = object.persistentBacking
        guard backing.isChanged, let base = backing.base else {
            return try context.refresh(object, from: row)
        }
        let stored = RowImage(try entity.values(of: row))
        let mine = try context.row(of: object)
        let lost = try lostReferences(of: object, base, entity)
        let different = base.columns(of: base.knownColumns, differingFrom: mine)
        let changed = entity.withChoices(different.subtracting(lost))
        // What it was given here and others have deleted is for the save to refuse.
        let given = backing.requiredOfGone().filter { given in
            entity.relationshipColumns.contains {
                if case .key(given.index, let column) = $0 {
                    changed.contains(column)
                } else {
                    false
                }
            }
        }
        try context.refresh(object, from: stored.taking(changed, from: mine, of: entity))
        for (index, slot) in given { backing.slots[index] = slot }
        // What was changed here is compared with what it was when it was changed.
        backing.base = try context.row(of: object, isBase: true)
            .taking(changed, from: base, of: entity)
        let both = ColumnSet(changed.lazy.filter { !entity.isSame($0, base, stored) })
        if !both.isEmpty { noteUnsettled(object, both) }
        markStale(object)
    }

    /// Notes that others have deleted the row of an object.
    private func lose(_ object: any PersistentModel) throws {
        if try object.persistentBacking.isChanged && !isUnchanged(object) {
            noteUnsettled(object)
            lost[ObjectIdentifier(object)] = object
            // The rows of its join tables are gone, too.
            ObjectGraph.unloadLists(of: object)
        } else {
            endLost(object)
        }
    }

    /// Lets the objects go whose rows others have deleted, and which are again what they were: nothing of
    /// them is written, so nobody would notice.
    ///
    /// - Throws: ``ModelEncodingError`` for an attribute that has no form in a column.
    func endUnchanged() throws {
        var classes: Set<ObjectIdentifier> = []
        for object in lost.values where object.persistentBacking.isWaitingToChange {
            guard try isUnchanged(object) else { continue }
            endLost(object)
            classes.insert(type(of: object).rootIdentifier)
        }
        if !classes.isEmpty { unloadLists { classes.contains($0.rootIdentifier) ? .any : nil } }
    }

    /// Whether an object is what it was when it was changed for the first time, but for its places in
    /// lists.
    private func isUnchanged(_ object: any PersistentModel) throws -> Bool {
        let entity = try context.entity(of: type(of: object))
        let columns = try changedColumns(of: object, entity)
        if columns.isEmpty { return true }
        let lost = try object.persistentBacking.base.map {
            try lostReferences(of: object, $0, entity)
        }
        return columns.subtracting(entity.orderColumns).subtracting(lost ?? []).isEmpty
    }

    /// The columns that refer to nothing any more because others have deleted what they referred to: that is
    /// no change of the object.
    private func lostReferences(
        of object: any PersistentModel,
        _ base: RowImage,
        _ entity: EntityBinding
    ) throws -> ColumnSet {
        var lost = ColumnSet()
        for (column, slot) in object.persistentBacking.references(entity) {
            guard case .one(let other) = slot, other.persistentBacking.state == .gone,
                let key = other.persistentBacking.key, !base.isNull(column)
            else { continue }
            if RowKey([try QueryValue(base, column, entity.attributes[column])]) == key {
                lost.insert(column)
            }
        }
        return lost
    }

    /// Whether others have deleted the row of an object. The store is asked where they have written it since this
    /// context has looked.
    func isRowGone(of object: any PersistentModel) -> Bool {
        let identifier = ObjectIdentifier(object)
        if lost[identifier] != nil { return true }
        let log = context.container.commits
        guard let key = object.persistentBacking.key else { return false }
        // What is to be read again may have been deleted by another process, which has no commit here.
        if unsettled[identifier] == nil, outdated.isEmpty {
            guard log.count != seen else { return false }
            let root = type(of: object).rootIdentifier
            let (rows, _) = log.changes(after: seen, besidesThoseOf: context)
            let isTouched = rows.map {
                $0.all.contains(root) || $0.keys[root]?.contains(key) == true
            }
            guard isTouched ?? true else { return false }
        }
        do {
            let entity = try context.entity(of: type(of: object))
            let query = Query(entity, filter: entity.filter(of: [key.values]))
            return try context.withReadConnection { try $0.count(of: query) } == 0
        } catch {
            problem = problem ?? error
            return false
        }
    }

    /// Reads an object again that was to be deleted, and is kept, where others have written its row meanwhile.
    func rereadKept(_ object: any PersistentModel) {
        let backing = object.persistentBacking
        guard backing.state == .stored, !backing.isWaitingToChange,
            unsettled.removeValue(forKey: ObjectIdentifier(object)) != nil
        else { return }
        outdated.append(object)
    }

    /// Lets an object go whose row others have deleted, and which was changed here.
    func giveUpRow(of object: any PersistentModel) {
        let identifier = ObjectIdentifier(object)
        guard lost[identifier] != nil, object.persistentBacking.state == .stored else { return }
        (unsettled[identifier], lost[identifier]) = (nil, nil)
        endLost(object)
    }

    /// Lets an object go whose row is gone.
    func endLost(_ object: any PersistentModel) {
        markStale(object)
        joins.remove(object)
        end(object)
        showHidden(behind: object)
    }
}
