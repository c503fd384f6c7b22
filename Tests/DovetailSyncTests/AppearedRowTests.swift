import Dovetail
import StoreTestSupport
import Testing

/// Rows that somebody adds between a plan and what it does.
@Suite struct AppearedRowTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.following(User.self))
        try context.store((1...5).map { User($0, "u", age: $0 % 2) })
        return context
    }

    @Test(arguments: StoreKind.allCases)
    func `they stay and are reported`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let list = [User(1, "u", age: 1), User(2, "x"), User(8, "new")]
        let plan = try context.plan(list)
        #expect(plan.isWhole)
        let other = ModelContext(context.container)
        other.insert(contentsOf: [User(6, "six"), User(7, "seven")])
        try other.save()
        let changes = try context.apply(plan, of: list)
        #expect(changes.appeared == [6, 7])
        try context.save()
        #expect(try context.users().map(\.id) == [1, 2, 6, 7, 8])
        let empty = try context.plan(list)
        #expect(empty.deleted.map(\.key) == [[.integer(6)], [.integer(7)]])
        #expect(try context.synchronize(list).appeared.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `of a part those of the scope are, where it is said`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let scope = SynchronizeScope<User>.matching(#Predicate { $0.age == 1 })
        let list = [User(1, "u", age: 1)]
        let plan = try context.plan(list, scope: scope)
        #expect(!plan.isWhole)
        let other = ModelContext(context.container)
        other.insert(contentsOf: [User(6, "in", age: 1), User(7, "out", age: 0)])
        try other.save()
        #expect(try context.apply(plan, of: list).appeared.isEmpty)
        context.rollback()
        #expect(try context.apply(plan, of: list, scope: scope).appeared == [6])
        try context.save()
        #expect(try context.users().map(\.id) == [1, 2, 4, 6, 7])
        let delta = SynchronizeScope<User>.changesSince(nil, next: "a")
        let first = try context.plan(list, scope: delta)
        #expect(first.isWhole)
        other.insert(User(9, "late"))
        try other.save()
        #expect(try context.apply(first, of: list).appeared == [9])
        try context.save()
        let since = SynchronizeScope<User>.changesSince("a", next: "b")
        let second = try context.plan(list, scope: since)
        #expect(!second.isWhole)
        #expect(try context.apply(second, of: list, scope: since).appeared.isEmpty)
    }
}

/// Changes that wait while a list replaces what is there.
@Suite struct WaitingChangeTests {
    @Test(arguments: StoreKind.allCases)
    func `a waiting change that the list has, too, is none`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.following(Contact.self, MergeConflict.self))
        try context.synchronize([Contact(1, "Ann"), Contact(2, "Bob"), Contact(3, "Cid")])
        try context.save()
        context.update(Contact(1, "Anna"))
        context.delete(Contact(2, "Bob"))
        context.insert(Contact(4, "Dot"))
        context.update(Contact(3, "Cyd"))
        try context.synchronize([Contact(1, "Anna"), Contact(3, "Cid"), Contact(4, "Dot")])
        try context.save()
        #expect(try context.contacts().map(\.name) == ["Anna", "Cid", "Dot"])
        #expect(try context.localChanges(of: Contact.self).isEmpty)
        // Outside of the scope they count.
        context.update(Contact(1, "Other"))
        context.delete(Contact(3, "Cid"))
        try context.synchronize([Contact(4, "Dotty")], scope: .page(after: 3, through: nil))
        try context.save()
        #expect(
            try context.localChanges(of: Contact.self) == [
                .updated(Contact(1, "Other"), Patch(["name": "Other"])), .deleted(3),
            ]
        )
    }
}
