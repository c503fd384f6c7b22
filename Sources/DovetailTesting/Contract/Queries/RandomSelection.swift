import Dovetail

/// Random sums, averages, smallest and largest values, groups and distinct values.
struct RandomSelection: RandomQuestion {
    /// What the rows are put into groups by, or what is given of each.
    var keys: [SelectedKey]
    /// What is asked about a group; none for distinct values.
    var aggregate: SelectedAggregate?
    var filter: Term<Bool>?
    /// Groups with more rows than this.
    var having: Int?
    var limit: Int?
    var offset: Int?

    init(using maker: inout TermMaker) {
        keys = (0..<maker.random.below(3)).map { _ in maker.random.pick(SelectedKey.all) }
        aggregate =
            keys.isEmpty || !maker.random.isOne(in: 4)
            ? maker.random.pick(SelectedAggregate.all) : nil
        filter = maker.random.isOne(in: 2) ? maker.predicate() : nil
        if aggregate != nil, maker.random.isOne(in: 3) { having = maker.random.below(3) }
        if aggregate != nil, maker.random.isOne(in: 4) { limit = maker.random.below(4) }
        if aggregate != nil, maker.random.isOne(in: 4) { offset = maker.random.below(3) }
    }

    func simpler() -> [RandomSelection] {
        var selections: [RandomSelection] = []
        func add(_ change: (inout RandomSelection) -> Void) {
            var selection = self
            change(&selection)
            selections.append(selection)
        }
        if filter != nil { add { $0.filter = nil } }
        if having != nil { add { $0.having = nil } }
        if limit != nil { add { $0.limit = nil } }
        if offset != nil { add { $0.offset = nil } }
        if aggregate != nil || keys.count > 1 {
            for index in keys.indices { add { $0.keys.remove(at: index) } }
        }
        if aggregate != nil, !keys.isEmpty, having == nil, limit == nil, offset == nil {
            add { $0.aggregate = nil }
        }
        for filter in filter?.simpler() ?? [] { add { $0.filter = filter } }
        return selections
    }

    var source: String {
        let writer = TermSource()
        let predicate = filter?.predicateSource(writer) ?? "nil"
        var arguments = keys.map { ".value(\\WideRow.\($0.name))" }
        if let aggregate { arguments += [".count()", aggregate.source] }
        arguments.append("where: predicate")
        if let having { arguments.append("having: .count() > \(having)") }
        if aggregate == nil { arguments.append("distinct: true") }
        if let limit { arguments.append("limit: \(limit)") }
        if let offset { arguments.append("offset: \(offset)") }
        return
            (writer.lines + [
                "let predicate: Predicate<WideRow>? = \(predicate)",
                "try context.select(\(arguments.joined(separator: ", ")))",
            ]).joined(separator: "\n")
    }

    func meaning(for rows: [WideRow], _ count: inout RandomCount) throws -> [RandomAnswer]? {
        var taken = rows
        if let filter {
            let holds = try filter.holds(for: rows, &count)
            if holds.contains(where: { $0 == nil }) { return nil }
            taken = zip(rows, holds).filter { $1 == true }.map(\.0)
        }
        var groups: [(first: WideRow, rows: [WideRow])] = keys.isEmpty ? [(WideRow(0), taken)] : []
        if !keys.isEmpty {
            for row in taken {
                let known = groups.firstIndex { group in
                    keys.allSatisfy { $0.compare(group.first, row) == 0 }
                }
                if let known { groups[known].rows.append(row) } else { groups.append((row, [row])) }
            }
            groups.sort { left, right in
                for key in keys {
                    let order = key.compare(left.first, right.first)
                    if order != 0 { return order < 0 }
                }
                return false
            }
        }
        return answers(groups)
    }

    private func answers(_ groups: [(first: WideRow, rows: [WideRow])]) -> [RandomAnswer] {
        var lines: [String?] = groups.filter { $0.rows.count > having ?? -1 }.map { group in
            var values = keys.map { $0.value(group.first) }
            if let aggregate {
                guard let value = aggregate.meaning(group.rows) else { return nil }
                values += ["\(group.rows.count)", value]
                if let bound = aggregate.bound?(group.rows), bound > 0 {
                    values[values.count - 1] += "±\(bound)"
                }
            }
            return values.joined(separator: " ")
        }
        // Distinct values come in any order.
        if aggregate == nil { lines.sort { $0 ?? "" < $1 ?? "" } }
        let page = lines.dropFirst(offset ?? 0).prefix(limit ?? .max)
        let failure = RandomAnswer.error("StoreError outOfRange")
        if page.contains(nil) { return [failure] }
        // A store may add up groups that it does not give.
        let mayFail = groups.contains { aggregate?.meaning($0.rows) == .some(nil) }
        return [.rows(page.compactMap { $0 })] + (mayFail ? [failure] : [])
    }

    var mayDiffer: Bool {
        aggregate?.bound != nil || having != nil || limit != nil || offset != nil
    }

    func ask(_ context: ModelContext) throws -> RandomAnswer {
        let request = SelectionRequest(
            context: context,
            predicate: filter?.predicate,
            having: having.map { .count() > $0 },
            limit: limit,
            offset: offset
        )
        var lines: [String]
        switch (keys.count, aggregate) {
        case (0, let aggregate?): lines = try aggregate.ask(request)
        case (1, let aggregate?): lines = try keys[0].ask(aggregate, request)
        case (2, let aggregate?): lines = try keys[0].ask(keys[1], aggregate, request)
        case (1, nil): lines = try keys[0].ask(request)
        default: lines = try keys[0].ask(keys[1], request)
        }
        if aggregate == nil { lines.sort() }
        return .rows(lines)
    }
}
