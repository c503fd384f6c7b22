import Dovetail

extension ContractTrial {
    /// All words of a store by their keys, which are compared as bytes.
    func words(_ context: ModelContext) throws -> [Word] {
        let order = SortDescriptor(\Word.id, comparator: .lexical)
        return try context.fetch(FetchDescriptor(sortBy: [order]))
    }

    /// A context of a new store with the words "a", "b" and "c".
    func threeWords() throws -> ModelContext {
        let context = try context(Word.self)
        step("insert the keys a, b and c")
        context.insert(contentsOf: Self.three)
        try context.save()
        return context
    }

    static let three = ["a", "b", "c"].map { Word(id: $0, meaning: "old " + $0) }
}

extension StoreContract {
    static let writingCases: [Case] = [
        Case("an insert needs a new key") { trial in
            let context = try trial.threeWords()
            trial.step("insert b again, after a new key")
            context.insert(contentsOf: [
                Word(id: "d", meaning: "new"), Word(id: "b", meaning: "new"),
            ])
            try trial.expectSave(context, .uniqueViolation, "Word", "id")
            try trial.expect(rows: trial.words(context), ContractTrial.three)
            trial.step("insert one new key twice")
            context.insert(Word(id: "d", meaning: "1"))
            try context.save()
            context.insert(Word(id: "d", meaning: "2"))
            try trial.expectSave(context, .uniqueViolation, "Word", "id")
            try trial.expect("the meaning of d", trial.words(context).last?.meaning, "1")
        },
        Case("an update needs its row") { trial in
            let context = try trial.threeWords()
            trial.step("update b")
            context.update(Word(id: "b", meaning: "new"))
            try context.save()
            var expected = ContractTrial.three
            expected[1].meaning = "new"
            try trial.expect(rows: trial.words(context), expected)
            trial.step("update a, and x, which is not there")
            context.update([Word(id: "a", meaning: "new"), Word(id: "x", meaning: "new")])
            try trial.expectSave(context, .notFound, "Word")
            try trial.expect(rows: trial.words(context), expected)
        },
        Case("an upsert adds a row or replaces it") { trial in
            let context = try trial.threeWords()
            trial.step("upsert b, and d twice")
            context.upsert(["b", "d", "d"].enumerated().map { Word(id: $1, meaning: "\($0)") })
            try context.save()
            try trial.expect(
                "the meanings",
                trial.words(context).map(\.meaning),
                ["old a", "0", "old c", "2"]
            )
        },
        Case("a delete needs the key alone, and no row") { trial in
            let context = try trial.threeWords()
            trial.step("delete b with another meaning, and x, which is not there")
            context.delete([Word(id: "b", meaning: "?"), Word(id: "x", meaning: "?")])
            try context.save()
            try trial.expect(
                rows: trial.words(context),
                ContractTrial.three.filter { $0.id != "b" }
            )
            trial.step("delete all")
            try context.delete(model: Word.self)
            try context.save()
            try trial.expect(rows: trial.words(context), [])
        },
        Case("what a save writes is written in the order of the calls") { trial in
            let context = try trial.threeWords()
            trial.step("delete a and insert it; insert d, update and delete it; delete where b")
            context.delete(ContractTrial.three[0])
            context.insert(Word(id: "a", meaning: "again"))
            context.insert(Word(id: "d", meaning: "1"))
            context.update(Word(id: "d", meaning: "2"))
            context.delete(Word(id: "d", meaning: ""))
            context.update(Word(id: "b", meaning: "gone"))
            try context.delete(model: Word.self, where: #Predicate { $0.meaning == "gone" })
            context.insert(Word(id: "b", meaning: "new"))
            try context.save()
            try trial.expect(
                "the meanings",
                trial.words(context).map(\.meaning),
                ["again", "new", "old c"]
            )
        },
        Case("a save that fails stores nothing, and works when its cause is gone") { trial in
            let context = try trial.threeWords()
            trial.step("insert 300 rows, delete a, and insert b, which is there")
            context.insert(contentsOf: (100..<400).map { Word(id: "\($0)", meaning: "") })
            context.delete(ContractTrial.three[0])
            context.insert(Word(id: "b", meaning: "again"))
            try trial.expectError(.uniqueViolation, "Word", "id") { try context.save() }
            let other = ModelContext(context.container)
            try trial.expect(rows: trial.words(other), ContractTrial.three)
            trial.step("delete b in another context, and save again")
            other.delete(ContractTrial.three[1])
            try other.save()
            try context.save()
            try trial.expect("rows", context.fetchCount(FetchDescriptor<Word>()), 302)
        },
        Case("a key of several columns names a row by all of them") { trial in
            let context = try trial.context(Seat.self)
            let seats = [Seat("A", 1), Seat("A", 2), Seat("B", 1, guest: "Ann")]
            func stored() throws -> [Seat] {
                let order = [SortDescriptor(\Seat.row, comparator: .lexical), .init(\.number)]
                return try context.fetch(FetchDescriptor(sortBy: order))
            }
            trial.step("insert A1, A2 and B1")
            context.insert(contentsOf: seats.reversed())
            try context.save()
            try trial.expect(rows: stored(), seats)
            trial.step("insert A2 again")
            context.insert(Seat("A", 2, guest: "Bob"))
            try trial.expectSave(context, .uniqueViolation, "Seat", "row, number")
            trial.step("update A2, upsert B1 and B2, delete A1")
            context.update(Seat("A", 2, guest: "Bob"))
            context.upsert([Seat("B", 1), Seat("B", 2)])
            context.delete(Seat("A", 1, guest: "nobody"))
            try context.save()
            try trial.expect(
                rows: stored(),
                [Seat("A", 2, guest: "Bob"), Seat("B", 1), Seat("B", 2)]
            )
            trial.step("update B3, which is not there")
            context.update(Seat("B", 3))
            try trial.expectSave(context, .notFound, "Seat")
        },
        Case("a row is found by its key, stored or waiting") { trial in
            let context = try trial.threeWords()
            trial.step("fetch b and x by their keys")
            try trial.expect("b", context.fetch(Word.self, id: "b"), ContractTrial.three[1])
            try trial.expect("x", context.fetch(Word.self, id: "x"), nil)
            trial.step("delete a, update b and insert x, and fetch each before and after the save")
            context.delete(ContractTrial.three[0])
            context.update(Word(id: "b", meaning: "new"))
            context.insert(Word(id: "x", meaning: "é"))
            for _ in 0..<2 {
                try trial.expect("a", context.fetch(Word.self, id: "a"), nil)
                try trial.expect("b", context.fetch(Word.self, id: "b")?.meaning, "new")
                try trial.expect("x", context.fetch(Word.self, id: "x")?.meaning, "é")
                try context.save()
            }
            trial.step("fetch in a transaction that deletes x, and after it")
            try context.transaction {
                context.delete(Word(id: "x", meaning: ""))
                try context.save()
                try trial.expect("x", context.fetch(Word.self, id: "x"), nil)
            }
            try trial.expect("x", context.fetch(Word.self, id: "x"), nil)
            let specimens = try trial.context(Specimen.self)
            trial.step("fetch whole numbers by their keys, the smallest and the largest")
            let keys: [Int] = [.min, 0, .max]
            specimens.insert(contentsOf: keys.map { Specimen($0) })
            try specimens.save()
            for key in keys {
                try trial.expect("\(key)", specimens.fetch(Specimen.self, id: key), Specimen(key))
            }
        },
        Case("keys of text are told apart by their bytes") { trial in
            let context = try trial.context(Word.self)
            let keys = ["", "A", "a", trial.random.kept("a\0"), "e\u{301}", "é"]
            trial.step("insert \(keys)")
            context.insert(contentsOf: keys.map { Word(id: $0, meaning: "\(Array($0.utf8))") })
            try context.save()
            trial.step("delete the composed é, update the other one")
            context.delete(Word(id: "é", meaning: ""))
            context.update(Word(id: "e\u{301}", meaning: "here"))
            try context.save()
            try trial.expect(
                "the keys as bytes",
                trial.words(context).map { Array($0.id.utf8) },
                keys.dropLast().map { Array($0.utf8) }
            )
            try trial.expect("the meaning", trial.words(context).last?.meaning, "here")
        },
    ]
}
