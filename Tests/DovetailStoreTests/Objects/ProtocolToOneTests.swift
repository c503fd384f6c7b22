import Dovetail
import StoreTestSupport
import Testing

/// Relationships to one object of any class that conforms to a protocol.
struct ProtocolToOneTests {
    private func job(_ title: String, in context: ModelContext) throws -> ShopJob? {
        try context.fetch(FetchDescriptor(predicate: #Predicate<ShopJob> { $0.title == title }))
            .first
    }

    @Test(arguments: StoreKind.allCases)
    func `both sides are in step before anything is inserted`(_ kind: StoreKind) throws {
        let (ann, rob) = (ShopManager("Ann"), ShopEngineer("Rob"))
        let job = ShopJob("paint", owner: ann)
        #expect(job.owner === ann && ann.jobs == [job])
        job.owner = rob
        #expect(job.owner === rob && rob.jobs == [job] && ann.jobs.isEmpty)
        ann.jobs.append(job)
        #expect(job.owner === ann && rob.jobs.isEmpty && ann.jobs == [job])
        rob.jobs = [job]
        #expect(job.owner === rob && ann.jobs.isEmpty)
        rob.jobs = []
        #expect(job.owner == nil)
        let other = ShopEngineer("Eve", jobs: [job])
        #expect(job.owner === other)
        job.owner = nil
        #expect(other.jobs.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `what it holds is inserted, saved and found`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        let jobs = ["a", "b", "c"].map { ShopJob($0) }
        let (ann, rob) = (ShopManager("Ann"), ShopEngineer("Rob"))
        jobs[0].owner = ann
        jobs[1].owner = rob
        jobs.forEach(context.insert)
        #expect(ann.modelContext === context && rob.modelContext === context)
        jobs[2].owner = ShopRobot("R2")
        #expect((jobs[2].owner as? ShopRobot)?.modelContext === context)
        try context.save()
        let other = ModelContext(container)
        let found = try other.fetch(
            FetchDescriptor<ShopJob>(sortBy: [SortDescriptor(\.title, comparator: .lexical)])
        )
        #expect(found.map { $0.owner?.name } == ["Ann", "Rob", "R2"])
        #expect(found[0].owner is ShopManager && found[1].owner is ShopEngineer)
        #expect(found[0].owner?.jobs == [found[0]])
        found[0].owner = found[1].owner
        try other.save()
        #expect(jobs[0].owner === ann)
        context.processPendingChanges()
        #expect(jobs[0].owner === rob && ann.jobs.isEmpty && rob.jobs == [jobs[1], jobs[0]])
        found[1].owner = nil
        try other.save()
        context.processPendingChanges()
        #expect(jobs[1].owner == nil && rob.jobs == [jobs[0]])
    }

    @Test
    func `each class has a column, at most one of which has a value`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(
            for: [
                WorkShop.self, ShopManager.self, ShopEngineer.self, ShopRobot.self,
                ShopVisitor.self, ShopJob.self,
            ],
            configuration: configuration
        )
        let entity = try container.schema.entity(ShopJob.self)
        #expect(
            entity.description.columns.map(\.name) == [
                "title", "minutes", "owner$ShopEngineer", "owner$ShopManager", "owner$ShopRobot",
                "owner$ShopVisitor", "helper$ShopEngineer", "helper$ShopManager",
                "ShopManager$jobs$order", "ShopEngineer$jobs$order", "ShopRobot$jobs$order",
                "ShopVisitor$jobs$order", "$id",
            ]
        )
        let rules = entity.description.references.map { [$0.table, $0.deleteRule.rawValue] }
        #expect(
            rules == [
                ["ShopEngineer", "cascade"], ["ShopManager", "nullify"], ["ShopRobot", "deny"],
                ["ShopEngineer", "nullify"], ["ShopManager", "nullify"],
            ]
        )
        let table = log.take().map(\.sql).first { $0.contains(#"CREATE TABLE "ShopJob""#) } ?? ""
        #expect(
            table.contains(
                #"CHECK (CASE WHEN "helper$ShopEngineer" IS NULL THEN 0 ELSE 1 END + "#
                    + #"CASE WHEN "helper$ShopManager" IS NULL THEN 0 ELSE 1 END <= 1)"#
            )
        )
        let context = ModelContext(container)
        let (ann, rob) = (ShopManager("Ann"), ShopEngineer("Rob"))
        let job = ShopJob("paint", owner: ann)
        context.insert(job)
        context.insert(rob)
        try context.save()
        _ = log.take()
        job.owner = rob
        try context.save()
        let updates = log.take().map(\.sql).filter { $0.hasPrefix("UPDATE") }
        #expect(updates.count == 1)
        #expect(updates.first?.contains(#""owner$ShopEngineer" = ?"#) == true)
        #expect(updates.first?.contains(#""owner$ShopManager" = ?"#) == true)
    }

