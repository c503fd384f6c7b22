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

    /// Compares each predicate of a list with several constants.
    func compare(_ makers: [PredicateMaker], _ name: String) throws {
        let context = try context(Specimen.self)
        var random = self.random
        let rows = Specimen.many(100, using: &random)
        step("insert 100 random rows")
        context.insert(contentsOf: rows)
        try context.save()
        for (index, maker) in makers.enumerated() {
            for _ in 0..<5 {
                let predicate = maker(&random)
                try compare(rows, in: context, "\(name) \(index)", predicate) {
                    try predicate.evaluate($0)
                }
            }
        }
    }
}

extension StoreContract {
    static let predicateCases: [Case] = [
        Case(
            "predicates over numbers, booleans, enums, dates and identifiers mean what Swift means"
        ) { trial in
            try trial.compare(PredicateMakers.required, "required")
        },
        Case("predicates over optional columns take nil as Swift does") { trial in
            try trial.compare(PredicateMakers.optional, "optional")
        },
        Case("predicates over text mean what Swift means") { trial in
            try trial.compare(PredicateMakers.text, "text")
        },
        Case("predicates over lists mean what Swift means") { trial in
            try trial.compare(PredicateMakers.lists, "lists")
        },
        Case("predicates with arithmetic, ranges and choices mean what Swift means") { trial in
            try trial.compare(PredicateMakers.numbers, "numbers")
        },
        Case("predicates over parts of embedded values mean what Swift means") { trial in
            try trial.compare(PredicateMakers.documents, "documents")
        },
        Case("text without regard to case, and predicates of predicates, mean what Swift means") {
            trial in
            try trial.compare(PredicateMakers.folded, "folded")
        },
        Case("predicates that are combined mean what Swift means") { trial in
            let context = try trial.context(Specimen.self)
            var random = trial.random
            let rows = Specimen.many(60, using: &random)
            trial.step("insert 60 random rows")
            context.insert(contentsOf: rows)
            try context.save()
            for round in 0..<150 {
                let tree = PredicateTree(depth: 4, using: &random)
                try trial.compare(rows, in: context, "round \(round)", tree.predicate) {
                    try tree.evaluate($0)
                }
            }
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
            var tree = PredicateTree.term(#Predicate { $0.id == -1 })
            for number in 0..<60 {
                let other = PredicateTree.term(#Predicate { $0.id == number })
                tree = number.isMultiple(of: 3) ? .not(.or(tree, other)) : .or(tree, other)
            }
            try trial.compare(rows, in: context, "60 levels", tree.predicate) {
                try tree.evaluate($0)
            }
        },
        Case("a deletion by a predicate leaves the rows that it does not take") { trial in
            let context = try trial.context(Specimen.self)
            var random = trial.random
            for round in 0..<15 {
                let rows = Specimen.many(40, using: &random)
                let tree = PredicateTree(depth: 2, using: &random)
                trial.step("round \(round): insert 40 random rows, delete by \(tree.predicate)")
                try context.delete(model: Specimen.self)
                context.insert(contentsOf: rows)
                try context.save()
                try context.delete(model: Specimen.self, where: tree.predicate)
                try context.save()
                let expected = try rows.filter { try !tree.evaluate($0) }
                try trial.expect(rows: trial.specimens(context).map(\.id), expected.map(\.id))
            }
        },
    ]

    static let textCases: [Case] = [
        Case("text is compared byte by byte") { trial in
            let context = try trial.context(Specimen.self)
            let texts = [
                "e\u{301}", "é", "E", "e", "a\0b", "a", "ÀB", "àb", "\u{10000}", "\u{FFFF}",
            ]
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
            let many = (0..<1000).map { $0.isMultiple(of: 2) ? "a\0b\($0)" : "x\($0)" }
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
