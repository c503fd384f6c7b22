import Foundation

/// Reads one document or one row, value by value, for generated code and for a ``ModelValue`` that
/// is written by hand.
///
/// There is one concrete reader for everything that models are read from. So the code that `@Model`
/// writes is one body, without a witness call in it, whatever the format. JSON is read by the
/// members here, of which the fast paths are inlinable; non-JSON sources by members that are not
/// (`ModelReader+Sources.swift`). A row arrives through a ``RowSource``, as cells.
///
/// A reader lives inside the `withUnsafeBytes` of the call that made it, and cannot be copied out
/// of it. Between two calls it is positioned on the first byte of a value, or just after one.
///
/// ```swift
/// let sum = try ModelReader.decode(Data("[1,2,3]".utf8), as: .json) { reader in
///     var array = try reader.beginArray()
///     var sum = 0
///     while try reader.nextElement(in: &array) { sum += try reader.readInteger(Int.self) }
///     return sum
/// }
/// ```
///
/// Invariant of the unsafe pointers: in JSON and XML `state.start <= cursor <= end`, and every load
/// is checked against `end`; `ModelReader+Bytes.swift` names the places. In a binary property list
/// the cursor is an object's first byte, which lies before the table of offsets
/// (`BinaryPropertyListInput.object(_:)`). In a tree it is the address of a value that `state.trees.current`
/// keeps (`TreeInput`). In a row it is not used, and `cells` is (`rowCell()`).
@frozen
public struct ModelReader: ~Copyable {
    /// The next byte, or the address of the value in a non-JSON source.
    @usableFromInline package var cursor: UnsafePointer<UInt8>
    /// The end of the document; `cursor` itself in a row.
    @usableFromInline package var end: UnsafePointer<UInt8>
    /// What values are read from. Every primitive asks once whether it is JSON; everything else is
    /// out of line.
    @usableFromInline var source: Source
    /// The column that is being read; -1 before the first one and outside of rows.
    @usableFromInline var column: Int
    /// How many more containers may be entered (``maximumDepth``).
    @usableFromInline package var remainingDepth: Int
    /// What is needed off the hot path. One allocation a reader.
    @usableFromInline let state: ReaderState
    /// The columns, and their names; nil outside of rows. Here and not in `state`, which outlives the
    /// reader where rows are read one at a time (``SpareReaderState``).
    @usableFromInline let row: (any RowSource)?
    @usableFromInline let fields: RowFields?
    /// What the columns of the current row hold, in memory of `state`; empty outside of rows.
    @usableFromInline var cells: UnsafeMutableBufferPointer<RowCell>

    /// The closed list of sources. A format of a user's own is read as a tree.
    @usableFromInline enum Source: UInt8 {
        /// The bytes from `state.start` up to `end`.
        case json
        /// The columns of `row`.
        case row
        /// The objects of `state.binary`; the cursor is the first byte of one.
        case binaryPropertyList
        /// The bytes from `state.start` up to `end`, as XML.
        case xmlPropertyList
        /// The values of `state.trees.current`; the cursor is the address of one.
        case tree
        /// The object of `state.tagged`, whose type key was looked for; the cursor is at its start
        /// (TaggedObject.swift).
        case tagged
    }

    /// Whether values come from the columns of `row` instead of bytes.
    @inlinable var isRow: Bool {
        @inline(__always) get { source == .row }
    }

    /// How deep objects and arrays may be nested: 512, the limit of `JSONDecoder`. Deeper documents
    /// are a ``ModelDecodingError`` with the kind `tooDeep`, so no document exhausts the stack.
    public static let maximumDepth = 512

    /// Makes a reader at the start of a JSON document, whose bytes have to outlive it.
    @usableFromInline
    package init(json bytes: UnsafeBufferPointer<UInt8>) {
        let start = bytes.baseAddress ?? ReaderState.noBytes
        self.state = ReaderState(start: start)
        self.row = nil
        self.fields = nil
        self.cells = ReaderState.noCells
        self.cursor = start
        self.end = start + bytes.count
        self.source = .json
        self.column = -1
        self.remainingDepth = ModelReader.maximumDepth
    }

    /// Starts over with another document of the same format, and keeps the state's memory. The
    /// bytes have to outlive the reading of it.
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
                kind: .invalidSyntax,
                path: "",
                expected: error.expected,
                found: "another one",
                offset: error.offset
            )
        }
        self.state = ReaderState(input)
        self.row = nil
        self.fields = nil
        self.cells = ReaderState.noCells
        self.cursor = input.root
        self.end = input.end
        self.source = .binaryPropertyList
        self.column = -1
        self.remainingDepth = ModelReader.maximumDepth
    }

    /// Makes a reader at the start of an XML property list, whose bytes have to outlive it.
    init(xmlPropertyList bytes: UnsafeBufferPointer<UInt8>) {
        self.init(json: bytes)
        source = .xmlPropertyList
    }

    /// Makes a reader over the rows of a store, one after the other; its caller enters each
    /// (``enterRow()``).
    ///
    /// - Parameters:
    ///   - columns: how many are looked at; nil for those of the model.
    ///   - state: one that no reader has; nil to make one.
    @usableFromInline
    init(
        row: any RowSource,
        fields: consuming RowFields,
        columns: Int? = nil,
        state: consuming ReaderState? = nil
    ) {
        self.state = state ?? ReaderState(isStored: true)
        self.row = row
        self.cells = self.state.cells(columns ?? fields.count)
        self.fields = fields
        self.cursor = ReaderState.noBytes
        self.end = cursor
        self.source = .row
        self.column = -1
        self.remainingDepth = ModelReader.maximumDepth
    }
}
