import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Random work with relationships to protocols, compared with plain values after each step.
struct ProtocolHistoryTests {
    /// What the objects shall be. All have different numbers.
    fileprivate struct Plain: Equatable {
        /// The workers of each shop, in their order.
        var workers: [Int: [Int]] = [:]
        /// The jobs of each worker, in their order.
        var jobs: [Int: [Int]] = [:]
        /// All jobs, with who helps.
        var helpers: [Int: Int?] = [:]

        func shop(of worker: Int) -> Int? { workers.first { $0.value.contains(worker) }?.key }
        func owner(of job: Int) -> Int? { jobs.first { $0.value.contains(job) }?.key }

        mutating func setWorkers(_ shop: Int, _ new: [Int]) {
            for other in workers.keys { workers[other]?.removeAll { new.contains($0) } }
            workers[shop] = new
        }

        mutating func setShop(_ worker: Int, _ shop: Int?) {
            if self.shop(of: worker) == shop { return }
            for other in workers.keys { workers[other]?.removeAll { $0 == worker } }
            if let shop { workers[shop]?.append(worker) }
        }

        mutating func setJobs(_ worker: Int, _ new: [Int]) {
            for other in jobs.keys { jobs[other]?.removeAll { new.contains($0) } }
            jobs[worker] = new
        }

        mutating func setOwner(_ job: Int, _ owner: Int?) {
            if self.owner(of: job) == owner { return }
            for other in jobs.keys { jobs[other]?.removeAll { $0 == job } }
            if let owner { jobs[owner]?.append(job) }
        }

        mutating func deleteJob(_ job: Int) {
            setOwner(job, nil)
            helpers[job] = nil
        }

        mutating func deleteWorker(_ worker: Int, isEngineer: Bool) {
            if isEngineer { (jobs[worker] ?? []).forEach { deleteJob($0) } }
            setShop(worker, nil)
            jobs[worker] = nil
            for (job, helper) in helpers where helper == worker { helpers[job] = .some(nil) }
        }

        mutating func deleteShop(_ shop: Int, isEngineer: (Int) -> Bool) {
            for worker in workers[shop] ?? [] {
                deleteWorker(worker, isEngineer: isEngineer(worker))
            }
            workers[shop] = nil
        }
    }

    private struct World: SharedObjectWorld {
        typealias Plain = ProtocolHistoryTests.Plain

        let container: ModelContainer
        let context: ModelContext
        var random: SeededRandom
        var now = Plain()
        var saved = Plain()
        var shops: [Int: WorkShop] = [:]
        var workers: [Int: any (ShopWorker & JobOwner)] = [:]
        var jobs: [Int: ShopJob] = [:]
        var next = 0
        var depth = 0
        /// Whether another object may have the number of one that is known by now.
        var isReplaced = false

        init(_ container: ModelContainer, _ random: SeededRandom) {
            self.container = container
            self.random = random
            context = ModelContext(container)
        }

        func isEngineer(_ worker: Int) -> Bool { workers[worker] is ShopEngineer }

        mutating func change() -> String {
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1:
                guard let shop = pick(now.workers.keys) else { return "nothing" }
                let new = changed(now.workers[shop] ?? [], now.jobs.keys)
                shops[shop]?.workers = new.compactMap { workers[$0] }
                now.setWorkers(shop, new)
                return "shop \(shop): \(new)"
            case 2:
                guard let shop = pick(now.workers.keys), let worker = pick(now.jobs.keys),
                    let object = workers[worker]
                else { return "nothing" }
                shops[shop]?.workers.append(object)
                if now.workers[shop]?.contains(worker) == false { now.setShop(worker, shop) }
                return "shop \(shop) + \(worker)"
            case 3:
                guard let worker = pick(now.jobs.keys) else { return "nothing" }
                let shop = pickOrNil(now.workers.keys)
                workers[worker]?.shop = shop.flatMap { shops[$0] }
                now.setShop(worker, shop)
                return "worker \(worker) in \(shop ?? 0)"
            case 4:
                guard let worker = pick(now.jobs.keys) else { return "nothing" }
                let new = changed(now.jobs[worker] ?? [], now.helpers.keys)
                workers[worker]?.jobs = new.compactMap { jobs[$0] }
                now.setJobs(worker, new)
                return "worker \(worker): \(new)"
            case 5:
                guard let job = pick(now.helpers.keys) else { return "nothing" }
                let helper = pickOrNil(now.jobs.keys)
                jobs[job]?.helper = helper.flatMap { workers[$0] }
                now.helpers[job] = .some(helper)
                return "job \(job) helped by \(helper ?? 0)"
            default:
                guard let job = pick(now.helpers.keys) else { return "nothing" }
                let owner = pickOrNil(now.jobs.keys)
                jobs[job]?.owner = owner.flatMap { workers[$0] }
                now.setOwner(job, owner)
                return "job \(job) of \(owner ?? 0)"
            }
        }

