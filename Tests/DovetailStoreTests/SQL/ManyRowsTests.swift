import Dovetail
import DovetailStore
import DovetailTesting
import Foundation
import StoreTestSupport
import Testing

@Model
struct Crate: Identifiable, Equatable, Sendable {
    var id: Int
    @Attribute(.unique) var code: String
    var weight: Double?
    var note: String?
    var content: Data?
    var packed: Date?
    var price: Decimal?
    var isOpen = false
    var tags: [String] = []

    init(_ id: Int, _ code: String? = nil) {
        self.id = id
        self.code = code ?? "code \(id)"
    }

    init(_ id: Int, using random: inout SeededRandom) {
        self.init(id)
        if random.isOne(in: 2) { weight = Double(random.below(19) - 9) / 4 }
        if random.isOne(in: 2) {
            // Some are longer than what is kept beside the rows.
            let length = random.isOne(in: 40) ? 90_000 : random.below(31)
            note = String(repeating: "ä", count: length)
        }
        if random.isOne(in: 3) { content = Data(repeating: 7, count: random.below(21)) }
        if random.isOne(in: 3) { packed = Date(timeIntervalSince1970: Double(id) * 1000) }
        if random.isOne(in: 3) { price = Decimal(id) / 8 }
        isOpen = random.isOne(in: 2)
        if random.isOne(in: 4) { tags = ["a", "b\"c"] }
    }
}

@Model
struct Slip: Identifiable, Equatable {
    var id: Int
    var crate: Int
}

/// Many rows that a store writes at once are written as they would be one by one.
@Suite struct ManyRowsTests {
    private struct Undone: Error {}

