import Dovetail
import StoreTestSupport
import Testing

/// A tree of values: what is inside of one goes with it.
@Model struct TreeLeaf: Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
    @Attribute(.references(TreeLeaf.self, deleteRule: .cascade)) var parent: Int?

    init(_ id: Int, _ title: String = "-", in parent: Int? = nil) {
        (self.id, self.title, self.parent) = (id, title, parent)
    }
}

/// Lists of values in a tree beside what was put here into what the list does not have.
@Suite struct ValueTreeMergeTests {
    private func context(_ kind: StoreKind, _ list: [TreeLeaf]) throws -> ModelContext {
        let context = ModelContext(try kind.following(TreeLeaf.self, MergeConflict.self))
        try merge(list, .error, in: context)
        return context
    }

    private func merge(
        _ list: [TreeLeaf],
        _ policy: ListConflictPolicy,
        in context: ModelContext
    ) throws {
        try context.synchronize(list, localChanges: .merge(conflicts: policy))
        try context.save()
    }

    private func lines(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<TreeLeaf>(sortBy: [SortDescriptor(\.id)])).map {
            "\($0.id)\($0.title)" + ($0.parent.map { "<\($0)" } ?? "")
        }
    }

    private func told(_ context: ModelContext) throws -> [String] {
        try context.localChanges(of: TreeLeaf.self).map { change in
            switch change {
            case .inserted(let leaf): "+\(leaf.id)"
            case .updated(let leaf, _): "~\(leaf.id)"
            case .deleted(let id): "-\(id)"
            }
        }
        .sorted()
    }

    @Test(arguments: StoreKind.allCases)
    func `what was inserted here into one that the list does not have`(_ kind: StoreKind) throws {
        for policy in [ListConflictPolicy.error, .storeWins, .listWins, .keep] {
            let context = try context(kind, [TreeLeaf(0), TreeLeaf(1, in: 0), TreeLeaf(5)])
            context.insert(TreeLeaf(2, in: 1))
            try context.save()
            let list = [TreeLeaf(5, "new")]
            if policy == .error {
                let error = #expect(throws: SynchronizeError.self) {
                    try merge(list, policy, in: context)
                }
                #expect(Set(error?.conflicts.map(\.key) ?? []) == [[.integer(0)], [.integer(1)]])
                context.rollback()
                #expect(try lines(context) == ["0-", "1-<0", "2-<1", "5-"])
                continue
            }
            for _ in 0..<2 {
                try merge(list, policy, in: context)
                let all = ["0-", "1-<0", "2-<1", "5new"]
                #expect(try lines(context) == (policy == .listWins ? ["5new"] : all))
                #expect(try told(context) == (policy == .listWins ? [] : ["+0", "+1", "+2"]))
            }
            #expect(try context.conflicts().count == (policy == .keep ? 2 : 0))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what was moved here into one that the list does not have`(_ kind: StoreKind) throws {
        for policy in [ListConflictPolicy.storeWins, .listWins, .keep] {
            let context = try context(kind, [TreeLeaf(0), TreeLeaf(1)])
            context.update(TreeLeaf(1, in: 0))
            try context.save()
            for _ in 0..<2 {
                try merge([TreeLeaf(1, "new")], policy, in: context)
                #expect(try lines(context) == (policy == .listWins ? ["1new"] : ["0-", "1new<0"]))
                #expect(try told(context) == (policy == .listWins ? [] : ["+0", "~1"]))
            }
        }
    }
}
