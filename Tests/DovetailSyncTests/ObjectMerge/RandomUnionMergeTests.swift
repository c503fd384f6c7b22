import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Random documents with relationships to protocols beside random changes, against a merge of plain values.
@Suite struct RandomUnionMergeTests {
    private func edit(
        _ mine: inout PlainYards,
        in context: ModelContext,
        _ random: inout SeededRandom,
        leaves: Bool = true
    ) throws {
        let before = mine
        mine.change(&random, leaves: leaves)
        for (code, yard) in mine.yards where yard != before.yards[code] {
            let object = try context.yard(code)
            object.title = yard.title
            object.keeper = try yard.keeper.map { try context.keeper($0) }
        }
        for (name, part) in mine.parts where part != before.parts[name] {
            let hauler = try context.hauler(name)
            hauler.load = part.load
            if part.yard != hauler.yard?.code {
                hauler.yard = try part.yard.map { try context.yard($0) }
            }
            if part.host == before.parts[name]?.host { continue }
            for yard in try context.fetch(FetchDescriptor<Yard>()) {
                yard.guests.removeAll { $0 === hauler }
                if yard.code == part.host { yard.guests.append(hauler) }
            }
        }
        try context.save()
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `a merge is that of each row`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        var (mine, base) = (PlainYards(), PlainYards())
        let context = try kind.yards(base.document(&random))
        var conflicts = 0
        for round in 0..<30 {
            let comment: Comment = "round \(round), seed \(seed)"
            for _ in 0..<random.below(6) { try edit(&mine, in: context, &random) }
            #expect(try PlainYards(context) == mine, comment)
            var theirs = base
            for _ in 0..<random.below(6) { theirs.change(&random) }
            let policy = random.pick([ListConflictPolicy.storeWins, .listWins])
            let merged = PlainYardMerge(base, mine, theirs, listWins: policy == .listWins)
            conflicts += merged.conflicts
            (mine, base) = (merged.result, merged.base)
            for _ in 0..<2 {
                let document = theirs.document(&random)
                let result = try context.bring(yards: document, .merge(conflicts: policy))
                #expect(result.added.isEmpty && result.removals.isEmpty, comment)
                #expect(try PlainYards(context) == mine, comment)
                #expect(try PlainYards(ModelContext(context.container)) == mine, comment)
                #expect(try names(context.toldOfYards()) == mine.differences(from: base), comment)
                if try PlainYards(context) != mine { return }
            }
            if random.isOne(in: 3) {
                try context.confirm(context.localChanges(of: Yard.self))
                try context.confirm(context.localChanges(of: Truck.self))
                try context.confirm(context.localChanges(of: Mule.self))
                try context.save()
                #expect(try context.toldOfYards() == [], comment)
                base = mine
            }
        }
        #expect(SeededRandom.isMet(conflicts, seed: seed), "seed \(seed)")
    }

    /// Kept conflicts that are decided for the other side.
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `what is decided for the other side is what that has`(seed: UInt64, kind: StoreKind) throws
    {
        var random = SeededRandom(seed: seed)
        var (mine, base) = (PlainYards(), PlainYards())
        let context = try kind.yards(base.document(&random))
        var resolved = 0
        for round in 0..<30 {
            let comment: Comment = "round \(round), seed \(seed)"
            for _ in 0..<random.below(6) { try edit(&mine, in: context, &random) }
            var theirs = base
            for _ in 0..<random.below(6) { theirs.change(&random) }
            let kept = PlainYardMerge(base, mine, theirs, listWins: false)
            try context.bring(yards: theirs.document(&random), .merge(conflicts: .keep))
            #expect(try PlainYards(context) == kept.result, comment)
            resolved += try context.disputes().count
            try context.resolveAll(taking: .remote)
            mine = PlainYardMerge(base, mine, theirs, listWins: true).result
            base = kept.base
            #expect(try PlainYards(context) == mine, comment)
            #expect(try PlainYards(ModelContext(context.container)) == mine, comment)
            #expect(try names(context.toldOfYards()) == mine.differences(from: base), comment)
            if try PlainYards(context) != mine { return }
        }
        #expect(SeededRandom.isMet(resolved, seed: seed), "seed \(seed)")
    }

    /// Clients that tell a backend what they have changed and take over what it has end up equal to it.
    @Test(arguments: SeededRandom.seeds)
    func `clients end equal in any order`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var backend = PlainYards()
        let clients = try StoreKind.allCases.map { try $0.yards(backend.document(&random)) }
        func synchronize(_ client: ModelContext) throws {
            let policy = random.pick([ListConflictPolicy.storeWins, .listWins])
            try client.bring(yards: backend.document(&random), .merge(conflicts: policy))
            let yards = try client.localChanges(of: Yard.self)
            let trucks = try client.localChanges(of: Truck.self)
            let mules = try client.localChanges(of: Mule.self)
            try backend.take(yards)
            try backend.take(trucks)
            try backend.take(mules)
            try client.confirm(yards)
            try client.confirm(trucks)
            try client.confirm(mules)
            try client.save()
        }
        for round in 0..<40 {
            let client = random.pick(clients)
            var mine = try PlainYards(client)
            for _ in 0..<random.below(4) {
                try edit(&mine, in: client, &random, leaves: false)
            }
            if random.isOne(in: 2) { continue }
            try synchronize(client)
            #expect(try PlainYards(client) == backend, "round \(round), seed \(seed)")
            if try PlainYards(client) != backend { return }
        }
        for _ in 0..<2 { for client in clients { try synchronize(client) } }
        for client in clients {
            #expect(try PlainYards(client) == backend, "seed \(seed)")
            #expect(try client.toldOfYards() == [], "seed \(seed)")
        }
    }

    private func names(_ told: [String]) -> Set<String> {
        Set(told.map { line in String(line.dropFirst().prefix { $0 != " " }) })
    }
}
