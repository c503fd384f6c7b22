import Dovetail

/// Makes a predicate with random constants.
typealias PredicateMaker = @Sendable (inout SeededRandom) -> Predicate<Specimen>

/// Predicates of one term each, with random constants.
enum PredicateMakers {

    static let all = required + optional + text + lists + numbers + documents + folded

    static let required: [PredicateMaker] = [
        {
            let x = Specimen.count(&$0); return #Predicate { $0.count < x }
        },
        {
            let x = Specimen.count(&$0); return #Predicate { $0.count >= x }
        },
        {
            let x = Specimen.count(&$0); return #Predicate { $0.count == x }
        },
        {
            let x = Specimen.count(&$0); return #Predicate { $0.count != x }
        },
        {
            let x: Int8 = $0.pick([.min, 0, .max]); return #Predicate { $0.small <= x }
        },
        {
            let x: UInt32 = $0.pick([0, 1, .max]); return #Predicate { $0.unsigned > x }
        },
        {
            let x = Specimen.ratio(&$0); return #Predicate { $0.ratio > x }
        },
        {
            let x = Specimen.ratio(&$0); return #Predicate { $0.ratio == x }
        },
        {
            let x = Specimen.ratio(&$0); return #Predicate { $0.ratio <= x }
        },
        {
            let x: Float = $0.pick([0.1, 0]); return #Predicate { $0.float == x }
        },
        {
            let x: Float = $0.pick([0.1, -2.5]); return #Predicate { $0.float < x }
        },
        { _ in #Predicate { $0.flag } },
        {
            let x = $0.isOne(in: 2); return #Predicate { $0.flag == x }
        },
        {
            let x: Color = $0.pick([.red, .blue]); return #Predicate { $0.color == x }
        },
        {
            let x: Level = $0.pick([.low, .high]); return #Predicate { $0.level != x }
        },
        {
            let x = Specimen.day(&$0); return #Predicate { $0.day < x }
        },
        {
            let x = Specimen.day(&$0); return #Predicate { $0.day >= x }
        },
        {
            let x = Specimen.day(&$0); return #Predicate { $0.day == x }
        },
        {
            let x = Specimen.token(&$0); return #Predicate { $0.token == x }
        },
        {
            let x: Decimal = $0.pick([1.5, 10, 0]); return #Predicate { $0.price == x }
        },
        { _ in #Predicate { $0.id < $0.count } },
        {
            let x = $0.isOne(in: 2); return #Predicate { _ in x }
        },
    ]

    static let optional: [PredicateMaker] = [
        { _ in #Predicate { $0.optCount == nil } },
        { _ in #Predicate { $0.optName != nil } },
        {
            let x = Specimen.count(&$0); return #Predicate { $0.optCount == x }
        },
        {
            let x: Int? = $0.isOne(in: 2) ? nil : 1; return #Predicate { $0.optCount != x }
        },
        {
            let x = Specimen.count(&$0); return #Predicate { ($0.optCount ?? 5) > x }
        },
        {
            let x = Specimen.ratio(&$0); return #Predicate { ($0.optRatio ?? x) == $0.ratio }
        },
        { _ in #Predicate { $0.optFlag ?? true } },
        {
            let x = $0.isOne(in: 2); return #Predicate { $0.optFlag == x }
        },
        {
            let x: Color? = $0.pick([nil, .red]); return #Predicate { $0.optColor == x }
        },
        {
            let x = Specimen.day(&$0); return #Predicate { ($0.optDay ?? x) <= $0.day }
        },
        {
            let x = Specimen.token(&$0); return #Predicate { $0.optToken != x }
        },
        {
            let x = HolderID(rawValue: $0.pick([1, .max])); return #Predicate { $0.holder == x }
        },
        {
            let x = Specimen.count(&$0);
            return #Predicate { $0.optCount.flatMap { $0 < x } == true }
        },
        {
            let x = Specimen.count(&$0); return #Predicate { $0.optCount.flatMap { $0 < x } == nil }
        },
        {
            let x = Specimen.count(&$0);
            return #Predicate { $0.optCount.flatMap { !($0 < x) } ?? true }
        },
        {
            let x = Specimen.count(&$0)
            return #Predicate { $0.optCount.flatMap { $0 < x && $0 > -5 } == false }
        },
        {
            let x = Specimen.count(&$0)
            return #Predicate { $0.optCount.flatMap { $0 < x || $0 > 5 } != false }
        },
    ]

    static let text: [PredicateMaker] = [
        {
            let x = Specimen.name(&$0); return #Predicate { $0.name == x }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { $0.name < x }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { $0.name >= x }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { $0.name.contains(x) }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { $0.name.starts(with: x) }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { x.contains($0.name) }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { x.starts(with: $0.name) }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { $0.optName?.contains(x) == true }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { $0.optName?.starts(with: x) ?? true }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { $0.optName?.starts(with: x) == nil }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { ($0.optName ?? x) == $0.name }
        },
    ]

    static let lists: [PredicateMaker] = [
        {
            let x = list(&$0, Specimen.count); return #Predicate { x.contains($0.count) }
        },
        {
            let x = list(&$0, Specimen.name); return #Predicate { x.contains($0.name) }
        },
        {
            let x = list(&$0, Specimen.day); return #Predicate { x.contains($0.day) }
        },
        {
            let x = list(&$0, Specimen.ratio); return #Predicate { x.contains($0.ratio) }
        },
        {
            let x: [Int?] = list(&$0, Specimen.count) + ($0.isOne(in: 2) ? [nil] : [])
            return #Predicate { x.contains($0.optCount) }
        },
        {
            let x: [Color] = [$0.pick([.red, .green])]; return #Predicate { x.contains($0.color) }
        },
    ]

    private static func list<Element>(
        _ random: inout SeededRandom,
        _ element: (inout SeededRandom) -> Element
    ) -> [Element] {
        (0..<random.below(4)).map { _ in element(&random) }
    }
}
