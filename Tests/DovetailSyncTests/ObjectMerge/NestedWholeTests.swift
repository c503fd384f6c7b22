import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Documents with objects that they have no name for, and that have others inside of them, beside what was changed here.
@Suite struct NestedWholeTests {
    private let first = """
        [{"number":1,"title":"A","note":{"text":"n"},
          "lines":[{"text":"x","count":1,"good":"ink","options":[{"text":"o","options":[{"text":"p"}]},{"text":"q"}],
                    "mark":{"text":"m","note":{"text":"k"}}},
                   {"text":"y","count":2,"parcels":[{"code":"c1","weight":5,"notes":[{"text":"f"}]}]}],
          "extras":[{"$type":"PurchaseGift","text":"g","notes":[{"text":"h"}]},
                    {"$type":"PurchaseCard","text":"c","good":"nib"}]},
         {"number":2,"title":"B","lines":[{"text":"z","count":3,"options":[{"text":"o"}]}]}]
        """
    private let before = [
        "1 A [x1/ink(o(p) q)^m+k y2{c1=5(f)}] n [gift g(h) card c/nib]", "2 B [z3(o)] - []",
    ]

    private func context(_ kind: StoreKind) throws -> ModelContext { try kind.purchases(first) }

    private func plan(
        _ document: String,
        _ context: ModelContext,
        _ policy: LocalChangePolicy<Purchase> = .merge()
    ) throws -> SynchronizePlan {
        let data = Data(document.utf8)
        return try context.plan([Purchase].self, from: data, as: .json, localChanges: policy)
    }

    @Test(arguments: StoreKind.allCases)
    func `a document that was there changes nothing`(_ kind: StoreKind) throws {
        let context = try self.context(kind)
        #expect(try context.purchaseLines() == before)
        let lines = try context.purchase(1).lines.map(\.persistentModelID)
        let count = try context.countOfParts()
        #expect(try context.toldOfParts() == [])
        for policy in [LocalChangePolicy<Purchase>.merge(), .merge(conflicts: .keep)] {
            #expect(try plan(first, context, policy).isEmpty)
            let result = try context.bring(purchases: first, policy)
            #expect("\(result)" == "0 added, 0 updated, 0 removed, 2 unchanged")
            #expect(try context.purchaseLines() == before)
            #expect(try context.purchase(1).lines.map(\.persistentModelID) == lines)
            #expect(try context.countOfParts() == count)
            #expect(try context.toldOfParts() == [])
        }
    }

