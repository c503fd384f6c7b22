import Dovetail

/// Some columns of a specimen, under other names and in another order.
@Model struct SpecimenSummary: Equatable, Sendable {
    var price: Decimal
    var name: String
    @Attribute(name: "optDay") var last: Date?
    var part: Part
    var color: Color
}

@Model struct SpecimenMistake {
    var id: Int
    var price: Double
}

@Model struct SpecimenStranger {
    var surname: String?
}

extension StoreContract {
    static let projectionCases: [Case] = [
        Case("some columns of a model are values of another one") { trial in
            let context = try trial.context(Specimen.self)
            let rows = Specimen.many(30, using: &trial.random)
            context.insert(contentsOf: rows)
            try context.save()
            func summary(_ row: Specimen) -> SpecimenSummary {
                SpecimenSummary(
                    price: row.price,
                    name: row.name,
                    last: row.optDay,
                    part: row.part,
                    color: row.color
                )
            }
            var page = FetchDescriptor<Specimen>(
                predicate: #Predicate { $0.flag },
                sortBy: [SortDescriptor(\.id, order: .reverse)]
            )
            (page.fetchLimit, page.fetchOffset) = (5, 1)
            trial.step("fetch the second to the sixth flagged row as a summary, the last first")
            let flagged = rows.filter(\.flag).reversed().dropFirst().prefix(5)
            try trial.expect(
                rows: context.fetch(page, as: SpecimenSummary.self),
                flagged.map(summary)
            )
            var waiting = Specimen(1000)
            waiting.flag = true
            waiting.name = "waits"
            trial.step("insert a flagged row, which waits")
            context.insert(waiting)
            page.fetchOffset = 0
            try trial.expect(
                rows: Array(context.fetch(page, as: SpecimenSummary.self).prefix(1)),
                [summary(waiting)]
            )
            trial.step("ask for a column of another kind, and for one that is not there")
            for model in [SpecimenMistake.self, SpecimenStranger.self] as [any Model.Type] {
                do {
                    _ = try context.fetch(page, as: model)
                    try trial.expect("\(model)", "values", "a QueryError")
                } catch is QueryError {}
            }
        },
        Case("dates make groups by year, month, day and hour, in UTC") { trial in
            let context = try trial.context(Specimen.self)
            // The last and the first instants of months, of which one has a leap day.
            let instants = [
                "1600-02-29T12:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
                "2024-02-29T23:30:00Z", "2024-02-29T23:59:59Z", "2024-03-01T00:00:00Z",
            ]
            let days = try instants.map { try Date($0, strategy: .iso8601) + 0.5 }
            trial.step("insert a row half a second after each of \(instants), and one without")
            context.insert(
                contentsOf: days.enumerated().map { id, day in
                    var row = Specimen(id)
                    (row.day, row.optDay) = (day, day)
                    return row
                } + [Specimen(100)]
            )
            try context.save()
            let expected: [(DateUnit, starts: [String], counts: [Int])] = [
                (.year, ["1600-01-01", "1969-01-01", "1970-01-01", "2024-01-01"], [1, 1, 1, 3]),
                (
                    .month,
                    ["1600-02-01", "1969-12-01", "1970-01-01", "2024-02-01", "2024-03-01"],
                    [1, 1, 1, 2, 1]
                ),
                (
                    .day,
                    ["1600-02-29", "1969-12-31", "1970-01-01", "2024-02-29", "2024-03-01"],
                    [1, 1, 1, 2, 1]
                ),
                (
                    .hour,
                    [
                        "1600-02-29T12", "1969-12-31T23", "1970-01-01T00", "2024-02-29T23",
                        "2024-03-01T00",
                    ],
                    [1, 1, 1, 2, 1]
                ),
            ]
            for (unit, starts, counts) in expected {
                trial.step("count the optional dates by \(unit)")
                let found = try context.select(.start(of: unit, \Specimen.optDay), .count())
                let texts = starts.map { $0 + "T00:00:00Z".dropFirst($0.count - 10) }
                let dates: [Date?] = try texts.map { try Date($0, strategy: .iso8601) }
                try trial.expect("starts", found.map(\.0), [nil] + dates)
                try trial.expect("counts", found.map(\.1), [1] + counts)
            }
            trial.step("count the dates of this century by month")
            let since = days[3]
            let months = try context.select(
                .start(of: .month, \Specimen.day),
                .max(\.day),
                where: #Predicate { $0.day >= since }
            )
            try trial.expect("latest", months.map(\.1), [days[4], days[5]])
        },
        Case("distinct rows are counted off, and averages of optional decimals are decimals") {
            trial in
            let context = try trial.context(Specimen.self)
            let rows = Specimen.many(60, using: &trial.random)
            trial.step("insert 60 random rows")
            context.insert(contentsOf: rows)
            try context.save()
            let colors = try context.select(
                .value(\Specimen.color),
                distinct: true,
                limit: 2,
                offset: 1
            )
            try trial.expect("distinct colors", Set(colors).count, colors.count)
            let all = Set(rows.map(\.color)).count
            try trial.expect("how many", colors.count, min(2, max(0, all - 1)))
            let prices = rows.compactMap(\.optPrice)
            try trial.expect(
                "average",
                context.average(\Specimen.optPrice),
                prices.isEmpty ? nil : prices.reduce(0, +) / Decimal(prices.count)
            )
        },
    ]
}
