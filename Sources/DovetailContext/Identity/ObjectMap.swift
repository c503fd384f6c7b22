import DovetailModel
import DovetailStore

/// The objects of one class, by their keys.
final class ObjectMap {
    // Each insertion, fetch and save goes to these, so they are not checked for overlapping accesses at run
    // time: keys are compared and arrays grow, and neither calls out to the objects.
    @exclusivity(unchecked) var objects: ObjectTable
    /// The keys that objects have now which were given others when they were inserted.
    var others: [RowKey: RowKey] = [:]
    /// New objects that are not found by their keys, since others have these that have rows.
    var hidden: [RowKey: any PersistentModel] = [:]
    /// Objects that wait to be deleted and whose keys new ones have. Stored rows with these keys mean them.
    var replaced: [RowKey: any PersistentModel] = [:]
    /// Whether a new object has the key of another one.
    var hasSharedKeys: Bool { !hidden.isEmpty || !replaced.isEmpty }
    /// For how many objects each relationship was loaded the last time, and how many rows that has read.
    var loads: [Int: (objects: Int, rows: Int)] = [:]
    /// Those whose rows are to be changed, in the order in which they came. What is no longer in that
    /// state stays until the save.
    @exclusivity(unchecked) var changed: [any PersistentModel] = []
    /// How many of ``changed`` fetches have seen.
    var seen = 0
    /// Others whose rows fetches have to see anew.
    @exclusivity(unchecked) var stale: [any PersistentModel] = []
    /// What the setters of each class name.
    var columns: [ObjectIdentifier: AttributeColumns] = [:]
    /// The relationships of the class.
    let shape: ObjectShape

    /// Takes the objects whose rows are to be changed.
    func takeChanged() -> [any PersistentModel] {
        defer {
            changed = []
            seen = 0
        }
        return changed
    }

    /// Takes the objects whose rows fetches have to see anew.
    func takeStale() -> [any PersistentModel] {
        let all = stale + changed[seen...]
        stale = []
        seen = changed.count
        return all
    }

    /// Whether fetches have to see rows anew.
    var isStale: Bool { !stale.isEmpty || seen < changed.count }

    /// Forgets what waits.
    func forget() {
        _ = takeChanged()
        stale = []
        hidden = [:]
        replaced = [:]
    }

    init(_ type: any PersistentModel.Type) {
        shape = .of(type)
        objects = ObjectTable(type)
    }
}

/// A table of the objects of one class.
///
/// Most keys are whole numbers: these have an open table of their own, in which the next slots are
/// looked at where one is taken. To hash `RowKey` as a dictionary does, and to keep it there beside the
/// object, was a third of a fetch of 100,000 objects.
struct ObjectTable {
    private let model: any PersistentModel.Type
    private var numbers = NumberTable()
    private var others: [RowKey: any PersistentModel] = [:]

    init(_ model: any PersistentModel.Type) {
        self.model = model
    }

    /// The object of a key.
    ///
    /// - Complexity: O(1).
    subscript(key: RowKey) -> (any PersistentModel)? {
        guard case .integer(let number) = key else { return others[key] }
        return numbers.object(number).map(existential)
    }

    /// Makes an object the one of a key.
    ///
    /// - Complexity: O(1).
    /// - Returns: another one that was it before.
    @discardableResult
    mutating func put(_ object: any PersistentModel, _ key: RowKey) -> (any PersistentModel)? {
        let old: (any PersistentModel)?
        if case .integer(let number) = key {
            old = numbers.put(object, number).map(existential)
        } else {
            old = others.updateValue(object, forKey: key)
        }
        return old === object ? nil : old
    }

    /// Takes the object of a key out.
    ///
    /// - Complexity: O(1).
    mutating func remove(_ key: RowKey) {
        guard case .integer(let number) = key else { return others[key] = nil }
        numbers.remove(number)
    }

    /// The object of a key, as what it is.
    ///
    /// Invariant: `Object` is the class that the table is of.
    func object<Object: PersistentModel>(_ key: RowKey, as type: Object.Type) -> Object? {
        guard case .integer(let number) = key else {
            return others[key].map { unsafeDowncast($0, to: type) }
        }
        return numbers.object(number).map { unsafeDowncast($0, to: type) }
    }

