import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Suite struct RandomDifferentialTests {
    /// Stores one random list, synchronizes it with the next, and compares with a dictionary.
    @Test(arguments: SeededRandom.seeds, StoreKind.allCases)
    func `the store holds what a dictionary would hold`(seed: UInt64, kind: StoreKind) throws {
        var random = SeededRandom(seed: seed)
        let context = ModelContext(try kind.container(User.self))
        var model: [Int: User] = [:]
        for round in 0..<60 {
            let comment: Comment = "\(kind), seed \(seed), round \(round)"
            // Some rounds change single values before.
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let user = User(id: Int.random(in: 0..<40, using: &random), using: &random)
                context.upsert(user)
                model[user.id] = user
            }
            var given: [User] = []
            var target: [Int: User] = [:]
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                let id = Int.random(in: 0..<40, using: &random)
                let user =
                    target[id]
                    ?? (random.isOne(in: 2) ? model[id] : nil) ?? User(id: id, using: &random)
                target[id] = user
                given.append(user)
            }
            let result = try context.synchronize(given)
            #expect(Set(result.inserted) == Set(target.keys).subtracting(model.keys), comment)
            #expect(Set(result.deleted) == Set(model.keys).subtracting(target.keys), comment)
            let both = target.filter { model[$0.key] != nil }
            #expect(
                Set(result.updated) == Set(both.filter { model[$0.key] != $0.value }.keys),
                comment
            )
            #expect(result.unchanged == both.count { model[$0.key] == $0.value }, comment)
            if random.isOne(in: 4) {
                context.rollback()
                model = Dictionary(uniqueKeysWithValues: try context.users().map { ($0.id, $0) })
            } else {
                if random.isOne(in: 2) { try context.save() }
                model = target
            }
            #expect(try context.users() == model.values.sorted { $0.id < $1.id }, comment)
        }
    }
}
