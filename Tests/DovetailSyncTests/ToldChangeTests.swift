import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model private struct Wardrobe: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
}

@Model private struct Garment: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Wardrobe.self, deleteRule: .cascade)) var shelf: Int
    var size = 1
}

@Model private struct Guest: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.references(Wardrobe.self, deleteRule: .nullify)) var shelf: Int?
}

@Model private struct Chore: Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
    var list = "p"
}

@Model private final class ToldSong {
    @Attribute(.unique) var code: String
    var plays: Int
    init(code: String, plays: Int) { (self.code, self.plays) = (code, plays) }
}

@Model(flattenable: true) struct Corner: Equatable, Sendable {
    var x: Double
    var y: Double?
}

@Model private struct Frame: Identifiable, Equatable, Sendable {
    let id: Int
    @Attribute(.flattened, prefix: "corner_") var corner: Corner?
}

/// What counts as changed here after lists, plans, confirmations and the rules of deletions.
@Suite struct ToldChangeTests {
    private func told<Value: Model & Identifiable>(
        _ context: ModelContext,
        _ model: Value.Type
    ) throws -> [String] {
        try context.localChanges(of: model).map { change in
            switch change {
            case .inserted(let value): "+\(value.id)"
            case .updated(let value, let patch): "~\(value.id) \(patch.document)"
            case .deleted(let id): "-\(id)"
            }
        }
    }

    private func list<Value: Model & Identifiable>(
        _ context: ModelContext,
        _ values: [Value],
        _ scope: SynchronizeScope<Value> = .full,
        _ policy: LocalChangePolicy<Value> = .replace
    ) throws {
        try context.synchronize(values, scope: scope, localChanges: policy)
        try context.save()
    }

    // MARK: Rules

