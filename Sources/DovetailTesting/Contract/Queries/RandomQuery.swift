import Dovetail

/// A random fetch.
struct RandomQuery: RandomQuestion {
    /// How the rows are asked for.
    enum Verb: CaseIterable { case fetch, select, count }

    var filter: Term<Bool>?
    var order: [RandomOrder]
    var limit: Int?
    var offset: Int?
    var verb: Verb

    init(using maker: inout TermMaker) {
        filter = maker.random.isOne(in: 10) ? nil : maker.predicate()
        order =
            maker.random.isOne(in: 2)
            ? [] : (0..<1 + maker.random.below(3)).map { _ in RandomOrder(using: &maker.random) }
        limit = maker.random.isOne(in: 4) ? maker.random.pick([0, 1, 3, 7, 100, .max]) : nil
        offset = maker.random.isOne(in: 4) ? maker.random.pick([0, 1, 5, 100, .max]) : nil
        verb = maker.random.pick(Verb.allCases)
    }

    func simpler() -> [RandomQuery] {
        var queries: [RandomQuery] = []
        func add(_ change: (inout RandomQuery) -> Void) {
            var query = self
            change(&query)
            queries.append(query)
        }
        if filter != nil { add { $0.filter = nil } }
        if !order.isEmpty { add { $0.order = [] } }
        for index in order.indices { add { $0.order.remove(at: index) } }
        if limit != nil { add { $0.limit = nil } }
        if offset != nil { add { $0.offset = nil } }
        for limit in limit?.simplerValues ?? [] { add { $0.limit = limit } }
        for offset in offset?.simplerValues ?? [] { add { $0.offset = offset } }
        for filter in filter?.simpler() ?? [] { add { $0.filter = filter } }
        return queries
    }

    var descriptor: FetchDescriptor<WideRow> {
        var descriptor = FetchDescriptor(
            predicate: filter?.predicate,
            sortBy: order.map(\.descriptor)
        )
        (descriptor.fetchLimit, descriptor.fetchOffset) = (limit, offset)
        return descriptor
    }

    var source: String {
        let writer = TermSource()
        let predicate = filter?.predicateSource(writer) ?? "nil"
        var lines = writer.lines
        lines.append("let predicate: Predicate<WideRow>? = \(predicate)")
        let criteria = order.map(\.source).joined(separator: ", ")
        lines.append(
            "var query = FetchDescriptor<WideRow>(predicate: predicate, sortBy: [\(criteria)])"
        )
        if let limit { lines.append("query.fetchLimit = \(limit.source)") }
        if let offset { lines.append("query.fetchOffset = \(offset.source)") }
        switch verb {
        case .fetch: lines.append("try context.fetch(query).map(\\.id)")
        case .count: lines.append("try context.fetchCount(query)")
        case .select:
            lines.append(
                "try context.select(.value(\\WideRow.id), where: query.predicate, "
                    + "sortBy: query.sortBy, limit: query.fetchLimit, offset: query.fetchOffset)"
            )
        }
        return lines.joined(separator: "\n")
    }

    func meaning(for rows: [WideRow], _ count: inout RandomCount) throws -> [RandomAnswer]? {
        var taken = rows
        if let filter {
            let holds = try filter.holds(for: rows, &count)
            if holds.contains(where: { $0 == nil }) { return nil }
            taken = zip(rows, holds).filter { $1 == true }.map(\.0)
        }
        taken.sort { left, right in
            for criterion in order {
                let order = criterion.compare(left, right)
                if order != 0 { return order < 0 }
            }
            return left.id < right.id
        }
        let page = taken.dropFirst(offset ?? 0).prefix(limit ?? .max)
        return [.rows(verb == .count ? ["\(page.count)"] : page.map { "\($0.id)" })]
    }

    func ask(_ context: ModelContext) throws -> RandomAnswer {
        let descriptor = descriptor
        var ids: [Int]
        switch verb {
        case .count: return .rows(["\(try context.fetchCount(descriptor))"])
        case .fetch: ids = try context.fetch(descriptor).map(\.id)
        case .select:
            ids = try context.select(
                .value(\WideRow.id),
                where: descriptor.predicate,
                sortBy: descriptor.sortBy,
                limit: limit,
                offset: offset
            )
        }
        // Without an order and a page rows come in any order.
        if order.isEmpty, limit == nil, offset == nil { ids.sort() }
        return .rows(ids.map { "\($0)" })
    }
}

/// A criterion of an order.
struct RandomOrder {
    let descriptor: SortDescriptor<WideRow>
    let source: String
    /// The order of two rows: a negative number, 0 or a positive one.
    let compare: (WideRow, WideRow) -> Int

    /// A criterion in both directions.
    private struct Column: Sendable {
        let name: String
        let descriptor: @Sendable (SortOrder) -> SortDescriptor<WideRow>
        let compare: @Sendable (WideRow, WideRow) -> Int

        init<Value: RandomOrdered>(
            _ path: any KeyPath<WideRow, Value> & Sendable,
            _ name: String
        ) {
            self.name = name
            descriptor = { SortDescriptor(path, order: $0) }
            compare = { RandomOrder.order($0[keyPath: path], $1[keyPath: path]) }
        }

        init<Value: RandomOrdered>(
            _ path: any KeyPath<WideRow, Value?> & Sendable,
            _ name: String
        ) {
            self.name = name
            descriptor = { SortDescriptor(path, order: $0) }
            compare = { RandomOrder.order($0[keyPath: path], $1[keyPath: path]) }
        }

        init(text path: any KeyPath<WideRow, String> & Sendable, _ name: String) {
            self.name = name
            descriptor = { SortDescriptor(path, comparator: .lexical, order: $0) }
            compare = { RandomOrder.order($0[keyPath: path], $1[keyPath: path]) }
        }

        init(text path: any KeyPath<WideRow, String?> & Sendable, _ name: String) {
            self.name = name
            descriptor = { SortDescriptor(path, comparator: .lexical, order: $0) }
            compare = { RandomOrder.order($0[keyPath: path], $1[keyPath: path]) }
        }
    }

    private static let columns: [Column] = [
        Column(\.count, "count"), Column(\.small, "small"), Column(\.wide, "wide"),
        Column(\.unsigned, "unsigned"), Column(\.ratio, "ratio"), Column(\.float, "float"),
        Column(\.price, "price"), Column(text: \.name, "name"), Column(\.day, "day"),
        Column(\.optCount, "optCount"), Column(\.optSmall, "optSmall"),
        Column(\.optRatio, "optRatio"), Column(\.optPrice, "optPrice"),
        Column(text: \.optName, "optName"), Column(\.optDay, "optDay"), Column(\.id, "id"),
    ]

    init(using random: inout SeededRandom) {
        let column = random.pick(Self.columns)
        let isForward = random.isOne(in: 2)
        let direction: SortOrder = isForward ? .forward : .reverse
        descriptor = column.descriptor(direction)
        compare = { isForward ? column.compare($0, $1) : -column.compare($0, $1) }
        let comparator = column.name.lowercased().hasSuffix("name") ? "comparator: .lexical, " : ""
        source =
            "SortDescriptor(\\.\(column.name), \(comparator)order: .\(isForward ? "forward" : "reverse"))"
    }

    /// Missing values come first.
    static func order<Value: RandomOrdered>(_ left: Value?, _ right: Value?) -> Int {
        switch (left, right) {
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        case (let left?, let right?): Value.order(left, right, TermRun(WideRow(0))) ?? 0
        }
    }
}
