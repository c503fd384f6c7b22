import Dovetail
import Foundation
import StoreTestSupport
import Testing

struct RefusedPrice: Error {}

/// The hooks that objects have: one counts saves, one refuses, one cleans up what was read.
@Model final class TicketNote: ModelLifecycle {
    @Attribute(.unique) var number: Int
    var name: String
    var price = 0
    var saves = 0

    init(_ number: Int, _ name: String = "ann") {
        self.number = number
        self.name = name
    }

    func willEncode() throws {
        if price < 0 { throw RefusedPrice() }
        saves += 1
    }

    func didDecode() throws { name = name.uppercased() }
}

/// Its hook makes another object, which has one, too.
@Model final class TicketBook: ModelLifecycle {
    var notes: [TicketNote] = []

    init() {}

    func willEncode() { if notes.isEmpty { notes.append(TicketNote(1000)) } }
}

/// Another form each time, as of a text that is encrypted.
enum Salted: ModelTransform {
    static func encode(_ value: String) -> String {
        "\(UInt32.random(in: .min ... .max)):\(value)"
    }

    static func decode(_ encoded: String) throws -> String {
        String(encoded.drop { $0 != ":" }.dropFirst())
    }
}

@Model final class SecretNote {
    var user: String
    @Attribute(.transformed(by: Salted.self)) var secret: String

    init(_ user: String, _ secret: String) {
        self.user = user
        self.secret = secret
    }
}

@Suite struct HookedObjectTests {
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(TicketNote.self, TicketBook.self, SecretNote.self)
    }

    private func stored(_ container: ModelContainer, _ number: Int = 1) throws -> TicketNote {
        let notes = try ModelContext(container).fetch(FetchDescriptor<TicketNote>())
        return try #require(notes.first { $0.number == number })
    }

    @Test(arguments: StoreKind.allCases)
    func `a save calls the hook once, and stores what it sets`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let (note, other) = (TicketNote(1), TicketNote(2))
        context.insert(note)
        context.insert(other)
        try context.save()
        #expect(note.saves == 1)
        for round in 2...4 {
            note.price = round
            _ = try context.fetch(
                FetchDescriptor<TicketNote>(predicate: #Predicate { $0.price > 1 })
            )
            _ = try context.fetchCount(FetchDescriptor<TicketNote>())
            try context.save()
            let same = try stored(container)
            #expect(note.saves == round && same.saves == round && same.price == round)
        }
        #expect(other.saves == 1)
        note.price = 5
        note.price = 4
        try context.save()
        #expect(note.saves == 4 && !context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `what the hook sets is taken back`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let (note, other) = (TicketNote(1), TicketNote(2))
        context.insert(note)
        context.insert(other)
        try context.save()
        note.price = 5
        other.price = -1
        let error = #expect(throws: ModelEncodingError.self) { try context.save() }
        #expect(error?.kind == .rejected && "\(error as Any)".contains("TicketNote"))
        context.rollback()
        #expect(note.saves == 1 && note.price == 0 && !context.hasChanges)
        #expect(throws: (any Error).self) {
            try context.transaction {
                note.price = 7
                try context.save()
                throw RefusedPrice()
            }
        }
        #expect(note.saves == 1 && note.price == 0)
        note.price = 1
        try context.save()
        let same = try stored(container)
        #expect(note.saves == 2 && same.saves == 2 && same.price == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `objects that a hook makes are saved with theirs called`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        context.insert(TicketBook())
        try context.save()
        #expect(!context.hasChanges)
        #expect(try stored(container, 1000).saves == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is cleaned up when it is read was changed by nobody`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let first = ModelContext(container)
        first.insert(TicketNote(1))
        first.insert(TicketNote(2))
        try first.save()
        let context = ModelContext(container)
        let notes = try context.fetch(
            FetchDescriptor<TicketNote>(sortBy: [SortDescriptor(\.number)])
        )
        #expect(notes.map(\.name) == ["ANN", "ANN"])
        notes[0].name = "BOB"
        context.delete(notes[1])
        try context.save()
        #expect(try stored(container).name == "BOB")
        // Somebody else's change still is one.
        let (mine, theirs) = (ModelContext(container), ModelContext(container))
        let one = try #require(try mine.fetch(FetchDescriptor<TicketNote>()).first)
        try #require(try theirs.fetch(FetchDescriptor<TicketNote>()).first).name = "CAT"
        one.name = "DOG"
        try theirs.save()
        #expect(throws: ConflictError.self) { try mine.save() }
    }

    @Test(arguments: StoreKind.allCases)
    func `a transform may have many forms of one value`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let context = ModelContext(container)
        let note = SecretNote("ann", "one")
        context.insert(note)
        try context.save()
        note.secret = "two"
        try context.save()
        let other = ModelContext(container)
        let same = try #require(try other.fetch(FetchDescriptor<SecretNote>()).first)
        #expect(same.secret == "two")
        same.secret = "three"
        note.secret = "four"
        try other.save()
        #expect(throws: ConflictError.self) { try context.save() }
        context.rollback()
        context.processPendingChanges()
        #expect(note.secret == "three")
        context.delete(note)
        try context.save()
        #expect(try other.fetchCount(FetchDescriptor<SecretNote>()) == 0)
    }
}
