import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// Plans of documents that are merged with what was changed here.
@Suite struct MergePlanTests {
    private let first = """
        [{"code":"a","title":"A","discs":[{"number":1,"title":"x"},{"number":2,"title":"y"}]},
         {"code":"b","title":"B","partner_code":"a","discs":[{"number":3,"title":"z"}]}]
        """
    private let second = Data(
        """
        [{"code":"a","title":"A2","city":"Rome","discs":[{"number":1,"title":"x2"}]},
         {"code":"c","title":"C","discs":[{"number":3,"title":"z"}]}]
        """.utf8
    )

    /// With changes made here.
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = try kind.studios(first)
        try context.studio("a").title = "mine"
        try context.disc(3).title = "mine"
        context.insert(Disc(9, "new", in: try context.studio("a")))
        try context.save()
        return context
    }

    /// Whatever the order of sets is.
    @Test(arguments: StoreKind.allCases)
    func `two plans of one document are equal`(_ kind: StoreKind) throws {
        let discs = (0..<10).map { #"{"number":\#($0),"title":"x"}"# }.joined(separator: ",")
        for policy in [ListConflictPolicy.storeWins, .listWins] {
            let context = try kind.studios(#"[{"code":"a","title":"A","discs":[\#(discs)]}]"#)
            for number in 0..<10 { try context.disc(number).title = "mine" }
            try context.save()
            let document = Data("[]".utf8)
            let changes = LocalChangePolicy<Studio>.merge(conflicts: policy)
            let plans = try (0..<5).map { _ in
                try context.plan([Studio].self, from: document, as: .json, localChanges: changes)
            }
            #expect(plans.allSatisfy { $0 == plans[0] })
            try context.apply(
                plans[0],
                of: [Studio].self,
                from: document,
                as: .json,
                localChanges: changes
            )
            try context.save()
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan says what a merge does, and applying does it`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let before = (try context.studioLines(), try context.told())
        let policy = LocalChangePolicy<Studio>.merge(conflicts: .storeWins)
        let plan = try context.plan([Studio].self, from: second, as: .json, localChanges: policy)
        #expect(!context.hasChanges)
        #expect(
            "\(plan)" == """
                Studio: 1 inserted, 1 updated, 1 deleted, 0 kept
                + c
                ~ a: city, discs
                - b
                Disc: 0 inserted, 1 updated, 1 deleted, 1 kept
                ~ 1: title
                - 2
                """,
            "\(plan)"
        )
        let coded = try JSONDecoder().decode(
            SynchronizePlan.self,
            from: JSONEncoder().encode(plan)
        )
        let result = try context.apply(
            coded,
            of: [Studio].self,
            from: second,
            as: .json,
            localChanges: policy
        )
        try context.save()
        #expect("\(result)" == "1 added, 1 updated, 1 removed, 0 unchanged")
        #expect(try context.studioLines() == ["a mine Rome [1x2 9new]", "c C - [3mine]"])
        #expect(
            try context.told() == [#"~a {"title":"mine"}"#, "+9", #"~3 {"title":"mine"}"#]
        )
        let again = try context.plan([Studio].self, from: second, as: .json, localChanges: policy)
        #expect(again.isEmpty, "\(again)")
        // What was changed here before it is so again.
        try coded.undo(in: context)
        try context.save()
        #expect(try context.studioLines() == before.0)
        #expect(try context.told() == before.1)
        #expect(try ModelContext(context.container).studioLines() == before.0)
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan is refused where something else would happen by now`(_ kind: StoreKind) throws {
        let context = try context(kind)
        func plan(_ policy: LocalChangePolicy<Studio>) throws -> SynchronizePlan {
            try context.plan([Studio].self, from: second, as: .json, localChanges: policy)
        }
        func apply(_ plan: SynchronizePlan, _ policy: LocalChangePolicy<Studio>) throws {
            try context.apply(
                plan,
                of: [Studio].self,
                from: second,
                as: .json,
                localChanges: policy
            )
        }
        // Conflicts that are errors are those of the merge.
        let conflict = #expect(throws: SynchronizeError.self) { _ = try plan(.merge()) }
        #expect(conflict?.reason == .conflict && conflict?.conflicts.count == 1)
        let kept = try plan(.merge(conflicts: .keep))
        let other = try plan(.merge(conflicts: .listWins))
        #expect(kept != other)
        #expect(try kept == plan(.merge(conflicts: .storeWins)))
        let outdated = #expect(throws: StoreError.self) {
            try apply(kept, .merge(conflicts: .listWins))
        }
        #expect(outdated?.kind == .planOutdated)
        try context.disc(1).title = "mine"
        try context.save()
        #expect(throws: StoreError.self) { try apply(kept, .merge(conflicts: .keep)) }
        #expect(!context.hasChanges)
        try apply(plan(.merge(conflicts: .keep)), .merge(conflicts: .keep))
        try context.save()
        #expect(try context.disputes() == ["Disc.title", "Studio.title"])
        // A limit counts what the merge deletes.
        let fresh = try kind.studios(first)
        try fresh.studio("a").title = "mine"
        try fresh.save()
        let error = #expect(throws: SynchronizeError.self) {
            try fresh.plan(
                [Studio].self,
                from: Data("[]".utf8),
                as: .json,
                deletionLimit: 0.2,
                localChanges: .merge(conflicts: .storeWins)
            )
        }
        #expect(error?.plan?.deleted.map(\.key) == [[.text("b")]])
        try context.studio("a").city = "waits"
        #expect(throws: StoreError.self) { _ = try plan(.merge(conflicts: .keep)) }
    }

    @Test(arguments: StoreKind.allCases)
    func `pairs, and relationships to protocols`(_ kind: StoreKind) throws {
        let gigs = try kind.gigs(#"[{"code":"a","title":"A","marks":["x"],"friends":[]}]"#)
        try gigs.gig("a").marks.append(gigs.mark("y"))
        try gigs.save()
        let document = Data(#"[{"code":"a","title":"A","marks":["z"],"friends":[]}]"#.utf8)
        let plan = try gigs.plan([Gig].self, from: document, as: .json, localChanges: .merge())
        #expect("\(plan)" == "Gig: 0 inserted, 1 updated, 0 deleted, 0 kept\n~ a: marks", "\(plan)")
        let before = (try gigs.gigLines(), try gigs.toldOfPairs())
        try gigs.apply(plan, of: [Gig].self, from: document, as: .json, localChanges: .merge())
        try gigs.save()
        #expect(try gigs.gigLines() == ["a A [z y] [] []"])
        #expect(
            try gigs.plan([Gig].self, from: document, as: .json, localChanges: .merge()).isEmpty
        )
        try plan.undo(in: gigs)
        try gigs.save()
        #expect(try gigs.gigLines() == before.0)
        #expect(try gigs.toldOfPairs() == before.1)

        let yards = try kind.yards(#"[{"code":"a","title":"A"}]"#)
        try yards.yard("a").title = "mine"
        try yards.save()
        let kept = Data(
            #"[{"code":"a","title":"A","keeper":{"$type":"Firm","name":"acme"}}]"#.utf8
        )
        let other = try yards.plan([Yard].self, from: kept, as: .json, localChanges: .merge())
        #expect("\(other)".hasSuffix("~ a: keeper"), "\(other)")
        try yards.apply(other, of: [Yard].self, from: kept, as: .json, localChanges: .merge())
        try yards.save()
        #expect(try yards.yardLines() == ["a mine acme [] () -"])
    }

    /// Random plans are what applying them does, and undone they have done nothing.
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `a plan is what applying does`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let tests = RandomObjectMergeTests()
        let context = try kind.studios("[]")
        var theirs = PlainStudios()
        var undone = 0
        for round in 0..<25 {
            let comment: Comment = "round \(round), seed \(seed)"
            var before = try PlainStudios(context)
            var reborn = PlainStudios.Names()
            for _ in 0..<random.below(5) {
                try tests.edit(&before, &reborn, in: context, &random)
                try context.save()
            }
            let told = try context.told()
            theirs = tests.theirs(theirs, &random)
            let document = Data(theirs.document(&random).utf8)
            let conflicts = random.pick([ListConflictPolicy.storeWins, .listWins, .keep])
            let policy = LocalChangePolicy<Studio>.merge(conflicts: conflicts)
            let plan = try context.plan(
                [Studio].self,
                from: document,
                as: .json,
                localChanges: policy
            )
            #expect(!context.hasChanges, comment)
            let result = try context.apply(
                plan,
                of: [Studio].self,
                from: document,
                as: .json,
                localChanges: policy
            )
            try context.save()
            #expect(result.added.count == plan.inserted.count, comment)
            #expect(result.updated.count == plan.updated.count, comment)
            #expect(result.removed.count == plan.deleted.count, comment)
            let after = try PlainStudios(context)
            expect(plan, before, after, comment)
            let again = try context.plan(
                [Studio].self,
                from: document,
                as: .json,
                localChanges: policy
            )
            #expect(again.isEmpty, "\(again), round \(round), seed \(seed)")
            if plan.isEmpty || random.isOne(in: 2) { continue }
            undone += 1
            try plan.undo(in: context)
            try context.save()
            #expect(try PlainStudios(context) == before, comment)
            #expect(try PlainStudios(ModelContext(context.container)) == before, comment)
            #expect(try context.told() == told, comment)
        }
        #expect(SeededRandom.isMet(undone, seed: seed), "seed \(seed)")
    }

    private func expect(
        _ plan: SynchronizePlan,
        _ before: PlainStudios,
        _ after: PlainStudios,
        _ comment: Comment
    ) {
        func codes(_ rows: [SynchronizePlan.Row]) -> Set<String> {
            Set(rows.compactMap { if case .text(let code)? = $0.key.first { code } else { nil } })
        }
        func numbers(_ rows: [SynchronizePlan.Row]) -> Set<Int> {
            Set(
                rows.compactMap {
                    if case .integer(let key)? = $0.key.first { Int(key) } else { nil }
                }
            )
        }
        let (old, new) = (Set(before.studios.keys), Set(after.studios.keys))
        #expect(codes(plan.inserted) == new.subtracting(old), comment)
        #expect(codes(plan.deleted) == old.subtracting(new), comment)
        let titled = plan.updated.filter { $0.columns.contains("title") }
        let renamed = old.intersection(new).filter {
            before.studios[$0]?.title != after.studios[$0]?.title
        }
        #expect(codes(titled) == renamed, comment)
        let discs = plan.parts.first { $0.table == "Disc" }
        let (first, last) = (Set(before.discs.keys), Set(after.discs.keys))
        let inserted = numbers(discs?.inserted ?? [])
        #expect(inserted == last.subtracting(first), comment)
        let deleted = numbers(discs?.deleted ?? [])
        #expect(deleted.isSubset(of: first.subtracting(last)), comment)
        let changed = first.intersection(last).filter {
            before.discs[$0]?.title != after.discs[$0]?.title
        }
        let updated = numbers(discs?.updated.filter { $0.columns.contains("title") } ?? [])
        #expect(updated == changed, comment)
    }
}
