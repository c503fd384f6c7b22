// How an older object is read. Its members are noted while the version is looked for, the model's
// steps change them as a document (LazyMembers.swift), and then the model reads them one by one
// where they are: by other names, in another order, or without some. What a step put in is read as
// the tree that it is (TreeInput.swift).

extension ReaderState {
    /// What is remembered about the objects of older versions that a reader is inside of.
    @usableFromInline
    struct Migration {
        /// How many migrated objects, and values that a migration has put into them, the reader is
        /// inside of. The number is the place of each of them in the nesting.
        @usableFromInline var nesting = 0
        /// How many migrated objects the reader is inside of, which is limited.
        var depth = 0
        /// The first of the chain of migrated objects, and the innermost one that is being read.
        ///
        /// Invariant: `first` keeps `current` alive, through the chain.
        var first: MigratedObject?
        var current: Unmanaged<MigratedObject>?
        /// Where the reader is in `current`.
        var place = MigratedPlace()
        /// What migrations look into, of the binary property list that is read.
        var lazyPropertyList: LazyPropertyList?
    }
}

/// An older object after its migration, whose members are read where they are in the document.
///
/// A state has a chain of them, as long as migrated objects ever lay in each other: of many records
/// only the first one pays for memory, and nobody counts references to what the chain holds.
final class MigratedObject {
    /// The members, which `node` holds too, or the document that it was lent to. A constant, so
    /// that nobody counts a reference while it is used.
    let unread = LazyMembers(of: LazyText())
    @exclusivity(unchecked) private var node: DocumentNode?
    /// The identity of that node while it is lent, to recognize it in the document that the steps
    /// leave.
    @exclusivity(unchecked) private var lent: ObjectIdentifier?
    /// The names of the members of the object before.
    @exclusivity(unchecked) var shape = MemberShape()
    /// The type key with other names than the model's own, which it keeps and no step sees.
    @exclusivity(unchecked) var typeNames: ModelDocument.Member?
    /// What is beside the name in the object around a type key that is a path.
    @exclusivity(unchecked) var besideName: ModelDocument.Member?
    /// Where the reader is in this object while it is in one inside of it.
    @exclusivity(unchecked) var place = MigratedPlace()
    /// Invariant of the pointers: positions in the reader's document, or in a tree addresses of
    /// values, valid as long as the object is read. ``prepare(at:base:)`` sets the first two for
    /// each object, and whoever notes its members the third.
    @exclusivity(unchecked) private(set) var start = ReaderState.noBytes
    /// What the places of the members count from.
    @exclusivity(unchecked) private(set) var base = ReaderState.noBytes
    /// Where the object ends.
    @exclusivity(unchecked) var end = ReaderState.noBytes
    /// The objects of the chain around this one and inside.
    let outer: Unmanaged<MigratedObject>?
    @exclusivity(unchecked) fileprivate var inner: MigratedObject?

    /// A larger text is not kept. Members are: those of all objects in each other are not more than
    /// the document has.
    private static let spareBytes = 1 << 16

    init(inside outer: Unmanaged<MigratedObject>?) {
        self.outer = outer
        node = DocumentNode(unread)
    }

    deinit {
        shape.deallocate()
    }

    /// Whether the document that it lent did not come back: a step may have kept it. The object is
    /// never used again then.
    fileprivate var isSpent: Bool { node == nil }

    /// Prepares for the members of the object at `start`, whose places count from `base`.
    func prepare(at start: UnsafePointer<UInt8>, base: UnsafePointer<UInt8>) {
        self.start = start
        self.base = base
        if typeNames != nil { typeNames = nil }
        if besideName != nil { besideName = nil }
        unread.removeAll()
    }

    /// Gives a document of the members. The node is not held meanwhile, or it would be copied at
    /// its first change.
    func lendDocument() -> ModelDocument {
        guard let node = node.take() else { return .null }
        lent = ObjectIdentifier(node)
        return ModelDocument(.object(node))
    }

    /// Takes the object of a document as the members that are read.
    ///
    /// - Returns: false when somebody else may hold the members; then another object has to take
    ///   them (``take(membersOf:insteadOf:)``).
    func takeBack(_ document: inout ModelDocument) -> Bool {
        guard var node = document.takeMembers() else { return false }
        guard isKnownUniquelyReferenced(&node), lent == ObjectIdentifier(node) else {
            document.storage = .object(node)
            return false
        }
        if let (keys, values) = node.renew(unread) { unread.replaceAll(keys, values) }
        self.node = consume node
        dropUnneeded()
        return true
    }

    /// Takes the members of another node than the one that `other` has lent.
    func take(membersOf node: DocumentNode, insteadOf other: MigratedObject) {
        prepare(at: other.start, base: other.base)
        end = other.end
        unread.replaceAll(node.keys, node.values)
        dropUnneeded()
    }

    /// Lets go of values and texts that are not needed any more.
    private func dropUnneeded() {
        unread.dropUnchangedValues()
        unread.dropText(above: Self.spareBytes)
    }

    /// The place before the first member, with so many objects and values around the object.
    @inline(__always)
    func placeAtStart(inside nesting: Int) -> MigratedPlace {
        let members = unread.members
        return MigratedPlace(
            nesting: nesting + 1,
            start: start,
            base: base,
            names: UnsafePointer(unread.names.storage),
            next: UnsafePointer(members.storage),
            last: UnsafePointer(members.storage + members.count),
            valueEnd: start
        )
    }
}

extension ReaderState {
    /// The object of the chain that is next.
    func nextMigrated() -> Unmanaged<MigratedObject> {
        guard let current = migration.current else {
            if let first = migration.first, !first.isSpent { return .passUnretained(first) }
            let first = MigratedObject(inside: nil)
            migration.first = first
            return .passUnretained(first)
        }
        return current._withUnsafeGuaranteedRef { object in
            if let inner = object.inner, !inner.isSpent { return .passUnretained(inner) }
            let inner = MigratedObject(inside: current)
            object.inner = inner
            return .passUnretained(inner)
        }
    }

    /// Puts another object into the chain, which takes the members of a document.
    func replace(
        _ spent: Unmanaged<MigratedObject>,
        byMembersOf document: ModelDocument
    ) -> Unmanaged<MigratedObject> {
        let spent = spent.takeUnretainedValue()
        let next = nextMigrated()
        if let node = document.node {
            next.takeUnretainedValue().take(membersOf: node, insteadOf: spent)
        }
        return next
    }
}
