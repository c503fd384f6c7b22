// swift-format-ignore-file: NeverForceUnwrap
// A forced unwrap is one of the expressions.

import Dovetail

extension ContractTrial {
    /// Puts a predicate to a store, with an order and without one, and to the same values in memory.
    func compare(
        _ rows: [Specimen],
        in context: ModelContext,
        _ name: String,
        _ predicate: Predicate<Specimen>,
        holds: (Specimen) throws -> Bool
    ) throws {
        step("\(name): \(predicate)")
        let expected = try rows.filter(holds).map(\.id)
        let found = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])
        try expect(rows: context.fetch(found).map(\.id), expected)
        let unordered = FetchDescriptor(predicate: predicate)
        try expect(rows: context.fetch(unordered).map(\.id).sorted(), expected)
        try expect("count", context.fetchCount(unordered), expected.count)
    }

    /// Asks random questions, and reports the smallest one that is answered wrongly.
    func ask(_ ask: (StoreComparison) throws -> Void) throws {
        let context = try context(WideRow.self)
        do {
            try ask(StoreComparison([("the store", context)], random))
        } catch let failure as StoreComparison.Failure {
            throw Mismatch(expected: failure.source, found: failure.found)
        }
    }

    /// Random rows, and a random condition of which the rules say which of them it takes.
    func randomRows(_ maker: inout TermMaker) throws -> ([WideRow], Term<Bool>, [Bool]) {
        let rows = (0..<40).map { WideRow.random($0, using: &maker.random) }
        while true {
            let term = maker.predicate()
            var count = RandomCount()
            let holds = try term.holds(for: rows, &count)
            if !holds.contains(nil) { return (rows, term, holds.map { $0 == true }) }
        }
    }
}