    /// Each changes one thing inside of the first purchase, at any depth.
    private static let changes: [(name: String, here: String, old: String, new: String)] = [
        ("count", "x7/ink", #""count":1"#, #""count":7"#),
        ("good", "x1/nib", #""good":"ink""#, #""good":"nib""#),
        ("option", "(o(r) q)", #"{"text":"p"}"#, #"{"text":"r"}"#),
        ("no option", "x1/ink(q)", #"{"text":"o","options":[{"text":"p"}]},"#, ""),
        ("mark", "^w+k", #""mark":{"text":"m""#, #""mark":{"text":"w""#),
        ("note of mark", "^m+w", #""note":{"text":"k"}"#, #""note":{"text":"w"}"#),
        ("no mark", "q) y2", #""mark":{"text":"m","note":{"text":"k"}}"#, #""mark":null"#),
        ("parcel", "c1=9", #""weight":5"#, #""weight":9"#),
        ("note of parcel", "=5(w)", #"{"text":"f"}"#, #"{"text":"w"}"#),
        ("no parcel", "y2]", #","parcels":[{"code":"c1","weight":5,"notes":[{"text":"f"}]}]"#, ""),
        ("another parcel", "c2=5", #""code":"c1""#, #""code":"c2""#),
        ("note", "] w [", #""note":{"text":"n"}"#, #""note":{"text":"w"}"#),
        ("no note", "] - [", #""note":{"text":"n"},"#, ""),
        ("note of gift", "gift g(w)", #"{"text":"h"}"#, #"{"text":"w"}"#),
        ("card", "card c/ink", #""good":"nib""#, #""good":"ink""#),
        (
            "another extra", "card g/-",
            #"{"$type":"PurchaseGift","text":"g","notes":[{"text":"h"}]}"#,
            #"{"$type":"PurchaseCard","text":"g"}"#
        ),
    ]

    @Test(arguments: StoreKind.allCases)
    func `a change there, at any depth`(_ kind: StoreKind) throws {
        for (name, here, old, new) in Self.changes {
            let context = try self.context(kind)
            let second = first.replacing(old, with: new)
            #expect(second != first, "\(name)")
            let kept = try context.purchase(2).lines[0]
            let counts = try ModelContext(kind.purchases(second).container).countOfParts()
            let plan = try self.plan(second, context)
            #expect(plan.updated.map(\.key) == [[.integer(1)]], "\(name): \(plan)")
            try context.bring(purchases: second)
            for lines in try [
                context.purchaseLines(), ModelContext(context.container).purchaseLines(),
            ] {
                #expect(lines[0].contains(here), "\(name): \(lines[0])")
                #expect(lines[1] == before[1], "\(name)")
            }
            #expect(try context.purchase(2).lines[0] === kept)
            #expect(try context.countOfParts() == counts, "\(name)")
            #expect(try context.toldOfParts() == [], "\(name)")
            #expect(try context.told(Purchase.self) == [], "\(name)")
            #expect(try self.plan(second, context).isEmpty, "\(name)")
            // And back.
            try context.bring(purchases: first)
            #expect(try context.purchaseLines() == before, "\(name)")
            #expect(try context.toldOfParts() == [], "\(name)")
        }
    }

    /// Each changes one thing inside of the first purchase here, with what the second one is to say of that.
    private static let edits:
        [(name: String, here: String, edit: @Sendable (Purchase, ModelContext) throws -> Void)] = [
            ("count", "x7/ink", { purchase, _ in purchase.lines[0].count = 7 }),
            ("good", "x1/nib", { $0.lines[0].good = try $1.good("nib") }),
            ("option", "(s(p) q)", { purchase, _ in purchase.lines[0].options[0].text = "s" }),
            (
                "deep option", "(o(p(s)) q)",
                { purchase, _ in
                    purchase.lines[0].options[0].options[0].options.append(PurchaseOption("s"))
                }
            ),
            ("no option", "x1/ink(q)", { $1.delete($0.lines[0].options[0]) }),
            (
                "moved option", "(q(o(p)))",
                { purchase, _ in
                    let options = purchase.lines[0].options
                    options[0].line = nil
                    options[1].options.append(options[0])
                }
            ),
            ("mark", "^s+k", { purchase, _ in purchase.lines[0].mark?.text = "s" }),
            (
                "another mark", "^s y2",
                { purchase, context in
                    context.delete(try #require(purchase.lines[0].mark))
                    purchase.lines[0].mark = PurchaseMark("s")
                }
            ),
            ("note of mark", "^m+s", { purchase, _ in purchase.lines[0].mark?.note?.text = "s" }),
            ("parcel", "c1=9", { purchase, _ in purchase.lines[1].parcels[0].weight = 9 }),
            (
                "moved parcel", "^m+k{c1",
                { purchase, _ in
                    purchase.lines[0].parcels = purchase.lines[1].parcels
                }
            ),
            (
                "note of parcel", "(f s)",
                { purchase, _ in
                    purchase.lines[1].parcels[0].notes.append(PurchaseNote("s"))
                }
            ),
            ("no line", "[x1/ink(o(p) q)^m+k] n", { $1.delete($0.lines[1]) }),
            ("another line", " s0]", { purchase, _ in purchase.lines.append(PurchaseLine("s")) }),
        ]
    /// With another line in the place of the first one.
    private var second: String {
        first.replacing(#""text":"x","count":1"#, with: #""text":"w","count":4"#)
    }
    private let theirs =
        "1 A [w4/ink(o(p) q)^m+k y2{c1=5(f)}] n [gift g(h) card c/nib]"

    @Test(arguments: StoreKind.allCases)
    func `a change here, at any depth`(_ kind: StoreKind) throws {
        for (name, here, edit) in Self.edits {
            func changed() throws -> (ModelContext, [String], [String]) {
                let context = try self.context(kind)
                try edit(context.purchase(1), context)
                try context.save()
                let lines = try context.purchaseLines()
                #expect(lines[0].contains(here), "\(name): \(lines[0])")
                let told = try context.toldOfParts()
                #expect(!told.isEmpty, "\(name)")
                return (context, lines, told)
            }
            // Not changed there, and something beside it.
            let (context, lines, told) = try changed()
            for document in [first, first.replacing(#""title":"B""#, with: #""title":"C""#)] {
                try context.bring(purchases: document)
                #expect(try context.purchaseLines()[0] == lines[0], "\(name)")
                #expect(try context.toldOfParts() == told, "\(name)")
            }
            // Changed there, too.
            let error = #expect(throws: SynchronizeError.self) {
                try context.bring(purchases: second)
            }
            #expect(error?.conflicts.map(\.attributes) == [["lines"]], "\(name)")
            #expect(!context.hasChanges)
            for _ in 0..<2 {
                try context.bring(purchases: second, .merge(conflicts: .storeWins))
                #expect(try context.purchaseLines()[0] == lines[0], "\(name)")
                // It is known what they have.
                try context.bring(purchases: second)
                #expect(try context.purchaseLines()[0] == lines[0], "\(name)")
                #expect(try !context.toldOfParts().isEmpty, "\(name)")
            }
            #expect(try ModelContext(context.container).purchaseLines()[0] == lines[0], "\(name)")
            let (other, _, _) = try changed()
            for _ in 0..<2 {
                try other.bring(purchases: second, .merge(conflicts: .listWins))
                #expect(try other.purchaseLines() == [theirs, before[1]], "\(name)")
                #expect(try other.toldOfParts() == [], "\(name)")
            }
            let fresh = ModelContext(other.container)
            #expect(try fresh.purchaseLines() == [theirs, before[1]], "\(name)")
            let count = try kind.purchases(second).countOfParts()
            #expect(try fresh.countOfParts() == count, "\(name)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `conflicts that are kept`(_ kind: StoreKind) throws {
        for (name, _, edit) in Self.edits {
            func disputed() throws -> (ModelContext, String) {
                let context = try self.context(kind)
                try edit(context.purchase(1), context)
                try context.save()
                let mine = try context.purchaseLines()[0]
                for _ in 0..<2 {
                    try context.bring(purchases: second, .merge(conflicts: .keep))
                    #expect(try context.purchaseLines()[0] == mine, "\(name)")
                    #expect(try context.disputes() == ["Purchase.lines"], "\(name)")
                }
                return (context, mine)
            }
            let (context, mine) = try disputed()
            let conflict = try #require(context.fetch(FetchDescriptor<MergeConflict>()).first)
            #expect(
                conflict.remote?.contains(#"\"text\":\"w\""#) == true,
                "\(conflict.remote ?? "")"
            )
            try context.resolveAll(taking: .remote)
            for context in [context, ModelContext(context.container)] {
                #expect(try context.purchaseLines() == [theirs, before[1]], "\(name)")
                #expect(try context.toldOfParts() == [], "\(name)")
                #expect(try context.told(Purchase.self) == [], "\(name)")
                #expect(try context.disputes() == [])
            }
            #expect(try context.countOfParts() == kind.purchases(second).countOfParts(), "\(name)")
            #expect(try plan(second, context).isEmpty, "\(name)")
            // For this side.
            let (local, _) = try disputed()
            try local.resolveAll(taking: .local)
            try local.bring(purchases: second, .merge(conflicts: .keep))
            #expect(try local.disputes() == [], "\(name)")
            #expect(try local.purchaseLines()[0] == mine, "\(name)")
            // A document that has the same settles it.
            let (settled, _) = try disputed()
            try settled.bring(purchases: second, .merge(conflicts: .listWins))
            #expect(try settled.purchaseLines()[0] == mine, "what the last document had is no news")
            try settled.bring(purchases: first, .merge(conflicts: .listWins))
            #expect(try settled.purchaseLines() == before, "\(name)")
            #expect(try settled.disputes() == [], "\(name)")
            #expect(try settled.toldOfParts() == [], "\(name)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan, what it does, and the same undone`(_ kind: StoreKind) throws {
        for (name, _, edit) in Self.edits {
            for conflicts in [ListConflictPolicy.storeWins, .listWins, .keep] {
                let context = try self.context(kind)
                try edit(context.purchase(1), context)
                try context.save()
                let (lines, told) = (try context.purchaseLines(), try context.toldOfParts())
                let count = try context.countOfParts()
                let policy = LocalChangePolicy<Purchase>.merge(conflicts: conflicts)
                let plan = try self.plan(second, context, policy)
                #expect(!context.hasChanges)
                #expect(plan.updated.isEmpty == (conflicts != .listWins), "\(name): \(plan)")
                let data = Data(second.utf8)
                try context.apply(
                    plan,
                    of: [Purchase].self,
                    from: data,
                    as: .json,
                    localChanges: policy
                )
                try context.save()
                if conflicts == .listWins {
                    #expect(try context.purchaseLines() == [theirs, before[1]], "\(name)")
                } else {
                    #expect(try context.purchaseLines() == lines, "\(name)")
                }
                if plan.isEmpty { continue }
                try plan.undo(in: context)
                try context.save()
                for context in [context, ModelContext(context.container)] {
                    #expect(try context.purchaseLines() == lines, "\(name)")
                    #expect(try context.toldOfParts() == told, "\(name)")
                    #expect(try context.countOfParts() == count, "\(name)")
                }
            }
        }
    }
}
