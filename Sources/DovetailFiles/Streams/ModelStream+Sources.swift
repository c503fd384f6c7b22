public import DovetailModel
public import Foundation

// Three sources, each for models and for `any P`: files, pieces, and single bytes. The closures are
// made where the element is known, so that reading a batch is specialized code.

extension Array where Element: ModelValue {
    /// The elements of a file that holds an array in JSON, one after the other.
    ///
    /// ```swift
    /// for try await user in [User].stream(from: url) { print(user.name) }
    /// ```
    ///
    /// The file is opened when the first element is asked for, and read by a queue of its own, one
    /// piece of 256 KiB ahead. What goes wrong is thrown by the iteration.
    ///
    /// - Parameters:
    ///   - url: A file, or a pipe.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Kind/tooLarge``. Twice as many bytes may be in memory.
    /// - Complexity: O(1) here; memory does not depend on the file's size.
    @inlinable
    public static func stream(
        from url: URL,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize
    ) -> ModelStream<Element> {
        ModelStream(limit: maximumElementSize) { StreamSource(file: url) }
    }

    /// The elements of an array in JSON that arrives in pieces: `Data`, `[UInt8]` or other
    /// collections of bytes.
    ///
    /// ```swift
    /// let pieces = AsyncStream<Data> { continuation in
    ///     for text in ["[1,", "2]"] { continuation.yield(Data(text.utf8)) }
    ///     continuation.finish()
    /// }
    /// for try await number in [Int].stream(from: pieces) { print(number) }       // 1, then 2
    /// ```
    ///
    /// - Parameters:
    ///   - pieces: The document, cut anywhere. Each piece is copied once.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Kind/tooLarge``. Twice as many bytes may be in memory.
    /// - Complexity: O(1) here; memory does not depend on the document's size.
    @inlinable
    public static func stream<Pieces: AsyncSequence & Sendable>(
        from pieces: Pieces,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize
    ) -> ModelStream<Element> where Pieces.Element: Sequence<UInt8> {
        ModelStream(limit: maximumElementSize) { StreamSource(pieces: pieces) }
    }

    /// The elements of an array in JSON that arrives byte by byte.
    ///
    /// Objects and arrays are delivered as soon as their last byte is there, also while the source
    /// waits. A string, a number, a boolean or null needs the comma or the bracket that follows it.
    ///
    /// ```swift
    /// for try await user in [User].stream(from: bytes) { print(user.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Kind/tooLarge``. Twice as many bytes may be in memory.
    /// - Complexity: O(1) here; memory does not depend on the document's size.
    @inlinable
    public static func stream<Bytes: AsyncSequence & Sendable>(
        from bytes: Bytes,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize
    ) -> ModelStream<Element> where Bytes.Element == UInt8 {
        ModelStream(limit: maximumElementSize) { StreamSource(bytes: bytes) }
    }
}

extension Array {
    /// The elements of a file that holds an array of conformers of a model protocol in JSON, one
    /// after the other.
    ///
    /// ```swift
    /// for try await asset in [any Asset].stream(from: url) { print(asset.name) }
    /// ```
    ///
    /// The file is opened when the first element is asked for, and read by a queue of its own, one
    /// piece of 256 KiB ahead. What goes wrong is thrown by the iteration.
    ///
    /// - Parameters:
    ///   - url: A file, or a pipe.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Kind/tooLarge``. Twice as many bytes may be in memory.
    ///   - table: Leave it out; the macro fills it in.
    /// - Complexity: O(1) here; memory does not depend on the file's size.
    public static func stream(
        from url: URL,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize,
        by table: RootCoding<Element> = #_rootCoding
    ) -> ModelStream<Element> {
        ModelStream(limit: maximumElementSize, table.decodeElements) { StreamSource(file: url) }
    }

    /// The elements of an array of conformers in JSON that arrives in pieces: `Data`, `[UInt8]` or
    /// other collections of bytes.
    ///
    /// ```swift
    /// for try await asset in [any Asset].stream(from: pieces) { print(asset.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - pieces: The document, cut anywhere. Each piece is copied once.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Kind/tooLarge``. Twice as many bytes may be in memory.
    ///   - table: Leave it out; the macro fills it in.
    /// - Complexity: O(1) here; memory does not depend on the document's size.
    @inlinable
    public static func stream<Pieces: AsyncSequence & Sendable>(
        from pieces: Pieces,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize,
        by table: RootCoding<Element> = #_rootCoding
    ) -> ModelStream<Element> where Pieces.Element: Sequence<UInt8> {
        ModelStream(limit: maximumElementSize, table.decodeElements) {
            StreamSource(pieces: pieces)
        }
    }

    /// The elements of an array of conformers in JSON that arrives byte by byte.
    ///
    /// Objects and arrays are delivered as soon as their last byte is there, also while the source
    /// waits. A string, a number, a boolean or null needs the comma or the bracket that follows it.
    ///
    /// ```swift
    /// for try await asset in [any Asset].stream(from: bytes) { print(asset.name) }
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Kind/tooLarge``. Twice as many bytes may be in memory.
    ///   - table: Leave it out; the macro fills it in.
    /// - Complexity: O(1) here; memory does not depend on the document's size.
    @inlinable
    public static func stream<Bytes: AsyncSequence & Sendable>(
        from bytes: Bytes,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize,
        by table: RootCoding<Element> = #_rootCoding
    ) -> ModelStream<Element> where Bytes.Element == UInt8 {
        ModelStream(limit: maximumElementSize, table.decodeElements) { StreamSource(bytes: bytes) }
    }
}

extension ModelStream {
    /// The largest element of a stream unless another size is given: 64 MiB.
    public static var defaultMaximumElementSize: Int { 64 << 20 }
}

extension StreamSource {
    /// The pieces of a file, which is opened at the first one.
    @usableFromInline
    init(file url: URL) {
        let pieces = FilePieces(url)
        self.init(file: url.path) { try await pieces.take() }
    }

    /// The pieces of a sequence, each as an array.
    @inlinable
    init<Pieces: AsyncSequence>(pieces: Pieces) where Pieces.Element: Sequence<UInt8> {
        var iterator = pieces.makeAsyncIterator()
        self.init {
            try await iterator.next(isolation: #isolation).map { [UInt8]($0) }
        }
    }

    /// Single bytes, gathered into pieces that end where an element may end.
    @inlinable
    init<Bytes: AsyncSequence>(bytes: Bytes) where Bytes.Element == UInt8 {
        var iterator = bytes.makeAsyncIterator()
        var gatherer = ByteGatherer()
        self.init {
            while let byte = try await iterator.next(isolation: #isolation) {
                if gatherer.take(byte) { break }
            }
            return gatherer.end()
        }
    }
}
