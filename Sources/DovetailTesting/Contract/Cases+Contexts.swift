import Dovetail

extension StoreContract {
    static let contextCases: [Case] = [
        Case("a context sees what waits to be saved, others do not") { trial in
            let context = try trial.threeWords()
            let other = ModelContext(context.container)
            trial.step("insert d, update b, delete a, and save nothing")
            context.insert(Word(id: "d", meaning: "new"))
            context.update(Word(id: "b", meaning: "new"))
            context.delete(ContractTrial.three[0])
            let expected = [
                Word(id: "b", meaning: "new"), ContractTrial.three[2],
                Word(id: "d", meaning: "new"),
            ]
            try trial.expect(rows: trial.words(context), expected)
            try trial.expect(rows: trial.words(other), ContractTrial.three)
            let new = FetchDescriptor<Word>(predicate: #Predicate { $0.meaning == "new" })
            try trial.expect("rows that are new", context.fetchCount(new), 2)
            try trial.expect("rows that are new for others", other.fetchCount(new), 0)
            trial.step("save")
            try context.save()
            try trial.expect(rows: trial.words(other), expected)
            try trial.expect("rows that are new for others", other.fetchCount(new), 2)
            trial.step("insert e, and forget it")
            context.insert(Word(id: "e", meaning: ""))
            context.rollback()
            try trial.expect(rows: trial.words(context), expected)
        },
        Case("what waits is filtered, ordered and counted with what is stored") { trial in
            var random = trial.random
            let context = try trial.context(Specimen.self)
            var rows = Specimen.many(60, using: &random)
            trial.step("insert 40 rows and save; then insert 20, update 10, delete 10")
            context.insert(contentsOf: rows[..<40])
            try context.save()
            context.insert(contentsOf: rows[40...])
            for index in 0..<10 {
                rows[index] = Specimen(index, using: &random)
                context.update(rows[index])
            }
            context.delete(rows[10..<20])
            rows.removeSubrange(10..<20)
            for round in 0..<30 {
                let limit: Int? = random.pick([nil, 0, 1, 5, 100])
                let offset: Int? = random.pick([nil, 0, 1, 7, 100])
                let least = Specimen.count(&random)
                let order = [
                    SortDescriptor(\Specimen.count), SortDescriptor(\.id, order: .reverse),
                ]
                trial.step("round \(round): count >= \(least), limit and offset \((limit, offset))")
                var found = FetchDescriptor<Specimen>(
                    predicate: #Predicate { $0.count >= least },
                    sortBy: order
                )
                (found.fetchLimit, found.fetchOffset) = (limit, offset)
                let expected = rows.filter { $0.count >= least }.sorted(using: order)
                    .dropFirst(offset ?? 0).prefix(limit ?? .max)
                try trial.expect(rows: context.fetch(found), Array(expected))
                try trial.expect("count", context.fetchCount(found), expected.count)
                if round == 20 {
                    trial.step("save")
                    try context.save()
                }
            }
        },
        Case("what waits is found by its key and by its unique values") { trial in
            let context = try trial.context(Player.self)
            for number in 0..<40 {
                let email = "\(number % 7)"
                let named = FetchDescriptor<Player>(predicate: #Predicate { $0.email == email })
                trial.step("find \(email), or insert it")
                let isKnown = try context.fetchCount(named) == 1
                try trial.expect("\(email) is found from its second time on", isKnown, number > 6)
                if !isKnown { context.insert(Player(number, email: email)) }
                if number == 3 { try context.save() }
            }
            let third = FetchDescriptor<Player>(predicate: #Predicate { $0.id == 5 })
            try trial.expect("the address of 5", context.fetch(third).map(\.email), ["5"])
        },
        Case("a deletion by a predicate that waits is seen, with the rest of what waits") { trial in
            let context = try trial.threeWords()
            trial.step("insert d, delete where the meaning is old b, insert b again")
            context.insert(Word(id: "d", meaning: "new"))
            try context.delete(model: Word.self, where: #Predicate { $0.meaning == "old b" })
            try trial.expect("keys", trial.keys(context), ["a", "c", "d"])
            context.insert(Word(id: "b", meaning: "again"))
            try trial.expect("keys", trial.keys(context), ["a", "b", "c", "d"])
            try trial.expect("rows", context.fetchCount(FetchDescriptor<Word>()), 4)
            trial.step("forget it")
            context.rollback()
            try trial.expect(rows: trial.words(context), ContractTrial.three)
        },
        Case("two contexts see what the other one has saved") { trial in
            let first = try trial.threeWords()
            let second = ModelContext(first.container)
            trial.step("insert x in one and y in the other, save one, then the other")
            first.insert(Word(id: "x", meaning: ""))
            second.insert(Word(id: "y", meaning: ""))
            try trial.expect("keys of the first", trial.keys(first), ["a", "b", "c", "x"])
            try first.save()
            try trial.expect("keys of the second", trial.keys(second), ["a", "b", "c", "x", "y"])
            try second.save()
            try trial.expect("keys of the first", trial.keys(first), ["a", "b", "c", "x", "y"])
            trial.step("insert z in both, and save both")
            first.insert(Word(id: "z", meaning: "1"))
            second.insert(Word(id: "z", meaning: "2"))
            try first.save()
            try trial.expectSave(second, .uniqueViolation, "Word", "id")
            try trial.expect("the meaning of z", trial.words(second).last?.meaning, "1")
        },
        Case("a fetch keeps its rows while another context saves") { trial in
            let context = try trial.threeWords()
            let other = ModelContext(context.container)
            guard context.container.store.capabilities.contains(.concurrentReads) else { return }
            trial.step("go over the rows, and delete all of them elsewhere after the first one")
            let order = [SortDescriptor(\Word.id, comparator: .lexical)]
            let keys = try context.withRows(of: FetchDescriptor<Word>(sortBy: order)) {
                cursor,
                _ in
                var keys: [String] = []
                while try cursor.next() {
                    if keys.isEmpty {
                        try other.delete(model: Word.self)
                        try other.save()
                    }
                    keys.append(cursor.text(0).map { String(decoding: $0, as: UTF8.self) } ?? "")
                }
                return keys
            }
            try trial.expect("keys", keys, ["a", "b", "c"])
            try trial.expect("keys afterwards", trial.keys(context), [])
        },
        Case("a context does not save while it goes over rows") { trial in
            let context = try trial.threeWords()
            trial.step("save inside of withRows")
            try context.withRows(of: FetchDescriptor<Word>()) { _, _ in
                context.insert(Word(id: "d", meaning: ""))
                try trial.expectSave(context, .writeInsideRead)
            }
            try trial.expect(rows: trial.words(context), ContractTrial.three)
        },
    ]

    static let synchronizeCases: [Case] = [
        Case("synchronize makes the store equal to a list") { trial in
            var random = trial.random
            let context = try trial.context(Specimen.self)
            var stored = Specimen.many(50, using: &random)
            context.insert(contentsOf: stored)
            try context.save()
            for round in 0..<5 {
                var wanted: [Specimen] = []
                for id in 0..<60 where !random.isOne(in: 4) {
                    let old = stored.first { $0.id == id }
                    let keeps = random.isOne(in: 2)
                    wanted.append(keeps ? old ?? Specimen(id) : Specimen(id, using: &random))
                }
                trial.step("round \(round): synchronize with \(wanted.count) rows")
                let changes = try context.synchronize(wanted)
                try context.save()
                let before = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0) })
                let unchanged = wanted.count { before[$0.id] == $0 }
                try trial.expect("unchanged", changes.unchanged, unchanged)
                try trial.expect(
                    "deleted",
                    Set(changes.deleted),
                    Set(before.keys).subtracting(wanted.map(\.id))
                )
                try trial.expect(rows: trial.specimens(context), wanted)
                stored = wanted
            }
            trial.step("synchronize with the same rows")
            try trial.expect("nothing changes", context.synchronize(stored).isEmpty)
        },
        Case("synchronize passes a unique value on from a deleted row") { trial in
            let context = try trial.context(Player.self)
            context.insert(contentsOf: [Player(1, email: "a"), Player(2, email: "b"), Player(3)])
            try context.save()
            let wanted = [Player(2, email: "a"), Player(3), Player(4, email: "b")]
            trial.step("delete 1 (a), give a to 2 (b) and b to a new row 4")
            try context.synchronize(wanted)
            try context.save()
            try trial.expect(rows: trial.players(context), wanted)
        },
        Case("the token of a list of changes is stored with its rows, or refused") { trial in
            let context = try trial.context(Word.self)
            trial.step("synchronize the changes since no token, up to 1")
            try context.synchronize(
                [Word(id: "a", meaning: "1"), Word(id: "b", meaning: "1")],
                scope: .changesSince(nil, next: "1")
            )
            guard context.container.store.capabilities.contains(.changeTokens) else {
                return try trial.expectError(.unsupported) { try context.save() }
            }
            try context.save()
            trial.step("synchronize the changes since 1, up to 2: a is another, b is deleted")
            let delta = SynchronizeScope<Word>.changesSince("1", next: "2", deleted: ["b"])
            try context.synchronize([Word(id: "a", meaning: "2")], scope: delta)
            try context.save()
            try trial.expect("the token", context.changeToken(of: Word.self), "2")
            try trial.expect(rows: trial.words(context), [Word(id: "a", meaning: "2")])
            trial.step("synchronize them again, and erase")
            var reason: SynchronizeError.Reason?
            do {
                try context.synchronize([], scope: delta)
            } catch let error as SynchronizeError {
                reason = error.reason
            }
            try trial.expect("the reason", reason, .otherToken)
            try context.container.erase()
            try trial.expect("the token", context.changeToken(of: Word.self), nil)
        },
        Case("a list is merged with what was changed here, or refused") { trial in
            let context = try trial.context(Specimen.self)
            let stored = (1...3).map { Specimen($0) }
            guard context.container.store.capabilities.contains(.localChanges) else {
                return try trial.expectError(.historyDisabled) {
                    try context.synchronize(stored, localChanges: .merge())
                }
            }
            try context.synchronize(stored, localChanges: .merge())
            try context.save()
            trial.step("change 1, delete 2 and insert 4 here; change 3 in the list")
            var random = trial.random
            let (mine, theirs) = (Specimen(1, using: &random), Specimen(3, using: &random))
            context.update(mine)
            context.delete(stored[1])
            context.insert(Specimen(4))
            try context.save()
            let list = [stored[0], stored[1], theirs]
            try context.synchronize(list, localChanges: .merge())
            try context.save()
            try trial.expect(rows: trial.specimens(context), [mine, theirs, Specimen(4)])
            try trial.expect(
                "the same list changes nothing",
                context.synchronize(list, localChanges: .merge()).isEmpty
            )
            let told = try context.localChanges(of: Specimen.self)
            try trial.expect("changes", told.count, mine == stored[0] ? 2 : 3)
            try context.confirm(told)
            try context.save()
            try trial.expect("changes", context.localChanges(of: Specimen.self).count, 0)
        },
    ]
}
