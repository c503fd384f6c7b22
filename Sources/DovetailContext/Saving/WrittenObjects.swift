import DovetailModel
import DovetailStore
import Foundation

/// The identifiers of the objects that were written since the last commit: what ``ModelContext/didSave``
/// tells.
struct WrittenObjects {
    private var inserted: [PersistentIdentifier] = []
    private var updated: [PersistentIdentifier] = []
    private var deleted: [PersistentIdentifier] = []
    /// Whether the store has changed rows that nobody named.
    private var isIncomplete = false
    /// What is told that it is stored: what writes no rows, so that a long transaction does not keep those
    /// that it has written.
    private(set) var batches: [any ChangeBatch] = []

    /// Adds what a batch has written; nothing for values. Batches that share a list come one after the
    /// other, and with the first of them comes what all of them have written.
    ///
    /// - Complexity: linear in the number of objects.
    /// - Throws: ``ModelEncodingError``; what was written cannot fail.
    mutating func add(_ batch: any ChangeBatch, of entity: EntityBinding) throws {
        if batch.count == 0 { return batches.append(batch) }
        guard let type = batch.model as? any PersistentModel.Type else { return }
        func append(_ new: [PersistentIdentifier], to all: inout [PersistentIdentifier]) {
            if all.isEmpty { all = new } else { all += new }
        }
        switch batch {
        case let batch as ObjectInsertions: append(batch.written.take(), to: &inserted)
        case let batch as ObjectUpdates: append(batch.written.take(), to: &updated)
        default:
            guard let verb = batch.verb else { return isIncomplete = true }
            let name = type.typeName
            let keys = try batch.changes(of: entity).map { PersistentIdentifier(name, $0.rowKey) }
            switch verb {
            case .insert: append(keys, to: &inserted)
            case .update, .upsert: append(keys, to: &updated)
            case .delete: append(keys, to: &deleted)
            }
        }
    }

    /// What a notification says. An object is in one of the lists, also where several saves of one
    /// transaction have written it.
    ///
    /// - Parameter isTransaction: Whether there may have been several saves.
    /// - Complexity: linear in the number of objects.
    func userInfo(isTransaction: Bool) -> [AnyHashable: Any] {
        var all = self
        if isTransaction { all.join() }
        var lists: [(ModelContext.NotificationKey, [PersistentIdentifier])] = [
            (.insertedIdentifiers, all.inserted),
            (.updatedIdentifiers, all.updated),
            (.deletedIdentifiers, all.deleted),
        ]
        if isIncomplete { lists.append((.invalidatedAllIdentifiers, [])) }
        var info: [AnyHashable: Any] = [:]
        for (key, identifiers) in lists {
            info[key] = identifiers
            info[key.rawValue] = identifiers
        }
        return info
    }

    /// Makes what several saves have written what it is together.
    private mutating func join() {
        let (new, gone) = (Set(inserted), Set(deleted))
        var seen: Set<PersistentIdentifier> = []
        inserted.removeAll { gone.contains($0) || !seen.insert($0).inserted }
        updated.removeAll {
            new.contains($0) || gone.contains($0) || !seen.insert($0).inserted
        }
        deleted.removeAll { new.contains($0) || !seen.insert($0).inserted }
    }
}

/// The identifiers of objects that several batches of one save have written. One list, with room for all
/// from the start: where each class had its own, to put them together was a twentieth of what inserting a
/// graph takes beside the store.
final class WrittenList {
    @exclusivity(unchecked) private(set) var identifiers: [PersistentIdentifier] = []

    private var reserved = 0

    /// Makes room for so many more, before there are any.
    func reserve(_ count: Int) {
        reserved += count
        identifiers.reserveCapacity(reserved)
    }

    func append(_ identifier: PersistentIdentifier) { identifiers.append(identifier) }

    /// Forgets those after the first ones.
    func remove(after count: Int) { identifiers.removeSubrange(count...) }

    /// Takes all of them out.
    func take() -> [PersistentIdentifier] {
        defer { identifiers = [] }
        return identifiers
    }
}
