import Dovetail
import StoreTestSupport
import Testing

/// A deletion that meets what another context has done to the references of the object.
struct DeletionConflictTests {
    /// Two contexts that know two boxes, an item in the first one, and its owner.
    private struct Pair {
        let container: ModelContainer
        let (mine, theirs): (Side, Side)

        init(_ kind: StoreKind) throws {
            container = try kind.boxes()
            let context = ModelContext(container)
            let box = StoredBox(title: "a", owner: BoxOwner(id: 1, name: "Ann"))
            box.items = [StoredItem(name: "x")]
            context.insert(box)
            context.insert(StoredBox(title: "b"))
            try context.save()
            (mine, theirs) = (try Side(container), try Side(container))
        }

        func items() throws -> [String] {
            try ModelContext(container).fetch(FetchDescriptor<StoredItem>())
                .map { "\($0.name) in \($0.box?.title ?? "none")" }
        }
    }

    private struct Side {
        let context: ModelContext
        let boxes: [StoredBox]
        let item: StoredItem

        init(_ container: ModelContainer) throws {
            context = ModelContext(container)
            boxes = try context.fetch(
                FetchDescriptor<StoredBox>(sortBy: [SortDescriptor(\.title)])
            )
            item = try #require(boxes[0].items.first)
            _ = boxes[0].owner?.name
        }
    }

    @Test(arguments: StoreKind.allCases, [true, false])
    func `what others have moved is not deleted unseen`(
        _ kind: StoreKind,
        _ isDeletedWithItsBox: Bool
    ) throws {
        for policy in [ConflictPolicy.error, .storeWins, .contextWins] {
            let pair = try Pair(kind)
            let (mine, theirs) = (pair.mine, pair.theirs)
            theirs.item.box = theirs.boxes[1]
            try theirs.context.save()
            mine.context.conflictPolicy = policy
            if isDeletedWithItsBox {
                mine.context.delete(mine.boxes[0])
            } else {
                mine.context.delete(mine.item)
            }
            #expect(mine.item.isDeleted)
            switch policy {
            case .storeWins:
                try mine.context.save()
                #expect(!mine.item.isDeleted && mine.item.box === mine.boxes[1])
                #expect(try pair.items() == ["x in b"])
            case .contextWins:
                try mine.context.save()
                #expect(try pair.items().isEmpty && mine.boxes[1].items.isEmpty)
            default:
                let error = #expect(throws: ConflictError.self) { try mine.context.save() }
                let conflict = try #require(error?.conflicts.first)
                #expect(conflict.attributes == ["box"])
                #expect(conflict.identifier == mine.item.persistentModelID)
                #expect(conflict.mine == nil && conflict.theirs?["box"] != conflict.base["box"])
                #expect(try pair.items() == ["x in b"] && mine.item.isDeleted)
                mine.context.rollback()
                mine.context.processPendingChanges()
                #expect(mine.item.box === mine.boxes[1] && !mine.item.isDeleted)
            }
        }
    }

