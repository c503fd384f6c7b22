extension ModelDocument {
    /// The value at a path: `document["groups[0].name"]`.
    ///
    /// ```swift
    /// var document: ModelDocument = ["groups": [["name": "x"]]]
    /// document["groups[0].name"] = "first"
    /// document["groups[1].name"] = "second"  // appends an element with a member
    /// document["groups[0]"] = nil
    /// // {"groups":[{"name":"second"}]}
    /// ```
    ///
    /// A dot separates names, `[3]` is an index, `\.` a literal dot, and `["…"]` a name as it is,
    /// so a path that an error printed works. Every text is a path; for names that come from
    /// somewhere else use ``subscript(key:)``.
    ///
    /// Of a repeated key the last member counts. Reading gives nil where there is nothing. Setting
    /// adds what is missing on the way: members at the end of their objects, an element directly
    /// after the last one; null gives way. Where something of another kind is in the way, nothing
    /// changes: use ``set(_:to:)`` to have an error instead. Setting nil removes as
    /// ``remove(_:)`` does.
    ///
    /// - Complexity: linear in the length of the path, however large the document is, except for
    ///   removing, for storage shared with a copy, and for the first look-up in an object of more
    ///   than 16 members, which makes a table of its names.
    public subscript(path: String) -> ModelDocument? {
        get {
            PathComponent.isName(path) ? member(path) : value(atPath: path)
        }
        set {
            if isObject, PathComponent.isName(path) {
                setMember(path, to: newValue)
            } else {
                putBack(newValue, atPath: path)
            }
        }
        _modify {
            let path = PathComponent.parse(path)
            var value = take(at: path)
            defer { putBack(value, at: path) }
            yield &value
        }
    }

    /// The member of this name, in which nothing is an escape. See ``subscript(_:)-(String)``.
    ///
    /// ```swift
    /// document[key: "Test.Domain"] = ["version": 2]
    /// let version = document[key: "Test.Domain"]?["version"]?.intValue
    /// ```
    ///
    /// - Complexity: O(1), with the exceptions of ``subscript(_:)-(String)``.
    public subscript(key key: String) -> ModelDocument? {
        get { member(key) }
        set {
            if isObject {
                setMember(key, to: newValue)
            } else {
                putBack(newValue, at: [.key(key)])
            }
        }
        _modify {
            let path = [PathComponent.key(key)]
            var value = take(at: path)
            defer { putBack(value, at: path) }
            yield &value
        }
    }

    /// The element at this place; nil where there is none. See ``subscript(_:)-(String)``.
    ///
    /// ```swift
    /// var list: ModelDocument = ["a", "b"]
    /// list[list.count] = "c"
    /// list[0] = nil
    /// // ["b","c"]
    /// ```
    ///
    /// An index outside of the array gives nil, and setting it changes nothing; there is no trap.
    ///
    /// - Complexity: O(1); linear for removing and for storage shared with a copy.
    public subscript(index: Int) -> ModelDocument? {
        get { child(.index(index)) }
        set { putBack(newValue, at: [.index(index)]) }
        _modify {
            let path = [PathComponent.index(index)]
            var value = take(at: path)
            defer { putBack(value, at: path) }
            yield &value
        }
    }

    /// Sets the value at a path, and adds what is missing on the way.
    ///
    /// ```swift
    /// var document: ModelDocument = ["groups": "none"]
    /// try document.set("groups[0].name", to: "first")
    /// // throws: groups: expected array, found string
    /// ```
    ///
    /// - Complexity: that of ``subscript(_:)-(String)``; the path is walked twice.
    /// - Throws: ``ModelDecodingError`` when something of another kind is in the way
    ///   (`typeMismatch`) or an index is above the number of elements (`rejected`); then nothing is
    ///   changed.
    public mutating func set(_ path: String, to value: ModelDocument) throws {
        let path = PathComponent.parse(path)
        if let obstacle = obstacle(on: path) { throw obstacle }
        put(value, at: path)
    }

    /// Removes the value at a path: an element, or all members of a repeated key.
    ///
    /// ```swift
    /// let old = document.remove("domains[0].old")
    /// ```
    ///
    /// The empty path is the document itself, which becomes null.
    ///
    /// - Returns: what ``subscript(_:)-(String)`` would have given.
    /// - Complexity: linear in the number of siblings, for each member that is removed.
    @discardableResult
    public mutating func remove(_ path: String) -> ModelDocument? {
        if PathComponent.isName(path) { return removeMember(path) }
        return remove(atPath: path)
    }

    /// Gives the member at a path another name; its place among its siblings stays.
    ///
    /// ```swift
    /// static func migrate(_ document: inout ModelDocument, from version: Int) {
    ///     if version == 1 { document.rename("groups", to: "domains") }
    /// }
    /// ```
    ///
    /// Nothing is lost: if there is a member of that name already, the object has two, which a
    /// model refuses to read.
    ///
    /// - Parameter name: the name alone, not a path; nothing in it is an escape.
    /// - Returns: whether there was such a member. All members of a repeated key are renamed.
    /// - Complexity: linear in the number of siblings.
    @discardableResult
    public mutating func rename(_ path: String, to name: String) -> Bool {
        if PathComponent.isName(path) { return renameMember(path, to: name) }
        let path = PathComponent.parse(path)
        guard case .key(let key) = path.last,
            place(at: path) != nil, let node = node(at: path.dropLast())
        else { return false }
        return node.rename(key, to: name)
    }
}

