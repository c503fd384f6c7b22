import Dovetail
import DovetailTesting
import StoreTestSupport
import Testing

/// One row of the random histories. The amounts of all rows come to nothing after each save.
@Model
struct Share: Identifiable, Equatable, Sendable {
    let id: Int
    var amount: Int
    var label: String
}

/// What is stored, and what waits in some contexts, as plain values.
struct ShareBook {
    enum Write {
        case insert(Share)
        case upsert(Share)
        case update(Share)
        case delete(Int)
        case deleteWhere(label: String)
    }

    typealias Rows = [Int: Share]

    var rows: Rows = [:]

    /// The rows after some writes, or the error of the first one that fails.
    static func rows(_ rows: Rows, after writes: [Write]) throws(ShareError) -> Rows {
        var rows = rows
        for write in writes {
            switch write {
            case .insert(let share):
                guard rows[share.id] == nil else { throw ShareError(kind: .uniqueViolation) }
                rows[share.id] = share
            case .upsert(let share): rows[share.id] = share
            case .update(let share):
                guard rows[share.id] != nil else { throw ShareError(kind: .notFound) }
                rows[share.id] = share
            case .delete(let id): rows[id] = nil
            case .deleteWhere(let label): rows = rows.filter { $0.value.label != label }
            }
        }
        return rows
    }

    /// The row that makes the sum nothing. It has the key 0, which no other write uses.
    static func balance(of rows: Rows) -> Share {
        let sum = rows.values.filter { $0.id != 0 }.map(\.amount).reduce(0, +)
        return Share(id: 0, amount: -sum, label: "balance")
    }
}

/// Why writes fail.
struct ShareError: Error {
    let kind: StoreError.Kind
}

/// One context with what it should see.
final class ShareContext {
    let context: ModelContext
    var waiting: [ShareBook.Write] = []

    init(_ container: ModelContainer) {
        context = ModelContext(container)
    }

    func add(_ write: ShareBook.Write) throws {
        switch write {
        case .insert(let share): context.insert(share)
        case .upsert(let share): context.upsert(share)
        case .update(let share): context.update(share)
        case .delete(let id): context.delete(Share(id: id, amount: 0, label: ""))
        case .deleteWhere(let label):
            try context.delete(model: Share.self, where: #Predicate { $0.label == label })
        }
        waiting.append(write)
    }

    /// Whether a fetch takes the write lock.
    var hasDeletion: Bool {
        waiting.contains { if case .deleteWhere = $0 { true } else { false } }
    }

    func rollback() {
        context.rollback()
        waiting = []
    }
}

/// Random steps of several contexts over one database, each compared with what plain values say.
struct RandomHistory {
    private struct Stop: Error {}

    private var random: SeededRandom
    private let seed: UInt64
    /// Whether nobody else tries to write during a transaction: a server lets two write at once, of which
    /// one waits for the other where they meet.
    private let oneWrites: Bool
    private var contexts: [ShareContext]
    private var book = ShareBook()
    /// How many steps were made.
    private(set) var count = 0
    /// How many saves and transactions were stored, and how many failed as they should.
    private(set) var stored = 0
    private(set) var refused = 0

    init(_ containers: [ModelContainer], seed: UInt64, oneWrites: Bool) {
        self.seed = seed
        self.oneWrites = oneWrites
        random = SeededRandom(seed: seed)
        contexts = containers.map { ShareContext($0) }
    }

    private var comment: Comment { "DOVETAIL_SEED=\(seed), step \(count)" }

    /// Makes steps until there were so many.
    ///
    /// - Throws: the first difference, which repeats with the seed.
    mutating func run(_ number: Int) throws {
        while count < number {
            let index = Int.random(in: 0..<contexts.count, using: &random)
            try step(contexts[index])
        }
        for context in contexts { context.rollback() }
        try look(contexts[0], book.rows)
    }

    private mutating func step(_ context: ShareContext) throws {
        count += 1
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<24: try context.add(write())
        case 24..<29: try look(context, book.rows)
        case 29..<34: try save(context)
        case 34: context.rollback()
        default: try transaction(context)
        }
    }

