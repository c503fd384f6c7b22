import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Lists of a part of the rows.
@Suite struct ScopeTests {
    private func rows<Value: Model>(_ context: ModelContext, _ type: Value.Type) throws -> [Value] {
        try context.fetch(FetchDescriptor<Value>())
    }

    @Test(arguments: StoreKind.allCases)
    func `what the list does not have is deleted in its scope alone`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(User.self))
        try context.store([
            User(1, "a", age: 5), User(2, "b", age: 5), User(3, "c", age: 6), User(4, "d"),
        ])
        // One stays, one comes from outside, one is new.
        let given = [User(2, "b", age: 5), User(3, "c", age: 5), User(5, "e", age: 5)]
        let scope = SynchronizeScope<User>.matching(#Predicate { $0.age == 5 })
        let changes = try context.synchronize(given, scope: scope)
        #expect(changes.deleted == [1] && changes.updated == [3] && changes.inserted == [5])
        #expect(changes.unchanged == 1)
        #expect(try context.synchronize(given, scope: scope).isEmpty)
        try context.save()
        #expect(try context.users() == given.dropLast() + [User(4, "d")] + given.suffix(1))
        #expect(try context.synchronize(given, scope: scope).isEmpty)
        // An empty list of a part, and of a part that has nothing.
        let none = try context.synchronize([], scope: .matching(#Predicate<User> { $0.age == 9 }))
        #expect(none.isEmpty && none.unchanged == 0)
        let all = try context.synchronize([], scope: .matching(#Predicate<User> { $0.age == 5 }))
        #expect(Set(all.deleted) == [2, 3, 5])
        #expect(try context.users() == [User(4, "d")])
    }

    @Test(arguments: StoreKind.allCases)
    func `a value outside of the scope is refused, and nothing waits`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(User.self))
        try context.store([User(1, "a", age: 5)])
        let given = [
            User(2, "b", age: 5), User(3, "c", age: 6), User(4, "d"), User(5, "e"), User(6, "f"),
        ]
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize(given, scope: .matching(#Predicate { $0.age == 5 }))
        }
        #expect(error?.reason == .outsideScope && error?.positions == [1, 2, 3, 4])
        #expect(
            error.map { "\($0)" }
                == "User: the elements at 1, 2, 3 and 1 more are not in the scope of the list"
        )
        #expect(!context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `many rows come in from outside, also with keys of several columns`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.container(Membership.self, User.self))
        let members = (0..<1100).map { Membership(team: "t\($0 % 7)", since: 0, user: $0) }
        try context.store(members)
        try context.store((0..<1100).map { User($0, "u") })
        let moved = members.dropFirst(50).map {
            Membership(team: $0.team, since: 1, user: $0.user)
        }
        let scope = SynchronizeScope<Membership>.matching(#Predicate { $0.since == 1 })
        let changes = try context.synchronize(moved, scope: scope)
        #expect(
            changes.updated.count == 1050 && changes.inserted.isEmpty && changes.deleted.isEmpty
        )
        let older = try context.synchronize(
            (0..<1100).map { User($0, "u", age: 1) },
            scope: .matching(#Predicate { $0.age == 1 })
        )
        #expect(older.updated.count == 1100 && older.inserted.isEmpty)
        try context.save()
        #expect(try context.synchronize(moved, scope: scope).isEmpty)
        #expect(try rows(context, Membership.self).count { $0.since == 0 } == 50)
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `the store holds what dictionaries would hold`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.container(User.self, Membership.self))
        var users: [Int: User] = [:]
        var members: [String: Membership] = [:]
        for round in 0..<40 {
            let comment: Comment = "\(kind), seed \(seed), round \(round)"
            let age = Int.random(in: 0...2, using: &random)
            var given: [Int: User] = [:]
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let id = Int.random(in: 0..<40, using: &random)
                given[id] = User(id, random.pick(["a", "b"]), age: age)
            }
            let changes = try context.synchronize(
                given.values.shuffled(using: &random),
                scope: .matching(#Predicate { $0.age == age })
            )
            let gone = users.filter { $0.value.age == age && given[$0.key] == nil }
            #expect(Set(changes.deleted) == Set(gone.keys), comment)
            #expect(changes.inserted.count == given.count { users[$0.key] == nil }, comment)
            #expect(changes.unchanged == given.count { users[$0.key] == $0.value }, comment)
            users = users.filter { gone[$0.key] == nil }.merging(given) { $1 }

            // Keys of several columns.
            let since = Int.random(in: 0...1, using: &random)
            var list: [String: Membership] = [:]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let (team, user) = (random.pick(["x", "y"]), Int.random(in: 0..<5, using: &random))
                list["\(team) \(user)"] = Membership(team: team, since: since, user: user)
            }
            try context.synchronize(
                Array(list.values),
                scope: .matching(#Predicate { $0.since == since })
            )
            members = members.filter { $0.value.since != since }.merging(list) { $1 }

            if random.isOne(in: 2) { try context.save() }
            #expect(try context.users() == users.values.sorted { $0.id < $1.id }, comment)
            let stored = try rows(context, Membership.self).map { ("\($0.team) \($0.user)", $0) }
            #expect(Dictionary(uniqueKeysWithValues: stored) == members, comment)
        }
    }
}
