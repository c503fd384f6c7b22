import DovetailModel
import DovetailStore

/// Objects that one query has read. A relationship that is read in one of them is loaded for some of the
/// others, too.
///
/// It knows them by their keys, so it keeps none alive. Each object holds the last batch that it was in.
///
/// How many are loaded at a time grows with each read, up to ``most``: who reads one list of many objects
/// does not pay for all. Where each of them holds many others, fewer are taken
/// (``ObjectMap/mostToLoad(_:)``).
final class FaultBatch {
    /// The keys of the objects, in the order of the query.
    private enum Keys {
        case numbers([Int64])
        case others([RowKey])
    }

    /// How many objects are loaded at the first read, and at most.
    private static let (first, most) = (32, 512)
    /// How many positions are looked at to find an object that is to be loaded.
    private static let reach = 16

    private var keys = Keys.numbers([])
    /// How many objects the first read of a relationship loads.
    private let first: Int
    /// How many the next one loads, by the index of the relationship; none before the first.
    private var sizes: [Int] = []

    /// - Parameter count: For how many objects its own were loaded. Who walks over some hundred of them
    ///   walks over what they hold, too.
    private init(loadedFor count: Int) {
        first = min(max(Self.first, count), Self.most)
    }

    private var count: Int {
        switch keys {
        case .numbers(let keys): keys.count
        case .others(let keys): keys.count
        }
    }

    private func key(at position: Int) -> RowKey {
        switch keys {
        case .numbers(let keys): .integer(keys[position])
        case .others(let keys): keys[position]
        }
    }

    /// Makes a batch of the objects that one query has read. One alone stays in that which it was in.
    ///
    /// - Complexity: linear in their number.
    static func join<Object: PersistentModel>(
        _ objects: ArraySlice<Object>,
        loadedFor count: Int
    ) {
        guard objects.count > 1 else { return }
        let batch = FaultBatch(loadedFor: count)
        var numbers: [Int64] = []
        numbers.reserveCapacity(objects.count)
        for (position, object) in objects.enumerated() {
            let backing = object.persistentBacking
            (backing.batch, backing.position) = (batch, UInt32(truncatingIfNeeded: position))
            if case .integer(let number)? = backing.key { numbers.append(number) }
        }
        batch.keys = .numbers(numbers)
        if numbers.count == objects.count { return }
        // Invariant: an object that was read has a key.
        batch.keys = .others(objects.map { $0.persistentBacking.key ?? .other([]) })
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
        let start = Int(object.persistentBacking.position)
        let type = Swift.type(of: object)
        while sizes.count <= index { sizes.append(first) }
        let size = min(sizes[index], registry.map(of: type).mostToLoad(index))
        sizes[index] = min(sizes[index] * 4, Self.most)
        var objects = [object]
        func take(_ positions: some Sequence<Int>) {
            for position in positions.prefix(size * Self.reach) where objects.count < size {
                guard let other = registry.object(type, key(at: position)), other !== object,
                    Swift.type(of: other) == type, wants(other)
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
