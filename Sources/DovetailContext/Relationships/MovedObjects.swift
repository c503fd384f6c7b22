/// The objects whose relationships may hold what no row says, or were read while they did: what a rollback makes
/// ask again.
///
/// A new object is among them only where it holds others by no setter: it leaves with what it holds.
struct MovedObjects {
    /// Whether it may be any object of the context.
    private(set) var isAny = false
    private var known: [ObjectIdentifier: any PersistentModel] = [:]
    /// The one that was noted last: many changes in a row concern one list.
    private var last: ObjectIdentifier?

    var isEmpty: Bool { !isAny && known.isEmpty }
    /// Those that were noted, in no order. Where it may be any, they are not all.
    var objects: some Collection<any PersistentModel> { known.values }

    /// Notes an object.
    mutating func note(_ object: any PersistentModel) {
        let identifier = ObjectIdentifier(object)
        if isAny || last == identifier { return }
        last = identifier
        known[identifier] = object
    }

    /// Notes that it may be any object.
    mutating func noteAny() {
        isAny = true
        known = [:]
        last = nil
    }
}
