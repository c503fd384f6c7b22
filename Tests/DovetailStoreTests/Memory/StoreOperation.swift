import Dovetail
import DovetailStore
import StoreTestSupport

@testable import DovetailTesting

/// A row of one of the contract's models of a league, or a pass.
enum LeagueRow {
    case club(Club)
    case player(Player)
    case game(Game)
    case pass(Pass)
    case draft(Draft)

    static let models: [any Model.Type] = [
        Club.self, Player.self, Game.self, Pass.self, Draft.self,
    ]
    static let entities = models.map { EntityBinding($0) }

    init(using random: inout SeededRandom) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: self = .club(Club(using: &random))
        case 1: self = .player(Player(using: &random))
        case 2: self = .game(Game(using: &random))
        case 3: self = .pass(Pass(using: &random))
        default: self = .draft(Draft(using: &random))
        }
    }

    /// Writes the row and gives the key that the store says.
    func write(_ verb: WriteVerb, on connection: any StoreConnection) throws -> Int64? {
        func write<Value: Model>(_ value: Value, _ entity: Int) throws -> Int64? {
            let writer = try connection.writer(verb, into: Self.entities[entity])
            try ModelWriter.writeRows(CollectionOfOne(value), to: writer) { _ in
                try writer.finishRow()
            }
            return verb.adds ? writer.lastKey : nil
        }
        return switch self {
        case .club(let value): try write(value, 0)
        case .player(let value): try write(value, 1)
        case .game(let value): try write(value, 2)
        case .pass(let value): try write(value, 3)
        case .draft(let value): try write(value, 4)
        }
    }
}

/// One thing that is done with a connection. The same operations are done with two stores.
indirect enum StoreOperation {
    case write(WriteVerb, LeagueRow)
    case delete(Query)
    /// A write by which deleted rows are marked.
    case mark(WriteVerb, LeagueRow)
    case rows(Query)
    case count(Query)
    /// Several, which end in an error where `fails`; what throws inside ends it where `isStrict`.
    case transaction([StoreOperation], keeping: Bool, fails: Bool, isStrict: Bool)

    private struct Stop: Error {}

    init(depth: Int, using random: inout SeededRandom) {
        switch Int.random(in: 0..<(depth > 0 ? 16 : 14), using: &random) {
        case 0...6:
            self = .write(
                random.pick([.insert, .insert, .upsert, .upsert, .update, .delete]),
                LeagueRow(using: &random)
            )
        case 7: self = .delete(Query(entryOf: 1, using: &random))
        case 8, 9: self = .rows(Query(entryOf: 2, using: &random).page(using: &random).inKeyOrder)
        case 10: self = .count(Query(entryOf: 2, using: &random).page(using: &random))
        case 11, 12:
            self = .mark(
                random.pick([.insert, .upsert, .update, .delete]),
                .draft(Draft(using: &random))
            )
        case 13: self = .mark(.delete, LeagueRow(using: &random))
        default:
            self = .transaction(
                (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    StoreOperation(depth: depth - 1, using: &random)
                },
                keeping: !random.isOne(in: 6),
                fails: random.isOne(in: 6),
                isStrict: random.isOne(in: 2)
            )
        }
    }

    /// The number of operations in it.
    var size: Int {
        guard case .transaction(let inner, _, _, _) = self else { return 1 }
        return inner.reduce(1) { $0 + $1.size }
    }

    private var isTransaction: Bool {
        if case .transaction = self { true } else { false }
    }

    /// Does it and writes down what came of it.
    ///
    /// - Parameter isStrict: Whether an error is also thrown; nil outside of a transaction.
    func apply(
        to connection: any StoreConnection,
        _ log: inout [String],
        isStrict: Bool? = nil
    ) throws {
        do {
            switch self {
            case .write(let verb, let row):
                log.append("\(verb) \(try row.write(verb, on: connection) ?? 0)")
            case .delete(let query):
                let count = try connection.delete(query)
                // Where a row goes with another one of the same query, the number depends on which
                // of them comes first.
                log.append("deleted \(query.entity.table == "Player" ? 0 : count)")
            case .mark(let verb, let row):
                let schema = Schema(LeagueRow.models)
                let rules = MarkRules(schema)
                let suspects = rules.map(MarkedReferences.init)
                try connection.transaction(keeping: true) {
                    let marking = MarkingConnection.over(connection, rules, suspects)
                    log.append("\(verb) \(try row.write(verb, on: marking) ?? 0)")
                    try suspects?.check(schema, on: connection)
                }
            case .rows(let query): log += try connection.texts(of: query)
            case .count(let query): log.append("counted \(try connection.count(of: query))")
            case .transaction(let inner, let keeping, let fails, let isInnerStrict):
                try connection.transaction(keeping: keeping) {
                    for operation in inner {
                        try operation.apply(to: connection, &log, isStrict: isInnerStrict)
                    }
                    if fails { throw Stop() }
                }
                log.append("ended")
            }
        } catch let error as StoreError {
            log.append("\(error.kind): \(error.explanation)")
            // A statement by itself that violates a foreign key has no name of it in SQLite.
            if isStrict != nil || error.kind != .foreignKeyViolation || isTransaction {
                log.append("\(error.kind) \(error.table ?? "-") \(error.column ?? "-")")
            }
            if isStrict == true { throw error }
        } catch is Stop {
            log.append("stopped")
            if isStrict == true { throw Stop() }
        }
    }
}

