// swift-format-ignore-file: NeverForceUnwrap
// A predicate with `as!` ends no program in a store.

import Dovetail

/// Makes a predicate over all exhibits with random constants.
private typealias ExhibitMaker = @Sendable (inout SeededRandom) -> Predicate<any Exhibit>

private let exhibitMakers: [ExhibitMaker] = [
    { _ in #Predicate { _ in true } },
    { random in
        let name = Specimen.name(&random)
        return #Predicate { $0.name == name }
    },
    { random in
        let rank = random.below(4)
        return #Predicate { $0.rank >= rank && $0.name.contains("a") }
    },
    { random in
        let note: String? = random.isOne(in: 2) ? nil : Specimen.name(&random)
        return #Predicate { $0.note == note }
    },
    { random in
        let (day, worth) = (Specimen.day(&random), random.pick([0, 1.5, 9] as [Decimal]))
        return #Predicate { $0.shownOn < day || $0.worth > worth }
    },
    { random in
        let colors = [random.pick(Color.allCases), random.pick(Color.allCases)]
        return #Predicate { colors.contains($0.color) }
    },
    { _ in #Predicate { ($0.note ?? $0.name) == "a" || ($0.note?.isEmpty ?? false) } },
    { _ in #Predicate { $0 is Painting } },
    { _ in #Predicate { !($0 is Painting) && $0.rank > 1 } },
    { _ in #Predicate { $0 is any MovingExhibit || $0.rank == 0 } },
    { _ in #Predicate { $0 is Sketch } },
    { random in
        let width = random.below(5)
        return #Predicate { (($0 as? Painting)?.width ?? 0) > width }
    },
    { random in
        let width = random.below(5)
        return #Predicate { exhibit in
            if let painting = exhibit as? Painting {
                painting.width == width && painting.tags.contains("1")
            } else {
                exhibit.rank == 2
            }
        }
    },
    { _ in #Predicate { ($0 as? Statue).flatMap { $0.height } != nil } },
    { _ in #Predicate { ($0 as? Statue)?.height == nil } },
    { _ in #Predicate { $0 is Film && ($0 as! Film).seconds > 2 } },
    { _ in #Predicate { ($0 is Film ? $0.rank : 3) == 3 } },
]

private func exhibitCriterion(_ random: inout SeededRandom) -> SortDescriptor<any Exhibit> {
    let order: SortOrder = random.pick([.forward, .reverse])
    return switch random.below(5) {
    case 0: SortDescriptor(\.name, comparator: .lexical, order: order)
    case 1: SortDescriptor(\.rank, order: order)
    case 2: SortDescriptor(\.note, comparator: .lexical, order: order)
    case 3: SortDescriptor(\.shownOn, order: order)
    default: SortDescriptor(\.worth, order: order)
    }
}

extension ContractTrial {
    /// A context over the exhibits that containers have.
    private func exhibits() throws -> ModelContext {
        try context(Painting.self, Statue.self, Film.self)
    }

    /// Random exhibits, of which some wait to be saved and others are changed.
    fileprivate func exhibition(
        _ random: inout SeededRandom,
        waiting: Bool
    ) throws -> (ModelContext, Exhibition) {
        let context = try exhibits()
        var exhibition = Exhibition()
        for key in 0..<60 { exhibition.add(key, using: &random, to: context) }
        step("insert 60 random exhibits")
        try context.save()
        if waiting {
            step("add, change and delete some, which waits")
            for key in 60..<75 { exhibition.add(key, using: &random, to: context) }
            exhibition.change(using: &random, in: context)
        }
        return (context, exhibition)
    }

    fileprivate func texts(_ values: some Sequence<any Exhibit>) -> [String] {
        values.map { "\($0)" }
    }
}

extension StoreContract {
    static let protocolCases: [Case] = [
        Case("predicates over a model protocol mean what Swift means for each conformer") { trial in
            var random = trial.random
            for waiting in [false, true] {
                let (context, exhibition) = try trial.exhibition(&random, waiting: waiting)
                for (index, maker) in exhibitMakers.enumerated() {
                    for _ in 0..<4 {
                        let predicate = maker(&random)
                        trial.step("protocol \(index): \(predicate)")
                        let descriptor = FetchDescriptor<any Exhibit>(predicate: predicate)
                        let expected = try exhibition.all.filter { try predicate.evaluate($0) }
                        let found = try context.fetch(descriptor)
                        try trial.expect(
                            rows: trial.texts(found).sorted(),
                            trial.texts(expected).sorted()
                        )
                        try trial.expect(
                            "count",
                            context.fetchCount(descriptor),
                            expected.count
                        )
                    }
                }
            }
        },
        Case("orders, limits and offsets over a model protocol give what Swift gives") { trial in
            var random = trial.random
            for waiting in [false, true] {
                let (context, exhibition) = try trial.exhibition(&random, waiting: waiting)
                for round in 0..<60 {
                    let predicate = random.pick(exhibitMakers)(&random)
                    let order = (0..<random.below(3)).map { _ in exhibitCriterion(&random) }
                    var page = FetchDescriptor<any Exhibit>(predicate: predicate, sortBy: order)
                    page.fetchLimit = random.pick([0, 1, 7, 200])
                    page.fetchOffset = random.pick([nil, 0, 1, 9, 200])
                    let limits = "limit \(page.fetchLimit ?? -1), offset \(page.fetchOffset ?? -1)"
                    trial.step("round \(round): \(predicate), \(order), \(limits)")
                    let expected = try exhibition.all.filter { try predicate.evaluate($0) }
                        .enumerated()
                        .sorted { left, right in
                            for criterion in order {
                                let result = criterion.compare(left.element, right.element)
                                if result != .orderedSame { return result == .orderedAscending }
                            }
                            return left.offset < right.offset
                        }
                        .map(\.element).dropFirst(page.fetchOffset ?? 0)
                        .prefix(page.fetchLimit ?? .max)
                    try trial.expect(rows: trial.texts(context.fetch(page)), trial.texts(expected))
                    try trial.expect("count", context.fetchCount(page), expected.count)
                }
            }
        },
        Case("values of all conformers are deleted by a predicate") { trial in
            var random = trial.random
            let (context, exhibition) = try trial.exhibition(&random, waiting: false)
            trial.step("delete those of rank 1 or more, but no films")
            try context.delete(
                model: (any Exhibit).self,
                where: #Predicate { $0.rank >= 1 && !($0 is Film) }
            )
            let expected = exhibition.all.filter { $0.rank < 1 || $0 is Film }
            let all = FetchDescriptor<any Exhibit>(sortBy: [SortDescriptor(\.rank)])
            for isSaved in [false, true] {
                if isSaved { try context.save() }
                try trial.expect(
                    rows: trial.texts(context.fetch(all)).sorted(),
                    trial.texts(expected).sorted()
                )
                try trial.expect("count", context.fetchCount(all), expected.count)
            }
        },
        Case("what a conformer has no column for, and a container without one, are errors") {
            trial in
            let context = try trial.context(Sketch.self, Painting.self)
            trial.step("ask for a name, which Sketch computes")
            let named = FetchDescriptor<any Exhibit>(predicate: #Predicate { $0.name == "a" })
            do {
                _ = try context.fetch(named)
                try trial.expect("an error", false)
            } catch let error as QueryError {
                try trial.expect("\(error) names it", error.expression == "Sketch.name")
            }
            trial.step("ask for moving exhibits, of which the container has none")
            try trial.expectError(.invalidSchema) {
                _ = try context.fetch(FetchDescriptor<any MovingExhibit>())
            }
        },
    ]
}
