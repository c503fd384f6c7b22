import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Lists of what has changed since a token.
@Suite struct ChangeTokenTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(User.self, Country.self, Membership.self))
        try context.synchronize(
            (1...5).map { User($0, "u") },
            scope: .changesSince(nil, next: "a")
        )
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `what is not in the list stays, and what it says is deleted goes`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        #expect(try context.changeToken(of: User.self) == "a")
        #expect(try context.changeToken(of: Country.self) == nil)
        let changes = try context.synchronize(
            [User(2, "v"), User(4, "u"), User(9, "new")],
            scope: .changesSince("a", next: "b", deleted: [1, 5, 77])
        )
        #expect(changes.inserted == [9] && changes.updated == [2])
        #expect(Set(changes.deleted) == [1, 5] && changes.unchanged == 1)
        #expect(try context.changeToken(of: User.self) == "b")
        #expect(try ModelContext(context.container).changeToken(of: User.self) == "a")
        try context.save()
        #expect(try context.users().map(\.id) == [2, 3, 4, 9])
        #expect(try ModelContext(context.container).changeToken(of: User.self) == "b")
        // Nothing but the token.
        #expect(try context.synchronize([User](), scope: .changesSince("b", next: "c")).isEmpty)
        try context.save()
        #expect(try ModelContext(context.container).changeToken(of: User.self) == "c")
        #expect(try context.users().count == 4)
    }

    @Test(arguments: StoreKind.allCases)
    func `the first list is one of everything`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(User.self))
        try context.store([User(1, "u"), User(2, "u")])
        let changes = try context.synchronize(
            [User(2, "u"), User(3, "u")],
            scope: .changesSince(nil, next: "a", deleted: [3])
        )
        #expect(changes.deleted == [1] && changes.inserted == [3])
    }

    @Test(arguments: StoreKind.allCases)
    func `changes since another token are refused`(_ kind: StoreKind) throws {
        let context = try context(kind)
        for token in ["", "b", "A"] {
            let error = #expect(throws: SynchronizeError.self) {
                try context.synchronize([User](), scope: .changesSince(token, next: "z"))
            }
            #expect(error?.reason == .otherToken)
        }
        let both = #expect(throws: SynchronizeError.self) {
            try context.synchronize(
                [User(7, "u"), User(1, "u")],
                scope: .changesSince("a", next: "b", deleted: [1])
            )
        }
        #expect(both?.reason == .alsoDeleted && both?.positions == [1])
        #expect(!context.hasChanges)
        // Two lists of the same changes: one of them is saved.
        let other = ModelContext(context.container)
        try context.synchronize([User(2, "v")], scope: .changesSince("a", next: "b"))
        try other.synchronize([User(3, "w")], scope: .changesSince("a", next: "b2"))
        try context.save()
        let late = #expect(throws: StoreError.self) { try other.save() }
        #expect(late?.kind == .planOutdated)
        #expect(try ModelContext(context.container).changeToken(of: User.self) == "b")
        #expect(try context.users().map(\.name) == ["u", "v", "u", "u", "u"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a token is stored with its rows or not at all`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.synchronize([User(6, "u")], scope: .changesSince("a", next: "b"))
        context.insert(User(1, "taken"))
        #expect(throws: StoreError.self) { try context.save() }
        #expect(try ModelContext(context.container).changeToken(of: User.self) == "a")
        context.rollback()
        #expect(try context.changeToken(of: User.self) == "a")
        #expect(throws: CocoaError.self) {
            try context.transaction {
                try context.synchronize([User(6, "u")], scope: .changesSince("a", next: "b"))
                try context.save()
                throw CocoaError(.userCancelled)
            }
        }
        #expect(try context.changeToken(of: User.self) == "a")
        try context.container.erase()
        #expect(try context.changeToken(of: User.self) == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan of changes is applied and undone with its token`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let list = [User(2, "v"), User(9, "new")]
        let plan = try context.plan(list, scope: .changesSince("a", next: "b", deleted: [1]))
        #expect(plan.deleted.map(\.reason) == [.deletedThere])
        #expect(plan.tokens?.since == "a" && plan.tokens?.next == "b")
        let coded = try JSONDecoder().decode(
            SynchronizePlan.self,
            from: JSONEncoder().encode(plan)
        )
        #expect(coded == plan)
        try context.apply(plan, of: list)
        try context.save()
        #expect(try context.changeToken(of: User.self) == "b")
        let error = #expect(throws: StoreError.self) { try context.apply(coded, of: list) }
        #expect(error?.kind == .planOutdated)
        try plan.undo(in: context)
        try context.save()
        #expect(try context.changeToken(of: User.self) == "a")
        #expect(try context.users() == (1...5).map { User($0, "u") })
        // The rows are what they were; the token is not.
        try context.synchronize([User](), scope: .changesSince("a", next: "z"))
        try context.save()
        let late = #expect(throws: SynchronizeError.self) { try context.apply(coded, of: list) }
        #expect(late?.reason == .otherToken && !context.hasChanges)
    }

    @Test func `a key of several columns has identifiers that are deleted`() throws {
        let context = try context(.memory)
        let one = [Membership(team: "a", since: 1, user: 1)]
        try context.synchronize(one, scope: .changesSince(nil, next: "1"))
        try context.synchronize(one, scope: .changesSince("1", next: "2"))
        let scope = SynchronizeScope<Membership>.changesSince("2", next: "3", deleted: [one[0].id])
        #expect(try context.synchronize([Membership](), scope: scope).deleted == [one[0].id])
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `lists of changes lead to what the backend has`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.container(User.self))
        var backend: [Int: User] = [:]
        /// For each change, by its number, which value it was.
        var log: [Int] = []
        for round in 0..<40 {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let id = Int.random(in: 0..<30, using: &random)
                backend[id] = random.isOne(in: 3) ? nil : User(id: id, using: &random)
                log.append(id)
            }
            let token = try context.changeToken(of: User.self)
            let touched = token.flatMap { Int($0) }.map { Set(log[$0...]) } ?? Set(backend.keys)
            try context.synchronize(
                touched.compactMap { backend[$0] },
                scope: .changesSince(
                    token,
                    next: "\(log.count)",
                    deleted: Array(touched.filter { backend[$0] == nil })
                )
            )
            guard !random.isOne(in: 4) else {
                context.rollback()
                continue
            }
            try context.save()
            #expect(
                try context.users() == backend.values.sorted { $0.id < $1.id },
                "\(kind), seed \(seed), round \(round)"
            )
        }
    }
}
