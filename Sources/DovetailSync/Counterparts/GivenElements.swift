/// The values that are given, each once, and which of them a counterpart stands for.
class GivenElements<Element: Migratable> {
    /// The distinct values, in the order in which they were given.
    fileprivate(set) var elements: [Element] = []

    fileprivate init() {}

    /// The position of the value that another one is, in ``elements``.
    func position(of element: Element) -> Int? {
        elements.firstIndex(of: element)
    }

    /// Makes room for so many values.
    fileprivate func reserve(_ count: Int) { elements.reserveCapacity(count) }

    /// Takes one more value.
    fileprivate func add(_ element: Element, at position: Int) throws {
        if self.position(of: element) == nil { elements.append(element) }
    }

    /// Takes values that are compared by what their type has: `id`, a hash, or nothing but `==`.
    ///
    /// - Complexity: linear, but quadratic in values that are neither `Identifiable` nor `Hashable`.
    /// - Throws: ``SynchronizeError`` for two values with one `id` that are not equal.
    static func of(_ given: some Sequence<Element>) throws -> GivenElements {
        func identified<Same: Migratable & Identifiable>(_ type: Same.Type) -> AnyObject? {
            // That of an object by default: each value that is built has another one.
            if Same.ID.self == ObjectIdentifier.self { return nil }
            return IdentifiedElements<Same>()
        }
        func hashed<Same: Migratable & Hashable>(_ type: Same.Type) -> AnyObject {
            HashedElements<Same>()
        }
        var all: AnyObject?
        if let type = Element.self as? any (Migratable & Identifiable).Type {
            all = identified(type)
        }
        if all == nil, let type = Element.self as? any (Migratable & Hashable).Type {
            all = hashed(type)
        }
        let made = all as? GivenElements ?? GivenElements()
        made.reserve(given.underestimatedCount)
        for (position, element) in given.enumerated() { try made.add(element, at: position) }
        return made
    }
}

/// Values that their `id` tells from each other.
private final class IdentifiedElements<Element: Migratable & Identifiable>: GivenElements<Element> {
    private var positions: [Element.ID: Int] = [:]
    /// Where each was given.
    private var origins: [Int] = []

    override func position(of element: Element) -> Int? { positions[element.id] }

    override func reserve(_ count: Int) {
        super.reserve(count)
        positions.reserveCapacity(count)
    }

    override func add(_ element: Element, at place: Int) throws {
        if let known = positions[element.id] {
            if elements[known] == element { return }
            throw SynchronizeError(table: "\(Element.self)", positions: [origins[known], place])
        }
        positions[element.id] = elements.count
        origins.append(place)
        elements.append(element)
    }
}

/// Values that are told from each other by all that they are.
private final class HashedElements<Element: Migratable & Hashable>: GivenElements<Element> {
    private var positions: [Element: Int] = [:]

    override func position(of element: Element) -> Int? { positions[element] }

    override func reserve(_ count: Int) {
        super.reserve(count)
        positions.reserveCapacity(count)
    }

    override func add(_ element: Element, at place: Int) {
        if positions[element] != nil { return }
        positions[element] = elements.count
        elements.append(element)
    }
}
