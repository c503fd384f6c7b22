import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Documents with objects inside of others that they have no name for, beside what was changed here.
@Suite struct WholeMergeTests {
    private let first = """
        [{"number":1,"title":"A","lines":[{"text":"x","count":1,"good":"ink"},{"text":"y","count":2}]},
         {"number":2,"title":"B","lines":[{"text":"z","count":3}]}]
        """
    private let before = [#"1 A ["x1/ink", "y2"]"#, #"2 B ["z3"]"#]
    /// With other lines of the first one.
    private let second = """
        [{"number":1,"title":"A","lines":[{"text":"w","count":9,"good":"nib"},{"text":"y","count":2}]},
         {"number":2,"title":"B","lines":[{"text":"z","count":3}]}]
        """

    private func context(_ kind: StoreKind) throws -> ModelContext { try kind.bills(first) }

    /// What was put into it here is still inside of the other one there.
    @Test(arguments: StoreKind.allCases)
    func `a line that was moved here into a bill which is gone there`(_ kind: StoreKind) throws {
        let first =
            #"[{"number":1},{"number":2,"lines":[{"text":"a","count":1},{"text":"b","count":1}]}]"#
        let second = first.replacing(#"{"number":1},"#, with: "")
        let told = #"~2 {"lines":[{"text":"b","count":1}]}"#
        for policy in [ListConflictPolicy.storeWins, .listWins, .keep] {
            let context = try kind.bills(first)
            try context.bill(2).lines[0].bill = context.bill(1)
            try context.save()
            let there = ["2 - [\"b1\"]"]
            for _ in 0..<2 {
                try context.bring(bills: second, .merge(conflicts: policy))
                #expect(
                    try context.billLines()
                        == (policy == .listWins ? there : [#"1 - ["a1"]"#] + there)
                )
                #expect(
                    try context.told(Bill.self) == (policy == .listWins ? [told] : ["+1", told])
                )
            }
            try context.resolveAll(taking: .remote)
            if policy != .keep { continue }
            #expect(try context.billLines() == there)
            #expect(try context.told(Bill.self) == [told])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a document that was there changes nothing`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let lines = try context.bill(1).lines.map(\.persistentModelID)
        for _ in 0..<2 {
            let result = try context.bring(bills: first)
            #expect("\(result)" == "0 added, 0 updated, 0 removed, 2 unchanged")
            #expect(try context.billLines() == before)
            #expect(try context.bill(1).lines.map(\.persistentModelID) == lines)
            #expect(try context.told(BillLine.self) == [])
        }
        #expect(
            try context.plan([Bill].self, from: Data(first.utf8), as: .json, localChanges: .merge())
                .isEmpty
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `lines that one side has changed are those of that side`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let kept = try context.bill(1).lines[1]
        try context.bill(1).title = "mine"
        try context.bill(2).lines.append(BillLine("new", 5))
        try context.bill(2).lines[0].good = try context.good("nib")
        try context.save()
        for _ in 0..<2 {
            let plan = try context.plan(
                [Bill].self,
                from: Data(second.utf8),
                as: .json,
                localChanges: .merge()
            )
            let isFirst = try context.bill(1).lines[0].text == "x"
            #expect(plan.isEmpty != isFirst, "\(plan)")
            try context.bring(bills: second)
            #expect(
                try context.billLines() == [
                    #"1 mine ["w9/nib", "y2"]"#, #"2 B ["z3/nib", "new5"]"#,
                ]
            )
            #expect(try context.bill(1).lines[1] === kept)
            #expect(try ModelContext(context.container).billLines() == context.billLines())
            #expect(try context.fetchCount(FetchDescriptor<BillLine>()) == 4)
            #expect(
                try context.told(Bill.self) == [
                    #"~1 {"title":"mine"}"#,
                    #"~2 {"lines":[{"text":"z","count":3,"good":"nib"},{"text":"new","count":5}]}"#,
                ]
            )
            let told = try context.localChanges(of: BillLine.self)
            #expect(told.count == 2 && told.allSatisfy { $0.name == .null })
        }
        // What the backend was told is no change any more.
        try context.confirm(context.localChanges(of: BillLine.self))
        try context.save()
        try context.bring(bills: second)
        #expect(try context.billLines()[1] == #"2 B ["z3"]"#)
    }

    @Test(arguments: StoreKind.allCases)
    func `lines that both sides have changed`(_ kind: StoreKind) throws {
        func conflicting() throws -> ModelContext {
            let context = try kind.bills(first)
            try context.bill(1).lines[0].count = 7
            context.delete(try context.bill(1).lines[1])
            try context.save()
            return context
        }
        let mine = #"1 A ["x7/ink"]"#
        let context = try conflicting()
        let error = #expect(throws: SynchronizeError.self) { try context.bring(bills: second) }
        #expect(error?.conflicts.map(\.attributes) == [["lines"]])
        #expect(error?.conflicts.map(\.table) == ["Bill"])
        #expect(!context.hasChanges)
        #expect(try context.billLines()[0] == mine)
        let told = #"~1 {"lines":[{"text":"x","count":7,"good":"ink"}]}"#
        for _ in 0..<2 {
            try context.bring(bills: second, .merge(conflicts: .storeWins))
            #expect(try context.billLines()[0] == mine)
            #expect(try context.told(Bill.self) == [told])
        }
        // What they have is known, and no news any more.
        try context.bring(bills: second)
        #expect(try context.billLines()[0] == mine)
        let third = second.replacing(#""w""#, with: #""v""#)
        for _ in 0..<2 {
            try context.bring(bills: third, .merge(conflicts: .listWins))
            #expect(try context.billLines()[0] == #"1 A ["v9/nib", "y2"]"#)
            #expect(try context.told(BillLine.self) == [])
            #expect(try context.fetchCount(FetchDescriptor<BillLine>()) == 3)
        }
        let kept = try conflicting()
        for _ in 0..<2 {
            try kept.bring(bills: second, .merge(conflicts: .keep))
            #expect(try kept.billLines()[0] == mine)
            #expect(try kept.disputes() == ["Bill.lines"])
        }
        try kept.resolveAll(taking: .remote)
        #expect(try kept.billLines()[0] == #"1 A ["w9/nib", "y2"]"#)
        #expect(try ModelContext(kept.container).billLines() == kept.billLines())
        #expect(try kept.told(BillLine.self) == [])
        // Both have done the same.
        let same = try conflicting()
        try same.bring(
            bills: first.replacing(
                #"[{"text":"x","count":1,"good":"ink"},{"text":"y","count":2}]"#,
                with: #"[{"text":"x","count":7,"good":"ink"}]"#
            )
        )
        #expect(try same.billLines()[0] == mine)
        #expect(try same.told(BillLine.self) == [])
    }

    @Test(arguments: StoreKind.allCases)
    func `bills that one side does not have`(_ kind: StoreKind) throws {
        let gone =
            #"[{"number":2,"title":"B","lines":[{"text":"z","count":3}]},{"number":3,"lines":[{"text":"q","count":1}]}]"#
        let context = try context(kind)
        try context.bring(bills: gone)
        #expect(try context.billLines() == [#"2 B ["z3"]"#, #"3 - ["q1"]"#])
        #expect(try context.fetchCount(FetchDescriptor<BillLine>()) == 2)
        #expect(try context.told(BillLine.self) == [])
        // One whose lines were changed here stays.
        let changed = try self.context(kind)
        try changed.bill(1).lines[0].count = 7
        try changed.save()
        #expect(throws: SynchronizeError.self) { try changed.bring(bills: gone) }
        try changed.bring(bills: gone, .merge(conflicts: .storeWins))
        #expect(try changed.billLines()[0] == #"1 A ["x7/ink", "y2"]"#)
        try changed.bring(bills: gone, .merge(conflicts: .listWins))
        #expect(try changed.told(Bill.self) == ["+1"])
        // Deleted here.
        let deleted = try self.context(kind)
        deleted.delete(try deleted.bill(1))
        try deleted.save()
        try deleted.bring(bills: first)
        #expect(try deleted.billLines() == [before[1]])
        #expect(throws: SynchronizeError.self) { try deleted.bring(bills: second) }
        try deleted.bring(bills: second, .merge(conflicts: .listWins))
        #expect(try deleted.billLines() == [#"1 A ["w9/nib", "y2"]"#, before[1]])
        #expect(try deleted.told(Bill.self) == [])
        #expect(try deleted.told(BillLine.self) == [])
    }

    /// Bills as plain values.
    private struct Plain: Equatable {
        var title = "A"
        /// The lines in alphabetic order.
        var lines: [String] = []
    }

    private func plain(_ context: ModelContext) throws -> [Int: Plain] {
        var bills: [Int: Plain] = [:]
        for bill in try context.fetch(FetchDescriptor<Bill>()) {
            let lines = bill.lines.map { "\($0.text)\($0.count)" }.sorted()
            bills[bill.number] = Plain(title: bill.title, lines: lines)
        }
        return bills
    }

    private func document(_ bills: [Int: Plain], _ random: inout SeededRandom) -> String {
        let members = bills.keys.sorted().map { number in
            let lines = (bills[number]?.lines ?? []).shuffled(using: &random).map {
                #"{"text":"\#($0.prefix(1))","count":\#($0.dropFirst())}"#
            }
            return
                #"{"number":\#(number),"title":"\#(bills[number]?.title ?? "")","lines":[\#(lines.joined(separator: ","))]}"#
        }
        return "[" + members.joined(separator: ",") + "]"
    }

    private func change(_ bill: inout Plain, _ random: inout SeededRandom) {
        if random.isOne(in: 3) {
            bill.title = random.pick(["A", "B", "C"])
        } else if bill.lines.isEmpty || random.isOne(in: 2) {
            bill.lines.append(random.pick(["x", "y"]) + "\(random.below(3))")
        } else {
            bill.lines.remove(at: random.below(bill.lines.count))
        }
        bill.lines.sort()
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `a merge is that of titles and of whole lists`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        var base = [1: Plain(), 2: Plain(), 3: Plain()]
        var mine = base
        let context = try kind.bills(document(base, &random))
        var conflicts = 0
        for round in 0..<30 {
            let comment: Comment = "round \(round), seed \(seed)"
            for _ in 0..<random.below(4) {
                let number = 1 + random.below(3)
                var bill = mine[number] ?? Plain()
                change(&bill, &random)
                let object = try context.bill(number)
                object.title = bill.title
                var wanted = bill.lines
                for line in object.lines {
                    if let place = wanted.firstIndex(of: "\(line.text)\(line.count)") {
                        wanted.remove(at: place)
                    } else {
                        context.delete(line)
                    }
                }
                for line in wanted {
                    let count = Int(line.dropFirst()) ?? 0
                    object.lines.append(BillLine(String(line.prefix(1)), count))
                }
                try context.save()
                mine[number] = bill
            }
            #expect(try plain(context) == mine, comment)
            var theirs = base
            for _ in 0..<random.below(4) {
                let number = 1 + random.below(3)
                change(&theirs[number, default: Plain()], &random)
            }
            let policy = random.pick([ListConflictPolicy.storeWins, .listWins])
            func merged<Value: Equatable>(
                _ old: Value,
                _ here: Value,
                _ there: Value
            ) -> (Value, Bool) {
                if here == old || here == there { return (there, false) }
                if there == old { return (here, false) }
                return (policy == .listWins ? there : here, true)
            }
            for number in 1...3 {
                guard let old = base[number], let here = mine[number], let there = theirs[number]
                else { continue }
                let (title, _) = merged(old.title, here.title, there.title)
                let (lines, isConflict) = merged(old.lines, here.lines, there.lines)
                mine[number] = Plain(title: title, lines: lines)
                base[number] = there
                if isConflict { conflicts += 1 }
            }
            for _ in 0..<2 {
                try context.bring(bills: document(theirs, &random), .merge(conflicts: policy))
                #expect(try plain(context) == mine, comment)
                #expect(try plain(ModelContext(context.container)) == mine, comment)
                if try plain(context) != mine { return }
            }
            let count = try context.fetchCount(FetchDescriptor<BillLine>())
            #expect(count == mine.values.reduce(0) { $0 + $1.lines.count }, comment)
            let changed = mine.filter { $1.lines != base[$0]?.lines }.count
            let told = try context.localChanges(of: Bill.self).filter { !$0.lists.isEmpty }
            #expect(told.count == changed, comment)
            let isTold = try !context.localChanges(of: BillLine.self).isEmpty
            #expect(isTold || changed == 0, comment)
            if mine == base { #expect(!isTold, comment) }
        }
        #expect(SeededRandom.isMet(conflicts, seed: seed), "seed \(seed)")
    }
}
