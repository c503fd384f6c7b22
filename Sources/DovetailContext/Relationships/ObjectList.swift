import DovetailModel

/// The objects of a relationship, in their order, whatever their class is.
class ObjectListBase {
    /// Grows whenever other objects are in the list, or they are in another order.
    final fileprivate(set) var version = 0
    /// How often an object was added at the end, which ``version`` counts, too.
    final fileprivate(set) var appendCount = 0
    /// How many there are.
    var count: Int { 0 }
    /// All objects.
    var all: [any PersistentModel] { [] }
    /// The last object.
    var last: (any PersistentModel)? { nil }
    /// So many objects from the end.
    func suffix(_ count: Int) -> [any PersistentModel] { [] }
    /// Adds an object of the list's class at the end.
    func append(_ object: any PersistentModel) {}
    /// Removes an object, if it is there.
    func remove(_ object: any PersistentModel) {}
    /// Whether an object is there.
    ///
    /// - Complexity: linear the first time, then O(1).
    func contains(_ object: any PersistentModel) -> Bool { false }
}

/// The objects of a relationship to one class.
final class ObjectList<Object: PersistentModel>: ObjectListBase {
    /// With those that were removed; ``objects`` has none of them.
    private var stored: [Object]
    /// What was removed of many objects since they were asked for: to remove one takes as long as to
    /// remove all.
    private var removed: [ObjectIdentifier] = []
    /// Whether the objects are handed out.
    private var isTaken = false
    /// What other lists have taken of the objects while they were handed out.
    private var lost: Set<ObjectIdentifier> = []
    /// The same objects once more, while they are handed out and after that, to compare what comes
    /// back with; nil until then. A copy of the array would make the first change copy all of it.
    private var known: [Object]?
    /// How many at the end of ``known`` are there a second time.
    private var repeated = 0
    /// The same objects as a set; nil until somebody asks whether one of them is there.
    private var members: Set<ObjectIdentifier>?

    init(_ objects: [Object] = []) {
        stored = objects
    }

    /// The objects.
    ///
    /// - Complexity: O(1), and linear after a removal.
    var objects: [Object] {
        // Who asks in the middle of a change in place hears what was there before.
        if isTaken, let known { return known }
        if !removed.isEmpty { removeStored() }
        return stored
    }

    /// Removes what was to be removed, and what is in ``known`` twice.
    private func tidy() {
        if repeated > 0 { known?.removeLast(exchange(&repeated, with: 0)) }
        if !removed.isEmpty { removeStored() }
    }

    override var count: Int { objects.count }
    // To convert the array asks of each object at run time what it is.
    override var all: [any PersistentModel] { objects.map { $0 } }
    override var last: (any PersistentModel)? { objects.last }
    override func suffix(_ count: Int) -> [any PersistentModel] { objects.suffix(count).map { $0 } }

    override func append(_ object: any PersistentModel) {
        // Invariant: the caller has the object from a relationship to this class.
        let object = unsafeDowncast(object, to: Object.self)
        version += 1
        appendCount += 1
        tidy()
        stored.append(object)
        known?.append(object)
        members?.insert(ObjectIdentifier(object))
    }

    override func remove(_ object: any PersistentModel) {
        // What is made of them counts then.
        if isTaken {
            lost.insert(ObjectIdentifier(object))
            return
        }
        if repeated > 0 { tidy() }
        version += 1
        removed.append(ObjectIdentifier(object))
        members?.remove(ObjectIdentifier(object))
        if stored.count < Self.many || removed.count * 8 > stored.count { removeStored() }
    }

    /// Below so many objects each is removed at once.
    private static var many: Int { 128 }

    /// Removes what was to be removed. Invariant: the objects are still held, so no other one can have
    /// the identity of one of them.
    private func removeStored() {
        let gone = exchange(&removed, with: [])
        if gone.count == 1 {
            guard let index = stored.firstIndex(where: { ObjectIdentifier($0) == gone[0] }) else {
                return
            }
            stored.remove(at: index)
            known?.remove(at: index)
        } else {
            let gone = Set(gone)
            stored.removeAll { gone.contains(ObjectIdentifier($0)) }
            known?.removeAll { gone.contains(ObjectIdentifier($0)) }
        }
    }

    override func contains(_ object: any PersistentModel) -> Bool {
        if members == nil { tidy() }
        let known = members ?? Set((self.known ?? objects).lazy.map { ObjectIdentifier($0) })
        members = known
        return known.contains(ObjectIdentifier(object))
    }

    /// Hands the objects out to be changed in place, so that adding one copies none. The list is
    /// empty until ``replace(with:)``.
    func take() -> [Object] {
        tidy()
        isTaken = true
        if known == nil { known = stored.map { $0 } }
        return exchange(&stored, with: [])
    }

    /// How other objects differ from those of the list.
    struct Difference {
        var added: [Object] = []
        var removed: [Object] = []
        /// How many at the beginning stay where they are.
        var common = 0
        /// The position from which on they follow each other as they did; nil where they may not.
        var settled: Int?
    }

