import Dovetail
import Foundation
import StoreTestSupport
import Synchronization
import Testing

@Model class PlainAccount {
    var balance = 0
    var opened = Date(timeIntervalSince1970: 0)
    var tags: [String] = []
    var log: [String] = []
    init() {}
}

/// Never below nothing, and writes down what is set.
@Model final class GuardedAccount: PlainAccount {
    var limit = 0
    override var balance: Int {
        get { super.balance }
        set {
            log.append("\(super.balance) to \(newValue)")
            super.balance = max(newValue, 0)
        }
    }
    override var tags: [String] { didSet { limit += 1 } }
    override init() { super.init() }
}

/// Properties that a subclass overrides: what no program sets is given without them.
struct OverriddenPropertyTests {
    private struct Stop: Error {}

    private func container(_ kind: StoreKind) throws -> ModelContainer {
        try kind.container(PlainAccount.self, GuardedAccount.self)
    }

    @Test(arguments: StoreKind.allCases)
    func `a transaction that throws gives back what was there, by no setter`(
        _ kind: StoreKind
    ) throws {
        let context = ModelContext(try container(kind))
        // Finer than a column keeps it.
        let opened = Date(timeIntervalSinceReferenceDate: 1.000_000_1)
        let accounts = [GuardedAccount(), GuardedAccount()]
        context.insert(accounts[0])
        try context.save()
        // One that is stored and waits, and one that is new.
        context.insert(accounts[1])
        for account in accounts {
            account.balance = 100
            account.opened = opened
            account.tags = ["a"]
        }
        #expect(throws: Stop.self) {
            try context.transaction {
                for account in accounts {
                    account.balance -= 300
                    account.tags.append("b")
                    account.opened = .distantPast
                    account.limit = 7
                }
                throw Stop()
            }
        }
        for account in accounts {
            #expect(account.balance == 100)
            #expect(account.log == ["0 to 100"])
            #expect(account.tags == ["a"])
            #expect(account.opened == opened)
            #expect(account.limit == 1)
        }
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<GuardedAccount>())
        #expect(stored.map(\.balance) == [100, 100])
        #expect(stored.map(\.log) == [["0 to 100"], ["0 to 100"]])
        #expect(stored.map(\.limit) == [1, 1])
    }

    @Test(arguments: StoreKind.allCases)
    func `a rollback and what others have saved come by no setter`(_ kind: StoreKind) throws {
        let context = ModelContext(try container(kind))
        let account = GuardedAccount()
        context.insert(account)
        try context.save()
        account.balance = 5
        account.tags = ["x"]
        context.rollback()
        #expect(account.balance == 0)
        #expect(account.log == [])
        #expect(account.limit == 0)

        let other = ModelContext(context.container)
        let theirs = try #require(try other.fetch(FetchDescriptor<GuardedAccount>()).first)
        theirs.balance = 9
        try other.save()
        context.processPendingChanges()
        #expect(account.balance == 9)
        #expect(account.log == ["0 to 9"])
    }

    @Test(arguments: StoreKind.allCases)
    func `whoever reads it hears that it is given back`(_ kind: StoreKind) throws {
        let context = ModelContext(try container(kind))
        let account = GuardedAccount()
        context.insert(account)
        account.balance = 1
        let heard = Mutex(0)
        try? context.transaction {
            account.balance = 2
            withObservationTracking {
                _ = account.balance
            } onChange: {
                heard.withLock { $0 += 1 }
            }
            throw Stop()
        }
        #expect(account.balance == 1)
        #expect(heard.withLock { $0 } == 1)
    }
}
