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
/// The elements go into a temporary file, 256 KiB at a time. It takes its place in ``finish()``, as
/// with `save(as:to:)`. Until then the old file stays as it is, and it also stays when the writer
/// is released without that call.
///
/// Some calls block the calling thread while the disk works. In async code, and for what is a
/// sequence already, there is `[any Asset].write(_:to:as:)`. Not thread-safe.
public final class ModelStreamWriter<Element> {
    /// How many bytes are gathered before they are written.
    private static var pieceSize: Int { 256 << 10 }

    /// Holds the text that is not in the file yet.
    @usableFromInline var writer = ModelWriter()
    @usableFromInline let encode: (Element, inout ModelWriter) throws -> Void
    /// What comes before the next element: the bracket, then commas; 0 once the array is closed.
    @usableFromInline var separator: UInt8 = 0x5B
    /// Nil once the file is in its place, or can never be.
    private var file: AtomicFile?
    private let path: String
    /// Why the file cannot be finished any more. Every later write throws it again.
    private var failure: (any Error)?

    @usableFromInline
    init(
        _ url: URL,
        _ format: ModelFormat,
        _ encode: @escaping (Element, inout ModelWriter) throws -> Void
    ) throws {
        guard format == .json else {
            throw ModelEncodingError(
                kind: .notRepresentable,
                explanation: "only JSON without a layout can be written as a stream"
            )
        }
        file = try AtomicFile(for: url)
        path = url.path
        self.encode = encode
        // Elements are one level down.
        writer.remainingDepth -= 1
    }

    /// Starts a file of models: makes a temporary file in the folder of `url`.
    ///
    /// ```swift
    /// let writer = try ModelStreamWriter<User>(to: url, as: .json)
    /// ```
    ///
    /// - Throws: ``ModelFileError``, and ``ModelEncodingError`` for formats other than `.json`.
    @inlinable
    public convenience init(to url: URL, as format: ModelFormat) throws
    where Element: ModelValue {
        try self.init(url, format) { try $0.encode(to: &$1) }
    }

    /// Starts a file of conformers of a model protocol: makes a temporary file in the folder of
    /// `url`.
    ///
    /// - Parameters:
    ///   - url: The file that will be replaced, or made.
    ///   - format: `.json`, without a layout.
    ///   - table: Leave it out; the macro fills it in.
    /// - Throws: ``ModelFileError``, and ``ModelEncodingError`` for formats other than `.json`.
    public convenience init(
        to url: URL,
        as format: ModelFormat,
        by table: RootCoding<Element> = #_rootCoding
    ) throws {
        try self.init(url, format, table.encodeElement)
    }

    /// Writes the next element.
    ///
    /// - Complexity: linear in the length of the element's text.
    /// - Throws: ``ModelEncodingError`` for a value that has no form: it is left out, and others
    ///   may follow. ``ModelFileError`` when the disk refuses: the file cannot be finished any more
    ///   then.
    @inlinable
    public func append(_ element: Element) throws {
        try encodeNext(element)
        if isFull { try flush() }
    }

    /// Writes the next element into memory. After one that fails the writer's length, depth and tag
    /// are what they were before.
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

    /// The error for a writer whose file is finished or given up.
    @usableFromInline
    var closed: ModelFileError { ModelFileError(.write, path, code: EBADF) }

    /// Whether enough is gathered for a write.
    @usableFromInline
    var isFull: Bool { writer.count >= Self.pieceSize }

    /// Writes what is gathered to the file. After an error the temporary file is removed.
    ///
    /// - Throws: ``ModelFileError``, the same one from then on.
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

    /// Closes the array and puts the file into its place. Nothing can be appended afterwards, and a
    /// second call throws.
    ///
    /// ```swift
    /// let writer = try ModelStreamWriter<Int>(to: url, as: .json)
    /// try writer.finish()                         // []
    /// ```
    ///
    /// - Throws: ``ModelFileError``. The old file is untouched then, unless the last step failed:
    ///   bringing the folder to the disk.
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
