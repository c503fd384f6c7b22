import Dovetail
import StoreTestSupport

@testable import DovetailTesting

/// One thing that is done with one of several contexts of a container. The same steps are done with
/// two containers.
indirect enum ContextStep {
    case write(WriteVerb, LeagueRow)
    /// Updates or upserts several players at once, which may swap their addresses.
    case players([Player], adding: Bool)
    /// Deletes players by a predicate.
    case delete(Int)
    case fetchClubs(FetchDescriptor<Club>)
    case fetchPlayers(FetchDescriptor<Player>)
    case fetchGames(FetchDescriptor<Game>)
    case count(FetchDescriptor<Player>)
    case save
    case rollback
    /// Several, which end in an error where `fails`; what throws inside ends it where `isStrict`.
    case transaction([ContextStep], fails: Bool, isStrict: Bool)
    /// What another context reads or is refused meanwhile.
    case other(ContextStep)

    private struct Stop: Error {}

    init(depth: Int, using random: inout SeededRandom) {
        switch Int.random(in: 0..<(depth > 0 ? 23 : 19), using: &random) {
        case 0:
            self = .players(
                (0..<3).map { _ in Player(using: &random) },
                adding: !random.isOne(in: 3)
            )
        case 1...8:
            self = .write(
                random.pick([.insert, .upsert, .upsert, .update, .delete]),
                LeagueRow(using: &random)
            )
        case 9: self = .delete(Int.random(in: 0..<4, using: &random))
        case 10: self = .fetchClubs(Self.clubs(&random))
        case 11, 12: self = .fetchPlayers(Self.players(&random))
        case 13: self = .fetchGames(Self.games(&random))
        case 14: self = .count(Self.players(&random))
        case 15...17: self = .save
        case 18: self = random.isOne(in: 2) ? .rollback : .save
        case 19: self = .other(ContextStep(depth: 0, using: &random))
        default:
            self = .transaction(
                (0..<Int.random(in: 1...5, using: &random)).map { _ in
                    ContextStep(depth: depth - 1, using: &random)
                },
                fails: random.isOne(in: 5),
                isStrict: random.isOne(in: 2)
            )
        }
    }

    /// The number of steps in it.
    var size: Int {
        switch self {
        case .transaction(let inner, _, _): inner.reduce(1) { $0 + $1.size }
        case .other(let inner): inner.size
        default: 1
        }
    }

    private static func clubs(_ random: inout SeededRandom) -> FetchDescriptor<Club> {
        let name = "team \(Int.random(in: 0..<12, using: &random))"
        let league: String? = random.pick([nil, "A", "B"])
        let rank: Int? = random.pick([nil, 1, 2])
        let predicates: [Predicate<Club>?] = [
            nil, #Predicate { $0.name == name },
            #Predicate { $0.league == league && $0.rank == rank },
            #Predicate { $0.name < name || $0.rank != nil },
        ]
        return page(random.pick(predicates), SortDescriptor(\Club.name), &random)
    }

    private static func players(_ random: inout SeededRandom) -> FetchDescriptor<Player> {
        let number = Int.random(in: 0..<30, using: &random)
        let some = [number, number + 1]
        let (email, team, age) = ("p\(number)", Int64(number / 2), 18 + number % 4)
        let predicates: [Predicate<Player>?] = [
            nil, #Predicate { $0.id == number }, #Predicate { $0.email == email },
            #Predicate { $0.team == team }, #Predicate { $0.age == age },
            #Predicate { $0.age > age && $0.captain == nil },
            #Predicate { some.contains($0.id) || ($0.captain ?? 0) > number },
            #Predicate { $0.email?.contains("1") ?? false },
        ]
        var descriptor = page(random.pick(predicates), SortDescriptor(\Player.id), &random)
        if random.isOne(in: 2) { descriptor.sortBy.insert(SortDescriptor(\.age), at: 0) }
        return descriptor
    }

    private static func games(_ random: inout SeededRandom) -> FetchDescriptor<Game> {
        let number = Int64.random(in: 1...14, using: &random)
        let predicates: [Predicate<Game>?] = [nil, #Predicate { $0.home == number }]
        return page(random.pick(predicates), SortDescriptor(\Game.id), &random)
    }

    private static func page<Value>(
        _ predicate: Predicate<Value>?,
        _ order: SortDescriptor<Value>,
        _ random: inout SeededRandom
    ) -> FetchDescriptor<Value> {
        var descriptor = FetchDescriptor(predicate: predicate, sortBy: [order])
        if random.isOne(in: 3) { descriptor.fetchLimit = random.pick([0, 1, 3]) }
        if random.isOne(in: 4) { descriptor.fetchOffset = random.pick([0, 1, 5]) }
        return descriptor
    }

    /// Does it with the context at `index` and writes down what came of it.
    func apply(
        to contexts: [ModelContext],
        _ index: Int,
        _ log: inout [String],
        isStrict: Bool = false
    ) throws {
        let context = contexts[index]
        do {
            switch self {
            case .write(let verb, let row): row.enqueue(verb, in: context)
            case .players(let players, let adding):
                if adding { context.upsert(players) } else { context.update(players) }
            case .delete(let part):
                let age = 18 + part
                try context.delete(
                    model: Player.self,
                    where: #Predicate { $0.age == age && $0.email == nil }
                )
            case .fetchClubs(let descriptor): log.append("\(try context.fetch(descriptor))")
            case .fetchPlayers(let descriptor): log.append("\(try context.fetch(descriptor))")
            case .fetchGames(let descriptor): log.append("\(try context.fetch(descriptor))")
            case .count(let descriptor): log.append("\(try context.fetchCount(descriptor))")
            case .save:
                try context.save()
                log.append("saved \(context.lastCommit.keys(of: Club.self))")
            case .rollback: context.rollback()
            case .transaction(let inner, let fails, let isInnerStrict):
                try context.transaction {
                    for step in inner {
                        try step.apply(to: contexts, index, &log, isStrict: isInnerStrict)
                    }
                    if fails { throw Stop() }
                }
                log.append("ended \(context.lastCommit.keys(of: Club.self))")
            case .other(let step):
                try step.apply(to: contexts, (index + 1) % contexts.count, &log)
            }
        } catch let error as StoreError {
            log.append("\(error.kind) \(error.table ?? "-") \(error.column ?? "-")")
            log.append(error.explanation)
            if isStrict { throw error }
        } catch is Stop {
            log.append("stopped")
            if isStrict { throw Stop() }
        }
    }
}

extension LeagueRow {
    /// Adds the row to what waits in a context.
    func enqueue(_ verb: WriteVerb, in context: ModelContext) {
        func enqueue(_ value: some Model & Identifiable) {
            switch verb {
            case .insert: context.insert(value)
            case .upsert: context.upsert(value)
            case .update: context.update(value)
            case .delete: context.delete(value)
            }
        }
        switch self {
        case .club(let value): enqueue(value)
        case .player(let value): enqueue(value)
        case .game(let value): enqueue(value)
        case .pass(let value): enqueue(value)
        case .draft(let value): enqueue(value)
        }
    }
}
