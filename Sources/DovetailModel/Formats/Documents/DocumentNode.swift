import Synchronization

/// The elements of an array or the members of an object, shared by copies of a document.
///
/// A class, because only a class can be freed without recursion when a tree is deep, and because a
/// value deep inside can be changed without copying what is above it.
///
/// The members that a migration gets are not read before somebody asks for them
/// (LazyMembers.swift). Reading ``keys`` and ``values`` reads all of them; the functions about
/// one member read no more than that member.
///
/// Invariant of the unchecked `Sendable`: elements are only changed by a caller that has just made
/// sure that it holds the only reference (``ModelDocument/uniqueNode()``, `takeOwnMembers` in
/// ModelDocument+Members.swift, `MigratedObject.takeBack(_:)`), or in `deinit`. Readers fill the
/// look-up table and read unread members under `lock`. The only owner does both without it: a
/// migration makes millions of them. `allKeys` and `allValues` are filled before `isUnread` turns
/// false with release order, and read after it was seen with acquire order (``readAll()``).
final class DocumentNode: @unchecked Sendable {
    /// The names; as many as values in an object, none in an array. Valid when not `isUnread`.
    @exclusivity(unchecked) private var allKeys: [String] = []
    /// The elements or the values of the members. Valid when not `isUnread`.
    @exclusivity(unchecked) private var allValues: [ModelDocument] = []
    /// Whether the members are those of `lazyMembers`.
    private let isUnread: Atomic<Bool>
    /// Held by readers while they use what follows.
    private let lock = Mutex(())
    /// What `allKeys` and `allValues` are made of when somebody asks for them.
    @exclusivity(unchecked) private var lazyMembers: LazyMembers?
    /// The last place of each key. Only made for objects of many members.
    @exclusivity(unchecked) private var places: [ExactText: Int]?
    /// How often a member was looked up in an object of many unread members.
    @exclusivity(unchecked) private var lookUps = 0

    /// Up to how many members a look-up goes over the keys.
    private static let fewKeys = 16
    /// How many look-ups may go over the names of a large object that was not read. Afterwards it
    /// is read, so that it gets a table.
    private static let fewLookUps = 16

    /// Makes a node of read elements or members.
    ///
    /// - Parameter keys: one for each value of an object; none for an array.
    init(keys: [String] = [], values: [ModelDocument] = []) {
        allKeys = keys
        allValues = values
        isUnread = Atomic(false)
    }

    /// Makes a node of members that are read when somebody asks for them.
    init(_ unread: LazyMembers) {
        isUnread = Atomic(true)
        lazyMembers = unread
    }

    /// Copies a node for a change; the nodes below are shared. Unread members stay unread. The
    /// table of places is not copied.
    ///
    /// - Complexity: O(1) for read members, whose arrays are shared until the change; linear for
    ///   unread ones.
    init(copying other: DocumentNode) {
        let unread = other.copyOfLazy()
        isUnread = Atomic(unread != nil)
        lazyMembers = unread
        if unread == nil {
            allKeys = other.allKeys
            allValues = other.allValues
        }
    }

    /// Frees a tree of any depth with a list of nodes instead of recursion: a node that nobody else
    /// holds gives up its children before it is freed, so its own `deinit` finds none.
    deinit {
        var pending: [DocumentNode] = []
        takeNodes(into: &pending)
        while var node = pending.popLast() {
            if isKnownUniquelyReferenced(&node) { node.takeNodes(into: &pending) }
        }
    }

    /// Moves the nodes of the elements out of this one. Called by `deinit` and for a node with one
    /// reference, so nobody else looks.
    private func takeNodes(into pending: inout [DocumentNode]) {
        if isUnread.load(ordering: .acquiring) {
            if let lazyMembers {
                for value in lazyMembers.values.elements {
                    if let node = value.node { pending.append(node) }
                }
            }
            lazyMembers = nil
        }
        for index in allValues.indices where allValues[index].node != nil {
            if let node = allValues[index].node { pending.append(node) }
            allValues[index].storage = .null
        }
    }

    // MARK: All members

    /// One for each value in an object, none in an array.
    ///
    /// - Complexity: O(1); linear in the members and all below them when they were not read yet.
    ///   The same holds for ``values`` and ``elements``.
    var keys: [String] {
        readAll()
        return allKeys
    }

