/// What a reader needs off the hot path: what errors count from, the source, and one part for each
/// feature that remembers something between two values. A class, so that the reader itself stays
/// small enough for registers; a reader owns one, and nobody else holds it.
///
/// `@exclusivity(unchecked)` leaves out the run-time check of overlapping accesses. It holds
/// because no access to these properties spans a call: each is a load, a store or an addition.
@usableFromInline
final class ReaderState {
    /// The address of a terminating zero, for readers and keys without bytes. Nothing past it may
    /// be loaded.
    static var noBytes: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }
    /// The cells of a reader of no rows.
    static var noCells: UnsafeMutableBufferPointer<RowCell> { .init(start: nil, count: 0) }

    /// The first byte of the document; of the document in a column, or of the part that errors are
    /// about, while that is read.
    @exclusivity(unchecked) @usableFromInline var start: UnsafePointer<UInt8>
    /// The string or name whose escapes were resolved last. `deinit` frees it.
    @exclusivity(unchecked) var scratch = GrowingBuffer<UInt8>()
    /// Whether the values come from a store. Errors do not quote them then.
    @exclusivity(unchecked) var isStored = false
    /// Room for the cells of a row. `deinit` frees it.
    @exclusivity(unchecked) private var rowCells = ReaderState.noCells

    // The sources that are no text. A reader has one of them, and of trees any number.

    /// The objects of a binary property list; nil for other sources. `deinit` frees it.
    let binary: UnsafeMutablePointer<BinaryPropertyListInput>?
    /// The trees (TreeInput.swift). `deinit` frees them.
    @exclusivity(unchecked) var trees = Trees()

    /// Names of members of the documents that are read (SharedNames.swift). `deinit` frees them.
    @exclusivity(unchecked) var memberNames: SharedNames?

    // The features.

    /// The start of the object whose superclass reads it again; nil while none does.
    @exclusivity(unchecked) var superclassStart: UnsafePointer<UInt8>?
    /// The object whose type key was looked for (TaggedObject.swift).
    @exclusivity(unchecked) var tagged: TaggedObject?
    /// The members beside the tag of the value that is read next (MembersBesideTag.swift). No access
    /// lasts longer than a copy.
    @exclusivity(unchecked) var besideTag: MembersBesideTag?
    /// Elements that may be kept or left out (ElementScope.swift).
    @exclusivity(unchecked) @usableFromInline var elements = Elements()
    /// Whether models may lack the objects that they refer to.
    @exclusivity(unchecked) @usableFromInline var leavesOutObjects = false
    /// What was found out of unions inside of a case that is tried (UnionMemory.swift).
    @exclusivity(unchecked) @usableFromInline var unions = UnionMemory()
    /// Objects of older versions (MigratedObject.swift).
    @exclusivity(unchecked) @usableFromInline var migration = Migration()

    init(start: UnsafePointer<UInt8>) {
        self.start = start
        self.binary = nil
    }

    init(_ input: BinaryPropertyListInput) {
        self.start = input.start
        let binary = UnsafeMutablePointer<BinaryPropertyListInput>.allocate(capacity: 1)
        binary.initialize(to: input)
        self.binary = binary
    }

    init(isStored: Bool) {
        self.start = ReaderState.noBytes
        self.binary = nil
        self.isStored = isStored
    }

    /// Room for the cells of a row, all of them NULL. Those that were given before are no longer valid.
    func cells(_ count: Int) -> UnsafeMutableBufferPointer<RowCell> {
        if rowCells.count != count {
            rowCells.deallocate()
            rowCells = count == 0 ? Self.noCells : .allocate(capacity: count)
        }
        rowCells.initialize(repeating: .null)
        return rowCells
    }

    /// Whether a reader of rows that came to its end has left nothing in it, so that the next one may
    /// have it: no document of a feature, and no large memory.
    var isClean: Bool {
        tagged == nil && besideTag == nil && memberNames == nil && trees.current == nil
            && trees.spare == nil && migration.first == nil && elements.documentStart == nil
            && elements.report == nil && !elements.isBroken && scratch.isEmpty
    }

    /// Forgets what belongs to the document before, which an error may have ended anywhere.
    func startDocument(at start: UnsafePointer<UInt8>) {
        self.start = start
        tagged = nil
        besideTag = nil
        elements = Elements()
    }

    deinit {
        scratch.deallocate()
        rowCells.deallocate()
        trees.deallocate()
        memberNames?.deallocate()
        guard let binary else { return }
        binary.pointee.deallocate()
        binary.deinitialize(count: 1)
        binary.deallocate()
    }
}
