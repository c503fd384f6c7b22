import DovetailStore
import Foundation
import Testing

/// The toolchain's `#Predicate`, as this file does not import Dovetail.
struct ToolchainMacroTests {
    struct Note: Codable, Sendable { var text: String }

    @Test
    func `it takes the text functions that Foundation on Linux has no nodes for`() throws {
        let notes = [Note(text: "Élan"), Note(text: "Wolf"), Note(text: "wolf")]
        func found(_ predicate: Predicate<Note>) throws -> [String] {
            try notes.filter { try predicate.evaluate($0) }.map(\.text)
        }
        let word = "elan"
        let (same, after) = (ComparisonResult.orderedSame, ComparisonResult.orderedDescending)
        #expect(try found(#Predicate { $0.text.localizedStandardContains(word) }) == ["Élan"])
        let wolves = #Predicate<Note> { $0.text.caseInsensitiveCompare("WOLF") == same }
        #expect(try found(wolves) == ["Wolf", "wolf"])
        #expect(try found(#Predicate { $0.text.localizedCompare("wolf") == after }) == ["Wolf"])
    }
}
