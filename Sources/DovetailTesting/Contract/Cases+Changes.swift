import Dovetail

extension ContractTrial {
    /// Writes a batch of changes past the contexts, as one transaction.
    func apply<Value: Model>(
        _ verb: WriteVerb,
        _ changes: [RowChange],
        of model: Value.Type,
        to container: ModelContainer
    ) throws -> Commit {
        try container.store.withConnection {
            try $0.apply(ChangeSet([RowBatch(model, verb, changes)]), of: container.schema)
        }
    }

    /// An update of some columns of a value.
    func update<Value: Model>(
        _ columns: ColumnSet,
        to mine: Value,
        from base: Value? = nil,
        skipsMissing: Bool = false
    ) throws -> RowChange {
        try RowChange(
            updating: columns,
            of: EntityBinding(Value.self),
            to: RowImage(of: mine),
            from: base.map { try RowImage(of: $0) },
            skipsMissing: skipsMissing
        )
    }
}

extension StoreContract {
    static let changeCases: [Case] = [
        Case("an update of some columns leaves the others as they are") { trial in
            let container = try trial.container(Seat.self, Player.self)
            let context = ModelContext(container)
            context.insert(Player(1, email: "a", age: 20))
            context.insert(contentsOf: [Seat("a", 1, guest: "ann"), Seat("a", 2)])
            try context.save()
            trial.step("two sides that read the same row: one sets the age, the other the email")
            let base = Player(1, email: "a", age: 20)
            for (columns, mine) in [
                ([4] as ColumnSet, Player(1, email: "a", age: 21)),
                ([3] as ColumnSet, Player(1, email: "b", age: 20)),
            ] {
                let change = try trial.update(columns, to: mine, from: base)
                let commit = try trial.apply(.update, [change], of: Player.self, to: container)
                try trial.expect("conflicts", commit.conflicts, [])
            }
            try trial.expect(
                rows: context.fetch(FetchDescriptor<Player>()),
                [Player(1, email: "b", age: 21)]
            )
            trial.step("a row with a key of two columns, to NULL, with and without a base")
            for (seat, base) in [(Seat("a", 1), Seat("a", 1, guest: "ann")), (Seat("a", 2), nil)] {
                let change = try trial.update([0, 1, 2], to: seat, from: base)
                _ = try trial.apply(.update, [change], of: Seat.self, to: container)
            }
            let order = SortDescriptor(\Seat.number)
            try trial.expect(
                rows: context.fetch(FetchDescriptor(sortBy: [order])),
                [Seat("a", 1), Seat("a", 2)]
            )
        },
        Case("a row that somebody else has changed is left as it is") { trial in
            let context = try trial.threeWords()
            let container = context.container
            let old = ContractTrial.three
            trial.step("update the meanings of b and c, which another side has changed meanwhile")
            context.update([Word(id: "b", meaning: "theirs"), Word(id: "c", meaning: "mine")])
            try context.save()
            let changes = try old.map {
                try trial.update([1], to: Word(id: $0.id, meaning: "mine"), from: $0)
            }
            let commit = try trial.apply(.update, changes, of: Word.self, to: container)
            func conflict(_ id: String, theirs: String) -> ChangeConflict {
                ChangeConflict(
                    table: "Word",
                    verb: .update,
                    key: [.text(id)],
                    columns: [1],
                    base: [.text(id), .text("old \(id)")],
                    mine: [.text(id), .text("mine")],
                    theirs: [.text(id), .text(theirs)]
                )
            }
            // Also where both have set the same: two that add one to a number would add it once.
            try trial.expect(
                "conflicts",
                commit.conflicts,
                [conflict("b", theirs: "theirs"), conflict("c", theirs: "mine")]
            )
            try trial.expect(
                "the meanings",
                trial.words(context).map(\.meaning),
                ["mine", "theirs", "mine"]
            )
            trial.step("delete a and b, where they are what they were")
            let deletions = try old.prefix(2).map {
                let row = try RowImage(of: $0)
                return RowChange(deleting: [.text($0.id)], base: row, comparing: [1])
            }
            let second = try trial.apply(.delete, deletions, of: Word.self, to: container)
            try trial.expect(
                "conflicts",
                second.conflicts.map(\.key),
                [[.text("a")], [.text("b")]]
            )
            trial.step("delete a where its key is what it was")
            let third = try trial.apply(
                .delete,
                [RowChange(deleting: [.text("a")], base: try RowImage(of: old[0]), comparing: [0])],
                of: Word.self,
                to: container
            )
            try trial.expect("conflicts", third.conflicts, [])
            try trial.expect("the keys", trial.words(context).map(\.id), ["b", "c"])
        },
        Case("a row that is gone cannot be updated, and is deleted already") { trial in
            let container = try trial.context(Word.self).container
            let word = Word(id: "x", meaning: "old")
            trial.step("update and delete x, which is not there")
            let change = try trial.update([1], to: Word(id: "x", meaning: "new"), from: word)
            let update = try trial.apply(.update, [change], of: Word.self, to: container)
            try trial.expect("conflicts", update.conflicts.count, 1)
            try trial.expect("a row of theirs", update.conflicts[0].theirs == nil)
            let deletion = RowChange(
                deleting: [.text("x")],
                base: try RowImage(of: word),
                comparing: [1]
            )
            let delete = try trial.apply(.delete, [deletion], of: Word.self, to: container)
            try trial.expect("conflicts", delete.conflicts, [])
            try trial.expectError(.notFound, "Word") {
                let change = try trial.update([1], to: word)
                _ = try trial.apply(.update, [change], of: Word.self, to: container)
            }
            trial.step("update x where it is there")
            let skipping = try trial.update([1], to: word, skipsMissing: true)
            let skipped = try trial.apply(.update, [skipping], of: Word.self, to: container)
            try trial.expect("conflicts", skipped.conflicts, [])
            try trial.expect("the rows", trial.words(ModelContext(container)), [])
        },
        Case("an error names the key of the row that was refused") { trial in
            let context = try trial.threeWords()
            trial.step("insert d and b, update x, delete a row that others refer to")
            context.insert(contentsOf: [
                Word(id: "d", meaning: ""), Word(id: "b", meaning: ""), Word(id: "e", meaning: ""),
            ])
            try trial.expectKeys([[.text("b")]], context)
            context.update(Word(id: "x", meaning: ""))
            try trial.expectKeys([[.text("x")]], context)
            trial.step("a list whose rows were seen by a fetch")
            context.insert(contentsOf: [Word(id: "d", meaning: ""), Word(id: "c", meaning: "")])
            _ = try context.fetch(FetchDescriptor<Word>())
            try trial.expectKeys([[.text("c")]], context)
            try trial.expect(rows: trial.words(context), ContractTrial.three)
        },
        Case("rows that are compared may swap their unique values") { trial in
            let context = try trial.twoClubs()
            let container = context.container
            guard container.store.capabilities.contains(.uniqueSwaps) else { return }
            let swapped = [
                Club(1, "blue", league: "A", rank: 2), Club(2, "red", league: "A", rank: 1),
            ]
            trial.step(
                "update both with the name and the rank of the other, and a third that is gone"
            )
            var changes = try zip(swapped, ContractTrial.two.reversed()).map {
                try trial.update([1, 3], to: $0, from: $1)
            }
            changes.append(try trial.update([1], to: Club(9, "nine"), from: Club(9, "none")))
            let commit = try trial.apply(.update, changes, of: Club.self, to: container)
            try trial.expect("conflicts", commit.conflicts.map(\.key), [[.integer(9)]])
            try trial.expect(rows: trial.clubs(context), swapped)
        },
        Case("changes with a base mean what the columns say, whatever they hold") { trial in
            let container = try trial.container(Specimen.self)
            let context = ModelContext(container)
            let entity = EntityBinding(Specimen.self)
            var stored = Specimen.many(20, using: &trial.random)
            context.insert(contentsOf: stored)
            try context.save()
            for _ in 0..<60 {
                let place = trial.random.below(stored.count)
                let base =
                    trial.random.isOne(in: 2)
                    ? stored[place] : Specimen(place, using: &trial.random)
                let mine = Specimen(place, using: &trial.random)
                let columns = ColumnSet(
                    (1..<entity.attributes.count).filter { _ in trial.random.isOne(in: 4) }
                )
                trial.step("set the columns \(Array(columns)) of \(place)")
                let (old, new, theirs) = try (
                    entity.values(of: RowImage(of: base)), entity.values(of: RowImage(of: mine)),
                    entity.values(of: RowImage(of: stored[place]))
                )
                let changed = columns.filter { theirs[$0] != old[$0] }
                let change = try trial.update(columns, to: mine, from: base)
                let commit = try trial.apply(.update, [change], of: Specimen.self, to: container)
                try trial.expect(
                    "the columns in conflict",
                    commit.conflicts.map { Array($0.columns) },
                    changed.isEmpty ? [] : [changed]
                )
                if changed.isEmpty {
                    let values = theirs.indices.map { columns.contains($0) ? new[$0] : theirs[$0] }
                    stored[place] = try entity.value(of: RowImage(values))
                }
                let found = try context.fetch(Specimen.self, id: place)
                try trial.expect("the row", found, stored[place])
            }
        },
    ]
}

extension ContractTrial {
    /// Expects a save to fail with these keys, and forgets what waited.
    fileprivate func expectKeys(_ keys: [[QueryValue]], _ context: ModelContext) throws {
        do {
            try context.save()
        } catch let error as StoreError {
            try expect("the keys", error.keys, keys)
            try expect(
                "a message without stored data",
                !error.description.contains(keys[0].map { "\($0)" }.joined())
            )
            return context.rollback()
        }
        try expect("an error", false)
    }
}
