import Dovetail

extension ContractTrial {
    func clubs(_ context: ModelContext) throws -> [Club] {
        let order = SortDescriptor(\Club.name, comparator: .lexical)
        return try context.fetch(FetchDescriptor(sortBy: [order]))
    }

    /// A context of a new store with two clubs of one league.
    func twoClubs() throws -> ModelContext {
        let context = try context(Club.self)
        step("insert the clubs red (A, 1) and blue (A, 2)")
        context.insert(contentsOf: Self.two)
        try context.save()
        return context
    }

    /// In the order of their names.
    static let two = [
        Club(2, "blue", league: "A", rank: 2), Club(1, "red", league: "A", rank: 1),
    ]
}

extension StoreContract {
    static let constraintCases: [Case] = [
        Case("a unique column holds each value once, and nil often") { trial in
            let context = try trial.context(Player.self)
            trial.step("insert a player with an address, and two without")
            context.insert(contentsOf: [Player(1, email: "a"), Player(2), Player(3)])
            try context.save()
            trial.step("insert another one with the address")
            context.insert(Player(4, email: "a"))
            try trial.expectSave(context, .uniqueViolation, "Player", "email")
            trial.step("update and upsert another one to have it")
            context.update(Player(2, email: "a"))
            try trial.expectSave(context, .uniqueViolation, "Player", "email")
            context.upsert(Player(2, email: "a"))
            try trial.expectSave(context, .uniqueViolation, "Player", "email")
            trial.step("update the one that has it; pass it on after a deletion")
            context.update(Player(1, email: "a", age: 30))
            try context.save()
            context.delete(Player(1))
            context.insert(Player(5, email: "a"))
            try context.save()
            trial.step("insert e with an accent in its two forms")
            context.insert(contentsOf: [Player(6, email: "é"), Player(7, email: "e\u{301}")])
            try context.save()
            try trial.expect("rows", context.fetchCount(FetchDescriptor<Player>()), 5)
        },
        Case("a unique group holds each combination once, and nil often") { trial in
            let context = try trial.twoClubs()
            trial.step("insert (A, nil) twice, (nil, 1) and (B, 1)")
            context.insert(contentsOf: [
                Club(nil, "c", league: "A"), Club(nil, "d", league: "A"), Club(nil, "e", rank: 1),
                Club(nil, "f", league: "B", rank: 1),
            ])
            try context.save()
            trial.step("insert (A, 2)")
            context.insert(Club(nil, "g", league: "A", rank: 2))
            try trial.expectSave(context, .uniqueViolation, "Club", "league, rank")
            trial.step("upsert the key of red as (A, 2)")
            context.upsert(Club(1, "red", league: "A", rank: 2))
            try trial.expectSave(context, .uniqueViolation, "Club", "league, rank")
            try trial.expect("rows", trial.clubs(context).count, 6)
        },
        Case("a required column refuses NULL") { trial in
            let container = try trial.container(Word.self)
            let entity = try container.schema.entity(Word.self)
            trial.step("write a row with NULL in the column meaning")
            try trial.expectError(.notNullViolation, "Word", "meaning") {
                try container.store.withConnection { connection in
                    try connection.transaction(keeping: true) {
                        let writer = try connection.writer(.insert, into: entity)
                        try QueryValue.text("a").set(0, of: writer)
                        try writer.setNull(1)
                        try writer.finishRow()
                        try writer.finish()
                    }
                }
            }
            try trial.expect(rows: trial.words(ModelContext(container)), [])
        },
        Case("rows of one save swap their unique values") { trial in
            let context = try trial.twoClubs()
            let swapped = [
                Club(1, "blue", league: "A", rank: 2), Club(2, "red", league: "A", rank: 1),
            ]
            trial.step("update both with the name and the rank of the other")
            context.update(swapped)
            guard context.container.store.capabilities.contains(.uniqueSwaps) else {
                try trial.expectSave(context, .uniqueViolation, "Club")
                return try trial.expect(rows: trial.clubs(context), ContractTrial.two)
            }
            try context.save()
            try trial.expect(rows: trial.clubs(context), swapped)
            trial.step("upsert both as they were, and a third one")
            context.upsert(ContractTrial.two + [Club(nil, "sky")])
            try context.save()
            try trial.expect(rows: Array(trial.clubs(context).prefix(2)), ContractTrial.two)
            trial.step("update both to the rank of a third club")
            context.insert(Club(nil, "tan", league: "A", rank: 3))
            try context.save()
            context.update([
                Club(1, "red", league: "A", rank: 3), Club(2, "blue", league: "A", rank: 1),
            ])
            try trial.expectSave(context, .uniqueViolation, "Club", "league, rank")
            try trial.expect(rows: Array(trial.clubs(context).prefix(2)), ContractTrial.two)
        },
        Case("a model that the store was made without is refused") { trial in
            let container = try trial.container(Word.self)
            let other = EntityBinding(Seat.self)
            trial.step("count, query, delete and write rows of a table that is not there")
            try container.store.withConnection { connection in
                let uses: [() throws -> Void] = [
                    { _ = try connection.count(of: Query(other)) },
                    {
                        let cursor = try connection.rows(of: Query(other))
                        defer { cursor.close() }
                        _ = try cursor.next()
                    },
                    { _ = try connection.delete(Query(other)) },
                    {
                        let writer = try connection.writer(.insert, into: other)
                        try ModelWriter.writeRows(CollectionOfOne(Seat("A", 1)), to: writer) { _ in
                            try writer.finishRow()
                        }
                    },
                ]
                for (index, use) in uses.enumerated() {
                    do {
                        try use()
                        try trial.expect("a StoreError for use \(index)", false)
                    } catch is StoreError {}
                }
            }
        },
    ]

