import Dovetail
import DovetailSync
import DovetailTesting
import StoreTestSupport
import Testing

@Model struct Sticker: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.unique) var name: String
    var color = "red"

    init(_ id: Int, _ name: String, _ color: String = "red") {
        (self.id, self.name, self.color) = (id, name, color)
    }
}

@Model struct RoomBooking: Identifiable, Equatable, Sendable {
    #Unique<RoomBooking>([\.room, \.hour])
    let id: Int
    var room: Int
    var hour: Int
    var note = ""

    init(_ id: Int, _ room: Int, _ hour: Int, _ note: String = "") {
        (self.id, self.room, self.hour, self.note) = (id, room, hour, note)
    }
}

/// A unique value that one row has got here, and another one in a list.
@Suite struct RivalValueTests {
    private func context(_ kind: StoreKind, _ stickers: [Sticker] = []) throws -> ModelContext {
        let context = ModelContext(try kind.following(Sticker.self, MergeConflict.self))
        try merge(context, stickers, .error)
        return context
    }

    @discardableResult
    private func merge(
        _ context: ModelContext,
        _ list: [Sticker],
        _ conflicts: ListConflictPolicy,
        _ scope: SynchronizeScope<Sticker> = .full
    ) throws -> EntityChanges<Int> {
        let changes = try context.synchronize(
            list,
            scope: scope,
            localChanges: .merge(conflicts: conflicts)
        )
        try context.save()
        return changes
    }

    private func stickers(_ context: ModelContext) throws -> [Sticker] {
        try context.fetch(FetchDescriptor<Sticker>(sortBy: [SortDescriptor(\.id)]))
    }

    private func told(_ context: ModelContext) throws -> [Int] {
        try context.localChanges(of: Sticker.self).map { change in
            switch change {
            case .inserted(let value), .updated(let value, _): value.id
            case .deleted(let id): id
            }
        }
    }

