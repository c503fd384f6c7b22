import Dovetail

extension ContractTrial {
    /// What a history says of words and players, in few words.
    func lines(_ commits: [HistoryCommit]) -> [String] {
        commits.flatMap { commit in
            commit.changes.map { change in
                let columns = change.verb == .update ? " \(change.changedColumns)" : ""
                return "\(change.verb) \(change.table) \(change.key)\(columns)"
            }
        }
    }

    /// Whether the store keeps a history. Where it does not, its typed error was seen.
    func keepsHistory(_ context: ModelContext) throws -> Bool {
        if context.container.store.capabilities.contains(.history) { return true }
        step("ask for the history")
        try expectError(.historyDisabled) { _ = try context.history(since: 0) }
        try expect("the commit's number", context.lastCommit.number, nil)
        return false
    }
}

extension StoreContract {
    static let historyCases: [Case] = [
        Case("the history tells each change by commit, with its author") { trial in
            let context = try trial.context(Word.self)
            context.author = "ann"
            trial.step("insert a as ann; update it as nobody; delete it")
            context.insert(Word(id: "a", meaning: "1"))
            try context.save()
            guard try trial.keepsHistory(context) else { return }
            let first = context.lastCommit.number
            context.author = nil
            context.update(Word(id: "a", meaning: "2"))
            try context.save()
            context.delete(Word(id: "a", meaning: ""))
            try context.save()
            let commits = try context.history(since: 0)
            let key = "\([QueryValue.text("a")])"
            try trial.expect(
                "changes",
                trial.lines(commits),
                ["insert Word \(key)", #"update Word \#(key) ["meaning"]"#, "delete Word \(key)"]
            )
            try trial.expect("authors", commits.map(\.author), ["ann", nil, nil])
            try trial.expect("the first number", commits.first?.number, first)
            try trial.expect(
                "the numbers rise",
                commits.map(\.number) == commits.map(\.number).sorted()
            )
            try trial.expect("numbers", Set(commits.map(\.number)).count, 3)
            let values = try commits.flatMap(\.changes).map { try $0.value(as: Word.self).meaning }
            try trial.expect("the values new, before and before", values, ["1", "1", "2"])
            trial.step("ask for what came after the first commit")
            let later = try context.history(since: first ?? 0)
            try trial.expect("numbers", later.map(\.number), commits.dropFirst().map(\.number))
            let one = try context.history(since: 0, limit: 1)
            try trial.expect("numbers with a limit of 1", one.map(\.number), [commits[0].number])
        },
        Case("deletions by predicates and by rules are in the history, failures are not") { trial in
            let context = try trial.league()
            guard try trial.keepsHistory(context) else { return }
            let number = context.lastCommit.number ?? 0
            trial.step("fail to insert club 1 again, save what changes nothing, delete club 1")
            context.insert(Club(1, "twice"))
            try? context.save()
            context.rollback()
            context.update(Player(9))
            try context.save()
            try context.delete(model: Club.self, where: #Predicate { $0.name == "red" })
            try context.save()
            let lines = trial.lines(try context.history(since: number))
            func key(_ number: Int64) -> String { "\([QueryValue.integer(number)])" }
            try trial.expect(
                "changes",
                lines.sorted(),
                [
                    "delete Club \(key(1))", "delete Game \(key(1))",
                    #"update Player \#(key(1)) ["team"]"#, #"update Player \#(key(2)) ["team"]"#,
                ]
            )
        },
    ]

    static let persistenceCases: [Case] = [
        Case("each missing capability has its reason") { trial in
            let capabilities = try trial.container(Word.self).store.capabilities
            for capability in StoreCapability.allCases where !capabilities.contains(capability) {
                let reason = capabilities.reason(against: capability) ?? ""
                try trial.expect("\(capability): a reason", !reason.isEmpty)
            }
        },
        Case("stores at two places share nothing") { trial in
            let first = try trial.threeWords()
            let second = try trial.context(Word.self)
            try trial.expect(rows: trial.words(second), [])
            trial.step("insert into another store")
            second.insert(Word(id: "z", meaning: ""))
            try second.save()
            try trial.expect(rows: trial.words(first), ContractTrial.three)
        },
        Case("what was saved is there when the store is opened again") { trial in
            let place = trial.place()
            var random = trial.random
            let specimens = Specimen.many(30, using: &random)
            let models: [any Model.Type] = [Specimen.self, Game.self, Seat.self]
            var isLasting = true
            var lastKey: Int64 = 0
            for _ in 0..<1 {
                trial.step("save rows of six models, leave one unsaved, and close the store")
                let container = try trial.container(models, at: place)
                isLasting = container.store.capabilities.contains(.persistence)
                let context = ModelContext(container)
                context.insert(contentsOf: specimens)
                context.insert(Club(5, "red"))
                context.insert(contentsOf: [Club(nil, "gone"), Club(nil, "gone, too")])
                context.insert(Player(1, team: 5, email: "a"))
                context.insert(Seat("A", 1, guest: "Ann"))
                try context.save()
                lastKey = context.lastCommit.keys(of: Club.self).max() ?? 0
                try context.delete(model: Club.self, where: #Predicate { $0.id != 5 })
                try context.save()
                context.insert(Seat("A", 2))
            }
            trial.step("open it again")
            let context = ModelContext(try trial.container(models, at: place))
            guard isLasting else { return try trial.expect(rows: trial.specimens(context), []) }
            try trial.expect(rows: trial.specimens(context), specimens)
            try trial.expect(rows: trial.clubs(context), [Club(5, "red")])
            try trial.expect(rows: trial.players(context), [Player(1, team: 5, email: "a")])
            try trial.expect(
                rows: context.fetch(FetchDescriptor<Seat>()),
                [Seat("A", 1, guest: "Ann")]
            )
            trial.step("break its rules")
            context.insert(Player(2, email: "a"))
            try trial.expectSave(context, .uniqueViolation, "Player", "email")
            context.insert(Player(2, team: 77))
            try trial.expectSave(context, .foreignKeyViolation, "Player", "team")
            context.insert(Seat("A", 1))
            try trial.expectSave(context, .uniqueViolation, "Seat", "row, number")
            trial.step("insert a club without a key; \(lastKey) was given before")
            context.insert(Club(nil, "new"))
            try context.save()
            let key = context.lastCommit.keys(of: Club.self).first ?? 0
            try trial.expect("key \(key) was not given before", key > lastKey)
        },
        Case("a store that was made for other models is not opened") { trial in
            let place = trial.place()
            for _ in 0..<1 {
                trial.step("save a row of a table, and close the store")
                let container = try trial.container([Shapes.Old.self], at: place)
                guard container.store.capabilities.contains(.persistence) else { return }
                let context = ModelContext(container)
                context.insert(Shapes.Old(id: 1, name: "kept"))
                try context.save()
            }
            trial.step("open it with another model of that table")
            try trial.expectError(.invalidSchema, "Shape") {
                _ = try trial.container([Shapes.New.self], at: place)
            }
            trial.step("open it with the first model")
            let context = ModelContext(try trial.container([Shapes.Old.self], at: place))
            try trial.expect(
                rows: context.fetch(FetchDescriptor<Shapes.Old>()),
                [Shapes.Old(id: 1, name: "kept")]
            )
        },
        Case("a store is opened with more models than before") { trial in
            let place = trial.place()
            for _ in 0..<1 {
                trial.step("save words, and close the store")
                let container = try trial.container([Word.self], at: place)
                guard container.store.capabilities.contains(.persistence) else { return }
                let context = ModelContext(container)
                context.insert(contentsOf: ContractTrial.three)
                try context.save()
            }
            trial.step("open it with seats, too, and then with words alone")
            for models: [any Model.Type] in [[Seat.self, Word.self], [Word.self]] {
                let context = ModelContext(try trial.container(models, at: place))
                try trial.expect(rows: trial.words(context), ContractTrial.three)
                guard models.count > 1 else { continue }
                context.insert(Seat("A", 1))
                try context.save()
            }
            let again = ModelContext(try trial.container([Seat.self], at: place))
            try trial.expect("seats", again.fetchCount(FetchDescriptor<Seat>()), 1)
        },
        Case("a backup holds what was saved, and nothing that came later") { trial in
            let context = try trial.threeWords()
            let copy = trial.place()
            context.insert(Word(id: "d", meaning: "waits"))
            trial.step("back up with a row that waits, then save it")
            let store = context.container.store
            guard store.capabilities.contains(.backup) else {
                return try trial.expectError(.unsupported) { try store.backup(to: copy.url) }
            }
            try store.backup(to: copy.url)
            try context.save()
            trial.step("back up to the same file")
            try trial.expectError(.cannotOpen) { try store.backup(to: copy.url) }
            guard store.capabilities.contains(.persistence) else { return }
            trial.step("open the backup")
            let restored = ModelContext(try trial.container([Word.self], at: copy))
            try trial.expect(rows: trial.words(restored), ContractTrial.three)
        },
        Case("a checkpoint changes nothing") { trial in
            let context = try trial.threeWords()
            trial.step("checkpoint")
            try context.container.store.checkpoint()
            try trial.expect(rows: trial.words(context), ContractTrial.three)
        },
        Case("compacting changes nothing, and erasing leaves no row") { trial in
            let context = try trial.threeWords()
            trial.step("compact")
            try context.container.store.compact()
            try trial.expect(rows: trial.words(context), ContractTrial.three)
            trial.step("erase")
            try context.container.erase()
            try trial.expect(rows: trial.words(context), [])
        },
        Case("a copy into the store holds what the first one holds, and one out of it") { trial in
            let context = try trial.league()
            let container = context.container
            let memory = try ModelContainer(for: Game.self, configurations: MemoryConfiguration())
            trial.step("copy a league into the memory store, and from there to a third store")
            let out = try await container.copy(to: memory)
            let third = try trial.container(Game.self)
            let back = try await memory.copy(to: third)
            try trial.expect("rows", out.tables.map(\.rows).reduce(0, +), 8)
            try trial.expect("both reports", out, back)
            let copied = ModelContext(third)
            try trial.expect(rows: trial.players(copied), trial.players(context))
            try trial.expect(rows: trial.games(copied), trial.games(context))
        },
    ]
}
