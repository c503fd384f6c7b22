import Foundation

/// Reads one document or one row, value by value, for generated code.
///
/// There is one concrete reader for everything that models are read from, so that the code which
/// `@Model` writes is one body with no witness calls in it. JSON bytes are read by the members
/// here, which are inlinable; property lists by members that are not; the columns of a row arrive
/// through a ``RowSource``.
///
/// A reader lives inside the `withUnsafeBytes` of the call that made it and cannot be copied out
/// of it. Between two calls it stands on the first byte of a value or just behind one.
///
/// Invariant of the unsafe pointers: `state.start <= cursor <= end`, and every load in
/// `ModelReader+Bytes.swift`, the only file that dereferences them for JSON, is checked against
/// `end`. In a binary property list the cursor is always an object's first byte, which lies before
/// the table of offsets (`BinaryPropertyListInput.object(_:)`).
@frozen
public struct ModelReader: ~Copyable {
    @usableFromInline package var cursor: UnsafePointer<UInt8>
    @usableFromInline package var end: UnsafePointer<UInt8>
    /// What values are read from. Every primitive asks once whether it is JSON; everything else
    /// is out of line.
    @usableFromInline var source: Source
    /// The column that is being read; -1 before the first one and outside of rows.
    @usableFromInline var column: Int
    @usableFromInline package var remainingDepth: Int
    @usableFromInline let state: ReaderState

    @usableFromInline enum Source: UInt8 {
        case json
        /// The columns of `state.row`.
        case row
        /// The objects of `state.binary`; the cursor is the first byte of one.
        case binaryPropertyList
        /// The bytes up to `end`.
        case xmlPropertyList
        /// The values of `state.tree`; the cursor is the address of one.
        case tree
        /// The object of `state.tagged`, whose type key was looked for; the cursor is at its start.
        case tagged
    }

    /// Whether values come from the columns of `state.row` instead of bytes.
    @inlinable var isRow: Bool {
        @inline(__always) get { source == .row }
    }

    /// How deep objects and arrays may be nested, the same as `JSONDecoder`'s own limit.
    public static let maximumDepth = 512

    @usableFromInline
    package init(json bytes: UnsafeBufferPointer<UInt8>) {
        let start = bytes.baseAddress ?? ReaderState.noBytes
        self.state = ReaderState(start: start)
        self.cursor = start
        self.end = start + bytes.count
        self.source = .json
        self.column = -1
        self.remainingDepth = ModelReader.maximumDepth
    }

    /// Turns to another document of the format, in the memory of the one before.
    mutating func restart(text bytes: UnsafeBufferPointer<UInt8>, at offset: Int = 0) {
        state.startDocument(at: bytes.baseAddress ?? ReaderState.noBytes)
        cursor = state.start + offset
        end = state.start + bytes.count
        remainingDepth = ModelReader.maximumDepth
    }

    /// Makes a reader at the root of a binary property list.
    ///
    /// - Parameters:
    ///   - data: holds the bytes, for documents that migrations may keep.
    ///   - isForMigrations: whether it reads what migrations look into.
    /// - Throws: ``ModelDecodingError`` for a trailer that names no objects of the document.
    init(
        binaryPropertyList bytes: UnsafeBufferPointer<UInt8>,
        of data: Data? = nil,
        isForMigrations: Bool = false
    ) throws {
        let input: BinaryPropertyListInput
        do {
            input = try BinaryPropertyListInput(bytes, of: data, isForMigrations: isForMigrations)
        } catch {
            throw ModelDecodingError(
                reason: .invalidSyntax,
                path: "",
                expected: error.expected,
                found: "another one",
                offset: error.offset
            )
        }
        self.state = ReaderState(input)
        self.cursor = input.root
        self.end = input.end
        self.source = .binaryPropertyList
        self.column = -1
        self.remainingDepth = ModelReader.maximumDepth
    }

    /// Makes a reader that stands at the start of an XML property list.
    init(xmlPropertyList bytes: UnsafeBufferPointer<UInt8>) {
        self.init(json: bytes)
        source = .xmlPropertyList
    }

