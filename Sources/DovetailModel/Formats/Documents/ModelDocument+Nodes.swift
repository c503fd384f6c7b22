// How a document and the node that it holds are taken apart and put together.

extension ModelDocument {
    /// The elements or members, shared; nil for a scalar.
    var node: DocumentNode? {
        switch storage {
        case .array(let node), .object(let node): node
        default: nil
        }
    }

    /// Whether it is an array or an object, without a copy of what it holds.
    @inline(__always)
    var isContainer: Bool {
        switch storage {
        case .array, .object: true
        default: false
        }
    }

    /// Takes the members out and leaves null. Nil for what is not an object, which stays as it is.
    ///
    /// The document no longer counts as an owner then, so the caller can ask whether it is the only
    /// one, and puts the node back after its change.
    @inline(__always)
    mutating func takeMembers() -> DocumentNode? {
        guard isObject, case .object(let node) = exchange(&storage, with: .null) else {
            return nil
        }
        return node
    }

    /// Puts back the members that ``takeMembers()`` took.
    @inline(__always)
    mutating func putBack(_ node: consuming DocumentNode) {
        // Null, which is there now, needs no release.
        withUnsafeMutablePointer(to: &storage) { $0.initialize(to: .object(node)) }
    }

    /// Whether it is an object, without a copy of what it holds.
    @inline(__always)
    var isObject: Bool {
        if case .object = storage { true } else { false }
    }

    /// The elements or members, to be changed: copied if another document has them too. Nil for a
    /// scalar. Copy on write happens here: afterwards this document alone holds the node.
    ///
    /// - Complexity: O(1) for the only owner, otherwise linear in the number of elements, at the
    ///   latest when the copy is changed.
    mutating func uniqueNode() -> DocumentNode? {
        guard var node else { return nil }
        let isObject = isObject
        // Taken out of the document so that this one reference is not counted twice. A `switch`
        // with a binding would do, but keeps a copy of its own in debug builds.
        storage = .null
        if !isKnownUniquelyReferenced(&node) { node = DocumentNode(copying: node) }
        storage = isObject ? .object(node) : .array(node)
        return node
    }
}
