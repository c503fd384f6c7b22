import Dovetail
import StoreTestSupport
import Testing

/// Relationships to several objects of all classes that conform to a protocol.
struct ProtocolToManyTests {
    private func names(_ workers: [any ShopWorker]?) -> String {
        (workers ?? []).map(\.name).joined(separator: " ")
    }

    private func shop(in context: ModelContext) throws -> WorkShop {
        try #require(try context.fetch(FetchDescriptor<WorkShop>()).first)
    }

    /// A shop with a manager, two engineers, and another manager.
    private func saved(_ container: ModelContainer) throws -> (ModelContext, WorkShop) {
        let context = ModelContext(container)
        let workers: [any ShopWorker] = [
            ShopManager("a"), ShopEngineer("b"), ShopEngineer("c"), ShopManager("d"),
        ]
        let shop = WorkShop("x", workers: workers)
        context.insert(shop)
        try context.save()
        return (context, shop)
    }

    @Test
    func `both sides are in step before anything is inserted`() {
        let (ann, bob) = (ShopManager("a"), ShopEngineer("b"))
        let shop = WorkShop("x", workers: [ann, bob])
        #expect(ann.shop === shop && bob.shop === shop && names(shop.workers) == "a b")
        shop.workers.append(ShopManager("c"))
        shop.workers.insert(ShopEngineer("d"), at: 0)
        #expect(names(shop.workers) == "d a b c")
        shop.workers.append(ann)
        #expect(names(shop.workers) == "d a b c")
        shop.workers.swapAt(0, 3)
        #expect(names(shop.workers) == "c a b d")
        ann.shop = nil
        #expect(names(shop.workers) == "c b d")
        ann.shop = shop
        #expect(names(shop.workers) == "c b d a")
        let other = WorkShop("y")
        other.workers = shop.workers
        #expect(shop.workers.isEmpty && names(other.workers) == "c b d a" && bob.shop === other)
        other.workers.removeAll { $0 is ShopManager }
        #expect(names(other.workers) == "b d" && ann.shop == nil)
        shop.guests = [bob, ann]
        other.guests?.append(bob)
        #expect(names(shop.guests) == "a" && names(other.guests) == "b")
    }

