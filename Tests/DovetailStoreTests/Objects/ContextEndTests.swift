import Dovetail
import StoreTestSupport
import Testing

@Model class LeftShip {
    @Attribute(.primaryKey) var code: String

    init(code: String) { self.code = code }
}

@Model final class LeftBarge: LeftShip {
    @Relationship(deleteRule: .cascade) var loads: [LeftLoad] = []

    override init(code: String) { super.init(code: code) }
}

@Model final class LeftYacht: LeftShip {
    @Relationship(deleteRule: .cascade) var guests: [LeftGuest] = []

    override init(code: String) { super.init(code: code) }
}

@Model final class LeftLoad { init() {} }

@Model final class LeftGuest { init() {} }

/// Objects that outlive their context.
struct ContextEndTests {
    /// A saved box with an owner, a card of this one, two items and a label.
    private func container(_ kind: StoreKind) throws -> ModelContainer {
        let container = try kind.boxes()
        let context = ModelContext(container)
        let owner = BoxOwner(id: 1, name: "Ann")
        let box = StoredBox(title: "tools", owner: owner)
        box.items = [StoredItem(name: "saw"), StoredItem(name: "axe")]
        box.labels = [BoxLabel("red")]
        context.insert(box)
        context.insert(OwnerCard(number: "7", owner: owner))
        try context.save()
        return container
    }

    /// The only box, as a context has it that ends with the call.
    private func box(_ container: ModelContainer) throws -> StoredBox {
        try #require(try ModelContext(container).fetch(FetchDescriptor<StoredBox>()).first)
    }

    @Test(arguments: StoreKind.allCases)
    func `relationships of an object are read after the end of its context`(
        _ kind: StoreKind
    ) throws {
        let container = try container(kind)
        let box = try box(container)
        #expect(box.modelContext == nil && box.title == "tools")
        #expect(box.items.map(\.name) == ["saw", "axe"])
        #expect(box.items[0] === box.items[0] && box.items[0].box === box.items[1].box)
        #expect(box.items[0].box?.persistentModelID == box.persistentModelID)
        #expect(box.owner?.name == "Ann" && box.owner === box.items[0].box?.owner)
        #expect(box.labels?.map(\.text) == ["red"])
        #expect(box.owner?.boxes.count == 1 && box.owner?.friend == nil)
        #expect(box.owner?.card?.owner === box.owner)
    }

    @Test(arguments: StoreKind.allCases)
    func `what was read before the end is there after it`(_ kind: StoreKind) throws {
        let container = try container(kind)
        func read() throws -> (box: StoredBox, item: StoredItem, card: OwnerCard) {
            let context = ModelContext(container)
            let box = try #require(try context.fetch(FetchDescriptor<StoredBox>()).first)
            #expect(box.owner?.card?.number == "7" && box.items.count == 2)
            return (box, box.items[0], try #require(box.owner?.card))
        }
        let (box, item, card) = try read()
        #expect(box.items.map(\.name) == ["saw", "axe"] && item.box?.title == "tools")
        #expect(card.owner.name == "Ann" && card.owner.boxes.map(\.title) == ["tools"])
    }

    @Test(arguments: StoreKind.allCases)
    func `what must be there is there after the end of its context`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let cards = try ModelContext(container).fetch(FetchDescriptor<OwnerCard>())
        #expect(cards.map(\.owner.name) == ["Ann"])
        // Made, saved and left.
        func made() throws -> OwnerCard {
            let context = ModelContext(container)
            let card = OwnerCard(number: "8", owner: BoxOwner(id: 2, name: "Bob"))
            context.insert(card)
            try context.save()
            return card
        }
        let card = try made()
        #expect(card.owner.name == "Bob" && card.owner.boxes.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `lists over several classes and of both sides are read after the end`(
        _ kind: StoreKind
    ) throws {
        let shops = try kind.shops()
        let context = ModelContext(shops)
        let shop = WorkShop("x", workers: [ShopManager("a"), ShopEngineer("b")])
        context.insert(shop)
        try context.save()
        let found = try ModelContext(shops).fetch(FetchDescriptor<WorkShop>())
        #expect(found.first?.workers.map(\.name) == ["a", "b"])
        let workers = try ModelContext(shops).fetch(FetchDescriptor<any ShopWorker>())
        #expect(workers.map { $0.shop?.title } == ["x", "x"])

        let books = try kind.container([TaggedBook.self, BookReader.self])
        let writer = ModelContext(books)
        writer.insert(TaggedBook("dune", tags: [BookTag("sand"), BookTag("worm")]))
        try writer.save()
        let book = try ModelContext(books).fetch(FetchDescriptor<TaggedBook>())[0]
        #expect(book.tags.map(\.name) == ["sand", "worm"])
        #expect(book.tags[0].books.map(\.title) == ["dune"])
    }

