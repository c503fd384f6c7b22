import DovetailModel
import DovetailStore

extension ObjectRegistry {
    /// How much was saved inside of the transaction that is open.
    var savedCount: Int { saved.count }

    /// Takes back what was saved after so many objects. Nothing waits.
    func undo(to count: Int) {
        let former = undoSaved(to: count, besides: nil)
        if moved.isEmpty { return }
        pointToStored(insteadOf: former, among: possibleHolders)
        forgetLists()
    }

    /// Takes back what was saved of objects, but for those that a log gives back.
    ///
    /// - Returns: Those that were new, also of the log, and have no row any more.
    func undoSaved(to count: Int, besides log: WaitingLog?) -> Set<ObjectIdentifier> {
        var former: Set<ObjectIdentifier> = []
        while saved.count > count {
            let last = saved.removeLast()
            if case .inserted(let object, _) = last { former.insert(ObjectIdentifier(object)) }
            if case .deleted(let object, _) = last { noteTakenBack(object) }
            if let object = last.object, log?.has(object) == true { continue }
            do {
                switch last {
                case .inserted(let object, let marked):
                    // Its pairs have no rows any more.
                    joins.remove(object)
                    release(object)
                    object.persistentBacking.batch = marked
                    object.persistentBacking.takeBackInsertion()
                case .changed(let object, let row):
                    let row = try whole(row, of: object)
                    object.persistentBacking.forgetNew()
                    try context.refresh(object, from: row)
                    // Others may have changed what was written over.
                    outdated.append(object)
                case .deleted(let object, let row):
                    guard let key = try key(of: object, row) else { continue }
                    register(object, key)
                    object.persistentBacking.batch = nil
                    object.persistentBacking.forgetNew()
                    try context.refresh(object, from: row)
                    outdated.append(object)
                case .rows(let rows): besides.add(rows)
                }
            } catch {
                problem = problem ?? error
            }
        }
        return former
    }

    /// The key that a row had of an object, which may have been inserted with another one since.
    private func key(of object: any PersistentModel, _ row: RowImage) throws -> RowKey? {
        let entity = try context.entity(of: type(of: object))
        guard entity.keyColumns.allSatisfy(row.isKnown),
            !entity.keyColumns.contains(where: row.isNull)
        else { return object.persistentBacking.key }
        return try RowKey(row: row, entity: entity)
    }

    /// Notes how what is saved is taken back.
    func keepSaved() {
        saved += staged
        saved += insertedObjects.map { object in
            let batch = object.persistentBacking.batch
            return .inserted(object, marked: batch?.marked == nil ? nil : batch)
        }
        for object in changedObjects {
            guard let base = object.persistentBacking.base else { continue }
            // What others have changed comes into its other attributes now.
            let row = plan[object] == nil ? base : (try? whole(base, of: object)) ?? base
            saved.append(.changed(object, row))
        }
        for object in deletedObjects {
            if let base = object.persistentBacking.base { saved.append(.deleted(object, base)) }
        }
        for (object, fate) in plan.fates.values where object.persistentBacking.state != .inserted {
            let base = try? base(of: object)
            switch fate {
            case .gone, .absorbed:
                let row = base ?? (try? context.row(of: object, isBase: true))
                if let row { saved.append(.deleted(object, row)) }
            default: break
            }
        }
        for leaving in plan.leaving.values
        where leaving.object.persistentBacking.state == .stored {
            let object = leaving.object
            let base = try? base(of: object)
            let row = base ?? leaving.stored ?? (try? context.row(of: object, isBase: true))
            guard let row else { continue }
            if leaving.isDropped {
                saved.append(.deleted(object, row))
            } else if base == nil {
                saved.append(.changed(object, row))
            }
        }
    }
}