    @Test(arguments: StoreKind.allCases)
    func `the order over all classes comes back`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let (context, shop) = try saved(container)
        #expect(shop.workers.allSatisfy { ($0 as? any PersistentModel)?.modelContext === context })
        let other = ModelContext(container)
        let found = try self.shop(in: other)
        #expect(names(found.workers) == "a b c d")
        #expect(found.workers[0] is ShopManager && found.workers[1] is ShopEngineer)
        found.workers.swapAt(1, 3)
        found.workers.insert(ShopManager("e"), at: 2)
        #expect(names(found.workers) == "a d e c b")
        try other.save()
        context.processPendingChanges()
        #expect(names(shop.workers) == "a d e c b")
        shop.workers.reverse()
        try context.save()
        let third = ModelContext(container)
        #expect(names(try self.shop(in: third).workers) == "b c e d a")
    }

    @Test(arguments: StoreKind.allCases)
    func `to add does not read the list, and comes last`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        _ = try saved(container)
        let other = ModelContext(container)
        let found = try self.shop(in: other)
        let new = ShopEngineer("e")
        new.shop = found
        try other.save()
        #expect(names(found.workers) == "a b c d e")
        let third = ModelContext(container)
        #expect(names(try self.shop(in: third).workers) == "a b c d e")
    }

    @Test
    func `a list is read with one query for each class`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(
            for: [WorkShop.self, ShopManager.self, ShopEngineer.self],
            configuration: configuration
        )
        _ = try saved(container)
        let context = ModelContext(container)
        let shop = try self.shop(in: context)
        _ = log.take()
        let workers = shop.workers
        #expect(log.takeReads().count == 2)
        #expect(names(workers) == "a b c d" && workers.allSatisfy { $0.shop === shop })
        #expect(names(shop.workers) == "a b c d")
        #expect(log.takeReads().isEmpty)
        // Only the place of what has moved is written, and only what was added is inserted.
        shop.workers.append(ShopEngineer("e"))
        try context.save()
        let writes = log.take().map(\.sql).filter { !$0.hasPrefix("SELECT") }
        #expect(writes.count { $0.hasPrefix("UPDATE") } == 0)
        #expect(writes.count { $0.hasPrefix("INSERT") } == 1)
        shop.workers.swapAt(0, 1)
        try context.save()
        let updates = log.take().map(\.sql).filter { $0.hasPrefix("UPDATE") }
        #expect(updates.count == 1 && updates[0].contains(#"SET "WorkShop$workers$order""#))
        try context.save()
        #expect(log.take().isEmpty)
    }

    @Test
    func `a prefetch asks each class once, and nothing is asked later`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(
            for: [WorkShop.self, ShopManager.self, ShopEngineer.self, ShopJob.self],
            configuration: configuration
        )
        let context = ModelContext(container)
        for number in 0..<50 {
            let manager = ShopManager("m\(number)")
            manager.jobs = [ShopJob("j\(number)")]
            context.insert(WorkShop("\(number)", workers: [manager, ShopEngineer("e\(number)")]))
        }
        try context.save()
        let fresh = ModelContext(container)
        var shops = FetchDescriptor<WorkShop>()
        shops.relationshipKeyPathsForPrefetching = [\.workers]
        _ = log.take()
        let found = try fresh.fetch(shops)
        #expect(log.takeReads().count == 3)
        #expect(found.allSatisfy { $0.workers.count == 2 && $0.workers[0].shop === $0 })
        #expect(log.takeReads().isEmpty)
        var jobs = FetchDescriptor<ShopJob>()
        jobs.relationshipKeyPathsForPrefetching = [\.owner]
        let other = ModelContext(container)
        let done = try other.fetch(jobs)
        // No engineer has a job: nobody asks for one.
        #expect(log.takeReads().count == 2)
        #expect(done.count == 50 && done.allSatisfy { $0.owner is ShopManager })
        #expect(log.takeReads().isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `what is deleted with it, and what leaves it`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let (context, shop) = try saved(container)
        shop.guests = [ShopManager("g"), shop.workers[1]]
        try context.save()
        let gone = try #require(shop.workers[0] as? ShopManager)
        context.delete(gone)
        #expect(names(shop.workers) == "b c d")
        try context.save()
        #expect(names(shop.workers) == "b c d")
        context.delete(shop)
        context.rollback()
        #expect(names(shop.workers) == "b c d" && names(shop.guests) == "g b")
        shop.guests = nil
        #expect(shop.guests?.isEmpty == true)
        context.delete(shop)
        try context.save()
        let other = ModelContext(container)
        #expect(try other.fetch(FetchDescriptor<ShopManager>()).map(\.name) == ["g"])
        #expect(try other.fetchCount(FetchDescriptor<ShopEngineer>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `the database deletes them, too`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let (context, shop) = try saved(container)
        shop.guests = [ShopManager("g")]
        try context.save()
        let other = ModelContext(container)
        try other.delete(model: WorkShop.self)
        try other.save()
        #expect(try other.fetch(FetchDescriptor<ShopManager>()).map(\.name) == ["g"])
        #expect(try other.fetchCount(FetchDescriptor<ShopEngineer>()) == 0)
        context.processPendingChanges()
        #expect(shop.isDeleted)
    }

    @Test(arguments: StoreKind.allCases)
    func `two contexts add to one list`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let (context, shop) = try saved(container)
        let other = ModelContext(container)
        let same = try self.shop(in: other)
        same.workers.append(ShopManager("e"))
        shop.workers.append(ShopEngineer("f"))
        try other.save()
        try context.save()
        #expect(Set(shop.workers.map(\.name)) == ["a", "b", "c", "d", "e", "f"])
        other.processPendingChanges()
        #expect(names(same.workers) == names(shop.workers))
        let third = ModelContext(container)
        #expect(names(try self.shop(in: third).workers) == names(shop.workers))
    }

    @Test(arguments: StoreKind.allCases)
    func `a class that the container does not know is an error`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let (context, shop) = try saved(container)
        shop.workers.append(ShopStranger("s"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.description.contains("ShopStranger") == true)
        shop.workers.removeLast()
        #expect(names(shop.workers) == "a b c d")
        shop.workers.append(ShopManager("e"))
        try context.save()
        let third = ModelContext(container)
        #expect(names(try self.shop(in: third).workers) == "a b c d e")
    }

    @Test(arguments: StoreKind.allCases)
    func `unique values bring lists together`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let (context, _) = try saved(container)
        let again = WorkShop("x", workers: [ShopManager("e"), ShopEngineer("f")])
        context.insert(again)
        try context.save()
        #expect(names(again.workers) == "a b c d e f")
        let manager = ShopManager("a")
        manager.jobs = [ShopJob("paint")]
        context.insert(manager)
        try context.save()
        #expect(manager.shop === again && manager.jobs.first?.owner === manager)
        #expect(try context.fetchCount(FetchDescriptor<ShopManager>()) == 3)
    }

    @Test(arguments: StoreKind.allCases)
    func `many are added one by one`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        let shop = WorkShop("x")
        context.insert(shop)
        for number in 0..<3000 {
            let isManager = number.isMultiple(of: 3)
            shop.workers.append(isManager ? ShopManager("\(number)") : ShopEngineer("\(number)"))
        }
        try context.save()
        let other = ModelContext(container)
        let found = try self.shop(in: other).workers.map(\.name)
        #expect(found == (0..<3000).map { "\($0)" })
    }

    @Test(arguments: StoreKind.allCases)
    func `whoever reads a list learns of its changes`(_ kind: StoreKind) throws {
        final class Count: @unchecked Sendable { var value = 0 }
        let container = try kind.shops()
        let (_, shop) = try saved(container)
        let count = Count()
        func track() {
            withObservationTracking {
                _ = shop.workers
            } onChange: {
                count.value += 1
            }
        }
        track()
        ShopEngineer("e").shop = shop
        #expect(count.value == 1)
        track()
        shop.workers.removeLast()
        #expect(count.value == 2)
    }
}
