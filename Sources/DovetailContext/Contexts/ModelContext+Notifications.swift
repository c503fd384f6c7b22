import DovetailStore
public import Foundation

extension ModelContext {
    /// Posted before a context writes what waits, with the context as its object. What an observer
    /// inserts is part of the save.
    ///
    /// A ``save()`` without changes posts nothing. A ``transaction(_:)`` posts both notifications once,
    /// when the outermost one ends, and those of the saves in it are not posted. Observers run on the
    /// thread that saves; the notification is no place to keep the context.
    public static let willSave = Notification.Name("Dovetail.ModelContext.willSave")

    /// Posted after a context has stored what waited, with the context as its object, and with the
    /// identifiers of the objects that it has written. A save that fails does not post it.
    ///
    /// ```swift
    /// let token = NotificationCenter.default.addObserver(
    ///     forName: ModelContext.didSave, object: context, queue: nil
    /// ) { notification in
    ///     let key = ModelContext.NotificationKey.insertedIdentifiers.rawValue
    ///     let new = notification.userInfo?[key] as? [PersistentIdentifier] ?? []
    /// }
    /// ```
    public static let didSave = Notification.Name("Dovetail.ModelContext.didSave")

    /// Posted when a save of ``autosaveEnabled`` has failed, with the context as its object and the
    /// error under ``NotificationKey/error``.
    public static let didFailToAutosave = Notification.Name(
        "Dovetail.ModelContext.didFailToAutosave"
    )

    /// What a notification of a context may have in its `userInfo`: under the raw values, and under
    /// the keys themselves.
    ///
    /// ``didSave`` has the three lists of identifiers, `[PersistentIdentifier]`, in the order in which
    /// the rows were written; each object of a transaction is in one of them. Structs with `@Model` are
    /// in none.
    public enum NotificationKey: String, Hashable, Sendable {
        /// The error of a save: `any Error`.
        case error
        /// What was inserted.
        case insertedIdentifiers = "inserted"
        /// What was changed.
        case updatedIdentifiers = "updated"
        /// What was deleted.
        case deletedIdentifiers = "deleted"
        /// An empty list where the store has changed or deleted rows that nobody named, such as those
        /// of `delete(model:where:)` in a context without objects.
        case invalidatedAllIdentifiers = "invalidatedAll"
    }

    /// Posts that a save begins. What its observers save is part of it.
    func notifyWillSave() {
        duringFlush { NotificationCenter.default.post(name: Self.willSave, object: self) }
    }

    /// Posts what was stored. What its observers save is a save of its own.
    func notifySaved(isTransaction: Bool) {
        let info = written.userInfo(isTransaction: isTransaction)
        for batch in written.batches { batch.didCommit() }
        written = WrittenObjects()
        let commit = lastCommit
        NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: info)
        lastCommit = commit
    }
}