    /// Makes a reader over the rows of a store. See ``read(_:)``.
    @usableFromInline
    init(row: any RowSource, fields: RowFields) {
        self.state = ReaderState(row: row, fields: fields)
        self.cursor = ReaderState.noBytes
        self.end = cursor
        self.source = .row
        self.column = -1
        self.remainingDepth = ModelReader.maximumDepth
    }
}

/// What a reader needs off the hot path.
@usableFromInline
final class ReaderState {
    /// A valid address for readers that hold no bytes.
    static var noBytes: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }

    /// The first byte of the document (or of the document inside a column, or of the part that errors
    /// are about). No access lasts longer than a copy, as with the next two.
    @exclusivity(unchecked) @usableFromInline var start: UnsafePointer<UInt8>
    /// Holds a field name after its escapes are resolved.
    let scratch = ScratchBuffer()
    /// The object whose type key was looked for (TaggedObject.swift). No access to it lasts longer
    /// than a copy, so none can overlap another.
    @exclusivity(unchecked) var tagged: TaggedObject?
    /// The members beside the tag of the value that is read next (MembersBesideTag.swift). No access
    /// lasts longer than a copy.
    @exclusivity(unchecked) var besideTag: MembersBesideTag?
    /// The first byte of the document while an element of it is read that may be kept or left out
    /// (ElementScope.swift); then `start` is the element's. No access to it and the next two lasts
    /// longer than a copy.
    @exclusivity(unchecked) @usableFromInline var documentStart: UnsafePointer<UInt8>?
    /// Whether an element was found to be no value of the format.
    @exclusivity(unchecked) var isBroken = false
    /// The elements that were left out, when somebody asks for them.
    var report: SkipReport?
    /// What migrations look into of the binary property list that is read.
    var unreadPropertyList: UnreadPropertyList?
    /// The document that is read, and one to be used again. Freed with the state.
    @exclusivity(unchecked) var tree: UnsafeMutablePointer<TreeInput>?
    @exclusivity(unchecked) var spareTree: UnsafeMutablePointer<TreeInput>?
    /// How many migrated objects the reader is inside of, and values that were put into them.
    @exclusivity(unchecked) @usableFromInline var migrations = 0
    /// How many migrated objects the reader is inside of.
    @exclusivity(unchecked) var migrationDepth = 0
    /// The first of the chain of migrated objects, and the innermost one that is being read
    /// (MigratedObject.swift). Invariant: `migratedObjects` holds `migrated`, through the chain.
    @exclusivity(unchecked) var migratedObjects: MigratedObject?
    @exclusivity(unchecked) var migrated: Unmanaged<MigratedObject>?
    /// Whether the values come from a store: errors do not quote them then.
    @exclusivity(unchecked) var isStored = false
    @usableFromInline let row: (any RowSource)?
    @usableFromInline let fields: RowFields?
    /// Freed with the state.
    let binary: UnsafeMutablePointer<BinaryPropertyListInput>?

    init(start: UnsafePointer<UInt8>) {
        self.start = start
        self.row = nil
        self.fields = nil
        self.binary = nil
    }

    /// Forgets what was known of a document that was read, or that an error ended.
    func startDocument(at start: UnsafePointer<UInt8>) {
        self.start = start
        tagged = nil
        besideTag = nil
        documentStart = nil
        isBroken = false
        if report != nil { report = nil }
    }

    init(_ input: BinaryPropertyListInput) {
        self.start = input.start
        self.row = nil
        self.fields = nil
        let binary = UnsafeMutablePointer<BinaryPropertyListInput>.allocate(capacity: 1)
        binary.initialize(to: input)
        self.binary = binary
    }

    init(row: any RowSource, fields: RowFields) {
        self.start = ReaderState.noBytes
        self.row = row
        self.fields = fields
        self.binary = nil
        isStored = true
    }

    deinit {
        while let inner = tree ?? spareTree {
            if tree == nil { spareTree = nil } else { tree = inner.pointee.outside?.tree }
            inner.pointee.deallocate()
            inner.deallocate()
        }
        guard let binary else { return }
        binary.pointee.deallocate()
        binary.deinitialize(count: 1)
        binary.deallocate()
    }
}