        mutating func insert() -> String {
            let id = number()
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let shop = WorkShop("\(id)")
                let new = changed([], now.jobs.keys)
                shop.workers = new.compactMap { workers[$0] }
                now.workers[id] = []
                now.setWorkers(id, new)
                shops[id] = shop
                context.insert(shop)
                return "insert shop \(id): \(new)"
            case 1:
                let manager = ShopManager("\(id)")
                workers[id] = manager
                now.jobs[id] = []
                context.insert(manager)
                return "insert manager \(id)"
            case 2:
                let engineer = ShopEngineer("\(id)")
                workers[id] = engineer
                now.jobs[id] = []
                // It comes with the shop, if there is one.
                if let shop = pick(now.workers.keys) {
                    shops[shop]?.workers.insert(engineer, at: 0)
                    now.workers[shop]?.insert(id, at: 0)
                } else {
                    context.insert(engineer)
                }
                return "insert engineer \(id)"
            default:
                let owner = pickOrNil(now.jobs.keys)
                let job = ShopJob("\(id)", owner: owner.flatMap { workers[$0] })
                jobs[id] = job
                now.helpers[id] = .some(nil)
                now.setOwner(id, owner)
                context.insert(job)
                return "insert job \(id) of \(owner ?? 0)"
            }
        }

        mutating func delete() -> String {
            let all = [Array(now.workers.keys), Array(now.jobs.keys), Array(now.helpers.keys)]
            guard let id = pick(all.joined()) else { return "nothing" }
            if let shop = shops[id] {
                context.delete(shop)
                now.deleteShop(id, isEngineer: isEngineer)
            } else if let manager = workers[id] as? ShopManager {
                context.delete(manager)
                now.deleteWorker(id, isEngineer: false)
            } else if let engineer = workers[id] as? ShopEngineer {
                context.delete(engineer)
                now.deleteWorker(id, isEngineer: true)
            } else if let job = jobs[id] {
                context.delete(job)
                now.deleteJob(id)
            }
            return "delete \(id)"
        }

        /// Another engineer with the key of one that is deleted has some of what that has had.
        mutating func replace() -> String {
            let engineers = now.jobs.keys.filter(isEngineer)
            guard let id = pick(engineers), let old = workers[id] as? ShopEngineer else {
                return "nothing"
            }
            isReplaced = true
            let new = ShopEngineer("\(id)")
            let isFirst = Bool.random(using: &random)
            let kept = (now.jobs[id] ?? []).filter { _ in Bool.random(using: &random) }
            let helped = now.helpers.keys.sorted().filter { now.helpers[$0] == id }
                .filter { _ in Bool.random(using: &random) }
            let shop = Bool.random(using: &random) ? now.shop(of: id) : nil
            func give() {
                context.insert(new)
                new.jobs = kept.compactMap { jobs[$0] }
            }
            if isFirst { give() }
            // Jobs that it has are deleted with it.
            if !isFirst { old.jobs = old.jobs.filter { !kept.contains(Int($0.title) ?? 0) } }
            if isFirst { helped.forEach { jobs[$0]?.helper = new } }
            context.delete(old)
            if !isFirst {
                give()
                helped.forEach { jobs[$0]?.helper = new }
            }
            if let shop { shops[shop]?.workers.append(new) }
            now.setJobs(0, kept)
            now.deleteWorker(id, isEngineer: true)
            now.jobs[id] = now.jobs.removeValue(forKey: 0)
            for job in helped where now.helpers[job] != nil { now.helpers[job] = .some(id) }
            if let shop { now.workers[shop]?.append(id) }
            workers[id] = new
            return "replace \(id): \(kept), helps \(helped), in \(shop ?? 0)"
        }

        /// Finds the objects that have the numbers again.
        mutating func reload(_ text: String) throws -> String {
            if isReplaced { try load(now) }
            return text
        }

        mutating func step() throws -> String {
            switch Int.random(in: 0..<25, using: &random) {
            case 0...4: return insert()
            case 5: return delete()
            case 6: return try reload(rollback())
            case 7: return try reload(refuse())
            case 24: return replace()
            case 8: return try changeElsewhere()
            case 9, 10, 11: return try save()
            default: return change()
            }
        }

        mutating func load(_ plain: Plain) throws {
            now = plain
            for shop in try context.fetch(FetchDescriptor<WorkShop>()) {
                shops[Int(shop.title) ?? 0] = shop
            }
            for manager in try context.fetch(FetchDescriptor<ShopManager>()) {
                workers[Int(manager.name) ?? 0] = manager
            }
            for engineer in try context.fetch(FetchDescriptor<ShopEngineer>()) {
                workers[Int(engineer.name) ?? 0] = engineer
            }
            for job in try context.fetch(FetchDescriptor<ShopJob>()) {
                jobs[Int(job.title) ?? 0] = job
            }
        }

        /// What objects say, those of this context or fresh ones. Both sides say the same.
        func plain(_ context: ModelContext) throws -> Plain {
            var plain = Plain()
            var (shops, owners): ([Int: Int], [Int: Int]) = ([:], [:])
            for shop in try context.fetch(FetchDescriptor<WorkShop>()) {
                plain.workers[Int(shop.title) ?? 0] = shop.workers.map { Int($0.name) ?? 0 }
            }
            let all: [any (ShopWorker & JobOwner)] =
                try context.fetch(FetchDescriptor<ShopManager>())
                + context.fetch(FetchDescriptor<ShopEngineer>())
            for worker in all {
                let id = Int((worker as any ShopWorker).name) ?? 0
                plain.jobs[id] = worker.jobs.map { Int($0.title) ?? 0 }
                shops[id] = worker.shop.flatMap { Int($0.title) }
            }
            for job in try context.fetch(FetchDescriptor<ShopJob>()) {
                let id = Int(job.title) ?? 0
                plain.helpers[id] = .some(job.helper.flatMap { Int($0.name) })
                owners[id] = job.owner.flatMap { Int($0.name) }
            }
            for worker in plain.jobs.keys { #expect(shops[worker] == plain.shop(of: worker)) }
            for job in plain.helpers.keys { #expect(owners[job] == plain.owner(of: job)) }
            return plain
        }
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `objects are what plain values would be`(_ kind: StoreKind, _ seed: UInt64) throws {
        var world = World(try kind.shops(), SeededRandom(seed: seed))
        // Lists that nobody reads in between are in step, too.
        try world.run(400, seed: seed, pause: 3)
    }
}
