import Dovetail
import DovetailTesting
import StoreTestSupport
import TestAssets
import Testing

/// Whatever a file holds, reading it gives a value or a typed error.
@Suite struct FileReadingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `an error in the content names the file`() throws {
        let file = try folder.write("[\n {\"$type\":\"SoundAsset\",\"name\":1}]")
        let error = try #require(throws: ModelDecodingError.self) {
            try [any Asset](contentsOf: file)
        }
        #expect(error.file == file.path)
        #expect(error.path == "[0].name")
        #expect(
            error.description
                == "\(file.path): [0].name: expected String, found 1 (line 2, column 31)"
        )
        let inMemory = try #require(throws: ModelDecodingError.self) {
            try [any Asset](decoding: try Data(contentsOf: file), as: .json)
        }
        #expect(inMemory.file == nil)
    }

    @Test(arguments: ["", " ", "\u{FEFF}", "\0\0\0\0", "{", "\"", "nul", "<?xml", "bplist00"])
    func `an empty or broken file`(content: String) throws {
        let file = try folder.write(content)
        let error = #expect(throws: ModelDecodingError.self) { try ModelDocument(contentsOf: file) }
        #expect(error?.file == file.path)
        #expect(throws: ModelDecodingError.self) { try AssetGroup(contentsOf: file) }
        #expect(throws: ModelDecodingError.self) { try [any Asset](contentsOf: file) }
        #expect(throws: ModelDecodingError.self) { try [SoundAsset](contentsOf: file) }
    }

    @Test func `a byte order mark`() throws {
        #expect(try [Int](contentsOf: folder.write("\u{FEFF} [1]")) == [1])
    }

    @Test func `what is no file`() throws {
        func failure(_ url: URL) throws -> ModelFileError {
            try #require(throws: ModelFileError.self) { try ModelDocument(contentsOf: url) }
        }
        let absent = try failure(folder.file("absent"))
        #expect(absent.kind == .notFound)
        #expect(
            absent.description
                == "cannot open \(folder.file("absent").path): no such file or folder"
        )
        #expect(try failure(folder.url).kind == .notAFile)
        #expect(try failure(try #require(URL(string: "https://h/x"))).kind == .notAFile)
    }

    /// A file with holes takes no space, but has a size.
    @Test(.needsSparseFiles) func `a file larger than the memory`() throws {
        let file = try folder.write("[1]")
        try #require(truncate(file.path, 1 << 43) == 0)
        let error = try #require(throws: ModelFileError.self) { try [Int](contentsOf: file) }
        #expect(error.kind == .tooLarge)
        #expect(error.operation == .read)
        #expect(throws: ModelFileError.self) { try [any Asset](contentsOf: file) }
    }

    @Test(.needsProcessFiles) func `files of the system that say no size`() throws {
        #expect(throws: ModelDecodingError.self) {
            try [Int](contentsOf: URL(fileURLWithPath: "/dev/null"))
        }
        let status = URL(fileURLWithPath: "/proc/self/status")
        #expect(throws: ModelDecodingError.self) { try [Int](contentsOf: status) }
    }

    @Test func `a pipe`() async throws {
        let pipe = folder.file("pipe")
        #expect(SystemAbility.run("mkfifo", pipe.path))
        let values = Array(0..<50_000)
        let data = try values.encoded(as: .json)
        let writer = Thread { try? data.write(to: pipe, options: []) }
        writer.start()
        #expect(try [Int](contentsOf: pipe) == values)
    }

    @Test func `random bytes`() throws {
        var random = SeededRandom()
        for _ in 0..<60 {
            let count = Int.random(in: 0..<300, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let file = folder.file()
            try Data(bytes).write(to: file)
            let error = #expect(throws: ModelDecodingError.self, random.comment) {
                try [any Asset](contentsOf: file)
            }
            #expect(error?.file == file.path, random.comment)
        }
    }
}
