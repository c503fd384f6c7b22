import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Suite struct PlanTests {
    private let stored = [User(1, "Ann"), User(2, "Bob"), User(3, "Cid")]
    private let given = [User(4, "Dora"), User(2, "Rob", age: 7), User(1, "Ann")]

    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.container(User.self))
        try context.store(stored)
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan says what would be written, and writes nothing`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let plan = try context.plan(given)
        #expect(!context.hasChanges && !plan.isEmpty)
        #expect(plan.table == "User" && plan.kept == 1)
        #expect(plan.inserted.map(\.key) == [[.integer(4)]])
        #expect(plan.inserted.map(\.reason) == [.notStored])
        #expect(plan.updated.map(\.key) == [[.integer(2)]])
        #expect(plan.updated.map(\.columns) == [["name", "age"]])
        #expect(plan.updated.map(\.reason) == [.differs])
        #expect(plan.deleted.map(\.key) == [[.integer(3)]])
        #expect(plan.deleted.map(\.reason) == [.notGiven])
        #expect(plan.deletedShare == 1.0 / 3)
        #expect(
            "\(plan)" == """
                User: 1 inserted, 1 updated, 1 deleted, 1 kept
                + 4
                ~ 2: name, age
                - 3
                """
        )
        let changes = try context.apply(plan, of: given.reversed())
        #expect(changes.inserted == [4] && changes.updated == [2] && changes.deleted == [3])
        #expect(changes.unchanged == 1)
        try context.save()
        #expect(try context.users() == given.sorted { $0.id < $1.id })
        #expect(try context.plan(given).isEmpty)
    }

    @Test func `the text names ten rows of each kind`() throws {
        let context = ModelContext(try .inMemory(User.self))
        let plan = try context.plan((1...1000).map { User($0, "u") })
        let lines = "\(plan)".split(separator: "\n")
        #expect(lines.count == 12 && lines.last == "+ and 990 more")
        #expect(plan.summary == "User: 1000 inserted, 0 updated, 0 deleted, 0 kept")
        #expect(
            try context.plan([User]()).description
                == "User: 0 inserted, 0 updated, 0 deleted, 0 kept"
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan is written to a file and applied by another program`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let plan = try context.plan(given)
        let data = try JSONEncoder().encode(plan)
        let read = try JSONDecoder().decode(SynchronizePlan.self, from: data)
        #expect(read == plan)
        #expect(!String(decoding: data, as: UTF8.self).contains("Rob"))
        let other = ModelContext(context.container)
        try other.apply(read, of: given)
        try other.save()
        #expect(try context.users() == given.sorted { $0.id < $1.id })
        try read.undo(in: other)
        try other.save()
        #expect(try context.users() == stored)
        let again = try JSONDecoder().decode(SynchronizePlan.self, from: data)
        let error = #expect(throws: StoreError.self) { try again.undo(in: other) }
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: StoreKind.allCases)
    func `a row that was changed, deleted or added since makes it outdated`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind)
        let plan = try context.plan(given)
        let other = ModelContext(context.container)
        /// Changes rows after the plan, and puts them back.
        func expectOutdated(_ keys: Set<Int64>, _ change: () -> Void) throws {
            change()
            try other.save()
            let error = #expect(throws: StoreError.self) {
                try context.apply(plan, of: given)
            }
            #expect(error?.kind == .planOutdated)
            #expect(Set(error?.keys ?? []) == Set(keys.map { [.integer($0)] }))
            #expect(!context.hasChanges)
            try other.synchronize(stored)
            try other.save()
        }
        try expectOutdated([2]) { other.update(User(2, "Bo")) }
        try expectOutdated([3]) { other.delete(User(3, "")) }
        try expectOutdated([4]) { other.insert(User(4, "Dora")) }
        try expectOutdated([2, 3, 4]) {
            other.delete(stored[1...])
            other.insert(User(4, "x"))
        }
        // Others are nothing to it.
        other.update(User(1, "Anna"))
        other.insert(User(9, "Nina"))
        try other.save()
        try context.apply(plan, of: given)
        try context.save()
        #expect(try context.users().map(\.name) == ["Anna", "Rob", "Dora", "Nina"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a row that changes between apply and save stops the save`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let plan = try context.plan(given)
        try context.apply(plan, of: given)
        let other = ModelContext(context.container)
        other.update(User(3, "Sid"))
        try other.save()
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .planOutdated && error?.keys == [[.integer(3)]])
        #expect(
            error.map { "\($0)" }
                == "User: a row has changed since the plan was made; make another one"
        )
        #expect(try other.users().map(\.name) == ["Ann", "Bob", "Sid"])
        context.rollback()
        try context.synchronize(given)
        try context.save()
        #expect(try other.users() == given.sorted { $0.id < $1.id })
    }

    @Test func `other values than the plan was made of are refused`() throws {
        let context = try context(.memory)
        let plan = try context.plan(given)
        func expectRefused(_ values: [User], _ positions: [Int]) {
            let error = #expect(throws: SynchronizeError.self) {
                try context.apply(plan, of: values)
            }
            #expect(error?.reason == .notOfPlan && error?.positions == positions)
            #expect(!context.hasChanges)
        }
        expectRefused([], [])
        expectRefused([given[0]], [])
        var changed = given
        changed[1].age = 8
        expectRefused(changed, [1])
        // A file may hold anything.
        let text = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        for key in ["[]", #"[{"integer":3},{"integer":3}]"#] {
            let broken = text.replacingOccurrences(of: #"[{"integer":3}]"#, with: key)
            #expect(broken != text)
            let read = try JSONDecoder().decode(SynchronizePlan.self, from: Data(broken.utf8))
            #expect(throws: SynchronizeError.self) { try context.apply(read, of: given) }
        }
        let other = text.replacingOccurrences(of: #"{"integer":3}"#, with: #"{"text":"x"}"#)
        let read = try JSONDecoder().decode(SynchronizePlan.self, from: Data(other.utf8))
        let missing = #expect(throws: StoreError.self) { try context.apply(read, of: given) }
        #expect(missing?.kind == .planOutdated && !context.hasChanges)
        let error = #expect(throws: SynchronizeError.self) {
            try ModelContext(.inMemory(Country.self)).apply(plan, of: [Country]())
        }
        #expect(error?.reason == .notOfPlan)
    }

    @Test(arguments: StoreKind.allCases)
    func `a limit stops a list that is too short`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let few = [User(1, "Anna")]
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize(few, deletionLimit: 0.5)
        }
        #expect(error?.reason == .tooManyDeletions && !context.hasChanges)
        #expect(error?.plan?.deleted.count == 2 && error?.plan?.updated.count == 1)
        #expect(
            error.map { "\($0)" } == "User: 0 inserted, 1 updated, 2 deleted, 0 kept: "
                + "more deletions than the limit allows"
        )
        #expect(throws: SynchronizeError.self) { try context.plan([User](), deletionLimit: 0.99) }
        #expect(throws: SynchronizeError.self) { try context.plan(few, deletionLimit: .nan) }
        // The plan of the error is one like others.
        try context.apply(#require(error?.plan), of: few)
        try context.save()
        #expect(try context.users() == few)
        #expect(try context.synchronize([User](), deletionLimit: 1).deleted == [1])
        try context.save()
        #expect(try context.synchronize([User](), deletionLimit: 0).isEmpty)
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `apply does what the plan says, and undo restores every row`(
        seed: UInt64,
        kind: StoreKind
    ) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.container(User.self, Membership.self))
        for round in 0..<30 {
            let comment: Comment = "\(kind), seed \(seed), round \(round)"
            func users() -> [User] {
                (0..<40).filter { _ in random.isOne(in: 2) }.shuffled(using: &random)
                    .map { User(id: $0, using: &random) }
            }
            func memberships() -> [Membership] {
                (0..<30).filter { _ in random.isOne(in: 2) }.map {
                    Membership(
                        team: "t\($0 % 3)",
                        since: Int.random(in: 0...1, using: &random),
                        user: $0
                    )
                }
            }
            try context.synchronize(users())
            try context.synchronize(memberships())
            try context.save()
            try expectUndone(users(), \.id, context, comment)
            try expectUndone(memberships(), \.user, context, comment)
        }
    }

    private func expectUndone<Value: Model & Identifiable & Equatable>(
        _ given: [Value],
        _ order: (Value) -> Int,
        _ context: ModelContext,
        _ comment: Comment
    ) throws {
        func all() throws -> [Value] {
            try context.fetch(FetchDescriptor<Value>()).sorted { order($0) < order($1) }
        }
        let before = try all()
        let plan = try context.plan(given)
        let changes = try context.apply(plan, of: given)
        #expect(changes.inserted.count == plan.inserted.count, comment)
        #expect(changes.updated.count == plan.updated.count, comment)
        #expect(changes.deleted.count == plan.deleted.count, comment)
        try context.save()
        #expect(try all() == given.sorted { order($0) < order($1) }, comment)
        #expect(try context.plan(given).isEmpty, comment)
        try plan.undo(in: context)
        try context.save()
        #expect(try all() == before, comment)
        #expect(try context.plan(given) == plan, comment)
    }

    @Test(arguments: StoreKind.allCases)
    func `undo is refused where somebody has changed a row since`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let plan = try context.plan(given)
        let early = #expect(throws: StoreError.self) { try plan.undo(in: context) }
        #expect(early?.kind == .unsupported)
        try context.apply(plan, of: given)
        try context.save()
        let other = ModelContext(context.container)
        other.update(User(2, "Robert"))
        other.insert(User(3, "new"))
        try other.save()
        let error = #expect(throws: StoreError.self) { try plan.undo(in: context) }
        #expect(error?.kind == .planOutdated)
        #expect(Set(error?.keys ?? []) == [[.integer(2)], [.integer(3)]])
        #expect(!context.hasChanges)
    }

    @Test(arguments: StoreKind.allCases)
    func `plans in one transaction follow each other`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let next = [User(4, "Dora"), User(5, "Eve")]
        try context.transaction {
            let plan = try context.plan(given)
            try context.apply(plan, of: given)
            let second = try context.plan(next)
            #expect(second.deleted.count == 2 && second.kept == 1)
            try context.apply(second, of: next)
        }
        #expect(try context.users() == next)
    }

    @Test func `a broken row is replaced and deleted, and cannot be put back`() throws {
        let folder = try TemporaryFolder()
        let database = try RawDatabase(folder.file())
        let context = ModelContext(try .file(folder.file(), User.self))
        try context.store(stored)
        try database.loosen("User")
        try database.execute("UPDATE User SET name = x'00', joined = 5 WHERE id > 1")
        let plan = try context.plan(given)
        #expect(plan.updated.map(\.columns) == [["name", "age", "joined"]])
        try context.apply(plan, of: given)
        try context.save()
        #expect(try context.users() == given.sorted { $0.id < $1.id })
        let error = #expect(throws: StoreError.self) { try plan.undo(in: context) }
        #expect(error?.kind == .unsupported && !context.hasChanges)
    }
}

