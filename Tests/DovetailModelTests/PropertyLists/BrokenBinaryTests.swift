import Dovetail
import DovetailTesting
import Foundation
import Testing

/// Broken binary property lists: all of them end in a typed error.
struct BrokenBinaryPropertyListTests {
    /// A document of objects that are given as bytes; the first one is the root.
    private func document(_ objects: [[UInt8]], root: UInt8 = 0) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
        bytes += [0, 0, 0, 0, 0, 0, 0, root]
        bytes += [0, 0, 0, 0, 0, 0, 0, table]
        return Data(bytes)
    }

    private func error(_ data: Data) throws -> ModelDecodingError {
        try #require(throws: ModelDecodingError.self) {
            try ModelDocument(decoding: data, as: .binaryPlist)
        }
    }

    /// Foundation writes and reads version 0 only; its last digit may be any.
    @Test func `other versions are refused`() throws {
        var data = document([[0x10, 7]])
        data[7] = UInt8(ascii: "1")
        #expect(try Int(decoding: data, as: .binaryPlist) == 7)
        data[6] = UInt8(ascii: "1")
        let failure = try error(data)
        #expect(failure.kind == .invalidSyntax)
        #expect(failure.expected == "version 0 of the binary form")
        #expect(failure.offset == 6)
    }

    @Test func `a container inside itself is too deep`() throws {
        #expect(try error(document([[0xA1, 0]])).kind == .tooDeep)
        #expect(try error(document([[0xD1, 1, 0], [0x51, 0x61]])).kind == .tooDeep)
    }

    /// Thirty levels of two references each are a tree of a thousand million leaves.
    @Test func `containers that are shared over and over are refused`() throws {
        var objects: [[UInt8]] = (1...30).map { [0xA2, UInt8($0), UInt8($0)] }
        objects.append([0x08])
        let failure = try error(document(objects))
        #expect(failure.kind == .tooLarge)
        #expect(failure.path.hasPrefix("[0][0][0]"))
    }

    @Test func `a container that is shared is read`() throws {
        let data = document([[0xA3, 1, 1, 1], [0xA1, 2], [0x10, 7]])
        let read = try [[Int]](decoding: data, as: .binaryPlist)
        #expect(read == [[7], [7], [7]])
    }

    @Test func `a long string that is shared is made once`() throws {
        let text = [0x5F, 0x10, 100] + [UInt8](repeating: 0x61, count: 100)
        let data = document([[0xAE] + [UInt8](repeating: 1, count: 14), text])
        let read = try [String](decoding: data, as: .binaryPlist)
        #expect(read == Array(repeating: String(repeating: "a", count: 100), count: 14))
    }

    @Test func `sets are arrays`() throws {
        for marker in [0xB0, 0xC0] as [UInt8] {
            let data = document([[marker | 2, 1, 2], [0x10, 1], [0x10, 2]])
            #expect(try [Int](decoding: data, as: .binaryPlist) == [1, 2])
        }
    }

    @Test func `integers of every width`() throws {
        let widths: [([UInt8], String)] = [
            ([0x10, 0xFF], "255"), ([0x11, 0xFF, 0xFF], "65535"),
            ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], "4294967295"),
            ([0x13] + [UInt8](repeating: 0xFF, count: 8), "-1"),
            (
                [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
                "18446744073709551615"
            ),
            ([0x14] + [UInt8](repeating: 0xFF, count: 16), "-1"),
            (
                [0x14, 0x80] + [UInt8](repeating: 0, count: 15),
                "-170141183460469231731687303715884105728"
            ),
        ]
        for (object, digits) in widths {
            let read = try ModelDocument(decoding: document([object]), as: .binaryPlist)
            #expect(read.numberText == digits)
            let again = try ModelDocument(decoding: read.encoded(as: .binaryPlist), as: .plist)
            #expect(again == read)
        }
        #expect(throws: ModelDecodingError.self) {
            try Int8(decoding: document([[0x10, 0xFF]]), as: .binaryPlist)
        }
    }

    @Test func `references of archives are kept`() throws {
        let data = document([[0xA2, 1, 2], [0x80, 5], [0x81, 1, 2]])
        let read = try ModelDocument(decoding: data, as: .binaryPlist)
        #expect(read == [["CF$UID": 5], ["CF$UID": 258]])
        let written = try read.encoded(as: .binaryPlist)
        #expect(try ModelDocument(decoding: written, as: .binaryPlist) == read)
        #expect(written.range(of: Data([0x80, 5])) != nil)
        let failure = try #require(throws: ModelDecodingError.self) {
            try [Int](decoding: data, as: .binaryPlist)
        }
        #expect(
            failure.description == "[0]: expected Int, found a reference of an archive (byte 11)"
        )
    }

    @Test(
        arguments: [
            ([0x62, 0xD8, 0x00, 0x00, 0x61], ModelDecodingError.Kind.invalidEncoding),
            ([0x61, 0xDC, 0x00], .invalidEncoding), ([0x51, 0x80], .invalidEncoding),
            ([0x5F, 0x13, 0xFF, 0, 0, 0, 0, 0, 0, 0], .invalidSyntax), ([0x5F], .invalidSyntax),
            ([0x4F, 0x10, 200], .invalidSyntax), ([0xA1, 9], .invalidSyntax),
            ([0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .invalidSyntax),
            ([0xD1, 0, 0], .invalidSyntax), ([0x0F], .invalidSyntax), ([0x15], .invalidSyntax),
            ([0x21, 1], .invalidSyntax), ([0x23, 1], .invalidSyntax), ([0x13, 1], .invalidSyntax),
            ([0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0], .invalidSyntax), ([0x70], .invalidSyntax),
            ([0x90], .invalidSyntax), ([0xE0], .invalidSyntax), ([0x00], nil),
        ] as [([UInt8], ModelDecodingError.Kind?)]
    )
    func `broken objects`(object: [UInt8], kind: ModelDecodingError.Kind?) throws {
        let data = document([object])
        guard let kind else {
            #expect(try ModelDocument(decoding: data, as: .binaryPlist) == .null)
            return
        }
        let failure = try error(data)
        #expect(failure.kind == kind, "\(object): \(failure)")
    }

    @Test func `trailers that lie`() throws {
        let good = document([[0xA1, 1], [0x10, 1]])
        for place in good.count - 32..<good.count {
            for byte in [0, 1, 2, 8, 9, 127, 255] as [UInt8] {
                var bad = good
                bad[place] = byte
                do {
                    _ = try ModelDocument(decoding: bad, as: .binaryPlist)
                } catch is ModelDecodingError {}
            }
        }
        for length in 0..<good.count {
            #expect(throws: ModelDecodingError.self) {
                try ModelDocument(decoding: good.prefix(length), as: .binaryPlist)
            }
        }
    }

    @Test func `an error says path and byte`() throws {
        let data = try [["list": [1, 2]], ["list": [3]]].encoded(as: .binaryPlist)
        let failure = try #require(throws: ModelDecodingError.self) {
            try [[String: [String]]](decoding: data, as: .binaryPlist)
        }
        #expect(failure.path == "[0].list[0]")
        #expect(failure.kind == .typeMismatch)
        #expect(failure.expected == "String")
        #expect(failure.found == "1")
        #expect(failure.offset == 13)
        #expect(failure.line == 0)
        let missing = try #require(throws: ModelDecodingError.self) {
            try [Box<Int>](decoding: [["x": 1]].encoded(as: .binaryPlist), as: .binaryPlist)
        }
        #expect(missing.path == "[0].value")
        #expect(missing.kind == .missingField)
    }

    /// One byte of a document changed, at random.
    @Test func `changed bytes give a value or a typed error`() throws {
        var random = SeededRandom()
        let value = try Everything(json: Everything.document)
        let written = try value.encoded(as: .binaryPlist)
        for _ in 0..<20_000 {
            var changed = written
            let place = Int.random(in: 0..<changed.count, using: &random)
            changed[place] = UInt8.random(in: 0...255, using: &random)
            do {
                _ = try Everything(decoding: changed, as: .binaryPlist)
            } catch is ModelDecodingError {}
            do {
                _ = try ModelDocument(decoding: changed, as: .binaryPlist)
            } catch is ModelDecodingError {}
        }
    }
}
