import Dovetail
import DovetailTesting
import TestAssets
import Testing

/// Whatever is done to a document, reading it gives a value or a typed error.
struct RobustnessTests {
    private static let document = Array(Everything.document.utf8)

    /// Whether the bytes were read; an error of another type is recorded.
    @discardableResult
    private func read(_ bytes: some Sequence<UInt8>, _ comment: @autoclosure () -> Comment) -> Bool
    {
        do {
            _ = try Everything(decoding: Data(bytes), as: .json)
            return true
        } catch {
            if let error = error as? ModelDecodingError {
                if error.line < 1 || error.column < 1 { Issue.record(comment()) }
            } else {
                Issue.record(comment())
            }
            return false
        }
    }

    @Test
    func `every prefix`() {
        for length in 0..<Self.document.count {
            let isRead = read(Self.document.prefix(length), "prefix of \(length) bytes")
            #expect(!isRead, "prefix of \(length) bytes")
        }
        #expect(read(Self.document, "all"))
    }

    @Test
    func `every suffix`() {
        for length in 0..<Self.document.count {
            let isRead = read(Self.document.suffix(length), "suffix of \(length) bytes")
            #expect(!isRead, "suffix of \(length) bytes")
        }
    }

    /// All 256 values at each place, in stripes that run side by side.
    @Test(arguments: 0..<8)
    func `every change of one byte`(stripe: Int) {
        for place in stride(from: stripe, to: Self.document.count, by: 8) {
            var changed = Self.document
            for value in UInt8.min...UInt8.max {
                changed[place] = value
                read(changed, "byte \(place) is \(value)")
            }
        }
    }

    @Test
    func `every removal and repetition of one byte`() {
        for place in Self.document.indices {
            var changed = Self.document
            let byte = changed.remove(at: place)
            read(changed, "byte \(place) is gone")
            changed.insert(contentsOf: [byte, byte], at: place)
            read(changed, "byte \(place) stands twice")
        }
    }

    @Test
    func `random pieces`() {
        var random = SeededRandom()
        for _ in 0..<3_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let start = Int.random(in: 0..<Self.document.count, using: &random)
                bytes += Self.document[start...].prefix(.random(in: 0...80, using: &random))
            }
            read(bytes, random.comment)
            read(Array("{".utf8) + bytes, random.comment)
        }
    }

    @Test
    func `elements at the root`() {
        let list = Array(
            #"[{"$type":"SoundAsset","name":"é\n","path":"p"},{"name":"c","red":1,"green":2,"blue":3,"$type":"ColorAsset"}]"#
                .utf8
        )
        for place in list.indices {
            var changed = list
            for value in UInt8.min...UInt8.max {
                changed[place] = value
                do {
                    _ = try [any Asset](decoding: Data(changed), as: .json)
                } catch {
                    #expect(error is ModelDecodingError, "byte \(place) is \(value)")
                }
            }
            #expect(throws: ModelDecodingError.self) {
                try [any Asset](decoding: Data(list.prefix(place)), as: .json)
            }
        }
    }
}
