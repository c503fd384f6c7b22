package import Dovetail
package import DovetailTesting

/// One row of a group. The amounts of a group come to nothing, and all of it has one version.
@Model
package struct Entry: Identifiable, Equatable, Sendable {
    package let id: Int
    package var group: Int
    package var version: Int
    package var amount: Int
    package var note: String

    package init(id: Int, group: Int, version: Int, amount: Int, note: String) {
        self.id = id
        self.group = group
        self.version = version
        self.amount = amount
        self.note = note
    }
}

/// Groups of rows that are saved, changed and deleted as a whole, so that half of one is found.
package enum Ledger {
    /// The version of each group that is there.
    package typealias State = [Int: Int]

    /// A part of a group.
    package struct Half: Error, CustomStringConvertible {
        package let group: Int
        package let rows: [Entry]
        package var description: String { "group \(group) is half there: \(rows)" }
    }

    /// The rows of a group: three to six of them, some of which need a page of their own.
    package static func entries(_ group: Int, version: Int) -> [Entry] {
        let count = 3 + group % 4
        return (0..<count).map { place in
            Entry(
                id: group * 8 + place,
                group: group,
                version: version,
                amount: place == 0 ? -group * (count - 1) : group,
                note: String(repeating: "\(group).\(version) ", count: group % 5 == 0 ? 300 : 3)
            )
        }
    }

    /// What rows say of their groups.
    ///
    /// - Throws: ``Half`` when one is not whole.
    package static func state(of entries: [Entry]) throws -> State {
        var state: State = [:]
        for (group, rows) in Dictionary(grouping: entries, by: \.group) {
            let version = rows[0].version
            let sorted = rows.sorted { $0.id < $1.id }
            guard sorted == Self.entries(group, version: version) else {
                throw Half(group: group, rows: sorted)
            }
            state[group] = version
        }
        return state
    }

    /// What a context sees.
    package static func state(in context: ModelContext) throws -> State {
        try state(of: context.fetch(FetchDescriptor<Entry>()))
    }

    /// One change of some groups, saved as a whole.
    package enum Step: Sendable {
        case add(Int)
        case change(Int, version: Int)
        case remove(Int)
        /// By a predicate instead of by keys.
        case removeWhere(Int)
        case several([Step])

        /// A change that a state allows.
        package init(of state: State, using random: inout SeededRandom) {
            let group = Int.random(in: 1...40, using: &random)
            if random.isOne(in: 6) {
                let first = Step(group, state[group], &random)
                let other = group % 40 + 1
                self = .several([first, Step(other, state[other], &random)])
            } else {
                self = Step(group, state[group], &random)
            }
        }

        private init(_ group: Int, _ version: Int?, _ random: inout SeededRandom) {
            let number = Int.random(in: 0..<6, using: &random)
            self =
                switch (version, number) {
                case (nil, _): .add(group)
                case (_, 0): .remove(group)
                case (_, 1): .removeWhere(group)
                case (let version?, _): .change(group, version: version + 1)
                }
        }

        /// The state after it.
        package func applied(to state: State) -> State {
            var state = state
            switch self {
            case .add(let group): state[group] = 1
            case .change(let group, let version): state[group] = version
            case .remove(let group), .removeWhere(let group): state[group] = nil
            case .several(let steps): for step in steps { state = step.applied(to: state) }
            }
            return state
        }

        /// Makes it wait in a context.
        package func enqueue(in context: ModelContext) throws {
            switch self {
            case .add(let group):
                context.insert(contentsOf: entries(group, version: 1))
            case .change(let group, let version):
                context.update(entries(group, version: version))
            case .remove(let group):
                context.delete(entries(group, version: 1))
            case .removeWhere(let group):
                try context.delete(model: Entry.self, where: #Predicate { $0.group == group })
            case .several(let steps):
                for step in steps { try step.enqueue(in: context) }
            }
        }
    }
}
