import Dovetail
import DovetailTesting
import TestAssets
import Testing

/// A stream ends in the error that reading the document whole ends in, wherever it is cut.
@Suite struct StreamErrorTests {
    private static let list = Array(
        """
        [{"$type":"SoundAsset","name":"é\\n","path":"p"},
          {"name":"c","red":1,"green":2,"blue":3,"$type":"ColorAsset"} , {"$type":"FarAsset",\
        "name":"\\u00e9]","path":"","distance":-2.5e1}]

        """.utf8
    )

    private func isEqual(
        _ error: ModelDecodingError?,
        _ whole: any Error,
        isQuoted: Bool
    ) -> Bool {
        guard let error, let whole = whole as? ModelDecodingError else { return false }
        if isQuoted { return error == whole }
        return error.kind == whole.kind && error.path == whole.path
            && error.expected == whole.expected
            && (error.line, error.column) == (whole.line, whole.column)
    }

    /// Compares with reading whole; gives whether it was read.
    @discardableResult
    private func compare(
        _ document: some Sequence<UInt8>,
        sizes: [Int],
        _ comment: @autoclosure () -> Comment
    ) async -> Bool {
        let whole = Result { try [any Asset](decoding: Data(document), as: .json) }
        for size in sizes {
            let stream = [any Asset].stream(from: Pieces(document, of: size))
            let outcome = await StreamOutcome(of: stream)
            switch whole {
            case .success(let assets):
                let isEqual =
                    outcome.error == nil && outcome.elements.map(\.name) == assets.map(\.name)
                if !isEqual { Issue.record("\(comment()), pieces of \(size)") }
            case .failure(let error):
                // An error quotes no further than the bytes that have arrived.
                let isQuoted = size >= Data(document).count
                if !isEqual(outcome.decodingError, error, isQuoted: isQuoted) {
                    Issue.record(
                        """
                        \(comment()), pieces of \(size): whole \(error), \
                        stream \(outcome.error.map { "\($0)" } ?? "read")
                        """
                    )
                }
            }
        }
        if case .success = whole { return true }
        return false
    }

    @Test func `every prefix`() async {
        for length in 0..<Self.list.count - 1 {
            let isRead = await compare(
                Self.list.prefix(length),
                sizes: [1, 5, 1000],
                "prefix of \(length) bytes"
            )
            #expect(!isRead)
        }
        #expect(await compare(Self.list, sizes: [1, 5, 1000], "all"))
    }

    /// All bytes that mean something in JSON, and some that do not, at each place.
    @Test(arguments: 0..<4)
    func `every change of one byte`(stripe: Int) async {
        let bytes = Array("\0\t\n \"\\,:[]{}0-.eEtfnux/\u{7F}".utf8) + [0x80, 0xC3, 0xE2, 0xFF]
        for place in stride(from: stripe, to: Self.list.count, by: 4) {
            var changed = Self.list
            for value in bytes {
                changed[place] = value
                await compare(changed, sizes: [3, 1000], "byte \(place) is \(value)")
            }
        }
    }

    @Test func `every removal and repetition of one byte`() async {
        for place in Self.list.indices {
            var changed = Self.list
            let byte = changed.remove(at: place)
            await compare(changed, sizes: [1, 1000], "byte \(place) is gone")
            changed.insert(contentsOf: [byte, byte], at: place)
            await compare(changed, sizes: [1, 1000], "byte \(place) stands twice")
        }
    }

    @Test func `random pieces of documents, and large ones`() async {
        var random = SeededRandom()
        let long = String(repeating: "x", count: 6000)
        let element = #"{"$type":"SoundAsset","name":"\#(long)","path":"é"}"#
        for _ in 0..<300 {
            var bytes = Array("[".utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes += Array((element + ",\n").utf8)
            }
            let start = Int.random(in: 0..<Self.list.count, using: &random)
            bytes += Self.list[start...].prefix(.random(in: 0...80, using: &random))
            if Bool.random(using: &random) {
                bytes[.random(in: 0..<bytes.count, using: &random)] = 0x2C
            }
            let size = Int.random(in: 1000...9000, using: &random)
            await compare(bytes, sizes: [size, 5000], random.comment)
        }
    }

