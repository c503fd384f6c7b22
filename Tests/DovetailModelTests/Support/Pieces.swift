import Dovetail

/// A document that arrives in pieces of a size; the bytes themselves with ``bytes``.
struct Pieces: AsyncSequence, Sendable {
    let document: [UInt8]
    let size: Int

    init(_ document: some Sequence<UInt8>, of size: Int) {
        self.document = Array(document)
        self.size = size
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>
        let size: Int

        mutating func next() async -> ArraySlice<UInt8>? {
            defer { rest = rest.dropFirst(size) }
            return rest.isEmpty ? nil : rest.prefix(size)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: document[...], size: size) }
}

/// A document that arrives byte by byte.
struct SingleBytes: AsyncSequence, Sendable {
    let document: [UInt8]

    init(_ document: some Sequence<UInt8>) {
        self.document = Array(document)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>

        mutating func next() async -> UInt8? { rest.popFirst() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: document[...]) }
}

/// What a stream gave before it ended, and the error that it ended in.
struct StreamOutcome<Element> {
    var elements: [Element] = []
    var error: (any Error)?

    init(of stream: ModelStream<Element>) async {
        do {
            for try await element in stream { elements.append(element) }
        } catch {
            self.error = error
        }
    }

    var decodingError: ModelDecodingError? { error as? ModelDecodingError }
}
