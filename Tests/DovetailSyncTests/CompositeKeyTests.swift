import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model struct Berthing: Identifiable, Equatable, Sendable {
    struct ID: Hashable, Sendable {
        let pier: String
        let number: Int
    }

    @Attribute(.primaryKey) var pier: String
    @Attribute(.primaryKey) var number: Int
    var boat: String?

    var id: ID { ID(pier: pier, number: number) }

    init(_ pier: String, _ number: Int, _ boat: String? = nil) {
        (self.pier, self.number, self.boat) = (pier, number, boat)
    }
}

/// An identifier whose members have other names than the key.
@Model struct Odd: Identifiable, Equatable, Sendable {
    struct ID: Hashable, Sendable {
        let first: Int
        let second: Int
    }

    @Attribute(.primaryKey) var left: Int
    @Attribute(.primaryKey) var right: Int

    var id: ID { ID(first: left, second: right) }
}

/// What is told by identifiers, of keys of several columns.
@Suite struct CompositeKeyTests {
    private func context(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.following(Berthing.self, Membership.self, Odd.self))
        try context.synchronize([
            Berthing("a", 1), Berthing("a", 2), Berthing("b", 1), Berthing("b", 3),
            Berthing("c", 2),
        ])
        try context.save()
        return context
    }

    private func all(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<Berthing>()).map { "\($0.pier)\($0.number)" }.sorted()
    }

    @Test(arguments: StoreKind.allCases)
    func `a value is fetched by its identifier`(_ kind: StoreKind) throws {
        let context = try context(kind)
        context.insert(Membership(team: "x", since: 1, user: 2))
        context.delete(Berthing("a", 2))
        for _ in 0..<2 {
            #expect(try context.fetch(Berthing.self, id: .init(pier: "b", number: 3)) != nil)
            #expect(try context.fetch(Berthing.self, id: .init(pier: "a", number: 2)) == nil)
            #expect(try context.fetch(Berthing.self, id: .init(pier: "b", number: 2)) == nil)
            let id = Membership(team: "x", since: 0, user: 2).id
            #expect(try context.fetch(Membership.self, id: id)?.since == 1)
            try context.save()
        }
        let error = #expect(throws: QueryError.self) {
            try context.fetch(Odd.self, id: Odd(left: 1, right: 2).id)
        }
        #expect(error?.explanation.contains("no member `left`") == true)
    }

    @Test(arguments: StoreKind.allCases)
    func `a page is one of the order of all columns`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let page = SynchronizeScope<Berthing>.page(
            after: .init(pier: "a", number: 1),
            through: .init(pier: "b", number: 2)
        )
        let changes = try context.synchronize([Berthing("a", 7), Berthing("b", 2)], scope: page)
        try context.save()
        #expect("\(changes)" == "2 inserted, 0 updated, 2 deleted, 0 unchanged")
        #expect(try all(context) == ["a1", "a7", "b2", "b3", "c2"])
        for value in [Berthing("a", 1), Berthing("b", 3), Berthing("A", 9)] {
            #expect(throws: SynchronizeError.self) {
                try context.synchronize([value], scope: page)
            }
        }
        try context.synchronize(
            [Berthing](),
            scope: .page(after: .init(pier: "b", number: 2), through: nil)
        )
        try context.save()
        #expect(try all(context) == ["a1", "a7", "b2"])
        try context.synchronize(
            [Berthing](),
            scope: .page(after: nil, through: .init(pier: "a", number: 7))
        )
        try context.save()
        #expect(try all(context) == ["b2"])
    }

    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `pages of a random list lead to it`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = try context(kind)
        for round in 0..<10 {
            var list: [Berthing] = []
            for pier in ["a", "b", "c"] {
                for number in 0..<6 where random.isOne(in: 2) {
                    list.append(Berthing(pier, number, random.pick([nil, "x"])))
                }
            }
            var (last, rest): (Berthing.ID?, ArraySlice<Berthing>) = (nil, list[...])
            while !rest.isEmpty {
                let page = rest.prefix(1 + random.below(4))
                rest = rest.dropFirst(page.count)
                let next = rest.isEmpty ? nil : page.last?.id
                try context.synchronize(page, scope: .page(after: last, through: next))
                try context.save()
                last = next
            }
            if list.isEmpty { try context.synchronize(list) }
            try context.save()
            let stored = try context.fetch(FetchDescriptor<Berthing>())
            let order = stored.sorted { ($0.pier, $0.number) < ($1.pier, $1.number) }
            #expect(order == list, "round \(round), seed \(seed)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `deletions are told, and confirmed`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let ids = [Berthing.ID(pier: "a", number: 2), .init(pier: "z", number: 0)]
        try context.synchronize([Berthing](), scope: .changesSince(nil, next: "0"))
        try context.synchronize(
            [Berthing("a", 1), Berthing("a", 2)],
            scope: .changesSince(nil, next: "1")
        )
        try context.save()
        try context.synchronize([Berthing](), scope: .changesSince("1", next: "2", deleted: ids))
        try context.save()
        #expect(try all(context) == ["a1"])
        context.delete(Berthing("a", 1))
        try context.save()
        let changes = try context.localChanges(of: Berthing.self)
        #expect(changes == [.deleted(.init(pier: "a", number: 1))])
        try context.confirm(changes)
        try context.save()
        #expect(try context.localChanges(of: Berthing.self).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `patches find their row`(_ kind: StoreKind) throws {
        let context = try context(kind)
        try context.apply(Patch<Berthing>(["boat": "Ann"]), to: .init(pier: "b", number: 3))
        try context.save()
        let row = try context.fetch(Berthing.self, id: .init(pier: "b", number: 3))
        #expect(row == Berthing("b", 3, "Ann"))
        #expect(throws: StoreError.self) {
            try context.apply(Patch<Berthing>(["boat": "x"]), to: .init(pier: "q", number: 3))
        }
    }
}
