import Dovetail
import DovetailFiles
import Synchronization
import TestAssets
import Testing

/// An array without an end, made while it is read; counts the bytes that it has handed out.
private final class EndlessArray: Sendable {
    let element: [UInt8]
    let pieceSize: Int
    let handedOut = Mutex(0)

    init(of element: String, pieceSize: Int) {
        self.element = Array(element.utf8) + [0x2C]
        self.pieceSize = pieceSize
    }

    func nextPiece() -> [UInt8] {
        let start = handedOut.withLock { count in
            defer { count += pieceSize }
            return count
        }
        return (start..<start + pieceSize).map {
            $0 == 0 ? 0x5B : element[($0 - 1) % element.count]
        }
    }
}

extension EndlessArray: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
        let array: EndlessArray
        mutating func next() async -> [UInt8]? { array.nextPiece() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(array: self) }
}

/// What a stream holds of a document, counted in bytes.
@Suite struct StreamMemoryTests {
    private struct Most: Equatable {
        /// Of bytes that came and whose elements were not delivered yet.
        var ahead = 0
        /// Of bytes that the stream sets aside.
        var window = 0
    }

    /// Reads elements of one size and gives the most that was held after `counts` of them.
    private func most(
        after counts: [Int],
        path: String,
        pieceSize: Int
    ) async throws -> [Most] {
        let sound = SoundAsset(name: "s", path: path)
        let array = EndlessArray(of: try sound.json(), pieceSize: pieceSize)
        var iterator = [SoundAsset].stream(from: array).makeAsyncIterator()
        var (most, all) = (Most(), [Most]())
        for read in 1...(counts.max() ?? 1) {
            let next = try await iterator.next()
            guard next?.path.utf8.count == path.utf8.count else {
                Issue.record("element \(read) is another one")
                break
            }
            let delivered = read * array.element.count
            most.ahead = max(most.ahead, array.handedOut.withLock { $0 } - delivered)
            most.window = max(most.window, iterator.windowSize)
            if counts.contains(read) { all.append(most) }
        }
        return all
    }

    @Test(arguments: [100, 4096, 256 << 10])
    func `a document of any length takes a few pieces`(pieceSize: Int) async throws {
        let most = try await most(after: [2_000, 20_000], path: "p", pieceSize: pieceSize)
        try #require(most.count == 2)
        // The window doubles once when an element is cut; after that nothing grows any more.
        #expect(most[1].window <= 2 * max(pieceSize, 4096))
        #expect(most[1].ahead <= most[1].window)
        #expect(most[1].ahead > 0)
    }

    @Test(arguments: [100_000, 1_000_000])
    func `an element takes twice its size`(size: Int) async throws {
        let path = String(repeating: "p", count: size)
        let most = try await most(after: [2, 8], path: path, pieceSize: 16 << 10)
        try #require(most.count == 2)
        #expect(most[0] == most[1])
        #expect(most[1].window >= size)
        #expect(most[1].window <= 2 * (size + (16 << 10)))
        #expect(most[1].ahead <= 16 << 10)
    }

    @Test func `an element that is too large is given up at its bound`() async throws {
        let text = String(repeating: "p", count: 100_000)
        let array = EndlessArray(of: "\"\(text)\"", pieceSize: 1000)
        let stream = [String].stream(from: array, maximumElementSize: 20_000)
        var iterator = stream.makeAsyncIterator()
        let error = await #expect(throws: ModelDecodingError.self) { try await iterator.next() }
        #expect(error?.kind == .tooLarge)
        #expect(array.handedOut.withLock { $0 } <= 20_000 + 2 * 1000)
        #expect(iterator.windowSize <= 2 * (20_000 + 1000))
    }
}
