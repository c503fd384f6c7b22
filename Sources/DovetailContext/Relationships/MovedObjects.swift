/// The objects whose relationships may hold what no row says, or were read while they did: what a rollback makes
/// ask again.
///
/// A new object is among them only where it holds others by no setter: it leaves with what it holds.
struct MovedObjects {
    /// Whether it may be any object of the context.
    private(set) var isAny = false
    private var known: [ObjectIdentifier: any PersistentModel] = [:]
    /// Whether what is read may lack what a rollback brings back: something was deleted.
    private(set) var concernsReads = false
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

    /// Notes that an object which has a row is deleted: it is in no list that is read from here on, whoever has that.
    /// Those who have lists that were read before are noted by who takes it out of these.
    mutating func noteDeletion(of object: any PersistentModel) {
        concernsReads = true
        note(object)
    }

    /// Notes that relationships of objects were read.
    mutating func noteRead(_ objects: some Sequence<any PersistentModel>) {
        if concernsReads, !isAny { objects.forEach { note($0) } }
    }

    /// Notes that it may be any object.
    mutating func noteAny() {
        isAny = true
        known = [:]
        last = nil
    }
}
