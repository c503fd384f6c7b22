import Dovetail
import StoreTestSupport
import Testing

/// Predicates that lead through relationships to protocols.
struct ProtocolPredicateTests {
    /// Two shops, workers of two classes, and jobs that some of them have.
    private func filled(_ kind: StoreKind) throws -> ModelContext {
        let context = ModelContext(try kind.shops())
        let (ann, eve) = (ShopManager("ann"), ShopManager("eve"))
        let (bob, tom) = (ShopEngineer("bob"), ShopEngineer("tom"))
        ann.level = 3
        let old = WorkShop("old", workers: [ann, bob])
        old.guests = [eve]
        for shop in [old, WorkShop("new", workers: [eve]), WorkShop("empty")] {
            context.insert(shop)
        }
        for (title, owner) in [("a", ann), ("b", bob), ("c", ann), ("d", tom)]
            as [(String, any JobOwner)]
        {
            context.insert(ShopJob(title, owner: owner))
        }
        let job = ShopJob("e")
        job.helper = bob
        context.insert(job)
        try context.save()
        return context
    }

    private func shops(
        _ context: ModelContext,
        _ predicate: Predicate<WorkShop>
    ) throws -> [String] {
        try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title).sorted()
    }

    private func jobs(_ context: ModelContext, _ predicate: Predicate<ShopJob>) throws -> String {
        try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title).sorted().joined()
    }

    @Test(arguments: StoreKind.allCases)
    func `what is said of one object is asked of each class`(_ kind: StoreKind) throws {
        let context = try filled(kind)
        func found(_ predicate: Predicate<ShopJob>) throws -> String {
            try jobs(context, predicate)
        }
        #expect(try found(#Predicate { $0.owner?.name == "ann" }) == "ac")
        #expect(try found(#Predicate { $0.owner?.name == "bob" }) == "b")
        #expect(try found(#Predicate { $0.owner?.name != "ann" }) == "bde")
        #expect(try found(#Predicate { $0.owner?.name == nil }) == "e")
        #expect(try found(#Predicate { $0.owner == nil }) == "e")
        #expect(try found(#Predicate { $0.owner != nil && $0.title < "c" }) == "ab")
        #expect(try found(#Predicate { $0.helper != nil && $0.helper?.shop == nil }) == "")
        #expect(try found(#Predicate { $0.owner?.name != nil && $0.title < "c" }) == "ab")
        #expect(try found(#Predicate { $0.helper?.shop?.title == "old" }) == "e")
        #expect(try found(#Predicate { $0.helper?.name == nil }) == "abcd")
        #expect(try found(#Predicate { ($0.owner?.name ?? "none") == "none" }) == "e")
        #expect(try found(#Predicate { $0.owner?.name.isEmpty == false }) == "abcd")
    }

    @Test
    func `a predicate says of objects what a store says of rows`() throws {
        let (free, taken) = (ShopJob("a"), ShopJob("b", owner: ShopManager("ann")))
        let isFree = #Predicate<ShopJob> { $0.owner == nil }
        #expect(try isFree.evaluate(free) && !isFree.evaluate(taken))
        let isTaken = #Predicate<ShopJob> { $0.owner != nil }
        #expect(try !isTaken.evaluate(free) && isTaken.evaluate(taken))
        let isOfAnn = #Predicate<ShopJob> { $0.owner?.name == "ann" }
        #expect(try !isOfAnn.evaluate(free) && isOfAnn.evaluate(taken))
    }

    @Test(arguments: StoreKind.allCases)
    func `the class of the object can be asked for`(_ kind: StoreKind) throws {
        let context = try filled(kind)
        func found(_ predicate: Predicate<ShopJob>) throws -> String {
            try jobs(context, predicate)
        }
        #expect(try found(#Predicate { $0.owner is ShopManager }) == "ac")
        #expect(try found(#Predicate { !($0.owner is ShopManager) }) == "bde")
        #expect(try found(#Predicate { ($0.owner as? ShopManager)?.level == 3 }) == "ac")
        #expect(try found(#Predicate { $0.owner is ShopRobot }) == "")
    }

    @Test(arguments: StoreKind.allCases)
    func `what is said of several is asked of each class`(_ kind: StoreKind) throws {
        let context = try filled(kind)
        func found(_ predicate: Predicate<WorkShop>) throws -> [String] {
            try shops(context, predicate)
        }
        #expect(try found(#Predicate { $0.workers.isEmpty }) == ["empty"])
        #expect(try found(#Predicate { !$0.workers.isEmpty }) == ["new", "old"])
        #expect(try found(#Predicate { $0.workers.count == 2 }) == ["old"])
        #expect(try found(#Predicate { $0.workers.count > 0 }) == ["new", "old"])
        #expect(try found(#Predicate { $0.workers.contains { $0.name == "bob" } }) == ["old"])
        #expect(try found(#Predicate { $0.workers.contains { $0.name == "eve" } }) == ["new"])
        #expect(
            try found(#Predicate { $0.workers.allSatisfy { $0.name > "ann" } })
                == ["empty", "new"]
        )
        #expect(try found(#Predicate { $0.workers.contains { $0 is ShopEngineer } }) == ["old"])
        #expect(
            try found(#Predicate { $0.workers.contains { $0.shop?.title == "new" } }) == ["new"]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `lists on both sides and protocols on both sides are asked, too`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try kind.clubs())
        let (ann, rex) = (ClubPerson("ann"), ClubPet("rex"))
        context.insert(WorkClub("chess", members: [ann, rex]))
        context.insert(WorkClub("tennis", members: [ann]))
        try context.save()
        func found(_ predicate: Predicate<WorkClub>) throws -> [String] {
            try context.fetch(FetchDescriptor(predicate: predicate)).map(\.title).sorted()
        }
        #expect(try found(#Predicate { $0.members.contains { $0.name == "rex" } }) == ["chess"])
        #expect(try found(#Predicate { $0.members.count == 2 }) == ["chess"])
        #expect(try found(#Predicate { $0.members.count == 1 }) == ["tennis"])
        #expect(
            try found(#Predicate { $0.members.contains { $0.clubs.count == 2 } })
                == ["chess", "tennis"]
        )
        let trees = ModelContext(try kind.trees())
        let (disk, folder) = (TreeDisk("disk"), TreeFolder("folder"))
        disk.children = [folder]
        folder.children = [TreeFile("file")]
        trees.insert(disk)
        try trees.save()
        let inFolder = #Predicate<TreeFile> { $0.parent?.title == "folder" }
        #expect(try trees.fetch(FetchDescriptor(predicate: inFolder)).map(\.title) == ["file"])
        let full = #Predicate<TreeFolder> { $0.children.contains { $0.title == "file" } }
        #expect(try trees.fetch(FetchDescriptor(predicate: full)) == [folder])
        let above = #Predicate<TreeFolder> { $0.parent?.title == "disk" }
        #expect(try trees.fetch(FetchDescriptor(predicate: above)) == [folder])
    }

    @Test(arguments: StoreKind.allCases)
    func `objects of a protocol are fetched by what they lead to`(_ kind: StoreKind) throws {
        let context = try filled(kind)
        func found(_ predicate: Predicate<any ShopWorker>) throws -> [String] {
            try context.fetch(FetchDescriptor(predicate: predicate)).map(\.name).sorted()
        }
        #expect(try found(#Predicate { $0.shop?.title == "old" }) == ["ann", "bob"])
        #expect(try found(#Predicate { $0.shop == nil }) == ["tom"])
        let owners = try context.fetch(
            FetchDescriptor<any JobOwner>(predicate: #Predicate { $0.jobs.count > 1 })
        )
        #expect(owners.map(\.name) == ["ann"])
        let busy = #Predicate<any JobOwner> { $0.jobs.contains { $0.title == "d" } }
        #expect(try context.fetch(FetchDescriptor(predicate: busy)).map(\.name) == ["tom"])
        #expect(try context.fetchCount(FetchDescriptor<any ShopWorker>()) == 4)
        #expect(try owners.first === context.insertedOrStored(ShopManager.self, "ann"))
    }

    @Test(arguments: StoreKind.allCases)
    func `what waits to be saved is seen`(_ kind: StoreKind) throws {
        let context = try filled(kind)
        let job = try #require(
            try context.fetch(FetchDescriptor<ShopJob>(predicate: #Predicate { $0.title == "e" }))
                .first
        )
        job.owner = ShopRobot("r2")
        #expect(try jobs(context, #Predicate { $0.owner?.name == "r2" }) == "e")
        #expect(try jobs(context, #Predicate { $0.owner?.name == nil }) == "")
        let shop = WorkShop("late", workers: [ShopManager("x"), ShopEngineer("y")])
        context.insert(shop)
        #expect(try shops(context, #Predicate { $0.workers.count == 2 }) == ["late", "old"])
        #expect(
            try shops(context, #Predicate { $0.workers.contains { $0.name == "y" } }) == ["late"]
        )
    }
}

extension ModelContext {
    /// The manager of a name.
    fileprivate func insertedOrStored(
        _ type: ShopManager.Type,
        _ name: String
    ) throws -> ShopManager? {
        try fetch(FetchDescriptor(predicate: #Predicate<ShopManager> { $0.name == name })).first
    }
}
