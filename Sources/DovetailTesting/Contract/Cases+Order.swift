import Dovetail

extension StoreContract {
    static let orderCases: [Case] = [
        Case("rows that the order does not tell apart, and pages without one, come by their keys") {
            trial in
            let context = try trial.context(Word.self, Seat.self)
            let words = ["d", "b", "a", "e", "c"].map { Word(id: $0, meaning: "same") }
            trial.step("insert the keys d, b, a, e and c, and seats with keys of two columns")
            context.insert(contentsOf: words)
            context.insert(contentsOf: [Seat("b", 1), Seat("a", 2), Seat("b", 0), Seat("a", 1)])
            try context.save()
            let byMeaning = [SortDescriptor(\Word.meaning, comparator: .lexical, order: .reverse)]
            let all = try context.fetch(FetchDescriptor(sortBy: byMeaning))
            try trial.expect("the keys", all.map(\.id), ["a", "b", "c", "d", "e"])
            var page = FetchDescriptor<Word>()
            (page.fetchLimit, page.fetchOffset) = (2, 1)
            try trial.expect("the page", context.fetch(page).map(\.id), ["b", "c"])
            trial.step("insert bb, which waits")
            context.insert(Word(id: "bb", meaning: "other"))
            try trial.expect("the page", context.fetch(page).map(\.id), ["b", "bb"])
            var seats = FetchDescriptor<Seat>()
            seats.fetchLimit = 3
            try trial.expect(
                rows: context.fetch(seats),
                [Seat("a", 1), Seat("a", 2), Seat("b", 0)]
            )
        },
        Case("nil comes first in ascending order, and last in descending") { trial in
            let context = try trial.context(Specimen.self)
            let values: [Int?] = [3, nil, .min, nil, .max]
            trial.step("insert rows with optCount \(values)")
            context.insert(
                contentsOf: values.enumerated().map {
                    var specimen = Specimen($0)
                    specimen.optCount = $1
                    specimen.optName = $1.map { "\($0)" }
                    return specimen
                }
            )
            try context.save()
            func keys(_ order: SortDescriptor<Specimen>) throws -> [Int] {
                let descriptor = FetchDescriptor(sortBy: [order, SortDescriptor(\.id)])
                return try context.fetch(descriptor).map(\.id)
            }
            trial.step("sort by the number, in both orders")
            try trial.expect("keys", keys(SortDescriptor(\.optCount)), [1, 3, 2, 0, 4])
            try trial.expect(
                "keys",
                keys(SortDescriptor(\.optCount, order: .reverse)),
                [4, 0, 2, 1, 3]
            )
            trial.step("sort by the text, in both orders")
            let text = SortDescriptor(\Specimen.optName, comparator: .lexical)
            try trial.expect("keys", keys(text), [1, 3, 2, 0, 4])
            let reverse = SortDescriptor(\Specimen.optName, comparator: .lexical, order: .reverse)
            try trial.expect("keys", keys(reverse), [4, 0, 2, 1, 3])
        },
        Case("pages after a value are the rows in order, whatever comes and goes") { trial in
            let context = try trial.context(Specimen.self)
            var random = trial.random
            let rows = Specimen.many(60, using: &random)
            trial.step("insert 60 random rows")
            context.insert(contentsOf: rows)
            try context.save()
            for round in 0..<30 {
                var order = (0..<random.below(4)).map { _ in criterion(&random) }
                if random.below(2) == 0 {
                    order.append(SortDescriptor(\.id, order: random.pick([.forward, .reverse])))
                }
                let some = random.pick([nil, #Predicate<Specimen> { $0.flag }])
                var page = FetchDescriptor(predicate: some, sortBy: order, after: nil)
                page.fetchLimit = random.pick([1, 7, 60])
                let names = order.map { "\($0.keyPath.map { "\($0)" } ?? "?") \($0.order)" }
                trial.step("round \(round): sort by \(names), pages of \(page.fetchLimit ?? 0)")
                var expected = try rows.filter { try some?.evaluate($0) ?? true }
                    .sorted(using: order + [SortDescriptor(\.id)]).map(\.id)
                var found: [Int] = []
                while let last = try context.fetch(page).last {
                    found += try context.fetch(page).map(\.id)
                    page.after = last
                }
                try trial.expect("the keys", found, expected)
                // What waits is on its page, and a page may begin after a row that is gone.
                let gone = random.pick(rows)
                guard let place = expected.firstIndex(of: gone.id) else { continue }
                context.delete(gone)
                (page.after, page.fetchLimit) = (gone, nil)
                expected.removeSubrange(...place)
                try trial.expect("after one that is gone", context.fetch(page).map(\.id), expected)
                try trial.expect("their number", context.fetchCount(page), expected.count)
                context.rollback()
            }
        },
        Case("without an order limit and offset give that many rows, each once") { trial in
            let context = try trial.context(Specimen.self)
            trial.step("insert 20 rows")
            context.insert(contentsOf: (0..<20).map { Specimen($0) })
            try context.save()
            for (limit, offset, count) in [
                (5, 0, 5), (5, 18, 2), (0, 0, 0), (30, 0, 20), (5, 20, 0),
            ] {
                var page = FetchDescriptor<Specimen>(predicate: #Predicate { $0.id >= 0 })
                (page.fetchLimit, page.fetchOffset) = (limit, offset)
                trial.step("fetch with limit \(limit) and offset \(offset)")
                let keys = try context.fetch(page).map(\.id)
                try trial.expect("rows", keys.count, count)
                try trial.expect("different rows", Set(keys).count, count)
                try trial.expect("count", context.fetchCount(page), count)
            }
        },
    ]

    private static func criterion(_ random: inout SeededRandom) -> SortDescriptor<Specimen> {
        let order: SortOrder = random.pick([.forward, .reverse])
        return switch random.below(18) {
        case 0: SortDescriptor(\.count, order: order)
        case 13: SortDescriptor(\.price, order: order)
        case 14: SortDescriptor(\.optPrice, order: order)
        case 15: SortDescriptor(\.part.name, comparator: .lexical, order: order)
        case 16: SortDescriptor(\.part.count, order: order)
        case 17: SortDescriptor(\.optPart?.name, comparator: .lexical, order: order)
        case 1: SortDescriptor(\.small, order: order)
        case 2: SortDescriptor(\.unsigned, order: order)
        case 3: SortDescriptor(\.ratio, order: order)
        case 4: SortDescriptor(\.float, order: order)
        case 5: SortDescriptor(\.name, comparator: .lexical, order: order)
        case 6: SortDescriptor(\.day, order: order)
        case 7: SortDescriptor(\.token, order: order)
        case 8: SortDescriptor(\.optCount, order: order)
        case 9: SortDescriptor(\.optRatio, order: order)
        case 10: SortDescriptor(\.optName, comparator: .lexical, order: order)
        case 11: SortDescriptor(\.optDay, order: order)
        default: SortDescriptor(\.optToken, order: order)
        }
    }
}
