import Dovetail
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

/// A tree of one class, of named objects.
@Model final class TreeFolder {
    @Attribute(.unique) var id: Int
    var title = ""
    var next: TreeFolder?
    var parent: TreeFolder?
    @Relationship(deleteRule: .cascade, inverse: \TreeFolder.parent) var children: [TreeFolder] = []
    init(id: Int) { self.id = id }
}

/// Documents of trees beside what was changed here.
@Suite struct TreeMergeTests {
    private func context(_ kind: StoreKind, _ document: String) throws -> ModelContext {
        let context = ModelContext(try kind.following(TreeFolder.self, MergeConflict.self))
        try bring(document, to: context, .replace)
        return context
    }

    private func bring(
        _ document: String,
        to context: ModelContext,
        _ policy: LocalChangePolicy<TreeFolder>
    ) throws {
        let data = Data(document.utf8)
        try context.synchronize([TreeFolder].self, from: data, as: .json, localChanges: policy)
        try context.save()
    }

    private func folder(_ id: Int, in context: ModelContext) throws -> TreeFolder {
        let query = FetchDescriptor<TreeFolder>(predicate: #Predicate { $0.id == id })
        return try #require(context.fetch(query).first)
    }

    /// All folders, each with the one that it is inside of.
    private func lines(_ context: ModelContext) throws -> [String] {
        func lines(_ context: ModelContext) throws -> [String] {
            try context.fetch(FetchDescriptor<TreeFolder>(sortBy: [SortDescriptor(\.id)])).map {
                "\($0.id)" + ($0.parent.map { "<\($0.id)" } ?? "")
            }
        }
        #expect(try lines(ModelContext(context.container)) == lines(context))
        return try lines(context)
    }

    @Test(arguments: StoreKind.allCases)
    func `two that were moved into each other are in conflict`(_ kind: StoreKind) throws {
        func moved() throws -> ModelContext {
            let context = try context(kind, #"[{"id":1},{"id":2},{"id":3}]"#)
            try folder(1, in: context).parent = folder(3, in: context)
            try folder(3, in: context).parent = folder(2, in: context)
            try context.save()
            return context
        }
        let document = #"[{"id":1,"children":[{"id":2}]},{"id":3}]"#
        let mine = ["1<3", "2", "3<2"]
        let refused = try moved()
        let error = #expect(throws: SynchronizeError.self) {
            try bring(document, to: refused, .merge())
        }
        #expect(error?.conflicts.map(\.attributes) == [["parent"]])
        refused.rollback()
        #expect(try lines(refused) == mine)

        let kept = try moved()
        for _ in 0..<2 {
            try bring(document, to: kept, .merge(conflicts: .storeWins))
            #expect(try lines(kept) == mine)
            #expect(
                try kept.told(TreeFolder.self)
                    == [#"~1 {"parent":3}"#, #"~2 {"parent":null}"#, #"~3 {"parent":2}"#]
            )
        }
        let given = try moved()
        for _ in 0..<2 {
            try bring(document, to: given, .merge(conflicts: .listWins))
            #expect(try lines(given) == ["1", "2<1", "3"])
            #expect(try given.told(TreeFolder.self) == [])
        }
        for side in [MergeConflict.Side.local, .remote] {
            let decided = try moved()
            try bring(document, to: decided, .merge(conflicts: .keep))
            #expect(try lines(decided) == mine)
            #expect(try decided.disputes().count == 1)
            try decided.resolveAll(taking: side)
            #expect(try lines(decided) == (side == .local ? mine : ["1<3", "2<1", "3"]))
            #expect(try decided.disputes() == [])
        }
    }

    /// The document says nothing of the one that closes it.
    @Test(arguments: StoreKind.allCases)
    func `a circle that no side of the document opens is refused`(_ kind: StoreKind) throws {
        let context = try context(
            kind,
            #"[{"id":1,"children":[{"id":2}]},{"id":3},{"id":4}]"#
        )
        let list = try folder(1, in: context)
        try folder(2, in: context).parent = folder(4, in: context)
        try folder(4, in: context).parent = folder(3, in: context)
        list.parent = try folder(3, in: context)
        try context.save()
        let mine = try lines(context)
        for policy in [ListConflictPolicy.listWins, .error] {
            let error = #expect(throws: SynchronizeError.self) {
                try context.synchronize(
                    [TreeFolder].self,
                    from: Data(#"[{"id":2,"children":[{"id":3}]}]"#.utf8),
                    as: .json,
                    within: \TreeFolder.children,
                    of: list,
                    localChanges: .merge(conflicts: policy)
                )
            }
            #expect(error?.conflicts.isEmpty == false)
            #expect(!context.hasChanges)
            #expect(try lines(context) == mine)
        }
    }

    /// The one that it was inside of stays here, since it was changed.
    @Test(arguments: StoreKind.allCases)
    func `what a document has at the top is in nothing that it does not have`(
        _ kind: StoreKind
    ) throws {
        for policy in [ListConflictPolicy.storeWins, .listWins, .keep] {
            let context = try context(
                kind,
                #"[{"id":9,"children":[{"id":5,"children":[{"id":4}]}]}]"#
            )
            try folder(9, in: context).title = "mine"
            try context.save()
            let document = #"[{"id":5,"children":[{"id":4}]}]"#
            try bring(document, to: context, .merge(conflicts: policy))
            let there = ["4<5", "5"]
            #expect(try lines(context) == (policy == .listWins ? there : there + ["9"]))
            #expect(try context.told(TreeFolder.self) == (policy == .listWins ? [] : ["+9"]))
            try context.resolveAll(taking: .remote)
            if policy == .keep { #expect(try lines(context) == there) }
            try bring(document, to: context, .merge(conflicts: policy))
            #expect(try lines(context) == (policy == .storeWins ? there + ["9"] : there))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what was moved there into one that was deleted here, and is gone there by now`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind, #"[{"id":5},{"id":9}]"#)
        context.delete(try folder(5, in: context))
        try context.save()
        try bring(
            #"[{"id":5,"children":[{"id":9}]}]"#,
            to: context,
            .merge(conflicts: .storeWins)
        )
        #expect(try context.told(TreeFolder.self) == ["-5", #"~9 {"parent":null}"#])
        for _ in 0..<2 {
            try bring(#"[{"id":9}]"#, to: context, .merge())
            #expect(try lines(context) == ["9"])
            #expect(try context.told(TreeFolder.self) == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what goes with another one cannot be referred to`(_ kind: StoreKind) throws {
        let context = try context(
            kind,
            #"[{"id":1,"children":[{"id":2,"children":[{"id":3}]}]},{"id":4}]"#
        )
        let error = #expect(throws: SynchronizeError.self) {
            try bring(#"[{"id":4},{"id":5,"parent":3}]"#, to: context, .replace)
        }
        #expect(error?.reason == .deletedReference && error?.positions == [1])
        #expect(try lines(context) == ["1", "2<1", "3<2", "4"])
        // What the document has stays.
        let whole = #"[{"id":2,"children":[{"id":3}]},{"id":5,"parent":3}]"#
        try bring(whole, to: context, .replace)
        #expect(try lines(context) == ["2", "3<2", "5<3"])
    }

    /// It is where the other side has it.
    @Test(arguments: StoreKind.allCases)
    func `what was moved here into one that is gone there`(_ kind: StoreKind) throws {
        for policy in [ListConflictPolicy.storeWins, .listWins, .keep] {
            let context = try context(
                kind,
                #"[{"id":8,"children":[{"id":5,"children":[{"id":4}]}]},{"id":9}]"#
            )
            try folder(5, in: context).parent = folder(9, in: context)
            try context.save()
            let document = #"[{"id":8,"children":[{"id":5,"children":[{"id":4}]}]}]"#
            let there = ["4<5", "5<8", "8"]
            let mine = ["4<5", "5<9", "8", "9"]
            for _ in 0..<2 {
                try bring(document, to: context, .merge(conflicts: policy))
                #expect(try lines(context) == (policy == .listWins ? there : mine))
                let told = policy == .listWins ? [] : ["+9", #"~5 {"parent":9}"#]
                #expect(try context.told(TreeFolder.self) == told)
            }
            try context.resolveAll(taking: .remote)
            if policy != .keep { continue }
            #expect(try lines(context) == there)
            #expect(try context.told(TreeFolder.self) == [])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what was deleted here and is brought back is not told as deleted`(
        _ kind: StoreKind
    ) throws {
        let document = #"[{"id":5,"children":[{"id":1,"title":"a"}]}]"#
        let replaced = try context(kind, document)
        replaced.delete(try folder(1, in: replaced))
        try replaced.save()
        #expect(try replaced.told(TreeFolder.self) == ["-1"])
        for _ in 0..<2 {
            try bring(document, to: replaced, .replace)
            #expect(try lines(replaced) == ["1<5", "5"])
            #expect(try replaced.told(TreeFolder.self) == [])
        }
        // Inserted here again, too.
        for policy in [ListConflictPolicy.storeWins, .listWins] {
            let context = try context(kind, document)
            context.delete(try folder(1, in: context))
            try context.save()
            let new = TreeFolder(id: 1)
            new.title = "mine"
            new.parent = try folder(5, in: context)
            context.insert(new)
            try context.save()
            for _ in 0..<2 {
                try bring(document, to: context, .merge(conflicts: policy))
                #expect(try lines(context) == ["1<5", "5"])
                let told = policy == .listWins ? [] : [#"~1 {"title":"mine"}"#]
                #expect(try context.told(TreeFolder.self) == told)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what was deleted here and has left there what is gone stays deleted`(
        _ kind: StoreKind
    ) throws {
        for policy in [ListConflictPolicy.storeWins, .listWins, .keep] {
            let context = try context(
                kind,
                #"[{"id":4,"children":[{"id":7,"children":[{"id":3}]}]}]"#
            )
            context.delete(try folder(3, in: context))
            try context.save()
            for _ in 0..<2 {
                try bring(#"[{"id":4},{"id":3}]"#, to: context, .merge(conflicts: policy))
                #expect(try lines(context) == (policy == .listWins ? ["3", "4"] : ["4"]))
                #expect(
                    try context.told(TreeFolder.self) == (policy == .listWins ? [] : ["-3"])
                )
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `one that refers to itself comes back with that`(_ kind: StoreKind) throws {
        let context = try context(kind, #"[{"id":1}]"#)
        context.delete(try folder(1, in: context))
        try context.save()
        try bring(#"[{"id":1,"next":1}]"#, to: context, .merge(conflicts: .keep))
        #expect(try lines(context) == [])
        try context.resolveAll(taking: .remote)
        let one = try folder(1, in: context)
        #expect(one.next === one)
        #expect(try context.told(TreeFolder.self) == [])
    }
}
