import Dovetail

extension ContractTrial {
    /// The keys of the stored words.
    func keys(_ context: ModelContext) throws -> [String] { try words(context).map(\.id) }
}

/// What a case throws to end a transaction.
private struct Stop: Error {}

extension StoreContract {
    static let transactionCases: [Case] = [
        Case("a transaction stores all or nothing") { trial in
            let context = try trial.threeWords()
            trial.step("in a transaction that throws, save d and delete a")
            do {
                try context.transaction {
                    context.insert(Word(id: "d", meaning: ""))
                    try context.save()
                    context.delete(ContractTrial.three[0])
                    try context.save()
                    throw Stop()
                }
            } catch is Stop {}
            try trial.expect("keys", trial.keys(context), ["a", "b", "c"])
            try trial.expect("changes that wait", context.hasChanges, false)
            trial.step("do the same in one that does not throw")
            try context.transaction {
                context.insert(Word(id: "d", meaning: ""))
                try context.save()
                context.delete(ContractTrial.three[0])
            }
            try trial.expect("keys", trial.keys(ModelContext(context.container)), ["b", "c", "d"])
        },
        Case("a failure in the middle of many rows stores none of them") { trial in
            let context = try trial.threeWords()
            var rows = (0..<1000).map { Word(id: "\($0)", meaning: "") }
            rows[500].id = "b"
            trial.step("insert 1000 rows, of which the 501st is there already")
            context.insert(contentsOf: rows)
            try trial.expectSave(context, .uniqueViolation, "Word", "id")
            try trial.expect("keys", trial.keys(context), ["a", "b", "c"])
            trial.step("do so in a transaction that catches the error")
            try context.transaction {
                context.delete(ContractTrial.three[0])
                try context.save()
                context.insert(contentsOf: rows)
                try? context.save()
                context.rollback()
            }
            try trial.expect("keys", trial.keys(context), ["b", "c"])
        },
        Case("an inner transaction can fail alone") { trial in
            let context = try trial.threeWords()
            trial.step("delete a; in an inner one that throws delete b and c; insert d")
            try context.transaction {
                context.delete(ContractTrial.three[0])
                do {
                    try context.transaction {
                        context.delete(ContractTrial.three[1])
                        try context.transaction { context.delete(ContractTrial.three[2]) }
                        try trial.expect("keys inside", trial.keys(context), [])
                        throw Stop()
                    }
                } catch is Stop {}
                try trial.expect("keys after it", trial.keys(context), ["b", "c"])
                context.insert(Word(id: "d", meaning: ""))
            }
            try trial.expect("keys", trial.keys(context), ["b", "c", "d"])
        },
        Case("nothing of an inner transaction is stored when the outer one throws") { trial in
            let context = try trial.threeWords()
            trial.step("delete a in an inner transaction, then throw in the outer one")
            do {
                try context.transaction {
                    try context.transaction { context.delete(ContractTrial.three[0]) }
                    throw Stop()
                }
            } catch is Stop {}
            try trial.expect("keys", trial.keys(context), ["a", "b", "c"])
        },
        Case("a transaction that is not kept is undone") { trial in
            let context = try trial.threeWords()
            let container = context.container
            let entity = try container.schema.entity(Word.self)
            trial.step("delete all in a transaction with keeping: false")
            let counts = try container.store.withConnection { connection in
                try connection.transaction(keeping: false) {
                    let deleted = try connection.delete(Query(entity))
                    return [deleted, try connection.count(of: Query(entity))]
                }
            }
            try trial.expect("deleted, then left inside", counts, [3, 0])
            try trial.expect("keys", trial.keys(context), ["a", "b", "c"])
            trial.step("do so inside of a transaction that is kept")
            try container.store.withConnection { connection in
                try connection.transaction(keeping: true) {
                    let b = QueryExpression.equal(
                        .attribute(0, isOptional: false),
                        .value(.text("b"))
                    )
                    _ = try connection.delete(Query(entity, filter: b))
                    try connection.transaction(keeping: false) {
                        _ = try connection.delete(Query(entity))
                    }
                }
            }
            try trial.expect("keys", trial.keys(context), ["a", "c"])
        },
        Case("a write without a transaction is one of its own") { trial in
            let context = try trial.threeWords()
            let entity = try context.container.schema.entity(Word.self)
            trial.step("write d, and then a again, on a connection")
            try trial.expectError(.uniqueViolation, "Word", "id") {
                try context.container.store.withConnection { connection in
                    let writer = try connection.writer(.insert, into: entity)
                    try ModelWriter.writeRows(
                        [Word(id: "d", meaning: ""), ContractTrial.three[0]],
                        to: writer
                    ) { _ in try writer.finishRow() }
                }
            }
            try trial.expect("keys", trial.keys(context), ["a", "b", "c", "d"])
        },
        Case("a transaction reads what it wrote") { trial in
            let context = try trial.threeWords()
            trial.step("in a transaction, save, fetch and count")
            try context.transaction {
                context.update(Word(id: "b", meaning: "new"))
                try context.save()
                let new = FetchDescriptor<Word>(predicate: #Predicate { $0.meaning == "new" })
                try trial.expect("found", context.fetch(new).map(\.id), ["b"])
                try context.delete(model: Word.self, where: #Predicate { $0.meaning == "new" })
                try context.save()
                try trial.expect("found", context.fetchCount(new), 0)
                try trial.expect("keys", trial.keys(context), ["a", "c"])
            }
        },
        Case("another context sees nothing of a transaction that is open") { trial in
            let context = try trial.threeWords()
            let other = ModelContext(context.container)
            guard context.container.store.capabilities.contains(.concurrentReads) else { return }
            trial.step("in a transaction delete a and save, and look with another context")
            try context.transaction {
                context.delete(ContractTrial.three[0])
                try context.save()
                try trial.expect("keys inside", trial.keys(context), ["b", "c"])
                try trial.expect("keys for others", trial.keys(other), ["a", "b", "c"])
                other.insert(Word(id: "d", meaning: ""))
                try trial.expectSave(other, .wouldDeadlock)
            }
            try trial.expect("keys for others afterwards", trial.keys(other), ["b", "c"])
        },
    ]
}
