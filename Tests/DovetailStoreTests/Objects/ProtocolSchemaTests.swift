import Dovetail
import StoreTestSupport
import TestAssets
import Testing

/// What schemas and options say of relationships to protocols.
struct ProtocolSchemaTests {
    @Test(arguments: StoreKind.allCases)
    func `classes of other modules conform, too`(_ kind: StoreKind) throws {
        let container = try kind.keepers()
        let context = ModelContext(container)
        let asset = KeptAsset("a", [HomeKeeper("x"), StudioKeeper(name: "y")])
        asset.keeper = StudioKeeper(name: "z")
        context.insert(asset)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<KeptAsset>()).first)
        #expect(found.keeper is StudioKeeper && found.keeper?.name == "z")
        #expect(found.others.map(\.name) == ["x", "y"] && found.others[1] is StudioKeeper)
    }

    @Test(arguments: StoreKind.allCases)
    func `objects of all classes are counted together`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.keepers())
        let asset = KeptAsset("a", [HomeKeeper("x"), StudioKeeper(name: "y")])
        context.insert(asset)
        try context.save()
        asset.others.append(HomeKeeper("z"))
        #expect(throws: StoreError.self) { try context.save() }
        asset.others.removeFirst()
        try context.save()
        asset.others = []
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObject && error?.column == "others")
    }

    @Test(arguments: StoreKind.allCases)
    func `one that is unique is held once`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.keepers())
        let keeper = StudioKeeper(name: "z")
        for title in ["a", "b"] {
            let asset = KeptAsset(title, [HomeKeeper(title)])
            asset.keeper = keeper
            context.insert(asset)
        }
        // The second one becomes the first, as with every unique value.
        try context.save()
        #expect(try context.fetch(FetchDescriptor<KeptAsset>()).map(\.title) == ["b"])
    }

    @Test
    func `a schema has one relationship for each property`() throws {
        let schema = try StoreKind.memory.shops().schema
        let shop = try #require(schema.entitiesByName["WorkShop"])
        #expect(shop.relationships.map(\.name) == ["workers", "guests"])
        let workers = try #require(shop.relationshipsByName["workers"])
        #expect(workers.destination == "ShopWorker" && workers.inverseName == "shop")
        #expect(workers.deleteRule == .cascade && !workers.isToOneRelationship)
        let job = try #require(schema.entitiesByName["ShopJob"])
        #expect(job.relationships.map(\.name) == ["owner", "helper"])
        #expect(ShopJob.schemaMetadata.map(\.name) == ["title", "minutes", "owner", "helper"])
        #expect(job.relationshipsByName["owner"]?.isOptional == true)
    }

    @Test(arguments: StoreKind.allCases)
    func `code that has key paths sets them`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.shops())
        let job = ShopJob("a")
        context.insert(job)
        let ann = ShopManager("ann")
        job.setValue(forKey: \.owner, to: ann)
        #expect(job.getValue(forKey: \.owner) === ann && ann.jobs == [job])
        try context.save()
        #expect(ann.modelContext === context)
    }

    private static let tickets: [any Model.Type] = [
        HeldTicket.self, FastTicket.self, WorkShop.self, ShopManager.self, ShopEngineer.self,
    ]

    @Test func `an index of a relationship to a protocol is one for each class`() throws {
        let schema = try StoreKind.memory.container(Self.tickets).schema
        let description = try schema.entity(HeldTicket.self).description
        let names = description.indexes.map {
            ($0.isUnique ? "unique " : "") + description.names(of: $0.columns)
        }
        for name in ["ShopEngineer", "ShopManager"].map({ "holder$\($0)" }) {
            #expect(names.contains("unique \(name), title"))
            #expect(names.contains("number, \(name)"))
            #expect(names.contains("unique lane, \(name.replacing("holder", with: "watcher"))"))
            // The one of the foreign key is the beginning of that for the group.
            #expect(!names.contains(name))
        }
        #expect(names.count == 8)
        #expect(
            schema.entitiesByName["HeldTicket"]?.uniquenessConstraints == [["holder", "title"]]
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `a unique group has a relationship to a protocol`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(Self.tickets))
        let (ann, bob) = (ShopManager("ann"), ShopEngineer("ann"))
        for (number, holder) in [(1, ann as any ShopWorker), (2, bob)] {
            context.insert(HeldTicket("a", number, holder))
            context.insert(HeldTicket("b", number, holder))
        }
        // One without an object is equal to no other one.
        context.insert(HeldTicket("a", 3, nil))
        context.insert(HeldTicket("a", 4, nil))
        #expect(throws: Never.self) { try context.save() }
        let again = HeldTicket("a", 5, bob)
        context.insert(again)
        #expect(throws: Never.self) { try context.save() }
        let numbers = { try context.fetch(FetchDescriptor<HeldTicket>()).map(\.number).sorted() }
        #expect(try numbers() == [1, 1, 2, 3, 4, 5])
        #expect(again.holder === bob)
        let fast = FastTicket("c", 6, lane: 1, watcher: ann)
        let other = FastTicket("d", 7, lane: 1, watcher: bob)
        context.insert(fast)
        context.insert(other)
        #expect(throws: Never.self) { try context.save() }
        other.watcher = ann
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        fast.lane = 2
        try context.save()
        #expect(try numbers() == [1, 1, 2, 3, 4, 5, 6, 7])
    }
}
