import DovetailStore

/// The objects of relationships that were loaded, by the keys of those that hold them.
struct FaultGroups<Object: PersistentModel> {
    private struct Group {
        var members: [Object] = []
        var places: [Int64] = []
        var isInOrder = true
    }

    /// The keys of those that hold objects.
    private(set) var keys: [RowKey] = []
    private var positions: [RowKey: Int] = [:]
    private var groups: [Group] = []
    /// The group that was added to last: rows that hold one key come after each other, mostly.
    private var last: (key: RowKey, position: Int)?

    init(of keys: [RowKey]) {
        positions.reserveCapacity(keys.count)
        for key in keys where positions[key] == nil {
            positions[key] = groups.count
            groups.append(Group())
            self.keys.append(key)
        }
    }

    private func position(of key: RowKey) -> Int? {
        if let last, last.key == key { return last.position }
        return positions[key]
    }

    /// Adds an object to those of a key, unless that is none of these.
    ///
    /// - Parameter place: Its place in their order; nil where it has none and comes first.
    mutating func add(_ object: Object, to key: RowKey, _ place: Int64?) {
        guard let position = position(of: key) else { return }
        last = (key, position)
        let place = place ?? .min
        if let before = groups[position].places.last, before >= place {
            groups[position].isInOrder = false
        }
        groups[position].members.append(object)
        groups[position].places.append(place)
    }

    /// The objects of a key by their places, and by their own keys where these are equal.
    ///
    /// - Complexity: linear in their number where they were added in this order.
    func members(of key: RowKey) -> [Object] {
        guard let position = positions[key] else { return [] }
        let group = groups[position]
        if group.isInOrder { return group.members }
        return group.members.indices.sorted { left, right in
            let (first, second) = (group.places[left], group.places[right])
            if first != second { return first < second }
            let keys = [left, right].compactMap { group.members[$0].persistentBacking.key }
            return keys.count == 2 && keys[0].order(relativeTo: keys[1]) < 0
        }
        .map { group.members[$0] }
    }
}
