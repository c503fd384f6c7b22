import DovetailModel
import Foundation

/// The objects of a relationship, in their order, whatever their class is.
class ObjectListBase {
    /// Grows whenever other objects are in the list, or they are in another order.
    final fileprivate(set) var version = 0
    /// How many there are.
    var count: Int { 0 }
    /// All objects.
    var all: [any PersistentModel] { [] }
    /// The last object.
    var last: (any PersistentModel)? { nil }
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
    private(set) var objects: [Object]
    /// The same objects once more, while they are handed out and after that, to compare what comes
    /// back with; nil until then. A copy of the array would make the first change copy all of it.
    private var known: [Object]?
    /// The same objects as a set; nil until somebody asks whether one of them is there.
    private var members: Set<ObjectIdentifier>?

    init(_ objects: [Object] = []) {
        self.objects = objects
    }

    override var count: Int { objects.count }
    // To convert the array asks of each object at run time what it is.
    override var all: [any PersistentModel] { objects.map { $0 } }
    override var last: (any PersistentModel)? { objects.last }

    override func append(_ object: any PersistentModel) {
        // Invariant: the caller has the object from a relationship to this class.
        let object = unsafeDowncast(object, to: Object.self)
        version += 1
        objects.append(object)
        known?.append(object)
        members?.insert(ObjectIdentifier(object))
    }

    override func remove(_ object: any PersistentModel) {
        guard let index = objects.firstIndex(where: { $0 === object }) else { return }
        version += 1
        objects.remove(at: index)
        known?.remove(at: index)
        members?.remove(ObjectIdentifier(object))
    }

    override func contains(_ object: any PersistentModel) -> Bool {
        let known = members ?? Set((self.known ?? objects).lazy.map { ObjectIdentifier($0) })
        members = known
        return known.contains(ObjectIdentifier(object))
    }

    /// Hands the objects out to be changed in place, so that adding one copies none. The list is
    /// empty until ``replace(with:)``.
    func take() -> [Object] {
        if known == nil { known = objects.map { $0 } }
        return exchange(&objects, with: [])
    }

    /// How other objects differ from those of the list.
    struct Difference {
        var added: [Object] = []
        var removed: [Object] = []
        /// How many at the beginning stay where they are.
        var common = 0
    }

    /// Takes other objects in the place of those that it has, or has handed out, each of them once.
    ///
    /// - Complexity: linear in the number of objects, of which those that stay at the beginning are
    ///   compared as bytes; where some were added at the end, in their number but for that.
    func replace(with new: [Object]) -> Difference {
        let (count, start) = commonPrefix(with: new)
        // Those that stay are no news where all of them do; otherwise what comes first stays.
        let isLonger = start == count
        let first = isLonger ? start : 0
        var seen = isLonger ? takeMembers() : []
        let rest = new[first...].filter { seen.insert(ObjectIdentifier($0)).inserted }
        let once = rest.count == new.count - first ? new : Array(new[..<first]) + rest
        let difference = difference(of: once, from: start, isLonger: isLonger)
        version += 1
        objects = once
        known?.replaceSubrange(start..., with: once[start...])
        members = seen
        return difference
    }

    /// How many objects there are, and how many at the beginning are the same as in another list.
    private func commonPrefix(with new: [Object]) -> (count: Int, same: Int) {
        let old = known ?? objects
        return (old.count, Self.commonPrefix(old, new))
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

    /// How many objects at the beginning of both are the same.
    private static func commonPrefix(_ left: [Object], _ right: [Object]) -> Int {
        let shared = min(left.count, right.count)
        let isSame = left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else {
                    return true
                }
                return memcmp(left, right, shared * MemoryLayout<Object>.stride) == 0
            }
        }
        if isSame { return shared }
        return (0..<shared).first { left[$0] !== right[$0] } ?? shared
    }
}
