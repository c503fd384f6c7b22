import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Random documents of objects beside random changes, against a merge of plain values.
@Suite struct RandomObjectMergeTests {
    private static let codes = ["a", "b", "c"]
    private static let numbers = 0..<5

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `a merge is that of each row`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = try kind.studios("[]")
        var (mine, base) = (PlainStudios(), PlainStudios())
        for round in 0..<25 {
            let comment: Comment = "round \(round), seed \(seed)"
            var reborn = PlainStudios.Names()
            for _ in 0..<random.below(5) {
                try edit(&mine, &reborn, in: context, &random)
                try context.save()
            }
            #expect(try PlainStudios(context) == mine, comment)
            let theirs = theirs(base, &random)
            let merged = PlainMerge(base, mine, theirs, reborn: reborn)
            try context.bring(theirs.document(&random), .merge(conflicts: .storeWins))
            (mine, base) = (merged.result, merged.base)
            #expect(try PlainStudios(context) == mine, comment)
            #expect(try PlainStudios(ModelContext(context.container)) == mine, comment)
            #expect(try Set(told(context)) == mine.differences(from: base), comment)
            if try PlainStudios(context) != mine { return }
            let again = try context.bring(theirs.document(&random), .merge(conflicts: .storeWins))
            #expect(try PlainStudios(context) == mine, comment)
            #expect(again.removals.isEmpty && again.added.isEmpty, comment)
            if random.isOne(in: 3) {
                try context.confirm(context.localChanges(of: Studio.self))
                try context.confirm(context.localChanges(of: Disc.self))
                try context.save()
                #expect(try told(context) == [], comment)
                base = mine
            }
        }
    }

    /// Kept conflicts, all of which are decided for the other side, make the store equal to it, but for what was
    /// changed here alone.
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `what is decided for the other side is what that has`(seed: UInt64, kind: StoreKind) throws
    {
        var random = SeededRandom(seed: seed)
        let context = try kind.studios("[]")
        var base = PlainStudios()
        var resolved = 0
        for round in 0..<30 {
            let comment: Comment = "round \(round), seed \(seed)"
            var mine = try PlainStudios(context)
            var reborn = PlainStudios.Names()
            for _ in 0..<random.below(5) {
                try edit(&mine, &reborn, in: context, &random)
                try context.save()
            }
            let theirs = theirs(base, &random)
            let document = theirs.document(&random)
            try context.bring(document, .merge(conflicts: .keep))
            #expect(
                try PlainStudios(context) == PlainMerge(base, mine, theirs, reborn: reborn).result,
                comment
            )
            resolved += try context.disputes().count
            try context.resolveAll(taking: .remote)
            // What was in no conflict, or new inside of what was deleted here.
            try context.bring(document, .merge(conflicts: .listWins))
            #expect(try context.disputes() == [], comment)
            let told = try Set(told(context))
            #expect(try PlainStudios(context).differences(from: theirs) == told, comment)
            try context.bring(document, .replace)
            base = theirs
            #expect(try PlainStudios(context) == theirs, comment)
            #expect(try PlainStudios(ModelContext(context.container)) == theirs, comment)
            #expect(try self.told(context) == [], comment)
        }
        #expect(SeededRandom.isMet(resolved, seed: seed), "seed \(seed)")
    }

    /// Clients that tell a backend what they have changed and take over what it has end up equal to it.
    @Test(arguments: SeededRandom.seeds)
    func `clients end equal in any order`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let clients = try StoreKind.allCases.flatMap { kind in
            try (0..<2).map { _ in try kind.studios("[]") }
        }
        var backend = PlainStudios()
        func pull(_ client: ModelContext) throws {
            let policy = random.pick([ListConflictPolicy.storeWins, .listWins])
            try client.bring(backend.document(&random), .merge(conflicts: policy))
        }
        func push(_ client: ModelContext) throws {
            let studios = try client.localChanges(of: Studio.self)
            let discs = try client.localChanges(of: Disc.self)
            try backend.take(studios, discs)
            try client.confirm(studios)
            try client.confirm(discs)
            try client.save()
            #expect(try told(client) == [], "seed \(seed)")
        }
        for round in 0..<60 {
            let client = random.pick(clients)
            switch random.below(4) {
            case 0: try pull(client)
            case 1:
                try pull(client)
                try push(client)
                #expect(try PlainStudios(client) == backend, "round \(round), seed \(seed)")
                if try PlainStudios(client) != backend { return }
            default:
                var mine = try PlainStudios(client)
                var reborn = PlainStudios.Names()
                try edit(&mine, &reborn, in: client, &random)
                try client.save()
            }
        }
        for client in clients {
            try pull(client)
            try push(client)
        }
        for client in clients {
            try pull(client)
            #expect(try PlainStudios(client) == backend, "seed \(seed)")
            #expect(try PlainStudios(ModelContext(client.container)) == backend, "seed \(seed)")
            #expect(try told(client) == [], "seed \(seed)")
        }
    }

    /// The names of what was changed.
    private func told(_ context: ModelContext) throws -> [String] {
        try context.told().map { line in
            String(line.dropFirst().prefix { $0 != " " })
        }
    }

    /// A change of the backend's.
    func theirs(_ base: PlainStudios, _ random: inout SeededRandom) -> PlainStudios {
        var theirs = base
        for _ in 0..<random.below(5) {
            let code = random.pick(Self.codes)
            switch random.below(4) {
            case 0 where random.isOne(in: 2): theirs.remove(studio: code)
            case 0, 1:
                theirs.studios[code, default: .init()].title = random.pick(["A", "B"])
            case 2:
                guard theirs.studios[code] != nil else { continue }
                let partner = theirs.studios.keys.sorted().first { _ in random.isOne(in: 2) }
                theirs.studios[code]?.partner = partner
            default:
                let number = random.below(Self.numbers.count)
                if random.isOne(in: 3) || theirs.studios[code] == nil {
                    theirs.discs[number] = nil
                } else {
                    theirs.discs[number] = .init(
                        title: random.pick(["x", "y"]),
                        studio: code
                    )
                }
            }
        }
        return theirs
    }

    /// A change made here, of objects and of plain values.
    func edit(
        _ mine: inout PlainStudios,
        _ reborn: inout PlainStudios.Names,
        in context: ModelContext,
        _ random: inout SeededRandom
    ) throws {
        let code = random.pick(Self.codes)
        let number = random.below(Self.numbers.count)
        guard mine.studios[code] != nil else {
            let title = random.pick(["A", "B"])
            context.insert(Studio(code, title))
            mine.studios[code] = .init(title: title)
            reborn.studios.insert(code)
            return
        }
        let studio = try context.studio(code)
        switch random.below(5) {
        case 0:
            context.delete(studio)
            mine.remove(studio: code)
        case 1:
            studio.title = random.pick(["A", "B", "C"])
            mine.studios[code]?.title = studio.title
        case 2:
            let partner = mine.studios.keys.sorted().first { _ in random.isOne(in: 2) }
            studio.partner = try partner.map { try context.studio($0) }
            mine.studios[code]?.partner = partner
        case 3 where mine.discs[number] != nil:
            let disc = try context.disc(number)
            if random.isOne(in: 3) {
                context.delete(disc)
                mine.discs[number] = nil
            } else {
                disc.title = random.pick(["x", "y", "z"])
                mine.discs[number]?.title = disc.title
            }
        default:
            if mine.discs[number] == nil {
                context.insert(Disc(number, "x", in: studio))
                mine.discs[number] = .init(title: "x", studio: code)
                reborn.discs.insert(number)
            } else {
                try context.disc(number).studio = studio
                mine.discs[number]?.studio = code
            }
        }
    }
}
