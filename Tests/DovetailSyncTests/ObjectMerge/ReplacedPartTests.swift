import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Documents with objects inside that have no name, which replace what is here.
struct ReplacedPartTests {
    private static let models: [any Model.Type] = [
        Invoice.self, InvoiceLine.self, InvoiceNote.self,
    ]

    /// With a history and without one.
    private func context(_ kind: StoreKind, keepsHistory: Bool) throws -> ModelContext {
        guard kind == .sqlite, keepsHistory else {
            return ModelContext(try kind.container(Self.models))
        }
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.history = StoreHistory()
        return ModelContext(
            try ModelContainer(for: Self.models, configuration: configuration)
        )
    }

    private func bring(_ text: String, _ context: ModelContext) throws -> String {
        let document = Data(text.utf8)
        let result = try context.synchronize([Invoice].self, from: document, as: .json)
        try context.save()
        return "\(result)"
    }

    /// What is in an invoice, and that there is nothing beside it.
    private func lines(_ context: ModelContext) throws -> [String] {
        let invoices = try context.fetch(
            FetchDescriptor<Invoice>(sortBy: [SortDescriptor(\.number)])
        )
        let lines = invoices.flatMap(\.lines)
        #expect(try context.fetchCount(FetchDescriptor<InvoiceLine>()) == lines.count)
        let notes = lines.flatMap(\.notes) + invoices.compactMap(\.note)
        #expect(try context.fetchCount(FetchDescriptor<InvoiceNote>()) == notes.count)
        return invoices.map { invoice in
            let all = invoice.lines.map { line in
                line.text + (line.notes.isEmpty ? "" : "(\(line.notes.map(\.text).joined()))")
            }
            return "\(invoice.number): \(all.joined(separator: " ")) \(invoice.note?.text ?? "-")"
        }
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `a second run changes nothing, and nothing is left over`(
        _ kind: StoreKind,
        keepsHistory: Bool
    ) throws {
        let context = try context(kind, keepsHistory: keepsHistory)
        let first = """
            [{"number":1,"note":{"text":"n"},"lines":[{"text":"a","notes":[{"text":"x"},{"text":"y"}]},
            {"text":"b"},{"text":"b"}]},{"number":2,"lines":[]}]
            """
        #expect(try bring(first, context) == "2 added, 0 updated, 0 removed, 0 unchanged")
        let same = try context.fetch(FetchDescriptor<InvoiceLine>()).map(\.persistentModelID)
        #expect(try bring(first, context) == "0 added, 0 updated, 0 removed, 2 unchanged")
        #expect(try lines(context) == ["1: a(xy) b b n", "2:  -"])
        let other = ModelContext(context.container)
        #expect(try bring(first, other) == "0 added, 0 updated, 0 removed, 2 unchanged")
        let again = try other.fetch(FetchDescriptor<InvoiceLine>()).map(\.persistentModelID)
        #expect(Set(same) == Set(again))

        // Another order, and one line less: the others stay what they are.
        let moved = """
            [{"number":1,"note":{"text":"n"},"lines":[{"text":"b"},
            {"text":"a","notes":[{"text":"y"},{"text":"x"}]}]},{"number":2,"lines":[]}]
            """
        #expect(try bring(moved, context) == "0 added, 1 updated, 0 removed, 1 unchanged")
        #expect(try lines(context) == ["1: b a(yx) n", "2:  -"])
        let left = try context.fetch(FetchDescriptor<InvoiceLine>()).map(\.persistentModelID)
        #expect(left.count == 2 && Set(left).isSubset(of: same))

        // Another order inside of a line, which the invoice tells.
        let turned = moved.replacing(
            #"{"text":"y"},{"text":"x"}"#,
            with: #"{"text":"x"},{"text":"y"}"#
        )
        let plan = try context.plan([Invoice].self, from: Data(turned.utf8), as: .json)
        #expect("\(plan)".hasSuffix("~ 1: lines"), "\(plan)")
        #expect(try bring(turned, context) == "0 added, 1 updated, 0 removed, 1 unchanged")
        #expect(try lines(context) == ["1: b a(xy) n", "2:  -"])

        // A change inside of a line, and one to nothing.
        let inside = """
            [{"number":1,"lines":[{"text":"b"},{"text":"a","notes":[{"text":"x"}]}]},
            {"number":2,"lines":[{"text":"c"}]}]
            """
        #expect(try bring(inside, context) == "0 added, 2 updated, 0 removed, 0 unchanged")
        let found = try lines(context)
        #expect(found == ["1: b a(x) -", "2: c -"], "\(found)")
        #expect(try bring("[]", context) == "0 added, 0 updated, 2 removed, 0 unchanged")
        #expect(try lines(context) == [])
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `what was changed here is replaced`(_ kind: StoreKind, keepsHistory: Bool) throws {
        let context = try context(kind, keepsHistory: keepsHistory)
        let document = #"[{"number":1,"lines":[{"text":"a"},{"text":"b"}]}]"#
        _ = try bring(document, context)
        let invoice = try #require(try context.fetch(FetchDescriptor<Invoice>()).first)
        invoice.lines[0].text = "mine"
        invoice.lines.append(InvoiceLine("new"))
        try context.save()
        #expect(try bring(document, context) == "0 added, 1 updated, 0 removed, 0 unchanged")
        #expect(try lines(context) == ["1: a b -"])
        if kind == .memory || kind == .sqlite && keepsHistory {
            #expect(try context.localChanges(of: Invoice.self).isEmpty)
            #expect(try context.localChanges(of: InvoiceLine.self).isEmpty)
        }
        #expect(try bring(document, context) == "0 added, 0 updated, 0 removed, 1 unchanged")
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan is what happens, and is undone`(_ kind: StoreKind) throws {
        let context = try context(kind, keepsHistory: true)
        _ = try bring(#"[{"number":1,"lines":[{"text":"a"},{"text":"b"}]}]"#, context)
        let before = try lines(context)
        let next = Data(#"[{"number":1,"lines":[{"text":"c"},{"text":"a"}]}]"#.utf8)
        let plan = try context.plan([Invoice].self, from: next, as: .json)
        #expect(!plan.isEmpty && !context.hasChanges)
        try context.apply(plan, of: [Invoice].self, from: next, as: .json)
        try context.save()
        #expect(try lines(context) == ["1: c a -"])
        #expect(try context.plan([Invoice].self, from: next, as: .json).isEmpty)
        try plan.undo(in: context)
        try context.save()
        #expect(try lines(context) == before)
    }

    /// Random documents, one after the other: the store is the last one, and nothing else.
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `the store is what the last document says`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = try context(kind, keepsHistory: random.isOne(in: 2))
        func note() -> String { #"{"text":"\#("xyz".randomElement(using: &random) ?? "x")"}"# }
        func line() -> String {
            let notes = (0..<random.below(3)).map { _ in note() }.joined(separator: ",")
            return #"{"text":"\#("ab".randomElement(using: &random) ?? "a")","notes":[\#(notes)]}"#
        }
        for round in 0..<25 {
            let comment: Comment = "round \(round), seed \(seed)"
            let numbers = (1...3).filter { _ in !random.isOne(in: 4) }
            let document = numbers.map { number in
                let lines = (0..<random.below(4)).map { _ in line() }.joined(separator: ",")
                let note = random.isOne(in: 2) ? "null" : note()
                return #"{"number":\#(number),"note":\#(note),"lines":[\#(lines)]}"#
            }
            let text = "[\(document.joined(separator: ","))]"
            _ = try bring(text, context)
            let fresh = ModelContext(try kind.container(Self.models))
            _ = try bring(text, fresh)
            let (mine, theirs) = (try lines(context), try lines(fresh))
            #expect(mine == theirs, "\(text) \(mine) \(theirs) \(comment)")
            #expect(try lines(ModelContext(context.container)) == lines(fresh), comment)
            let plan = try context.plan([Invoice].self, from: Data(text.utf8), as: .json)
            #expect(plan.isEmpty, comment)
            let again = try context.synchronize(
                [Invoice].self,
                from: Data(text.utf8),
                as: .json
            )
            #expect(again.unchanged.count == numbers.count, comment)
            #expect(!context.hasChanges || again.updated.isEmpty, comment)
            try context.save()
        }
    }
}

@Model private final class Invoice {
    @Attribute(.unique) var number: Int
    @Relationship(deleteRule: .cascade, inverse: \InvoiceLine.invoice) var lines: [InvoiceLine] = []
    @Relationship(deleteRule: .cascade, inverse: \InvoiceNote.invoice) var note: InvoiceNote?

    init(number: Int) { self.number = number }
}

@Model private final class InvoiceLine {
    var text: String
    var invoice: Invoice?
    @Relationship(deleteRule: .cascade, inverse: \InvoiceNote.line) var notes: [InvoiceNote] = []

    init(_ text: String) { self.text = text }
}

@Model private final class InvoiceNote {
    var text: String
    var line: InvoiceLine?
    var invoice: Invoice?

    init(_ text: String) { self.text = text }
}
