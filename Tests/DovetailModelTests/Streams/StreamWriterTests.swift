import Dovetail
import TestAssets
import Testing

@Suite struct StreamWriterTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file()
    }

    private let sounds = (0..<20_000).map { SoundAsset(name: "\($0)", path: "p") }

    private var elements: AsyncStream<SoundAsset> {
        AsyncStream { continuation in
            for sound in sounds { continuation.yield(sound) }
            continuation.finish()
        }
    }

    @Test func `the file is the one that is saved whole`() async throws {
        let whole = try sounds.encoded(as: .json)
        let writer = try ModelStreamWriter<SoundAsset>(to: file, as: .json)
        for sound in sounds { try writer.append(sound) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try writer.finish()
        #expect(try Data(contentsOf: file) == whole)
        try await [SoundAsset].write(elements, to: folder.file("other"), as: .json)
        #expect(try Data(contentsOf: folder.file("other")) == whole)
        #expect(try folder.names() == ["library.json", "other"])
    }

    @Test func `conformers are written with their type keys`() async throws {
        let assets: [any Asset] = [
            ColorAsset(name: "c", red: 1, green: 2, blue: 3), SoundAsset(name: "s", path: "p"),
        ]
        let whole = try assets.encoded(as: .json)
        let writer = try ModelStreamWriter<any Asset>(to: file, as: .json)
        for asset in assets { try writer.append(asset) }
        try writer.finish()
        #expect(try Data(contentsOf: file) == whole)
        // From one file into another, in constant memory.
        let copy = folder.file("copy")
        try await [any Asset].write([any Asset].stream(from: file), to: copy, as: .json)
        #expect(try Data(contentsOf: copy) == whole)
        // Onto itself: what is read is the old file until the end.
        try await [any Asset].write([any Asset].stream(from: copy), to: copy, as: .json)
        #expect(try Data(contentsOf: copy) == whole)
    }

    @Test func `a stream of nothing is an empty array`() throws {
        try ModelStreamWriter<Int>(to: file, as: .json).finish()
        #expect(try text(of: file) == "[]")
    }

    @Test func `a value without a form is left out`() throws {
        let writer = try ModelStreamWriter<Double>(to: file, as: .json)
        #expect(throws: ModelEncodingError.self) { try writer.append(.nan) }
        try writer.append(1)
        #expect(throws: ModelEncodingError.self) { try writer.append(.infinity) }
        try writer.append(2)
        try writer.finish()
        #expect(try text(of: file) == "[1,2]")
    }

    @Test func `after the end nothing is taken`() throws {
        let writer = try ModelStreamWriter<Int>(to: file, as: .json)
        try writer.finish()
        #expect(throws: ModelFileError.self) { try writer.append(1) }
        #expect(throws: ModelFileError.self) { try writer.finish() }
        #expect(try text(of: file) == "[]")
    }

    @Test func `a writer that goes without its end leaves the old file`() throws {
        try [7].save(as: .json, to: file)
        do {
            let writer = try ModelStreamWriter<SoundAsset>(to: file, as: .json)
            for sound in sounds { try writer.append(sound) }
        }
        #expect(try text(of: file) == "[7]")
        #expect(try folder.names() == ["library.json"])
    }

    @Test func `an error in the middle leaves the old file`() async throws {
        try [7].save(as: .json, to: file)
        let numbers = AsyncStream<Double> { continuation in
            for number in [1, 2, .nan, 4] { continuation.yield(number) }
            continuation.finish()
        }
        await #expect(throws: ModelEncodingError.self) {
            try await [Double].write(numbers, to: file, as: .json)
        }
        let broken = try folder.write("[1,2,x]", to: "broken")
        await #expect(throws: ModelDecodingError.self) {
            try await [Int].write([Int].stream(from: broken), to: file, as: .json)
        }
        #expect(try text(of: file) == "[7]")
        #expect(try folder.names() == ["broken", "library.json"])
    }

    /// An `AsyncStream` simply ends when its task is cancelled; half a list must not be taken for
    /// the whole.
    @Test func `a cancelled task leaves the old file`() async throws {
        try [7].save(as: .json, to: file)
        let (numbers, feed) = AsyncStream<Int>.makeStream()
        let task = Task { [file] in try await [Int].write(numbers, to: file, as: .json) }
        for number in 0..<1000 { feed.yield(number) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try text(of: file) == "[7]")
        #expect(try folder.names() == ["library.json"])
    }

    @Test func `only JSON without a layout`() throws {
        let error = #expect(throws: ModelEncodingError.self) {
            try ModelStreamWriter<Int>(to: file, as: .json(pretty: true))
        }
        #expect(error?.kind == .notRepresentable)
        #expect(try folder.names().isEmpty)
    }

    @Test func `elements as deep as in a whole document`() throws {
        for depth in [510, 511, 512] {
            var element = ModelDocument.array([])
            for _ in 1..<depth { element = .array([element]) }
            let isWritten = (try? [element].encoded(as: .json)) != nil
            let writer = try ModelStreamWriter<ModelDocument>(to: file, as: .json)
            let isAppended = (try? writer.append(element)) != nil
            #expect(isAppended == isWritten)
            #expect(isWritten == (depth < 512))
        }
    }

    /// In a process of its own: the limit holds for all of its files.
    @Test func `a disk that gets full`() async throws {
        try [7].save(as: .json, to: file)
        await #expect(processExitsWith: .success) { [path = file.path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
            #expect(setrlimit(.init(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let file = URL(fileURLWithPath: path)
            let writer = try ModelStreamWriter<Int>(to: file, as: .json)
            let error = #expect(throws: ModelFileError.self) {
                for number in 0..<200_000 { try writer.append(number) }
            }
            #expect(error?.kind == .tooLarge)
            #expect(error?.operation == .write)
            #expect(throws: ModelFileError.self) { try writer.finish() }
            await #expect(throws: ModelFileError.self) {
                let numbers = AsyncStream<Int> { continuation in
                    for number in 0..<200_000 { continuation.yield(number) }
                    continuation.finish()
                }
                try await [Int].write(numbers, to: file, as: .json)
            }
        }
        #expect(try text(of: file) == "[7]")
        #expect(try folder.names() == ["library.json"])
    }
}
