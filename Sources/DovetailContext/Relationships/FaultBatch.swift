import DovetailModel
import DovetailStore

/// Objects that one query has read. A relationship that is read in one of them is loaded for some of the
/// others, too.
///
/// It knows them by their keys, so it keeps none alive. Each object holds the last batch that it was in,
/// and finds there what it asks when its context has ended: a place of its own for that would cost each
/// object eight bytes.
///
/// How many are loaded at a time grows with each read, up to ``most``: who reads one list of many objects
/// does not pay for all. Where each of them holds many others, fewer are taken
/// (``ObjectMap/mostToLoad(_:)``).
@usableFromInline
final class FaultBatch {
    /// How many objects are loaded at the first read, and at most.
    private static let (first, most) = (32, 512)
    /// How many positions are looked at to find an object that is to be loaded.
    private static let reach = 16

    /// The keys of the objects, in the order of the query: whole numbers here, as most are, and others
    /// there. Those of one table are all of one kind.
    private var numbers: [Int64] = []
    private var others: [RowKey] = []
    /// How many objects the first read of a relationship loads.
    private let first: Int
    /// How many the next one loads, by the index of the relationship; none before the first.
    private var sizes: [Int] = []

    /// What its objects ask when their context has ended.
    private(set) var ended: EndedContext?
    /// What its objects ask whose rows are marked as deleted: it is a batch of these alone, and has no
    /// keys.
    let marked: MarkedObjects?

    /// - Parameter count: For how many objects its own were loaded. Who walks over some hundred of them
    ///   walks over what they hold, too.
    init(loadedFor count: Int) {
        first = min(max(Self.first, count), Self.most)
        marked = nil
    }

    /// Makes the batch of objects whose rows are marked.
    init(_ marked: MarkedObjects) {
        first = Self.first
        self.marked = marked
    }

    private var count: Int { numbers.count + others.count }

    private func key(at position: Int) -> RowKey {
        position < numbers.count
            ? .integer(numbers[position]) : others[position - numbers.count]
    }

    /// Adds an object. One that has no key is none that was read.
    fileprivate func add(_ backing: ObjectBacking) {
        // One that waits to come back is that of a marked row until then.
        if backing.batch?.marked != nil { return }
        backing.batch = self
        backing.position = count
        switch backing.key {
        case .integer(let number)?: numbers.append(number)
        case let key?: others.append(key)
        case nil: backing.batch = nil
        }
    }

    /// Notes what its objects ask after the end of their context.
    ///
    /// - Returns: false where objects of another context, which had ended before, ask something else.
    func end(with ended: EndedContext) -> Bool {
        if self.ended == nil { self.ended = ended }
        return self.ended === ended
    }

    /// The keys of the object at a position and of some after it.
    func keys(from position: Int) -> [RowKey] {
        (position..<max(position, min(count, position + first))).map(key)
    }

    /// Makes a batch for each table of the objects that one fetch of several classes has read.
    ///
    /// - Complexity: linear in the number of values.
    @usableFromInline
    static func join<Value>(any values: [Value]) {
        var groups: [ObjectIdentifier: [any PersistentModel]] = [:]
        for case let object as any PersistentModel in values {
            groups[type(of: object).rootIdentifier, default: []].append(object)
        }
        for objects in groups.values {
            var maker = FaultBatchMaker(loadedFor: 0)
            for object in objects { maker.add(object.persistentBacking) }
        }
    }

    /// The objects to load when a relationship of one of them is read: this one, those after it, and
    /// where too few come after it, those before it.
    ///
    /// - Parameter wants: Whether the relationship of an object is to be loaded.
    /// - Complexity: O(1).
    func objects(
        with object: any PersistentModel,
        _ index: Int,
        in registry: ObjectRegistry,
        where wants: (any PersistentModel) -> Bool
    ) -> [any PersistentModel] {
        let start = object.persistentBacking.position
        let type = Swift.type(of: object)
        // What a class inherits, those of other classes below the same one have, too.
        let owner = ObjectShape.of(type).relationships[index].owner
        while sizes.count <= index { sizes.append(first) }
        let size = min(sizes[index], registry.map(of: type).mostToLoad(index))
        sizes[index] = min(sizes[index] * 4, Self.most)
        var objects = [object]
        func take(_ positions: some Sequence<Int>) {
            for position in positions.prefix(size * Self.reach) where objects.count < size {
                guard let other = registry.object(type, key(at: position)), other !== object,
                    Swift.type(of: other).inherits(from: owner), wants(other)
                else { continue }
                objects.append(other)
            }
        }
        guard start < count else { return objects }
        take((start + 1)..<count)
        if objects.count < size { take((0..<start).reversed()) }
        return objects
    }
}

/// Makes the batch of the objects that one query reads, while it reads them. One alone stays in that which
/// it was in.
struct FaultBatchMaker {
    private let count: Int
    private var first: ObjectBacking?
    private var batch: FaultBatch?

    /// - Parameter count: For how many objects these are loaded; 0 for a fetch.
    init(loadedFor count: Int) {
        self.count = count
    }

    /// Adds an object that was read.
    mutating func add(_ backing: ObjectBacking) {
        if let batch { return batch.add(backing) }
        guard let first else { return first = backing }
        let batch = FaultBatch(loadedFor: count)
        batch.add(first)
        batch.add(backing)
        self.batch = batch
    }
}

extension ObjectMap {
    /// About how many objects are read to load a relationship.
    private static let mostRows = 4096

    /// For how many objects a relationship is loaded at most, by what the last time has shown.
    func mostToLoad(_ index: Int) -> Int {
        guard let last = loads[index], last.rows > 0 else { return .max }
        return max(1, last.objects * Self.mostRows / last.rows)
    }

    /// Notes how many rows were read to load a relationship.
    func didLoad(_ index: Int, of objects: Int, rows: Int) { loads[index] = (objects, rows) }
}
