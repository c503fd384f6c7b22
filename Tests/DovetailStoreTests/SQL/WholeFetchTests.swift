import Dovetail
import StoreTestSupport
import Testing

/// Fetches of all rows that a predicate takes, in no order: SQLite hands each row to a function.
@Suite struct WholeFetchTests {
    private func context(_ kind: StoreKind, _ count: Int) throws -> ModelContext {
        let context = ModelContext(try kind.container(Nested.self))
        context.insert(contentsOf: (0..<count).map { Nested(id: $0, name: NestedName("n\($0)")) })
        try context.save()
        return context
    }

    @Test(arguments: StoreKind.allCases, [0, 1, 7, 3000])
    func `as many rows come as there are`(_ kind: StoreKind, _ count: Int) throws {
        let context = try context(kind, count)
        let found = try context.fetch(FetchDescriptor<Nested>())
        #expect(found.map(\.id).sorted() == Array(0..<count))
        let odd = FetchDescriptor<Nested>(predicate: #Predicate { $0.id % 2 == 1 })
        #expect(try context.fetch(odd).map(\.id).sorted() == (0..<count).filter { $0 % 2 == 1 })
    }

    @Test(arguments: StoreKind.allCases)
    func `a row that cannot be read ends the fetch, and the next one works`(
        _ kind: StoreKind
    ) throws {
        let context = try context(kind, 500)
        for _ in 0..<3 {
            let error = #expect(throws: ModelDecodingError.self) {
                try NestedName.$action.withValue(Action { if $0 == "n250" { throw NoName() } }) {
                    _ = try context.fetch(FetchDescriptor<Nested>())
                }
            }
            #expect(error?.path == "name")
            #expect(try context.fetch(FetchDescriptor<Nested>()).count == 500)
        }
        // The store is as it was for writing, too.
        context.insert(Nested(id: 500, name: NestedName("last")))
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<Nested>()) == 501)
    }

    @Test(arguments: StoreKind.allCases)
    func `a value fetches others while it is read`(_ kind: StoreKind) throws {
        let context = try context(kind, 20)
        var calls = 0
        let isOdd = FetchDescriptor<Nested>(predicate: #Predicate { $0.id % 2 == 1 })
        let found = try NestedName.$action.withValue(
            Action { _ in
                try NestedName.$action.withValue(nil) {
                    // The same query, another one, a row by its key, and rows one at a time.
                    guard try context.fetch(FetchDescriptor<Nested>()).count == 20,
                        try context.fetch(isOdd).count == 10,
                        try context.fetch(Nested.self, id: 3)?.name.text == "n3"
                    else { throw NoName() }
                    var count = 0
                    try context.enumerate(FetchDescriptor<Nested>(), batchSize: 3) { _ in count += 1
                    }
                    if count == 20 { calls += 1 }
                }
            }
        ) { try context.fetch(FetchDescriptor<Nested>()) }
        #expect(found.map(\.name.text).sorted() == (0..<20).map { "n\($0)" }.sorted())
        #expect(calls == 20)
    }

    @Test(arguments: StoreKind.allCases)
    func `a value saves and deletes others while it is read`(_ kind: StoreKind) throws {
        let context = try context(kind, 20)
        let other = ModelContext(context.container)
        var saved = 0
        let found = try NestedName.$action.withValue(
            Action { _ in
                try NestedName.$action.withValue(nil) {
                    // A query of a database in memory comes to rows that are inserted meanwhile.
                    guard saved < 30 else { return }
                    saved += 1
                    other.insert(Nested(id: 100 + saved, name: NestedName("new")))
                    try other.save()
                    // What waits is written for this fetch, and taken back.
                    let new = #Predicate<Nested> { $0.id > 100 }
                    try other.delete(model: Nested.self, where: new)
                    guard try other.fetch(FetchDescriptor<Nested>()).count == 20 else {
                        throw NoName()
                    }
                    other.rollback()
                }
            }
        ) { try context.fetch(FetchDescriptor<Nested>()) }
        #expect(found.filter { $0.id < 100 }.map(\.id).sorted() == Array(0..<20))
        #expect(saved >= 20)
        #expect(try context.fetchCount(FetchDescriptor<Nested>()) == 20 + saved)
    }

    @Test func `an error of a fetch inside of another one is that one's alone`() throws {
        let context = try context(.sqlite, 20)
        var calls = 0
        let found = try NestedName.$action.withValue(
            Action { _ in
                try NestedName.$action.withValue(Action { if $0 == "n9" { throw NoName() } }) {
                    do {
                        _ = try context.fetch(FetchDescriptor<Nested>())
                    } catch is ModelDecodingError {
                        calls += 1
                    }
                }
            }
        ) { try context.fetch(FetchDescriptor<Nested>()) }
        #expect(found.count == 20)
        #expect(calls == 20)
    }

    @Test func `whoever calls the function gets nothing`() throws {
        let context = try context(.sqlite, 3)
        let answers = try context.sql(
            #"SELECT dovetail_rows("id", "name") AS answer FROM "Nested""#,
            as: NoRow.self
        )
        #expect(answers.map(\.answer) == [nil])
        // Also while a fetch is running.
        let found = try NestedName.$action.withValue(
            Action { _ in
                for sql: SQLQuery in [
                    #"SELECT dovetail_rows(1) AS answer"#, #"SELECT dovetail_rows() AS answer"#,
                ] {
                    guard try context.sql(sql, as: NoRow.self).map(\.answer) == [nil] else {
                        throw NoName()
                    }
                }
            }
        ) { try context.fetch(FetchDescriptor<Nested>()) }
        #expect(found.count == 3)
    }

    @Test func `a trace shows the statement that people know`() throws {
        let log = StatementLog()
        var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        configuration.trace = log.trace()
        let container = try ModelContainer(for: Nested.self, configurations: configuration)
        let context = ModelContext(container)
        context.insert(contentsOf: (0..<5).map { Nested(id: $0, name: NestedName("\($0)")) })
        try context.save()
        _ = log.take()
        #expect(try context.fetch(FetchDescriptor<Nested>()).count == 5)
        let reads = log.takeReads()
        #expect(reads.map(\.sql) == [#"SELECT "id", "name" FROM "Nested""#])
        #expect(reads.map(\.rows) == [5])
    }

    @Test(arguments: StoreKind.allCases)
    func `a model has more columns than a function has arguments`(_ kind: StoreKind) throws {
        let context = ModelContext(try kind.container(ManyColumns.self))
        let values = (0..<4).map { ManyColumns(id: $0, first: "first \($0)", last: "last \($0)") }
        context.insert(contentsOf: values)
        try context.save()
        let found = try context.fetch(FetchDescriptor<ManyColumns>())
        #expect(found.sorted { $0.id < $1.id } == values)
    }
}

