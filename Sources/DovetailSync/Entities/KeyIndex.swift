import DovetailModel
import DovetailStore

/// Where in a list a value has a key.
///
/// Lists of a backend are mostly in the order of their keys, and so are the rows of a table: then the next
/// row has the next key, and nothing is hashed. With other lists, keys are.
struct KeyIndex {
    /// The keys of values from the first one on, as long as they are ascending numbers.
    private var ascending: [Int64] = []
    /// Where the next key is expected.
    private var next = 0
    /// All keys, once one of them is not in that order.
    private var places: [RowKey: Int]?

    init(reserving count: Int) {
        ascending.reserveCapacity(count)
    }

    /// Adds the key of the value at a place, which is the one after the last, or behind it.
    ///
    /// - Returns: the place of an earlier value that has it; nil where it is new.
    mutating func add(_ key: RowKey, at place: Int) -> Int? {
        if places == nil {
            if case .integer(let number) = key, place == ascending.count,
                ascending.last.map({ $0 < number }) ?? true
            {
                ascending.append(number)
                return nil
            }
            var hashed: [RowKey: Int] = [:]
            hashed.reserveCapacity(ascending.capacity)
            for (place, number) in ascending.enumerated() { hashed[.integer(number)] = place }
            places = hashed
            ascending = []
        }
        if let known = places?.updateValue(place, forKey: key) {
            places?[key] = known
            return known
        }
        return nil
    }

    /// The place of the first value with a key.
    ///
    /// - Complexity: O(1) where keys are asked for in their order, and where they are hashed; otherwise
    ///   O(log n).
    mutating func place(of key: RowKey) -> Int? {
        if let places { return places[key] }
        guard case .integer(let number) = key else { return nil }
        if next >= ascending.count || ascending[next] != number {
            // The first one that is not below it.
            var (low, high) = (0, ascending.count)
            while low < high {
                let middle = (low + high) / 2
                if ascending[middle] < number { low = middle + 1 } else { high = middle }
            }
            next = low
            guard low < ascending.count, ascending[low] == number else { return nil }
        }
        defer { next += 1 }
        return next
    }

    /// The keys of values at places that a function takes.
    func keys(where isTaken: (Int) -> Bool) -> [RowKey] {
        if let places { return places.filter { isTaken($0.value) }.map(\.key) }
        return ascending.indices.filter(isTaken).map { .integer(ascending[$0]) }
    }
}
