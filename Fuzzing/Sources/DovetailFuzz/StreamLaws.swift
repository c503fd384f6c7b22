import Dovetail
import Foundation
import TestAssets

/// A stream gives what reading the document whole gives, or ends in the same error, wherever the
/// document is cut.
func checkStream(_ data: Data) {
    compare(
        data,
        whole: { try [any Asset](decoding: $0, as: .json) },
        stream: { [any Asset].stream(from: $0) },
        write: { try $0.encoded(as: .json) }
    )
    compare(
        data,
        whole: { try [ModelDocument](decoding: $0, as: .json) },
        stream: { [ModelDocument].stream(from: $0) },
        write: { try $0.encoded(as: .json) }
    )
}

private func compare<Element>(
    _ data: Data,
    whole: (Data) throws -> [Element],
    stream: (OddPieces) -> ModelStream<Element>,
    write: ([Element]) throws -> Data
) {
    let expected = Result { try whole(data) }
    let outcome = outcome(of: stream(OddPieces(document: Array(data))))
    switch (expected, outcome.error) {
    case (.success(let elements), nil):
        let left = must("elements are written") { try write(elements) }
        let right = must("elements are written") { try write(outcome.elements) }
        if left != right { broken("a stream gives what is there", left.text, right.text) }
    case (.success, let error?): broken("a stream reads what is read whole", error)
    case (.failure(let error), nil): broken("a stream refuses what is refused whole", error)
    case (.failure(let error), let found?):
        guard let error = error as? ModelDecodingError, let found = found as? ModelDecodingError
        else { broken("an error of another type", error, found) }
        // An error quotes no further than the bytes that have arrived.
        let isSame =
            error.kind == found.kind && error.path == found.path
            && error.expected == found.expected && error.line == found.line
            && error.column == found.column
        if !isSame { broken("a stream ends in the error of reading whole", error, found) }
    }
}

/// What a stream gave before it ended.
private struct Outcome<Element> {
    var elements: [Element] = []
    var error: (any Error)?
}

/// Waits for the end of a stream: libFuzzer's function is none that can suspend.
private func outcome<Element>(of stream: ModelStream<Element>) -> Outcome<Element> {
    let box = OutcomeBox<Element>()
    Task.detached {
        do {
            for try await element in stream { box.outcome.elements.append(element) }
        } catch {
            box.outcome.error = error
        }
        box.end.signal()
    }
    box.end.wait()
    return box.outcome
}

/// Invariant of the unchecked `Sendable`: the task writes before it signals, the other side reads
/// after that.
private final class OutcomeBox<Element>: @unchecked Sendable {
    var outcome = Outcome<Element>()
    let end = DispatchSemaphore(value: 0)
}

/// A document in pieces of 0 to 15 bytes, or whole, as its own bytes say.
private struct OddPieces: AsyncSequence, Sendable {
    let document: [UInt8]

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<UInt8>
        var state: UInt64

        mutating func next() async -> ArraySlice<UInt8>? {
            guard !rest.isEmpty else { return nil }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let size = state >> 60 == 15 ? rest.count : Int(state >> 59) / 2
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size)
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        // FNV-1a (RFC 9923).
        let hash = document.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        return AsyncIterator(rest: document[...], state: hash)
    }
}