    /// Takes other objects in the place of those that it has, or has handed out, each of them once. What another
    /// list has taken meanwhile, and is among them all the same, comes from there.
    ///
    /// - Complexity: linear in the number of objects, of which those that stay at the beginning are
    ///   compared as bytes; where some were added at the end, in their number but for that.
    ///   Those that are removed at the end cost their own number.
    func replace(with new: [Object]) -> Difference {
        let taken = lost.isEmpty ? [] : exchange(&lost, with: [])
        var difference = replaceAll(with: new)
        if taken.isEmpty { return difference }
        let known = Set(difference.added.lazy.map { ObjectIdentifier($0) })
        let back = taken.subtracting(known)
        difference.added += objects.filter { back.contains(ObjectIdentifier($0)) }
        (difference.common, difference.settled) = (0, nil)
        return difference
    }

    private func replaceAll(with new: [Object]) -> Difference {
        tidy()
        let (count, start) = commonPrefix(with: new)
        // Those that stay are no news where all of them do; otherwise what comes first stays.
        let isLonger = start == count
        if !isLonger, let difference = replaceMiddle(with: new, from: start, of: count) {
            return difference
        }
        let first = isLonger ? start : 0
        var seen = isLonger ? takeMembers() : []
        let rest = new[first...].filter { seen.insert(ObjectIdentifier($0)).inserted }
        if isLonger, rest.isEmpty, isTaken, let old = exchange(&known, with: new) {
            // Who has made an object with its holder adds it once more: nothing is copied for that.
            repeated = new.count - count
            version += 1
            isTaken = false
            stored = old
            members = seen
            return Difference(common: count)
        }
        let once = rest.count == new.count - first ? new : Array(new[..<first]) + rest
        let difference = difference(of: once, from: start, isLonger: isLonger)
        version += 1
        isTaken = false
        stored = once
        known?.replaceSubrange(start..., with: once[start...])
        members = seen
        return difference
    }

    /// Takes other objects in the place of some in the middle; nil where one of them would be in the list
    /// twice, or where others come last. Whoever has made an object with its holder, which has put it
    /// at the end, moves it to the middle.
    private func replaceMiddle(
        with new: [Object],
        from start: Int,
        of count: Int
    ) -> Difference? {
        let last = commonSuffix(with: new, atMost: min(count, new.count) - start)
        if last == 0, start < new.count { return nil }
        let added = new[start..<new.count - last]
        let after = Set(added.lazy.map { ObjectIdentifier($0) })
        var end = new.count
        while end > added.endIndex, after.contains(ObjectIdentifier(new[end - 1])) { end -= 1 }
        let moved = Set(new[end...].lazy.map { ObjectIdentifier($0) })
        let removed = Array((known ?? stored)[start..<count - last])
        let before = Set(removed.lazy.map { ObjectIdentifier($0) }).union(moved)
        var all = takeMembers()
        let isOnce = after.allSatisfy { before.contains($0) || !all.contains($0) }
        guard isOnce, after.count == added.count else {
            members = all
            return nil
        }
        var difference = Difference(common: start, settled: added.endIndex)
        difference.added = added.filter { !before.contains(ObjectIdentifier($0)) }
        difference.removed = removed.filter { !after.contains(ObjectIdentifier($0)) }
        for object in difference.removed { all.remove(ObjectIdentifier(object)) }
        all.formUnion(after)
        members = all
        version += 1
        isTaken = false
        stored = new
        stored.removeLast(new.count - end)
        known?.replaceSubrange(start..<count - last, with: added)
        known?.removeLast(new.count - end)
        return difference
    }

    /// How many objects at the end are the same as in another list, of so many.
    private func commonSuffix(with new: [Object], atMost most: Int) -> Int {
        let old = known ?? stored
        return old.suffix(most).countOfSame(as: new.suffix(most), atEnd: true)
    }

    /// How many objects at the beginning are the same as in another list.
    func countOfSame(as new: [Object]) -> Int { commonPrefix(with: new).same }

    /// How many objects there are, and how many at the beginning are the same as in another list.
    private func commonPrefix(with new: [Object]) -> (count: Int, same: Int) {
        let old = known ?? objects
        return (old.count, old[...].countOfSame(as: new[...], atEnd: false))
    }

    /// A function of its own, so that nobody else has the array when it is changed.
    private func difference(of new: [Object], from start: Int, isLonger: Bool) -> Difference {
        var difference = Difference(common: start)
        if isLonger {
            difference.added = Array(new[start...])
            return difference
        }
        let old = known ?? objects
        let before = Set(old[start...].lazy.map { ObjectIdentifier($0) })
        let after = Set(new[start...].lazy.map { ObjectIdentifier($0) })
        difference.added = new[start...].filter { !before.contains(ObjectIdentifier($0)) }
        difference.removed = old[start...].filter { !after.contains(ObjectIdentifier($0)) }
        return difference
    }

    /// The objects as a set, which has no other owner then.
    private func takeMembers() -> Set<ObjectIdentifier> {
        if let members = exchange(&members, with: nil) { return members }
        return Set((known ?? objects).lazy.map { ObjectIdentifier($0) })
    }
}
