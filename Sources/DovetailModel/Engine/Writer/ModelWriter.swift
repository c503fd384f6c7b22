public import Foundation

/// Writes one document or one row, value by value, for generated code and for a ``ModelValue`` that
/// is written by hand.
///
/// As with ``ModelReader`` there is one concrete writer. JSON is written into a buffer by members
/// whose fast paths are inlinable, non-JSON destinations by members that are not
/// (`ModelWriter+Destinations.swift`). The columns of a row go to a ``RowSink``.
///
/// ```swift
/// let data = try ModelWriter.encode(as: .json) { writer in
///     let array = try writer.beginArray()
///     for number in 1...3 { try writer.element(number) }
///     try writer.endArray(array)
/// }
/// ```
///
/// In JSON every field and element is followed by a comma, and closing an object or array puts the
/// bracket over the last one. So nothing has to know whether it comes first.
///
/// Invariant of `buffer`: it holds `capacity` bytes, of which the first `count` are written; with a
/// capacity of 0 it is no block.
/// Whoever stores has called `reserve(_:)` for as many bytes; the stores are in
/// `ModelWriter+Bytes.swift`, but for those of `appendDecimal(_:decimals:)`. `deinit` frees it.
@frozen
public struct ModelWriter: ~Copyable {
    /// The text so far: of the document, or of the document in the current column.
    @usableFromInline package var buffer: UnsafeMutablePointer<UInt8>
    @usableFromInline package var count: Int
    @usableFromInline var capacity: Int
    /// Where values go. Every primitive asks once whether it is JSON.
    @usableFromInline var destination: Destination
    /// Whether the columns keep whole microseconds of dates.
    @usableFromInline var roundsDates: Bool
    /// The column that is being written; -1 before the first one and outside of rows.
    @usableFromInline var column: Int
    /// Which of the first 64 columns of a row count: the others may be left out. All in most rows.
    @usableFromInline var wanted: UInt64
    /// Whether the next object starts with the type key of `tag`.
    @usableFromInline package var hasTag: Bool
    @usableFromInline var tag: Unmanaged<Conformer>?
    /// How many more containers may be opened (``ModelReader/maximumDepth``).
    @usableFromInline package var remainingDepth: Int
    /// Where the next object is the content of a tag beside or around it, how deep objects may be
    /// nested in it; otherwise -1.
    @usableFromInline var contentDepth: Int
    /// The members beside that tag, which the object has handed over.
    @usableFromInline var besideTag: [ModelDocument.Member]
    /// The row that columns go to; nil for documents.
    @usableFromInline let row: (any RowSink)?

    /// The objects of a context that are being written and own the next one, the outermost first.
    @usableFromInline package var owners: [ObjectIdentifier]
    /// The objects that were written inside of the one that is the outermost of ``owners``, or was the last one.
    @usableFromInline package var ownedObjects: Set<ObjectIdentifier>

    /// Whether something was written that only fails when the document is finished.
    @usableFromInline var isUnwritable: Bool
    /// A `BinaryPropertyListWriter` or a `TreeOutput`, for the destination that is of that kind;
    /// nil for the others. `deinit` frees it.
    @usableFromInline let output: UnsafeMutableRawPointer?

    /// The closed list of destinations. A format of a user's own gets a finished tree.
    @usableFromInline enum Destination: UInt8 {
        /// The buffer, as JSON.
        case json
        /// The columns of `row`.
        case row
        /// The objects of `binary`.
        case binaryPropertyList
        /// The buffer, as an XML property list.
        case xmlPropertyList
        /// The values of `tree`.
        case tree
    }

    /// Whether values go to the buffer as JSON.
    ///
    /// A pattern and no `==`: for that the optimizer writes copies on the stack at every call, even
    /// where one comparison remains in the end.
    @inlinable var isJSON: Bool {
        @inline(__always) get { if case .json = destination { true } else { false } }
    }

    /// Whether values go to the columns of `row` instead of the buffer.
    @inlinable package var isRow: Bool {
        @inline(__always) get { if case .row = destination { true } else { false } }
    }

    /// How many bytes the first block has.
    static let firstCapacity = 512

    /// Makes a writer of JSON, or of rows.
    @usableFromInline
    package init(row: (any RowSink)? = nil) {
        self.init(to: row == nil ? .json : .row, row: row)
    }

    /// Makes a writer of a format, whose document `written(as:)` takes out.
    @usableFromInline
    init(_ format: ModelFormat) {
        switch format.kind {
        case .json: self.init(to: .json)
        case .xmlPropertyList:
            self.init(to: .xmlPropertyList)
            beginXMLDocument()
        case .binaryPropertyList:
            self.init(to: .binaryPropertyList, output: BinaryPropertyListWriter())
        case .custom: self.init(treeWithin: ModelReader.maximumDepth)
        }
    }

