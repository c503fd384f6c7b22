import Dovetail
import StoreTestSupport
import Testing

/// Documents of objects with relationships to protocols.
struct ProtocolDocumentTests {
    private func text(_ object: some PersistentModel) throws -> String {
        String(decoding: try object.encoded(as: .json), as: UTF8.self)
    }

    @Test
    func `owned objects are inside with their type key, others by type and key`() throws {
        let (ann, bob) = (ShopManager("ann"), ShopEngineer("bob"))
        let shop = WorkShop("x", workers: [ann, bob])
        ann.jobs = [ShopJob("paint")]
        #expect(
            throws: ModelEncodingError.self,
            "a manager refers to jobs, which nothing names"
        ) { try text(shop) }
        ann.jobs = []
        bob.jobs = [ShopJob("weld")]
        bob.jobs[0].helper = ann
        #expect(
            try text(shop)
                == #"{"title":"x","workers":[{"$type":"ShopManager","name":"ann","level":1,"jobs":[]},"#
                + #"{"$type":"ShopEngineer","name":"bob","jobs":[{"title":"weld","minutes":0,"#
                + #""helper":{"$type":"ShopManager","name":"ann"}}]}],"guests":[]}"#
        )
    }

    @Test(arguments: StoreKind.allCases, [ModelFormat.json, .binaryPlist])
    func `a context reads what an object has written`(
        _ kind: StoreKind,
        _ format: ModelFormat
    ) throws {
        let shop = WorkShop("x", workers: [ShopManager("ann"), ShopEngineer("bob")])
        shop.workers.insert(ShopManager("eve"), at: 2)
        (shop.workers[1] as? ShopEngineer)?.jobs = [ShopJob("weld")]
        (shop.workers[1] as? ShopEngineer)?.jobs[0].helper = shop.workers[2]
        let data = try shop.encoded(as: format)
        let container = try kind.shops()
        let context = ModelContext(container)
        let read = try context.decode(WorkShop.self, from: data, as: format)
        #expect(read.workers.map(\.name) == ["ann", "bob", "eve"])
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<WorkShop>()).first)
        #expect(found.workers.map(\.name) == ["ann", "bob", "eve"])
        let engineer = try #require(found.workers[1] as? ShopEngineer)
        #expect(engineer.shop === found && engineer.jobs.map(\.title) == ["weld"])
        #expect(engineer.jobs[0].owner === engineer && engineer.jobs[0].helper === found.workers[2])
        // Again, over what is there: the same objects.
        let again = try other.decode(WorkShop.self, from: data, as: format)
        #expect(again === found && again.workers.map(\.name) == ["ann", "bob", "eve"])
        #expect(again.workers[1] === engineer && again.workers[0] is ShopManager)
        try other.save()
        #expect(try other.fetchCount(FetchDescriptor<ShopManager>()) == 2)
    }

    @Test(arguments: StoreKind.allCases)
    func `what leads nowhere is an error with its path`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.shops())
        func error(_ json: String) -> ModelDecodingError? {
            #expect(throws: ModelDecodingError.self) {
                try context.decode(ShopJob.self, from: Data(json.utf8), as: .json)
            }
        }
        let unknown = error(
            #"{"title":"a","helper":{"$type":"ShopManager","name":"nobody"}}"#
        )
        #expect(unknown?.kind == .unknownObject && unknown?.path == "helper.name")
        let type = error(#"{"title":"a","helper":{"$type":"ShopCat","name":"tom"}}"#)
        #expect(type?.kind == .unknownType && type?.path == "helper.$type")
        #expect(error(#"{"title":"a","helper":"ann"}"#)?.path == "helper")
        #expect(error(#"{"title":"a","helper":{"$type":"ShopManager"}}"#)?.path == "helper.name")
        #expect(error(#"{"title":"a","helper":{"name":"ann"}}"#)?.path == "helper")
        #expect(!context.hasChanges)
    }

    @Test
    func `objects without a context have what they own`() throws {
        let json = #"{"title":"x","workers":[{"name":"bob","$type":"ShopEngineer","jobs":[]}]}"#
        let shop = try WorkShop(decoding: Data(json.utf8), as: .json)
        #expect(shop.workers.map(\.name) == ["bob"] && shop.workers[0].shop === shop)
        let reference = #"{"title":"a","helper":{"$type":"ShopManager","name":"ann"}}"#
        #expect(throws: ModelDecodingError.self) {
            try ShopJob(decoding: Data(reference.utf8), as: .json)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that has to be there is one of the document`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.badges())
        let guardian = BadgeGuard("gus")
        _ = ShopBadge(7, guardian)
        let data = try guardian.encoded(as: .json)
        #expect(String(decoding: data, as: UTF8.self) == #"{"name":"gus","badge":{"number":7}}"#)
        let read = try context.decode(BadgeGuard.self, from: data, as: .json)
        #expect(read.badge?.holder === read)
        try context.save()
        let alone = try BadgeGuard(decoding: data, as: .json)
        #expect(alone.badge?.holder === alone)
        #expect(throws: ModelDecodingError.self) {
            try context.decode(ShopBadge.self, from: Data(#"{"number":7}"#.utf8), as: .json)
        }
    }
}