    /// The rows of one table, of which one is written before that.
    @Test(arguments: StoreKind.allCases)
    func `what others have changed is not deleted beside an object of another class`(
        _ kind: StoreKind
    ) throws {
        for policy in [ConflictPolicy.error, .storeWins, .contextWins] {
            let container = try kind.container(Duty.self, UrgentDuty.self, DutyOwner.self)
            let theirs = ModelContext(container)
            let (duty, urgent, owner) = (Duty(1), UrgentDuty(2), DutyOwner())
            theirs.insert(duty)
            theirs.insert(urgent)
            theirs.insert(owner)
            try theirs.save()
            func stored() throws -> [Int] {
                let all = FetchDescriptor<Duty>(sortBy: [SortDescriptor(\.number)])
                return try ModelContext(container).fetch(all).map(\.number)
            }

            let mine = ModelContext(container)
            mine.conflictPolicy = policy
            let all = try mine.fetch(FetchDescriptor<Duty>(sortBy: [SortDescriptor(\.number)]))
            mine.delete(all[0])
            all[1].owner = try mine.fetch(FetchDescriptor<DutyOwner>()).first
            duty.note = "changed"
            try theirs.save()
            switch policy {
            case .storeWins:
                try mine.save()
                #expect(!all[0].isDeleted && all[0].note == "changed")
                #expect(try stored() == [1, 2])
            case .contextWins:
                try mine.save()
                #expect(try stored() == [2])
            default:
                let error = #expect(throws: ConflictError.self) { try mine.save() }
                #expect(error?.conflicts.map(\.identifier) == [all[0].persistentModelID])
                #expect(try stored() == [1, 2])
            }
        }
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `what is not deleted keeps what it had`(_ kind: StoreKind, _ isChanged: Bool) throws {
        let container = try kind.boxes()
        let first = ModelContext(container)
        let owner = BoxOwner(id: 1, name: "Ann")
        let boxes = ["a", "b", "c", "d"].map { StoredBox(title: $0, owner: owner) }
        for box in boxes { first.insert(box) }
        boxes[0].labels = ["red", "blue"].map { BoxLabel($0) }
        try first.save()
        let second = ModelContext(container)
        let theirs = try second.fetch(FetchDescriptor<BoxOwner>())
        theirs[0].name = "Anna"
        let others = try second.fetch(
            FetchDescriptor<StoredBox>(predicate: #Predicate { $0.title == "a" })
        )
        others[0].weight = 7
        try second.save()

        // One leaves by itself, before, and one goes elsewhere.
        boxes[1].owner = nil
        first.delete(owner)
        boxes[2].owner = BoxOwner(id: 2, name: "Bob")
        if isChanged { boxes[3].weight = 3 }
        let labels = boxes[0].labels ?? []
        first.delete(boxes[0])
        if isChanged { labels[0].text = "green" }
        first.conflictPolicy = .storeWins
        try first.save()
        #expect(!owner.isDeleted && owner.name == "Anna")
        #expect(!boxes[0].isDeleted && boxes[0].owner === owner && boxes[3].owner === owner)
        #expect(Set(owner.boxes.map(\.title)) == ["a", "d"])
        #expect(boxes[0].labels?.map(\.text) == [isChanged ? "green" : "red", "blue"])
        let last = ModelContext(container)
        let stored = try last.fetch(FetchDescriptor<StoredBox>(sortBy: [SortDescriptor(\.title)]))
        #expect(stored.map { $0.owner?.name } == ["Anna", nil, "Bob", "Anna"])
        #expect(stored.map(\.weight) == [7, nil, nil, isChanged ? 3 : nil])
        #expect(stored[0].labels?.map(\.text) == [isChanged ? "green" : "red", "blue"])
        try first.save()
        #expect(!first.hasChanges)
    }

    /// Others have put a box where it is deleted here, and another one that has nothing else to change there.
    @Test(arguments: StoreKind.allCases, [false, true])
    func `what is not deleted keeps what others have given it`(
        _ kind: StoreKind,
        _ throwsBefore: Bool
    ) throws {
        struct Stop: Error {}
        let pair = try Pair(kind)
        let (mine, theirs) = (pair.mine, pair.theirs)
        let owner = try #require(mine.boxes[0].owner)
        mine.context.delete(owner)
        #expect(mine.boxes[0].owner == nil)
        let given = try #require(theirs.boxes[0].owner)
        theirs.boxes[1].owner = given
        given.name = "Anna"
        try theirs.context.save()
        mine.context.processPendingChanges()
        #expect(mine.boxes[1].owner == nil)
        if throwsBefore {
            #expect(throws: Stop.self) {
                try mine.context.transaction {
                    mine.boxes[1].weight = 2
                    mine.context.insert(owner)
                    throw Stop()
                }
            }
        }
        mine.context.conflictPolicy = .storeWins
        try mine.context.save()
        #expect(Set(owner.boxes.map(\.title)) == ["a", "b"] && owner.name == "Anna")
        #expect(mine.boxes.allSatisfy { $0.owner === owner && $0.weight == nil })
        let stored = try ModelContext(pair.container).fetch(FetchDescriptor<StoredBox>())
        #expect(stored.allSatisfy { $0.owner?.name == "Anna" })
        #expect(!mine.context.hasChanges)
    }

    /// One that was deleted, is inserted again and deleted by others forgets whom it had let go.
    @Test(arguments: StoreKind.allCases)
    func `what was kept by hand lets go again`(_ kind: StoreKind) throws {
        let pair = try Pair(kind)
        let (mine, theirs) = (pair.mine, pair.theirs)
        let owner = try #require(mine.boxes[0].owner)
        mine.context.delete(owner)
        mine.context.insert(owner)
        mine.boxes[0].owner = nil
        mine.context.delete(owner)
        try #require(theirs.boxes[0].owner).name = "Anna"
        try theirs.context.save()
        mine.context.conflictPolicy = .storeWins
        try mine.context.save()
        #expect(!owner.isDeleted && owner.boxes.isEmpty && mine.boxes[0].owner == nil)
        let stored = try ModelContext(pair.container).fetch(FetchDescriptor<StoredBox>())
        #expect(stored.allSatisfy { $0.owner == nil })
    }

    @Test(arguments: StoreKind.allCases)
    func `a reference that was lost with what others have deleted is no change`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind)
        let owner = try #require(pair.theirs.boxes[0].owner)
        pair.mine.context.delete(pair.mine.boxes[0])
        pair.theirs.context.delete(owner)
        try pair.theirs.context.save()
        try pair.mine.context.save()
        #expect(pair.mine.boxes[0].isDeleted)
        #expect(try pair.items().isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `objects that refer to each other are deleted together in any order`(
        _ kind: StoreKind
    ) throws {
        let pair = try Pair(kind)
        let context = pair.mine.context
        let (ann, bob) = (BoxOwner(id: 2, name: "Ann"), BoxOwner(id: 3, name: "Bob"))
        (ann.friend, bob.friend) = (bob, ann)
        context.insert(ann)
        pair.mine.boxes[1].owner = bob
        try context.save()
        for object in [ann, bob, pair.mine.item, pair.mine.boxes[0], pair.mine.boxes[1]]
            as [any PersistentModel]
        {
            delete(object, in: context)
        }
        try context.save()
        #expect(try pair.items().isEmpty)
        #expect(try ModelContext(pair.container).fetchCount(FetchDescriptor<StoredBox>()) == 0)
        #expect(try ModelContext(pair.container).fetchCount(FetchDescriptor<BoxOwner>()) == 1)
    }

    private func delete<Object: PersistentModel>(_ object: Object, in context: ModelContext) {
        context.delete(object)
    }

    /// What the store deletes with the row of an owner is not looked for row by row.
    @Test(arguments: [[40], [0, 40], [40, 0], [3, 40, 0, 0, 20, 0]])
    func `owners are deleted before what they own, whatever they own`(sizes: [Int]) throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(for: StoredBox.self, configurations: configuration)
        let context = ModelContext(container)
        for (number, size) in sizes.enumerated() {
            let box = StoredBox(title: "box \(number)")
            context.insert(box)
            for item in 0..<size { box.items.append(StoredItem(name: "\(item)")) }
        }
        try context.save()
        let other = ModelContext(container)
        for box in try other.fetch(FetchDescriptor<StoredBox>()) { other.delete(box) }
        _ = log.take()
        try other.save()
        #expect(log.takeReads().count < 8)
        #expect(try other.fetchCount(FetchDescriptor<StoredItem>()) == 0)
    }
}

@Model private class Duty {
    let number: Int
    var note = ""
    var owner: DutyOwner?
    init(_ number: Int) { self.number = number }
}

@Model private final class UrgentDuty: Duty {
    var level = 0
    override init(_ number: Int) { super.init(number) }
}

@Model private final class DutyOwner {
    var duties: [Duty] = []
    init() {}
}
