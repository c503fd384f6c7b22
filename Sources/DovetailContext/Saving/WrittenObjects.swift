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

    /// Adds what a batch has written; nothing for values.
    ///
    /// - Complexity: linear in the number of objects.
    /// - Throws: ``ModelEncodingError``; what was written cannot fail.
    mutating func add(_ batch: any ChangeBatch, of entity: EntityBinding) throws {
        guard let type = batch.model as? any PersistentModel.Type else { return }
        func append(_ new: [PersistentIdentifier], to all: inout [PersistentIdentifier]) {
            if all.isEmpty { all = new } else { all += new }
        }
        switch batch {
        case let batch as ObjectInsertions: append(batch.written, to: &inserted)
        case let batch as ObjectUpdates: append(batch.written, to: &updated)
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