extension StoreContract {
    static let predicateCases: [Case] = [
        Case("random predicates, orders and pages mean what Swift and the rules say") { trial in
            trial.step("compare 300 random queries")
            try trial.ask { try $0.compareQueries(300) }
        },
        Case("a condition that is missing takes no row, and neither does its negation") { trial in
            let context = try trial.context(WideRow.self)
            trial.step("insert the keys 0, where optCount is nil, 1 with 5, and 2 with 9")
            context.insert(contentsOf: [
                WideRow(0), WideRow(1) { $0.optCount = 5 }, WideRow(2) { $0.optCount = 9 },
            ])
            try context.save()
            let (five, zero) = (5, 0)
            func check(
                _ name: String,
                _ predicate: Predicate<WideRow>,
                _ expected: [Int]
            ) throws {
                trial.step("\(name): \(predicate)")
                let found = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])
                try trial.expect(rows: context.fetch(found).map(\.id), expected)
            }
            try check("an order of nil!", #Predicate { $0.optCount! > five }, [2])
            try check("its negation", #Predicate { !($0.optCount! > five) }, [1])
            try check("flatMap", #Predicate { $0.optCount.flatMap { $0 > five } == nil }, [0])
            try check("??", #Predicate { ($0.optCount ?? 7) > five }, [0, 2])
            try check("or", #Predicate { $0.optCount! > five || $0.id == zero }, [0, 2])
            try check("equality", #Predicate { !($0.id / zero == 1) }, [0, 1, 2])
            try check("a division", #Predicate { !($0.id / zero < 1) }, [])
        },
        Case("a predicate may be deep, and its list long") { trial in
            let context = try trial.context(Specimen.self)
            let rows = (0..<300).map { Specimen($0) }
            trial.step("insert 300 rows")
            context.insert(contentsOf: rows)
            try context.save()
            let list = Array(stride(from: -1000, to: 1000, by: 2))
            let isIn = #Predicate<Specimen> { list.contains($0.id) }
            try trial.compare(rows, in: context, "in 1000 numbers", isIn) {
                $0.id.isMultiple(of: 2)
            }
            let isNotIn = #Predicate<Specimen> { !list.contains($0.id) }
            try trial.compare(rows, in: context, "not in 1000 numbers", isNotIn) {
                !$0.id.isMultiple(of: 2)
            }
            let large = Array(0..<50_000)
            let isLarge = #Predicate<Specimen> {
                large.contains($0.count) && !large.contains($0.id)
            }
            try trial.compare(rows, in: context, "in 50,000 numbers", isLarge) {
                $0.count >= 0 && $0.id >= 50_000
            }
            let optional = [nil] + (0..<100).map { Optional($0) }
            let isSome = #Predicate<Specimen> { optional.contains($0.optCount) }
            try trial.compare(rows, in: context, "in 100 numbers or nil", isSome) { _ in true }
            let bytes = (0..<100).map { Data([0, UInt8($0)]) } + [Data()]
            let isEmpty = #Predicate<Specimen> { bytes.contains($0.bytes) }
            try trial.compare(rows, in: context, "in 101 bytes", isEmpty) { _ in true }
            let days = (0..<100).map { Date(timeIntervalSinceReferenceDate: Double($0) / 8) }
            let isDay = #Predicate<Specimen> { days.contains($0.day) }
            try trial.compare(rows, in: context, "in 100 dates", isDay) { _ in true }
            let many = (0..<3000).map { number in #Predicate<Specimen> { $0.id == number } }
            try trial.compare(rows, in: context, "any of 3000", .any(many)) { _ in true }
            try trial.compare(rows, in: context, "all of 3000", .all(many)) { _ in false }
            var tree = #Predicate<Specimen> { $0.id == -1 }
            for number in 0..<60 {
                tree = .any([tree, #Predicate { $0.id == number }])
                if number.isMultiple(of: 3) { tree = .not(tree) }
            }
            try trial.compare(rows, in: context, "60 levels", tree) {
                try tree.evaluate($0)
            }
        },
        Case("a deletion by a predicate leaves the rows that it does not take") { trial in
            let context = try trial.context(WideRow.self)
            var maker = TermMaker(trial.random)
            for round in 0..<15 {
                let (rows, term, holds) = try trial.randomRows(&maker)
                trial.step("round \(round): insert 40 rows, delete by \(term.predicateSource())")
                try context.delete(model: WideRow.self)
                context.insert(contentsOf: rows)
                try context.save()
                try context.delete(model: WideRow.self, where: term.predicate)
                try context.save()
                let left = zip(rows, holds).filter { !$1 }.map(\.0.id)
                let found = FetchDescriptor<WideRow>(sortBy: [SortDescriptor(\.id)])
                try trial.expect(rows: context.fetch(found).map(\.id), left)
            }
        },
    ]

    static let textCases: [Case] = [
        Case("text is compared byte by byte") { trial in
            let context = try trial.context(Specimen.self)
            let texts = [
                "e\u{301}", "é", "E", "e", "a\0b", "a", "ÀB", "àb", "\u{10000}", "\u{FFFF}",
            ]
            .map { trial.random.kept($0) }
            trial.step("insert rows with the names \(texts)")
            context.insert(
                contentsOf: texts.enumerated().map {
                    var specimen = Specimen($0)
                    specimen.name = $1
                    return specimen
                }
            )
            try context.save()
            let bytes = texts.map { Array($0.utf8) }
            for (index, text) in texts.enumerated() {
                let expected: [(String, Predicate<Specimen>, ([UInt8]) -> Bool)] = [
                    ("==", #Predicate { $0.name == text }, { $0 == bytes[index] }),
                    ("!=", #Predicate { $0.name != text }, { $0 != bytes[index] }),
                    (
                        "<", #Predicate { $0.name < text },
                        { $0.lexicographicallyPrecedes(bytes[index]) }
                    ),
                    (
                        "starts", #Predicate { $0.name.starts(with: text) },
                        { $0.starts(with: bytes[index]) }
                    ),
                    (
                        "contains", #Predicate { $0.name.contains(text) },
                        { name in
                            name.indices.contains { name[$0...].starts(with: bytes[index]) }
                        }
                    ),
                    ("in", #Predicate { [text].contains($0.name) }, { $0 == bytes[index] }),
                ]
                for (name, predicate, holds) in expected {
                    trial.step("name \(name) \(bytes[index]) as bytes")
                    let found = FetchDescriptor(
                        predicate: predicate,
                        sortBy: [SortDescriptor(\.id)]
                    )
                    try trial.expect(
                        "rows",
                        context.fetch(found).map(\.id),
                        bytes.indices.filter { holds(bytes[$0]) }
                    )
                }
            }
            trial.step("a list of 1,000 texts, half of them with a NUL")
            let half = trial.random.kept("a\0b")
            let many = (0..<1000).map { $0.isMultiple(of: 2) ? "\(half)\($0)" : "x\($0)" }
            let none = try context.fetchCount(
                FetchDescriptor<Specimen>(predicate: #Predicate { many.contains($0.name) })
            )
            try trial.expect("rows", none, 0)
            let all = many + texts
            let found = try context.fetchCount(
                FetchDescriptor<Specimen>(predicate: #Predicate { all.contains($0.name) })
            )
            try trial.expect("rows", found, texts.count)
            trial.step("sort by the name")
            let order = [SortDescriptor(\Specimen.name, comparator: .lexical)]
            try trial.expect(
                "rows",
                context.fetch(FetchDescriptor(sortBy: order)).map(\.id),
                bytes.indices.sorted { bytes[$0].lexicographicallyPrecedes(bytes[$1]) }
            )
        }
    ]
}
