import Dispatch
public import DovetailModel
public import Foundation

extension Array where Element: ModelValue {
    /// Writes the elements of a sequence into a file that holds an array, in constant memory.
    ///
    /// ```swift
    /// try await [User].write(users, to: url, as: .json)
    /// ```
    ///
    /// The elements go into a temporary file, which takes its place at the end as with
    /// `save(as:to:)`. It is opened and the elements are encoded where the caller runs; it is
    /// written by threads of Dispatch, 256 KiB at a time. After an error, and when the task is
    /// cancelled, the old file stays as it is.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: what `elements` throws, ``ModelEncodingError`` for an element that has no form and
    ///   for formats other than `.json`, ``ModelFileError``, and `CancellationError`.
    @inlinable
    public static func write<Elements: AsyncSequence>(
        _ elements: Elements,
        to url: URL,
        as format: ModelFormat,
        isolation: isolated (any Actor)? = #isolation
    ) async throws where Elements.Element == Element {
        try await ModelStreamWriter<Element>(to: url, as: format).write(all: elements)
    }
}

extension Array {
    /// Writes conformers of a model protocol into a file that holds an array, in constant memory.
    ///
    /// ```swift
    /// try await [any Asset].write(assets, to: url, as: .json)
    /// ```
    ///
    /// The elements go into a temporary file, which takes its place at the end as with
    /// `save(as:to:)`. It is opened and the elements are encoded where the caller runs; it is
    /// written by threads of Dispatch, 256 KiB at a time. After an error, and when the task is
    /// cancelled, the old file stays as it is.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: what `elements` throws, ``ModelEncodingError`` for an element that has no form and
    ///   for formats other than `.json`, ``ModelFileError``, and `CancellationError`.
    @inlinable
    public static func write<Elements: AsyncSequence>(
        _ elements: Elements,
        to url: URL,
        as format: ModelFormat,
        by table: RootCoding<Element> = #_rootCoding,
        isolation: isolated (any Actor)? = #isolation
    ) async throws where Elements.Element == Element {
        try await ModelStreamWriter<Element>(to: url, as: format, by: table).write(all: elements)
    }
}

extension ModelStreamWriter {
    /// Appends all elements and finishes the file. Encoding stays with the caller, for whom it is
    /// specialized.
    @inlinable
    func write<Elements: AsyncSequence>(
        all elements: Elements,
        isolation: isolated (any Actor)? = #isolation
    ) async throws where Elements.Element == Element {
        for try await element in elements {
            try encodeNext(element)
            if isFull { try await elsewhere { try $0.flush() } }
        }
        // Many sequences simply end when the task is cancelled.
        try Task.checkCancellation()
        try await elsewhere { try $0.finish() }
    }

    /// Runs what blocks on a thread outside of Swift's cooperative pool.
    @usableFromInline
    nonisolated(nonsending)
        func elsewhere(_ work: @escaping @Sendable (ModelStreamWriter) throws -> Void) async throws
    {
        // Invariant: one thread uses the writer at a time. The static `write` made it and nobody else
        // has it, and it waits here until the work is done.
        nonisolated(unsafe) let writer = self
        try await withCheckedThrowingContinuation { continuation in
            // A serial queue gets a thread beside those of the pool, a global one takes one of these on Linux.
            DispatchQueue(label: "Dovetail.ModelStream.write").async {
                continuation.resume(with: Result { try work(writer) })
            }
        }
    }
}