@Suite struct PageScopeTests {
    @Test(arguments: StoreKind.allCases)
    func `a page deletes between its ends alone`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(User.self))
        try context.store((1...10).map { User($0, "u") })
        func ids() throws -> [Int] { try context.users().map(\.id) }
        let changes = try context.synchronize(
            [User(4, "u"), User(5, "new")],
            scope: .page(after: 3, through: 6)
        )
        #expect(changes.updated == [5] && changes.deleted == [6] && changes.unchanged == 1)
        #expect(try ids() == [1, 2, 3, 4, 5, 7, 8, 9, 10])
        try context.synchronize([User](), scope: .page(after: nil, through: 2))
        #expect(try ids() == [3, 4, 5, 7, 8, 9, 10])
        try context.synchronize([User(12, "u")], scope: .page(after: 8, through: nil))
        #expect(try ids() == [3, 4, 5, 7, 8, 12])
        try context.synchronize([User](), scope: .page(after: 8, through: 3))
        #expect(try ids() == [3, 4, 5, 7, 8, 12])
        let error = #expect(throws: SynchronizeError.self) {
            let page = [User(3, "u"), User(4, "u"), User(7, "u")]
            try context.synchronize(page, scope: .page(after: 3, through: 6))
        }
        #expect(error?.reason == .outsideScope && error?.positions == [0, 2])
        try context.synchronize([User(1, "u")], scope: .page(after: nil, through: nil))
        #expect(try ids() == [1])
        try context.save()
        #expect(try ids() == [1])
    }

    @Test func `keys of other kinds, and those of several columns`() throws {
        let context = ModelContext(try .inMemory(Country.self, Membership.self))
        try context.store(["a", "b", "é", "z"].map { Country(code: $0, name: "x") })
        try context.synchronize([Country](), scope: .page(after: "a", through: "z"))
        let left = try context.fetch(FetchDescriptor<Country>()).map(\.code)
        #expect(Set(left) == ["a", "é"])
        let id = Membership.ID(team: "a", user: 1)
        try context.store((0...2).map { Membership(team: "a", since: 0, user: $0) })
        let changes = try context.synchronize([Membership](), scope: .page(after: id, through: nil))
        #expect(changes.deleted == [Membership.ID(team: "a", user: 2)])
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `all pages of a list are the list`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.container(User.self))
        for round in 0..<20 {
            let target = (0..<60).filter { _ in random.isOne(in: 2) }
                .map { User(id: $0, using: &random) }
            var rest = target[...]
            var last: Int?
            repeat {
                let page = rest.prefix(Int.random(in: 1...20, using: &random))
                rest = rest.dropFirst(page.count)
                let end = rest.isEmpty ? nil : page.last?.id
                try context.synchronize(page, scope: .page(after: last, through: end))
                if random.isOne(in: 2) { try context.save() }
                last = end
            } while last != nil
            #expect(try context.users() == target, "\(kind), seed \(seed), round \(round)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `what is deleted on both sides is no change after a plan`(kind: StoreKind) throws {
        let context = ModelContext(try kind.following([User.self]))
        let users = (1...3).map { User($0, "u") }
        try context.synchronize(users)
        try context.save()
        context.delete(users[1])
        context.update(User(3, "mine"))
        try context.save()
        let list = [users[0], users[2]]
        let plan = try context.plan(list)
        try context.apply(plan, of: list)
        try context.save()
        #expect(try context.localChanges(of: User.self).isEmpty)
    }
}
