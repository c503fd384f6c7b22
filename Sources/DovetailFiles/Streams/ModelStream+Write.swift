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
    /// The file takes its place at the end, as with `save(as:to:)`, and is written by a queue of
    /// its own. After an error, and when the task is cancelled, the old file stands.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: what `elements` throws, ``ModelEncodingError``, ``ModelFileError``, and
    ///   `CancellationError`.
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
    /// The file takes its place at the end, as with `save(as:to:)`, and is written by a queue of
    /// its own. After an error, and when the task is cancelled, the old file stands.
    ///
    /// - Complexity: linear in the size of the document.
    /// - Throws: what `elements` throws, ``ModelEncodingError``, ``ModelFileError``, and
    ///   `CancellationError`.
    @inlinable
    public static func write<Elements: AsyncSequence>(
        _ elements: Elements,
        to url: URL,
        as format: ModelFormat,
        by table: ModelTable<Element> = #_modelTable,
        isolation: isolated (any Actor)? = #isolation
    ) async throws where Elements.Element == Element {
        try await ModelStreamWriter<Element>(to: url, as: format, by: table).write(all: elements)
    }
}

extension ModelStreamWriter {
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

    /// Runs what blocks on another thread than those of Swift's cooperative pool.
    @usableFromInline
    nonisolated(nonsending)
        func elsewhere(_ work: @escaping @Sendable (ModelStreamWriter) throws -> Void) async throws
    {
        // The caller, who alone has the writer, waits until the work is done.
        nonisolated(unsafe) let writer = self
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try work(writer) })
            }
        }
    }
}
