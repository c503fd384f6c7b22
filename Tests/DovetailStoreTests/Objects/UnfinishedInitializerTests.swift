import Dovetail
import StoreTestSupport
import Testing

private struct Refused: Error {}

@ModelProtocol private protocol Payer: PersistentModel {}

@Model private final class Purse: Payer {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Charge.purse) var charges: [Charge] = []
    var formerly: [Charge] = []
    init(_ name: String) { self.name = name }
}

@Model private class Charge {
    var amount: Int
    var purse: Purse?
    @Relationship var payer: (any Payer)?
    @Relationship(inverse: \ChargePart.charge) var parts: [ChargePart] = []
    var moreParts: [ChargePart] = []
    var moves = 0
    @Relationship(inverse: \Purse.formerly) var former: Purse? {
        didSet { if oldValue !== former { moves += 1 } }
    }

    init(amount: Int, purse: Purse) throws {
        (self.amount, self.purse, payer) = (amount, purse, purse)
        parts = [ChargePart(self)]
        parts.append(ChargePart(self))
        guard amount > 0 else { throw Refused() }
    }

    init?(positive amount: Int, purse: Purse) {
        (self.amount, self.purse) = (amount, purse)
        if amount <= 0 { return nil }
        if amount == 100 { return }
        payer = purse
    }

    init(plain: Int) { amount = plain }

    convenience init(text: String, purse: Purse) throws {
        self.init(plain: 0)
        self.purse = purse
        guard let amount = Int(text) else { throw Refused() }
        self.amount = amount
    }

    convenience init(asking payer: (any Payer)?, _ purse: Purse) throws {
        self.init(plain: 3)
        self.purse = purse
        self.payer = payer
        for _ in 0..<2 { parts.append(ChargePart(self)) }
        let line = ChargePart(self)
        guard self.payer != nil, line.other == nil else { throw Refused() }
        parts.removeAll { $0 === line }
        line.charge = nil
    }

    convenience init(watched isGood: Bool, _ purse: Purse) throws {
        self.init(plain: 4)
        former = purse
        guard isGood else { throw Refused() }
        self.purse = purse
    }

    convenience init(checked: Bool, _ other: Purse) throws {
        try self.init(amount: 5, purse: other)
        guard checked else { throw Refused() }
    }
}

@Model private final class ChargePart {
    var charge: Charge?
    @Relationship(inverse: \Charge.moreParts) var other: Charge?
    init(_ charge: Charge) { self.charge = charge }
}

@Model private final class Refund: Charge {
    var reason: String
    var first: Purse?

    init(reason: String, purse: Purse) throws {
        (self.reason, first) = (reason, purse)
        try super.init(amount: 9, purse: purse)
        guard !reason.isEmpty else { throw Refused() }
    }
}

/// Initializers that throw or give nil after they have set relationships.
@Suite struct UnfinishedInitializerTests {
    private static let makers: [@Sendable (Bool, Purse) throws -> Charge?] = [
        { isGood, purse in try Charge(amount: isGood ? 5 : -5, purse: purse) },
        { isGood, purse in Charge(positive: isGood ? 7 : -7, purse: purse) },
        { isGood, purse in Charge(positive: isGood ? 100 : -7, purse: purse) },
        { isGood, purse in try Charge(text: isGood ? "12" : "a", purse: purse) },
        { isGood, purse in try Charge(checked: isGood, purse) },
        { isGood, purse in try Charge(asking: isGood ? purse : nil, purse) },
        { isGood, purse in try Charge(watched: isGood, purse) },
        { isGood, purse in try Refund(reason: isGood ? "r" : "", purse: purse) },
    ]

    @Test(arguments: StoreKind.allCases, makers.indices)
    func `one that ends without an object leaves none`(_ kind: StoreKind, _ maker: Int) throws {
        let make = Self.makers[maker]
        let context = ModelContext(
            try kind.container(Purse.self, Charge.self, ChargePart.self, Refund.self)
        )
        let purse = Purse("p")
        context.insert(purse)
        try context.save()
        #expect((try? make(false, purse)) == nil)
        #expect(purse.charges.isEmpty && purse.formerly.isEmpty && !context.hasChanges)
        try context.save()
        let other = ModelContext(context.container)
        #expect(try other.fetchCount(FetchDescriptor<Charge>()) == 0)
        #expect(try other.fetchCount(FetchDescriptor<ChargePart>()) == 0)

        let charge = try #require(try make(true, purse))
        #expect(purse.charges.map(ObjectIdentifier.init) == [ObjectIdentifier(charge)])
        #expect(charge.purse === purse)
        let parts = charge.parts.count
        #expect(parts == 0 || parts == 2)
        #expect(charge.parts.allSatisfy { $0.charge === charge })
        try context.save()
        #expect(try other.fetchCount(FetchDescriptor<Charge>()) == 1)
        #expect(try other.fetchCount(FetchDescriptor<ChargePart>()) == parts)
        let stored = try #require(try other.fetch(FetchDescriptor<Purse>()).first?.charges.first)
        #expect(stored.parts.count == parts && stored.amount == charge.amount)
        #expect((stored.payer != nil) == (charge.payer != nil))
    }

