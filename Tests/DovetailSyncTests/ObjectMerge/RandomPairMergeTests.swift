import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Random documents with lists that lead back to each other beside random changes, against a merge of plain sets.
@Suite struct RandomPairMergeTests {
    /// Some changes made here, each in a save of its own.
    private func edit(
        _ mine: inout PlainGigs,
        _ reborn: inout Set<String>,
        in context: ModelContext,
        _ random: inout SeededRandom
    ) throws {
        for _ in 0..<random.below(7) {
            let before = mine
            mine.change(&random, &reborn)
            try mine.write(over: before, to: context)
        }
    }

    private func changed(_ base: PlainGigs, _ random: inout SeededRandom) -> PlainGigs {
        var theirs = base
        var new: Set<String> = []
        for _ in 0..<random.below(7) { theirs.change(&random, &new) }
        return theirs
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `a merge is that of sets`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = try kind.gigs("[]")
        var (mine, base) = (PlainGigs(), PlainGigs())
        // So that documents have spoken of all lists.
        mine.gigs["a"] = PlainGigs.One()
        try context.bring(gigs: mine.document(&random), .replace)
        base = mine
        for round in 0..<30 {
            let comment: Comment = "round \(round), seed \(seed)"
            var reborn: Set<String> = []
            try edit(&mine, &reborn, in: context, &random)
            #expect(try PlainGigs(context) == mine, comment)
            let theirs = changed(base, &random)
            let merged = PlainGigMerge(base, mine, theirs, reborn: reborn)
            (mine, base) = (merged.result, merged.base)
            for _ in 0..<2 {
                let document = theirs.document(&random)
                try context.bring(gigs: document, .merge(conflicts: .storeWins))
                #expect(try PlainGigs(context) == mine, comment)
                #expect(try PlainGigs(ModelContext(context.container)) == mine, comment)
                let told = try told(context)
                let wanted = mine.differences(from: base)
                #expect(told == wanted, "\(told), \(wanted), round \(round), seed \(seed)")
                if try PlainGigs(context) != mine { return }
            }
            switch random.below(4) {
            case 0:
                try context.confirm(context.localChanges(of: Gig.self))
                try context.save()
                base = mine
            case 1:
                try context.bring(gigs: theirs.document(&random), .replace)
                (mine, base) = (theirs, theirs)
            default: continue
            }
            #expect(try PlainGigs(context) == mine, comment)
            #expect(try told(context) == [], comment)
            #expect(try context.told(GigMark.self) == [], comment)
        }
    }

    /// Clients that tell a backend what they have changed and take over what it has end up equal to it.
    @Test(arguments: SeededRandom.seeds)
    func `clients end equal in any order`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var backend = PlainGigs()
        backend.gigs["a"] = PlainGigs.One()
        let clients = try StoreKind.allCases.flatMap { kind in
            try (0..<2).map { _ in try kind.gigs(backend.document(&random)) }
        }
        func pull(_ client: ModelContext) throws {
            let policy = random.pick([ListConflictPolicy.storeWins, .listWins])
            try client.bring(gigs: backend.document(&random), .merge(conflicts: policy))
        }
        func synchronize(_ client: ModelContext) throws {
            try pull(client)
            let changes = try client.localChanges(of: Gig.self)
            try backend.take(changes)
            try client.confirm(changes)
            try client.save()
            #expect(try told(client) == [], "seed \(seed)")
        }
        for round in 0..<60 {
            let client = random.pick(clients)
            switch random.below(4) {
            case 0: try pull(client)
            case 1:
                try synchronize(client)
                #expect(try PlainGigs(client) == backend, "round \(round), seed \(seed)")
                if try PlainGigs(client) != backend { return }
            default:
                var (mine, reborn) = (try PlainGigs(client), Set<String>())
                try edit(&mine, &reborn, in: client, &random)
            }
        }
        for client in clients { try synchronize(client) }
        for client in clients {
            try pull(client)
            #expect(try PlainGigs(client) == backend, "seed \(seed)")
            #expect(try PlainGigs(ModelContext(client.container)) == backend, "seed \(seed)")
            #expect(try told(client) == [], "seed \(seed)")
        }
    }

    private func told(_ context: ModelContext) throws -> Set<String> {
        Set(try context.told(Gig.self).map { line in String(line.dropFirst().prefix(1)) })
    }
}
