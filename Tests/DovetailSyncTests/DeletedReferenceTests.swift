import Dovetail
import StoreTestSupport
import Testing

@Model struct Branch: Identifiable, Equatable, Sendable {
    let id: Int
    var name = "x"
    @Attribute(.references(Branch.self, deleteRule: .nullify)) var parent: Int?
}

@Model struct Twig: Identifiable, Equatable, Sendable {
    let id: Int
    var name = "x"
    @Attribute(.references(Twig.self, deleteRule: .cascade)) var parent: Int?
}

/// Lists that refer to rows of their own model which were deleted here.
@Suite struct DeletedReferenceTests {
    private let list = [
        Branch(id: 1), Branch(id: 2, parent: 1), Branch(id: 3, parent: 2), Branch(id: 4, parent: 1),
    ]

    private func context(_ kind: StoreKind) throws -> ModelContext {
        let models: [any Model.Type] = [
            Branch.self, Twig.self, MergeConflict.self, MissingReference.self,
        ]
        let context = ModelContext(try kind.following(models))
        try context.synchronize(list, localChanges: .merge())
        try context.save()
        return context
    }

    private func branches(_ context: ModelContext) throws -> [Branch] {
        try context.fetch(FetchDescriptor<Branch>(sortBy: [SortDescriptor(\.id)]))
    }

    @Test(arguments: StoreKind.allCases)
    func `the reference is nil, and that is no change made here`(_ kind: StoreKind) throws {
        let without = [Branch(id: 2), Branch(id: 3, parent: 2), Branch(id: 4)]
        for policy in [UnknownReferences.fail, .ignore, .keep] {
            let context = try context(kind)
            context.delete(Branch(id: 1))
            try context.save()
            for _ in 0..<2 {
                let changes = try context.synchronize(
                    list,
                    unknownReferences: policy,
                    localChanges: .merge()
                )
                try context.save()
                #expect(try changes.isEmpty && branches(context) == without, "\(policy)")
                #expect(try context.localChanges(of: Branch.self) == [.deleted(1)], "\(policy)")
            }
            // A new row and another value, of a list of changes too.
            let more = [Branch(id: 2, name: "y", parent: 1), Branch(id: 5, parent: 1)]
            try context.synchronize(
                list + [more[1]],
                unknownReferences: policy,
                localChanges: .merge()
            )
            try context.save()
            #expect(try branches(context) == without + [Branch(id: 5)])
            try context.synchronize(
                [Branch(id: 1), more[0]],
                scope: .changesSince(nil, next: "2"),
                unknownReferences: policy,
                localChanges: .merge()
            )
            try context.save()
            #expect(try branches(context).first == Branch(id: 2, name: "y"))
            #expect(try context.localChanges(of: Branch.self).contains(.deleted(1)))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a row that comes back has its references again`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.delete(Branch(id: 1))
        try context.save()
        try context.synchronize(list, localChanges: .merge())
        try context.save()
        var next = list
        next[0].name = "changed there"
        try context.synchronize(next, localChanges: .merge(conflicts: .listWins))
        try context.save()
        #expect(try branches(context) == next)
        #expect(try context.localChanges(of: Branch.self).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `rows that were deleted together stay so, and the policy decides of other rules`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        context.delete([Branch(id: 1), Branch(id: 2)])
        try context.save()
        try context.synchronize(list, localChanges: .merge())
        try context.save()
        #expect(try branches(context) == [Branch(id: 3), Branch(id: 4)])

        let twigs = [Twig(id: 1), Twig(id: 2, parent: 1)]
        try context.synchronize(twigs, localChanges: .merge())
        try context.save()
        context.delete(Twig(id: 1))
        try context.save()
        // What goes with a row stays deleted, too; a new one is another thing.
        try context.synchronize(twigs, localChanges: .merge())
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Twig>()) == 0)
        let more = twigs + [Twig(id: 3, parent: 1)]
        try context.synchronize(more, localChanges: .merge())
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .foreignKeyViolation)
        context.rollback()
        try context.synchronize(more, unknownReferences: .ignore, localChanges: .merge())
        try context.save()
        #expect(try context.fetch(FetchDescriptor<Twig>()) == [Twig(id: 3)])
    }

    @Test(arguments: StoreKind.allCases)
    func `what the rules of deletions do to changed rows is no change made here`(
        _ kind: StoreKind
    ) throws {
        let models: [any Model.Type] = [
            RuledProject.self, RuledIssue.self, RuledComment.self, MergeConflict.self,
            MissingReference.self,
        ]
        let context = ModelContext(try kind.following(models))
        try context.synchronize([RuledProject(id: 1), RuledProject(id: 2)])
        let issue = RuledIssue(id: 20, project: 2, parent: 10, title: "b")
        let others = [
            RuledIssue(id: 10, project: 1, title: "a"),
            RuledIssue(id: 30, project: 2, parent: 40, title: "c"),
            RuledIssue(id: 40, project: 2, title: "d"),
        ]
        try context.synchronize(others + [issue])
        try context.synchronize([
            RuledComment(id: 100, issue: 10, text: "x"),
            RuledComment(id: 101, issue: 40, text: "y"),
        ])
        try context.save()
        context.update(RuledComment(id: 100, issue: 10, text: "mine"))
        context.update(RuledIssue(id: 20, project: 2, parent: 10, title: "mine"))
        // Its reference is changed here, too.
        context.update(RuledComment(id: 101, issue: 30, text: "y"))
        try context.save()
        try context.synchronize([RuledProject(id: 2)], localChanges: .merge())
        try context.save()
        func patches<Value: Model & Identifiable>(_ type: Value.Type) throws -> [ModelDocument] {
            try context.localChanges(of: type).compactMap {
                if case .updated(_, let patch) = $0 { patch.document } else { nil }
            }
        }
        #expect(try patches(RuledIssue.self) == [["title": "mine"]])
        let comments = try patches(RuledComment.self)
        #expect(comments == [["text": "mine"], ["issue": 30]])
        let new = RuledIssue(id: 20, project: 2, parent: 40, title: "b")
        try context.synchronize([others[1], others[2], new], localChanges: .merge())
        try context.save()
        let merged = try context.fetch(
            FetchDescriptor<RuledIssue>(predicate: #Predicate { $0.id == 20 })
        )
        #expect(merged == [RuledIssue(id: 20, project: 2, parent: 40, title: "mine")])
    }
}

@Model struct RuledProject: Identifiable, Equatable, Sendable { let id: Int }

@Model struct RuledIssue: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(RuledProject.self, deleteRule: .cascade)) var project: Int
    @Attribute(.references(RuledIssue.self, deleteRule: .nullify)) var parent: Int?
    var title: String
}

@Model struct RuledComment: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(RuledIssue.self, deleteRule: .nullify)) var issue: Int?
    var text: String
}