    /// The elements, or the values of the members. Changed in place by the only owner.
    var values: [ModelDocument] {
        get {
            readAll()
            return allValues
        }
        _modify {
            readAll()
            yield &allValues
        }
    }

    /// Where all members are in memory; valid as long as the node lives and nobody changes it.
    /// ``TreeInput`` sees to both.
    var elements: Elements {
        readAll()
        return Elements(
            keys: allKeys.withUnsafeBufferPointer { $0.baseAddress },
            values: allValues.withUnsafeBufferPointer { $0.baseAddress },
            count: allValues.count
        )
    }

    /// The members of an object or the elements of an array.
    ///
    /// Invariant: the arrays are native ones, as all are on Linux, so their elements do not move
    /// while the arrays are not changed.
    struct Elements {
        let keys: UnsafePointer<String>?
        let values: UnsafePointer<ModelDocument>?
        let count: Int
    }

    /// Reads what was not read yet. Of several readers the first one reads, under the lock.
    private func readAll() {
        guard isUnread.load(ordering: .acquiring) else { return }
        lock.withLock { _ in
            guard let unread = lazyMembers else { return }
            (allKeys, allValues) = unread.all()
            lazyMembers = nil
            isUnread.store(false, ordering: .releasing)
        }
    }

    // MARK: Members that were not read

    /// A copy of the members that were not read; nil when they were.
    private func copyOfLazy() -> LazyMembers? {
        var copy: LazyMembers?
        withLazy { copy = LazyMembers(copying: $0) }
        return copy
    }

    /// Makes the node hold `members` again, which a migration lends it for each object anew. For
    /// the owner of the only reference (`MigratedObject.takeBack(_:)`).
    ///
    /// - Returns: the members that the node held instead, read or made by the migration, which the
    ///   caller puts into `members`; nil when the node still holds `members`, changed in place.
    func renew(_ members: LazyMembers) -> (keys: [String], values: [ModelDocument])? {
        if places != nil { places = nil }
        lookUps = 0
        if lazyMembers === members { return nil }
        let read = (keys, values)
        lazyMembers = members
        (allKeys, allValues) = ([], [])
        isUnread.store(true, ordering: .releasing)
        return read
    }

    /// Runs `body` with the members under the lock when they were not read. Nil when they were, and
    /// when `body` gives nil.
    @discardableResult
    private func withLazy<Result: Sendable>(_ body: (LazyMembers) -> Result?) -> Result? {
        guard isUnread.load(ordering: .acquiring) else { return nil }
        return lock.withLock { _ in
            // Unmanaged, so that nobody counts a reference: the node holds the members.
            guard let unread = lazyMembers.map(Unmanaged.passUnretained) else { return nil }
            return unread._withUnsafeGuaranteedRef(body)
        }
    }

    // MARK: One member, for readers

    /// The number of elements or members. Complexity: O(1).
    var count: Int { withLazy { $0.count } ?? allValues.count }

    /// The value at a place, which has to be below ``count``.
    ///
    /// - Complexity: O(1); linear in the value when it was not read yet. An unread container is
    ///   kept once it is read, any other value is read again each time.
    func value(at place: Int) -> ModelDocument {
        withLazy { $0.value(at: place) } ?? allValues[place]
    }

    /// The value of the last member of this name.
    ///
    /// - Complexity: as that of ``lastPlace(of:)`` and ``value(at:)``.
    func value(of key: String) -> ModelDocument? {
        guard isUnread.load(ordering: .acquiring) else { return valueOfRead(key) }
        // In few members both at once, under one lock.
        var value: ModelDocument?
        let isDone = lock.withLock { _ in
            guard let unread = fewUnread else { return false }
            value = unread._withUnsafeGuaranteedRef { $0.value(of: key) }
            return true
        }
        return isDone ? value : valueOfRead(key)
    }

    /// The same of members that were read, or are many.
    @inline(never)
    private func valueOfRead(_ key: String) -> ModelDocument? {
        lastPlace(of: key).map { value(at: $0) }
    }

