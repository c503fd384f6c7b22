import Dovetail
import DovetailSync
import DovetailTesting
import StoreTestSupport
import Testing

/// Lists of models whose deleted rows are marked.
@Suite struct MarkSynchronizeTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.stationery())
        try context.synchronize([Sheet(1, "a"), Sheet(2, "b"), Sheet(3, "c")])
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `a list marks what it lacks and brings back what comes again`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let less = try context.synchronize([Sheet(2, "b"), Sheet(3, "d")])
        try context.save()
        #expect("\(less)" == "0 inserted, 1 updated, 1 deleted, 1 unchanged" && less.deleted == [1])
        #expect(try context.sheets(.only) == [Sheet(1, "a")])
        #expect(try context.synchronize([Sheet(2, "b"), Sheet(3, "d")]).isEmpty)
        #expect(!context.hasChanges)
        let back = try context.synchronize([Sheet(1, "d"), Sheet(2, "b")])
        try context.save()
        #expect("\(back)" == "1 inserted, 0 updated, 1 deleted, 1 unchanged")
        #expect(try context.sheets() == [Sheet(1, "d"), Sheet(2, "b")])
        #expect(try context.sheets(.only) == [Sheet(3, "d")])
        try context.synchronize([Sheet]())
        try context.save()
        #expect(try context.sheets(.only).count == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `tombstones mark, and scopes keep the rest`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.synchronize(
            [Sheet(1, "a"), Sheet(2, "b")],
            scope: .changesSince(nil, next: "x")
        )
        try context.save()
        try context.synchronize(
            [Sheet](),
            scope: .changesSince("x", next: "y", deleted: [1, 3, 77])
        )
        try context.save()
        #expect(try context.sheets().map(\.id) == [2])
        try context.synchronize([Sheet(3, "z")], scope: .changesSince("y", next: "z"))
        try context.save()
        #expect(try context.sheets() == [Sheet(2, "b"), Sheet(3, "z")])
        try context.synchronize([Sheet](), scope: .page(after: 2, through: nil))
        try context.save()
        #expect(try context.sheets().map(\.id) == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func `plans and their undo work with marked rows`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(Sheet(3, "c"))
        try context.save()
        let list = [Sheet(2, "B"), Sheet(3, "C")]
        let plan = try context.plan(list)
        #expect(plan.summary == "Sheet: 1 inserted, 1 updated, 1 deleted, 0 kept")
        try context.apply(plan, of: list)
        try context.save()
        #expect(try context.sheets() == list)
        try plan.undo(in: context)
        try context.save()
        #expect(try context.sheets() == [Sheet(1, "a"), Sheet(2, "b")])
        #expect(try context.sheets(.only).map(\.id) == [3])
        // A row that somebody has marked since is no longer what the plan says.
        let next = try context.plan(list)
        let other = ModelContext(context.container)
        other.delete(Sheet(1, "a"))
        try other.save()
        do {
            try context.apply(next, of: list)
            Issue.record("the plan is outdated")
        } catch let error as StoreError {
            #expect(error.kind == .planOutdated && error.keys == [[.integer(1)]])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a backend is told of deletions`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(Sheet(1, "a"))
        context.insert(Sheet(8, "h"))
        try context.save()
        context.delete(Sheet(8, "h"))
        try context.save()
        #expect(try context.localChanges(of: Sheet.self) == [.deleted(1)])
        let merge = LocalChangePolicy<Sheet>.merge(conflicts: .error)
        try context.synchronize(
            [Sheet(1, "a"), Sheet(2, "B"), Sheet(3, "c")],
            localChanges: merge
        )
        try context.save()
        #expect(try context.sheets() == [Sheet(2, "B"), Sheet(3, "c")])
        let changes = try context.localChanges(of: Sheet.self)
        #expect(changes == [.deleted(1)])
        try context.confirm(changes)
        try context.save()
        #expect(try context.localChanges(of: Sheet.self).isEmpty)
        // What comes back is new to it.
        context.insert(Sheet(1, "again"))
        try context.save()
        #expect(try context.localChanges(of: Sheet.self) == [.inserted(Sheet(1, "again"))])
        context.delete(Sheet(1, "again"))
        try context.save()
        try context.purge(Sheet.self)
        try context.save()
        #expect(try context.localChanges(of: Sheet.self).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a list in a stage marks as one in memory`(_ kind: StoreKind) async throws {
        let container = try kind.stationery()
        let all = (0..<25_000).map { Sheet($0, "\($0)") }
        func run(_ values: [Sheet]) async throws -> String {
            let pages = AsyncStream<[Sheet]> { stream in
                for start in stride(from: 0, to: values.count, by: 5000) {
                    stream.yield(Array(values[start..<min(start + 5000, values.count)]))
                }
                stream.finish()
            }
            return "\(try await container.synchronize(Sheet.self, from: pages))"
        }
        #expect(try await run(all) == "25000 inserted, 0 updated, 0 deleted, 0 unchanged")
        let most = all.filter { $0.id % 10 != 0 }
        #expect(try await run(most) == "0 inserted, 0 updated, 2500 deleted, 22500 unchanged")
        #expect(try await run(all) == "2500 inserted, 0 updated, 0 deleted, 22500 unchanged")
        #expect(try await run(all) == "0 inserted, 0 updated, 0 deleted, 25000 unchanged")
        let context = ModelContext(container)
        #expect(try context.fetchCount(FetchDescriptor<Sheet>()) == 25_000)
        #expect(try context.sheets(.only).isEmpty)
    }

    @Test func `the simulation of a backend holds for marked rows`() async throws {
        try await checkSynchronize([
            Plain(id: 1, text: "a"), Plain(id: 1, text: "b"), Plain(id: 2, text: "a"),
            Plain(id: 3, text: "c"),
        ])
    }
}

