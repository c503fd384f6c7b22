/// A map in the order of its keys: a B-tree whose nodes are values.
///
/// A copy shares all nodes. Changing one of the copies makes new nodes on the path to the key only,
/// and where nothing is shared the nodes are changed in place. So a state of a table costs nothing
/// to keep, and needs no lock to be read.
///
/// Looking up, setting and removing a key look at ``height`` nodes, which is at most
/// 1 + log₁₆(``count``), and search each of them in a few steps.
struct SortedMap<Value: Sendable>: Sendable {
    /// Up to ``most`` keys and their values, and between them the nodes of the keys between.
    ///
    /// Invariant, kept by `split`, `fill` and by how the root grows and shrinks: a leaf has no
    /// children, any other node one more than keys; all leaves are at the same depth; a node other
    /// than the root has at least ``least`` keys.
    struct Node: Sendable {
        var keys: [RowKey] = []
        var values: [Value] = []
        var children: [Node] = []

        static var least: Int { 16 }
        static var most: Int { 32 }
    }

    private(set) var root = Node()
    /// The number of keys.
    private(set) var count = 0
    /// The number of nodes from the root to a leaf.
    private(set) var height = 1

    /// The value of a key.
    subscript(key: RowKey) -> Value? {
        var node = root
        while true {
            let (index, isFound) = node.position(of: key)
            if isFound { return node.values[index] }
            if node.children.isEmpty { return nil }
            node = node.children[index]
        }
    }

    /// Sets the value of a key, which may be new.
    mutating func set(_ key: RowKey, _ value: Value) {
        if root.set(key, value) { count += 1 }
        if root.keys.count > Node.most {
            let left = root
            root = Node(children: [left])
            root.split(0)
            height += 1
        }
    }

    /// Removes a key, if it is there.
    mutating func remove(_ key: RowKey) {
        if root.remove(key) { count -= 1 }
        if root.keys.isEmpty, let only = root.children.first {
            root = only
            height -= 1
        }
    }

    /// The keys from the first one on that is not before `key`, in their order; all of them without
    /// one.
    func iterator(from key: RowKey? = nil) -> Iterator {
        Iterator(root, from: key)
    }

    /// The keys from the last one on for which a condition does not hold, backwards; all of them without one.
    ///
    /// - Parameter isBeyond: Holds for no key before one for which it does not.
    func backwards(before isBeyond: ((RowKey) -> Bool)? = nil) -> BackwardIterator {
        BackwardIterator(root, before: isBeyond)
    }

    /// Goes over the keys and values of one state of the map, the last one first.
    struct BackwardIterator: IteratorProtocol {
        /// The nodes down to that of the next key, each with how many of its keys are to come.
        private var path: [(node: Node, rest: Int)] = []

        fileprivate init(_ root: Node, before isBeyond: ((RowKey) -> Bool)?) {
            var node = root
            while true {
                let rest = isBeyond.map { node.keys.firstIndex(where: $0) ?? node.keys.count }
                path.append((node, rest ?? node.keys.count))
                guard let child = node.children.isEmpty ? nil : node.children[path.last?.rest ?? 0]
                else { return }
                node = child
            }
        }

        mutating func next() -> (key: RowKey, value: Value)? {
            while let (node, rest) = path.last {
                guard rest > 0 else {
                    path.removeLast()
                    continue
                }
                path[path.count - 1].rest -= 1
                var child = node.children.isEmpty ? nil : node.children[rest - 1]
                while let last = child {
                    path.append((last, last.keys.count))
                    child = last.children.last
                }
                return (node.keys[rest - 1], node.values[rest - 1])
            }
            return nil
        }
    }

    /// Goes over the keys and values of one state of the map.
    struct Iterator: IteratorProtocol {
        /// The nodes down to that of the next key, each with the position of its next key.
        private var path: [(node: Node, next: Int)] = []

        fileprivate init(_ root: Node, from key: RowKey?) {
            var node = root
            while true {
                let (index, isFound) = key.map { node.position(of: $0) } ?? (0, false)
                path.append((node, index))
                if isFound || node.children.isEmpty { return }
                node = node.children[index]
            }
        }