// Paths are walked in loops: a path may be as long as a tree is deep.

extension ModelDocument {
    // Out of line, so that the public functions are short for a name.

    @inline(never)
    private func value(atPath path: String) -> ModelDocument? {
        value(at: PathComponent.parse(path))
    }

    @inline(never)
    private mutating func putBack(_ value: ModelDocument?, atPath path: String) {
        putBack(value, at: PathComponent.parse(path))
    }

    @inline(never)
    private mutating func remove(atPath path: String) -> ModelDocument? {
        remove(at: PathComponent.parse(path))
    }

    /// The value that a step leads to; nil where there is none, or the document is of another kind.
    private func child(_ component: PathComponent) -> ModelDocument? {
        switch (component, storage) {
        case (.key(let key), .object(let node)): return node.value(of: key)
        case (.index(let index), .array(let node)):
            // An optional of its own: in an expression `nil` would be the document's null.
            guard 0..<node.count ~= index else { return Optional.none }
            return node.value(at: index)
        default: return Optional.none
        }
    }

    /// The place of the value that a step leads to, in this container.
    private func place(of component: PathComponent) -> Int? {
        switch (component, storage) {
        case (.key(let key), .object(let node)): node.lastPlace(of: key)
        case (.index(let index), .array(let node)): 0..<node.count ~= index ? index : nil
        default: nil
        }
    }

    /// The place of the value at a path in the container around it. A function of its own, so that
    /// nobody holds the container when it is about to be changed.
    @inline(never)
    private func place(at path: [PathComponent]) -> Int? {
        guard let last = path.last else { return nil }
        return value(at: path.dropLast())?.place(of: last)
    }

    /// The value at a path; the document itself at the empty one.
    private func value(at path: some Collection<PathComponent>) -> ModelDocument? {
        var current = self
        for component in path {
            guard let next = current.child(component) else { return nil }
            current = next
        }
        return current
    }

    /// The container at a path that exists, ready to be changed, and all on the way to it: shared
    /// nodes are copied from the root down, so that each is held by its parent alone.
    private mutating func node(at path: ArraySlice<PathComponent>) -> DocumentNode? {
        guard var node = uniqueNode() else { return nil }
        var isObject = kind == .object
        for component in path {
            let place: Int?
            switch component {
            case .key(let key): place = isObject ? node.lastPlace(of: key) : nil
            case .index(let index):
                place = !isObject && 0..<node.count ~= index ? index : nil
            }
            guard let place else { return nil }
            let (next, kind) = node.modify(at: place) { ($0.uniqueNode(), $0.kind) }
            guard let next else { return nil }
            isObject = kind == .object
            node = next
        }
        return node
    }

