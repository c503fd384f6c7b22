import Dovetail
import DovetailTesting
import Foundation
import Testing

/// UTF-8 is accepted exactly where the standard library accepts it, whatever the length and the
/// place in a block.
struct UTF8Tests {
    /// Whether a string of JSON with these bytes is read, and as what the standard library says.
    private func isRead(_ bytes: [UInt8]) throws -> Bool {
        do {
            let found = try String(decoding: Data([0x22] + bytes + [0x22]), as: .json)
            #expect(Array(found.utf8) == bytes)
            return true
        } catch let error as ModelDecodingError {
            #expect(error.kind == .invalidEncoding)
            return false
        }
    }

    private func agrees(_ bytes: [UInt8], _ comment: Comment) throws {
        let expected = String(validating: bytes, as: UTF8.self) != nil
        #expect(try isRead(bytes) == expected, "\(bytes) \(comment)")
    }

    /// Every two bytes, at every place around the ends of blocks of sixteen.
    @Test
    func `every pair`() throws {
        for place in [0, 1, 13, 14, 15, 16, 17, 18, 29, 30, 31] {
            for first: UInt8 in 0x7F...0xFF {
                for second: UInt8 in [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xF4] {
                    for tail in [[], [0x80], [0x80, 0x80], [0xBF, 0xBF]] as [[UInt8]] {
                        var bytes = [UInt8](repeating: 0x61, count: place) + [first, second] + tail
                        try agrees(bytes, "at \(place)")
                        bytes += [UInt8](repeating: 0x62, count: 20)
                        try agrees(bytes, "at \(place)")
                    }
                }
            }
        }
    }

    @Test
    func `changed text`() throws {
        var random = SeededRandom()
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let limits: ClosedRange<UInt32> =
                    [0x23...0x5B, 0x80...0x7FF, 0x800...0xFFFF, 0x10000...0x10FFFF][
                        Int.random(in: 0..<4, using: &random)
                    ]
                if let scalar = Unicode.Scalar(UInt32.random(in: limits, using: &random)) {
                    bytes += Array(String(scalar).utf8)
                }
            }
            if Bool.random(using: &random), let place = bytes.indices.randomElement(using: &random)
            {
                bytes[place] = UInt8.random(in: 0x80...0xFF, using: &random)
            }
            if Int.random(in: 0..<4, using: &random) == 0 { bytes.removeLast(min(1, bytes.count)) }
            try agrees(bytes, random.comment)
        }
    }
}
