// Members of the document itself, which most paths lead to. No path is made of a name that has no
// dot, bracket or backslash.
//
// What a migration does to each of many records goes through here. So a change counts no reference
// to the node, and most is inlined into the public functions: a value that is handed on through
// memory is waited for.

extension ModelDocument {
    /// The value of the last member of a name.
    func member(_ key: String) -> ModelDocument? {
        guard let node = unownedMembers else { return Optional.none }
        return withExtendedLifetime(self) {
            node._withUnsafeGuaranteedRef { $0.value(of: key) }
        }
    }

    /// The members of an object, which nobody counts a reference to.
    ///
    /// Invariant: the caller keeps the document for as long as it uses them.
    @inline(__always)
    private var unownedMembers: Unmanaged<DocumentNode>? {
        guard case .object(let node) = storage else { return nil }
        return .passUnretained(node)
    }

    @inline(__always)
    mutating func setMember(_ key: String, to value: consuming ModelDocument?) {
        guard let value = consume value else {
            _ = removeMember(key)
            return
        }
        guard let node = takeOwnMembers() else { return }
        node.set(consume value, of: key)
        putBack(node)
    }

    @inline(__always)
    mutating func removeMember(_ key: String) -> ModelDocument? {
        guard let node = takeOwnMembers(with: key) else { return Optional.none }
        let removed = node.remove(key)
        putBack(node)
        return removed
    }

    mutating func renameMember(_ key: String, to name: String) -> Bool {
        guard let node = takeOwnMembers(with: key) else { return false }
        let wasThere = node.rename(key, to: name)
        putBack(node)
        return wasThere
    }

    /// Takes out the members of an object to change them: a copy where the storage is shared. They
    /// have to be put back. Nil when this is no object, which then stays as it is.
    ///
    /// - Parameter key: a name without which nothing would be changed. Shared storage that lacks it
    ///   is not copied, and the result is nil.
    @inline(__always)
    private mutating func takeOwnMembers(with key: String? = nil) -> DocumentNode? {
        guard var node = takeMembers() else { return nil }
        if isKnownUniquelyReferenced(&node) { return node }
        if let key, node.lastPlace(of: key) == nil {
            putBack(node)
            return nil
        }
        return DocumentNode(copying: node)
    }
}
