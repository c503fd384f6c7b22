import Synchronization

/// The `willSet` and `didSet` of objects that run: one that sets its own property is not called for that, as in
/// Swift.
private enum RunningObservers {
    struct Observer: Hashable {
        let object: ObjectIdentifier
        let property: String
    }

    /// An object that runs in an observer is held by whoever has set its property.
    static let all = Mutex<Set<Observer>>([])
}

extension PersistentModel {
    /// Whether the observers of a property are to be called: not where the object is given what is stored or what
    /// it was, and not inside of themselves. Called by generated code, which ends it where it was true.
    public func _$beginObserving(_ property: StaticString) -> Bool {
        if persistentBacking.isTaking { return false }
        return RunningObservers.all.withLock { $0.insert(observer(of: property)).inserted }
    }

    /// Notes that the observers of a property have ended. Called by generated code.
    public func _$endObserving(_ property: StaticString) {
        _ = RunningObservers.all.withLock { $0.remove(observer(of: property)) }
    }

    private func observer(of property: StaticString) -> RunningObservers.Observer {
        .init(object: ObjectIdentifier(self), property: property.description)
    }
}
