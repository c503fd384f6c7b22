import Synchronization

/// The elements of an array or the members of an object, shared by copies of a document.
///
/// A class, because only a class can be taken apart without recursion when a deep tree is freed,
/// and because a place deep inside can be changed without taking apart what is above it.
///
/// Invariant of the unchecked `Sendable`: `keys` and `values` are only changed by a caller that
/// has just made sure that it holds the one reference (``ModelDocument/uniqueNode()``), or in
/// `deinit`. The look-up table, which readers fill, is behind a lock.
final class DocumentNode: @unchecked Sendable {
    /// One for each value in an object, none in an array.
    private(set) var keys: [String] = []
    var values: [ModelDocument] = []
    /// The last place of each key. Only made for objects of many members.
    private let places = Mutex<[ExactText: Int]?>(nil)

    /// Up to how many members a look-up goes over the keys.
    private static let fewKeys = 16

    init() {}

    init(values: [ModelDocument]) {
        self.values = values
    }

    init(keys: [String], values: [ModelDocument]) {
        self.keys = keys
        self.values = values
    }

    init(copying other: DocumentNode) {
        keys = other.keys
        values = other.values
    }

    /// Frees deep trees level by level.
    deinit {
        var pending: [DocumentNode] = []
        takeNodes(into: &pending)
        while var node = pending.popLast() {
            if isKnownUniquelyReferenced(&node) { node.takeNodes(into: &pending) }
        }
    }

    private func takeNodes(into pending: inout [DocumentNode]) {
        for index in values.indices where values[index].node != nil {
            if let node = values[index].node { pending.append(node) }
            values[index].storage = .null
        }
    }

    /// Where the last member of this name stands.
    ///
    /// - Complexity: O(1); the first look-up in an object of many members is linear.
    func lastPlace(of key: String) -> Int? {
        guard keys.count > Self.fewKeys else {
            return keys.lastIndex { ExactText.areSame($0, key) }
        }
        return places.withLock { places in
            if let places { return places[ExactText(key)] }
            var all = [ExactText: Int](minimumCapacity: keys.count)
            for place in keys.indices { all[ExactText(keys[place])] = place }
            places = all
            return all[ExactText(key)]
        }
    }

    /// All places of members of this name. Complexity: linear.
    func places(of key: String) -> [Int] {
        keys.indices.filter { ExactText.areSame(keys[$0], key) }
    }

    /// Adds a member. Complexity: O(1).
    func append(_ key: String, _ value: ModelDocument) {
        keys.append(key)
        values.append(value)
        if keys.count > Self.fewKeys {
            places.withLock { $0?[ExactText(key)] = keys.count - 1 }
        }
    }

    /// Removes the member or element at a place. Complexity: linear.
    func remove(at place: Int) -> ModelDocument {
        if !keys.isEmpty {
            keys.remove(at: place)
            places.withLock { $0 = nil }
        }
        return values.remove(at: place)
    }

    /// Gives the member at a place another name. Complexity: O(1).
    func rename(at place: Int, to key: String) {
        keys[place] = key
        places.withLock { $0 = nil }
    }
}

/// Text that is compared by its bytes. `String` compares after canonical normalization, which
/// would make one key of two that a document tells apart.
struct ExactText: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        areSame(left.text, right.text)
    }

    static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}

extension ModelDocument {
    /// The elements or members, shared.
    var node: DocumentNode? {
        switch storage {
        case .array(let node), .object(let node): node
        default: nil
        }
    }

    /// The elements or members, to be changed: copied if another document has them too.
    ///
    /// - Complexity: O(1) for the only owner, otherwise linear in the number of elements.
    mutating func uniqueNode() -> DocumentNode? {
        guard var node else { return nil }
        let isObject = kind == .object
        // Taken out of the document so that this one reference is not counted twice. A `switch`
        // with a binding would do, but keeps a copy of its own in debug builds.
        storage = .null
        if !isKnownUniquelyReferenced(&node) { node = DocumentNode(copying: node) }
        storage = isObject ? .object(node) : .array(node)
        return node
    }
}
