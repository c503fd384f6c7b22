public import DovetailModel
public import Foundation

/// Writes a file that holds an array, element by element, in constant memory.
///
/// ```swift
/// let writer = try ModelStreamWriter<any Asset>(to: url, as: .json)
/// for asset in assets { try writer.append(asset) }
/// try writer.finish()
/// ```
///
/// The file takes its place in ``finish()``, as with `save(as:to:)`; until then, and when the
/// writer goes without it, the old file stands. Blocks the calling thread now and then; in async
/// code, and for what is a sequence already, there is `[any Asset].write(_:to:as:)`.
public final class ModelStreamWriter<Element> {
    private static var pieceSize: Int { 256 << 10 }

    @usableFromInline var writer = ModelWriter()
    @usableFromInline let encode: (Element, inout ModelWriter) throws -> Void
    /// What comes before the next element: the bracket, then commas; 0 behind the end.
    @usableFromInline var separator: UInt8 = 0x5B
    /// Nil once the file is in its place.
    private var file: AtomicFile?
    private let path: String
    /// Why the file cannot be finished any more.
    private var failure: (any Error)?

    @usableFromInline
    init(
        _ url: URL,
        _ format: ModelFormat,
        _ encode: @escaping (Element, inout ModelWriter) throws -> Void
    ) throws {
        guard format == .json else {
            throw ModelEncodingError(
                reason: .notRepresentable,
                explanation: "only JSON without a layout can be written as a stream"
            )
        }
        file = try AtomicFile(for: url)
        path = url.path
        self.encode = encode
        // Elements are one level down.
        writer.remainingDepth -= 1
    }

    /// Starts a file of models.
    ///
    /// - Throws: ``ModelFileError``, and ``ModelEncodingError`` for formats other than `.json`.
    @inlinable
    public convenience init(to url: URL, as format: ModelFormat) throws
    where Element: ModelValue {
        try self.init(url, format) { try $0.encode(to: &$1) }
    }

    /// Starts a file of conformers of a model protocol.
    ///
    /// - Throws: ``ModelFileError``, and ``ModelEncodingError`` for formats other than `.json`.
    public convenience init(
        to url: URL,
        as format: ModelFormat,
        by table: ModelTable<Element> = #_modelTable
    ) throws {
        try self.init(url, format, table.encodeElement)
    }

    /// Writes the next element.
    ///
    /// - Complexity: linear in the length of the element's text.
    /// - Throws: ``ModelEncodingError`` for a value that has no form: it is left out, and others
    ///   may follow. ``ModelFileError``: the file cannot be finished any more.
    @inlinable
    public func append(_ element: Element) throws {
        try encodeNext(element)
        if isFull { try flush() }
    }

    @inlinable
    func encodeNext(_ element: Element) throws {
        if separator == 0 { throw closed }
        let start = writer.count
        let depth = writer.remainingDepth
        do {
            writer.append(separator)
            try encode(element, &writer)
            separator = 0x2C
        } catch {
            writer.count = start
            writer.remainingDepth = depth
            writer.hasTag = false
            throw error
        }
    }

    @usableFromInline
    var closed: ModelFileError { ModelFileError(.write, path, code: EBADF) }

    @usableFromInline
    var isFull: Bool { writer.count >= Self.pieceSize }

    /// Writes what is waiting to the file.
    @usableFromInline
    func flush() throws {
        if let failure { throw failure }
        guard let file else { throw closed }
        do {
            try file.write(UnsafeRawBufferPointer(start: writer.buffer, count: writer.count))
            writer.count = 0
        } catch {
            failure = error
            self.file = nil
            throw error
        }
    }

    /// Puts the file into its place. Nothing can be appended afterwards.
    ///
    /// - Throws: ``ModelFileError``; what stood there before is untouched then.
    public func finish() throws {
        if separator == 0 { throw closed }
        if separator == 0x5B { writer.append(0x5B) }
        writer.append(0x5D)
        separator = 0
        try flush()
        defer { file = nil }
        try file?.commit()
    }
}
