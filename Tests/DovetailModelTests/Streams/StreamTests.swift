import Dovetail
import StoreTestSupport
import TestAssets
import Testing

@Suite struct StreamTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private let assets = (0..<700).map { number -> any Asset in
        if number % 3 == 0 { return ColorAsset(name: "ü\(number)", red: number, green: 2, blue: 3) }
        let path = String(repeating: "\\", count: number % 90)
        return SoundAsset(name: "\(number)", path: path)
    }

    private func expectAssets(_ stream: ModelStream<any Asset>) async throws {
        let outcome = await StreamOutcome(of: stream)
        #expect(outcome.error == nil)
        #expect(outcome.elements.map(\.name) == assets.map(\.name))
        let read = try outcome.elements.encoded(as: .json)
        let whole = try assets.encoded(as: .json)
        #expect(read == whole)
    }

    @Test func `a file of conformers`() async throws {
        let file = folder.file()
        for format in [ModelFormat.json, .json(pretty: true)] {
            try assets.save(as: format, to: file)
            try await expectAssets([any Asset].stream(from: file))
        }
    }

    @Test func `a file of models`() async throws {
        let sounds = (0..<9_000).map { SoundAsset(name: "\($0)", path: "p") }
        try sounds.save(as: .json, to: folder.file())
        let stream = [SoundAsset].stream(from: folder.file())
        #expect(await StreamOutcome(of: stream).elements == sounds)
        // A second iteration starts anew.
        #expect(await StreamOutcome(of: stream).elements == sounds)
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1000, 5000, 1 << 20])
    func `pieces of any size`(size: Int) async throws {
        let document = try assets.encoded(as: .json)
        try await expectAssets([any Asset].stream(from: Pieces(document, of: size)))
    }

    @Test func `single bytes`() async throws {
        let document = try assets.encoded(as: .json(pretty: true))
        try await expectAssets([any Asset].stream(from: SingleBytes(document)))
        let numbers = "\u{FEFF} [1 , -2.5e1,\n3] "
        let stream = [Double].stream(from: SingleBytes(numbers.utf8))
        #expect(await StreamOutcome(of: stream).elements == [1, -25, 3])
    }

    @Test func `pieces of Data`() async throws {
        let pieces = AsyncStream<Data> { continuation in
            for byte in #"["a","é"]"#.utf8 { continuation.yield(Data([byte])) }
            continuation.yield(Data())
            continuation.finish()
        }
        #expect(await StreamOutcome(of: [String].stream(from: pieces)).elements == ["a", "é"])
    }

    @Test(arguments: ["[]", " [ ] ", "\u{FEFF}[\n]"])
    func `no elements`(document: String) async throws {
        for size in 1...3 {
            let outcome = await StreamOutcome(
                of: [Int].stream(from: Pieces(document.utf8, of: size))
            )
            #expect(outcome.elements.isEmpty)
            #expect(outcome.error == nil)
        }
    }

    @Test func `an element larger than many pieces`() async throws {
        let text = String(repeating: "abc\\\"\n{[", count: 60_000)
        let document = try [text, "", text].encoded(as: .json)
        for size in [100_000, 1 << 20] {
            let outcome = await StreamOutcome(of: [String].stream(from: Pieces(document, of: size)))
            #expect(outcome.elements == [text, "", text])
        }
        let file = folder.file()
        try document.write(to: file)
        #expect(await StreamOutcome(of: [String].stream(from: file)).elements == [text, "", text])
    }

    @Test func `an element is there before the document's end is`() async throws {
        let (bytes, feed) = AsyncStream<UInt8>.makeStream()
        var iterator = [SoundAsset].stream(from: bytes).makeAsyncIterator()
        for number in 0..<3 {
            let sound = SoundAsset(name: "\(number)", path: "p")
            let text = try (number == 0 ? "[" : ",") + sound.json()
            for byte in text.utf8 { feed.yield(byte) }
            #expect(try await iterator.next() == sound)
        }
        feed.yield(0x5D)
        feed.finish()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func `long white space takes no memory`() async throws {
        let spaces = String(repeating: " ", count: 50_000)
        let document = "[1,\(spaces)2\(spaces),3\(spaces)]\(spaces)"
        let stream = [Int].stream(from: Pieces(document.utf8, of: 4096), maximumElementSize: 10)
        let outcome = await StreamOutcome(of: stream)
        #expect(outcome.elements == [1, 2, 3])
        #expect(outcome.error == nil)
    }

    @Test func `a pipe that is written slowly`() async throws {
        let pipe = folder.file("pipe")
        #expect(SystemAbility.run("mkfifo", pipe.path))
        let (names, feed) = AsyncStream<String>.makeStream()
        let task = Task {
            for try await sound in [SoundAsset].stream(from: pipe) { feed.yield(sound.name) }
            feed.finish()
        }
        // Opening it waits for the reader, so it is not done on Swift's own threads.
        let handle = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try FileHandle(forWritingTo: pipe) })
            }
        }
        var read = names.makeAsyncIterator()
        for number in 0..<3 {
            let sound = SoundAsset(name: "\(number)", path: "p")
            try handle.write(contentsOf: Data((number == 0 ? "[" : ",").utf8))
            try handle.write(contentsOf: sound.encoded(as: .json))
            #expect(await read.next() == "\(number)")
        }
        try handle.write(contentsOf: Data("]".utf8))
        try handle.close()
        #expect(await read.next() == nil)
        try await task.value
    }

    @MainActor @Test func `on the main actor`() async throws {
        try [1, 2, 3].save(as: .json, to: folder.file())
        var sum = 0
        for try await number in [Int].stream(from: folder.file()) { sum += number }
        #expect(sum == 6)
    }
}
