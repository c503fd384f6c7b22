import DovetailTesting
import Foundation
import Testing

@testable import DovetailFiles

/// The end of an element is found at the same byte, however the bytes arrive: blocks of 64 bytes
/// and single bytes agree.
@Suite struct ElementBoundaryTests {
    /// Whether the bytes hold a whole element, when they arrive at once or cut at `cuts`.
    private func isWhole(_ bytes: ArraySlice<UInt8>, cuts: [Int] = []) -> Bool {
        var boundary = ElementBoundary()
        return bytes.withUnsafeBufferPointer { bytes in
            for cut in cuts where boundary.isWhole(in: .init(rebasing: bytes[..<cut])) {
                return true
            }
            return boundary.isWhole(in: bytes)
        }
    }

    /// How many bytes are needed to see that the element is whole; nil when all are too few. They
    /// arrive one by one, so no block is ever full.
    private func length(of bytes: [UInt8]) -> Int? {
        var boundary = ElementBoundary()
        return bytes.withUnsafeBufferPointer { bytes in
            (1...bytes.count).first { boundary.isWhole(in: .init(rebasing: bytes[..<$0])) }
        }
    }

    @Test func `valid elements of any size and cut anywhere`() {
        var random = SeededRandom()
        var checked = 0
        let pieces = [
            #""a":1,"#, #"[2,{}],"#, #""{[","#, #""\\","#, #""\"","#, #""\\\"}","#, "\n    ", "é水,",
            #"{"x":"]"},"#, #""abcdefghijklmnopqrstuvwxyz \\\\","#, "true,", "-1.5e9,",
        ]
        for _ in 0..<600 {
            var text = "{"
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                text += pieces.randomElement(using: &random) ?? ""
            }
            let bytes = Array((text + "}").utf8)
            // Every prefix is incomplete, and what follows the element is not looked at.
            #expect(length(of: bytes) == bytes.count, random.comment)
            #expect(isWhole(bytes[...]), random.comment)
            #expect(!isWhole(bytes.dropLast()), random.comment)
            #expect(isWhole((bytes + Array(repeating: 0x22, count: 70))[...]), random.comment)
            let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            #expect(isWhole(bytes[...], cuts: cuts), random.comment)
            let short = Array(bytes.dropLast())
            let shortCuts = cuts.map { min($0, short.count) }
            #expect(!isWhole(short[...], cuts: shortCuts), random.comment)
            checked += 1
        }
        #expect(checked == 600)
    }

    @Test func `any bytes, in blocks and one by one`() {
        var random = SeededRandom()
        let special = Array(#"{}[]"\,: "#.utf8) + [0x0A, 0x01, 0x80, 0x61, 0x61, 0x61]
        var outcomes = [0, 0]
        for _ in 0..<4000 {
            var bytes = Array("[[[[".utf8)
            for _ in 0..<Int.random(in: 1...300, using: &random) {
                bytes.append(special.randomElement(using: &random) ?? 0)
            }
            let length = length(of: bytes)
            let cuts = (0..<2).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            #expect(isWhole(bytes[...]) == (length != nil), random.comment)
            #expect(isWhole(bytes[...], cuts: cuts) == (length != nil), random.comment)
            if let length {
                #expect(isWhole(bytes[..<length]), random.comment)
                #expect(!isWhole(bytes[..<(length - 1)]), random.comment)
            }
            outcomes[length == nil ? 0 : 1] += 1
        }
        #expect(outcomes.allSatisfy { $0 > 100 })
    }
}
