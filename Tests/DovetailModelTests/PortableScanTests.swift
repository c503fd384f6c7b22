import CDovetailScan
import CPortableScan
import DovetailTesting
import Foundation
import Testing

/// The portable scanner finds what the one for this processor finds, in blocks at each of
/// sixty-four alignments.
@Suite struct PortableScanTests {
    /// What the scanners look for, and neighbours of it.
    private static let special: [UInt8] = [
        0, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7A, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F, 0x80,
        0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
    ]

    /// Calls `body` with bytes at each of sixty-four places, exactly as long as it asks for.
    private func forEachPlace(
        _ count: Int,
        rounds: Int = 40,
        _ body: (UnsafePointer<UInt8>, inout SeededRandom) -> Void
    ) throws {
        var random = SeededRandom()
        for place in 0..<64 {
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: place + count,
                alignment: 64
            )
            defer { memory.deallocate() }
            let base = try #require(memory.baseAddress)
            let bytes = (base + place).bindMemory(to: UInt8.self, capacity: count)
            for round in 0..<rounds {
                for index in 0..<count {
                    bytes[index] =
                        (round + index) % 3 == 0
                        ? UInt8.random(in: 0...255, using: &random)
                        : Self.special.randomElement(using: &random) ?? 0
                }
                body(bytes, &random)
            }
        }
    }

    @Test func `the two are not the same`() {
        #expect(String(cString: portable_variant) == "portable")
        #if arch(x86_64) || arch(arm64)
            #expect(DOVETAIL_SCAN_VARIANT != "portable")
        #endif
    }

    @Test func `every byte is told apart at every place`() throws {
        var checked = 0
        for place in 0..<16 {
            for byte in UInt8.min...UInt8.max {
                var bytes = [UInt8](repeating: 0x61, count: 16)
                bytes[place] = byte
                var (stops, high): (UInt32, UInt32) = (0, 0)
                portable_scan16(bytes, &stops, &high)
                let bit = UInt32(1) << UInt32(place)
                #expect(stops == (byte < 0x20 || byte == 0x22 || byte == 0x5C ? bit : 0))
                #expect(high == (byte >= 0x80 ? bit : 0))
                #expect(portable_nonspaces16(bytes) == (byte == 0x20 ? 0xFFFF & ~bit : 0xFFFF))
                checked += 1
            }
        }
        #expect(checked == 16 * 256)
    }

    @Test func `sixteen bytes`() throws {
        try forEachPlace(16) { bytes, random in
            var (stops, high): (UInt32, UInt32) = (0, 0)
            portable_scan16(bytes, &stops, &high)
            let native = dovetail_scan16(bytes)
            let isEqual = stops == native.stops && high == native.high
            #expect(isEqual, random.comment)
            let nonspaces = portable_nonspaces16(bytes)
            #expect(nonspaces == dovetail_nonspaces16(bytes), random.comment)
        }
    }

    @Test func `sixty-four bytes`() throws {
        try forEachPlace(64) { bytes, random in
            var (stops, high, nonspaces): (UInt64, UInt64, UInt64) = (0, 0, 0)
            portable_scan64(bytes, &stops, &high, &nonspaces)
            let native = dovetail_scan64(bytes)
            let isEqual =
                stops == native.stops && high == native.high && nonspaces == native.nonspaces
            #expect(isEqual, random.comment)
        }
    }

    @Test func `names among sixteen bytes and one more`() throws {
        try forEachPlace(17) { bytes, random in
            let first = bytes[Int.random(in: 0..<17, using: &random)]
            var (names, stops): (UInt32, UInt32) = (0, 0)
            portable_names16(bytes, first, &names, &stops)
            let native = dovetail_names16(bytes, first)
            let isEqual = names == native.names && stops == native.stops
            #expect(isEqual, random.comment)
        }
    }

    @Test func `the structure of sixty-four bytes`() throws {
        try forEachPlace(64) { bytes, random in
            var masks = [UInt64](repeating: 0, count: 4)
            portable_structure64(bytes, &masks)
            let native = dovetail_structure64(bytes)
            let nativeMasks = [
                native.quotes, native.backslashes, native.controls, native.brackets,
            ]
            #expect(masks == nativeMasks, random.comment)
            var expected = [UInt64](repeating: 0, count: 4)
            for place in 0..<64 {
                let bit = UInt64(1) << UInt64(place)
                switch bytes[place] {
                case 0x22: expected[0] |= bit
                case 0x5C: expected[1] |= bit
                case 0..<0x20: expected[2] |= bit
                case 0x5B, 0x5D, 0x7B, 0x7D: expected[3] |= bit
                default: break
                }
            }
            #expect(masks == expected, random.comment)
        }
    }

    @Test func `UTF-8 of any length and at any place`() throws {
        let characters = ["a", "é", "水", "😀", "\u{7FF}", "\u{FFFF}", "\u{10FFFF}", "\u{D7FF}"]
        var outcomes = [0, 0]
        try forEachPlace(90, rounds: 12) { bytes, random in
            let length = Int.random(in: 19...90, using: &random)
            // Text, sometimes with one byte of the random ones left in it.
            let spoiled = Int.random(in: 0..<3 * length, using: &random)
            var text: [UInt8] = []
            while text.count < length {
                text += Array((characters.randomElement(using: &random) ?? "").utf8)
            }
            let memory = UnsafeMutablePointer(mutating: bytes)
            for index in 0..<length where index != spoiled { memory[index] = text[index] }
            let isText =
                String(
                    validating: UnsafeBufferPointer(start: bytes, count: length),
                    as: UTF8.self
                ) != nil
            let (portable, native) = (
                portable_is_utf8(bytes, length) != 0, dovetail_is_utf8(bytes, length) != 0
            )
            #expect(portable == isText, random.comment)
            #expect(native == isText, random.comment)
            outcomes[isText ? 1 : 0] += 1
        }
        #expect(outcomes[0] > 100 && outcomes[1] > 50)
    }
}
