import Dovetail
import StoreTestSupport
import Testing

@Model struct Pupil: Identifiable, Equatable {
    let id: String
    var form: Int
}

/// What part of the rows may be deleted.
@Suite struct DeletionLimitTests {
    @Test(arguments: StoreKind.allCases)
    func `rows that come in are not rows of the scope`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Pupil.self))
        try context.store((0..<10).map { Pupil(id: "a\($0)", form: 5) })
        try context.store((0..<10).map { Pupil(id: "b\($0)", form: 6) })
        let moved = (0..<10).map { Pupil(id: "b\($0)", form: 5) }
        let scope = SynchronizeScope<Pupil>.matching(#Predicate { $0.form == 5 })
        let plan = try context.plan(moved, scope: scope)
        #expect(plan.deletedShare == 1 && plan.stored == 10)
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize(moved, scope: scope, deletionLimit: 0.9)
        }
        #expect(error?.reason == .tooManyDeletions && error?.plan == plan)
    }

    @Test(arguments: StoreKind.allCases)
    func `deletions that a list names are a part of all rows`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(User.self))
        try context.synchronize(
            (0..<100).map { User($0, "u") },
            scope: .changesSince(nil, next: "1")
        )
        try context.save()
        let scope = SynchronizeScope<User>.changesSince("1", next: "2", deleted: [7, 8, 1000])
        #expect(try context.plan([], scope: scope).deletedShare == 0.02)
        #expect(throws: SynchronizeError.self) {
            try context.synchronize([], scope: scope, deletionLimit: 0.01)
        }
        #expect(try context.synchronize([], scope: scope, deletionLimit: 0.02).deleted == [7, 8])
    }

    @Test func `the limit and the share of a plan are one number`() throws {
        let context = ModelContext(try .inMemory(User.self))
        try context.store((0..<100).map { User($0, "u") })
        for count in 1...100 {
            let list = (count..<100).map { User($0, "u") }
            let share = try context.plan(list).deletedShare
            #expect(share == Double(count) / 100)
            #expect(try context.plan(list, deletionLimit: share).deleted.count == count)
            #expect(throws: SynchronizeError.self) {
                try context.plan(list, deletionLimit: share.nextDown)
            }
        }
        // Nothing is deleted, so no limit is passed.
        #expect(try context.plan((0..<100).map { User($0, "u") }, deletionLimit: -1).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a list of everything may begin anew after tokens`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(User.self))
        try context.synchronize([User(1, "a")], scope: .changesSince(nil, next: "1"))
        try context.save()
        let list = [User(2, "b")]
        let plan = try context.plan(list, scope: .changesSince(nil, next: "9"))
        #expect(plan.deleted.map(\.reason) == [.notGiven] && plan.tokens?.since == "1")
        try context.apply(plan, of: list)
        try context.save()
        #expect(try context.users() == list)
        #expect(try context.changeToken(of: User.self) == "9")
        // Two that begin anew at once: the second one's save finds another token.
        let other = ModelContext(context.container)
        try other.synchronize(list, scope: .changesSince(nil, next: "11"))
        try context.synchronize(list, scope: .changesSince(nil, next: "10"))
        try context.save()
        let error = #expect(throws: StoreError.self) { try other.save() }
        #expect(error?.kind == .planOutdated)
    }
}
