import Dovetail

extension ContractTrial {
    func players(_ context: ModelContext) throws -> [Player] {
        try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.id)]))
    }

    func games(_ context: ModelContext) throws -> [Game] {
        try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.id)]))
    }

    /// A context of a new store: club 1 with the players 1 to 3, of which each is the captain of the
    /// next, player 9 without a club, club 2, and a game of each club.
    func league() throws -> ModelContext {
        let context = try context(Game.self)
        step("insert two clubs, four players and two games")
        context.insert(contentsOf: [Game(1, home: 1, worst: 77), Game(2, home: 2, best: 9)])
        context.insert(contentsOf: [
            Player(1, team: 1), Player(2, team: 1, captain: 1), Player(3, captain: 2), Player(9),
        ])
        context.insert(contentsOf: [Club(1, "red"), Club(2, "blue")])
        try context.save()
        return context
    }
}

extension StoreContract {
    static let referenceCases: [Case] = [
        Case("a reference to a row that is not there is refused at the end of the save") { trial in
            let context = try trial.context(Player.self)
            trial.step("insert a player of club 7, which is not there")
            context.insert(Player(1, team: 7))
            try trial.expectSave(context, .foreignKeyViolation, "Player", "team")
            trial.step("insert the same player, and the club after it")
            context.insert(Player(1, team: 7))
            context.insert(Club(7, "late"))
            try context.save()
            trial.step("update the player to a captain that is not there")
            context.update(Player(1, team: 7, captain: 5))
            try trial.expectSave(context, .foreignKeyViolation, "Player", "captain")
            try trial.expect(rows: trial.players(context), [Player(1, team: 7)])
            trial.step("insert a player who is its own captain")
            context.insert(Player(2, captain: 2))
            try context.save()
        },
        Case("a reference is checked at the end of the outermost transaction") { trial in
            let context = try trial.context(Player.self)
            trial.step("save a player in an inner transaction, then its club in the outer one")
            try context.transaction {
                try context.transaction { context.insert(Player(1, team: 7)) }
                context.insert(Club(7, "late"))
            }
            try trial.expect(rows: trial.players(context), [Player(1, team: 7)])
            trial.step("do so without the club")
            try trial.expectError(.foreignKeyViolation, "Player", "team") {
                try context.transaction {
                    context.insert(Club(nil, "lost"))
                    try context.save()
                    try context.transaction { context.insert(Player(2, team: 80)) }
                }
            }
            context.rollback()
            try trial.expect("clubs", trial.clubs(context).map(\.name), ["late"])
            try trial.expect(rows: trial.players(context), [Player(1, team: 7)])
        },
        Case("cascade deletes the rows that refer to a row, one after the other") { trial in
            let context = try trial.league()
            trial.step("delete player 1, the captain of 2, the captain of 3")
            context.delete(Player(1))
            try context.save()
            try trial.expect(rows: trial.players(context), [Player(9)])
            trial.step("delete club 1, which has a game")
            context.delete(Club(1, ""))
            try context.save()
            try trial.expect(rows: trial.games(context), [Game(2, home: 2, best: 9)])
        },
        Case("nullify sets the references to a row to nil") { trial in
            let context = try trial.league()
            trial.step("delete club 1 by a predicate")
            try context.delete(model: Club.self, where: #Predicate { $0.name == "red" })
            try context.save()
            try trial.expect(
                rows: trial.players(context),
                [Player(1), Player(2, captain: 1), Player(3, captain: 2), Player(9)]
            )
        },
        Case("deny keeps a row that others refer to, until they go too") { trial in
            let context = try trial.league()
            trial.step("delete player 9, the best of game 2")
            context.delete(Player(9))
            try trial.expectSave(context, .foreignKeyViolation, "Game", "best")
            try context.delete(model: Player.self, where: #Predicate { $0.id == 9 })
            try trial.expectSave(context, .foreignKeyViolation, "Game", "best")
            try trial.expect("players", trial.players(context).count, 4)
            trial.step("delete player 9, then its game")
            context.delete(Player(9))
            context.delete(Game(2, home: 0))
            try context.save()
            try trial.expect("players", trial.players(context).map(\.id), [1, 2, 3])
        },
        Case("noAction leaves a reference as it is") { trial in
            let context = try trial.league()
            trial.step("update game 1: the worst player is 9; delete game 2 and player 9")
            context.update(Game(1, home: 1, worst: 9))
            context.delete(Game(2, home: 2))
            context.delete(Player(9))
            try context.save()
            try trial.expect(rows: trial.games(context), [Game(1, home: 1, worst: 9)])
        },
        Case("what delete rules will do is seen before it is saved") { trial in
            let context = try trial.league()
            trial.step("delete club 1, and look before it is saved")
            context.insert(Player(10, team: 1))
            context.delete(Club(1, ""))
            try trial.expect("teams", trial.players(context).compactMap(\.team), [])
            try trial.expect("games", trial.games(context).map(\.id), [2])
            context.rollback()
            try trial.expect("teams", trial.players(context).compactMap(\.team), [1, 1])
            try trial.expect("games", trial.games(context).map(\.id), [1, 2])
        },
        Case("an upsert keeps the rows that refer to its row") { trial in
            let context = try trial.league()
            trial.step("upsert club 1 with another name")
            context.upsert(Club(1, "crimson"))
            try context.save()
            try trial.expect("teams", trial.players(context).compactMap(\.team), [1, 1])
            try trial.expect("games", trial.games(context).map(\.id), [1, 2])
        },
    ]
}
