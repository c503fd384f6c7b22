import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// What is inside of objects without a name, and moves, goes, or is told.
@Suite struct NestedWholeEdgeTests {
    private func lines(_ context: ModelContext) throws -> [String] {
        #expect(try ModelContext(context.container).purchaseLines() == context.purchaseLines())
        return try context.purchaseLines()
    }

    @Test(arguments: StoreKind.allCases)
    func `a named object that moves from one whole to another`(_ kind: StoreKind) throws {
        let first = """
            [{"number":1,"lines":[{"text":"x","parcels":[{"code":"c","weight":1,"notes":[{"text":"n"}]}]}]},
             {"number":2,"lines":[{"text":"y"}]}]
            """
        let second = """
            [{"number":1,"lines":[{"text":"x"}]},
             {"number":2,"lines":[{"text":"y","parcels":[{"code":"c","weight":2}]}]}]
            """
        let moved = ["1 - [x0] - []", "2 - [y0{c=2(n)}] - []"]
        let context = try kind.purchases(first)
        let parcel = try context.parcel("c")
        try context.bring(purchases: second)
        #expect(try lines(context) == moved)
        #expect(try context.parcel("c") === parcel)
        #expect(try context.toldOfParts() == [])
        // Moved here, and changed there where it was.
        let other = try kind.purchases(first)
        try other.purchase(2).lines[0].parcels = [other.parcel("c")]
        try other.save()
        #expect(
            try other.told(Purchase.self) == [
                #"~1 {"lines":[{"text":"x","count":0,"options":[],"parcels":[]}]}"#,
                #"~2 {"lines":[{"text":"y","count":0,"options":[],"parcels":[{"code":"c","weight":1,"notes":[{"text":"n"}]}]}]}"#,
            ]
        )
        try other.bring(purchases: first)
        #expect(try lines(other) == ["1 - [x0] - []", "2 - [y0{c=1(n)}] - []"])
        let third = first.replacing(#""weight":1"#, with: #""weight":3"#)
        let error = #expect(throws: SynchronizeError.self) { try other.bring(purchases: third) }
        #expect(error?.conflicts.map(\.attributes) == [["lines"]])
        try other.bring(purchases: third, .merge(conflicts: .keep))
        #expect(try lines(other) == ["1 - [x0] - []", "2 - [y0{c=1(n)}] - []"])
        try other.resolveAll(taking: .remote)
        #expect(try lines(other) == ["1 - [x0{c=3(n)}] - []", "2 - [y0] - []"])
        #expect(try other.toldOfParts() == [])
        // Inserted here with a name that the document has inside of another one.
        let inserted = try kind.purchases(
            #"[{"number":1,"lines":[{"text":"x"}]},{"number":2,"lines":[{"text":"y"}]}]"#
        )
        try inserted.purchase(1).lines[0].parcels.append(PurchaseParcel("c", 9))
        try inserted.save()
        #expect(throws: SynchronizeError.self) { try inserted.bring(purchases: second) }
        try inserted.bring(purchases: second, .merge(conflicts: .storeWins))
        #expect(try lines(inserted) == ["1 - [x0{c=9}] - []", "2 - [y0] - []"])
        let taken = try kind.purchases(
            #"[{"number":1,"lines":[{"text":"x"}]},{"number":2,"lines":[{"text":"y"}]}]"#
        )
        try taken.purchase(1).lines[0].parcels.append(PurchaseParcel("c", 9))
        try taken.save()
        try taken.bring(purchases: second, .merge(conflicts: .listWins))
        #expect(try lines(taken) == ["1 - [x0] - []", "2 - [y0{c=2}] - []"])
        #expect(try taken.toldOfParts() == [])
        // Out of a purchase that is gone there.
        let gone = try kind.purchases(first)
        try gone.bring(
            purchases: #"[{"number":2,"lines":[{"text":"y","parcels":[{"code":"c","weight":2}]}]}]"#
        )
        #expect(try lines(gone) == ["2 - [y0{c=2(n)}] - []"])
        #expect(try gone.toldOfParts() == [])
        #expect(try gone.countOfParts() == [1, 0, 0, 1, 1, 0, 0])
    }

