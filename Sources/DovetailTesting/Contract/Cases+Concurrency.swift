import Dispatch
import Dovetail

extension StoreContract {
    private static let all = FetchDescriptor<Word>(
        sortBy: [SortDescriptor(\.id, comparator: .lexical)]
    )

    static let concurrencyCases: [Case] = [
        Case("a reader beside a writer sees what was stored before") { trial in
            let container = try trial.threeWords().container
            guard container.store.capabilities.contains(.concurrentReads) else {
                trial.step("read, write and read, one after the other")
                let before = try await container.read { try $0.fetchCount(all) }
                try await container.perform { context in
                    context.insert(Word(id: "d", meaning: ""))
                    try context.save()
                }
                let after = try await container.read { try $0.fetchCount(all) }
                return try trial.expect("rows", [before, after], [3, 4])
            }
            trial.step("save d in a transaction that stays open; read on other threads; end it")
            let hasWritten = DispatchSemaphore(value: 0)
            let mayEnd = DispatchSemaphore(value: 0)
            async let written: Void = container.perform { context in
                try context.transaction {
                    // Also where writing fails, so that nobody waits for it.
                    defer { hasWritten.signal() }
                    context.insert(Word(id: "d", meaning: ""))
                    try context.save()
                    hasWritten.signal()
                    // A reader that waits for the writer is found after five minutes: on a machine
                    // that is busy with other tests the readers may begin late.
                    guard mayEnd.wait(timeout: .now() + 300) == .success else {
                        throw StoreError(.locked, explanation: "a reader waits for the writer")
                    }
                }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    hasWritten.wait()
                    continuation.resume()
                }
            }
            let counts = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<6 {
                    group.addTask { try? await container.read { try $0.fetchCount(all) } }
                }
                group.addTask { try? ModelContext(container).fetchCount(all) }
                return await group.reduce(into: []) { $0.append($1) }
            }
            mayEnd.signal()
            try await written
            try trial.expect("rows", counts, Array(repeating: 3, count: 7))
            let after = try await container.read { try $0.fetchCount(all) }
            try trial.expect("rows afterwards", after, 4)
        },
        Case("all that one read sees is of one state") { trial in
            let container = try trial.threeWords().container
            guard container.store.capabilities.contains(.concurrentReads) else { return }
            trial.step("in a read, count, let another context insert d and delete a, count again")
            let counts = try await container.read { context in
                let before = try context.fetch(all).map(\.id)
                let other = ModelContext(container)
                other.insert(Word(id: "d", meaning: ""))
                other.delete(ContractTrial.three[0])
                try other.save()
                let after = try context.fetch(all).map(\.id)
                return [before, after, try other.fetch(all).map(\.id)]
            }
            try trial.expect(
                "the keys before, after, and for others",
                counts,
                [["a", "b", "c"], ["a", "b", "c"], ["b", "c", "d"]]
            )
        },
        Case("a read saves nothing") { trial in
            let container = try trial.threeWords().container
            trial.step("insert and save in a read")
            do {
                try await container.read { context in
                    context.insert(Word(id: "d", meaning: ""))
                    try context.save()
                }
                try trial.expect("StoreError writeInsideRead", false)
            } catch let error as StoreError {
                try trial.expect("the kind of the error", error.kind, .writeInsideRead)
            }
            try trial.expect(rows: trial.words(ModelContext(container)), ContractTrial.three)
        },
        Case("saves on several threads wait for each other, and none is lost") { trial in
            let container = try trial.container(Word.self)
            trial.step("four tasks insert 10 times two rows, four tasks read meanwhile")
            let odd = try await withThrowingTaskGroup(of: Int.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        for step in 0..<10 {
                            try await container.perform { context in
                                for part in ["first", "second"] {
                                    context.insert(
                                        Word(id: "\(task) \(step) \(part)", meaning: "")
                                    )
                                }
                                try context.save()
                            }
                        }
                        return 0
                    }
                    group.addTask {
                        var odd = 0
                        for _ in 0..<10 {
                            let counts = try await container.read { context in
                                try [context.fetchCount(all), context.fetch(all).count]
                            }
                            if counts[0] != counts[1] || !counts[0].isMultiple(of: 2) { odd += 1 }
                        }
                        return odd
                    }
                }
                return try await group.reduce(0, +)
            }
            try trial.expect("reads that saw a part of a save", odd, 0)
            try trial.expect("rows", ModelContext(container).fetchCount(all), 80)
        },
        Case("a context of another thread waits for a transaction, and then sees it") { trial in
            let container = try trial.container(Club.self)
            trial.step("four threads add 1 to a number, 10 times each, in transactions")
            let context = ModelContext(container)
            context.insert(Club(1, "count", rank: 0))
            try context.save()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 {
                            try await container.perform { context in
                                try context.transaction {
                                    var clubs = try context.fetch(FetchDescriptor<Club>())
                                    clubs[0].rank = (clubs[0].rank ?? 0) + 1
                                    context.update(clubs)
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try trial.expect("the number", trial.clubs(context).map(\.rank), [40])
        },
    ]

    static let interruptionCases: [Case] = [
        Case("a deadline ends what runs, and the next call works") { trial in
            let context = try trial.context(Word.self)
            trial.step("insert 2000 rows")
            context.insert(contentsOf: (0..<2000).map { Word(id: "\($0)", meaning: "x") })
            try context.save()
            let isAble = context.container.store.capabilities.contains(.interruption)
            let isOver = StoreInterruption(deadline: .now - .seconds(1))
            trial.step("after the deadline, fetch all rows, and save 2000 more")
            try StoreInterruption.$current.withValue(isOver) {
                if isAble {
                    try trial.expectError(.deadlineExceeded) { _ = try context.fetch(all) }
                    // One short statement may be done before the store looks at the clock.
                    let late = (0..<2000).map { Word(id: "late \($0)", meaning: "") }
                    context.insert(contentsOf: late)
                    try trial.expectSave(context, .deadlineExceeded)
                } else {
                    try trial.expect("rows", context.fetch(all).count, 2000)
                }
            }
            trial.step("fetch without a deadline")
            try trial.expect("rows", context.fetch(all).count, 2000)
        },
        Case("a save that is cancelled stores nothing, and the next call works") { trial in
            let context = try trial.threeWords()
            let isAble = context.container.store.capabilities.contains(.interruption)
            let interruption = StoreInterruption()
            trial.step("in a transaction, save 100 rows, cancel, save 2000 rows")
            let rows = (0..<2100).map { Word(id: "\($0)", meaning: "") }
            let save = {
                try context.transaction {
                    context.insert(contentsOf: rows[..<100])
                    try context.save()
                    interruption.cancel()
                    context.insert(contentsOf: rows[100...])
                    try context.save()
                }
            }
            try StoreInterruption.$current.withValue(interruption) {
                if isAble {
                    try trial.expectError(.cancelled) { try save() }
                } else {
                    try save()
                }
            }
            try trial.expect("rows", context.fetchCount(all), isAble ? 3 : 2103)
            trial.step("save a row")
            context.insert(Word(id: "next", meaning: ""))
            try context.save()
            try trial.expect("rows", context.fetchCount(all), isAble ? 4 : 2104)
        },
        Case("a call that is cancelled before its turn does nothing") { trial in
            let container = try trial.threeWords().container
            trial.step("cancel a task that saves, before it starts")
            let outcome = await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await container.perform { context in
                    context.insert(Word(id: "d", meaning: ""))
                    try context.save()
                }
            }.result
            do {
                try outcome.get()
                try trial.expect("StoreError cancelled", false)
            } catch let error as StoreError {
                try trial.expect("the kind of the error", error.kind, .cancelled)
            }
            try trial.expect(rows: trial.words(ModelContext(container)), ContractTrial.three)
        },
    ]
}