    private mutating func write() -> ShareBook.Write {
        let share = Share(
            id: Int.random(in: 1...24, using: &random),
            amount: Int.random(in: -50...50, using: &random),
            label: random.pick(["red", "green", "blue"])
        )
        return switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: .insert(share)
        case 2, 3: .update(share)
        case 4..<8: .delete(share.id)
        case 8: .deleteWhere(label: share.label)
        default: .upsert(share)
        }
    }

    /// A save of all that waits and of the balance.
    private mutating func save(_ context: ShareContext) throws {
        let result = try end(context, book.rows)
        guard let error = kind({ try whileLocked { try context.context.save() } }) else {
            try #require(result.kind == nil, comment)
            book.rows = result.rows
            context.waiting = []
            stored += 1
            return
        }
        try #require(error == result.kind, comment)
        refused += 1
        // What failed once would fail again.
        if random.isOne(in: 2) { context.rollback() }
    }

    /// Adds the balance, and says what a save should give.
    private func end(
        _ context: ShareContext,
        _ base: ShareBook.Rows
    ) throws -> (rows: ShareBook.Rows, kind: StoreError.Kind?) {
        do {
            let rows = try ShareBook.rows(base, after: context.waiting)
            try context.add(.upsert(ShareBook.balance(of: rows)))
            return (try ShareBook.rows(base, after: context.waiting), nil)
        } catch let error as ShareError {
            return (base, error.kind)
        }
    }

    /// A transaction, stored or thrown away as a whole.
    private mutating func transaction(_ context: ShareContext) throws {
        let before = context.waiting
        var rows = book.rows
        var expected: StoreError.Kind?
        var isBegun = false
        let stops = random.isOne(in: 4)
        do {
            try context.context.transaction {
                isBegun = true
                try inside(context, &rows, depth: 0)
                let result = try end(context, rows)
                rows = result.rows
                expected = result.kind
                if stops { throw Stop() }
            }
            try #require(expected == nil && !stops, comment)
            book.rows = rows
            context.waiting = []
            stored += 1
        } catch is Stop {
            context.waiting = before
        } catch let error as StoreError where error.kind == .locked && !isBegun {
            // See `whileLocked(_:)`.
            return
        } catch let error as StoreError {
            try #require(error.kind == expected && !stops, "\(comment): \(error)")
            context.waiting = before
            refused += 1
            if random.isOne(in: 2) { context.rollback() }
        }
    }

    /// Steps inside of a transaction. `rows` are those of the store as the transaction sees it.
    private mutating func inside(
        _ context: ShareContext,
        _ rows: inout ShareBook.Rows,
        depth: Int
    ) throws {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            count += 1
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<10: try context.add(write())
            case 10..<13: try look(context, rows)
            case 13..<15: try flush(context, &rows)
            case 15: context.rollback()
            case 16, 17: try others(than: context)
            default: if depth < 3 { try inner(context, &rows, depth: depth + 1) }
            }
        }
    }

    /// A save inside of a transaction, which is stored with it.
    private mutating func flush(_ context: ShareContext, _ rows: inout ShareBook.Rows) throws {
        do {
            let after = try ShareBook.rows(rows, after: context.waiting)
            try context.context.save()
            rows = after
            context.waiting = []
        } catch let error as ShareError {
            try #require(kind { try context.context.save() } == error.kind, comment)
            context.rollback()
        }
    }

    /// A transaction inside of one, which can fail alone.
    private mutating func inner(
        _ context: ShareContext,
        _ rows: inout ShareBook.Rows,
        depth: Int
    ) throws {
        let before = (context.waiting, rows)
        let stops = random.isOne(in: 3)
        do {
            var expected: StoreError.Kind?
            do {
                try context.context.transaction {
                    try inside(context, &rows, depth: depth)
                    do throws(ShareError) {
                        rows = try ShareBook.rows(rows, after: context.waiting)
                    } catch {
                        expected = error.kind
                    }
                    if stops { throw Stop() }
                }
            } catch let error as StoreError {
                try #require(error.kind == expected && !stops, "\(comment): \(error)")
                throw Stop()
            }
            try #require(expected == nil && !stops, comment)
            context.waiting = []
        } catch is Stop {
            (context.waiting, rows) = before
        }
    }

    /// Other contexts see what is stored, and cannot write, while one is in a transaction.
    private func others(than context: ShareContext) throws {
        for other in contexts where other !== context {
            guard !oneWrites else {
                if !other.hasDeletion { try look(other, book.rows) }
                continue
            }
            let isSame = other.context.container === context.context.container
            let expected: StoreError.Kind = isSame ? .wouldDeadlock : .locked
            if other.hasDeletion {
                let kind = kind { _ = try other.context.fetch(FetchDescriptor<Share>()) }
                // What is wrong with the writes alone, such as two inserts of one key, is found
                // without the store.
                let known = Self.refusal(of: other.waiting, book.rows)
                try #require(
                    kind == expected
                        || (known != nil && [.uniqueViolation, .notFound].contains(kind)),
                    "\(comment): \(kind as Any) for \(known as Any)"
                )
            } else {
                try look(other, book.rows)
            }
            if !other.waiting.isEmpty {
                try #require(kind { try other.context.save() } == expected, comment)
            }
        }
    }

    /// Fetches, and compares with the rows of the store and what waits, if that can be saved.
    private func look(_ context: ShareContext, _ base: ShareBook.Rows) throws {
        guard let rows = try? ShareBook.rows(base, after: context.waiting) else { return }
        let descriptor = FetchDescriptor<Share>(sortBy: [SortDescriptor(\.id)])
        let found = try whileLocked { try context.context.fetch(descriptor) }
        try #require(found == rows.values.sorted { $0.id < $1.id }, comment)
    }

    /// Why some writes could not be saved.
    private static func refusal(
        of writes: [ShareBook.Write],
        _ rows: ShareBook.Rows
    ) -> StoreError.Kind? {
        do throws(ShareError) {
            _ = try ShareBook.rows(rows, after: writes)
            return nil
        } catch {
            return error.kind
        }
    }

    /// Tries again while the database is locked. The readers take locks of the write-ahead log for
    /// moments, and the containers of this test do not wait for any.
    private func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
        for _ in 0..<10_000 {
            do {
                return try body()
            } catch let error as StoreError where error.kind == .locked {
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
        return try body()
    }

    private func kind(_ body: () throws -> Void) -> StoreError.Kind? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StoreError)?.kind ?? .other
        }
    }
}
