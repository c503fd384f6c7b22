import Dovetail
import StoreTestSupport
import Testing

@Model class CastAnimal {
    var number: Int
    @Relationship(inverse: \CastAnimal.buddyOf) var buddy: CastAnimal?
    var buddyOf: CastAnimal?

    init(_ number: Int) { self.number = number }
}

@Model final class CastDog: CastAnimal {}
@Model final class CastCat: CastAnimal {}

/// Objects that relationships lead to, seen as objects of a class.
@Suite struct CastRelationshipTests {
    @Test(arguments: StoreKind.allCases)
    func `what is of another class is nil`(_ kind: StoreKind) throws {
        let container = try kind.container(CastAnimal.self, CastDog.self, CastCat.self)
        let context = ModelContext(container)
        let all = (0..<9).map { number -> CastAnimal in
            switch number % 3 {
            case 0: CastAnimal(number)
            case 1: CastDog(number)
            default: CastCat(number)
            }
        }
        for (animal, buddy) in zip(all.dropFirst(), all) where animal.number != 5 {
            animal.buddy = buddy
        }
        all.forEach { context.insert($0) }
        try context.save()
        let predicates: [Predicate<CastAnimal>] = [
            #Predicate { ($0.buddy as? CastCat) != nil },
            #Predicate { ($0.buddy as? CastCat) == nil },
            #Predicate { ($0.buddyOf as? CastDog) != nil },
            #Predicate { ($0.buddyOf as? CastDog) == nil && $0.number > 2 },
            #Predicate { $0.buddyOf is CastCat || ($0 as? CastDog) != nil },
        ]
        for (index, predicate) in predicates.enumerated() {
            let expected = try all.filter { try predicate.evaluate($0) }.map(\.number)
            let found = try ModelContext(container).fetch(FetchDescriptor(predicate: predicate))
            #expect(found.map(\.number).sorted() == expected, "\(index)")
            #expect(!expected.isEmpty && expected.count < all.count)
        }
    }
}
