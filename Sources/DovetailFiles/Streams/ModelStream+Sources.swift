public import DovetailModel
public import Foundation

// Three sources, each for models and for `any P`.

extension Array where Element: ModelValue {
    /// The elements of a file that holds an array in JSON, one after the other.
    ///
    /// ```swift
    /// for try await user in [User].stream(from: url) { … }
    /// ```
    ///
    /// The file is opened at the first element, and read by a queue of its own.
    ///
    /// - Parameters:
    ///   - url: A file, or a pipe.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Reason/tooLarge``. Twice as many bytes may be in memory.
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
    /// - Parameters:
    ///   - pieces: The document, cut anywhere.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Reason/tooLarge``. Twice as many bytes may be in memory.
    /// - Complexity: O(1) here; memory does not depend on the document's size.
    @inlinable
    public static func stream<Pieces: AsyncSequence & Sendable>(
        from pieces: Pieces,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize
    ) -> ModelStream<Element> where Pieces.Element: Sequence<UInt8> {
        ModelStream(limit: maximumElementSize) { StreamSource(pieces: pieces) }
    }

    /// The elements of an array in JSON that arrives byte by byte. An element is delivered as soon
    /// as its last byte is there; of a number that is the byte behind it.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Reason/tooLarge``. Twice as many bytes may be in memory.
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
    /// for try await asset in [any Asset].stream(from: url) { … }
    /// ```
    ///
    /// The file is opened at the first element, and read by a queue of its own.
    ///
    /// - Parameters:
    ///   - url: A file, or a pipe.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Reason/tooLarge``. Twice as many bytes may be in memory.
    /// - Complexity: O(1) here; memory does not depend on the file's size.
    public static func stream(
        from url: URL,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize,
        by table: ModelTable<Element> = #_modelTable
    ) -> ModelStream<Element> {
        ModelStream(limit: maximumElementSize, table.decodeElements) { StreamSource(file: url) }
    }

    /// The elements of an array of conformers in JSON that arrives in pieces: `Data`, `[UInt8]` or
    /// other collections of bytes.
    ///
    /// - Parameters:
    ///   - pieces: The document, cut anywhere.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Reason/tooLarge``. Twice as many bytes may be in memory.
    /// - Complexity: O(1) here; memory does not depend on the document's size.
    @inlinable
    public static func stream<Pieces: AsyncSequence & Sendable>(
        from pieces: Pieces,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize,
        by table: ModelTable<Element> = #_modelTable
    ) -> ModelStream<Element> where Pieces.Element: Sequence<UInt8> {
        ModelStream(limit: maximumElementSize, table.decodeElements) {
            StreamSource(pieces: pieces)
        }
    }

    /// The elements of an array of conformers in JSON that arrives byte by byte. An element is
    /// delivered as soon as its last byte is there.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - maximumElementSize: The largest element, in bytes; a larger one ends in the error
    ///     ``ModelDecodingError/Reason/tooLarge``. Twice as many bytes may be in memory.
    /// - Complexity: O(1) here; memory does not depend on the document's size.
    @inlinable
    public static func stream<Bytes: AsyncSequence & Sendable>(
        from bytes: Bytes,
        maximumElementSize: Int = ModelStream<Element>.defaultMaximumElementSize,
        by table: ModelTable<Element> = #_modelTable
    ) -> ModelStream<Element> where Bytes.Element == UInt8 {
        ModelStream(limit: maximumElementSize, table.decodeElements) { StreamSource(bytes: bytes) }
    }
}

extension ModelStream {
    /// The largest element of a stream unless another size is given: 64 MiB.
    public static var defaultMaximumElementSize: Int { 64 << 20 }
}

extension StreamSource {
    @usableFromInline
    init(file url: URL) {
        let pieces = FilePieces(url)
        self.init(file: url.path) { try await pieces.take() }
    }

    @inlinable
    init<Pieces: AsyncSequence>(pieces: Pieces) where Pieces.Element: Sequence<UInt8> {
        var iterator = pieces.makeAsyncIterator()
        self.init {
            try await iterator.next(isolation: #isolation).map { [UInt8]($0) }
        }
    }

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
