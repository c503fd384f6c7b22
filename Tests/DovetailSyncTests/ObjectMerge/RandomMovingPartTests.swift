import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Random documents in which named objects move between wholes, and between these and lists outside of them.
@Suite struct RandomMovingPartTests {
    private typealias World = [Int: PlainPurchase]

    /// Puts a parcel somewhere, or nowhere, or changes something else.
    private func change(_ world: inout World, _ random: inout SeededRandom) {
        let number = 1 + random.below(3)
        if random.isOne(in: 8) {
            world[number] = world[number] == nil ? PlainPurchase() : nil
            world[number]?.inside["crates"] = []
            return
        }
        guard world[number] != nil else { return }
        if random.isOne(in: 3) {
            world[number]?.change(number, &random)
            return
        }
        var parcel = PlainPart(.parcel, "p\(random.below(3))")
        for key in world.keys.sorted() {
            guard var purchase = world[key] else { continue }
            func takeOut(_ parcels: inout [PlainPart]) {
                if let known = parcels.first(where: { $0.name == parcel.name }) { parcel = known }
                parcels.removeAll { $0.name == parcel.name }
            }
            takeOut(&purchase.inside["crates", default: []])
            var lines = purchase.inside["lines"] ?? []
            for place in lines.indices { takeOut(&lines[place].inside["parcels", default: []]) }
            purchase.inside["lines"] = lines
            world[key] = purchase
        }
        if random.isOne(in: 2) { parcel.change(&random) }
        let count = world[number]?.inside["lines"]?.count ?? 0
        if random.isOne(in: 5) { return }
        if count == 0 || random.isOne(in: 2) {
            world[number]?.inside["crates", default: []].append(parcel)
        } else {
            let place = random.below(count)
            world[number]?.inside["lines"]?[place].inside["parcels", default: []].append(parcel)
        }
    }

    private func texts(_ world: World) -> [String] {
        world.sorted { $0.key < $1.key }.map { number, one in
            "\(number) \(one.title) "
                + (PlainPurchase.lists + ["crates"]).map { "\(one.text($0))" }
                .joined()
        }
    }

    /// How many objects of each kind are stored, but for those that may be in no list: parcels, and their notes.
    private func counts(_ context: ModelContext) throws -> [Int] {
        let all = try context.countOfParts()
        return [all[0], all[1], all[2], all[5], all[6]]
    }

    /// How many of them are inside of purchases.
    private func counts(_ world: World) -> [Int] {
        let kinds: [PlainPart.Kind] = [.line, .option, .mark, .gift, .card]
        var counts = kinds.map { _ in 0 }
        var waiting = world.values.flatMap { $0.inside.values.joined() }
        while let part = waiting.popLast() {
            if let place = kinds.firstIndex(of: part.kind) { counts[place] += 1 }
            waiting += part.inside.values.joined()
        }
        return counts
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `what was not changed here is what the document has`(seed: UInt64, kind: StoreKind) throws
    {
        var random = SeededRandom(seed: seed)
        var world: World = [:]
        let context = try kind.purchases("[]")
        for round in 0..<30 {
            let comment: Comment = "round \(round), seed \(seed)"
            for _ in 0..<random.below(6) { change(&world, &random) }
            let policy = random.pick([ListConflictPolicy.error, .storeWins, .listWins, .keep])
            let document = PlainPurchase.document(world, &random)
            for _ in 0..<2 {
                try context.bring(purchases: document, .merge(conflicts: policy))
                for context in [context, ModelContext(context.container)] {
                    let now = texts(try PlainPurchase.all(context))
                    if now == texts(world) { continue }
                    Issue.record("\(now), not \(texts(world)), \(comment)")
                    return
                }
            }
            #expect(try counts(context) == counts(world), comment)
            #expect(try context.told(Purchase.self) == [], comment)
            #expect(try context.toldOfParts() == [], comment)
        }
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `nothing is left in no list, and what differs is told`(
        seed: UInt64,
        kind: StoreKind
    ) throws {
        var random = SeededRandom(seed: seed)
        var (world, merged) = (World(), 0)
        let context = try kind.purchases("[]")
        for round in 0..<25 {
            let comment: Comment = "round \(round), seed \(seed)"
            var mine = try PlainPurchase.all(context)
            for _ in 0..<random.below(4) { change(&mine, &random) }
            for (number, one) in mine.sorted(by: { $0.key < $1.key }) {
                let known = try context.fetch(FetchDescriptor<Purchase>())
                let purchase = known.first { $0.number == number } ?? Purchase(number: number)
                context.insert(purchase)
                purchase.crates = try (one.inside["crates"] ?? []).map {
                    try $0.parcel(in: context)
                }
                try one.apply(to: purchase, in: context)
                try context.save()
            }
            for purchase in try context.fetch(FetchDescriptor<Purchase>())
            where mine[purchase.number] == nil { context.delete(purchase) }
            try context.save()
            for parcel in try context.fetch(FetchDescriptor<PurchaseParcel>()) {
                let all = try PlainPurchase.all(context)
                if !texts(all).joined().contains(parcel.code) { context.delete(parcel) }
            }
            try context.save()
            for _ in 0..<random.below(4) { change(&world, &random) }
            let policy = random.pick([ListConflictPolicy.storeWins, .listWins, .keep])
            let document = PlainPurchase.document(world, &random)
            let before = try PlainPurchase.all(context)
            try context.bring(purchases: document, .merge(conflicts: policy))
            if policy == .keep, random.isOne(in: 2) { try context.resolveAll(taking: .remote) }
            let now = try PlainPurchase.all(context)
            if texts(now) != texts(before) { merged += 1 }
            #expect(
                try texts(PlainPurchase.all(ModelContext(context.container))) == texts(now),
                comment
            )
            let (found, wanted) = (try counts(context), counts(now))
            guard found == wanted else {
                Issue.record(
                    "\(found), not \(wanted): \(texts(before)), \(texts(world)), \(texts(now)), \(comment)"
                )
                return
            }
            var told: [Int: Set<String>] = [:]
            for change in try context.localChanges(of: Purchase.self) {
                guard case .integer(let number) = change.name else { continue }
                told[Int(number)] = Set(change.lists.map(\.name))
            }
            for (number, one) in now {
                guard let there = world[number] else { continue }
                let lists = PlainPurchase.lists.filter { one.text($0) != there.text($0) }
                #expect(told[number] ?? [] == Set(lists), comment)
            }
        }
        #expect(SeededRandom.isMet(merged, seed: seed), "seed \(seed)")
    }
}
