import DovetailModel
import Foundation

/// The objects of a relationship, in their order, whatever their class is.
class ObjectListBase {
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
    /// The same objects as a set, where somebody has asked whether one of them is there.
    private var members: Set<ObjectIdentifier>?

    init(_ objects: [Object] = []) {
        self.objects = objects
    }

    override var count: Int { objects.count }
    override var all: [any PersistentModel] { objects }
    override var last: (any PersistentModel)? { objects.last }

    override func append(_ object: any PersistentModel) {
        // Invariant: the caller has the object from a relationship to this class.
        let object = unsafeDowncast(object, to: Object.self)
        objects.append(object)
        known?.append(object)
        members?.insert(ObjectIdentifier(object))
    }

    override func remove(_ object: any PersistentModel) {
        guard let index = objects.firstIndex(where: { $0 === object }) else { return }
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
    /// - Complexity: linear in the number of objects; where some were added at the end, in their number.
    func replaceOnce(with new: [Object]) -> Difference {
        let start = commonPrefix(with: new)
        var seen = start.isAll ? takeMembers() : []
        let rest = new[(start.isAll ? start.count : 0)...]
        let once = rest.filter { seen.insert(ObjectIdentifier($0)).inserted }
        let difference = replace(
            with: once.count == rest.count ? new : Array(new[..<(new.count - rest.count)]) + once
        )
        members = seen
        return difference
    }

    /// How many objects at the beginning are the same as in another list, and whether these are all.
    private func commonPrefix(with new: [Object]) -> (count: Int, isAll: Bool) {
        let old = known ?? objects
        let count = Self.commonPrefix(old, new)
        return (count, count == old.count)
    }

    /// The objects as a set, which has no other owner then.
    private func takeMembers() -> Set<ObjectIdentifier> {
        if let members = exchange(&members, with: nil) { return members }
        return Set((known ?? objects).lazy.map { ObjectIdentifier($0) })
    }

    /// Takes other objects in the place of those that it has, or has handed out. One that comes twice is
    /// taken once, but for one that stays at the beginning: see ``removeRepeated(_:)``.
    ///
    /// - Complexity: linear in the number of objects, of which those that stay at the beginning are
    ///   compared as bytes.
    func replace(with new: [Object]) -> Difference {
        let old = known ?? objects
        let start = Self.commonPrefix(old, new)
        var new = new
        if new.count - start > 1 {
            var seen: Set<ObjectIdentifier> = []
            let rest = new[start...].filter { seen.insert(ObjectIdentifier($0)).inserted }
            if rest.count < new.count - start { new.replaceSubrange(start..., with: rest) }
        }
        var difference = Difference(common: start)
        if start == old.count {
            difference.added = Array(new[start...])
        } else {
            let before = Set(old[start...].lazy.map { ObjectIdentifier($0) })
            let after = Set(new[start...].lazy.map { ObjectIdentifier($0) })
            difference.added = new[start...].filter { !before.contains(ObjectIdentifier($0)) }
            difference.removed = old[start...].filter { !after.contains(ObjectIdentifier($0)) }
        }
        objects = new
        known?.replaceSubrange(start..., with: new[start...])
        members = nil
        return difference
    }

    /// Removes the second one of each of these objects, which were added and are in the list already.
    ///
    /// - Complexity: linear in how far from the end the first one is.
    func removeRepeated(_ repeated: [Object]) {
        for object in repeated {
            guard let last = objects.lastIndex(where: { $0 === object }),
                objects[..<last].lastIndex(where: { $0 === object }) != nil
            else { continue }
            objects.remove(at: last)
            known?.remove(at: last)
        }
        members = nil
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