    @Test(arguments: StoreKind.allCases)
    func `a named object that moves into a whole, and out of it`(_ kind: StoreKind) throws {
        let outside =
            #"[{"number":1,"lines":[{"text":"x"}],"crates":[{"code":"c","weight":1,"notes":[{"text":"n"}]}]}]"#
        let inside =
            #"[{"number":1,"lines":[{"text":"x","parcels":[{"code":"c","weight":2}]}],"crates":[]}]"#
        let context = try kind.purchases(outside)
        let parcel = try context.parcel("c")
        func crates(_ context: ModelContext) throws -> [String] {
            try context.purchase(1).crates.map(\.code)
        }
        for _ in 0..<2 {
            for document in [inside, inside.replacing(#","crates":[]"#, with: "")] {
                try context.bring(purchases: document)
                #expect(try lines(context) == ["1 - [x0{c=2(n)}] - []"])
                #expect(try crates(ModelContext(context.container)) == [])
            }
            #expect(try context.toldOfParts() == [])
            #expect(try context.told(Purchase.self) == [])
            try context.bring(purchases: outside)
            #expect(try lines(context) == ["1 - [x0] - []"])
            #expect(
                try crates(context) == ["c"] && crates(ModelContext(context.container)) == ["c"]
            )
            #expect(try context.parcel("c") === parcel && parcel.notes.count == 1)
            #expect(try context.toldOfParts() == [])
            #expect(try context.told(Purchase.self) == [])
            // Where the document says nothing of the list that it was in.
            try context.bring(purchases: inside.replacing(#","crates":[]"#, with: ""))
            #expect(try lines(context) == ["1 - [x0{c=2(n)}] - []"])
            #expect(try crates(ModelContext(context.container)) == [])
            try context.bring(purchases: outside)
        }
        // Changed here, it is in conflict there.
        parcel.weight = 9
        try context.save()
        #expect(throws: SynchronizeError.self) { try context.bring(purchases: inside) }
        try context.bring(purchases: inside, .merge(conflicts: .listWins))
        #expect(try lines(context) == ["1 - [x0{c=2(n)}] - []"])
        #expect(try context.toldOfParts() == [])
    }

    /// It is where the document has it, whether that has changed there or not.
    @Test(arguments: StoreKind.allCases)
    func `a named object that was moved here into a whole that the document replaces`(
        _ kind: StoreKind
    ) throws {
        func document(_ text: String) -> String {
            """
            [{"number":1,"lines":[{"text":"x","parcels":[{"code":"c","weight":1}]}]},
             {"number":2,"lines":[{"text":"\(text)"}]}]
            """
        }
        let there = ["1 - [x0{c=1}] - []", "2 - [z0] - []"]
        let mine = ["1 - [x0] - []", "2 - [y0{c=1}] - []"]
        for policy in [ListConflictPolicy.listWins, .storeWins, .keep] {
            let context = try kind.purchases(document("y"))
            let parcel = try context.parcel("c")
            try context.purchase(2).lines[0].parcels = [parcel]
            try context.save()
            for _ in 0..<2 {
                try context.bring(purchases: document("z"), .merge(conflicts: policy))
                #expect(try lines(context) == (policy == .listWins ? there : mine))
                #expect(try context.told(Purchase.self).isEmpty == (policy == .listWins))
                #expect(try context.parcel("c") === parcel)
            }
            try context.resolveAll(taking: .remote)
            if policy == .storeWins { continue }
            #expect(try lines(context) == there)
            #expect(try context.parcel("c") === parcel)
            #expect(try context.told(Purchase.self) == [])
            #expect(try context.told(PurchaseParcel.self) == [])
        }
    }

    /// What was inside of it counts as known no more, and what the document does not speak of does.
    @Test(arguments: StoreKind.allCases)
    func `a named object that was deleted here comes back inside of a whole`(
        _ kind: StoreKind
    ) throws {
        let first = """
            [{"number":1,"lines":[{"text":"x"}],"crates":[{"code":"c","notes":[{"text":"n"}]}]}]
            """
        func back(_ parcel: String) -> String {
            #"[{"number":1,"lines":[{"text":"x","parcels":[\#(parcel)]}],"crates":[]}]"#
        }
        let told =
            #"~1 {"lines":[{"text":"x","count":0,"options":[],"parcels":[{"code":"c","weight":2,"notes":[]}]}]}"#
        for (parcel, changes) in [
            (#"{"code":"c","weight":2,"notes":[]}"#, []), (#"{"code":"c","weight":2}"#, [told]),
        ] {
            let context = try kind.purchases(first)
            let deleted = try context.parcel("c")
            context.delete(try context.purchase(1))
            try context.save()
            if !deleted.isDeleted { context.delete(deleted) }
            try context.save()
            for _ in 0..<2 {
                try context.bring(purchases: back(parcel), .merge(conflicts: .listWins))
                #expect(try lines(context) == ["1 - [x0{c=2}] - []"])
                #expect(try context.told(Purchase.self) == changes)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `purchases that one side does not have`(_ kind: StoreKind) throws {
        let first = """
            [{"number":1,"note":{"text":"n"},"lines":[{"text":"x","options":[{"text":"o"}],"parcels":[{"code":"c"}]}]},
             {"number":2}]
            """
        let before = "1 - [x0(o){c=0}] n []"
        let changed = first.replacing(#""text":"o""#, with: #""text":"w""#)
        let after = "1 - [x0(w){c=0}] n []"
        func deleted() throws -> ModelContext {
            let context = try kind.purchases(first)
            context.delete(try context.purchase(1))
            try context.save()
            #expect(try context.countOfParts() == [0, 0, 0, 0, 0, 0, 0])
            #expect(try context.told(Purchase.self) == ["-1"])
            return context
        }
        let context = try deleted()
        try context.bring(purchases: first)
        #expect(try lines(context) == ["2 - [] - []"])
        #expect(throws: SynchronizeError.self) { try context.bring(purchases: changed) }
        try context.bring(purchases: changed, .merge(conflicts: .listWins))
        #expect(try lines(context) == [after, "2 - [] - []"])
        #expect(try context.toldOfParts() == [])
        // What stays deleted is known in its new form.
        let stays = try deleted()
        try stays.bring(purchases: changed, .merge(conflicts: .storeWins))
        try stays.bring(purchases: changed)
        #expect(try lines(stays) == ["2 - [] - []"])
        let kept = try deleted()
        for _ in 0..<2 { try kept.bring(purchases: changed, .merge(conflicts: .keep)) }
        #expect(try kept.disputes() == ["Purchase"])
        try kept.resolveAll(taking: .remote)
        #expect(try lines(kept) == [after, "2 - [] - []"])
        #expect(try kept.toldOfParts() == [])
        #expect(try kept.told(Purchase.self) == [])
        // The deletion told, nothing is left of what was inside.
        let told = try deleted()
        try told.confirm(told.localChanges(of: Purchase.self))
        try told.save()
        #expect(try told.toldOfParts() == [])
        try told.bring(purchases: first)
        #expect(try lines(told) == [before, "2 - [] - []"])
        // Gone there.
        let gone = try kind.purchases(first)
        try gone.purchase(1).lines[0].options[0].text = "s"
        try gone.save()
        let rest = #"[{"number":2}]"#
        #expect(throws: SynchronizeError.self) { try gone.bring(purchases: rest) }
        try gone.bring(purchases: rest, .merge(conflicts: .keep))
        #expect(try lines(gone)[0] == "1 - [x0(s){c=0}] n []")
        #expect(try gone.told(Purchase.self) == ["+1"])
        try gone.resolveAll(taking: .remote)
        #expect(try lines(gone) == ["2 - [] - []"])
        #expect(try gone.countOfParts() == [0, 0, 0, 0, 0, 0, 0])
        #expect(try gone.toldOfParts() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `lists that are empty on one side`(_ kind: StoreKind) throws {
        let full = #"[{"number":1,"lines":[{"text":"x","options":[{"text":"o"}]}]}]"#
        let none = #"[{"number":1,"lines":[]}]"#
        let inner = #"[{"number":1,"lines":[{"text":"x","options":[]}]}]"#
        let context = try kind.purchases(none)
        for (document, line) in [
            (full, "1 - [x0(o)] - []"), (inner, "1 - [x0] - []"), (full, "1 - [x0(o)] - []"),
            (none, "1 - [] - []"), (inner, "1 - [x0] - []"), (none, "1 - [] - []"),
        ] {
            try context.bring(purchases: document)
            #expect(try lines(context) == [line])
            #expect(try context.toldOfParts() == [])
        }
        // A list that is left out says nothing.
        try context.bring(purchases: full)
        try context.bring(purchases: #"[{"number":1,"title":"T"}]"#)
        #expect(try lines(context) == ["1 T [x0(o)] - []"])
        // Emptied here, and then there, too.
        context.delete(try context.purchase(1).lines[0])
        try context.save()
        #expect(try context.told(Purchase.self) == [#"~1 {"lines":[]}"#])
        try context.bring(
            purchases: full.replacing(#""number":1"#, with: #""number":1,"title":"T""#)
        )
        #expect(try lines(context) == ["1 T [] - []"])
        #expect(throws: SynchronizeError.self) { try context.bring(purchases: inner) }
        try context.bring(purchases: none)
        #expect(try context.told(Purchase.self) == [])
        #expect(try context.toldOfParts() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `the object around tells it, and is confirmed with it`(_ kind: StoreKind) throws {
        let first =
            #"[{"number":1,"note":{"text":"n"},"lines":[{"text":"x","options":[{"text":"o"}]},{"text":"y"}]}]"#
        let context = try kind.purchases(first)
        try context.purchase(1).lines[0].options[0].text = "s"
        try context.purchase(1).lines[1].good = context.good("nib")
        try context.save()
        let changes = try context.localChanges(of: Purchase.self)
        let lists = changes.flatMap(\.lists)
        #expect(lists.map(\.name) == ["lines"])
        #expect(lists.allSatisfy { $0.added.isEmpty && $0.removed.isEmpty })
        #expect(
            try context.told(Purchase.self) == [
                #"~1 {"lines":[{"text":"x","count":0,"options":[{"text":"s","options":[]}],"parcels":[]},{"text":"y","count":0,"good":"nib","options":[],"parcels":[]}]}"#
            ]
        )
        try context.purchase(1).note = PurchaseNote("w")
        try context.save()
        try context.confirm(changes)
        try context.save()
        #expect(try context.told(Purchase.self) == [#"~1 {"note":{"text":"w"}}"#])
        try context.confirm(context.localChanges(of: Purchase.self))
        try context.save()
        #expect(try context.told(Purchase.self) == [])
        #expect(try context.toldOfParts() == [])
        // The class of what is inside tells it, too.
        try context.purchase(1).lines[0].options[0].text = "t"
        try context.save()
        #expect(try context.localChanges(of: PurchaseOption.self).map(\.name) == [.null])
        try context.confirm(context.localChanges(of: PurchaseOption.self))
        try context.save()
        #expect(try context.told(Purchase.self) == [])
        // A new one is told with what is inside of it.
        let new = Purchase(number: 7)
        new.lines = [PurchaseLine("q")]
        context.insert(new)
        try context.save()
        #expect(try context.told(Purchase.self) == ["+7"])
        try context.confirm(context.localChanges(of: Purchase.self))
        try context.save()
        #expect(try context.toldOfParts() == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `a document that replaces what was changed here`(_ kind: StoreKind) throws {
        let first = """
            [{"number":1,"note":{"text":"n"},"lines":[{"text":"x","options":[{"text":"o"}],"parcels":[{"code":"c"}]},
              {"text":"y","mark":{"text":"m"}}],"extras":[{"$type":"PurchaseGift","text":"g","notes":[{"text":"h"}]}]}]
            """
        let context = try kind.purchases(first)
        let purchase = try context.purchase(1)
        let lines = try lines(context)
        purchase.lines[0].options[0].text = "s"
        purchase.lines[0].parcels.append(PurchaseParcel("d"))
        context.delete(purchase.lines[1])
        purchase.note?.text = "w"
        context.delete(try #require(purchase.extras[0] as? PurchaseGift))
        try context.save()
        try context.bring(purchases: first, .replace)
        #expect(try self.lines(context) == lines)
        #expect(try context.told(Purchase.self) == [])
        try context.bring(purchases: first)
        #expect(try self.lines(context) == lines)
        // Nothing of it is a change made here any more.
        let second = first.replacing(#""text":"o""#, with: #""text":"w""#)
        try context.bring(purchases: second)
        #expect(try self.lines(context) == [lines[0].replacing("(o)", with: "(w)")])
        #expect(try context.told(Purchase.self) == [])
    }

    /// The list of one object inside of what has no name.
    @Test(arguments: StoreKind.allCases)
    func `the parcels of a line`(_ kind: StoreKind) throws {
        let context = try kind.purchases(
            #"[{"number":1,"lines":[{"text":"x","parcels":[{"code":"c","notes":[{"text":"n"}]}]}]}]"#
        )
        let line = try context.purchase(1).lines[0]
        line.parcels[0].notes[0].text = "mine"
        try context.save()
        func bring(_ text: String, _ policy: LocalChangePolicy<PurchaseParcel>) throws {
            try context.synchronize(
                [PurchaseParcel].self,
                from: Data(text.utf8),
                as: .json,
                within: \PurchaseLine.parcels,
                of: line,
                localChanges: policy
            )
            try context.save()
        }
        let there =
            #"[{"code":"c","weight":7,"notes":[{"text":"n"}]},{"code":"d","notes":[{"text":"k"}]}]"#
        try bring(there, .merge())
        #expect(try lines(context) == ["1 - [x0{c=7(mine)}{d=0(k)}] - []"])
        let other = there.replacing(#"[{"text":"n"}]"#, with: "[]")
        #expect(throws: SynchronizeError.self) { try bring(other, .merge()) }
        try bring(other, .merge(conflicts: .listWins))
        #expect(try lines(context) == ["1 - [x0{c=7}{d=0(k)}] - []"])
        #expect(try context.toldOfParts() == [])
    }
}
