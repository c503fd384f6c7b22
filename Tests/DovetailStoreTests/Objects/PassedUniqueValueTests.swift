import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// Found by its number, then by its address.
@Model final class MailboxOwner {
    @Attribute(.unique) var number: Int
    @Attribute(.unique) var address: String

    init(_ number: Int, _ address: String) {
        self.number = number
        self.address = address
    }
}

/// The key first, wherever it is written.
@Model final class KeyedMailbox {
    @Attribute(.unique) var address: String
    @Attribute(.primaryKey) var number: Int

    init(_ number: Int, _ address: String) {
        self.address = address
        self.number = number
    }
}

/// Unique values that one row gives up and another one gets in the same save, by new objects that become rows.
struct PassedUniqueValueTests {
    private func addresses(_ container: ModelContainer) throws -> [Int: String] {
        let owners = try ModelContext(container).fetch(FetchDescriptor<MailboxOwner>())
        return Dictionary(uniqueKeysWithValues: owners.map { ($0.number, $0.address) })
    }

    @Test(arguments: StoreKind.allCases)
    func `a row that becomes an object gives its other values up`(_ kind: StoreKind) throws {
        let forms: [(change: [Int: String], new: [Int: String])] = [
            (change: [1: "new", 2: "a"], new: [:]),
            (change: [2: "a"], new: [1: "new"]),
            (change: [1: "new"], new: [2: "a"]),
            (change: [:], new: [1: "new", 2: "a"]),
            (change: [:], new: [1: "b", 2: "a"]),
            (change: [2: "c"], new: [1: "b", 3: "a"]),
            (change: [:], new: [1: "new", 4: "a"]),
        ]
        for form in forms {
            let container = try kind.container(MailboxOwner.self)
            let context = ModelContext(container)
            let owners = [1: "a", 2: "b", 3: "c"]
            let objects = owners.map { MailboxOwner($0.key, $0.value) }
            for object in objects { context.insert(object) }
            try context.save()
            for object in objects {
                if let address = form.change[object.number] { object.address = address }
            }
            for (number, address) in form.new { context.insert(MailboxOwner(number, address)) }
            try context.save()
            let wanted = owners.merging(form.change) { $1 }.merging(form.new) { $1 }
            #expect(try addresses(container) == wanted, "\(form)")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `two rows stay two where nobody becomes one of them`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(MailboxOwner.self))
        for (number, address) in [(1, "a"), (2, "b")] {
            context.insert(MailboxOwner(number, address))
        }
        try context.save()
        context.insert(MailboxOwner(1, "b"))
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.kind == .uniqueViolation)
        context.rollback()
        #expect(try addresses(context.container) == [1: "a", 2: "b"])
    }

    @Test(arguments: StoreKind.allCases)
    func `the key says which row it is`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(KeyedMailbox.self))
        for (number, address) in [(1, "a"), (2, "b")] {
            context.insert(KeyedMailbox(number, address))
        }
        try context.save()
        context.insert(KeyedMailbox(1, "b"))
        context.insert(KeyedMailbox(2, "a"))
        try context.save()
        let stored = try ModelContext(context.container).fetch(FetchDescriptor<KeyedMailbox>())
        #expect(Set(stored.map { "\($0.number)\($0.address)" }) == ["1b", "2a"])
    }

    /// Each save exchanges addresses among many owners, some changed and some new.
    @Test(arguments: StoreKind.allCases, SeededRandom.seeds)
    func `random exchanges end as they were wished`(_ kind: StoreKind, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let container = try kind.container(MailboxOwner.self)
        var wanted: [Int: String] = [:]
        for round in 0..<20 {
            let context = ModelContext(container)
            let objects = try context.fetch(FetchDescriptor<MailboxOwner>())
            // Some addresses pass on, some are new, and so are some of the owners.
            let told = (wanted.keys.sorted() + [round * 2, round * 2 + 1])
                .filter { _ in Bool.random(using: &random) }
            var pool = told.compactMap { wanted[$0] }
            pool += told.indices.map { "\(round) \($0)" }
            pool.shuffle(using: &random)
            for number in told.shuffled(using: &random) {
                let address = pool.removeLast()
                if let object = objects.first(where: { $0.number == number }),
                    Bool.random(using: &random)
                {
                    object.address = address
                } else {
                    context.insert(MailboxOwner(number, address))
                }
                wanted[number] = address
            }
            try context.save()
            #expect(try addresses(container) == wanted, "DOVETAIL_SEED=\(seed), round \(round)")
        }
    }
}