/// Random deletions, insertions and purges of both stores, beside dictionaries.
@Suite struct RandomMarkTests {
    private struct Oracle {
        var live: [Int: Sheet] = [:]
        var marked: [Int: Sheet] = [:]
    }

    @Test(arguments: SeededRandom.seeds)
    func `both stores hold what dictionaries hold`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let contexts = try StoreKind.allCases.map { ModelContext(try $0.stationery()) }
        var saved = Oracle()
        var checked = 0
        for round in 0..<60 {
            var next = saved
            var fails = false
            for _ in 0..<random.below(6) {
                let id = random.below(8)
                let sheet = Sheet(id, "t\(random.below(6))", size: random.below(3))
                switch random.below(7) {
                case 0, 1:
                    for context in contexts { context.insert(sheet) }
                    if next.live[id] != nil { fails = true }
                    next.live[id] = sheet
                    next.marked[id] = nil
                case 2:
                    for context in contexts { context.upsert(sheet) }
                    next.live[id] = sheet
                    next.marked[id] = nil
                case 3:
                    for context in contexts { context.update(sheet) }
                    if next.live[id] == nil { fails = true } else { next.live[id] = sheet }
                case 4, 5:
                    for context in contexts { context.delete(sheet) }
                    if let old = next.live.removeValue(forKey: id) { next.marked[id] = old }
                default:
                    let size = random.below(3)
                    for context in contexts {
                        try context.delete(
                            model: Sheet.self,
                            where: #Predicate { $0.size == size }
                        )
                    }
                    for (id, old) in next.live where old.size == size {
                        next.live[id] = nil
                        next.marked[id] = old
                    }
                }
                if random.isOne(in: 10) {
                    for context in contexts { try context.purge(Sheet.self) }
                    next.marked = [:]
                }
            }
            let errors = contexts.map { context -> StoreError.Kind? in
                do {
                    try context.save()
                    return nil
                } catch let error as StoreError {
                    context.rollback()
                    return error.kind
                } catch {
                    return .other
                }
            }
            // Of a save with two faults, a store tells the one that it finds first.
            let kinds = Set(errors)
            try #require(
                kinds.count == 1 || kinds == [.notFound, .uniqueViolation],
                "round \(round), seed \(seed)"
            )
            if fails { #expect(errors[0] != nil, "round \(round), seed \(seed)") }
            if errors[0] == nil {
                checked += 1
                saved = next
            }
            for context in contexts {
                let live = saved.live.values.sorted { $0.id < $1.id }
                let marked = saved.marked.values.sorted { $0.id < $1.id }
                try #require(try context.sheets() == live, "round \(round), seed \(seed)")
                try #require(try context.sheets(.only) == marked, "round \(round), seed \(seed)")
                let count = try context.fetchCount(FetchDescriptor<Sheet>())
                try #require(count == live.count, "round \(round), seed \(seed)")
            }
        }
        #expect(checked > 5, "seed \(seed)")
    }
}
