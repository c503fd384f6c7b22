import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

@Model final class NumberedCoin {
    @Attribute(.primaryKey) var id: Int
    var face: String

    init(_ id: Int) {
        self.id = id
        face = "\(id)"
    }
}

/// A context finds its objects by whole numbers as keys, however these are spaced.
struct ObjectKeyTests {
    private static func keys(_ random: inout SeededRandom) -> [[Int]] {
        let far = (0..<300).map { _ in Int.random(in: .min ... .max, using: &random) }
        return [
            Array(0..<500), Array(-250..<250), (0..<300).map { $0 * 8 }, (0..<300).map { $0 << 32 },
            (0..<40).flatMap { block in (0..<9).map { block << 20 | $0 } },
            [.min, .min + 1, -1, 0, 1, .max - 1, .max], Array(Set(far)),
        ]
    }

    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `objects are found by keys of any spacing, also after some are gone`(
        _ kind: StoreKind,
        _ seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        for keys in Self.keys(&random) {
            let context = ModelContext(try kind.container(NumberedCoin.self))
            var coins: [Int: NumberedCoin] = [:]
            for key in keys.shuffled(using: &random) {
                let coin = NumberedCoin(key)
                coins[key] = coin
                context.insert(coin)
            }
            try context.save()
            let identifiers = coins.mapValues(\.persistentModelID)
            for key in keys.shuffled(using: &random).prefix(keys.count / 2) {
                if let coin = coins.removeValue(forKey: key) { context.delete(coin) }
            }
            try context.save()
            var checks = 0
            for key in keys {
                let identifier = try #require(identifiers[key])
                let found: NumberedCoin? = context.registeredModel(for: identifier)
                try #require(found === coins[key], "seed \(seed), key \(key)")
                checks += 1
            }
            try #require(checks == keys.count)
            let fetched = try context.fetch(FetchDescriptor<NumberedCoin>())
            try #require(fetched.count == coins.count, "seed \(seed)")
            for coin in fetched { try #require(coins[coin.id] === coin, "seed \(seed)") }
        }
    }
}
