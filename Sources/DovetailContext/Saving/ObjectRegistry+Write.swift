import DovetailModel
import DovetailStore

/// How objects are written.
enum ObjectWriting {
    /// For the first time, in a transaction of their own. Most saves are not refused, and to be able to
    /// undo a part of a transaction makes SQLite keep each page as it was: a refusal ends the transaction,
    /// and another one begins.
    case first
    /// In another transaction, after one that was refused.
    case again(after: ObjectRefusal)
    /// In a transaction that others write to, too.
    case amongOthers
    /// To be seen by a query, and undone.
    case unsaved
}

/// Why rows of objects were not written.
enum ObjectRefusal: Error {
    /// Others have changed a row.
    case conflict(ChangeConflict)
    /// Another row has a unique value.
    case uniqueValue(StoreError)
}

extension ObjectWriting {
    /// Whether what is written is saved.
    fileprivate var isSaved: Bool { if case .unsaved = self { false } else { true } }
}

extension ObjectRegistry {
    /// Writes what waits of objects. Where others have changed their rows, it is undone, the context's
    /// policy is asked, and everything is written again: the transaction that is open keeps others out.
    ///
    /// What was found out is in ``plan`` until ``didSave(_:inTransaction:)`` or ``undoPlan()``.
    ///
    /// - Throws: ``StoreError``, ``ConflictError`` and ``ModelEncodingError``; nothing of it was written
    ///   then. ``ObjectRefusal`` for the first time: the caller undoes the transaction and calls again.
    func write(
        to connection: any StoreConnection,
        _ writing: ObjectWriting,
        _ commit: inout Commit
    ) throws {
        do {
            try endUnchanged()
            if case .again(let refusal) = writing {
                // What was refused may be gone by now.
                _ = try resolve(refusal, on: connection, writing)
            }
            var isParked = false
            while let refusal = try attempt(to: connection, writing, isParked: isParked, &commit) {
                if case .first = writing { throw refusal }
                if try resolve(refusal, on: connection, writing) { continue }
                switch refusal {
                case .conflict(let conflict): throw context.error(of: conflict)
                case .uniqueValue(let error):
                    // What is read for a plan reads the rows of each batch.
                    if isParked || recorder != nil { throw error }
                    isParked = true
                }
            }
        } catch {
            undoPlan()
            throw error
        }
    }

    /// Decides about what was refused; false where there is nothing to decide.
    private func resolve(
        _ refusal: ObjectRefusal,
        on connection: any StoreConnection,
        _ writing: ObjectWriting
    ) throws -> Bool {
        // What is decided may give objects other keys.
        log?.noteAll(of: self)
        guard case .conflict = refusal else { return try resolveUniqueValues(on: connection) }
        let policy = writing.isSaved ? context.conflictPolicy : .contextWins
        return try resolveConflicts(on: connection, policy)
    }

    /// Writes everything once; gives why that is not possible, and then it is undone, but for the first
    /// time.
    ///
    /// - Parameter isParked: Whether all rows that change give up their unique values first.
    private func attempt(
        to connection: any StoreConnection,
        _ writing: ObjectWriting,
        isParked: Bool,
        _ commit: inout Commit
    ) throws -> ObjectRefusal? {
        let isFirst = if case .first = writing { true } else { false }
        if let conflict = try changedPart(on: connection) { return .conflict(conflict) }
        try settleOnes(on: connection)
        var batches = try batches(plan, isSaved: writing.isSaved, endsTransaction: isFirst)
        if batches.isEmpty { return nil }
        if writing.isSaved, let recorder { batches = recorder.reading(batches) }
        var written = Commit()
        func apply() throws {
            if isParked {
                try applyParked(batches, to: connection, &written)
            } else {
                for batch in batches {
                    try batch.apply(to: connection, of: context.entity(of: batch.model), &written)
                }
            }
            written.conflicts += try connection.settle()
            if let conflict = written.conflicts.first { throw ObjectRefusal.conflict(conflict) }
        }
        do {
            try isFirst ? apply() : connection.transaction(keeping: true, apply)
        } catch {
            if let others = try? connection.settle() { written.conflicts += others }
            // A row that was not written may have had a value that another one was to get.
            if let conflict = written.conflicts.first { return .conflict(conflict) }
            if let refusal = error as? ObjectRefusal { return refusal }
            guard let error = error as? StoreError, error.kind == .uniqueViolation else {
                throw error
            }
            return .uniqueValue(error)
        }
        commit.append(written)
        if writing.isSaved {
            try context.noteWritten(batches)
        }
        return nil
    }

