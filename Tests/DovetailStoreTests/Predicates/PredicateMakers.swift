import Dovetail
import StoreTestSupport

/// Predicates of one term each, with random constants.
enum PredicateMakers {
    typealias Maker = @Sendable (inout SeededGenerator) -> Predicate<Thing>

    static let all = required + optional + text + lists

    static let required: [Maker] = [
        {
            let x = Thing.count(&$0); return #Predicate { $0.count < x }
        },
        {
            let x = Thing.count(&$0); return #Predicate { $0.count >= x }
        },
        {
            let x = Thing.count(&$0); return #Predicate { $0.count == x }
        },
        {
            let x = Thing.count(&$0); return #Predicate { $0.count != x }
        },
        {
            let x: Int8 = $0.pick([.min, 0, .max]); return #Predicate { $0.small <= x }
        },
        {
            let x: UInt32 = $0.pick([0, 1, .max]); return #Predicate { $0.unsigned > x }
        },
        {
            let x = Thing.ratio(&$0); return #Predicate { $0.ratio > x }
        },
        {
            let x = Thing.ratio(&$0); return #Predicate { $0.ratio == x }
        },
        {
            let x = Thing.ratio(&$0); return #Predicate { $0.ratio <= x }
        },
        {
            let x: Float = $0.pick([0.1, 0]); return #Predicate { $0.float == x }
        },
        {
            let x: Float = $0.pick([0.1, -2.5]); return #Predicate { $0.float < x }
        },
        { _ in #Predicate { $0.flag } },
        {
            let x = Bool.random(using: &$0); return #Predicate { $0.flag == x }
        },
        {
            let x: Species = $0.pick([.cat, .fish]); return #Predicate { $0.species == x }
        },
        {
            let x: Grade = $0.pick([.low, .high]); return #Predicate { $0.grade != x }
        },
        {
            let x = Thing.day(&$0); return #Predicate { $0.day < x }
        },
        {
            let x = Thing.day(&$0); return #Predicate { $0.day >= x }
        },
        {
            let x = Thing.day(&$0); return #Predicate { $0.day == x }
        },
        {
            let x = $0.pick(Thing.tokens); return #Predicate { $0.token == x }
        },
        {
            let x: Decimal = $0.pick([1.5, 10, 0]); return #Predicate { $0.price == x }
        },
        { _ in #Predicate { $0.id < $0.count } },
        {
            let x = Bool.random(using: &$0); return #Predicate { _ in x }
        },
    ]

    static let optional: [Maker] = [
        { _ in #Predicate { $0.optCount == nil } },
        { _ in #Predicate { $0.optName != nil } },
        {
            let x = Thing.count(&$0); return #Predicate { $0.optCount == x }
        },
        {
            let x: Int? = $0.isOne(in: 2) ? nil : 1; return #Predicate { $0.optCount != x }
        },
        {
            let x = Thing.count(&$0); return #Predicate { ($0.optCount ?? 5) > x }
        },
        {
            let x = Thing.ratio(&$0); return #Predicate { ($0.optRatio ?? x) == $0.ratio }
        },
        { _ in #Predicate { $0.optFlag ?? true } },
        {
            let x = Bool.random(using: &$0); return #Predicate { $0.optFlag == x }
        },
        {
            let x: Species? = $0.pick([nil, .cat]); return #Predicate { $0.optSpecies == x }
        },
        {
            let x = Thing.day(&$0); return #Predicate { ($0.optDay ?? x) <= $0.day }
        },
        {
            let x = $0.pick(Thing.tokens); return #Predicate { $0.optToken != x }
        },
        {
            let x = OwnerID(rawValue: $0.pick([1, .max])); return #Predicate { $0.owner == x }
        },
        {
            let x = Thing.count(&$0); return #Predicate { $0.optCount.flatMap { $0 < x } == true }
        },
        {
            let x = Thing.count(&$0); return #Predicate { $0.optCount.flatMap { $0 < x } == nil }
        },
        {
            let x = Thing.count(&$0);
            return #Predicate { $0.optCount.flatMap { !($0 < x) } ?? true }
        },
        {
            let x = Thing.count(&$0)
            return #Predicate { $0.optCount.flatMap { $0 < x && $0 > -5 } == false }
        },
        {
            let x = Thing.count(&$0)
            return #Predicate { $0.optCount.flatMap { $0 < x || $0 > 5 } != false }
        },
    ]

    static let text: [Maker] = [
        {
            let x = Thing.name(&$0); return #Predicate { $0.name == x }
        },
        {
            let x = Thing.name(&$0); return #Predicate { $0.name < x }
        },
        {
            let x = Thing.name(&$0); return #Predicate { $0.name >= x }
        },
        {
            let x = Thing.name(&$0); return #Predicate { $0.name.contains(x) }
        },
        {
            let x = Thing.name(&$0); return #Predicate { $0.name.starts(with: x) }
        },
        {
            let x = Thing.name(&$0); return #Predicate { x.contains($0.name) }
        },
        {
            let x = Thing.name(&$0); return #Predicate { x.starts(with: $0.name) }
        },
        {
            let x = Thing.name(&$0); return #Predicate { $0.optName?.contains(x) == true }
        },
        {
            let x = Thing.name(&$0); return #Predicate { $0.optName?.starts(with: x) ?? true }
        },
        {
            let x = Thing.name(&$0); return #Predicate { $0.optName?.starts(with: x) == nil }
        },
        {
            let x = Thing.name(&$0); return #Predicate { ($0.optName ?? x) == $0.name }
        },
    ]

    static let lists: [Maker] = [
        {
            let x = list(&$0, Thing.count); return #Predicate { x.contains($0.count) }
        },
        {
            let x = list(&$0, Thing.name); return #Predicate { x.contains($0.name) }
        },
        {
            let x = list(&$0, Thing.day); return #Predicate { x.contains($0.day) }
        },
        {
            let x = list(&$0, Thing.ratio); return #Predicate { x.contains($0.ratio) }
        },
        {
            let x: [Int?] = list(&$0, Thing.count) + ($0.isOne(in: 2) ? [nil] : [])
            return #Predicate { x.contains($0.optCount) }
        },
        {
            let x: [Species] = [$0.pick([.cat, .dog])]; return #Predicate { x.contains($0.species) }
        },
    ]

    private static func list<Element>(
        _ random: inout SeededGenerator,
        _ element: (inout SeededGenerator) -> Element
    ) -> [Element] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in element(&random) }
    }
}