    @Test(arguments: StoreKind.allCases)
    func `the rule of each class says what becomes of what it had`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        let owners: [any JobOwner] = [
            ShopManager("m"), ShopEngineer("e"), ShopRobot("r"), ShopVisitor("v"),
        ]
        for owner in owners { context.insert(ShopJob(owner.name, owner: owner)) }
        try context.save()
        let jobs = owners.compactMap { $0.jobs.first }
        #expect(jobs.count == 4)
        if let manager = owners[0] as? ShopManager { context.delete(manager) }
        if let engineer = owners[1] as? ShopEngineer { context.delete(engineer) }
        #expect(jobs[0].owner == nil && jobs[1].isDeleted)
        try context.save()
        if let robot = owners[2] as? ShopRobot { context.delete(robot) }
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        #expect(jobs[2].owner === owners[2] && !jobs[2].isDeleted)
        let other = ModelContext(container)
        let titles = try other.fetch(FetchDescriptor<ShopJob>()).map(\.title).sorted()
        #expect(titles == ["m", "r", "v"])
        #expect(try job("m", in: other)?.owner == nil)
        #expect(try job("r", in: other)?.owner?.name == "r")
        #expect(try job("v", in: other)?.owner?.name == "v")
    }

    @Test(arguments: StoreKind.allCases)
    func `the database knows the rules, too`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        context.insert(ShopJob("m", owner: ShopManager("m")))
        context.insert(ShopJob("e", owner: ShopEngineer("e")))
        context.insert(ShopJob("r", owner: ShopRobot("r")))
        try context.save()
        let other = ModelContext(container)
        try other.delete(model: ShopManager.self)
        try other.delete(model: ShopEngineer.self)
        try other.save()
        let jobs = try ModelContext(container).fetch(FetchDescriptor<ShopJob>())
        #expect(jobs.map(\.title).sorted() == ["m", "r"])
        #expect(jobs.first { $0.title == "m" }?.owner == nil)
        context.processPendingChanges()
        #expect(try job("m", in: context)?.owner == nil)
    }

    @Test(arguments: StoreKind.allCases)
    func `a rollback and a failed transaction bring it back`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        let (ann, rob) = (ShopManager("Ann"), ShopEngineer("Rob"))
        let job = ShopJob("paint", owner: ann)
        context.insert(job)
        context.insert(rob)
        try context.save()
        job.owner = rob
        context.rollback()
        #expect(job.owner === ann && ann.jobs == [job] && rob.jobs.isEmpty)
        context.delete(ann)
        #expect(job.owner == nil)
        context.rollback()
        #expect(job.owner === ann && ann.jobs == [job])
        struct Refused: Error {}
        #expect(throws: Refused.self) {
            try context.transaction {
                rob.jobs = [job]
                try context.save()
                throw Refused()
            }
        }
        #expect(job.owner === ann && ann.jobs == [job] && rob.jobs.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `two contexts that choose objects of two classes are in conflict`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        context.insert(ShopJob("paint"))
        context.insert(ShopManager("Ann"))
        context.insert(ShopEngineer("Rob"))
        try context.save()
        let job = try #require(try job("paint", in: context))
        let rob = try #require(try context.fetch(ShopEngineer.self, id: "Rob"))
        let other = ModelContext(container)
        try self.job("paint", in: other)?.owner =
            try other.fetch(FetchDescriptor<ShopManager>()).first
        try other.save()
        job.owner = rob
        do {
            try context.save()
            Issue.record("nothing was thrown")
        } catch let error as ConflictError {
            #expect(error.conflicts.map(\.attributes) == [["owner"]])
            #expect(error.conflicts[0].base["owner"] == .null)
            #expect(error.conflicts[0].mine?["owner"] == .text("Rob"))
            #expect(error.conflicts[0].theirs?["owner"] != .null)
        }
        context.conflictPolicy = .storeWins
        try context.save()
        #expect(job.owner?.name == "Ann" && job.owner is ShopManager)
        try self.job("paint", in: other)?.owner = nil
        try other.save()
        job.owner = rob
        context.conflictPolicy = .contextWins
        try context.save()
        let fresh = ModelContext(container)
        #expect(try self.job("paint", in: fresh)?.owner?.name == "Rob")
    }

    @Test(arguments: StoreKind.allCases)
    func `one that has to be there is asked for`(_ kind: StoreKind) throws {
        let container = try kind.badges()
        let context = ModelContext(container)
        let (gus, cal) = (BadgeGuard("Gus"), BadgeClerk("Cal"))
        let badge = ShopBadge(1, gus)
        #expect(gus.badge === badge)
        badge.holder = cal
        #expect(gus.badge == nil && cal.badge === badge)
        context.insert(badge)
        try context.save()
        badge.holder = gus
        #expect(cal.badge == nil && gus.badge === badge)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<ShopBadge>()).first)
        #expect((found.holder as? BadgeGuard)?.name == "Gus" && found.holder.badge === found)
        // Taken out of one that does not delete it.
        cal.badge = badge
        try context.save()
        cal.badge = nil
        #expect(throws: StoreError.self) { try context.save() }
        context.rollback()
        #expect(badge.holder === cal)
        // And of one that does.
        badge.holder = gus
        try context.save()
        gus.badge = nil
        try context.save()
        #expect(badge.isDeleted)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<ShopBadge>()) == 0)
    }

    @Test(arguments: StoreKind.allCases)
    func `the rows of the others may hold the keys`(_ kind: StoreKind) throws {
        let container = try kind.cards()
        let context = ModelContext(container)
        let holder = CardHolder("ann", PaperCard(1))
        context.insert(holder)
        try context.save()
        let other = ModelContext(container)
        let found = try #require(try other.fetch(FetchDescriptor<CardHolder>()).first)
        #expect(found.card is PaperCard && found.card?.holder === found)
        found.card = ChipCard(2)
        try other.save()
        context.processPendingChanges()
        #expect(holder.card is ChipCard && holder.card?.number == 2)
        // The one that wins is of another class.
        let again = CardHolder("ann", PaperCard(3))
        context.insert(again)
        try context.save()
        #expect(again.card?.number == 3)
        #expect(try context.fetchCount(FetchDescriptor<ChipCard>()) == 0)
        let third = ModelContext(container)
        let last = try #require(try third.fetch(FetchDescriptor<CardHolder>()).first)
        #expect(last.card is PaperCard && last.card?.number == 3)
        third.delete(last)
        try third.save()
        #expect(try third.fetchCount(FetchDescriptor<PaperCard>()) == 1)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object of a class that the container does not know is an error`(
        _ kind: StoreKind
    ) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        let job = ShopJob("paint", owner: ShopStranger("Sue"))
        #expect(job.owner?.name == "Sue")
        context.insert(job)
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.kind == .invalidSchema)
            #expect(error?.description.contains("ShopStranger") == true)
        }
        job.owner = ShopManager("Ann")
        try context.save()
        let fresh = ModelContext(container)
        #expect(try self.job("paint", in: fresh)?.owner?.name == "Ann")
        let known = try kind.container(ShopJob.self, ShopStranger.self, WorkShop.self)
        let third = ModelContext(known)
        third.insert(ShopJob("paint", owner: ShopStranger("Sue")))
        try third.save()
        let last = ModelContext(known)
        #expect(try self.job("paint", in: last)?.owner is ShopStranger)
    }

    @Test(arguments: StoreKind.allCases)
    func `an object that no context keeps is an error`(_ kind: StoreKind) throws {
        let container = try kind.shops()
        let context = ModelContext(container)
        let job = ShopJob("paint")
        job.helper = PlainWorker("Pat")
        #expect(job.helper == nil)
        context.insert(job)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .invalidObject && error?.column == "helper")
        #expect(error?.description.contains("PlainWorker") == true)
        job.helper = nil
        try context.save()
        let shop = WorkShop("x")
        context.insert(shop)
        shop.workers = [ShopManager("Ann"), PlainWorker("Pat")]
        #expect(throws: StoreError.self) { try context.save() }
        #expect(shop.workers.map(\.name) == ["Ann"])
        try context.save()
    }

    @Test(arguments: StoreKind.allCases)
    func `a required one needs a class that the container knows`(_ kind: StoreKind) throws {
        let error = #expect(throws: StoreError.self) { try kind.container(ShopBadge.self) }
        #expect(error?.kind == .invalidSchema)
        #expect(error?.description.contains("BadgeHolder") == true)
    }
}
