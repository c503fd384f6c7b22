public import Foundation

extension ModelContext {
    /// Posted before a context writes what waits, with the context as its object. What an observer
    /// inserts is part of the save.
    ///
    /// ```swift
    /// let token = NotificationCenter.default.addObserver(
    ///     forName: ModelContext.didSave, object: context, queue: nil
    /// ) { _ in print("saved") }
    /// ```
    ///
    /// A ``save()`` without changes posts nothing. A ``transaction(_:)`` posts both notifications once,
    /// when the outermost one ends, and those of the saves in it are not posted. Observers run on the
    /// thread that saves; the notification is no place to keep the context.
    public static let willSave = Notification.Name("Dovetail.ModelContext.willSave")

    /// Posted after a context has stored what waited, with the context as its object. A save that fails
    /// does not post it.
    public static let didSave = Notification.Name("Dovetail.ModelContext.didSave")

    /// Posted when a save of ``autosaveEnabled`` has failed, with the context as its object and the
    /// error under ``NotificationKey/error``.
    public static let didFailToAutosave = Notification.Name(
        "Dovetail.ModelContext.didFailToAutosave"
    )

    /// What a notification of a context may have in its `userInfo`, under the raw values.
    ///
    /// Identifiers of what was changed are not given yet.
    public enum NotificationKey: String, Hashable, Sendable {
        /// The error of a save: `any Error`.
        case error
        /// What was inserted.
        case insertedIdentifiers = "inserted"
        /// What was changed.
        case updatedIdentifiers = "updated"
        /// What was deleted.
        case deletedIdentifiers = "deleted"
    }
}
