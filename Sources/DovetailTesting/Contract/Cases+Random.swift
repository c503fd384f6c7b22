import Dovetail

/// What the tables of a league have to hold: the plain Swift model of the random history.
private struct PlainLeague: Equatable {
    var clubs: [Int64: Club] = [:]
    var players: [Int: Player] = [:]

    /// Why a save is refused.
    enum Refusal: Error { case unique, missing, reference }

    /// Whether two rows may not be stored together.
    private static func meet(_ left: Club, _ right: Club) -> Bool {
        left.name == right.name
            || left.league != nil && left.rank != nil && left.league == right.league
                && left.rank == right.rank
    }

    mutating func write(_ verb: WriteVerb, _ club: Club) throws {
        guard let id = club.id else { return }
        switch verb {
        case .insert where clubs[id] != nil: throw Refusal.unique
        case .update where clubs[id] == nil: throw Refusal.missing
        case .delete:
            guard clubs.removeValue(forKey: id) != nil else { return }
            for (key, player) in players where player.team == id { players[key]?.team = nil }
            return
        default: break
        }
        if clubs.values.contains(where: { $0.id != id && Self.meet($0, club) }) {
            throw Refusal.unique
        }
        clubs[id] = club
    }

    mutating func write(_ verb: WriteVerb, _ player: Player) throws {
        let id = player.id
        switch verb {
        case .insert where players[id] != nil: throw Refusal.unique
        case .update where players[id] == nil: throw Refusal.missing
        case .delete: return remove(id)
        default: break
        }
        if players.values.contains(where: {
            $0.id != id && $0.email != nil && $0.email == player.email
        }) {
            throw Refusal.unique
        }
        players[id] = player
    }

    /// Removes a player and those whose captain it is.
    mutating func remove(_ id: Int) {
        guard players.removeValue(forKey: id) != nil else { return }
        for player in players.values where player.captain == id { remove(player.id) }
    }

    /// Checks the references, as the end of a save does.
    func checkReferences() throws {
        for player in players.values {
            if let team = player.team, clubs[team] == nil { throw Refusal.reference }
            if let captain = player.captain, players[captain] == nil { throw Refusal.reference }
        }
    }
}

/// A save of a few writes, put to the store and to the plain model.
private struct PlainSave {
    enum Write {
        case club(WriteVerb, Club)
        case player(WriteVerb, Player)
        case players(age: Int)
    }
    var writes: [Write] = []

    init(using random: inout SeededRandom) {
        for _ in 0..<1 + random.below(5) {
            let verb: WriteVerb = random.pick([.insert, .insert, .upsert, .update, .delete])
            switch random.below(8) {
            case 0: writes.append(.players(age: 18 + random.below(4)))
            case 1...3:
                let club = Club(
                    Int64(1 + random.below(10)),
                    "club \(random.below(12))",
                    league: random.pick([nil, "A", "B"]),
                    rank: random.pick([nil, 1, 2, 3])
                )
                writes.append(.club(verb, club))
            default:
                let player = Player(
                    random.below(20),
                    team: random.isOne(in: 2) ? nil : Int64(1 + random.below(11)),
                    captain: random.isOne(in: 2) ? nil : random.below(20),
                    email: random.isOne(in: 2) ? nil : "p\(random.below(20))",
                    age: 18 + random.below(4)
                )
                writes.append(.player(verb, player))
            }
        }
    }

    func apply(to context: ModelContext) throws {
        for write in writes {
            switch write {
            case .club(let verb, let club): Self.write(verb, club, context)
            case .player(let verb, let player): Self.write(verb, player, context)
            case .players(let age):
                try context.delete(model: Player.self, where: #Predicate { $0.age == age })
            }
            // One call at a time, so that rows of one call do not swap values.
            try context.save()
        }
    }

    private static func write<Value: Model & Identifiable>(
        _ verb: WriteVerb,
        _ value: Value,
        _ context: ModelContext
    ) {
        switch verb {
        case .insert: context.insert(value)
        case .upsert: context.upsert(value)
        case .update: context.update(value)
        case .delete: context.delete(value)
        }
    }

    func apply(to league: inout PlainLeague) throws {
        for write in writes {
            switch write {
            case .club(let verb, let club): try league.write(verb, club)
            case .player(let verb, let player): try league.write(verb, player)
            case .players(let age):
                let taken = league.players.values.filter { $0.age == age }.map(\.id)
                for id in taken { league.remove(id) }
            }
        }
    }
}

extension PlainLeague.Refusal {
    var kind: StoreError.Kind {
        switch self {
        case .unique: .uniqueViolation
        case .missing: .notFound
        case .reference: .foreignKeyViolation
        }
    }
}

extension StoreContract {
    static let randomCases: [Case] = [
        Case("a long random history leaves what a plain model leaves") { trial in
            var random = trial.random
            let container = try trial.container(Player.self)
            let contexts = [ModelContext(container), ModelContext(container)]
            var league = PlainLeague()
            for round in 0..<400 {
                let save = PlainSave(using: &random)
                let context = random.pick(contexts)
                let throwsAtEnd = random.isOne(in: 8)
                trial.step("round \(round): \(save.writes)\(throwsAtEnd ? ", then throw" : "")")
                var next = league
                var refusal: PlainLeague.Refusal?
                do {
                    try save.apply(to: &next)
                    if !throwsAtEnd { try next.checkReferences() }
                } catch let error as PlainLeague.Refusal {
                    refusal = error
                }
                if refusal == nil, !throwsAtEnd { league = next }
                do {
                    try context.transaction {
                        try save.apply(to: context)
                        if throwsAtEnd { throw CancellationError() }
                    }
                    try trial.expect("error", refusal?.kind, nil)
                    try trial.expect("no end by an error", !throwsAtEnd)
                } catch let error as StoreError {
                    try trial.expect("the error (\(error))", error.kind, refusal?.kind)
                } catch is CancellationError {
                    try trial.expect("error", refusal?.kind, nil)
                }
                context.rollback()
                let reader = random.pick(contexts)
                try trial.expect(
                    rows: trial.players(reader),
                    league.players.values.sorted { $0.id < $1.id }
                )
                let clubs = try reader.fetch(FetchDescriptor(sortBy: [SortDescriptor(\Club.id)]))
                try trial.expect(
                    rows: clubs,
                    league.clubs.values.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
                )
            }
        }
    ]
}
