import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Random documents with objects inside of objects without a name, beside random changes, against plain values.
@Suite struct RandomNestedWholeTests {
    private func same(_ left: [Int: PlainPurchase], _ right: [Int: PlainPurchase]) -> Bool {
        left.keys == right.keys
            && left.allSatisfy { number, one in
                one.title == right[number]?.title
                    && PlainPurchase.lists.allSatisfy { one.text($0) == right[number]?.text($0) }
            }
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `a merge is that of whole relationships`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        var base = [1: PlainPurchase(), 2: PlainPurchase()]
        for number in [1, 2] {
            for _ in 0..<6 { base[number]?.change(number, &random) }
        }
        var mine = base
        let context = try kind.purchases(PlainPurchase.document(base, &random))
        #expect(try same(PlainPurchase.all(context), base), "seed \(seed)")
        var (conflicts, resolved, undone) = (0, 0, 0)
        for round in 0..<20 {
            let comment: Comment = "round \(round), seed \(seed)"
            for _ in 0..<random.below(4) {
                let number = 1 + random.below(2)
                mine[number]?.change(number, &random)
                try mine[number]?.apply(to: context.purchase(number), in: context)
                try context.save()
            }
            guard try same(PlainPurchase.all(context), mine) else {
                Issue.record("the changes are not there, \(comment)")
                return
            }
            try expectTold(mine, base, context, comment)
            var theirs = base
            for _ in 0..<random.below(4) {
                let number = 1 + random.below(2)
                theirs[number]?.change(number, &random)
            }
            let policy = random.pick([ListConflictPolicy.storeWins, .listWins, .keep])
            let document = PlainPurchase.document(theirs, &random)
            let told = try context.told(Purchase.self)
            if random.isOne(in: 2) {
                undone += try undo(document, policy, mine, told, context, comment)
            }
            var disputed: Set<String> = []
            for number in [1, 2] {
                guard let old = base[number], let here = mine[number], let new = theirs[number]
                else { continue }
                if here.title == old.title || policy == .listWins && new.title != old.title {
                    mine[number]?.title = new.title
                }
                for list in PlainPurchase.lists {
                    if [old.text(list), here.text(list)].contains(new.text(list)) { continue }
                    let isChanged = here.text(list) != old.text(list)
                    if isChanged {
                        disputed.insert("\(number).\(list)")
                        conflicts += 1
                    }
                    if !isChanged || policy == .listWins {
                        mine[number]?.inside[list] = new.inside[list]
                    }
                }
            }
            base = theirs
            for _ in 0..<2 {
                try context.bring(purchases: document, .merge(conflicts: policy))
                guard try same(PlainPurchase.all(context), mine),
                    try same(PlainPurchase.all(ModelContext(context.container)), mine)
                else {
                    let wanted = mine.sorted { $0.key < $1.key }.map { _, one in
                        PlainPurchase.lists.map(one.text)
                    }
                    Issue.record("\(try context.purchaseLines()), not \(wanted), \(comment)")
                    return
                }
            }
            try expectTold(mine, base, context, comment)
            guard policy == .keep, random.isOne(in: 2) else { continue }
            let all = try context.fetch(FetchDescriptor<MergeConflict>())
            for conflict in all where conflict.attribute != "title" {
                try context.resolve(conflict, taking: .remote)
                resolved += 1
            }
            try context.save()
            let now = try PlainPurchase.all(context)
            #expect(try same(PlainPurchase.all(ModelContext(context.container)), now), comment)
            for number in [1, 2] {
                for list in PlainPurchase.lists {
                    let text = now[number]?.text(list)
                    let isKnown =
                        text == mine[number]?.text(list) || text == base[number]?.text(list)
                    #expect(isKnown, comment)
                    if disputed.contains("\(number).\(list)") {
                        #expect(text == base[number]?.text(list), comment)
                    }
                }
            }
            mine = now
            try expectTold(mine, base, context, comment)
        }
        #expect(SeededRandom.isMet(conflicts, seed: seed), "seed \(seed)")
        #expect(SeededRandom.isMet(resolved, seed: seed), "seed \(seed)")
        #expect(SeededRandom.isMet(undone, seed: seed), "seed \(seed)")
    }

    /// What is told are the relationships in which the sides differ.
    private func expectTold(
        _ mine: [Int: PlainPurchase],
        _ base: [Int: PlainPurchase],
        _ context: ModelContext,
        _ comment: Comment
    ) throws {
        var told: [Int: Set<String>] = [:]
        for change in try context.localChanges(of: Purchase.self) {
            guard case .integer(let number) = change.name else { continue }
            told[Int(number)] = Set(change.lists.map(\.name))
        }
        for number in [1, 2] {
            let lists = PlainPurchase.lists.filter {
                mine[number]?.text($0) != base[number]?.text($0)
            }
            #expect(told[number] ?? [] == Set(lists), comment)
        }
    }

    /// Does what a plan says, and undoes it.
    ///
    /// - Returns: one where there was anything to be done.
    private func undo(
        _ document: String,
        _ conflicts: ListConflictPolicy,
        _ mine: [Int: PlainPurchase],
        _ told: [String],
        _ context: ModelContext,
        _ comment: Comment
    ) throws -> Int {
        let data = Data(document.utf8)
        let policy = LocalChangePolicy<Purchase>.merge(conflicts: conflicts)
        let plan = try context.plan([Purchase].self, from: data, as: .json, localChanges: policy)
        if plan.isEmpty { return 0 }
        try context.apply(plan, of: [Purchase].self, from: data, as: .json, localChanges: policy)
        try context.save()
        try plan.undo(in: context)
        try context.save()
        #expect(try same(PlainPurchase.all(context), mine), comment)
        #expect(try same(PlainPurchase.all(ModelContext(context.container)), mine), comment)
        #expect(try context.told(Purchase.self) == told, comment)
        return 1
    }
}
