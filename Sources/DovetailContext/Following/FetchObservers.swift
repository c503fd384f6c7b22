import DovetailStore
import Synchronization

/// Those who follow the commits of a container.
final class FetchObservers: Sendable {
    private let observers = Mutex<[ObjectIdentifier: FetchObserver]>([:])
    private let count = Atomic<Int>(0)
    /// What is about to be committed, or was and is not told yet.
    private let announcements = CommitAnnouncements()

    /// Whether nobody follows. What is written then need not be noted.
    var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    deinit {
        for observer in observers.withLock({ $0.values.map(\.self) }) { observer.end() }
    }

    func add(_ observer: FetchObserver) {
        observers.withLock {
            $0[ObjectIdentifier(observer)] = observer
            count.store($0.count, ordering: .releasing)
        }
    }

    func remove(_ observer: FetchObserver) {
        observers.withLock {
            $0[ObjectIdentifier(observer)] = nil
            count.store($0.count, ordering: .releasing)
        }
    }

    /// Notes what a context is about to commit.
    func announce(_ rows: TouchedRows, by context: ModelContext) {
        if !isEmpty { announcements.announce(rows, by: context) }
    }

    /// Forgets what a context has announced.
    func withdraw(by context: ModelContext) {
        // Also where nobody follows any more: somebody may have when it was announced.
        announcements.withdraw(by: context)
    }

    /// Tells everybody what a commit has written. It is stored already, so nothing can fail: an observer
    /// that cannot read its result ends with the error.
    ///
    /// - Parameter connection: One on which nobody has committed after it.
    func look(at written: TouchedRows, on connection: any StoreQuerying) {
        for observer in observers.withLock({ $0.values.map(\.self) }) {
            announcements.withLook { others in
                do {
                    try observer.look(at: written, with: others, on: connection)
                } catch {
                    remove(observer)
                    observer.end(error)
                }
            }
        }
    }
}

/// Ends an observation with its last owner.
final class ObserverToken: Sendable {
    private let observer: FetchObserver
    private weak let observers: FetchObservers?

    init(_ observer: FetchObserver, of observers: FetchObservers) {
        self.observer = observer
        self.observers = observers
        observers.add(observer)
    }

    func end() {
        observers?.remove(observer)
        observer.end()
    }

    deinit { end() }
}