        mutating func next() -> (key: RowKey, value: Value)? {
            while let (node, index) = path.last {
                guard index < node.keys.count else {
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                var child = node.children.isEmpty ? nil : node.children[index + 1]
                while let first = child {
                    path.append((first, 0))
                    child = first.children.first
                }
                return (node.keys[index], node.values[index])
            }
            return nil
        }
    }
}

extension SortedMap.Node {
    /// Where a key is, or where it would be.
    func position(of key: RowKey) -> (index: Int, isFound: Bool) {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            let order = keys[middle].order(relativeTo: key)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// Sets the value of a key below this node, and says whether it is new. The node may have one
    /// key too many afterwards.
    fileprivate mutating func set(_ key: RowKey, _ value: Value) -> Bool {
        let (index, isFound) = position(of: key)
        if isFound {
            values[index] = value
            return false
        }
        guard !children.isEmpty else {
            keys.insert(key, at: index)
            values.insert(value, at: index)
            return true
        }
        let isNew = children[index].set(key, value)
        if children[index].keys.count > Self.most { split(index) }
        return isNew
    }

    /// Makes two children of one that is too large. The key between them becomes one of this node.
    fileprivate mutating func split(_ index: Int) {
        let child = children[index]
        let middle = child.keys.count / 2
        let left = Self(
            keys: Array(child.keys[..<middle]),
            values: Array(child.values[..<middle]),
            children: Array(child.children.prefix(middle + 1))
        )
        let right = Self(
            keys: Array(child.keys[(middle + 1)...]),
            values: Array(child.values[(middle + 1)...]),
            children: Array(child.children.dropFirst(middle + 1))
        )
        keys.insert(child.keys[middle], at: index)
        values.insert(child.values[middle], at: index)
        children[index] = left
        children.insert(right, at: index + 1)
    }

    /// Removes a key below this node, and says whether it was there. The node may have one key too
    /// few afterwards.
    fileprivate mutating func remove(_ key: RowKey) -> Bool {
        let (index, isFound) = position(of: key)
        guard !children.isEmpty else {
            guard isFound else { return false }
            keys.remove(at: index)
            values.remove(at: index)
            return true
        }
        var isRemoved = isFound
        if isFound {
            // The key before it is in a leaf and takes its place.
            (keys[index], values[index]) = children[index].removeLast()
        } else {
            isRemoved = children[index].remove(key)
        }
        fill(index)
        return isRemoved
    }

    /// Removes the last key below this node, which has one.
    private mutating func removeLast() -> (RowKey, Value) {
        guard !children.isEmpty else { return (keys.removeLast(), values.removeLast()) }
        let last = children[children.count - 1].removeLast()
        fill(children.count - 1)
        return last
    }

    /// Gives a child that has one key too few one of a neighbour's, or makes one child of the two.
    private mutating func fill(_ index: Int) {
        guard children[index].keys.count < Self.least else { return }
        if index > 0, children[index - 1].keys.count > Self.least {
            children[index].keys.insert(keys[index - 1], at: 0)
            children[index].values.insert(values[index - 1], at: 0)
            keys[index - 1] = children[index - 1].keys.removeLast()
            values[index - 1] = children[index - 1].values.removeLast()
            if let child = children[index - 1].children.popLast() {
                children[index].children.insert(child, at: 0)
            }
        } else if index + 1 < children.count, children[index + 1].keys.count > Self.least {
            children[index].keys.append(keys[index])
            children[index].values.append(values[index])
            keys[index] = children[index + 1].keys.removeFirst()
            values[index] = children[index + 1].values.removeFirst()
            if !children[index + 1].children.isEmpty {
                children[index].children.append(children[index + 1].children.removeFirst())
            }
        } else {
            let left = index > 0 ? index - 1 : index
            let right = children.remove(at: left + 1)
            children[left].keys.append(keys.remove(at: left))
            children[left].values.append(values.remove(at: left))
            children[left].keys += right.keys
            children[left].values += right.values
            children[left].children += right.children
        }
    }
}