extension StoreQuerying {
    /// The rows of a query as text.
    func texts(of query: Query) throws -> [String] {
        let cursor = try rows(of: query)
        defer { cursor.close() }
        var texts: [String] = []
        while try cursor.next() {
            let values = try query.entity.attributes.enumerated().map {
                // Two stores mark at different times.
                $0.offset == query.entity.markColumn && !cursor.isNull($0.offset)
                    ? .bool(true) : try QueryValue(cursor, $0.offset, $0.element)
            }
            texts.append("\(query.entity.table) \(values)")
        }
        return texts
    }

    /// All rows of the models of ``LeagueRow``.
    func leagueTexts() throws -> [String] {
        try LeagueRow.entities.flatMap { try texts(of: Query($0, .included).inKeyOrder) }
    }
}

extension Query {
    /// A query over one of the models, whose filter has terms up to a depth.
    init(entryOf depth: Int, using random: inout SeededRandom) {
        let entity = random.pick(LeagueRow.entities)
        self.init(entity)
        if !random.isOne(in: 8) {
            filter = QueryExpression(over: entity, depth: depth, using: &random)
        }
    }

    /// The query with an order that tells all rows apart.
    var inKeyOrder: Query {
        var query = self
        query.order += entity.keyColumns.map { QueryOrder(column: $0) }
        return query
    }

    /// The query with some order and limit.
    func page(using random: inout SeededRandom) -> Query {
        var query = self
        if random.isOne(in: 2) {
            let column = Int.random(in: 0..<entity.declaredCount, using: &random)
            query.order = [QueryOrder(column: column, isAscending: random.isOne(in: 2))]
        }
        query.limit = random.pick([nil, nil, 0, 1, 3, 100])
        query.offset = random.pick([0, 0, 1, 5])
        return query
    }
}

extension QueryExpression {
    init(over entity: EntityBinding, depth: Int, using random: inout SeededRandom) {
        func inner(_ random: inout SeededRandom) -> QueryExpression {
            QueryExpression(over: entity, depth: depth - 1, using: &random)
        }
        switch depth > 0 ? Int.random(in: 0..<6, using: &random) : 0 {
        case 1: self = .and(inner(&random), inner(&random))
        case 2: self = .or(inner(&random), inner(&random))
        case 3: self = .not(inner(&random))
        default: self = Self.term(entity, &random)
        }
    }

    private static func term(
        _ entity: EntityBinding,
        _ random: inout SeededRandom
    ) -> QueryExpression {
        let column = Int.random(in: 0..<entity.declaredCount, using: &random)
        let attribute = entity.attributes[column]
        let operand = QueryExpression.attribute(column, isOptional: attribute.isOptional)
        let isText = attribute.columnType == .text
        func constant(_ random: inout SeededRandom) -> QueryValue {
            if attribute.isOptional, random.isOne(in: 6) { return .null }
            let number = Int.random(in: 0..<25, using: &random)
            return isText
                ? .text(random.pick(["A", "B", "team \(number)", "p\(number)", "c\(number)"]))
                : .integer(Int64(number))
        }
        switch Int.random(in: 0..<(isText ? 6 : 4), using: &random) {
        case 0: return .isIn(operand, QueryList((0..<3).map { _ in constant(&random) }))
        case 1:
            let comparison = random.pick([QueryComparison.less, .lessOrEqual, .greater])
            return .comparison(comparison, operand, .value(constant(&random)))
        case 4: return .call(.contains, [operand, .value(.text("1"))])
        case 5: return .call(.hasPrefix, [operand, .value(.text("team 1"))])
        default: return .equal(operand, .value(constant(&random)))
        }
    }
}