    @Test func `where an error is, in a large file`() async throws {
        let folder = try TemporaryFolder()
        let sounds = (0..<9_000).map { SoundAsset(name: "ü\($0)", path: "p\n") }
        let broken = String(decoding: try sounds.encoded(as: .json(pretty: true)), as: UTF8.self)
            .replacing(#""ü7123""#, with: "7123", maxReplacements: 1)
        let file = try folder.write(broken)
        let outcome = await StreamOutcome(of: [SoundAsset].stream(from: file))
        #expect(outcome.elements == Array(sounds[..<7_123]))
        let whole = try decodingError(of: [SoundAsset].self, broken)
        let error = try #require(outcome.decodingError)
        #expect(error.file == file.path)
        #expect(error.path == "[7123].name")
        #expect((error.line, error.column) == (whole.line, whole.column))
        #expect(error.description == file.path + ": " + whole.description)
    }

    @Test(
        arguments: [
            ("", "expected array, found end of input (line 1, column 1)"),
            ("{}", "expected array, found object (line 1, column 1)"),
            ("[1", "[0]: expected \",\" or \"]\", found end of input (line 1, column 3)"),
            ("[1 2]", "[0]: expected \",\" or \"]\", found 2 (line 1, column 4)"),
            ("[1]\n 7", "expected end of input, found 7 (line 2, column 2)"),
            ("[1,\n]", "[1]: expected Int, found \"]\" (line 2, column 1)"),
            (
                "bplist00",
                "expected JSON, found a binary property list, which can only be read as a whole "
                    + "(line 1, column 1)"
            ),
        ]
    )
    func `what is no array`(document: String, description: String) async {
        let outcome = await StreamOutcome(of: [Int].stream(from: Pieces(document.utf8, of: 2)))
        #expect(outcome.decodingError?.description == description)
    }

    @Test(arguments: [1, 100, 3000])
    func `an element above the limit`(size: Int) async {
        let long = String(repeating: "a", count: 2000)
        let document = #"["b","\#(long)","c"]"#
        let stream = [String].stream(
            from: Pieces(document.utf8, of: size),
            maximumElementSize: 1000
        )
        let outcome = await StreamOutcome(of: stream)
        #expect(outcome.elements == ["b"])
        #expect(outcome.decodingError?.kind == .tooLarge)
        #expect(
            outcome.decodingError?.description
                == "[1]: expected an element of at most 1000 bytes, found a larger one "
                + "(line 1, column 6)"
        )
    }

    @Test func `what never ends`() async {
        for opening in ["[{\"a\":", "[\"", "[1", "[[[[[", "[{\"a\":\"\\", "[tru", "["] {
            for filler in ["x", "1", "[", "{\"a\":", "\\", "\"", "[\"a\",", "\u{1F600}"] {
                let document = opening + String(repeating: filler, count: 60_000)
                let stream = [ModelDocument].stream(
                    from: Pieces(document.utf8, of: 1000),
                    maximumElementSize: 20_000
                )
                let outcome = await StreamOutcome(of: stream)
                #expect(outcome.decodingError != nil, "\(opening)\(filler)…")
            }
        }
    }

    @Test func `deep elements are refused as in a whole document`() async throws {
        for depth in [510, 511, 512, 100_000] {
            let element =
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let document = "[\(element)]"
            let whole = Result {
                try [ModelDocument](decoding: Data(document.utf8), as: .json)
            }
            for size in [100, 1 << 20] {
                let stream = [ModelDocument].stream(from: Pieces(document.utf8, of: size))
                let outcome = await StreamOutcome(of: stream)
                #expect(outcome.decodingError?.kind == (depth > 511 ? .tooDeep : nil))
                if case .failure(let error) = whole {
                    #expect(outcome.decodingError == error as? ModelDecodingError)
                }
            }
        }
    }

    @Test func `what the source throws`() async {
        struct Broken: Error {}
        let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
            continuation.yield(Array("[1,2,".utf8))
            continuation.finish(throwing: Broken())
        }
        let outcome = await StreamOutcome(of: [Int].stream(from: pieces))
        #expect(outcome.elements == [1, 2])
        #expect(outcome.error is Broken)
    }

    @Test func `files that cannot be read`() async throws {
        let folder = try TemporaryFolder()
        let absent = await StreamOutcome(of: [Int].stream(from: folder.file()))
        #expect((absent.error as? ModelFileError)?.kind == .notFound)
        let directory = await StreamOutcome(of: [any Asset].stream(from: folder.url))
        #expect((directory.error as? ModelFileError)?.kind == .notAFile)
    }
}
