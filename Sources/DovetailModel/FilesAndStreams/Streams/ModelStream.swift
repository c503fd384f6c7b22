/// The elements of a document that is an array, read one after the other.
///
/// ```swift
/// for try await asset in [any Asset].stream(from: url) {
///     …
/// }
/// ```
///
/// Memory holds a few pieces of the document and at most 512 elements, whatever the size of the
/// document. Reading is as strict as of a whole document and ends in the same errors: the path
/// starts with the element's index, line and column are those of the document. The end is not known
/// before it is reached, so the elements before an error are delivered first.
///
/// Each iteration reads from the start, as far as its source can. It ends with a
/// `CancellationError` once the task is cancelled, at once while it waits for a file or pipe.
/// Another source has to end its own wait. The file is closed when the iteration ends or is
/// released.
public struct ModelStream<Element>: AsyncSequence, Sendable {
    /// Makes the source of one iteration.
    @usableFromInline let source: @Sendable () -> StreamSource
    @usableFromInline let readBatch: StreamBatch<Element>
    /// The largest element, in bytes.
    @usableFromInline let limit: Int

    @usableFromInline
    init(
        limit: Int,
        source: @escaping @Sendable () -> StreamSource,
        readBatch: @escaping StreamBatch<Element>
    ) {
        self.limit = limit
        self.source = source
        self.readBatch = readBatch
    }

    /// An iterator that has opened and read nothing yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(StreamProgress(source(), StreamWindow(limit: limit)), readBatch)
    }

    /// Reads the elements in batches and delivers them one by one. An iterator belongs to one task.
    /// Copies of it share the source, so use one of them.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let progress: StreamProgress
        @usableFromInline let readBatch: StreamBatch<Element>
        /// The next elements, the last one first, so that they are moved out and not copied.
        @usableFromInline var batch: [Element] = []

        @usableFromInline
        init(_ progress: StreamProgress, _ readBatch: @escaping StreamBatch<Element>) {
            self.progress = progress
            self.readBatch = readBatch
        }

        /// The next element, or nil after the last one.
        ///
        /// - Throws: ``ModelDecodingError``, ``ModelFileError``, what the source throws, and
        ///   `CancellationError`. After an error there are no more elements.
        @inlinable
        public mutating func next() async throws -> Element? {
            try await next(isolation: nil)
        }

        /// The next element, or nil after the last one.
        ///
        /// - Complexity: linear in the length of the element's text. Many elements are made in one
        ///   call, which the following calls deliver.
        /// - Throws: ``ModelDecodingError``, ``ModelFileError``, what the source throws, and
        ///   `CancellationError`. After an error there are no more elements.
        @inlinable
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> Element? {
            // Nothing that was read ahead is delivered after a cancellation.
            if Task.isCancelled { batch = [] } else if let next = batch.popLast() { return next }
            while try await progress.isOpen() {
                readBatch(&progress.window, &batch)
                if batch.isEmpty { continue }
                batch.reverse()
                return batch.popLast()
            }
            return nil
        }
    }
}

extension ModelStream.Iterator {
    /// How many bytes are allocated for the document, for tests of the bound.
    package var windowSize: Int { progress.window.capacity }
}

/// Reads the elements that are whole into an array, which is empty before.
@usableFromInline
typealias StreamBatch<Element> = @Sendable (inout StreamWindow, inout [Element]) -> Void

/// Where the pieces of a document come from: nil after the last one. One iteration owns it.
@usableFromInline
struct StreamSource {
    /// The next piece, which may be empty; nil after the last one.
    let next: nonisolated(nonsending) () async throws -> [UInt8]?
    /// The path of the file, for errors; nil for a source that is none.
    let file: String?

    @usableFromInline
    init(
        file: String? = nil,
        _ next: nonisolated(nonsending) @escaping () async throws -> [UInt8]?
    ) {
        self.file = file
        self.next = next
    }
}

/// What an iteration has read so far. Its iterator owns it and is the only one to use it.
///
/// It is a class because the window cannot be copied and the iterator can.
@usableFromInline
final class StreamProgress {
    @usableFromInline var window: StreamWindow
    /// Nil once the iteration is over, so that a file is closed.
    private var source: StreamSource?

    init(_ source: StreamSource, _ window: consuming StreamWindow) {
        self.source = source
        self.window = window
    }

    /// Whether there may be elements in the window; false when the stream has ended. Gets one more
    /// piece into the window where it needs bytes.
    ///
    /// - Throws: what was wrong in the window, after its elements were delivered; what the source
    ///   throws; and `CancellationError`. The source is released then.
    @usableFromInline
    nonisolated(nonsending)
        func isOpen() async throws -> Bool
    {
        guard let source else { return false }
        do {
            try Task.checkCancellation()
            if let failure = window.failure { throw failure }
            if window.needsBytes, !window.isRead {
                if let bytes = try await source.next() {
                    bytes.withUnsafeBytes { window.append($0) }
                } else {
                    window.isComplete = true
                }
            }
            if window.isRead { self.source = nil }
            return !window.isRead
        } catch {
            self.source = nil
            if let file = source.file, let error = error as? ModelDecodingError {
                throw error.inFile(file)
            }
            throw error
        }
    }
}