    /// Moves the value at a path out of the document and leaves null in its place, so that
    /// `_modify` changes the only copy. ``putBack(_:at:)`` ends it.
    private mutating func take(at path: [PathComponent]) -> ModelDocument? {
        var taken = ModelDocument.null
        guard !path.isEmpty else {
            swap(&self, &taken)
            return taken
        }
        guard let place = place(at: path), let node = node(at: path.dropLast())
        else { return nil }
        return node.modify(at: place) { value in
            swap(&value, &taken)
            return taken
        }
    }

    /// What the setters do: nil removes, and an obstacle leaves the document as it is.
    private mutating func putBack(_ value: ModelDocument?, at path: [PathComponent]) {
        guard let value else {
            _ = remove(at: path)
            return
        }
        if obstacle(on: path) == nil { put(value, at: path) }
    }

    /// Removes the value at a path; the whole document becomes null.
    private mutating func remove(at path: [PathComponent]) -> ModelDocument? {
        guard let last = path.last else {
            defer { self = .null }
            return self
        }
        guard let value = value(at: path), let node = node(at: path.dropLast()) else { return nil }
        switch last {
        case .key(let key): _ = node.remove(key)
        case .index(let index): _ = node.remove(at: index)
        }
        return value
    }

    /// Why nothing can be put at a path; nil when something can.
    ///
    /// The last step's own value is no obstacle, and neither is anything below a missing value or
    /// null: only an index above the number of elements is.
    private func obstacle(on path: [PathComponent]) -> ModelDecodingError? {
        var current: ModelDocument? = self
        var walked = DocumentPath()
        var walkedCount = 0
        for component in path {
            let isMissing = current?.isNull ?? true
            switch component {
            case .key(let key):
                if !isMissing, current?.kind != .object {
                    return mismatch(walked, expected: "object", found: current)
                }
                walked.append(key: key)
            case .index(let index):
                if !isMissing, current?.kind != .array {
                    return mismatch(walked, expected: "array", found: current)
                }
                let count = current?.count ?? 0
                if index < 0 || index > count {
                    return ModelDecodingError(
                        kind: .rejected,
                        path: walked.text,
                        expected: "an index from 0 to \(count)",
                        found: "\(index)"
                    )
                }
                walked.append(index: index)
            }
            walkedCount += 1
            // The value at the end of the path gives way, whatever it is.
            if walkedCount == path.count { break }
            current = isMissing ? nil : current?.child(component)
        }
        return nil
    }

    /// The error that a step of a path meets a value of another kind.
    private func mismatch(
        _ path: DocumentPath,
        expected: String,
        found: ModelDocument?
    ) -> ModelDecodingError {
        ModelDecodingError(
            kind: .typeMismatch,
            path: path.text,
            expected: expected,
            found: found.map { "\($0.kind)" } ?? "nothing"
        )
    }

    /// Puts a value at a path without obstacles: the caller has asked ``obstacle(on:)``.
    private mutating func put(_ value: ModelDocument, at path: [PathComponent]) {
        guard let first = path.first, let last = path.last else {
            self = value
            return
        }
        if isNull { self = .empty(for: first) }
        guard var node = uniqueNode() else { return }
        for (component, next) in zip(path, path.dropFirst()) {
            let place = node.placeForPutting(component)
            let child = node.modify(at: place) { value in
                if value.isNull { value = .empty(for: next) }
                return value.uniqueNode()
            }
            guard let child else { return }
            node = child
        }
        let place = node.placeForPutting(last)
        node.set(value, at: place)
    }

    /// The container that a step can be taken in.
    private static func empty(for component: PathComponent) -> ModelDocument {
        switch component {
        case .key: ModelDocument(.object(DocumentNode()))
        case .index: ModelDocument(.array(DocumentNode()))
        }
    }
}

extension DocumentNode {
    /// The place that a step leads to, after a null was added there if it was missing.
    fileprivate func placeForPutting(_ component: PathComponent) -> Int {
        switch component {
        case .key(let key):
            if let place = lastPlace(of: key) { return place }
            append(key, .null)
        case .index(let index):
            if 0..<count ~= index { return index }
            append(.null)
        }
        return count - 1
    }
}
