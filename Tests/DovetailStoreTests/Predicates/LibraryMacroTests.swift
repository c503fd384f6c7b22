import Dovetail
import Foundation
import Testing

/// `#Predicate` where the module declares none of its own: Dovetail's and Foundation's are both
/// visible, and the compiler chooses.
struct LibraryMacroTests {
    enum Kind: String, Codable, Sendable { case open, closed }

    struct Note: Codable, Equatable, Sendable {
        var text: String
        var title: String?
        var kind: Kind
        var count = 1
    }

    static let notes = [
        Note(text: "a", title: nil, kind: .open), Note(text: "b", title: "b", kind: .closed),
        Note(text: "wolf", title: "W", kind: .open, count: 5),
    ]

    private func found(_ predicate: Predicate<Note>) throws -> [String] {
        try Self.notes.filter { try predicate.evaluate($0) }.map(\.text)
    }

    @Test
    func `ours is chosen where nothing is compared as an optional`() throws {
        let words = ["wolf"]
        #expect(try found(#Predicate<Note> { $0.text.hasSuffix("f") && $0.count > 2 }) == ["wolf"])
        let inferred: Predicate<Note> = #Predicate { $0.text.hasPrefix("b") }
        #expect(try found(inferred) == ["b"])
        let typed = #Predicate { (note: Note) in note.text.lowercased().contains("b") }
        #expect(try found(typed) == ["b"])
        let either = #Predicate<Note> { try typed.evaluate($0) || $0.text == words.joined() }
        #expect(try found(either) == ["b", "wolf"])
        let isOpen = #Predicate<Note> { $0.kind == .open }
        #expect(try found(isOpen) == ["a", "wolf"])
        let count = #Expression<Note, Int> { $0.text.uppercased().count + $0.count }
        #expect(try count.evaluate(Self.notes[2]) == 9)
    }

    @Test
    func `either is chosen where something is compared as an optional, and answers alike`() throws {
        #expect(try found(#Predicate { $0.title == nil }) == ["a"])
        #expect(try found(#Predicate { $0.title != nil && $0.count > 2 }) == ["wolf"])
        let wanted: String? = "W"
        #expect(try found(#Predicate { $0.title == wanted }) == ["wolf"])
    }

    @Test
    func `Foundation's makes predicates of two inputs`() throws {
        let same = #Predicate<Note, Note> { $0.text == $1.text }
        #expect(try same.evaluate(Self.notes[0], Self.notes[0]))
        #expect(try !same.evaluate(Self.notes[0], Self.notes[1]))
    }
}
