public import Foundation

/// Writes one document or one row, value by value, for generated code.
///
/// As with ``ModelReader`` there is one concrete writer: JSON is written into a buffer by inlinable
/// members, property lists by members that are not; the columns of a row go to a ``RowSink``.
///
/// Every field and element is followed by a comma; closing an object or array turns the last comma
/// into the bracket. So nothing has to know whether it comes first.
///
/// Invariant of the unsafe pointer: `buffer` holds `capacity` bytes, of which the first `count` are
/// written; whoever writes has called `reserve(_:)` for as many bytes. All stores are in
/// `ModelWriter+Bytes.swift`.
@frozen
public struct ModelWriter: ~Copyable {
    @usableFromInline package var buffer: UnsafeMutablePointer<UInt8>
    @usableFromInline package var count: Int
    @usableFromInline var capacity: Int
    /// Where values go. Every primitive asks once whether it is JSON.
    @usableFromInline var destination: Destination
    /// The column that is being written; -1 before the first one and outside of rows.
    @usableFromInline var column: Int
    /// Whether the next object is to start with the tag.
    @usableFromInline package var hasTag: Bool
    @usableFromInline var tag: Unmanaged<Conformer>?
    @usableFromInline package var remainingDepth: Int
    /// Where the next object is the content of a tag beside or around it, how deep objects may be
    /// nested in it; otherwise -1.
    @usableFromInline var contentDepth: Int
    /// The members beside that tag, which the object has handed over.
    @usableFromInline var besideTag: [ModelDocument.Member]
    @usableFromInline let row: (any RowSink)?

    /// Whether something was written that only shows when the document is finished.
    @usableFromInline var isUnwritable: Bool
    /// The objects of a binary property list or the values of a document; there is one of them for
    /// these destinations. Freed with the writer.
    @usableFromInline let output: UnsafeMutableRawPointer?

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
    /// Not by `==`, which the optimizer spells out with copies on the stack at every place, also
    /// where it makes one comparison of them in the end.
    @inlinable var isJSON: Bool {
        @inline(__always) get { if case .json = destination { true } else { false } }
    }

    /// Whether values go to the columns of `row` instead of the buffer.
    @inlinable var isRow: Bool {
        @inline(__always) get { if case .row = destination { true } else { false } }
    }

    @usableFromInline
    package init(row: (any RowSink)? = nil) {
        self.init(to: row == nil ? .json : .row, row: row)
    }

    /// Makes a writer of a format.
    @usableFromInline
    init(_ format: ModelFormat) {
        switch format.kind {
        case .json: self.init(to: .json)
        case .xmlPropertyList:
            self.init(to: .xmlPropertyList)
            beginXMLDocument()
        case .binaryPropertyList:
            self.init(to: .binaryPropertyList, output: BinaryPropertyListWriter())
        case .other: self.init(treeWithin: ModelReader.maximumDepth)
        }
    }

    /// Makes a writer of a ``ModelDocument``.
    ///
    /// - Parameter isPropertyList: whether plain `Codable` types are written as in property lists.
    init(treeWithin depth: Int, isPropertyList: Bool = false) {
        self.init(to: .tree, output: TreeOutput(isPropertyList: isPropertyList))
        remainingDepth = depth
    }

    private init(to destination: Destination, row: (any RowSink)? = nil) {
        self.init(to: destination, row: row, output: Optional<TreeOutput>.none)
    }

    private init<Output>(
        to destination: Destination,
        row: (any RowSink)? = nil,
        output: Output?
    ) {
        capacity = 512
        buffer = HeapBytes.allocate(capacity)
        count = 0
        self.destination = destination
        column = -1
        hasTag = false
        tag = nil
        remainingDepth = ModelReader.maximumDepth
        contentDepth = -1
        besideTag = []
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
        free(buffer)
        if let output { ModelWriter.deallocate(output, isTree: isTree) }
    }

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

    @inlinable var isTree: Bool {
        @inline(__always) get { if case .tree = destination { true } else { false } }
    }

    /// The objects of a binary property list; nil for other destinations.
    ///
    /// Invariant of this and the next: `init` has bound `output` to the type that belongs to the
    /// destination, which does not change but between a row and JSON.
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

    /// Hands out what was written, laid out as the format says.
    @usableFromInline
    mutating func written(as format: ModelFormat) throws -> Data {
        switch format.kind {
        case .json(nil): return takeDocument()
        case .json(let layout?): return try layout.apply(to: takeDocument())
        case .xmlPropertyList:
            try endXMLDocument()
            return takeDocument()
        case .binaryPropertyList: return try finishBinary()
        case .other(let other):
            return try other.encode(finishTree())
        }
    }

    /// The document that `body` writes.
    ///
    /// - Parameter format: what the document will be written as.
    @inlinable
    static func tree(
        for format: ModelFormat? = nil,
        _ body: (inout ModelWriter) throws -> Void
    ) throws -> ModelDocument {
        var writer = ModelWriter(treeFor: format)
        try body(&writer)
        return writer.finishTree()
    }

    @usableFromInline
    init(treeFor format: ModelFormat?) {
        let isPropertyList = format == .plist || format == .binaryPlist
        self.init(treeWithin: ModelReader.maximumDepth, isPropertyList: isPropertyList)
    }

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

    mutating func finishBinary() throws -> Data {
        try binary?.pointee.finish() ?? Data()
    }
}
