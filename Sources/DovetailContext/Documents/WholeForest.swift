import DovetailModel
import DovetailStore

/// What is inside of relationships that are merged as a whole, in one of three forms: what it is here, what it was
/// when a document brought it last, or what the document has.
struct WholeForest {
    /// An object, with those inside of it.
    struct Part {
        /// Its class.
        let type: any PersistentModel.Type
        let name: RowName
        /// The object of the context; of the document where the context has none. Nil where neither has it.
        let object: (any PersistentModel)?
        /// Its row, in the columns of the table.
        var row: [QueryValue]
        /// The relationship that it is in, of the class around it; of one to a protocol the first part.
        let index: Int
        /// The position of the one that it is inside of; nil for an outermost one.
        let parent: Int?
        /// The whole that it belongs to; nil for an object that a document moves into one.
        let whole: Int?
        /// The positions of those inside of it, in their order.
        fileprivate(set) var children: [Int] = []
        /// The relationships of which the document says nothing.
        var silent: Set<Int> = []
        /// The same number in all forms means the same class, values and objects inside.
        fileprivate(set) var number = 0
    }

    /// Each before those inside of it.
    private(set) var parts: [Part] = []
    /// The positions of the outermost ones of each whole, in their order.
    private(set) var roots: [[Int]]
    /// The positions of all of each whole.
    private(set) var members: [[Int]]
    /// The positions by the names of the rows.
    private(set) var positions: [RowName: Int] = [:]

    init(wholes count: Int) {
        roots = Array(repeating: [], count: count)
        members = roots
    }

    subscript(name: RowName) -> Part? { positions[name].map { parts[$0] } }

    /// Adds a part after the one that it is inside of.
    ///
    /// - Returns: its position.
    mutating func add(_ part: Part) -> Int {
        let position = parts.count
        parts.append(part)
        positions[part.name] = position
        if let whole = part.whole { members[whole].append(position) }
        if let parent = part.parent {
            parts[parent].children.append(position)
        } else if let whole = part.whole {
            roots[whole].append(position)
        }
        return position
    }

    mutating func set(_ column: Int, of position: Int, to value: QueryValue) {
        parts[position].row[column] = value
    }

    /// The positions of what a part has in a relationship.
    func children(of position: Int, in index: Int) -> [Int] {
        parts[position].children.filter { parts[$0].index == index }
    }

    /// The positions of a part and of all inside of it.
    func all(inside position: Int) -> [Int] {
        var all = [position]
        var next = 0
        while next < all.count {
            all += parts[all[next]].children
            next += 1
        }
        return all
    }

    /// Numbers the parts, from inside to outside.
    ///
    /// - Parameter others: What a part has in relationships of which nothing is said: pairs of these and of
    ///   numbers.
    /// - Complexity: linear in the number of parts, but for sorting those of each relationship.
    mutating func number(
        _ numbers: inout WholeNumbers,
        _ values: (Part) throws -> [QueryValue],
        others: (Part) -> [(Int, Int)] = { _ in [] }
    ) rethrows {
        for position in parts.indices.reversed() {
            let part = parts[position]
            var inside = part.children.map { (parts[$0].index, parts[$0].number) }
            if !part.silent.isEmpty { inside += others(part) }
            inside.sort { $0 < $1 }
            parts[position].number = numbers.number(part.type, try values(part), inside)
        }
    }

    /// The numbers of what a part has in some relationships.
    func numbers(inside part: Part, in indexes: Set<Int>) -> [(Int, Int)] {
        part.children.filter { indexes.contains(parts[$0].index) }
            .map { (parts[$0].index, parts[$0].number) }
    }

    /// How often each number is among the outermost ones of a whole.
    func counts(of whole: Int) -> [Int: Int] {
        roots[whole].reduce(into: [:]) { $0[parts[$1].number, default: 0] += 1 }
    }
}

/// Gives the same number to what is the same, so that objects are compared with all inside of them in linear time,
/// however deep that is.
struct WholeNumbers {
    private struct Content: Hashable {
        let type: ObjectIdentifier
        let values: [QueryValue]
        let inside: [Int]
    }

    private var known: [Content: Int] = [:]

    /// - Parameter inside: The relationships and numbers of the objects inside, in order.
    mutating func number(
        _ type: any PersistentModel.Type,
        _ values: [QueryValue],
        _ inside: [(Int, Int)]
    ) -> Int {
        let content = Content(
            type: ObjectIdentifier(type),
            values: values,
            inside: inside.flatMap { [$0.0, $0.1] }
        )
        if let number = known[content] { return number }
        known[content] = known.count
        return known.count - 1
    }
}
