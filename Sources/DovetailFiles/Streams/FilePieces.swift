import Dispatch
import Foundation
import Synchronization

/// The pieces of a file, the next one read ahead while the last one is worked on.
///
/// Only the iteration that it belongs to uses it. When that goes, so does the wait for a pipe.
final class FilePieces {
    private let reader: FileReader
    /// The piece that is read ahead.
    private var next: Answer?

    init(_ url: URL) {
        reader = FileReader(url)
    }

    deinit {
        next?.give(.failure(CancellationError()))
    }

    /// The next piece, nil at the end. A cancellation ends the wait at once; what is being read is
    /// dropped when it comes.
    ///
    /// - Throws: ``ModelFileError`` and `CancellationError`.
    nonisolated(nonsending)
        func take() async throws -> [UInt8]?
    {
        let answer = next ?? reader.read()
        next = nil
        let piece = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer.wait($0) }
        } onCancel: {
            answer.give(.failure(CancellationError()))
        }
        if piece != nil { next = reader.read() }
        return piece
    }
}

/// Reads a file piece by piece on a queue of its own, so that neither a slow disk nor a pipe
/// without a writer holds a thread of Swift's cooperative pool.
///
/// Invariant behind `@unchecked`: what varies is only used on the queue, whose blocks run one after
/// the other and keep the object alive, and in `deinit`, when there are no blocks.
private final class FileReader: @unchecked Sendable {
    private static let size = 256 << 10
    /// How often a wait for a pipe looks whether it is still wanted, in milliseconds.
    private static let patience: Int32 = 50

    private let url: URL
    private let queue = DispatchQueue(label: "Dovetail.ModelStream")
    private var descriptor: Int32 = -1
    private var isRegularFile = true

    init(_ url: URL) {
        self.url = url
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Starts to read the next piece.
    func read() -> Answer {
        let answer = Answer()
        queue.async { answer.give(Result { try self.read(for: answer) }) }
        return answer
    }

    private func read(for answer: Answer) throws -> [UInt8]? {
        let path = try FilePath.of(url, for: .open)
        if descriptor < 0 { try open(path) }
        while !isRegularFile {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if FilePath.retrying({ poll(&request, 1, Self.patience) }) != 0 { break }
            if answer.isGiven { return nil }
        }
        var failure: ModelFileError?
        let piece = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
            let read = FilePath.retrying {
                Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if read < 0 { failure = ModelFileError(.read, path, code: errno) }
            count = max(read, 0)
        }
        if let failure { throw failure }
        return piece.isEmpty ? nil : piece
    }

    private func open(_ path: String) throws {
        // Without O_NONBLOCK opening a pipe waits for its writer.
        descriptor = FilePath.retrying {
            Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        }
        guard descriptor >= 0 else { throw ModelFileError(.open, path, code: errno) }
        var found = stat()
        guard fstat(descriptor, &found) == 0 else {
            throw ModelFileError(.read, path, code: errno)
        }
        isRegularFile = found.isRegularFile
    }
}

/// A piece that somebody waits for, or a reason not to wait: what comes first counts.
private final class Answer: Sendable {
    typealias Piece = Result<[UInt8]?, any Error>

    private enum State {
        case open
        case awaited(CheckedContinuation<[UInt8]?, any Error>)
        case given(Piece)
        case delivered
    }

    private let state = Mutex(State.open)

    var isGiven: Bool {
        state.withLock { state in
            switch state {
            case .open, .awaited: false
            case .given, .delivered: true
            }
        }
    }

    func wait(_ continuation: CheckedContinuation<[UInt8]?, any Error>) {
        let given: Piece? = state.withLock { state in
            guard case .given(let piece) = state else {
                state = .awaited(continuation)
                return nil
            }
            state = .delivered
            return piece
        }
        if let given { continuation.resume(with: given) }
    }

    func give(_ piece: Piece) {
        let continuation: CheckedContinuation<[UInt8]?, any Error>? = state.withLock { state in
            switch state {
            case .open:
                state = .given(piece)
                return nil
            case .awaited(let continuation):
                state = .delivered
                return continuation
            case .given, .delivered: return nil
            }
        }
        continuation?.resume(with: piece)
    }
}
