import Synchronization

/// The elements of an array or the members of an object, shared by copies of a document.
///
/// A class, because only a class can be taken apart without recursion when a deep tree is freed,
/// and because a place deep inside can be changed without taking apart what is above it.
///
/// The members that a migration gets are not read before somebody asks for them
/// (UnreadMembers.swift); whoever uses ``keys`` and ``values`` has all of them read.
///
/// Invariant of the unchecked `Sendable`: elements are only changed by a caller that has just made
/// sure that it holds the one reference (``ModelDocument/uniqueNode()``), or in `deinit`. What
/// readers fill, the look-up table and members that were not read, is behind a lock; `allKeys` and
/// `allValues` are filled from it before `isUnread` says so.
final class DocumentNode: @unchecked Sendable {
    private var allKeys: [String] = []
    private var allValues: [ModelDocument] = []
    /// Whether the members are those of `shared`.
    private let isUnread: Atomic<Bool>
    private let shared: Mutex<Shared>

    private struct Shared {
        /// The last place of each key. Only made for objects of many members.
        var places: [ExactText: Int]?
        /// What `allKeys` and `allValues` are made of when somebody asks for them.
        var unread: UnreadMembers?
        /// How often a member of many was looked up.
        var lookUps = 0
    }

    /// Up to how many members a look-up goes over the keys.
    private static let fewKeys = 16
    /// How many look-ups may go over the names of a large object that was not read. Afterwards it
    /// is, so that it gets a table.
    private static let fewLookUps = 16

    init(keys: [String] = [], values: [ModelDocument] = []) {
        allKeys = keys
        allValues = values
        isUnread = Atomic(false)
        shared = Mutex(Shared())
    }

    init(_ unread: UnreadMembers) {
        isUnread = Atomic(true)
        shared = Mutex(Shared(unread: unread))
    }

    init(copying other: DocumentNode) {
        let unread = other.unread
        if unread == nil {
            allKeys = other.allKeys
            allValues = other.allValues
        }
        isUnread = Atomic(unread != nil)
        shared = Mutex(Shared(unread: unread))
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
        if isUnread.load(ordering: .acquiring) {
            for value in takeUnread()?.values ?? [] {
                if let node = value.node { pending.append(node) }
            }
        }
        for index in allValues.indices where allValues[index].node != nil {
            if let node = allValues[index].node { pending.append(node) }
            allValues[index].storage = .null
        }
    }

    // MARK: All members

    /// One for each value in an object, none in an array.
    var keys: [String] {
        readAll()
        return allKeys
    }

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

    /// Reads what was not read yet.
    private func readAll() {
        guard isUnread.load(ordering: .acquiring) else { return }
        shared.withLock { shared in
            guard let unread = shared.unread else { return }
            (allKeys, allValues) = unread.all()
            shared.unread = nil
            isUnread.store(false, ordering: .releasing)
        }
    }

    // MARK: Members that were not read

    /// The members when they were not read.
    var unread: UnreadMembers? {
        guard isUnread.load(ordering: .acquiring) else { return nil }
        return shared.withLock { $0.unread }
    }

    /// The values that may be anything; what was not read is text of JSON.
    var changedValues: [ModelDocument] { unread?.values ?? allValues }

    /// Takes the members out of the node, for the owner of the one reference.
    func takeUnread() -> UnreadMembers? {
        guard isUnread.load(ordering: .acquiring) else { return nil }
        isUnread.store(false, ordering: .releasing)
        return shared.withLock { $0.unread.take() }
    }

    /// Puts members into an empty node, for the owner of the one reference.
    func putUnread(_ members: consuming UnreadMembers) {
        let shared = Shared(unread: members)
        self.shared.withLock { $0 = shared }
        isUnread.store(true, ordering: .releasing)
    }

    /// Gives what `body` does with the members when they were not read; nil when they were.
    private func withUnread<Result: Sendable>(
        _ body: (inout UnreadMembers?) -> Result?
    ) -> Result? {
        guard isUnread.load(ordering: .acquiring) else { return nil }
        return shared.withLock { body(&$0.unread) }
    }

    // MARK: One member

    var count: Int { withUnread { $0?.members.count } ?? allValues.count }

    /// The value at a place.
    ///
    /// - Complexity: O(1); linear in the value when it was not read yet.
    func value(at place: Int) -> ModelDocument {
        withUnread { $0?.value(at: place) } ?? allValues[place]
    }

    /// Lets the value at a place be changed.
    func modify<Result: Sendable>(
        at place: Int,
        _ body: (inout ModelDocument) -> Result
    ) -> Result {
        withUnread { $0?.modify(at: place, body) } ?? body(&allValues[place])
    }

    /// Puts a value at a place.
    func set(_ value: ModelDocument, at place: Int) {
        if withUnread({ $0?.set(value, at: place) }) == nil { allValues[place] = value }
    }

    /// Where the last member of this name stands.
    ///
    /// - Complexity: O(1); the first look-up in an object of many members is linear.
    func lastPlace(of key: String) -> Int? {
        if isUnread.load(ordering: .acquiring) {
            let answer = shared.withLock { shared -> (isFinal: Bool, place: Int?) in
                guard let count = shared.unread?.members.count else { return (false, nil) }
                if count > Self.fewKeys { shared.lookUps += 1 }
                if shared.lookUps > Self.fewLookUps { return (false, nil) }
                return (true, shared.unread?.lastPlace(of: key))
            }
            if answer.isFinal { return answer.place }
        }
        let keys = keys
        guard keys.count > Self.fewKeys else {
            return keys.lastIndex { ExactText.areSame($0, key) }
        }
        return shared.withLock { shared in
            if let places = shared.places { return places[ExactText(key)] }
            var all = [ExactText: Int](minimumCapacity: keys.count)
            for place in keys.indices { all[ExactText(keys[place])] = place }
            shared.places = all
            return all[ExactText(key)]
        }
    }

    /// All places of members of this name. Complexity: linear.
    func places(of key: String) -> [Int] {
        if let places = withUnread({ $0?.places(of: key) }) { return places }
        return allKeys.indices.filter { ExactText.areSame(allKeys[$0], key) }
    }

    /// Adds a member. Complexity: O(1).
    func append(_ key: String, _ value: ModelDocument) {
        if withUnread({ $0?.append(key, value) }) != nil { return }
        allKeys.append(key)
        allValues.append(value)
        if allKeys.count > Self.fewKeys {
            shared.withLock { $0.places?[ExactText(key)] = allKeys.count - 1 }
        }
    }

    /// Adds an element. Complexity: O(1).
    func append(_ value: ModelDocument) {
        if withUnread({ $0?.append(nil, value) }) == nil { allValues.append(value) }
    }

    /// Removes the member or element at a place. Complexity: linear.
    func remove(at place: Int) -> ModelDocument {
        if let value = withUnread({ $0?.remove(at: place) }) { return value }
        if !allKeys.isEmpty {
            allKeys.remove(at: place)
            shared.withLock { $0.places = nil }
        }
        return allValues.remove(at: place)
    }

    /// Gives the members of a name another one. Complexity: linear.
    func rename(_ key: String, to name: String) {
        if withUnread({ $0?.rename(key, to: name) }) != nil { return }
        for place in places(of: key) { allKeys[place] = name }
        shared.withLock { $0.places = nil }
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