    /// Makes a writer of a ``ModelDocument``.
    ///
    /// - Parameters:
    ///   - depth: how many levels it may have.
    ///   - isPropertyList: whether plain `Codable` types are written as in property lists.
    init(treeWithin depth: Int, isPropertyList: Bool = false) {
        self.init(to: .tree, output: TreeOutput(isPropertyList: isPropertyList))
        remainingDepth = depth
    }

    private init(to destination: Destination, row: (any RowSink)? = nil) {
        self.init(to: destination, row: row, output: Optional<TreeOutput>.none)
    }

    /// Every writer is made here. `output` moves to the heap, where its address stays the same.
    private init<Output>(
        to destination: Destination,
        row: (any RowSink)? = nil,
        output: Output?
    ) {
        // A row has no bytes here before a column that is a document.
        let isEmpty = row != nil
        capacity = isEmpty ? 0 : Self.firstCapacity
        buffer =
            isEmpty
            ? UnsafeMutablePointer(mutating: ReaderState.noBytes) : HeapBytes.allocate(capacity)
        count = 0
        self.destination = destination
        roundsDates = false
        column = -1
        wanted = .max
        hasTag = false
        tag = nil
        remainingDepth = ModelReader.maximumDepth
        contentDepth = -1
        besideTag = []
        owners = []
        ownedObjects = []
        isUnwritable = false
        self.row = row
        guard let output else {
            self.output = nil
            return
        }
        let address = UnsafeMutablePointer<Output>.allocate(capacity: 1)
        address.initialize(to: output)
        self.output = UnsafeMutableRawPointer(address)
    }

    @inlinable
    deinit {
        if capacity > 0 { free(buffer) }
        if let output { ModelWriter.deallocate(output, isTree: isTree) }
    }

    /// Frees `output`. A `BinaryPropertyListWriter` holds plain memory only, which its
    /// `deallocate()` frees.
    @usableFromInline
    static func deallocate(_ output: UnsafeMutableRawPointer, isTree: Bool) {
        if isTree {
            output.assumingMemoryBound(to: TreeOutput.self).pointee.deallocate()
            output.assumingMemoryBound(to: TreeOutput.self).deinitialize(count: 1)
        } else {
            output.assumingMemoryBound(to: BinaryPropertyListWriter.self).pointee.deallocate()
        }
        output.deallocate()
    }

    /// Whether values go to a tree.
    @inlinable var isTree: Bool {
        @inline(__always) get { if case .tree = destination { true } else { false } }
    }

    /// The objects of a binary property list; nil for other destinations.
    ///
    /// Invariant of this and the next: `init` has bound `output` to the type that belongs to the
    /// destination. Only `destination` of a row changes, to JSON and back, and a row has no
    /// `output`.
    var binary: UnsafeMutablePointer<BinaryPropertyListWriter>? {
        @inline(__always) get {
            isTree ? nil : output?.assumingMemoryBound(to: BinaryPropertyListWriter.self)
        }
    }

    /// The values of a document; nil for other destinations.
    var tree: UnsafeMutablePointer<TreeOutput>? {
        @inline(__always) get {
            isTree ? output?.assumingMemoryBound(to: TreeOutput.self) : nil
        }
    }

    /// The finished document, laid out as the format says. Called once.
    ///
    /// - Throws: ``ModelEncodingError`` for what only shows at the end, and what the `encode` of a
    ///   format of your own throws.
    @usableFromInline
    mutating func written(as format: ModelFormat) throws -> Data {
        switch format.kind {
        case .json(nil): return takeDocument()
        case .json(let layout?): return try layout.apply(to: takeDocument())
        case .xmlPropertyList:
            try endXMLDocument()
            return takeDocument()
        case .binaryPropertyList: return try finishBinary()
        case .custom(let custom):
            return try custom.encode(finishTree())
        }
    }

    /// The document that `body` writes, as a tree.
    ///
    /// - Parameter format: the format it will be written as, which decides on the form of plain
    ///   `Codable` types.
    @inlinable
    static func tree(
        for format: ModelFormat? = nil,
        _ body: (inout ModelWriter) throws -> Void
    ) throws -> ModelDocument {
        var writer = ModelWriter(treeFor: format)
        try body(&writer)
        return writer.finishTree()
    }

    /// Makes a writer of a tree that will be written as `format`.
    @usableFromInline
    init(treeFor format: ModelFormat?) {
        let isPropertyList = format == .plist || format == .binaryPlist
        self.init(treeWithin: ModelReader.maximumDepth, isPropertyList: isPropertyList)
    }

    /// The tree; null when nothing was written.
    @usableFromInline
    func finishTree() -> ModelDocument { tree?.pointee.finish() ?? .null }

    /// Whether plain `Codable` types are written as in property lists.
    var isPropertyList: Bool {
        switch destination {
        case .json, .row: false
        case .binaryPropertyList, .xmlPropertyList: true
        case .tree: tree?.pointee.isPropertyList ?? false
        }
    }

    /// The binary property list, whose table and trailer are made now.
    mutating func finishBinary() throws -> Data {
        try binary?.pointee.finish() ?? Data()
    }
}