    /// The place of the last member of this name; nil without one.
    ///
    /// - Complexity: linear up to 16 members. Beyond them O(1) after the first look-up, which makes
    ///   a table. Of members that were not read the first 16 look-ups go over the names; the next
    ///   one reads all of them.
    func lastPlace(of key: String) -> Int? {
        let answer = withLazy { unread -> (isFinal: Bool, place: Int?)? in
            if unread.count > Self.fewKeys { lookUps += 1 }
            return lookUps > Self.fewLookUps ? nil : (true, unread.lastPlace(of: key))
        }
        if let answer { return answer.place }
        let keys = keys
        guard keys.count > Self.fewKeys else {
            return keys.lastIndex { ExactText.areSame($0, key) }
        }
        return lock.withLock { _ in
            if let places { return places[ExactText(key)] }
            var all = [ExactText: Int](minimumCapacity: keys.count)
            for place in keys.indices { all[ExactText(keys[place])] = place }
            places = all
            return all[ExactText(key)]
        }
    }

    /// All places of members of this name. Complexity: linear.
    func places(of key: String) -> [Int] {
        if let places = withLazy({ $0.places(of: key) }) { return places }
        return allKeys.indices.filter { ExactText.areSame(allKeys[$0], key) }
    }

    // MARK: Changes, by the owner of the only reference
    //
    // Unread members are changed as they are, without being read, where that takes no table.

    /// The members when they were not read, and are too few for a table. Nobody counts a reference:
    /// the node holds them.
    @inline(__always)
    private var fewUnread: Unmanaged<LazyMembers>? {
        guard let unread = lazyMembers.map(Unmanaged.passUnretained) else { return nil }
        return unread._withUnsafeGuaranteedRef { $0.count <= Self.fewKeys } ? unread : nil
    }

    /// Lets the value at a place be changed. Complexity: that of ``value(at:)`` and of `body`.
    func modify<Result>(at place: Int, _ body: (inout ModelDocument) -> Result) -> Result {
        lazyMembers?.modify(at: place, body) ?? body(&allValues[place])
    }

    /// Puts a value at a place, which has to be below ``count``. Complexity: O(1).
    func set(_ value: ModelDocument, at place: Int) {
        if lazyMembers?.set(value, at: place) == nil { allValues[place] = value }
    }

    /// Puts a value in the place of the last member of this name, or at the end.
    ///
    /// - Complexity: that of ``lastPlace(of:)``.
    @inline(__always)
    func set(_ value: consuming ModelDocument, of key: String) {
        // Moved out of a variable, so that nobody counts a reference.
        var given = consume value
        if let unread = fewUnread {
            unread._withUnsafeGuaranteedRef { $0.set(exchange(&given, with: .null), of: key) }
        } else if let place = lastPlace(of: key) {
            set(given, at: place)
        } else {
            append(key, given)
        }
    }

    /// Adds a member. Complexity: O(1).
    func append(_ key: String, _ value: ModelDocument) {
        if lazyMembers?.append(key, value) != nil { return }
        allKeys.append(key)
        allValues.append(value)
        if allKeys.count > Self.fewKeys { places?[ExactText(key)] = allKeys.count - 1 }
    }

    /// Adds an element. Complexity: O(1).
    func append(_ value: ModelDocument) {
        if lazyMembers?.append(nil, value) == nil { allValues.append(value) }
    }

    /// Removes the member or element at a place. Complexity: linear.
    func remove(at place: Int) -> ModelDocument {
        if let value = lazyMembers?.remove(at: place) { return value }
        if !allKeys.isEmpty {
            allKeys.remove(at: place)
            places = nil
        }
        return allValues.remove(at: place)
    }

    /// Removes the members of a name and gives the value of the last one.
    ///
    /// - Complexity: linear in the number of members for each one that is removed.
    @inline(__always)
    func remove(_ key: String) -> ModelDocument? {
        if let unread = fewUnread { return unread._withUnsafeGuaranteedRef { $0.remove(key) } }
        return removeOfRead(key)
    }

    /// The same of members that were read, or are many.
    @inline(never)
    private func removeOfRead(_ key: String) -> ModelDocument? {
        guard let last = lastPlace(of: key) else { return nil }
        let value = remove(at: last)
        for place in places(of: key).reversed() { _ = remove(at: place) }
        return value
    }

    /// Gives the members of a name another one.
    ///
    /// - Returns: whether there was one.
    /// - Complexity: linear.
    func rename(_ key: String, to name: String) -> Bool {
        if let wasThere = lazyMembers?.rename(key, to: name) { return wasThere }
        let renamed = places(of: key)
        for place in renamed { allKeys[place] = name }
        places = nil
        return !renamed.isEmpty
    }
}
