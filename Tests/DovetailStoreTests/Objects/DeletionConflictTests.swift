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
}
