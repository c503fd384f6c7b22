public import Foundation

/// Writes one document or one row, value by value, for generated code.
///
/// As with ``ModelReader`` there is one concrete writer: JSON is written into a buffer by inlinable
/// members, the columns of a row go to a ``RowSink``.
///
/// Every field and element is followed by a comma; closing an object or array turns the last comma
/// into the bracket. So nothing has to know whether it comes first.
///
/// Invariant of the unsafe pointer: `buffer` holds `capacity` bytes, of which the first `count` are
/// written; whoever writes has called ``reserve(_:)`` for as many bytes. All stores are in
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

    @usableFromInline enum Destination: UInt8 {
        /// The buffer, as JSON.
        case json
        /// The columns of `row`.
        case row
    }

    /// Whether values go to the columns of `row` instead of the buffer.
    @inlinable var isRow: Bool {
        @inline(__always) get { destination == .row }
    }

    @usableFromInline
    init(row: (any RowSink)? = nil) {
        capacity = 512
        buffer = .allocate(capacity: capacity)
        count = 0
        destination = row == nil ? .json : .row
        column = -1
        hasTag = false
        tag = nil
        remainingDepth = ModelReader.maximumDepth
        self.row = row
    }

    @inlinable
    deinit {
        buffer.deallocate()
    }

    /// What was written, as a copy of exactly its size, laid out as the format says.
    @usableFromInline
    func written(as format: ModelFormat) throws -> Data {
        let compact = Data(bytes: buffer, count: count)
        guard let layout = format.layout else { return compact }
        return try layout.apply(to: compact)
    }
}