    @Test(arguments: StoreKind.allCases, [false, true])
    func `a changed row that goes with a row of a list was not deleted here`(
        _ kind: StoreKind,
        merges: Bool
    ) throws {
        for (there, mine) in [
            (Garment(id: 7, shelf: 2), Garment(id: 7, shelf: 1)),
            (Garment(id: 7, shelf: 1), Garment(id: 7, shelf: 1, size: 5)),
        ] {
            let context = ModelContext(try kind.following(Wardrobe.self, Garment.self))
            try list(context, [Wardrobe(id: 1, name: "x"), Wardrobe(id: 2, name: "y")])
            try list(context, [there, Garment(id: 8, shelf: 1), Garment(id: 9, shelf: 1)])
            context.update(mine)
            context.delete(Garment(id: 9, shelf: 1))
            context.insert(Garment(id: 10, shelf: 1))
            try context.save()
            let policy: LocalChangePolicy<Wardrobe> =
                merges ? .merge(conflicts: .listWins) : .replace
            try list(context, [Wardrobe(id: 2, name: "y")], .full, policy)
            #expect(try context.fetchCount(FetchDescriptor<Garment>()) == 0)
            #expect(try told(context, Garment.self) == ["-9"])
            try list(context, [Garment(id: 7, shelf: 2)], .full, .merge())
            #expect(try context.fetch(Garment.self, id: 7) == Garment(id: 7, shelf: 2))
        }
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `a reference that a rule has taken was not changed here`(
        _ kind: StoreKind,
        merges: Bool
    ) throws {
        let context = ModelContext(try kind.following(Wardrobe.self, Guest.self))
        try list(context, [Wardrobe(id: 1, name: "x"), Wardrobe(id: 2, name: "y")])
        try list(context, [Guest(id: 7, shelf: 2), Guest(id: 8, shelf: 2)])
        context.update([Guest(id: 7, shelf: 1), Guest(id: 8, shelf: nil)])
        try context.save()
        let policy: LocalChangePolicy<Wardrobe> = merges ? .merge() : .replace
        try list(context, [Wardrobe(id: 2, name: "y")], .full, policy)
        #expect(try context.fetch(Guest.self, id: 7) == Guest(id: 7, shelf: nil))
        #expect(try told(context, Guest.self) == [#"~8 {"shelf":null}"#])
    }

    // MARK: Parts of a list

    @Test(arguments: StoreKind.allCases, ["delta", "within", "page"])
    func `a first list of a part says nothing of the others`(
        _ kind: StoreKind,
        form: String
    ) throws {
        let scope: SynchronizeScope<Chore> =
            switch form {
            case "delta": .changesSince("1", next: "2")
            case "within": .within(\.list, "q")
            default: .page(after: 5, through: nil)
            }
        for beginsEmpty in [true, false] where beginsEmpty || form != "delta" {
            let context = ModelContext(try kind.following(Chore.self))
            if beginsEmpty { try list(context, [Chore](), .changesSince(nil, next: "1")) }
            try context.store([Chore(id: 1, title: "made here")])
            try list(context, [Chore(id: 7, title: "theirs", list: "q")], scope)
            #expect(try told(context, Chore.self) == ["+1"])
            try list(context, [Chore(id: 7, title: "theirs", list: "q")], .full, .merge())
            #expect(try context.fetchCount(FetchDescriptor<Chore>()) == 2)
        }
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `a first list that is what is stored counts`(_ kind: StoreKind, plans: Bool) throws {
        let context = ModelContext(try kind.following(Chore.self))
        let all = [Chore(id: 1, title: "a"), Chore(id: 2, title: "b")]
        try context.store(all)
        #expect(try told(context, Chore.self) == ["+1", "+2"])
        if plans {
            try context.apply(context.plan(all), of: all)
            try context.save()
        } else {
            try list(context, all)
        }
        #expect(try told(context, Chore.self).isEmpty)
        try context.synchronize(all)
        #expect(!context.hasChanges)
        try list(context, [all[1]], .full, .merge())
        #expect(try context.fetch(FetchDescriptor<Chore>()) == [all[1]])
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `a row that came into a scope here is not deleted by the list of that`(
        _ kind: StoreKind,
        plans: Bool
    ) throws {
        let context = ModelContext(try kind.following(Chore.self))
        try list(context, [Chore(id: 1, title: "a", list: "q")])
        context.update(Chore(id: 1, title: "a", list: "p"))
        try context.save()
        let scope = SynchronizeScope<Chore>.within(\.list, "p")
        if plans {
            let plan = try context.plan([Chore](), scope: scope)
            try context.apply(plan, of: [Chore](), scope: scope)
            try context.save()
        } else {
            try list(context, [], scope)
        }
        #expect(try context.fetchCount(FetchDescriptor<Chore>()) == 0)
        #expect(try told(context, Chore.self).isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `a list of what belongs to an owner that comes later`(_ kind: StoreKind) throws {
        let context = ModelContext(
            try kind.following(Wardrobe.self, Guest.self, MissingReference.self)
        )
        let owner = 3
        try context.synchronize(
            [Guest(id: 1, shelf: 3)],
            scope: .within(\.shelf, owner),
            unknownReferences: .keep
        )
        try context.save()
        #expect(try context.fetch(Guest.self, id: 1) == Guest(id: 1, shelf: nil))
        try list(context, [Wardrobe(id: 3, name: "z")])
        try context.resolveMissingReferences()
        try context.save()
        #expect(try context.fetch(Guest.self, id: 1) == Guest(id: 1, shelf: 3))
        let error = #expect(throws: SynchronizeError.self) {
            try context.synchronize(
                [Guest(id: 1, shelf: 4)],
                scope: .within(\.shelf, owner),
                unknownReferences: .keep
            )
        }
        #expect(error?.reason == .outsideScope)
    }

    // MARK: Plans

    /// A context with one change of each kind to what the other side has.
    private func changed(
        _ kind: StoreKind
    ) throws -> (context: ModelContext, theirs: [Chore], told: [String]) {
        let context = ModelContext(try kind.following(Chore.self))
        let theirs = (1...3).map { Chore(id: $0, title: "theirs") }
        try list(context, theirs)
        context.update(Chore(id: 1, title: "mine"))
        context.delete(theirs[1])
        context.insert(Chore(id: 4, title: "mine"))
        try context.save()
        let told = try told(context, Chore.self)
        #expect(told == [#"~1 {"title":"mine"}"#, "-2", "+4"])
        return (context, theirs, told)
    }

    /// Also where a list is what is here, or has nothing of what was deleted: the plan says nothing of those rows.
    @Test(arguments: StoreKind.allCases, [0, 1, 2])
    func `what a plan does not write is a change again, too`(_ kind: StoreKind, way: Int) throws {
        let (context, theirs, before) = try changed(kind)
        let rows = try context.fetch(FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)]))
        let next = way == 0 ? rows : way == 1 ? [] : [theirs[0], Chore(id: 3, title: "newer")]
        let plan = try context.plan(next)
        #expect(plan.isEmpty == (way == 0))
        try context.apply(plan, of: next)
        try context.save()
        #expect(try told(context, Chore.self).isEmpty)
        try plan.undo(in: context)
        try context.save()
        #expect(try told(context, Chore.self) == before)
        #expect(try context.fetch(FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)])) == rows)
    }

    @Test(arguments: StoreKind.allCases)
    func `a plan of objects that writes nothing is undone, too`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.following(ToldSong.self))
        func songs() throws -> [ToldSong] {
            try context.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.code)]))
        }
        func told() throws -> [String] {
            try context.localChanges(of: ToldSong.self).map { "\($0.name) \($0.kind)" }
        }
        let data = Data(#"[{"code":"a","plays":1},{"code":"b","plays":1}]"#.utf8)
        try context.synchronize([ToldSong].self, from: data, as: .json)
        try context.save()
        let both = try songs()
        both[0].plays = 2
        context.delete(both[1])
        try context.save()
        let before = try told()
        #expect(before.count == 2)
        let policy = LocalChangePolicy<ToldSong>.merge(conflicts: .storeWins)
        let document = Data(#"[{"code":"a","plays":2}]"#.utf8)
        let plan = try context.plan(
            [ToldSong].self,
            from: document,
            as: .json,
            localChanges: policy
        )
        #expect(plan.isEmpty)
        try context.apply(
            plan,
            of: [ToldSong].self,
            from: document,
            as: .json,
            localChanges: policy
        )
        try context.save()
        #expect(try told().isEmpty)
        try plan.undo(in: context)
        try context.save()
        #expect(try told() == before)
        #expect(try songs().map(\.plays) == [2])
    }

    @Test(arguments: StoreKind.allCases)
    func `what was changed before a plan is a change again when that is undone`(
        _ kind: StoreKind
    ) throws {
        let (context, theirs, before) = try changed(kind)
        let next = [theirs[0], theirs[1], Chore(id: 3, title: "newer")]
        let plan = try context.plan(next)
        try context.apply(plan, of: next)
        try context.save()
        #expect(try told(context, Chore.self).isEmpty)
        try plan.undo(in: context)
        try context.save()
        #expect(try told(context, Chore.self) == before)
        try list(context, next, .full, .merge())
        let titles = try context.fetch(FetchDescriptor<Chore>(sortBy: [SortDescriptor(\.id)]))
        #expect(titles.map(\.title) == ["mine", "newer", "mine"])
    }

    // MARK: Conflicts

    @Test(arguments: StoreKind.allCases)
    func `a conflict is over when the backend was told`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.following(Chore.self, MergeConflict.self))
        let keeps = LocalChangePolicy<Chore>.merge(conflicts: .keep)
        try list(context, [Chore(id: 1, title: "a"), Chore(id: 2, title: "a")])
        context.update([Chore(id: 1, title: "mine"), Chore(id: 2, title: "mine")])
        try context.save()
        try list(context, [Chore(id: 1, title: "theirs")], .full, keeps)
        #expect(try context.conflicts().map(\.attribute) == ["title", nil])
        let changes = try context.localChanges(of: Chore.self)
        try context.confirm(changes.prefix(1))
        try context.save()
        #expect(try context.conflicts().map(\.attribute) == [nil])
        try context.confirm(changes.dropFirst())
        try context.save()
        #expect(try context.conflicts().isEmpty)
    }

    /// The store of another device has told it, and this one hears of that by a list.
    @Test(arguments: StoreKind.allCases)
    func `a conflict is over when a list has what is here`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.following(Chore.self, MergeConflict.self))
        let keeps = LocalChangePolicy<Chore>.merge(conflicts: .keep)
        try list(context, [Chore(id: 1, title: "a")])
        context.update(Chore(id: 1, title: "mine"))
        try context.save()
        try list(context, [Chore(id: 1, title: "theirs")], .full, keeps)
        #expect(try context.conflicts().count == 1)
        try list(context, [Chore(id: 1, title: "mine")], .full, keeps)
        #expect(try context.conflicts().isEmpty)
    }

    // MARK: Patches

    @Test func `a patch says all columns that are one value`() throws {
        let old = Frame(id: 1, corner: Corner(x: 0, y: nil))
        let new = Frame(id: 1, corner: Corner(x: 0, y: 1))
        let patch = try Patch(from: old, to: new)
        #expect(patch.document == ["corner_x": 0.0, "corner_y": 1.0])
        #expect(try patch.applied(to: Frame(id: 1, corner: nil)) == new)
        let gone = try Patch(from: new, to: Frame(id: 1, corner: nil))
        #expect(try gone.applied(to: new) == Frame(id: 1, corner: nil))
    }
}
