import Dovetail

extension StoreContract {
    static let joinCases: [Case] = [
        Case("rows come with those that they refer to") { trial in
            let context = try trial.context(Club.self, Player.self, Game.self)
            trial.step("insert two clubs, three players, and a game")
            context.insert(contentsOf: [Club(1, "red"), Club(2, "blue")])
            context.insert(contentsOf: [Player(1, team: 2), Player(2), Player(3, team: 2)])
            context.insert(Game(1, home: 1))
            try context.save()
            func teams(_ descriptor: FetchDescriptor<Player>) throws -> [String?] {
                try context.fetch(descriptor, joining: \.team, to: Club.self).map { $1?.name }
            }
            let all = FetchDescriptor<Player>(sortBy: [SortDescriptor(\.id)])
            try trial.expect("teams", teams(all), ["blue", nil, "blue"])
            var last = FetchDescriptor<Player>(sortBy: [SortDescriptor(\.id, order: .reverse)])
            last.fetchLimit = 1
            try trial.expect("the last", teams(last), ["blue"])
            try trial.expect("none", teams(FetchDescriptor(predicate: .false)), [])
            let games: [(Game, Club)] = try context.fetch(Game.self, joining: \.home)
            try trial.expect("homes", games.map { $1.name }, ["red"])

            trial.step("rename blue and insert a player of a new club, which wait")
            context.update(Club(2, "navy"))
            context.insert(Club(3, "green"))
            context.insert(Player(4, team: 3))
            try trial.expect("teams", teams(all), ["navy", nil, "navy", "green"])
            trial.step("delete club 2, so that its players have none")
            context.delete(Club(2, "navy"))
            try trial.expect("teams", teams(all), [nil, nil, nil, "green"])
            trial.step("delete club 1 by a predicate, with its game")
            try context.delete(model: Club.self, where: #Predicate { $0.name == "red" })
            let left: [(Game, Club)] = try context.fetch(Game.self, joining: \.home)
            try trial.expect("games", left.count, 0)
            try trial.expect("teams", teams(all), [nil, nil, nil, "green"])
            try context.save()
            try trial.expect("teams", teams(all), [nil, nil, nil, "green"])
        },
        Case("rows are joined by the bytes of text, and left out where nothing is referred to") {
            trial in
            let context = try trial.context(Word.self)
            let pairs = [
                ("é", "e\u{301}"), ("e\u{301}", "é"), ("a", "b"), ("b", ""),
                (trial.random.kept("c\0d"), "c"),
            ]
            trial.step("insert words whose meanings are the keys of others")
            context.insert(contentsOf: pairs.map { Word(id: $0, meaning: $1) })
            try context.save()
            let found = try context.fetch(Word.self, joining: \.meaning, to: Word.self)
            try trial.expect("their number", found.count, 3)
            for (word, other) in found {
                try trial.expect(
                    "the key",
                    Array(other.id.unicodeScalars),
                    Array(word.meaning.unicodeScalars)
                )
            }
        },
        Case("many rows are joined by many keys, as a loop would") { trial in
            let context = try trial.context(Word.self)
            var random = trial.random
            let words = (0..<3_000).map {
                Word(id: "\($0)", meaning: "\(random.below(4_000))")
            }
            trial.step("insert 3,000 words, some of which refer to nothing")
            context.insert(contentsOf: words)
            try context.save()
            let found = try context.fetch(Word.self, joining: \.meaning, to: Word.self)
            let known = Set(words.map(\.id))
            try trial.expect(
                rows: found.map(\.0).sorted { $0.id < $1.id },
                words.filter { known.contains($0.meaning) }.sorted { $0.id < $1.id }
            )
            try trial.expect("each with its own", found.allSatisfy { $0.meaning == $1.id }, true)
        },
    ]
}
