// swift-format-ignore-file: NeverForceUnwrap
// A forced unwrap is one of the expressions.

import Dovetail

extension PredicateMakers {
    /// Numbers stay where Swift's operators have a result: a store gives NULL elsewhere.
    static let numbers: [PredicateMaker] = [
        {
            let x = $0.below(40); return #Predicate { $0.id + 1 == x }
        },
        {
            let x = $0.below(200); return #Predicate { $0.id * 3 - 20 > x }
        },
        {
            let x = $0.below(5); return #Predicate { $0.id / 7 == x }
        },
        {
            let x = $0.below(3); return #Predicate { ($0.id - 30) % 3 == x }
        },
        {
            let x = -$0.below(40); return #Predicate { -$0.id < x }
        },
        {
            let x = Specimen.ratio(&$0); return #Predicate { $0.ratio * 0.5 > x }
        },
        {
            let x = Specimen.ratio(&$0); return #Predicate { $0.ratio / 4 <= x }
        },
        {
            let x = Specimen.ratio(&$0); return #Predicate { -$0.ratio < x }
        },
        {
            let x: Decimal = $0.pick([1.5, 9, 10, -0.01]); return #Predicate { $0.price < x }
        },
        {
            let x: Decimal = $0.pick([1.5, 9, 10, -0.01]); return #Predicate { $0.price >= x }
        },
        {
            let x: Decimal = $0.pick([1.5, 9, 10]); return #Predicate { ($0.optPrice ?? 2) > x }
        },
        {
            let x: Decimal = $0.pick([2.5, 3, 20]); return #Predicate { $0.price * 2 + 1 == x }
        },
        {
            let x = $0.below(30); return #Predicate { (x...x + 20).contains($0.id) }
        },
        {
            let x = $0.below(30)..<40; return #Predicate { x.contains($0.id) }
        },
        {
            let x = Specimen.day(&$0)...Date(timeIntervalSinceReferenceDate: 1e10)
            return #Predicate { x.contains($0.day) }
        },
        {
            let x = $0.below(30); return #Predicate { ($0.flag ? $0.id : 7) <= x }
        },
        {
            let x = Specimen.count(&$0)
            return #Predicate { if let count = $0.optCount { count > x } else { $0.flag } }
        },
        {
            let x = Specimen.count(&$0)
            return #Predicate { $0.optCount != nil && $0.optCount! > x }
        },
        {
            let x = Specimen.count(&$0);
            return #Predicate { $0.optCount.flatMap { $0 == x } == true }
        },
        {
            let x = Specimen.count(&$0)
            return #Predicate { $0.optCount.flatMap { $0 < x || true } == true }
        },
        { _ in #Predicate { $0.optCount.flatMap { _ in false } == false } },
        {
            let x = $0.below(4); return #Predicate { $0.name.count == x }
        },
        { _ in #Predicate { $0.name.isEmpty || $0.bytes.isEmpty } },
        {
            let x = $0.below(3); return #Predicate { $0.bytes.count > x }
        },
        {
            let x = $0.below(3); return #Predicate { $0.optBytes?.count == x }
        },
        {
            let x = $0.below(4); return #Predicate { ($0.optName?.count ?? 2) < x }
        },
        {
            let x: String = $0.pick(["red", "blue"]); return #Predicate { $0.color.rawValue > x }
        },
        {
            let x: Int64 = $0.pick([1, 2, .max]); return #Predicate { $0.holder?.rawValue == x }
        },
    ]

    /// Text in other letters, and predicates that are made of others.
    static let folded: [PredicateMaker] = [
        {
            let x = Specimen.name(&$0); return #Predicate { $0.name.hasSuffix(x) }
        },
        {
            let x = Specimen.name(&$0); return #Predicate { $0.name.lowercased() == x }
        },
        {
            let x = Specimen.name(&$0)
            return #Predicate { ($0.optName ?? "").localizedStandardContains(x) }
        },
        {
            let x = Specimen.name(&$0)
            return #Predicate { $0.name.caseInsensitiveCompare(x) == .orderedSame }
        },
        {
            let x = Specimen.name(&$0)
            return #Predicate { $0.part.name.localizedCompare(x) == .orderedAscending }
        },
        {
            let wanted = Part(name: Specimen.name(&$0), count: 1)
            return #Predicate { $0.name == wanted.name && $0.part.count == wanted.count }
        },
        { _ in #Predicate { $0.color == .red || $0.level == .high } },
        {
            let predicates = [$0.pick(PredicateMakers.text)(&$0), $0.pick(required)(&$0)]
            let all = $0.isOne(in: 2)
            return all ? .all(predicates) : .any(predicates + [.not(predicates[0])])
        },
        {
            let other = $0.pick(PredicateMakers.documents)(&$0)
            return #Predicate { !other.evaluate($0) }
        },
        { _ in .all([.any([]), .all([])]) },
    ]

    /// Parts of embedded models and collections.
    static let documents: [PredicateMaker] = [
        {
            let x = Specimen.name(&$0); return #Predicate { $0.part.name < x }
        },
        { _ in #Predicate { $0.part.count == nil } },
        {
            let x: Int? = $0.pick([nil, 1, 2]); return #Predicate { $0.part.count == x }
        },
        { _ in #Predicate { $0.optPart?.name == "" } },
        { _ in #Predicate { $0.optPart != nil && $0.optPart?.count == nil } },
        { _ in #Predicate { $0.parts.isEmpty } },
        {
            let x = $0.below(3); return #Predicate { $0.parts.count > x }
        },
        {
            let x = "\($0.below(3))"; return #Predicate { $0.parts.contains { $0.name == x } }
        },
        {
            let x = $0.below(3); return #Predicate { $0.parts.allSatisfy { ($0.count ?? 9) < x } }
        },
        {
            let x = $0.below(2)
            return #Predicate { $0.parts.filter { ($0.count ?? 0) >= x }.count == 1 }
        },
        {
            let x = "\($0.below(2))"; return #Predicate { $0.parts.first?.name == x }
        },
        {
            let x = "\($0.below(2))"; return #Predicate { $0.parts.last?.name != x }
        },
        { _ in #Predicate { one in one.parts.contains { ($0.count ?? 0) == one.id % 2 } } },
        {
            let x: Int? = $0.pick([nil, 1, -1]); return #Predicate { $0.numbers["b"] == x }
        },
        { _ in #Predicate { $0.numbers[""] != nil } },
        { _ in #Predicate { $0.numbers.isEmpty || $0.numbers.count == 2 } },
        {
            let x = "\($0.below(3))"; return #Predicate { $0.tags.contains(x) }
        },
        {
            let x = "\($0.below(3))"; return #Predicate { $0.tags.min() == x }
        },
        {
            let x = "\($0.below(3))"; return #Predicate { ($0.tags.max() ?? "") > x }
        },
    ]
}
