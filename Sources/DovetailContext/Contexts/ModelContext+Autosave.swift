import Foundation

extension ModelContext {
    /// Asks for a job that saves, unless there is one that has not begun.
    func scheduleAutosave() {
        guard !isAutosaveScheduled, hasChanges, let makeAutosaveJob else { return }
        isAutosaveScheduled = true
        makeAutosaveJob()
    }

    /// Saves what is there: the job of the context's executor.
    func autosave() {
        isAutosaveScheduled = false
        guard autosaveEnabled, hasChanges else { return }
        do {
            try save()
        } catch {
            NotificationCenter.default.post(
                name: Self.didFailToAutosave,
                object: self,
                userInfo: [NotificationKey.error.rawValue: error]
            )
        }
    }
}