    /// Whether there is none.
    var isEmpty: Bool { count == 0 }
    var count: Int { numbers.count + others.count }

    /// All of them, in no order.
    var values: [any PersistentModel] {
        var all = Array(others.values)
        for object in numbers.all { all.append(existential(object)) }
        return all
    }

    private func existential(_ object: AnyObject) -> any PersistentModel {
        // Invariant: the table has objects of one class.
        func typed<Object: PersistentModel>(_ model: Object.Type) -> any PersistentModel {
            unsafeDowncast(object, to: Object.self)
        }
        return typed(model)
    }
}

/// Objects by whole numbers.
///
/// Eight numbers that follow each other lie side by side. Most keys were given one after the other, and
/// objects are read and saved in their order: with a place of its own for each number, to wait for memory
/// was a sixth of a fetch of 100,000 objects, and as much of what saving new ones takes beside the store.
private struct NumberTable {
    private final class Storage {
        let slots: UnsafeMutableBufferPointer<Slot>

        init(_ count: Int) {
            slots = .allocate(capacity: count)
            slots.initialize(repeating: Slot(key: 0, object: nil))
        }

        deinit {
            for slot in slots { slot.object?.release() }
            slots.deallocate()
        }
    }

    /// Invariant: an object that is in a slot was retained once for it.
    private struct Slot {
        var key: Int64
        var object: Unmanaged<AnyObject>?
    }

    private(set) var count = 0
    /// Invariant: nobody else has it, as the table is in an ``ObjectMap`` and is not copied.
    private var storage = Storage(0)
    /// How many bits of a number say which of eight slots it belongs into.
    private static let bits = 3
    /// How far a product is shifted to be the number of eight slots. Invariant: there are
    /// `8 << (64 - shift)` slots, or none.
    private var shift: UInt64 = 64
    /// Odd, and another one for each table, so that no keys are bad for all.
    private let factor = UInt64.random(in: 0...(.max)) | 1

    /// All objects.
    var all: [AnyObject] {
        storage.slots.compactMap { $0.object?.takeUnretainedValue() }
    }

    @inline(__always)
    private func home(of key: Int64) -> Int {
        let number = UInt64(bitPattern: key)
        let eight = ((number >> UInt64(Self.bits)) &* factor) >> shift
        return Int(truncatingIfNeeded: eight << UInt64(Self.bits) | number & (1 << Self.bits - 1))
    }

    /// The slot of a key, or the free one where it belongs. Invariant: there are slots, and one is free.
    @inline(__always)
    private func place(of key: Int64) -> Int {
        let slots = storage.slots
        let mask = slots.count - 1
        var place = home(of: key)
        while slots[place].object != nil, slots[place].key != key { place = (place + 1) & mask }
        return place
    }

    func object(_ key: Int64) -> AnyObject? {
        guard count > 0 else { return nil }
        return storage.slots[place(of: key)].object?.takeUnretainedValue()
    }

    /// - Returns: what was there before.
    mutating func put(_ object: AnyObject, _ key: Int64) -> AnyObject? {
        if (count + 1) * 4 > storage.slots.count * 3 { grow() }
        let place = place(of: key)
        let old = storage.slots[place].object
        storage.slots[place] = Slot(key: key, object: .passRetained(object))
        if old == nil { count += 1 }
        return old?.takeRetainedValue()
    }

    mutating func remove(_ key: Int64) {
        guard count > 0 else { return }
        let slots = storage.slots
        let mask = slots.count - 1
        var hole = place(of: key)
        guard let object = slots[hole].object else { return }
        // Those that come after it move up, as far as they may.
        var next = (hole + 1) & mask
        while slots[next].object != nil {
            let distance = (next &- home(of: slots[next].key)) & mask
            if distance >= (next &- hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        slots[hole].object = nil
        count -= 1
        object.release()
    }

    private mutating func grow() {
        let old = storage
        let size = max(1 << Self.bits, old.slots.count * 2)
        storage = Storage(size)
        shift = UInt64(64 + Self.bits - size.trailingZeroBitCount)
        for index in old.slots.indices {
            guard old.slots[index].object != nil else { continue }
            storage.slots[place(of: old.slots[index].key)] = old.slots[index]
            // The new slot has what it was retained for.
            old.slots[index].object = nil
        }
    }
}