    /// For its value, and for another row that has it there.
    @Test(arguments: StoreKind.allCases)
    func `a row that is in conflict twice is told once`(_ kind: StoreKind) throws {
        let context = try context(kind, [Sticker(1, "a"), Sticker(2, "b"), Sticker(3, "c")])
        context.update([Sticker(1, "x", "blue"), Sticker(2, "y")])
        try context.save()
        let error = #expect(throws: SynchronizeError.self) {
            try merge(
                context,
                [Sticker(1, "z", "green"), Sticker(2, "x"), Sticker(3, "y")],
                .error
            )
        }
        let conflicts = try #require(error?.conflicts)
        #expect(Set(conflicts.map(\.key)).count == conflicts.count && conflicts.count >= 2)
        #expect(
            Set(conflicts.first { $0.key == [.integer(1)] }?.attributes ?? []) == ["name", "color"]
        )
        #expect(error?.description.contains("\(conflicts.count) rows were changed") == true)
        context.rollback()
        #expect(try stickers(context).map(\.name) == ["x", "y", "c"])
    }

    // MARK: A row that was inserted here

    @Test(arguments: StoreKind.allCases)
    func `a row with the value of one that was inserted here is a conflict`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind, [Sticker(1, "a")])
        try context.store([Sticker(100, "b")])
        let error = #expect(throws: SynchronizeError.self) {
            try merge(context, [Sticker(1, "a", "blue"), Sticker(2, "b")], .error)
        }
        #expect(error?.reason == .conflict)
        #expect(error?.conflicts.map(\.key) == [[.integer(100)]])
        #expect(error?.conflicts.map(\.attributes) == [["name"]])
        #expect(!context.hasChanges)
        #expect(try stickers(context) == [Sticker(1, "a"), Sticker(100, "b")])
    }

    @Test(arguments: StoreKind.allCases)
    func `it goes where the list wins`(_ kind: StoreKind) throws {
        let context = try context(kind, [Sticker(1, "a")])
        try context.store([Sticker(100, "b"), Sticker(101, "c")])
        let changes = try merge(context, [Sticker(1, "a"), Sticker(2, "b")], .listWins)
        #expect(changes.inserted == [2] && changes.deleted == [100] && changes.updated.isEmpty)
        #expect(try stickers(context) == [Sticker(1, "a"), Sticker(2, "b"), Sticker(101, "c")])
        #expect(try told(context) == [101])
    }

    @Test(arguments: StoreKind.allCases)
    func `the row of the list waits where the store wins`(_ kind: StoreKind) throws {
        let context = try context(kind, [Sticker(1, "a")])
        try context.store([Sticker(100, "b")])
        let list = [Sticker(1, "a", "blue"), Sticker(2, "b")]
        let changes = try merge(context, list, .storeWins)
        #expect(changes.inserted.isEmpty && changes.updated == [1] && changes.deleted.isEmpty)
        #expect(try stickers(context) == [Sticker(1, "a", "blue"), Sticker(100, "b")])
        #expect(try merge(context, list, .storeWins).isEmpty)
        #expect(try told(context) == [100])
        // It comes as soon as the value is free.
        context.update(Sticker(100, "d"))
        try context.save()
        #expect(try merge(context, list, .storeWins).inserted == [2])
        #expect(try stickers(context).map(\.name) == ["a", "b", "d"])
    }

    @Test(arguments: StoreKind.allCases)
    func `conflicts that are kept can be resolved for the list`(_ kind: StoreKind) throws {
        let context = try context(kind, [Sticker(1, "a")])
        try context.store([Sticker(100, "b")])
        let list = [Sticker(1, "a"), Sticker(2, "b")]
        try merge(context, list, .keep)
        let conflicts = try context.conflicts()
        #expect(conflicts.count == 1 && conflicts.first?.attribute == nil)
        try merge(context, list, .keep)
        #expect(try context.conflicts() == conflicts)
        try context.resolve(try #require(conflicts.first), taking: .remote)
        try context.save()
        try merge(context, list, .keep)
        #expect(try stickers(context) == list && context.conflicts().isEmpty)
    }

    // MARK: A row that was changed here

    @Test(arguments: StoreKind.allCases)
    func `a row that was renamed here gets its name back where the list wins`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind, [Sticker(1, "a"), Sticker(2, "b")])
        context.update(Sticker(1, "c", "blue"))
        try context.save()
        // Another one gets the name, and it is none for a policy of other attributes.
        try context.synchronize(
            [Sticker(1, "a"), Sticker(2, "c")],
            localChanges: .merge(conflicts: .error).conflicts(in: \.name, .listWins)
        )
        try context.save()
        #expect(try stickers(context) == [Sticker(1, "a", "blue"), Sticker(2, "c")])
        #expect(try told(context) == [1])
    }

    @Test(arguments: StoreKind.allCases)
    func `one that keeps its old name hands the conflict on`(_ kind: StoreKind) throws {
        let context = try context(kind, [Sticker(1, "a"), Sticker(2, "b"), Sticker(3, "c")])
        // What was 2's is 1's here; there 2 has a new name, and 3 has 2's old one.
        context.update(Sticker(2, "x"))
        try context.save()
        context.update(Sticker(1, "b"))
        try context.save()
        let list = [Sticker(1, "a"), Sticker(2, "y"), Sticker(3, "b")]
        try merge(context, list, .storeWins)
        #expect(try stickers(context) == [Sticker(1, "b"), Sticker(2, "x"), Sticker(3, "c")])
        #expect(try merge(context, list, .storeWins).isEmpty)
        #expect(try merge(context, list, .listWins).isEmpty == false)
        let names = try stickers(context).map(\.name)
        #expect(names == ["a", "x", "b"])
    }

    @Test(arguments: StoreKind.allCases)
    func `the conflict of a renamed row is one of its attribute`(_ kind: StoreKind) throws {
        let context = try context(kind, [Sticker(1, "a")])
        context.update(Sticker(1, "b"))
        try context.save()
        try merge(context, [Sticker(1, "a"), Sticker(2, "b")], .keep)
        let conflict = try #require(try context.conflicts().first)
        #expect(conflict.attribute == "name")
        try context.resolve(conflict, taking: .remote)
        try context.save()
        try merge(context, [Sticker(1, "a"), Sticker(2, "b")], .keep)
        #expect(try stickers(context) == [Sticker(1, "a"), Sticker(2, "b")])
        #expect(try context.conflicts().isEmpty)
    }

    /// Each side has changed another attribute of the group: together they would be what neither has said.
    @Test(arguments: StoreKind.allCases, [ListConflictPolicy.error, .storeWins, .listWins, .keep])
    func `a group is one value`(_ kind: StoreKind, policy: ListConflictPolicy) throws {
        let context = ModelContext(try kind.following(RoomBooking.self, MergeConflict.self))
        try context.synchronize([RoomBooking(1, 1, 1), RoomBooking(2, 2, 2)])
        try context.save()
        context.update(RoomBooking(1, 2, 1, "here"))
        try context.save()
        let list = [RoomBooking(1, 1, 2), RoomBooking(2, 2, 2)]
        func merge() throws {
            try context.synchronize(list, localChanges: .merge(conflicts: policy))
            try context.save()
        }
        if policy == .error {
            let error = #expect(throws: SynchronizeError.self) { try merge() }
            #expect(error?.conflicts.map { $0.attributes.sorted() } == [["hour", "room"]])
            return
        }
        try merge()
        let stored = try context.fetch(FetchDescriptor<RoomBooking>(sortBy: [SortDescriptor(\.id)]))
        let first =
            policy == .listWins ? RoomBooking(1, 1, 2, "here") : RoomBooking(1, 2, 1, "here")
        #expect(stored == [first, RoomBooking(2, 2, 2)])
        #expect(try context.conflicts().count == (policy == .keep ? 2 : 0))
        // Where one side has changed the group, it has its value.
        context.update(RoomBooking(2, 3, 2))
        try context.save()
        try context.synchronize(
            [RoomBooking(1, 1, 2), RoomBooking(2, 2, 2, "there")],
            localChanges: .merge()
        )
        try context.save()
        #expect(try context.fetch(RoomBooking.self, id: 2) == RoomBooking(2, 3, 2, "there"))
    }

    // MARK: Parts of a list

    @Test(arguments: StoreKind.allCases)
    func `lists of changes and pages`(_ kind: StoreKind) throws {
        let context = try context(kind)
        let first: SynchronizeScope<Sticker> = .changesSince(nil, next: "1")
        try merge(context, [Sticker(1, "a"), Sticker(2, "b")], .error, first)
        try context.store([Sticker(100, "n")])
        context.update(Sticker(2, "m"))
        try context.save()
        let second: SynchronizeScope<Sticker> = .changesSince("1", next: "2")
        // It is told once, so it cannot wait.
        let error = #expect(throws: SynchronizeError.self) {
            try merge(context, [Sticker(3, "n"), Sticker(4, "m")], .storeWins, second)
        }
        #expect(error?.conflicts.count == 2 && !context.hasChanges)
        try merge(context, [Sticker(3, "n"), Sticker(4, "m")], .listWins, second)
        #expect(
            try stickers(context)
                == [Sticker(1, "a"), Sticker(2, "b"), Sticker(3, "n"), Sticker(4, "m")]
        )
        #expect(try told(context).isEmpty)

        try context.store([Sticker(50, "p")])
        context.update(Sticker(4, "q"))
        try context.save()
        try merge(
            context,
            [Sticker(1, "p"), Sticker(2, "q")],
            .listWins,
            .page(after: nil, through: 2)
        )
        #expect(
            try stickers(context)
                == [Sticker(1, "p"), Sticker(2, "q"), Sticker(3, "n"), Sticker(4, "m")]
        )
        #expect(try told(context).isEmpty)
    }

    /// Lists, and what is changed here, with names that are unique on each side.
    private struct World {
        var random: SeededRandom

        init(_ seed: UInt64) { random = SeededRandom(seed: seed) }

        mutating func list(_ ids: Range<Int>) -> [Sticker] {
            var names = (0..<14).map { "n\($0)" }.shuffled(using: &random)
            return ids.compactMap { id in
                if random.isOne(in: 3) { return nil }
                return Sticker(id, names.removeLast(), random.pick(["red", "blue"]))
            }
        }

        /// Changes some, on their way through names that no one has.
        mutating func change(_ context: ModelContext, _ before: [Sticker]) throws {
            var left = before.filter { _ in !random.isOne(in: 4) }
            var names = (0..<14).map { "n\($0)" }.filter { name in
                !left.contains { $0.name == name }
            }
            for place in left.indices where random.isOne(in: 2) {
                names.shuffle(using: &random)
                let free = left[place].name
                left[place].name = names.removeLast()
                names.append(free)
                if random.isOne(in: 2) { left[place].color = "green" }
            }
            for id in 100..<103 where random.isOne(in: 2) && !left.contains(where: { $0.id == id })
            {
                left.append(Sticker(id, names.removeLast(), "green"))
            }
            let kept = Set(left.map(\.id))
            for sticker in before where !kept.contains(sticker.id) { context.delete(sticker) }
            try context.save()
            let known = Dictionary(uniqueKeysWithValues: before.map { ($0.id, $0) })
            let changed = left.filter { known[$0.id] != nil && known[$0.id] != $0 }
            context.update(changed.map { Sticker($0.id, "t\($0.id)", $0.color) })
            try context.save()
            context.update(changed)
            context.insert(contentsOf: left.filter { known[$0.id] == nil })
            try context.save()
        }
    }

    @Test(arguments: SeededRandom.seeds)
    func `random lists are stored, and alike in every store`(seed: UInt64) throws {
        for policy in [ListConflictPolicy.listWins, .storeWins, .keep] {
            var results: [[[Sticker]]] = []
            for kind in StoreKind.allCases {
                var world = World(seed)
                let context = try context(kind)
                var states: [[Sticker]] = []
                for round in 0..<25 {
                    let comment: Comment = "seed \(seed), round \(round), \(policy), \(kind)"
                    try world.change(context, try stickers(context))
                    let mine = try stickers(context)
                    let list = world.list(0..<9)
                    try merge(context, list, policy)
                    let now = try stickers(context)
                    states.append(now)
                    #expect(try merge(context, list, policy).isEmpty, comment)
                    if policy == .listWins {
                        // No row of the list is missing but for what was deleted here and is the same there.
                        let there = Set(now.map(\.id))
                        #expect(
                            list.allSatisfy {
                                there.contains($0.id) || !mine.map(\.id).contains($0.id)
                            },
                            comment
                        )
                    } else {
                        #expect(mine.filter { $0.id >= 100 }.allSatisfy(now.contains), comment)
                    }
                    let told = Set(try told(context))
                    let listed = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
                    // What is not told is what the list has, or waits for a value.
                    let others = now.filter { !told.contains($0.id) && listed[$0.id] != $0 }
                    let names = Set(now.map(\.name))
                    for sticker in others {
                        #expect(
                            policy != .listWins
                                && listed[sticker.id].map { names.contains($0.name) } == true,
                            comment
                        )
                    }
                }
                results.append(states)
            }
            for other in results.dropFirst() {
                #expect(other == results[0], "seed \(seed), \(policy)")
            }
        }
    }

    @Test(arguments: SeededRandom.seeds)
    func `a list in a stage ends as one in memory`(seed: UInt64) async throws {
        for policy in [ListConflictPolicy.listWins, .storeWins] {
            let folder = try TemporaryFolder()
            let containers = try ["a", "b"].map {
                var configuration = ModelConfiguration(url: folder.file("\($0).sqlite"))
                configuration.history = StoreHistory()
                return try ModelContainer(for: Sticker.self, configurations: configuration)
            }
            var worlds = [World(seed), World(seed)]
            for round in 0..<12 {
                var ends: [[Sticker]] = []
                for (place, container) in containers.enumerated() {
                    let context = ModelContext(container)
                    try worlds[place].change(context, try stickers(context))
                    let list = worlds[place].list(0..<9)
                    let limits =
                        place == 0 ? StageLimits(mostInMemory: 2, partSize: 3) : StageLimits()
                    let pages = AsyncStream<[Sticker]> { stream in
                        for value in list { stream.yield([value]) }
                        stream.finish()
                    }
                    try await StageLimits.$current.withValue(limits) {
                        _ = try await container.synchronize(
                            Sticker.self,
                            from: pages,
                            localChanges: .merge(conflicts: policy)
                        )
                    }
                    ends.append(try stickers(ModelContext(container)))
                }
                #expect(ends[0] == ends[1], "seed \(seed), round \(round), \(policy)")
            }
        }
    }
}
