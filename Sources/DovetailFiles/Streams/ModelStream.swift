public import DovetailModel

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
    @usableFromInline let decodeElements: ElementLoop<Element>
    /// The largest element, in bytes.
    @usableFromInline let limit: Int

    @usableFromInline
    init(
        limit: Int,
        _ decodeElements: @escaping ElementLoop<Element>,
        source: @escaping @Sendable () -> StreamSource
    ) {
        self.limit = limit
        self.decodeElements = decodeElements
        self.source = source
    }

    /// The loop is made where the element is known, so that it is specialized code.
    @inlinable
    init(limit: Int, source: @escaping @Sendable () -> StreamSource) where Element: ModelValue {
        let decodeElements: ElementLoop<Element> = { reader, elements, next in
            while next(&reader, elements.count) {
                elements.append(try Element(modelValue: &reader))
            }
        }
        self.init(limit: limit, decodeElements, source: source)
    }

    /// An iterator that has opened and read nothing yet.
    public func makeAsyncIterator() -> Iterator {
        Iterator(StreamProgress(source(), StreamWindow(limit: limit)), decodeElements)
    }

    /// Reads the elements in batches and delivers them one by one. An iterator belongs to one task.
    /// Copies of it share the source, so use one of them.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let progress: StreamProgress
        private let decodeElements: ElementLoop<Element>
        /// The next elements, the last one first, so that they are moved out and not copied.
        @usableFromInline var batch: [Element] = []

        fileprivate init(
            _ progress: StreamProgress,
            _ decodeElements: @escaping ElementLoop<Element>
        ) {
            self.progress = progress
            self.decodeElements = decodeElements
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
            guard try await readBatch(isolation: actor) else { return nil }
            // Here and not there, because here it is specialized code. The pointer moves what it
            // swaps; the array would copy it, with a count for everything in it.
            batch.withUnsafeMutableBufferPointer { $0.reverse() }
            return batch.popLast()
        }

        /// Reads elements into the empty batch, in their order. False when there are no more.
        ///
        /// It takes the actor as a parameter, so that a caller goes back to its executor after this
        /// call. After a `nonisolated(nonsending)` function it does so once an element, where the
        /// paths with and without a new batch meet: a tenth of the time of small elements.
        @usableFromInline
        mutating func readBatch(isolation actor: isolated (any Actor)?) async throws -> Bool {
            while try await progress.isOpen() {
                progress.window.readBatch(into: &batch, decodeElements)
                if !batch.isEmpty { return true }
            }
            return false
        }
    }
}

extension ModelStream.Iterator {
    /// How many bytes are allocated for the document, for tests of the bound.
    package var windowSize: Int { progress.window.capacity }
}

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
private final class StreamProgress {
    var window: StreamWindow
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
