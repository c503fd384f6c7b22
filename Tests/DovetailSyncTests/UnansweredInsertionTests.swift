import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model private struct Job: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
}

@Model private final class JobObject {
    @Attribute(.primaryKey) var id: Int
    var name: String

    init(_ id: Int, _ name: String) { (self.id, self.name) = (id, name) }
}

/// A row that was made here and told, whose answer was lost, and which was deleted before a list came that has it.
@Suite struct UnansweredInsertionTests {
    enum Rule: CaseIterable {
        case error, keep, storeWins, listWins

        fileprivate func policy<Value>() -> LocalChangePolicy<Value> {
            switch self {
            case .error: .merge(conflicts: .error)
            case .keep: .merge(conflicts: .keep)
            case .storeWins: .merge(conflicts: .storeWins)
            case .listWins: .merge(conflicts: .listWins)
            }
        }
    }

    private func deleted(_ context: ModelContext) throws -> [Int] {
        try context.localChanges(of: Job.self).compactMap { change in
            if case .deleted(let id) = change { id } else { nil }
        }
    }

    @Test(arguments: StoreKind.allCases, Rule.allCases)
    func `its deletion is a conflict`(_ kind: StoreKind, _ rule: Rule) throws {
        let context = ModelContext(try kind.following(Job.self, MergeConflict.self))
        let (old, new) = (Job(id: 1, name: "a"), Job(id: 2, name: "b"))
        try context.synchronize([old])
        try context.save()
        let ui = ModelContext(context.container)
        ui.insert(new)
        try ui.save()
        let told = try context.localChanges(of: Job.self)
        #expect(told.count == 1)
        ui.delete(new)
        try ui.save()

        func merge() throws {
            try context.synchronize([old, new], localChanges: rule.policy())
            try context.save()
        }
        func ids() throws -> [Int] { try context.fetch(FetchDescriptor<Job>()).map(\.id).sorted() }
        switch rule {
        case .error:
            let error = #expect(throws: SynchronizeError.self) { try merge() }
            #expect(error?.conflicts.map(\.key) == [[.integer(2)]])
            // The backend was told of it: from here on it is a deletion as any other.
            try context.confirm(told)
            try context.save()
            try merge()
            #expect(try ids() == [1])
            #expect(try deleted(context) == [2])
        case .keep:
            try merge()
            #expect(try ids() == [1])
            #expect(try deleted(context) == [2])
            let conflicts = try context.fetch(FetchDescriptor<MergeConflict>())
            #expect(conflicts.map(\.attribute) == [nil])
            try context.resolve(try #require(conflicts.first), taking: .remote)
            try context.save()
            #expect(try ids() == [1, 2])
            #expect(try context.localChanges(of: Job.self).isEmpty)
        case .storeWins:
            try merge()
            #expect(try ids() == [1])
            #expect(try deleted(context) == [2])
            try context.confirm(told)
            try context.save()
            #expect(try deleted(context) == [2])
            try context.confirm(try context.localChanges(of: Job.self))
            try context.save()
            #expect(try context.localChanges(of: Job.self).isEmpty)
        case .listWins:
            try merge()
            #expect(try ids() == [1, 2])
            #expect(try context.localChanges(of: Job.self).isEmpty)
        }
    }

    /// The backend had no such row then: one that it has later is a new one there.
    @Test(arguments: StoreKind.allCases)
    func `a list of all rows without it ends that`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.following(Job.self, JobObject.self))
        let (old, new) = (Job(id: 1, name: "a"), Job(id: 2, name: "b"))
        let (first, second) = (#"{"id":1,"name":"a"}"#, #"{"id":2,"name":"b"}"#)
        func merge(_ values: [Job], _ objects: String) throws {
            try context.synchronize(values, localChanges: .merge(conflicts: .error))
            try context.synchronize(
                [JobObject].self,
                from: Data("[\(objects)]".utf8),
                as: .json,
                localChanges: .merge(conflicts: .error)
            )
            try context.save()
        }
        try merge([old], first)
        let object = JobObject(2, "b")
        context.insert(new)
        context.insert(object)
        try context.save()
        context.delete(new)
        context.delete(object)
        try context.save()
        try merge([old], first)
        try merge([old, new], "\(first),\(second)")
        #expect(try context.fetchCount(FetchDescriptor<Job>()) == 2)
        #expect(try context.fetchCount(FetchDescriptor<JobObject>()) == 2)
    }

