import Dovetail

extension ContractTrial {
    /// A context with random rows of all kinds.
    fileprivate func random(_ count: Int) throws -> (ModelContext, [Specimen]) {
        let context = try context(Specimen.self)
        let rows = Specimen.many(count, using: &random)
        step("insert \(count) random rows")
        context.insert(contentsOf: rows)
        try context.save()
        return (context, rows)
    }
}

extension StoreContract {
    static let selectionCases: [Case] = [
        Case("random sums, averages, groups and distinct values are what Swift computes") { trial in
            trial.step("compare 200 random selections")
            try trial.ask { try $0.compareSelections(200) }
        },
        Case("columns are given instead of values") { trial in
            let (context, rows) = try trial.random(50)
            trial.step(
                "select the name, the optional date, a part and the color, ordered by the key"
            )
            let found = try context.select(
                .value(\Specimen.name),
                .value(\.optDay),
                .value(\.part.name),
                .value(\.color),
                sortBy: [SortDescriptor(\.id)]
            )
            try trial.expect("count", found.count, rows.count)
            for (row, found) in zip(rows, found) {
                try trial.expect("name", found.0, row.name)
                try trial.expect("date", found.1, row.optDay)
                try trial.expect("part", found.2, row.part.name)
                try trial.expect("color", found.3, row.color)
            }
            trial.step("select distinct colors, where the flag is set, and one row")
            let colors = try context.select(
                .value(\Specimen.color),
                where: #Predicate { $0.flag },
                distinct: true
            )
            try trial.expect(
                "colors",
                Set(colors),
                Set(rows.filter(\.flag).map(\.color))
            )
            try trial.expect("count", colors.count, Set(colors).count)
            let one = try context.select(
                .value(\Specimen.id),
                sortBy: [SortDescriptor(\.id)],
                limit: 1,
                offset: 3
            )
            try trial.expect("one row", one, [3])
        },
        Case("sums, averages, smallest and largest values are what Swift computes") { trial in
            let (context, rows) = try trial.random(60)
            let some = #Predicate<Specimen> { $0.flag }
            let flagged = rows.filter(\.flag)
            trial.step("sum and average the key, the price, the optional price and the ratio")
            try trial.expect(
                "sum",
                context.sum(\Specimen.id, where: some),
                flagged.map(\.id).reduce(0, +)
            )
            try trial.expect(
                "decimals",
                context.sum(\Specimen.price),
                rows.map(\.price).reduce(0, +)
            )
            try trial.expect(
                "optional decimals",
                context.sum(\Specimen.optPrice, where: some),
                flagged.compactMap(\.optPrice).reduce(0, +)
            )
            try trial.expect(
                "average",
                context.average(\Specimen.id),
                Double(rows.map(\.id).reduce(0, +)) / Double(rows.count)
            )
            try trial.expect(
                "average of decimals",
                context.average(\Specimen.price),
                rows.map(\.price).reduce(0, +) / Decimal(rows.count)
            )
            trial.step("take the smallest and largest of several columns")
            try trial.expect("min", context.min(\Specimen.price), rows.map(\.price).min())
            try trial.expect("max", context.max(\Specimen.price), rows.map(\.price).max())
            try trial.expect(
                "min",
                context.min(\Specimen.day, where: some),
                flagged.map(\.day).min()
            )
            try trial.expect("max", context.max(\Specimen.count), rows.map(\.count).max())
            try trial.expect(
                "max",
                context.max(\Specimen.name).map { Array($0.utf8) },
                rows.map { Array($0.name.utf8) }.max { $0.lexicographicallyPrecedes($1) }
            )
            trial.step("ask about no rows")
            let none = #Predicate<Specimen> { $0.id < 0 }
            try trial.expect("sum", context.sum(\Specimen.count, where: none), 0)
            try trial.expect("sum", context.sum(\Specimen.price, where: none), 0)
            try trial.expect("average", context.average(\Specimen.price, where: none), nil)
            try trial.expect("average", context.average(\Specimen.ratio, where: none), nil)
            try trial.expect("min", context.min(\Specimen.name, where: none), nil)
            trial.step("sum whole numbers that do not fit")
            try context.delete(model: Specimen.self)
            var large = [Specimen(1), Specimen(2)]
            for index in large.indices { large[index].count = .max }
            context.insert(contentsOf: large)
            try context.save()
            try trial.expectError(.outOfRange, "Specimen") { _ = try context.sum(\Specimen.count) }
        },
        Case("groups have the rows with equal values, in the order of these") { trial in
            let (context, rows) = try trial.random(80)
            trial.step("group by the optional color and the flag")
            let found = try context.select(
                .value(\Specimen.optColor),
                .value(\.flag),
                .count(),
                .sum(\.price),
                .max(\.optCount)
            )
            var expected: [String] = []
            for color in [nil, "blue", "green", "red"] as [String?] {
                for flag in [false, true] {
                    let group = rows.filter { $0.optColor?.rawValue == color && $0.flag == flag }
                    if group.isEmpty { continue }
                    let sum = group.map(\.price).reduce(0, +)
                    let largest = group.compactMap(\.optCount).max()
                    expected.append("\(color ?? "-") \(flag) \(group.count) \(sum) \(largest ?? 7)")
                }
            }
            try trial.expect(
                rows: found.map {
                    "\($0.0?.rawValue ?? "-") \($0.1) \($0.2) \($0.3) \($0.4 ?? 7)"
                },
                expected
            )
            trial.step("only groups of more than 8 rows whose prices are large, the second of them")
            let some = try context.select(
                .value(\Specimen.name),
                .count(),
                having: .count() > 2,
                limit: 2,
                offset: 1
            )
            let groups = Dictionary(grouping: rows) { Array($0.name.utf8) }.filter { $1.count > 2 }
            let names = groups.keys.sorted { $0.lexicographicallyPrecedes($1) }.dropFirst().prefix(
                2
            )
            try trial.expect("names", some.map { Array($0.0.utf8) }, Array(names))
            try trial.expect("counts", some.map(\.1), names.map { groups[$0]?.count ?? 0 })
            let dear = try context.select(
                .value(\Specimen.color),
                having: .sum(\.price) > Decimal(100)
            )
            let sums = Dictionary(grouping: rows, by: \.color)
                .mapValues { $0.map(\.price).reduce(0, +) }
            try trial.expect("colors", Set(dear), Set(sums.filter { $1 > 100 }.keys))
            trial.step("count with an insert that waits")
            context.insert(Specimen(1000))
            try trial.expect("rows", context.select(Selection<Specimen, Int>.count()), [81])
        },
        Case("an update by a predicate changes the rows that it takes, and no others") { trial in
            let context = try trial.context(WideRow.self)
            var maker = TermMaker(trial.random)
            let inOrder = FetchDescriptor<WideRow>(sortBy: [SortDescriptor(\.id)])
            for round in 0..<10 {
                var (rows, term, holds) = try trial.randomRows(&maker)
                let name = String.random(&maker.random)
                let price: Decimal? = round.isMultiple(of: 3) ? nil : 0.1
                trial.step("insert 40 random rows")
                try context.delete(model: WideRow.self)
                context.insert(contentsOf: rows)
                try context.save()
                trial.step("set name, price, count and detail where \(term.predicateSource())")
                try context.update(WideRow.self, where: term.predicate) {
                    try $0.set(\.name, name)
                    try $0.set(\.optPrice, price)
                    try $0.set(\.count, round)
                    try $0.set(\.ratio, 7)
                    try $0.increment(\.ratio, by: 0.5)
                    try $0.set(\.detail, Detail(name: name, count: round))
                }
                for index in rows.indices where holds[index] {
                    rows[index].name = name
                    rows[index].optPrice = price
                    rows[index].count = round
                    rows[index].ratio = 7.5
                    rows[index].detail = Detail(name: name, count: round)
                }
                // What waits is seen.
                if round.isMultiple(of: 2) {
                    try trial.expect(rows: context.fetch(inOrder), rows)
                    try trial.expect("a number of changes", context.changes.count, nil)
                }
                try context.save()
                try trial.expect(rows: context.fetch(inOrder), rows)
            }
            trial.step("set the key, a part and what is stored nowhere")
            for path in [\WideRow.id, \.name.count] {
                do {
                    try context.update(WideRow.self) { try $0.set(path, 1) }
                    try trial.expect("a QueryError", false)
                } catch is QueryError {}
            }
            try trial.expect("what waits", !context.hasChanges)
        },
    ]
}
