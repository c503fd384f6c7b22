import DovetailModel
import DovetailStore

/// The keys of rows that a context has deleted, for objects that refer to them by keys that were never looked for: the
/// database has made the references nil with the rows, and what such an object was when it changes is without them.
///
/// To go over all objects that a context holds after each deletion would be linear in these; instead an object asks
/// when it changes first. They are gone over when a key comes back, and when there are more keys than objects.
struct RemovedKeys {
    /// By table.
    private var keys: [String: Set<RowKey>] = [:]
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func contains(_ table: String, _ key: RowKey) -> Bool { keys[table]?.contains(key) ?? false }

    mutating func insert(_ table: String, _ key: RowKey) {
        if keys[table, default: []].insert(key).inserted { count += 1 }
    }

    mutating func remove(_ table: String, _ key: RowKey) {
        if keys[table]?.remove(key) != nil { count -= 1 }
    }
}

extension ObjectRegistry {
    /// Notes that rows are gone for good: those of a class with marks are not.
    func noteRemoved(_ deleted: [any PersistentModel]) {
        for object in deleted {
            let backing = object.persistentBacking
            guard let key = backing.key, backing.batch?.marked == nil, let table = table(of: object)
            else { continue }
            removed.insert(table, key)
        }
        if removed.count > 64, removed.count > maps.values.reduce(0, { $0 + $1.objects.count }) {
            forgetRemoved()
        }
    }

    private func table(of object: any PersistentModel) -> String? {
        (try? context.entity(of: type(of: object)))?.table
    }

    /// Notes that the deletion of an object is taken back: what refers to its row does so again.
    func noteTakenBack(_ object: any PersistentModel) {
        guard !removed.isEmpty, let key = object.persistentBacking.key,
            let table = table(of: object)
        else { return }
        removed.remove(table, key)
    }

    /// Notes that the key of a new object has a row again.
    func noteBack(_ object: any PersistentModel) {
        guard !removed.isEmpty, let key = object.persistentBacking.key,
            let table = table(of: object)
        else { return }
        noteBack(table, key)
    }

    /// Notes that a key has a row again.
    func noteBack(_ table: String, _ key: RowKey) {
        if removed.contains(table, key) { forgetRemoved() }
    }

    /// Takes all references to rows that are gone out of the objects that hold their keys.
    private func forgetRemoved() {
        for object in Array(allObjects) { forgetRemoved(by: object) }
        removed = RemovedKeys()
    }

    /// Takes references to rows that are gone out of an object that holds their keys.
    func forgetRemoved(by object: any PersistentModel) {
        if removed.isEmpty { return }
        let backing = object.persistentBacking
        guard let entity = try? context.entity(of: type(of: object)) else { return }
        func isRemoved(_ slot: RelationSlot, _ column: Int) -> Bool {
            guard case .key(let key) = slot else { return false }
            return entity.description.references.contains {
                $0.column == column && $0.deleteRule == .nullify && removed.contains($0.table, key)
            }
        }
        for relationship in entity.relationshipColumns {
            switch relationship {
            case .key(let index, let column):
                if isRemoved(backing.slots[index], column) { backing.slots[index] = .nothing }
            case .member(let owner, let index, let column?, _):
                let owner = ObjectIdentifier(owner)
                for place in backing.places.indices
                where backing.places[place].owner == owner && backing.places[place].index == index {
                    if isRemoved(backing.places[place].holder, column) {
                        backing.places[place].holder = .nothing
                    }
                }
            case .member: break
            }
        }
    }
}