    /// What a list of something else says is no word of it.
    @Test(arguments: StoreKind.allCases)
    func `it is known until a list speaks of its key`(_ kind: StoreKind) throws {
        let (old, new) = (Job(id: 1, name: "a"), Job(id: 2, name: "b"))
        let policy = LocalChangePolicy<Job>.merge(conflicts: .storeWins)
        func isKnown(after lists: (ModelContext) throws -> Void) throws -> Bool {
            let context = ModelContext(try kind.following(Job.self))
            try context.synchronize([old], scope: .changesSince(nil, next: "1"))
            try context.save()
            context.insert(new)
            try context.save()
            context.delete(new)
            try context.save()
            try lists(context)
            try context.synchronize([Job(id: 1, name: "z"), new], localChanges: policy)
            try context.save()
            return try context.fetch(Job.self, id: 2) == nil
        }
        func isKnown(
            after values: [Job],
            _ scope: SynchronizeScope<Job>,
            _ policy: LocalChangePolicy<Job>
        ) throws -> Bool {
            try isKnown { context in
                try context.synchronize(values, scope: scope, localChanges: policy)
                try context.save()
            }
        }
        #expect(try isKnown { _ in })
        let other = Job(id: 1, name: "b")
        for policy in [policy, LocalChangePolicy<Job>.replace] {
            #expect(
                try isKnown(after: [other], .matching(#Predicate { $0.name == "b" }), policy)
            )
            #expect(try isKnown(after: [other], .page(after: nil, through: 1), policy))
            #expect(try isKnown(after: [], .page(after: 2, through: nil), policy))
            // With a change and without one.
            for job in [old, other] {
                #expect(try !isKnown(after: [job], .page(after: nil, through: 2), policy))
                #expect(try !isKnown(after: [job], .full, policy))
                #expect(try !isKnown(after: [job], .changesSince("1", next: "2"), policy))
            }
            #expect(
                try !isKnown(after: [], .changesSince("1", next: "2", deleted: [2]), policy)
            )
        }
        // Applied and undone, a plan of something else says nothing of it either.
        #expect(
            try isKnown { context in
                let scope = SynchronizeScope<Job>.page(after: nil, through: 1)
                let plan = try context.plan([other], scope: scope)
                try context.apply(plan, of: [other])
                try context.save()
                try plan.undo(in: context)
                try context.save()
            }
        )
    }

    /// Of lists of changes that belong together the last one ends it.
    @Test(arguments: StoreKind.allCases)
    func `a later one of several lists of changes may have it`(_ kind: StoreKind) async throws {
        let container = try kind.following(Job.self)
        let context = ModelContext(container)
        let (old, new) = (Job(id: 1, name: "a"), Job(id: 2, name: "b"))
        try context.synchronize([old], scope: .changesSince(nil, next: "0"))
        try context.save()
        context.insert(new)
        try context.save()
        context.delete(new)
        try context.save()
        var count = 0
        try await container.synchronize(
            Job.self,
            localChanges: .merge(conflicts: .storeWins)
        ) { _ in
            count += 1
            return ListOfChanges(
                count == 1 ? [Job(id: 1, name: "b")] : [new],
                deleted: [],
                token: "\(count)",
                isLast: count == 2
            )
        }
        #expect(try ModelContext(container).fetch(FetchDescriptor<Job>()).map(\.id) == [1])
        #expect(try deleted(context) == [2])
    }

    /// Stories of the simulation that have such rows.
    @Test(arguments: [216, 231, 243, 247, 253, 261, 279, 281, 1_165_536_245] as [UInt64])
    func `the simulation knows of it`(_ seed: UInt64) async throws {
        try await checkSynchronize(
            [
                Job(id: 1, name: "a"), Job(id: 1, name: "b"), Job(id: 2, name: "a"),
                Job(id: 3, name: "c"),
            ],
            seed: seed
        )
    }

    @Test(arguments: StoreKind.allCases, Rule.allCases)
    func `so is that of an object`(_ kind: StoreKind, _ rule: Rule) throws {
        let context = ModelContext(try kind.following(JobObject.self, MergeConflict.self))
        let first = #"{"id":1,"name":"a"}"#
        let both = Data("[\(first),{\"id\":2,\"name\":\"b\"}]".utf8)
        try context.synchronize([JobObject].self, from: Data("[\(first)]".utf8), as: .json)
        try context.save()
        let new = JobObject(2, "b")
        context.insert(new)
        try context.save()
        context.delete(new)
        try context.save()

        func merge() throws {
            try context.synchronize(
                [JobObject].self,
                from: both,
                as: .json,
                localChanges: rule.policy()
            )
            try context.save()
        }
        func ids() throws -> [Int] {
            try ModelContext(context.container).fetch(FetchDescriptor<JobObject>()).map(\.id)
                .sorted()
        }
        switch rule {
        case .error:
            #expect(throws: SynchronizeError.self) { try merge() }
        case .keep:
            try merge()
            #expect(try ids() == [1])
            #expect(try context.fetchCount(FetchDescriptor<MergeConflict>()) == 1)
        case .storeWins:
            try merge()
            #expect(try ids() == [1])
            #expect(try context.localChanges(of: JobObject.self).count == 1)
        case .listWins:
            try merge()
            #expect(try ids() == [1, 2])
            #expect(try context.localChanges(of: JobObject.self).isEmpty)
        }
    }
}
