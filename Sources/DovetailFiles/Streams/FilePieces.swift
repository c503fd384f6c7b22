import Dispatch
import Foundation
import Synchronization

/// The pieces of a file: while one is worked on, the next one is read.
///
/// One iteration owns it and is the only one to use it. When the iteration is released, the wait
/// for a pipe ends as well.
final class FilePieces {
    private let reader: FileReader
    /// The piece that is read ahead; nil before the first one and after the last.
    private var next: Answer?

    init(_ url: URL) {
        reader = FileReader(url)
    }

    deinit {
        next?.give(.failure(CancellationError()))
    }

    /// The next piece, nil at the end. A cancellation ends the wait at once; the piece that is
    /// being read is dropped when it comes.
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
/// Invariant of `@unchecked Sendable`: `descriptor` and `isRegularFile` are only used on `queue`,
/// whose blocks run one at a time and hold the object, and in `deinit`, when no block is left. The
/// other properties never change.
private final class FileReader: @unchecked Sendable {
    /// The size of a piece, in bytes.
    private static let size = 256 << 10
    /// How long a wait for a pipe lasts before it looks whether it is still wanted, in
    /// milliseconds.
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

    /// Starts to read the next piece, and gives the place where it will arrive.
    func read() -> Answer {
        let answer = Answer()
        queue.async { answer.give(Result { try self.read(for: answer) }) }
        return answer
    }

    /// Reads a piece; nil at the end, and when nobody waits for it any more.
    ///
    /// - Throws: ``ModelFileError``.
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
        // Without O_NONBLOCK, opening a pipe waits for its writer (fifo(7)).
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

/// A piece that somebody waits for, or a reason not to wait. What comes first counts.
///
/// It is a small state machine under a lock, because three sides meet in it: the task that waits,
/// the queue that reads, and the cancellation. The continuation is resumed outside of the lock, and
/// once: `.delivered` is only entered by the side that resumes it.
private final class Answer: Sendable {
    typealias Piece = Result<[UInt8]?, any Error>

    private enum State {
        /// Neither has come.
        case open
        /// The task waits; the piece has not come.
        case awaited(CheckedContinuation<[UInt8]?, any Error>)
        /// The piece has come; the task does not wait yet.
        case given(Piece)
        /// The task has it.
        case delivered
    }

    private let state = Mutex(State.open)

    /// Whether reading on would be in vain.
    var isGiven: Bool {
        state.withLock { state in
            switch state {
            case .open, .awaited: false
            case .given, .delivered: true
            }
        }
    }

    /// Waits for the piece. Called once.
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

    /// Gives the piece, or an error in its place. Only the first call has an effect.
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