    /// What was thrown, without the words.
    private func told(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "done"
        } catch let error as StoreError {
            return "\(error.kind) \(error.table ?? "-") \(error.column ?? "-") \(error.keys)"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: SeededRandom.seeds)
    func `stores tell the same of many rows`(seed: UInt64) throws {
        var logs: [[String]] = []
        for kind in StoreKind.allCases {
            var random = SeededRandom(seed: seed)
            let context = ModelContext(try kind.container(Crate.self))
            let all = FetchDescriptor<Crate>(sortBy: [SortDescriptor(\.id)])
            var log: [String] = []
            var next = 0
            for round in 0..<12 {
                let count = random.below(151) + (round == 3 ? 2 : 0)
                var crates = (0..<count).map { Crate(next + $0, using: &random) }
                next += count
                // A value that is taken, by a stored row or by one before it.
                if random.isOne(in: 3), count > 1 {
                    let place = 1 + random.below(count - 1)
                    crates[place].code = "code \(next - 1 - random.below(place + 1))"
                }
                if round == 3 { crates[count - 1].code = crates[0].code }
                let isUpsert = random.isOne(in: 2)
                if isUpsert, next > count {
                    for _ in 0..<random.below(21) {
                        crates.append(Crate(random.below(next), using: &random))
                    }
                }
                let fails = random.isOne(in: 5) && round != 3
                log.append(
                    told {
                        try context.transaction {
                            if isUpsert {
                                context.upsert(crates)
                            } else {
                                context.insert(contentsOf: crates)
                            }
                            if random.isOne(in: 2) { _ = try context.fetchCount(all) }
                            if fails { throw Undone() }
                        }
                    }
                )
                log.append("\(try context.fetch(all))")
            }
            logs.append(log)
        }
        #expect(logs[0].contains { $0.hasPrefix("uniqueViolation") })
        for log in logs.dropFirst() { #expect(log == logs[0], "DOVETAIL_SEED=\(seed)") }
    }

    /// The connection of a store, in a transaction that is kept.
    private func write(
        _ container: ModelContainer,
        _ body: (any StoreConnection, EntityBinding) throws -> Void
    ) throws {
        let entity = try container.schema.entity(Crate.self)
        try container.store.withConnection { connection in
            try connection.transaction(keeping: true) { try body(connection, entity) }
        }
    }

    private func put(_ crate: Crate, to writer: any RowWriter) throws {
        try ModelWriter.writeRows(CollectionOfOne(crate), to: writer) { _ in
            try writer.finishRow()
        }
    }

    private func ids(_ container: ModelContainer) throws -> [Int] {
        try ModelContext(container).fetch(FetchDescriptor<Crate>(sortBy: [SortDescriptor(\.id)]))
            .map(\.id)
    }

    @Test(arguments: StoreKind.allCases)
    func `whoever reads sees the rows before, also in the middle of one`(kind: StoreKind) throws {
        let container = try kind.container(Crate.self)
        try write(container) { connection, entity in
            let writer = try connection.writer(.insert, into: entity)
            for id in 0..<75 {
                try put(Crate(id), to: writer)
                if id % 30 == 29 { #expect(try connection.count(of: Query(entity)) == id + 1) }
            }
            // A model that asks the store while it is written.
            let image = try RowImage(of: Crate(75, "half"))
            for column in entity.attributes.indices {
                try image.write(column, to: writer, at: column)
                if column == 1 { #expect(try connection.count(of: Query(entity)) == 75) }
            }
            try writer.finishRow()
            for id in 76..<90 { try put(Crate(id), to: writer) }
            try writer.finish()
        }
        #expect(try ids(container) == Array(0..<90))
        let half = try ModelContext(container).fetch(
            FetchDescriptor<Crate>(predicate: #Predicate { $0.id == 75 })
        )
        #expect(half == [Crate(75, "half")])
    }

    @Test(arguments: StoreKind.embedded)
    func `a row that is refused is named, and those before it stay`(kind: StoreKind) throws {
        for place in [5, 32, 33, 40, 63, 64, 70, 99] {
            let container = try kind.container(Crate.self)
            try write(container) { connection, entity in
                let crates = (0..<100).map { Crate($0, $0 == place ? "code 3" : nil) }
                let error = #expect(throws: StoreError.self) {
                    var given = Commit()
                    try ValueBatch(.insert, crates).apply(to: connection, of: entity, &given)
                }
                #expect(error?.kind == .uniqueViolation && error?.column == "code")
                #expect(error?.keys.first == [.integer(Int64(place))])
            }
            #expect(try ids(container) == Array(0..<place))
        }
    }

    @Test(arguments: StoreKind.embedded)
    func `what was undone is not written after all`(kind: StoreKind) throws {
        let container = try kind.container(Crate.self)
        try write(container) { connection, entity in
            let writer = try connection.writer(.insert, into: entity)
            for id in 0..<50 { try put(Crate(id), to: writer) }
            #expect(throws: Undone.self) {
                try connection.transaction(keeping: true) {
                    for id in 50..<60 { try put(Crate(id), to: writer) }
                    throw Undone()
                }
            }
            try connection.transaction(keeping: false) {
                for id in 60..<70 { try put(Crate(id), to: writer) }
            }
            for id in 70..<80 { try put(Crate(id), to: writer) }
            try writer.finish()
        }
        #expect(try ids(container) == Array(0..<50) + Array(70..<80))
    }

    @Test(arguments: StoreKind.allCases)
    func `two writers keep their order`(kind: StoreKind) throws {
        let container = try kind.container(Crate.self, Slip.self)
        let slips = try container.schema.entity(Slip.self)
        try write(container) { connection, entity in
            let writer = try connection.writer(.upsert, into: entity)
            let other = try connection.writer(.upsert, into: slips)
            for id in 0..<120 {
                try put(Crate(id % 100, "again \(id)"), to: writer)
                let slip = Slip(id: id % 90, crate: id)
                try ModelWriter.writeRows(CollectionOfOne(slip), to: other) { _ in
                    try other.finishRow()
                }
                if id == 99 {
                    let first = QueryExpression.attribute(0, isOptional: false)
                    let filter = QueryExpression.equal(first, .value(.integer(5)))
                    #expect(try connection.delete(Query(entity, filter: filter)) == 1)
                }
            }
            try writer.finish()
            try other.finish()
        }
        let context = ModelContext(container)
        let crates = try context.fetch(FetchDescriptor<Crate>(sortBy: [SortDescriptor(\.id)]))
        #expect(crates.map(\.code) == (0..<100).map { "again \($0 < 20 ? $0 + 100 : $0)" })
        let found = try context.fetch(FetchDescriptor<Slip>(sortBy: [SortDescriptor(\.id)]))
        #expect(found == (0..<90).map { Slip(id: $0, crate: $0 < 30 ? $0 + 90 : $0) })
    }

    @Test func `many rows are few statements of SQLite`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let context = ModelContext(
            try ModelContainer(for: Crate.self, configurations: configuration)
        )
        _ = log.take()
        context.insert(contentsOf: (0..<1000).map { Crate($0) })
        try context.save()
        let written = log.take().filter { $0.sql.hasPrefix("INSERT") }
        // 32 one by one, 30 times 32 at once, and the last 8.
        #expect(written.count == 32 + 30 + 8)
    }
}