private struct NoName: Error {}

/// What happens when a name is read.
private final class Action: @unchecked Sendable {
    // Invariant: a test and the fetches in it run on one thread.
    let run: (String) throws -> Void

    init(_ run: @escaping (String) throws -> Void) {
        self.run = run
    }
}

@Model
private struct NoRow {
    var answer: Int?
}

@Model
private struct Nested: Identifiable {
    let id: Int
    @Attribute(.transformed(by: NestedName.self)) var name: NestedName
}

/// Does what a test wants whenever it is read.
private struct NestedName: ModelTransform {
    @TaskLocal static var action: Action?

    var text: String

    init(_ text: String) {
        self.text = text
    }

    static func decode(_ raw: String) throws -> NestedName {
        try action?.run(raw)
        return NestedName(raw)
    }

    static func encode(_ value: NestedName) -> String { value.text }
}

/// SQLite's functions have 127 arguments at most (https://sqlite.org/limits.html).
@Model
private struct ManyColumns: Identifiable, Equatable {
    let id: Int
    var first: String
    var c0: Int? = nil
    var c1: Int? = nil
    var c2: Int? = nil
    var c3: Int? = nil
    var c4: Int? = nil
    var c5: Int? = nil
    var c6: Int? = nil
    var c7: Int? = nil
    var c8: Int? = nil
    var c9: Int? = nil
    var c10: Int? = nil
    var c11: Int? = nil
    var c12: Int? = nil
    var c13: Int? = nil
    var c14: Int? = nil
    var c15: Int? = nil
    var c16: Int? = nil
    var c17: Int? = nil
    var c18: Int? = nil
    var c19: Int? = nil
    var c20: Int? = nil
    var c21: Int? = nil
    var c22: Int? = nil
    var c23: Int? = nil
    var c24: Int? = nil
    var c25: Int? = nil
    var c26: Int? = nil
    var c27: Int? = nil
    var c28: Int? = nil
    var c29: Int? = nil
    var c30: Int? = nil
    var c31: Int? = nil
    var c32: Int? = nil
    var c33: Int? = nil
    var c34: Int? = nil
    var c35: Int? = nil
    var c36: Int? = nil
    var c37: Int? = nil
    var c38: Int? = nil
    var c39: Int? = nil
    var c40: Int? = nil
    var c41: Int? = nil
    var c42: Int? = nil
    var c43: Int? = nil
    var c44: Int? = nil
    var c45: Int? = nil
    var c46: Int? = nil
    var c47: Int? = nil
    var c48: Int? = nil
    var c49: Int? = nil
    var c50: Int? = nil
    var c51: Int? = nil
    var c52: Int? = nil
    var c53: Int? = nil
    var c54: Int? = nil
    var c55: Int? = nil
    var c56: Int? = nil
    var c57: Int? = nil
    var c58: Int? = nil
    var c59: Int? = nil
    var c60: Int? = nil
    var c61: Int? = nil
    var c62: Int? = nil
    var c63: Int? = nil
    var c64: Int? = nil
    var c65: Int? = nil
    var c66: Int? = nil
    var c67: Int? = nil
    var c68: Int? = nil
    var c69: Int? = nil
    var c70: Int? = nil
    var c71: Int? = nil
    var c72: Int? = nil
    var c73: Int? = nil
    var c74: Int? = nil
    var c75: Int? = nil
    var c76: Int? = nil
    var c77: Int? = nil
    var c78: Int? = nil
    var c79: Int? = nil
    var c80: Int? = nil
    var c81: Int? = nil
    var c82: Int? = nil
    var c83: Int? = nil
    var c84: Int? = nil
    var c85: Int? = nil
    var c86: Int? = nil
    var c87: Int? = nil
    var c88: Int? = nil
    var c89: Int? = nil
    var c90: Int? = nil
    var c91: Int? = nil
    var c92: Int? = nil
    var c93: Int? = nil
    var c94: Int? = nil
    var c95: Int? = nil
    var c96: Int? = nil
    var c97: Int? = nil
    var c98: Int? = nil
    var c99: Int? = nil
    var c100: Int? = nil
    var c101: Int? = nil
    var c102: Int? = nil
    var c103: Int? = nil
    var c104: Int? = nil
    var c105: Int? = nil
    var c106: Int? = nil
    var c107: Int? = nil
    var c108: Int? = nil
    var c109: Int? = nil
    var c110: Int? = nil
    var c111: Int? = nil
    var c112: Int? = nil
    var c113: Int? = nil
    var c114: Int? = nil
    var c115: Int? = nil
    var c116: Int? = nil
    var c117: Int? = nil
    var c118: Int? = nil
    var c119: Int? = nil
    var c120: Int? = nil
    var c121: Int? = nil
    var c122: Int? = nil
    var c123: Int? = nil
    var c124: Int? = nil
    var c125: Int? = nil
    var c126: Int? = nil
    var c127: Int? = nil
    var c128: Int? = nil
    var last: String
}