    /// The classes of what waits.
    var waitingModels: [any Model.Type] {
        let all = [inserted, deleted, changedMaps.flatMap(\.changed)].joined().map { type(of: $0) }
        let types = Dictionary(all.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
        return Array(types.values) + purges.map(\.model) + joins.changed.map(\.join.table)
    }

    /// Forgets what a save has found out that has failed.
    func undoPlan() {
        staged = []
        if !plan.isEmpty { plan.undo() }
    }

    /// Gives the objects what a save has found out, which was stored.
    ///
    /// - Returns: The objects whose relationships may hold something else by now, with these: they are to be asked
    ///   again when nothing waits any more. And those for which another object stands now.
    func finishPlan(
        _ commit: Int
    ) -> (unsure: [(holder: any PersistentModel, index: Int)], absorbed: [any PersistentModel]) {
        guard !plan.isEmpty else { return ([], []) }
        let done = plan
        plan = SavePlan()
        var rows: [(any PersistentModel, RowImage)] = []
        do {
            // Before any of them changes, since they have the keys of each other.
            for (object, fate) in done.fates.values {
                switch fate {
                case .update, .insert, .adopt, .keep:
                    let entity = try context.entity(of: type(of: object))
                    rows.append((object, try row(of: object, entity, done)))
                case .delete, .gone, .absorbed: break
                }
            }
            for leaving in done.leaving.values
            where done[leaving.object] == nil && !leaving.isDropped {
                let entity = try context.entity(of: type(of: leaving.object))
                rows.append((leaving.object, try row(of: leaving.object, entity, done)))
            }
        } catch {
            problem = problem ?? error
        }
        let concerned = done.fates.values.map(\.object) + done.leaving.values.map(\.object)
        let holders = concerned.flatMap(self.holders)
        let absorbed = concerned.filter(done.isAbsorbed)
        // Any object may refer to one that had a row.
        let classes = Set(
            absorbed.lazy.filter { $0.persistentBacking.state != .inserted }
                .map { type(of: $0).rootIdentifier }
        )
        for (object, fate) in done.fates.values {
            let backing = object.persistentBacking
            switch fate {
            case .keep:
                if let key = backing.key { register(object, key) }
                backing.base = nil
            case .gone: end(object)
            case .absorbed:
                release(object)
                giveUpDeferred(of: object)
                backing.end()
            case .adopt:
                if backing.state == .inserted, let key = backing.key { register(object, key) }
                backing.base = nil
            case .update, .insert, .delete: break
            }
        }
        for leaving in done.leaving.values where leaving.isDropped {
            end(leaving.object)
        }
        for (object, old, map, _) in done.keys {
            if let old, old != object.persistentBacking.key {
                if map.objects[old] === object { map.objects.remove(old) }
                map.others[old] = object.persistentBacking.key
            }
        }
        let former = Set(absorbed.lazy.map { ObjectIdentifier($0) })
        pointToStored(insteadOf: former, among: possibleHolders)
        pointToStored(insteadOf: former, among: AnySequence(objects(leadingTo: classes)))
        for (object, row) in rows {
            do {
                log?.noteValues(of: object, in: context)
                try context.refresh(object, from: row)
                object.persistentBacking.commit = commit
            } catch {
                problem = problem ?? error
            }
        }
        let unsure = holders + concerned.flatMap(self.holders) + readBesideNew.values.joined()
        return (unsure, absorbed)
    }

    /// The objects of the context that have an object in relationships whose keys others hold, with these.
    private func holders(
        of object: any PersistentModel
    ) -> [(holder: any PersistentModel, index: Int)] {
        let backing = object.persistentBacking
        guard backing.context === context else { return [] }
        var all = ObjectGraph.holders(of: object)
        for (index, relationship) in backing.shape(of: object).relationships.enumerated() {
            guard let inverse = relationship.inverse else { continue }
            if let join = relationship.join {
                all += joins.links(join, of: object).map { (join.other($0), inverse) }
            } else if relationship.holdsKey {
                switch backing.slots[index] {
                case .one(let other): all.append((other, inverse))
                case .key(let key):
                    if let other = referred(relationship.target, key) {
                        all.append((other, inverse))
                    }
                case .nothing, .many, .unloaded, .stranger: break
                }
            }
        }
        return all
    }

    /// Makes relationships to some objects that have been the ones of their rows and are so no more, since
    /// they were absorbed or taken back, ones to their keys, which others may have now.
    ///
    /// - Complexity: linear in the number of `objects`.
    func pointToStored(
        insteadOf former: Set<ObjectIdentifier>,
        among objects: AnySequence<any PersistentModel>
    ) {
        if former.isEmpty { return }
        func stored(_ slot: RelationSlot) -> RelationSlot? {
            guard case .one(let other) = slot, former.contains(ObjectIdentifier(other)) else {
                return nil
            }
            return other.persistentBacking.key.map { .key($0) }
        }
        for object in objects where object.persistentBacking.context === context {
            let backing = object.persistentBacking
            for index in backing.slots.indices {
                if let slot = stored(backing.slots[index]) { ObjectGraph.put(slot, object, index) }
            }
            for index in backing.places.indices {
                if let slot = stored(backing.places[index].holder) {
                    backing.places[index].holder = slot
                }
            }
        }
    }

    /// The objects that may hold others which are the ones of no row: new ones, and those whose relationships have
    /// changed.
    var possibleHolders: AnySequence<any PersistentModel> {
        moved.isAny
            ? AnySequence(allObjects)
            : AnySequence([AnySequence(moved.objects), AnySequence(inserted)].joined())
    }

    /// The objects of all classes whose relationships to one lead to some others, or which may be in their lists.
    private func objects(
        leadingTo classes: Set<ObjectIdentifier>
    ) -> some Sequence<any PersistentModel> {
        let maps = classes.isEmpty ? [] : Array(maps.values)
        return maps.lazy.filter { [context] map in
            // To go over too many does no harm.
            guard let table = try? context.entity(of: map.shape.type) else { return true }
            return table.objectTypes.contains { type in
                ObjectShape.of(type).relationships.contains {
                    !$0.isToMany && classes.contains($0.target.rootIdentifier)
                }
                    || (try? context.entity(of: type))?.relationshipColumns.contains {
                        guard case .member(let owner as any PersistentModel.Type, _, _, _) = $0
                        else { return false }
                        return classes.contains(owner.rootIdentifier)
                    } != false
            }
        }
        .flatMap { $0.objects.values }
    }

    /// Makes objects ask again what the rows of some classes say about their relationships.
    ///
    /// - Parameter holders: Which objects may hold others of a class; nil for none.
    /// - Complexity: linear in the number of objects whose class has such a relationship; where it is known which
    ///   hold others, in the number of these.
    func unloadLists(of holders: (any PersistentModel.Type) -> TouchedRows.Holders?) {
        func lists(_ shape: ObjectShape) -> [(index: Int, holders: TouchedRows.Holders)] {
            shape.relationships.enumerated().compactMap { index, relationship in
                relationship.holdsKey ? nil : holders(relationship.target).map { (index, $0) }
            }
        }
        for (root, map) in maps {
            // Classes below another one may have more than that has.
            let isShared = (try? isShared(map)) ?? true
            let own = lists(map.shape)
            var known = [ObjectIdentifier(map.shape): own]
            func unload(_ object: any PersistentModel) {
                let backing = object.persistentBacking
                guard !backing.state.isDeleted, let shape = backing.knownShape else { return }
                let all = known[ObjectIdentifier(shape)] ?? lists(shape)
                known[ObjectIdentifier(shape)] = all
                for (index, holders) in all {
                    let isConcerned =
                        holders.isAny
                        || backing.key.flatMap { holders.keys[root]?.contains($0) } == true
                    if isConcerned { ObjectGraph.unload(object, index) }
                }
            }
            if isShared || own.contains(where: \.holders.isAny) {
                map.objects.values.forEach(unload)
            } else {
                let keys = own.reduce(into: Set()) { $0.formUnion($1.holders.keys[root] ?? []) }
                for key in keys { map.objects[key].map(unload) }
            }
        }
    }
}