    /// Nobody but their relationships has them.
    @Test(arguments: StoreKind.allCases)
    func `what one makes beside its object is saved with it`(_ kind: StoreKind) throws {
        let context = ModelContext(
            try kind.container(
                Purse.self,
                Charge.self,
                ChargePart.self,
                Refund.self,
                ChargeLog.self
            )
        )
        let purse = Purse("p")
        context.insert(purse)
        for isGood in [true, false, true] {
            _ = try? ChargeLog(isGood, purse)
        }
        #expect(purse.charges.map(\.amount) == [1, 1])
        try context.save()
        let other = ModelContext(context.container)
        #expect(try other.fetch(FetchDescriptor<Charge>()).map(\.amount) == [1, 1])
    }

    /// One made in an initializer has put itself into the list by then.
    @Test(arguments: StoreKind.allCases)
    func `an object that puts itself into a list is there once`(_ kind: StoreKind) throws {
        let context = ModelContext(
            try kind.container(Wallet.self, Coin.self, Bill.self, Payment.self)
        )
        let wallet = Wallet()
        context.insert(wallet)
        try context.save()
        wallet.coins.append(Coin(1, wallet))
        _ = try Payment(2, wallet)
        _ = Payment(orNil: 3, wallet)
        let coins = [1, 2, 20, 3, 30]
        let moneys = [2, 3]
        #expect(wallet.coins.map(\.value) == coins)
        #expect(wallet.moneys.map(\.value) == moneys)
        try context.save()
        let stored = try #require(
            try ModelContext(context.container).fetch(FetchDescriptor<Wallet>()).first
        )
        #expect(stored.coins.map(\.value) == coins)
        #expect(stored.moneys.map(\.value) == moneys)
        let other = Wallet()
        context.insert(other)
        for coin in wallet.coins where coin.value > 9 { coin.wallet = other }
        #expect(wallet.coins.map(\.value) == [1, 2, 3])
        #expect(other.coins.map(\.value) == [20, 30])
    }

    /// What one made before it ended is known as soon as it is used.
    @Test func `an object that outlives it is linked when it is used`() throws {
        let context = ModelContext(
            try ModelContainer(for: Purse.self, configurations: MemoryConfiguration())
        )
        let purse = Purse("p")
        context.insert(purse)
        let keeper = ChargeKeeper()
        #expect(throws: Refused.self) { try ChargeMaker(keeper, purse) }
        let charge = try #require(keeper.charge)
        #expect(charge.purse === purse)
        #expect(purse.charges.count == 1)
    }
}

@Model private final class ChargeLog {
    var purse: Purse?
    init(_ isGood: Bool, _ purse: Purse) throws {
        self.purse = purse
        let charge = Charge(plain: 1)
        charge.purse = purse
        guard isGood else { throw Refused() }
    }
}

private final class ChargeKeeper { var charge: Charge? }

@Model private final class ChargeMaker {
    var purse: Purse?
    init(_ keeper: ChargeKeeper, _ purse: Purse) throws {
        self.purse = purse
        keeper.charge = Charge(positive: 3, purse: purse)
        throw Refused()
    }
}

@ModelProtocol private protocol Money: PersistentModel {
    var value: Int { get }
    var holder: Wallet? { get set }
}

@Model private final class Wallet {
    var coins: [Coin] = []
    @Relationship(inverse: \(any Money).holder) var moneys: [any Money] = []
    init() {}
}

@Model private final class Coin {
    var value: Int
    @Relationship(inverse: \Wallet.coins) var wallet: Wallet?
    init(_ value: Int, _ wallet: Wallet) { (self.value, self.wallet) = (value, wallet) }
}

@Model private final class Bill: Money {
    var value: Int
    @Relationship var holder: Wallet?
    init(_ value: Int, _ wallet: Wallet) { (self.value, holder) = (value, wallet) }
}

@Model private final class Payment {
    var value: Int
    var wallet: Wallet?
    init(_ value: Int, _ wallet: Wallet) throws {
        (self.value, self.wallet) = (value, wallet)
        wallet.coins.append(Coin(value, wallet))
        wallet.coins += [Coin(value * 10, wallet)]
        wallet.moneys.append(Bill(value, wallet))
    }
    convenience init?(orNil value: Int, _ wallet: Wallet) {
        do { try self.init(value, wallet) } catch { return nil }
    }
}
