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
    @usableFromInline var buffer: UnsafeMutablePointer<UInt8>
    @usableFromInline var count: Int
    @usableFromInline var capacity: Int
    /// Where values go. Every primitive asks once whether it is JSON.
    @usableFromInline var destination: Destination
    /// The column that is being written; -1 before the first one and outside of rows.
    @usableFromInline var column: Int
    /// Whether the next object is to start with the tag.
    @usableFromInline var hasTag: Bool
    @usableFromInline var tag: Unmanaged<Conformer>?
    @usableFromInline var remainingDepth: Int
    @usableFromInline let row: (any RowSink)?

    /// Whether something was written that only shows when the document is finished.
    @usableFromInline var isUnwritable: Bool
    /// The objects of a binary property list; there is one for that destination. Freed with the
    /// writer.
    @usableFromInline let binaryAddress: UnsafeMutableRawPointer?

    @usableFromInline enum Destination: UInt8 {
        /// The buffer, as JSON.
        case json
        /// The columns of `row`.
        case row
        /// The objects of `binary`.
        case binaryPropertyList
        /// The buffer, as an XML property list.
        case xmlPropertyList
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
    init(row: (any RowSink)? = nil) {
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
            self.init(to: .binaryPropertyList, binary: BinaryPropertyListWriter(isCarrier: false))
        case .other: self.init(carrierWithin: ModelReader.maximumDepth)
        }
    }

    /// Makes a writer of what carries a document inside the program.
    init(carrierWithin depth: Int) {
        self.init(to: .binaryPropertyList, binary: BinaryPropertyListWriter(isCarrier: true))
        remainingDepth = depth
    }

    private init(
        to destination: Destination,
        row: (any RowSink)? = nil,
        binary: BinaryPropertyListWriter? = nil
    ) {
        capacity = 512
        buffer = HeapBytes.allocate(capacity)
        count = 0
        self.destination = destination
        column = -1
        hasTag = false
        tag = nil
        remainingDepth = ModelReader.maximumDepth
        isUnwritable = false
        self.row = row
        guard let binary else {
            binaryAddress = nil
            return
        }
        let address = UnsafeMutablePointer<BinaryPropertyListWriter>.allocate(capacity: 1)
        address.initialize(to: binary)
        binaryAddress = UnsafeMutableRawPointer(address)
    }

    @inlinable
    deinit {
        free(buffer)
        if let binaryAddress { ModelWriter.deallocate(binaryAddress) }
    }

    @usableFromInline
    static func deallocate(_ address: UnsafeMutableRawPointer) {
        address.assumingMemoryBound(to: BinaryPropertyListWriter.self).pointee.deallocate()
        address.deallocate()
    }

    /// The objects of a binary property list.
    ///
    /// Invariant: `binaryAddress` is nil or was bound to the type in `init`.
    var binary: UnsafeMutablePointer<BinaryPropertyListWriter>? {
        @inline(__always) get {
            binaryAddress?.assumingMemoryBound(to: BinaryPropertyListWriter.self)
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
            let carrier = try finishBinary()
            return try other.encode(try ModelDocument(carrier: carrier))
        }
    }

    mutating func finishBinary() throws -> Data {
        try binary?.pointee.finish() ?? Data()
    }
}
