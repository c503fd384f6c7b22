import Dovetail

/// A backend of a simulation: values, and in which order they were changed.
struct SimulatedBackend<Value: Model & Identifiable> {
    private(set) var values: [Value.ID: Value] = [:]
    /// The identifiers in the order of their changes.
    private var journal: [Value.ID] = []
    /// How much of the journal a token stands for.
    private var positions: [String: Int] = [:]

    /// Stores a value; nil deletes it.
    mutating func set(_ value: Value?, _ id: Value.ID) {
        values[id] = value
        journal.append(id)
    }

    /// What has changed since a token, up to a random place.
    mutating func answer(since token: String?, _ random: inout SeededRandom) -> ListOfChanges<Value>
    {
        let start = token.flatMap { positions[$0] } ?? 0
        let end =
            random.isOne(in: 2) ? journal.count : start + random.below(journal.count - start + 1)
        // Tokens have no order, as if they were times of a clock that goes back.
        let next = "\(random.next())"
        positions[next] = end
        // In their order, so that a seed repeats all of it.
        var seen: Set<Value.ID> = []
        let changed = journal[start..<end].filter { seen.insert($0).inserted }
        return ListOfChanges(
            changed.compactMap { values[$0] },
            deleted: changed.filter { values[$0] == nil },
            token: next,
            isLast: end == journal.count
        )
    }
}