    static let generatedKeyCases: [Case] = [
        Case("generated keys are told in the order of the values") { trial in
            let context = try trial.context(Club.self)
            trial.step("insert a without a key, b with 10, c without")
            context.insert(contentsOf: [Club(nil, "a"), Club(10, "b"), Club(nil, "c")])
            try context.save()
            var keys = context.lastCommit.keys(of: Club.self)
            try trial.expect("keys", keys.count, 3)
            try trial.expect("the key of b", keys[1], 10)
            try trial.expect("the keys differ", Set(keys).count == 3)
            try trial.expect("the stored keys", trial.clubs(context).map(\.id), keys)
            trial.step("upsert b, and d without a key")
            context.upsert([Club(10, "B"), Club(nil, "d")])
            try context.save()
            let more = context.lastCommit.keys(of: Club.self)
            try trial.expect("keys of the upserts", more.count, 2)
            try trial.expect("the key of b", more[0], 10)
            keys.append(more[1])
            try trial.expect("the keys differ", Set(keys).count == 4)
            try trial.expect("keys of another model", context.lastCommit.keys(of: Word.self), [])
            trial.step("save an update")
            context.update(Club(10, "b"))
            try context.save()
            try trial.expect("keys", context.lastCommit.keys(of: Club.self), [])
        },
        Case("a generated key is never given twice") { trial in
            let context = try trial.context(Club.self)
            var given: Set<Int64> = []
            for round in 0..<5 {
                trial.step("insert three clubs, delete all of them")
                context.insert(contentsOf: (0..<3).map { Club(nil, "\(round) \($0)") })
                try context.save()
                for key in context.lastCommit.keys(of: Club.self) {
                    try trial.expect("key \(key) is new", given.insert(key).inserted)
                }
                try context.delete(model: Club.self)
                try context.save()
            }
            let largest = (given.max() ?? 0) + 100
            trial.step("insert the key \(largest), delete it, insert another club")
            context.insert(Club(largest, "large"))
            try context.save()
            context.delete(Club(largest, "large"))
            try context.save()
            context.insert(Club(nil, "after"))
            try context.save()
            let key = context.lastCommit.keys(of: Club.self)
            try trial.expect("the key after \(largest) is another one", key != [largest])
        },
        Case("a transaction tells the keys of what it stored") { trial in
            let context = try trial.context(Club.self)
            trial.step("save a, save b in an inner transaction, lose one in another, add c")
            try context.transaction {
                context.insert(Club(nil, "a"))
                try context.save()
                try context.transaction { context.insert(Club(nil, "b")) }
                try? context.transaction {
                    context.insert(Club(nil, "lost"))
                    try context.save()
                    throw CancellationError()
                }
                context.insert(Club(nil, "c"))
            }
            let stored = try trial.clubs(context)
            try trial.expect("names", stored.map(\.name), ["a", "b", "c"])
            try trial.expect(
                "keys",
                context.lastCommit.keys(of: Club.self).map { Optional($0) },
                stored.map(\.id)
            )
        },
    ]
}