    @Test(arguments: StoreKind.allCases)
    func `a row that is gone leads nowhere`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let box = try box(container)
        let context = ModelContext(container)
        try context.delete(model: StoredBox.self)
        try context.save()
        #expect(box.title == "tools" && box.items.isEmpty && box.owner == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `what was never saved has nothing after the end`(_ kind: StoreKind) throws {
        let container = try kind.boxes()
        let box = StoredBox(title: "new")
        do {
            let context = ModelContext(container)
            context.insert(box)
            box.items = [StoredItem(name: "saw")]
            box.owner = BoxOwner(id: 1, name: "Ann")
        }
        #expect(box.title == "new" && box.items.isEmpty && box.owner == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object without its context changes for its holder alone`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let box = try box(container)
        box.title = "other"
        box.items.append(StoredItem(name: "saw 2"))
        box.items.removeFirst()
        box.owner = nil
        #expect(box.items.map(\.name) == ["axe", "saw 2"] && box.owner == nil)
        let stored = try self.box(container)
        #expect(stored.title == "tools" && stored.items.map(\.name) == ["saw", "axe"])
        // In another context it is a new one.
        let context = ModelContext(container)
        context.insert(box)
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<StoredBox>()) == 2)
        #expect(box.items.map(\.name) == ["saw 2"])
        #expect(try self.boxes(ModelContext(container)) == ["other: saw 2", "tools: saw axe"])
    }

    /// The titles of all boxes and the names of their items.
    private func boxes(_ context: ModelContext) throws -> [String] {
        try context.fetch(FetchDescriptor<StoredBox>())
            .map { "\($0.title): \($0.items.map(\.name).joined(separator: " "))" }
            .sorted()
    }

    @Test(arguments: StoreKind.allCases, [0, 1, 2, 3])
    func `in another context it is a new one without what its row had`(
        _ kind: StoreKind,
        _ form: Int
    ) throws {
        let (isRead, isOtherStore) = (form & 1 == 1, form & 2 == 2)
        let container = try container(kind)
        let first = ModelContext(container)
        first.insert(StoredBox(title: "second"))
        try first.save()
        let boxes = try ModelContext(container).fetch(FetchDescriptor<StoredBox>())
        let box = try #require(boxes.first { $0.title == "tools" })
        box.title = "copy"
        if isRead { #expect(box.items.count == 2 && box.owner?.name == "Ann") }
        let context = ModelContext(isOtherStore ? try kind.boxes() : container)
        context.insert(box)
        try context.save()
        #expect(box.modelContext === context && box.items.isEmpty && box.owner == nil)
        #expect(
            try self.boxes(ModelContext(context.container))
                == (isOtherStore ? ["copy: "] : ["copy: ", "second: ", "tools: saw axe"])
        )
        // The others are as they were.
        withExtendedLifetime(boxes) {}
        #expect(boxes.allSatisfy { $0 === box || $0.modelContext == nil })
    }

    @Test(arguments: StoreKind.allCases)
    func `what must be there goes with it into another context`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let card = try ModelContext(container).fetch(FetchDescriptor<OwnerCard>())[0]
        card.number = "9"
        let context = ModelContext(container)
        context.insert(card)
        try context.save()
        #expect(card.owner.name == "Ann" && card.owner.modelContext === context)
        #expect(try context.fetchCount(FetchDescriptor<BoxOwner>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `a row of another class is none of it`(_ kind: StoreKind) throws {
        let container = try kind.container([LeftBarge.self, LeftYacht.self])
        let writer = ModelContext(container)
        let barge = LeftBarge(code: "a")
        barge.loads = [LeftLoad()]
        writer.insert(barge)
        try writer.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<LeftBarge>())[0]
        try writer.delete(model: LeftBarge.self)
        try writer.save()
        let yacht = LeftYacht(code: "a")
        yacht.guests = [LeftGuest()]
        writer.insert(yacht)
        try writer.save()
        #expect(found.code == "a" && found.loads.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `who is given an object without its context belongs to none`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let first = ModelContext(container)
        first.insert(StoredBox(title: "second"))
        try first.save()
        let boxes = try ModelContext(container).fetch(FetchDescriptor<StoredBox>())
        let (one, other) = (boxes[0], boxes[1])
        let owner = try #require(one.owner ?? other.owner)
        one.owner = owner
        other.owner = owner
        #expect(one.modelContext == nil && other.modelContext == nil)
        #expect(one.owner === owner && other.owner === owner)
    }

    @Test(arguments: StoreKind.allCases)
    func `what was set and not saved is there after the end`(_ kind: StoreKind) throws {
        let container = try container(kind)
        let writer = ModelContext(container)
        writer.insert(BoxOwner(id: 2, name: "Bob"))
        try writer.save()
        func changed() throws -> StoredBox {
            let context = ModelContext(container)
            let box = try context.fetch(FetchDescriptor<StoredBox>())[0]
            box.title = "mine"
            box.owner = try context.fetch(
                FetchDescriptor<BoxOwner>(predicate: #Predicate { $0.name == "Bob" })
            ).first
            return box
        }
        let box = try changed()
        #expect(box.title == "mine" && box.owner?.name == "Bob" && box.items.count == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `a joined list over several classes keeps its order`(_ kind: StoreKind) throws {
        let clubs = try kind.clubs()
        let writer = ModelContext(clubs)
        let members: [any ClubMember] = [ClubPerson("a"), ClubPet("b"), ClubPerson("c")]
        writer.insert(WorkClub("x", members: members))
        try writer.save()
        let club = try ModelContext(clubs).fetch(FetchDescriptor<WorkClub>())[0]
        #expect(club.members.map(\.name) == ["a", "b", "c"])
    }

    @Test func `going over many takes a query for some of them`() throws {
        let log = StatementLog()
        let container = try log.shelves()
        try container.fill(1000)
        let shelves = try ModelContext(container).shelves()
        var count = 0
        let reads = log.reads { count = shelves.count { $0.things.count == 3 } }
        #expect(count == 1000)
        #expect(reads.statements < 100, "\(reads.statements)")
    }

    @Test(arguments: StoreKind.allCases)
    func `the last object lets everything go`(_ kind: StoreKind) throws {
        weak var item: StoredItem?
        weak var container: ModelContainer?
        var kept: StoredBox?
        do {
            let made = try self.container(kind)
            container = made
            kept = try box(made)
        }
        #expect(container != nil && kept?.items.count == 2)
        item = kept?.items[0]
        // It is also held by what it leads to.
        #expect(item?.box?.items[0] === item)
        kept = nil
        #expect(item == nil && container == nil)
    }
}
